# shellcheck shell=bash
# Sourced by the end-to-end tests, which are called as: bash SCRIPT EXECUTABLE SCRATCH. SCRATCH is an empty directory
# and becomes the working directory.
set -euo pipefail
[[ $# -eq 2 ]] || { echo "Usage: bash $0 EXECUTABLE SCRATCH" >&2; exit 2; }
glassworks="$(realpath -- "$1")"
mkdir -p -- "$2"
cd -- "$2"
scratch="$PWD"
export LC_ALL=C
PATH="/usr/bin:$PATH" # Debian's python3 starts five times as fast as those of version managers

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# Goes on in memory where there is some: for tests of many short campaigns, which otherwise wait for the disk.
work_in_memory() {
  local memory
  memory="$(mktemp -d -p /dev/shm glassworks-test-XXXXXX 2>/dev/null)" || return 0
  trap 'rm -rf -- "$scratch"' EXIT
  scratch="$memory"
  cd -- "$scratch"
}

skip_part() { echo "Skipped: $*"; }

# has_instruction_set ISA: whether this processor and build have it.
has_instruction_set() { [[ " $machine " =~ [[:space:]]sets[[:space:]][a-z0-9,\ ]*[[:space:]]$1[,\;] ]]; }
machine=$'\n'"$("$glassworks" doctor 2>&1 || true)"
has_instruction_set portable || fail "doctor does not show the instruction sets: $machine"

# write_config FILE [section.key=value ...]: a small campaign in d = 3; later values replace earlier ones.
write_config() {
  local file="$1" item
  shift
  local -A value=(
    [campaign.seed]=7 [model.L]=4 [disorder.realizations]=5 [ladder.T_min]=0.2 [ladder.T_max]=0.8 [ladder.slots]=5
    [protocol.overrelaxation]=2 [protocol.exchanges_per_measurement]=2 [round.measurements]=4
    [convergence.min_rounds]=8 [convergence.max_rounds]=12 [convergence.min_round_trips]=0 [convergence.n_tau]=0
  )
  for item in "$@"; do value["${item%%=*}"]="${item#*=}"; done
  for item in "${!value[@]}"; do
    # An empty value takes the key out.
    if [[ -n ${value[$item]} ]]; then echo "$item = ${value[$item]}"; fi
  done | sort >"$file"
}

# run_quietly CONFIG DIR [--key=value ...]: a run that must end with status 0.
run_quietly() {
  local config="$1" directory="$2"
  shift 2
  "$glassworks" run "$config" "--campaign.directory=$directory" "$@" >run.log 2>&1 ||
    fail "run $config $* ended with status $?: $(cat run.log)"
}

digests() { "$glassworks" inspect "$1" --digest; }

# Committed rounds of all realizations; 0 while there is no campaign.
rounds_of() {
  { digests "$1" 2>/dev/null || true; } | awk '{ sum += $3 } END { print sum + 0 }'
}

# same_digests DIR DIR WHAT
same_digests() {
  digests "$1" >first.digest
  digests "$2" >second.digest
  [[ -s first.digest ]] || fail "$3: $1 has no digests"
  cmp -s first.digest second.digest || fail "$3: digests differ: $(diff first.digest second.digest | head -n 6)"
}

# refused WHAT PATTERN COMMAND...: the command must fail with status 1 or 2 and say one sentence on stderr that fits the
# extended regular expression; further lines may only be an indented list.
refused() {
  local what="$1" pattern="$2" status=0
  shift 2
  "$@" >refused.out 2>refused.err || status=$?
  refused_status=$status
  [[ $status -ne 0 ]] || fail "$what: accepted"
  [[ $status -eq 1 || $status -eq 2 ]] || fail "$what: ended with status $status: $(cat refused.err)"
  [[ $(grep -c '^glassworks: ' refused.err) -eq 1 && $(head -c 12 refused.err) == "glassworks: " ]] ||
    fail "$what: not one message: $(cat refused.err)"
  [[ -z $(sed -e 1d -e '/^  /d' refused.err) ]] || fail "$what: more than one message: $(cat refused.err)"
  ! grep -Eqi 'terminate called|assert|what\(\)|basic_|std::|backtrace' refused.err refused.out ||
    fail "$what: not a message for people: $(cat refused.err)"
  grep -Eq -- "$pattern" refused.err || fail "$what: '$pattern' is not in: $(cat refused.err)"
  echo "ok   $what: $(head -n 1 refused.err)"
}

# unusable WHAT PATTERN COMMAND...: the same for input that cannot be used, which has status 2.
unusable() {
  local what="$1"
  refused "$@"
  [[ $refused_status -eq 2 ]] || fail "$what: unusable input ended with status $refused_status: $(cat refused.err)"
}

# verifies_published_and_reports DIR 'SENTENCE OF THE README' 'WORDS OF THE PAGE': it and what it publishes are simulated
# again, and readers learn of its disorder.
verifies_published_and_reports() {
  "$glassworks" verify "$1" --recompute 3 >verify.txt 2>&1 || fail "verify: $(cat verify.txt)"
  "$glassworks" publish "$1" --out "published-$1" >publish.txt || fail "publish: $(cat publish.txt)"
  grep -qF -- "$2" "published-$1/README.md" || fail "$(cat "published-$1/README.md")"
  "$glassworks" verify "published-$1" --recompute 3 >verify.txt || fail "verify: $(cat verify.txt)"
  "$glassworks" report "$1" --out "report-$1.html" >/dev/null || fail "no report"
  grep -qF -- "$3" "report-$1.html" || fail "the report does not say so"
}

# Every file of a directory with its content, for comparison; the shared-memory index of the database and an empty log
# are none.
fingerprint() {
  (cd -- "$1" && find . -type f ! -name '*.sqlite-shm' ! \( -name '*.sqlite-wal' -empty \) -print0 | sort -z |
    xargs -0 sha256sum)
}

# has_rounds DIR NUMBER PROCESS: waits until a campaign has this number of rounds, or its process has ended.
has_rounds() {
  while [[ $(rounds_of "$1") -lt $2 ]] && kill -0 "$3" 2>/dev/null; do sleep 0.02; done
}

# ends_within SECONDS PROCESS: waits for its end, and fails if it goes on.
ends_within() {
  local _
  for _ in $(seq $(($1 * 10))); do
    kill -0 "$2" 2>/dev/null || return 0
    sleep 0.1
  done
  ! kill -0 "$2" 2>/dev/null
}

# Open MPI for as many ranks as a test wants, on any machine and also for root, as containers have it.
prepare_mpirun() {
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl=self,tcp
  # mpirun that is to end sends SIGTERM to its processes after so many seconds, and SIGKILL after as many more.
  export OMPI_MCA_odls_base_sigkill_timeout=3
}

# sql DIR STATEMENT...: runs statements on the database of a campaign; a line for each row, columns separated by blanks.
sql() { printf '%s;\n' "${@:2}" | sqlite3 -batch -bail -separator ' ' -cmd '.timeout 60000' "$1/campaign.sqlite"; }

# stop_process PID: SIGSTOP, and waits until no thread runs: one that is about to take a lock takes it before it stops.
stop_process() {
  kill -STOP "$1"
  while awk '{ sub(/^.*\) /, ""); if ($1 != "T") running = 1 } END { exit !running }' /proc/"$1"/task/*/stat 2>/dev/null; do
    sleep 0.01
  done
}

# pause PID DIR: stops it at a moment when it does not hold the lock of the database, which would keep others waiting.
pause() {
  for _ in $(seq 100); do
    stop_process "$1"
    if sqlite3 -batch -cmd '.timeout 1000' "$2/campaign.sqlite" 'BEGIN IMMEDIATE' 2>/dev/null; then return; fi
    kill -CONT "$1"
    sleep 0.01
  done
  fail "process $1 holds the lock of $2 whenever it is stopped"
}

# named_checkpoints DIR: files that the database names, the newest two generations of each realization.
named_checkpoints() {
  sql "$1" "SELECT checkpoint AS file FROM realizations WHERE file != ''
            UNION SELECT previous_checkpoint FROM realizations WHERE previous_checkpoint != '' ORDER BY file"
}

# The checkpoint files are exactly those that the database names.
no_orphans() {
  named_checkpoints "$1" >named.txt
  find "$1/checkpoints" -type f -printf '%f\n' | sort >files.txt
  cmp -s named.txt files.txt || fail "$1: files that are (>) and should be (<) there: $(diff named.txt files.txt)"
}

# decisions DIR: what `inspect` says of every realization, without what may differ between two runs of a campaign.
decisions() {
  "$glassworks" inspect "$1" --csv decisions.csv --force >/dev/null
  cut -d , -f 1-7,11- decisions.csv | sed -E 's/,? *[0-9]+ attempts?//; s/,? *attempt [0-9]+//'
}

# ladders DIR: temperatures and all stages of their adaptation, to the bit.
ladders() {
  sql "$1" "SELECT L, adapting, hex(temperatures) FROM sizes ORDER BY L" \
    "SELECT L, stage, pilots, measurements, hex(temperatures), hex(exchange_attempts), hex(exchange_accepted),
            hex(walk_up), hex(walk_down), round_trips, checkpoints FROM ladder_stages ORDER BY L, stage"
}

# same_results DIR DIR WHAT: bins, states, decisions, rounds and ladders are equal, and nothing in the second is wrong.
same_results() {
  local kind
  same_digests "$1" "$2" "$3"
  for kind in decisions ladders; do
    $kind "$1" >first.txt
    $kind "$2" >second.txt
    cmp -s first.txt second.txt || fail "$3: $kind differ: $(diff first.txt second.txt | head -n 6)"
  done
  clean "$2" "$3"
}

# clean DIR WHAT: `verify` finds nothing; it may be called while others work on the campaign.
clean() { "$glassworks" verify "$1" >verify.txt 2>&1 || fail "$2: verify ended with status $?: $(cat verify.txt)"; }
