#!/usr/bin/env bash
# Under limits of threads, memory, descriptors, file size and output: a command does its work, or says one sentence and
# ends with a status that is not 0. It never ends by a signal and never waits; the campaign stays whole, and a run without
# limits continues it to the same digests.
#
# GLASSWORKS_TEST_ALL=1: finer steps of all limits (minutes).
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
work_in_memory

write_config small.cfg disorder.realizations=4 ladder.slots=3 protocol.overrelaxation=1 round.measurements=2 \
  protocol.exchanges_per_measurement=1 convergence.min_rounds=2 convergence.max_rounds=4 \
  backend.kind=cpu backend.threads=3 backend.batch=2
run_quietly small.cfg whole
digests whole >whole.digests
# Half of the rounds are there: what a limit harms can be seen.
run_quietly small.cfg half --convergence.max_rounds=2

all=${GLASSWORKS_TEST_ALL:-0}
cases=0 refusals=0

# ends_well WHAT COMMAND...: success, or one sentence. Sets status.
ends_well() {
  local what="$1"
  shift
  # Through pipes: the files in which the test looks have no limit.
  set +e
  (
    timeout -s KILL 20 "$@" 2>&3 | cat >limit.out
    exit "${PIPESTATUS[0]}"
  ) 3>&1 | cat >limit.err
  status=${PIPESTATUS[0]}
  set -e
  cases=$((cases + 1))
  case $status in
    0) return ;;
    1 | 2) ;;
    127) # the dynamic linker has not even begun the program; two of its messages for lack of memory have no prefix
      grep -qx -e '.*error while loading shared libraries.*' -e 'out of memory' -e '.*cannot allocate TLS data structures.*' \
        limit.err ||
        fail "$what: status 127: $(cat limit.err)"
      return
      ;;
    *) fail "$what: ended with status $status: $(tail -n 3 limit.err)" ;;
  esac
  refusals=$((refusals + 1))
  if [[ ! -s limit.err ]] && grep -q '^Problem: ' limit.out; then return; fi  # verify has said what it could not look at
  local words
  words="$(grep -c '^glassworks: ' limit.err)" || true
  [[ $words -eq 1 ]] || fail "$what: not one message: $(cat limit.err)"
  ! grep -Eqi 'terminate|assert|what\(\)|basic_|std::|bad_alloc|map::at|Resource temporarily|filesystem error|_M_|H5[A-Z]' \
    limit.err || fail "$what: not a message for people: $(cat limit.err)"
  ! grep '^glassworks: ' limit.err | grep -Evq '\.$' || fail "$what: not a sentence: $(cat limit.err)"
}

# still_whole WHAT: nothing that was committed is lost, and the campaign goes on.
still_whole() {
  [[ -f limited/campaign.sqlite ]] && clean limited "$1"
  run_quietly small.cfg limited
  digests limited >limited.digests
  cmp -s whole.digests limited.digests || fail "$1: digests differ: $(diff whole.digests limited.digests | head -n 4)"
}

# run_limited WHAT COMMAND...: a run that starts from nothing and one that continues, the last words of COMMAND being the
# executable; then the campaign goes on.
run_limited() {
  local what="$1" begin
  shift
  for begin in nothing half; do
    rm -rf limited
    [[ $begin == nothing ]] || cp -a half limited
    ends_well "run from $begin, $what" "$@" run small.cfg --campaign.directory=limited
    still_whole "run from $begin, $what"
  done
}

# look_limited WHAT COMMAND...: everything else, on a finished campaign that nothing changes.
look_limited() {
  local what="$1" verb
  shift
  rm -rf out
  for verb in "inspect whole --digest" "verify whole" "verify whole --recompute 1" "analyze whole --csv table.csv --force" \
    "report whole --out page.html --force" "export whole --out out --force" \
    "percolate --graph square --size 16 --p 0.4:0.6:0.1 --samples 20 --threads 3 --csv percolation.csv --force"; do
    # shellcheck disable=SC2086
    ends_well "$verb, $what" "$@" $verb
  done
}

# --- threads ---
if [[ -n ${GLASSWORKS_THREAD_LIBRARY:-} ]]; then
  for n in 0 1 3 5 8 13 $([[ $all -ne 0 ]] && echo 4 6 7 10 13); do
    run_limited "$n threads" env LD_PRELOAD="$GLASSWORKS_THREAD_LIBRARY" GLASSWORKS_THREADS="$n" "$glassworks"
  done
  [[ $status -eq 0 ]] || fail "a run with 13 threads ended with status $status: $(cat limit.err)"
  for n in 0 1 2; do
    look_limited "$n threads" env LD_PRELOAD="$GLASSWORKS_THREAD_LIBRARY" GLASSWORKS_THREADS="$n" "$glassworks"
  done
  echo "ok   limits of threads: $cases commands, $refusals refused"
