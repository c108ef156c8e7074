#!/usr/bin/env bash
# Runs of several ranks on two nodes, started by srun: any number of them gives the results of one process; others may look
# while they run; what is started in the wrong way says so.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

# run_ranks N CONFIG DIR: what the run says goes to ranks.log.
run_ranks() { timeout 200 srun --mpi=pmix -N2 -n "$1" "$glassworks" run "$2" --campaign.directory="$3" >ranks.log 2>&1; }

for ranks in 2 3 4; do
  run_ranks "$ranks" campaign.cfg "of $ranks" || fail "$ranks ranks: status $?: $(cat ranks.log)"
  [[ $(grep -c "^New campaign" ranks.log) -eq 1 ]] || fail "$ranks ranks: not one campaign: $(cat ranks.log)"
  grep -q "^$ranks ranks on 2 nodes" ranks.log || fail "$ranks ranks: not what ran: $(cat ranks.log)"
  [[ $(sql "of $ranks" "SELECT count(*) FROM provenance") -ge 1 ]] || fail "$ranks ranks: no provenance"
  same_results one "of $ranks" "$ranks ranks"
  no_orphans "of $ranks"
  echo "ok   $ranks ranks: as one process"
done

# alone OPTION...: `run` under srun, with its own messages only. Open MPI puts its warnings between lines of dashes; one
# says that a process of another run, which is over, has tried to connect.
alone() {
  local status=0
  timeout 60 srun "$@" 2>srun.err || status=$?
  sed -e '/^----------/,/^----------/d' -e '/^srun: /d' srun.err >&2
  return "$status"
}

# Looking on, a second run of the same campaign, a signal, and another number of ranks.
slowly
run_ranks 2 campaign.cfg "watched" &
run=$!
wait_for 60 "watched: the first round" committed_at_least "watched" 1
at_full_speed
"$glassworks" status "watched" --json >status.json || fail "status of a campaign that runs: $(cat status.json)"
[[ $(python3 -c 'import json; print(json.load(open("status.json"))["processes"])') -eq 1 ]] || fail "not one process"
"$glassworks" watch "watched" --once >watch.txt || fail "watch of a campaign that runs: $(cat watch.txt)"
refused "a second run on several ranks" "watched" \
  alone --mpi=pmix -N2 -n2 "$glassworks" run campaign.cfg --campaign.directory=watched
refused "a second run of one process" "watched" "$glassworks" run campaign.cfg --campaign.directory=watched
scancel --signal=TERM "$(squeue -h -o %A).0"
status=0
wait "$run" || status=$?
[[ $status -eq 130 ]] || fail "watched: ended by SIGTERM with status $status: $(cat ranks.log)"
[[ $(grep -c "^Stopped: " ranks.log) -eq 1 ]] || fail "watched: not one word of the end: $(cat ranks.log)"
run_ranks 3 campaign.cfg "watched" || fail "watched: continued with status $?: $(cat ranks.log)"
same_results one "watched" "watched"
no_orphans "watched"
echo "ok   watched, stopped, and continued by another number of ranks"

# srun that does not tell the ranks of each other.
refused "srun without PMIx" "--mpi=pmix" \
  alone --mpi=none -N2 -n4 "$glassworks" run campaign.cfg --campaign.directory=wrong
[[ ! -e wrong/campaign.sqlite ]] || fail "srun without PMIx: there is a campaign"
srun --mpi=none -n1 "$glassworks" run campaign.cfg --campaign.directory=single >single.log 2>&1 ||
  fail "one rank without MPI: status $?: $(cat single.log)"
same_results one single "one rank without MPI"
echo "ok   one rank: no MPI needed"
