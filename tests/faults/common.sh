# shellcheck shell=bash
# Sourced by the tests in this folder, which are called as: bash SCRIPT EXECUTABLE SCRATCH. Those that preload take the
# library from GLASSWORKS_FAULT_LIBRARY.
. "$(dirname -- "${BASH_SOURCE[0]}")/../cli/common.sh"

# As in the file above; `again`, where it is set, says how to repeat what failed.
fail() {
  echo "FAILED: $*${again:+
Again: $again}" >&2
  exit 1
}

jobs_at_once=${GLASSWORKS_TEST_JOBS:-2}

# A campaign of a few dozen milliseconds that has a bit of everything: two batches, a decision, several rounds.
write_tiny_config() {
  local file="$1"
  shift
  write_config "$file" checkpoint.interval=0 disorder.realizations=4 ladder.slots=3 protocol.overrelaxation=1 round.measurements=2 \
    protocol.exchanges_per_measurement=1 convergence.min_rounds=2 convergence.max_rounds=4 \
    backend.kind=cpu backend.threads=1 backend.batch=2 "$@"
}

need_library() {
  library="$(realpath -- "${GLASSWORKS_FAULT_LIBRARY:?is not set: the path of libfault_injection.so}")"
}

# with_fault DIR VARIABLE=VALUE... -- COMMAND...: the command with the library, which watches DIR; the variables without
# their prefix GLASSWORKS_FAULT_. `repeat` is the line that does it again.
with_fault() {
  local -a settings=("GLASSWORKS_FAULT_DIRECTORY=$(realpath -- "$1")")
  shift
  while [[ $1 != -- ]]; do
    settings+=("GLASSWORKS_FAULT_$1")
    shift
  done
  shift
  # shellcheck disable=SC2034 # for the messages of the callers
  repeat="env LD_PRELOAD=$library ${settings[*]} $*"
  env LD_PRELOAD="$library" "${settings[@]}" "$@"
}

# in_parallel COUNT FUNCTION: calls FUNCTION 0 .. COUNT-1, shared out over $jobs_at_once shells that have a directory
# each, and fails if one of them fails.
in_parallel() {
  local job status=0
  local -a jobs=()
  for ((job = 0; job < jobs_at_once; ++job)); do
    (
      mkdir -p "job$job"
      cd "job$job"
      for ((i = job; i < $1; i += jobs_at_once)); do "$2" "$i"; done
    ) &
    jobs+=($!)
  done
  for job in "${jobs[@]}"; do wait "$job" || status=1; done
  [[ $status -eq 0 ]] || exit 1
}

# one_sentence WHAT STATUS: what a command with this status said in run.err is one sentence for people.
one_sentence() { refused "$1" '\(.*\)\. [A-Z].*\.$' sh -c "cat run.err >&2; exit $2" >/dev/null; }

# readable DIR WHAT: what is there of a campaign can be looked at.
readable() {
  [[ -f $1/campaign.sqlite ]] || return 0
  "$glassworks" inspect "$1" --digest >readable.out 2>readable.err || fail "$2: inspect: $(cat readable.err)"
}

# no_leftovers DIR DIGESTS: the checkpoints of a campaign are those of the last rounds of all realizations, and maybe the one
# before of each; there is nothing else. With states_may_lag = 1 (checkpoints by time) a realization that ended just before a
# failure may have older ones, at most two.
no_leftovers() {
  find "$1/checkpoints" -type f -printf '%f\n' | sort >files
  awk -v lag="${states_may_lag:-0}" '
    NR == FNR { name = sprintf("L%03d-%06d-", $1, $2); rounds[name] = $3; digest[name] = substr($5, 1, 16); next }
    !/^L[0-9]+-[0-9]+-[0-9]+-[0-9a-f]+\.ckpt$/ { print "what is " $0; next }
    { name = substr($0, 1, 12); round = substr($0, 13, 6) + 0 }
    round == rounds[name] && substr($0, 20, 16) == digest[name] { ++found[name]; next }
    round >= rounds[name] || ++older[name] > (found[name] || !lag ? 1 : 2) { print $0 " is not needed" }
    END { for (name in rounds) if (rounds[name] > 0 && !found[name] && !lag) print name " has no checkpoint" }
  ' "$2" files >leftovers
  [[ ! -s leftovers ]] || fail "$1/checkpoints: $(head -n 4 leftovers)"
}

# ends_well CONFIG DIR DIGESTS WHAT: an undisturbed run finishes the campaign to the digests in this file; nothing is left
# over.
ends_well() {
  "$glassworks" run "$1" "--campaign.directory=$2" >run.log 2>&1 || fail "$4: the run after it: $(cat run.log)"
  digests "$2" >ended.digests
  cmp -s "$3" ended.digests || fail "$4: digests differ: $(diff "$3" ended.digests | head -n 6)"
  no_leftovers "$2" ended.digests
  "$glassworks" verify "$2" >verified 2>&1 || fail "$4: verify: $(cat verified)"
}

# half_done CONFIG DIR: a campaign whose run was killed about half way, just when a batch was complete; its rounds are in
# the log of the database.
half_done() {
  local last status=0
  mkdir "$2"
  with_fault "$2" "LOG=$PWD/half.calls" -- "$glassworks" run "$1" "--campaign.directory=$2" >run.log 2>&1 ||
    fail "the run that is counted: $(cat run.log)"
  last=$(awk '$2 == "unlink" && /\.ckpt$/ { n[++k] = $1 } END { print n[int(k / 4) * 2] }' half.calls)
  rm -rf "$2"
  mkdir "$2"
  with_fault "$2" ACTION=kill-after "AT=$last" -- "$glassworks" run "$1" "--campaign.directory=$2" >run.log 2>&1 ||
    status=$?
  [[ $status -eq 137 ]] || fail "the run that is killed ended with status $status: $(cat run.log)"
  [[ $(stat -c %s "$2/campaign.sqlite-wal") -gt 40000 ]] || fail "the killed run left no log: $(ls -l "$2")"
}