else
  skip_part "limits of threads (GLASSWORKS_THREAD_LIBRARY is not set)"
fi

# --- memory: from what the program needs to start upwards ---
# With less than its own size and that of its libraries the system ends a program before it begins.
image=$(($(stat -Lc %s "$glassworks") / 1024))
least=$image
until [[ $(bash -c 'ulimit -v "$1" && "$2" version >/dev/null 2>&1; echo $?' limits "$least" "$glassworks" 2>/dev/null) -lt 128 ]]; do
  least=$((least + 1000))
  [[ $least -lt $((image + 30000)) ]] || fail "the program does not start with $least KiB of memory; it has $image KiB"
done
step=$([[ $all -ne 0 ]] && echo 1000 || echo 28000)
before=$cases
for ((kib = least; kib <= least + 110000; kib += step)); do
  rm -rf limited
  cp -a half limited
  ends_well "run, $kib KiB of memory" bash -c 'ulimit -v "$1" && shift && exec "$@"' limits "$kib" "$glassworks" \
    run small.cfg --campaign.directory=limited
  still_whole "run, $kib KiB of memory"
  look_limited "$kib KiB of memory" bash -c 'ulimit -v "$1" && shift && exec "$@"' limits "$kib" "$glassworks"
done
# HDF5 is not safe everywhere where its memory ends, so in finer steps.
for ((kib = least; kib <= least + 16000; kib += all ? 400 : 4000)); do
  rm -rf out
  ends_well "export, $kib KiB of memory" bash -c 'ulimit -v "$1" && shift && exec "$@"' limits "$kib" "$glassworks" \
    export whole --out out --force
done
echo "ok   limits of memory: $((cases - before)) commands"

# --- descriptors ---
before=$cases
for n in 4 6 10 16 $([[ $all -ne 0 ]] && seq 5 40); do
  # A run raises its own limit as far as it may.
  run_limited "$n descriptors" bash -c 'ulimit -n "$1" && shift && exec "$@"' limits "$n" "$glassworks"
  look_limited "$n descriptors" bash -c 'ulimit -n "$1" && shift && exec "$@"' limits "$n" "$glassworks"
done
echo "ok   limits of descriptors: $((cases - before)) commands"

# --- file size ---
before=$cases
for kib in 0 32 64 $([[ $all -ne 0 ]] && seq 8 8 200); do
  run_limited "files of $kib KiB" bash -c 'ulimit -f "$1" && shift && exec "$@"' limits "$kib" "$glassworks"
  look_limited "files of $kib KiB" bash -c 'ulimit -f "$1" && shift && exec "$@"' limits "$kib" "$glassworks"
done
echo "ok   limits of file size: $((cases - before)) commands"

# --- output that is full or closed ---
# lost WHAT COMMAND...: the standard output cannot be written, which is said, with status 1.
lost() {
  status=0
  timeout -s KILL 20 "${@:2}" >/dev/full 2>limit.err || status=$?
  [[ $status -eq 1 && $(grep -c '^glassworks: the standard output cannot be written (No space' limit.err) -eq 1 ]] ||
    fail "$1 on a full output: status $status: $(cat limit.err)"
  status=0
  timeout -s KILL 20 "${@:2}" >&- 2>limit.err || status=$?
  [[ $status -eq 1 && $(grep -c '^glassworks: the standard output cannot be written' limit.err) -eq 1 ]] ||
    fail "$1 on a closed output: status $status: $(cat limit.err)"
  timeout -s KILL 20 "${@:2}" >/dev/null 2>/dev/full || fail "$1 on a full stderr: status $?"
  timeout -s KILL 20 "${@:2}" >/dev/null 2>&- <&- || fail "$1 on a closed stderr: status $?"
}
for verb in "inspect whole" "inspect whole --digest" "status whole" "status whole --json" "analyze whole" "verify whole" \
  "why whole --realization 0" "watch whole --once" "run small.cfg --campaign.directory=whole" \
  "percolate --graph chain --size 8 --p 0.5 --samples 2" "submit small.cfg --nodes 1 --gpus-per-node 0 --time 1h --dry-run" \
  --help "run --help" version "bench --help" "doctor --help"; do
  # shellcheck disable=SC2086
  lost "$verb" "$glassworks" $verb
