#!/usr/bin/env bash
# Interruptions: kill -9 at random moments of one process or several, SIGSTOP, SIGTERM and SIGINT cost at most the
# running round; bins, states and decisions end up as without them.
#
# GLASSWORKS_TEST_ALL=1: four times as many kills; tools/kill_test.sh makes any number.
here="$(realpath -- "$(dirname -- "${BASH_SOURCE[0]}")")"
. "$here/common.sh"
. "$here/_kill_lib.sh"

RANDOM=20121  # seed of the moments and victims
config=long.cfg
write_kill_config "$config"
run_quietly "$config" whole
no_orphans whole
[[ $(digests whole | awk '{ print $3 }' | sort -u | wc -l) -ge 3 ]] || fail "realizations end after the same rounds"

# --- kill -9 ---
scale=$((3 * ${GLASSWORKS_TEST_ALL:-0} + 1))
kill_and_restart whole single 1 $((3 * scale))
echo "ok   one process: $kills kills, $interrupted of them with committed rounds, $campaigns campaigns"
before=$kills
kill_and_restart whole several 3 $((5 * scale))
echo "ok   three processes: $((kills - before)) kills"
before=$kills
kill_one_of whole left 3
[[ $kills -gt $before ]] || fail "all processes had ended before they could be killed"
echo "ok   others finish what $((kills - before)) killed processes left"
[[ $kills -ge $((8 * scale)) && $interrupted -ge $((3 * scale)) ]] || fail "only $interrupted of $kills kills met committed rounds"
echo "ok   $kills kills in $campaigns campaigns, $interrupted with committed rounds, $leftovers that left files"

# What was written but never committed, and a temporary file, are removed by the next run.
cp -r whole copy
cp "copy/checkpoints/$(named_checkpoints copy | head -n 1)" copy/checkpoints/L004-000000-009999-0123456789abcdef.ckpt
echo half >copy/checkpoints/L004-000000-000001-0123456789abcdef.ckpt.1-0.tmp
run_quietly "$config" copy
no_orphans copy
same_results whole copy "a finished campaign that is run again"
echo "ok   orphaned checkpoint files are removed"

# --- SIGSTOP: a process that is silent for longer than its lease loses its realizations ---
# held_by DIR PID: realizations that it holds; "gone" if it has no row in `workers` any more.
held_by() {
  sql "$1" "SELECT CASE (SELECT count(*) FROM workers WHERE pid = $2) WHEN 0 THEN 'gone' ELSE
              (SELECT count(*) FROM realizations WHERE worker = (SELECT id FROM workers WHERE pid = $2)) END"
}
# While it holds no realization it has nothing to lose: then it is stopped anew, at another moment.
lost=false
for _ in $(seq 10); do
  start_worker 1 "$config" stopped
  start_worker 2 "$config" stopped
  has_rounds stopped 8 "${worker[1]}"
  pause "${worker[1]}" stopped
  if [[ $(held_by stopped "${worker[1]}") =~ ^[1-9] ]]; then
    for _ in $(seq 200); do
      if [[ $(held_by stopped "${worker[1]}") == gone ]]; then break; fi
      sleep 0.1
    done
  fi
  kill -CONT "${worker[1]}"
  finish_worker 1
  finish_worker 2
  same_results whole stopped "a process that was stopped for a while"
  run_quietly "$config" stopped
  no_orphans stopped
  rm -rf stopped
  if grep -q 'not committed' worker-1.log; then lost=true; break; fi
done
$lost || fail "the stopped process never lost what it held: $(cat worker-1.log)"
echo "ok   SIGSTOP: $(grep -m 1 'not committed' worker-1.log)"

# --- signals ---
for signal in TERM INT; do
  start_worker 1 "$config" signalled
  has_rounds signalled 8 "${worker[1]}"
  kill "-$signal" "${worker[1]}"
  reap_worker 1
  [[ $status -eq 130 ]] || fail "SIG$signal: status $status instead of 130: $(cat worker-1.log)"
  grep -q '^Stopped: .*Run the same command again to continue\.$' worker-1.log || fail "SIG$signal: $(cat worker-1.log)"
  "$glassworks" status signalled >status.txt
  grep -q 'is not finished' status.txt || fail "SIG$signal: $(cat status.txt)"
  no_orphans signalled
  run_quietly "$config" signalled
  grep -q '^Continuing the campaign' run.log || fail "SIG$signal: $(cat run.log)"
  same_results whole signalled "a campaign stopped with SIG$signal"
  rm -rf signalled
  echo "ok   SIG$signal"
done
