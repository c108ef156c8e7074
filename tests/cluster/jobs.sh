#!/usr/bin/env bash
# Jobs of `glassworks submit`: the time limit of a job, a job that is stopped early, one that is cancelled, jobs that get
# nowhere, a Slurm that does not let jobs have another turn.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

stop_early() { scancel --batch --signal=USR1 "$job"; }

# The job ends in time, asks for another turn, and goes on.
slowly
submit campaign.cfg "time limit" --time 1m
wait_for 60 "time limit: the first round" committed_at_least "time limit" 1
wait_for_turn 1
keep_rounds "time limit"
grep -Eq "the time of this job is over|stopped before the end of this job" "$log" || fail "time limit: no word of it"
at_full_speed
finish_job "time limit" "time limit"
nothing_vanished "time limit" "time limit"
[[ $(field Restarts) -eq 1 ]] || fail "time limit: $(field Restarts) restarts"
echo "ok   time limit: the job went on by itself"

# Cancelled means cancelled: it does not come back. Another job goes on, here with an override that it hands on.
slowly
submit campaign.cfg "cancelled" --time 1h
wait_for 60 "scancel: the first round" committed_at_least "cancelled" 1
keep_rounds "cancelled"
scancel "$job"
wait_for 60 "scancel: the end" ended
state_is CANCELLED || fail "scancel: the job ended as $(field JobState)"
! grep -q "Another job continues" "$log" || fail "scancel: the job wants another turn"
[[ -z $(squeue -h) ]] || fail "scancel: there are jobs left: $(squeue -h)"
nothing_vanished "cancelled" "scancel"
at_full_speed
submit campaign.cfg "cancelled" --time 1h --backend.kind=cpu
finish_job "cancelled" "scancel"
nothing_vanished "cancelled" "scancel"
echo "ok   scancel: the job did not come back, the next one went on"

# Where Slurm does not let the job have another turn, it submits a new one.
mkdir refusing
printf '%s\n' '#!/bin/bash' '[[ $1 != requeue ]] || { echo "Requested operation is disabled" >&2; exit 1; }' \
  "exec $(command -v scontrol) \"\$@\"" >refusing/scontrol
chmod +x refusing/scontrol
slowly
PATH="$scratch/refusing:$PATH" submit campaign.cfg "new job" --time 1h
wait_for 60 "new job: the first round" committed_at_least "new job" 1
at_full_speed
stop_early
wait_for 60 "new job: the end of the first" ended
grep -q "^Stopped: " "$log" || fail "new job: the run before did not end in order"
state_is COMPLETED || fail "new job: the first one ended as $(field JobState)"
job="$(sed -n 's/^Submitted batch job //p' "$log")"
[[ -n $job ]] || fail "new job: there is none"
log="new job/slurm/$job.log"
finish_job "new job" "new job"
echo "ok   requeue refused: a new job went on"

# Two jobs without a round are enough.
sed 's/^round.measurements.*/round.measurements = 100000/' campaign.cfg >idle.cfg
slowly
# A job of one rank: the second one continues what the first one has made.
submit idle.cfg "idle" --time 1h --nodes 1
wait_for 60 "no progress: the first job at work" grep -q "^New campaign" "$log"
stop_early
wait_for_turn 1
wait_for 60 "no progress: the second job at work" grep -q "^Continuing the campaign" "$log"
stop_early
wait_for 60 "no progress: the end" ended
state_is FAILED || fail "no progress: the job ended as $(field JobState)"
grep -q "No other job follows, because two in a row have committed no round" "$log" || fail "no progress: no word of it"
echo "ok   no progress: the job does not go on for ever"

# What the cluster does not have is refused, and leaves no script.
refused "too many GPUs" "sbatch: .*\). Change" "$glassworks" submit campaign.cfg \
  --nodes 1 --gpus-per-node 3 --time 1h \
  --campaign.directory=refused
refused "no such partition" "invalid partition" "$glassworks" submit campaign.cfg --nodes 1 --gpus-per-node 0 --time 1h \
  --partition none --campaign.directory=refused
[[ -z $(ls refused/slurm) ]] || fail "refused jobs leave scripts"
