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
    [convergence.min_rounds]=8 [convergence.max_rounds]=12 [convergence.min_round_trips]=0
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
  { "$glassworks" status "$1" 2>/dev/null || true; } | awk '$1 ~ /^[0-9]+$/ { sum += $8 } END { print sum + 0 }'
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

# Every file of a directory with its content, for comparison; the shared-memory index of the database is no content.
fingerprint() {
  (cd -- "$1" && find . -type f ! -name '*.sqlite-shm' -print0 | sort -z | xargs -0 sha256sum)
}

# Checkpoint files and realizations that have one must be as many, and no temporary file may be left.
no_orphans() {
  local files rows
  files=$(find "$1/checkpoints" -type f | wc -l)
  rows=$(digests "$1" | awk '$3 > 0' | wc -l)
  [[ $files -eq $rows ]] || fail "$1: $files checkpoint files for $rows realizations"
}