done
for descriptors in '>&-' '>&- 2>&-' '<&- >&- 2>&-' '2>&-' '>/dev/full 2>/dev/full'; do
  rm -rf limited
  bash -c "exec \"\$@\" $descriptors" run "$glassworks" run small.cfg --campaign.directory=limited >run.log 2>&1 || true
  digests limited >limited.digests
  cmp -s whole.digests limited.digests || fail "run $descriptors: digests differ"
  ! grep -aq 'converged\|rounds' limited/campaign.lock || fail "run $descriptors: output in campaign.lock"
  clean limited "run $descriptors"
done
status=0
"$glassworks" analyze whole --csv /dev/full >limit.out 2>limit.err || status=$?
[[ $status -ne 0 && $(wc -l <limit.err) -eq 1 ]] || fail "a table on a full disk: status $status: $(cat limit.err)"
echo "ok   full and closed output"

# --- a run goes on when nobody reads its output, and stops cleanly when its terminal goes away ---
rm -rf limited
set +o pipefail
"$glassworks" run small.cfg --campaign.directory=limited | true
"$glassworks" run --help | head -n 1 >limit.out
set -o pipefail
digests limited >limited.digests
cmp -s whole.digests limited.digests || fail "a run without a reader: digests differ"
[[ -s limit.out ]] || fail "run --help | head: nothing"
rm -rf limited
"$glassworks" run small.cfg --campaign.directory=limited --round.measurements=200 --convergence.max_rounds=100000 \
  --convergence.min_rounds=100000 >limit.out 2>limit.err &
run=$!
has_rounds limited 1 "$run"
kill -HUP "$run"
status=0
wait "$run" || status=$?
[[ $status -eq 130 ]] || fail "a closed terminal: status $status: $(cat limit.err)"
grep -q '^Stopped: ' limit.out || fail "a closed terminal: $(cat limit.out)"
clean limited "a closed terminal"
echo "ok   pipes and terminals"

# --- control characters reach no terminal ---
evil=$'esc\x1b[31m-c1\xc2\x9b2J-del\x7f-bad\xff-bidi\xe2\x80\xae-line\nglassworks: forged-\xc3\xa9'
clean_output() { # WHAT FILE: no control characters but line ends; letters stay
  ! LC_ALL=C grep -aqP '[\x00-\x08\x0b-\x1f\x7f\xff]|\xc2[\x80-\x9f]|\xe2\x80\xae' "$2" ||
    fail "$1: control characters: $(od -c "$2" | head -n 20)"
  ! grep -aq '^glassworks: forged' "$2" || fail "$1: a forged message: $(cat "$2")"
}
for words in "status" "inspect" "verify" "run" "analyze" "why --realization 0" "watch --once"; do
  # shellcheck disable=SC2086
  "$glassworks" $words "$evil" >limit.out 2>&1 && fail "$words of a name that is not there"
  clean_output "$words" limit.out
  grep -q 'esc\\x1b\[31m' limit.out && grep -q 'é' limit.out || fail "$words: the name is not shown: $(cat limit.out)"
done
"$glassworks" run small.cfg "--model.L=$evil" >limit.out 2>&1 && fail "an evil value"
clean_output "a value" limit.out
printf 'model.L = %s\n' "${evil%%$'\n'*}" >evil.cfg
"$glassworks" run evil.cfg >limit.out 2>&1 && fail "an evil configuration"
clean_output "a configuration" limit.out
cp -a whole evil
python3 - "$evil" <<'PYTHON'
import sqlite3, sys
text = sys.argv[1].encode(errors="surrogateescape").decode("latin-1").encode("latin-1")
connection = sqlite3.connect("evil/campaign.sqlite")
text = sqlite3.Binary(text)
for table, column in (("realizations", "reason"),):
    connection.execute(f"UPDATE {table} SET {column} = CAST(? AS TEXT)", (text,))
connection.commit()
PYTHON
for verb in "inspect evil" "why evil --realization 0" "status evil" "verify evil" "watch evil --once" "analyze evil"; do
  # shellcheck disable=SC2086
  "$glassworks" $verb >limit.out 2>&1 || true
  clean_output "$verb" limit.out
done
mkdir "$evil" && cp -a whole/. "$evil/"
"$glassworks" status "$evil" --json >limit.out
python3 -c 'import json, sys; json.load(open("limit.out", encoding="utf-8"))' || fail "status --json is no JSON"
echo "ok   control characters"
echo "ok   $cases commands under limits, $refusals refused with a sentence"
