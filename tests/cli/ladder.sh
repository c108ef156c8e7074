#!/usr/bin/env bash
# Ladder adaptation: temperatures, stages and results are the same to the bit, however often processes are killed during
# and after it, and however many work on the campaign.
here="$(realpath -- "$(dirname -- "${BASH_SOURCE[0]}")")"
. "$here/common.sh"
. "$here/_kill_lib.sh"

RANDOM=1511  # seed of the moments and victims
config=adaptive.cfg
write_kill_config "$config" disorder.realizations=6 ladder.slots=6 ladder.adapt=rejection ladder.pilots=5 \
  ladder.adapt_rounds=30 convergence.max_rounds=20 convergence.n_tau=0
run_quietly "$config" whole
no_orphans whole
[[ $(sql whole "SELECT L, count(*) FROM ladder_stages GROUP BY L") == $'4 30\n6 30' ]] ||
  fail "the ladders were not adapted in thirty stages: $(sql whole "SELECT L, stage FROM ladder_stages")"
run_quietly "$config" fixed --ladder.adapt=none
[[ $(sql whole "SELECT count(DISTINCT hex(temperatures)) FROM sizes") -eq 2 ]] || fail "both sizes have the same ladder"
for L in 4 6; do
  temperatures="SELECT hex(temperatures) FROM sizes WHERE L = $L"
  [[ $(sql whole "$temperatures") != "$(sql fixed "$temperatures")" ]] || fail "the ladder of L = $L has not moved"
done
echo "ok   ladders are adapted"

# --- looked at while it is adapted ---
start_worker 1 "$config" joint
until [[ -f joint/campaign.sqlite && $(sql joint "SELECT count(*) FROM ladder_stages") -ge 1 ]]; do sleep 0.02; done
stop_process "${worker[1]}"
for verb in status inspect; do
  timeout 20 "$glassworks" $verb joint >$verb.txt 2>&1 || fail "$verb while the ladder is adapted: $(cat $verb.txt)"
done
grep -q 'not finished' status.txt || fail "status while the ladder is adapted: $(cat status.txt)"
stages=$(sql joint "SELECT count(*) FROM ladder_stages")
[[ $stages -lt 60 ]] || fail "the ladder was adapted before it could be looked at"
# --- a second process waits for it, and then joins ---
kill -CONT "${worker[1]}"
start_worker 2 "$config" joint
finish_worker 1
finish_worker 2
same_results whole joint "two processes"
no_orphans joint
echo "ok   status after $stages of 60 stages, and two processes"

# --- kill -9 ---
during=0 after=0
look_closer() {
  if [[ $(sql "$1" "SELECT count(*) FROM sizes WHERE adapting = 1") -gt 0 ]]; then
    during=$((during + 1))
  else
    after=$((after + 1))
  fi
}
# kill_when DIR CONDITION: works on DIR and is killed once the condition on its database holds; a campaign that ends before is compared
# and begun again.
kill_when() {
  local directory="$1" condition="$2" attempt
  for attempt in 1 2 3 4 5 6 7 8; do
    start_worker 1 "$config" "$directory"
    while kill -0 "${worker[1]}" 2>/dev/null; do
      if [[ -f $directory/campaign.sqlite && $(sql "$directory" "SELECT $condition" 2>/dev/null) == 1 ]]; then break; fi
      sleep 0.01
    done
    kill_workers 1
    look_at "$directory"
    $finished || return 0
    conclude whole "$directory"
  done
  fail "a campaign came to its end $attempt times before it could be killed where $condition"
}
stages="(SELECT count(*) FROM ladder_stages)"
for seen in 1 20 45; do kill_when aimed "$stages >= $seen AND $stages < 60"; done
for _ in 1 2; do kill_when aimed "$stages = 60 AND NOT EXISTS (SELECT 1 FROM sizes WHERE adapting = 1)"; done
run_quietly "$config" aimed
conclude whole aimed
kill_and_restart whole single 1 3
kill_and_restart whole several 2 6
[[ $during -ge 3 && $after -ge 1 ]] ||
  fail "$during of $kills kills during the adaptation and $after after it are too few"
echo "ok   $during kills during and $after after the adaptation, $campaigns campaigns"
