# shellcheck shell=bash
# Sourced by the tests with a real Slurm, which are called as: bash SCRIPT EXECUTABLE SCRATCH. Starts a Slurm of two nodes
# and makes a campaign whose results are known. Status 77: this machine cannot run them.
sandbox="$(realpath -- "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh")"
. "$(dirname -- "${BASH_SOURCE[0]}")/../cli/common.sh"
PATH="$PATH:/usr/sbin:/sbin"

skip() {
  echo "Skipped: $*"
  exit 77
}
[[ $EUID -eq 0 ]] || skip "a Slurm of two nodes on one machine needs root."
for program in munged slurmctld slurmd srun sbatch; do
  command -v "$program" >/dev/null || skip "$program is not installed (tools/setup/packages-test.txt)."
done
! "$glassworks" version | grep "no MPI" >/dev/null || skip "this build has no MPI."

[[ -n ${GLASSWORKS_SLOW_LIBRARY:-} ]] || skip "this build has no library that slows runs down."

# The campaign: some seconds. A test that needs a run which lasts slows it down.
write_config campaign.cfg checkpoint.interval=0 model.L=4,6 disorder.realizations=8 ladder.T_min=0.5 ladder.T_max=1 ladder.slots=8 \
  protocol.overrelaxation=10 protocol.exchanges_per_measurement=10 round.measurements=20 convergence.min_rounds=16 \
  convergence.max_rounds=24 convergence.n_tau=20 backend.batch=2 workers.lease_seconds=5
slowly() { touch "$scratch/slow"; }
at_full_speed() { rm -f "$scratch/slow"; }

show_logs() {
  local log
  for log in "$scratch"/*.log "$scratch"/*/slurm/*.log "$box"/log/*.log; do
    if [[ -s $log ]]; then
      echo "--- $log" >&2
      tail -n 20 -- "$log" >&2
    fi
  done
  squeue -l >&2
}

finish() {
  local status=$?
  [[ $status -eq 0 ]] || show_logs
  scancel --user=root 2>/dev/null || true
  "$sandbox" stop "$box"
  rm -rf -- "$box"
}

# A short path: it holds sockets.
box="$(mktemp -d /tmp/glassworks-slurm-XXXXXX)"
trap finish EXIT
"$sandbox" start "$box"
. "$box/env.sh"

# wait_for SECONDS WHAT COMMAND...: until the command succeeds.
wait_for() {
  local seconds="$1" what="$2"
  local end=$((SECONDS + seconds))
  shift 2
  until "$@"; do
    ((SECONDS < end)) || fail "$what: not within $seconds s"
    sleep 0.2
  done
}

# submit CONFIG DIR [OPTION...]: a job of two ranks, one on each node; sets `job` and `log`.
submit() {
  local config="$1" directory="$2"
  shift 2
  "$glassworks" submit "$config" --nodes 2 --gpus-per-node 0 --cpus-per-rank 1 --campaign.directory="$directory" "$@" \
    >submit.txt 2>&1 || fail "submit: $(cat submit.txt)"
  job="$(sed -n 's/^Submitted as job \([0-9]*\).*/\1/p' submit.txt)"
  [[ -n $job ]] || fail "submit names no job: $(cat submit.txt)"
  log="$directory/slurm/$job.log"
}

# field NAME: of the job, as `scontrol show job` has it.
field() { scontrol -o show job "$job" 2>/dev/null | grep -oE "(^| )$1=[^ ]*" | head -n 1 | cut -d= -f2; }

state_is() { [[ " $* " == *" $(field JobState) "* ]]; }
restarted() { [[ $(field Restarts) -ge $1 ]]; }
committed_at_least() { (($(rounds_of "$1") >= $2)); }

# wait_for_turn N: the job has been requeued for the Nth time. Slurm would leave it alone for two minutes; some seconds
# are needed, because nodes refuse what was started in the second in which they ended the job.
wait_for_turn() {
  wait_for 90 "turn $1 of the job" restarted "$1"
  wait_for 30 "turn $1 of the job: its end before" state_is PENDING
  scontrol update JobId="$job" StartTime=now+3
}

ended() { ! state_is PENDING CONFIGURING RUNNING COMPLETING REQUEUED; }

# finish_job DIR WHAT: the job comes to the end of the campaign, which is the same as that of one process.
finish_job() {
  wait_for 120 "$2: the end" ended
  state_is COMPLETED || fail "$2: the job ended as $(field JobState)"
  grep -q "the campaign is finished" "$log" || fail "$2: no word of the end"
  same_results one "$1" "$2"
  no_orphans "$1"
}

# keep_rounds DIR: remembers what is committed, for nothing_vanished.
keep_rounds() { digests "$1" | sort >"kept.txt"; }

# nothing_vanished DIR WHAT: what was committed at keep_rounds still is.
nothing_vanished() {
  digests "$1" | sort >now.txt
  awk 'NR == FNR { rounds[$1, $2] = $3; next } $3 < rounds[$1, $2] { exit 1 }' kept.txt now.txt ||
    fail "$2: committed rounds are gone"
}

# process_of RANK: process id of the rank of the run.
process_of() {
  local process
  for process in $(pgrep -f "^$glassworks run"); do
    if grep -qzx "SLURM_PROCID=$1" "/proc/$process/environ" 2>/dev/null; then echo "$process"; fi
  done
}

export GLASSWORKS_SLOW="$scratch/slow" LD_PRELOAD="$GLASSWORKS_SLOW_LIBRARY"
"$glassworks" run campaign.cfg --campaign.directory=one >one.log 2>&1 || fail "the run of one process: $(cat one.log)"
