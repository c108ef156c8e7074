#!/usr/bin/env bash
# Losses under a real Slurm: a rank that is killed, a node that is lost. The job goes on by itself to the same results;
# what was committed stays, and no more than the running rounds are simulated again. GLASSWORKS_TEST_ALL=1: more losses.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

# lose WHAT COMMAND...: a campaign of two ranks on two nodes; the command takes something away from it.
interval=0 # of its checkpoints
lose() {
  local what="$1" lost
  shift
  slowly
  submit campaign.cfg "$what" --time 1h "--checkpoint.interval=$interval"
  # A rank that is lost while it starts has no rounds that could be lost with it.
  wait_for 90 "$what: the other rank" grep -q "^The other ranks are ready" "$log"
  wait_for 90 "$what: rounds of both ranks" committed_at_least "$what" $(($(rounds_of "$what") + 4))
  keep_rounds "$what"
  "$@"
  at_full_speed
  wait_for 90 "$what: another turn" restarted 1
  bring_back
  wait_for_turn 1
  nothing_vanished "$what" "$what"
  finish_job "$what" "$what"
  nothing_vanished "$what" "$what"
  if ((interval > 0)); then # a lease goes on over many commits
    echo "ok   $what: the job went on by itself"
    return
  fi
  # A lease raises `attempt`, and its end without a commit raises it again. Each of the two ranks had a batch of two, and
  # perhaps the next one already.
  lost="$(sql "$what" "SELECT sum(attempt - rounds) / 2 FROM realizations")"
  ((lost > 0 && lost <= 8)) || fail "$what: $lost rounds were simulated twice"
  echo "ok   $what: the job went on by itself; $lost rounds were lost"
}

bring_back() { :; }

kill_rank() {
  local process
  process="$(process_of "$1")"
  [[ -n $process ]] || fail "rank $1 is not there"
  kill -9 "$process"
}
lose "rank 1 killed" kill_rank 1
grep -q "a rank or a node was lost" "$log" || fail "rank 1 killed: no word of it"
if [[ -n ${GLASSWORKS_TEST_ALL:-} ]]; then
  lose "rank 0 killed" kill_rank 0
  # States stay where they are simulated, and no checkpoint is written before the loss.
  interval=180
  lose "rank 1 killed between checkpoints" kill_rank 1
  interval=0
fi

node_is_back() { [[ $(sinfo -h -n n2 -o %T) == idle ]]; }
bring_back() {
  "$sandbox" revive "$box" n2
  wait_for 60 "node lost: the node is back" node_is_back
}
lose "node lost" "$sandbox" lose-node "$box" n2
