#!/usr/bin/env bash
# `glassworks submit` with a stand-in for sbatch, and its script with stand-ins for Slurm's other programs.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

# Everything lies where names have to be quoted.
mkdir "it's \$HOME 100%" bin
cd "it's \$HOME 100%"
here="$PWD"
write_config "my first.cfg"
ask=(--nodes 2 --gpus-per-node 0 --time 2h)
export SAID="$scratch/said"

# stand_in NAME: a program of Slurm; its commands come from standard input.
stand_in() {
  { echo '#!/bin/bash'; cat; } >"$scratch/bin/$1"
  chmod +x "$scratch/bin/$1"
}
export PATH="$scratch/bin:$PATH"
stand_in sbatch <<'END'
printf '%s\n' "$@" >"$SAID.sbatch"
echo "42;cluster"
END

# A dry run writes nothing.
"$glassworks" submit "my first.cfg" "${ask[@]}" --dry-run >dry.txt
[[ ! -e campaigns ]] || fail "a dry run makes directories"
bash -n dry.txt || fail "the script is no bash"

# The script is written under a new name each time, and handed to sbatch.
day="$(date +%F)"
for number in 1 2; do
  "$glassworks" submit "my first.cfg" "${ask[@]}" >submit.txt 2>&1 || fail "submit: status $?: $(cat submit.txt)"
  script="$here/campaigns/my first/slurm/submit-$day-$number.sh"
  [[ -x $script ]] || fail "there is no $script: $(ls "campaigns/my first/slurm")"
  [[ $(cat "$SAID.sbatch") == "--parsable"$'\n'"$script" ]] || fail "sbatch was called with: $(cat "$SAID.sbatch")"
  grep -q "^Submitted as job 42" submit.txt || fail "no number of the job: $(cat submit.txt)"
  head -n -4 submit.txt | cmp - "$script" || fail "what was shown is not what was written"
done
cmp -s dry.txt "${script/%-2.sh/-1.sh}" || fail "a dry run shows another script"
grep -Fqx "#SBATCH --output=\"${here//%/%%}/campaigns/my first/slurm/%j.log\"" "$script" || fail "output elsewhere"
echo "ok   scripts are written and submitted"

# What is refused leaves no script.
stand_in sbatch <<'END'
echo "sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified" >&2
exit 1
END
refused "refused by Slurm" "\(sbatch: Invalid account or account/partition combination specified\)" \
  "$glassworks" submit "my first.cfg" "${ask[@]}" --account=none
rm "$scratch/bin/sbatch"
if ! command -v sbatch >/dev/null; then
  refused "no Slurm" "sbatch is not installed here" "$glassworks" submit "my first.cfg" "${ask[@]}"
fi
[[ $(find . -name 'submit-*.sh' | wc -l) -eq 2 ]] || fail "refused jobs leave scripts"
submit_to() { "$glassworks" submit "my first.cfg" "$@"; }
refused "time without a unit" "Slurm would take minutes" submit_to --nodes 1 --gpus-per-node 0 --time 90
refused "less than a minute" "at least a minute" submit_to --nodes 1 --gpus-per-node 0 --time 59s
refused "no nodes" "at least one" submit_to --nodes 0 --gpus-per-node 0 --time 1h
refused "GPUs not said" "needs --gpus-per-node" submit_to --nodes 1 --time 1h
refused "no GPU for cuda" "backend.kind is cuda" submit_to "${ask[@]}" --backend.kind=cuda
refused "idle GPUs" "would be idle" submit_to --nodes 1 --gpus-per-node 2 --time 1h --backend.kind=cpu
refused "ranks without GPU" "a GPU of its own" submit_to --nodes 1 --gpus-per-node 2 --time 1h --ranks-per-node 3
refused "no option" "begin with a hyphen" submit_to "${ask[@]}" --sbatch-option "qos=long"
refused "two lines" "control character" submit_to "${ask[@]}" --partition $'a\n#SBATCH --nodes=9'
refused "bad configuration" "model.L" submit_to "${ask[@]}" --model.L=5
: >file
refused "no directory" "cannot be written" submit_to "${ask[@]}" --campaign.directory=file/below

# The script at work. srun starts the program once; it is told what time is left by squeue.
export SLURM_JOB_ID=42 SLURM_JOB_NODELIST=n1
unset SLURM_JOB_END_TIME
stand_in srun <<'END'
printf '%s\n' "$@" >"$SAID.srun"
[[ ! -e $SAID.status ]] || exit "$(cat "$SAID.status")"
while [[ $1 == --* ]]; do shift; done
exec "$@"
END
stand_in squeue <<'END'
cat "$SAID.left"
END
stand_in scontrol <<'END'
echo "scontrol $*" >>"$SAID.slurm"
[[ ! -e $SAID.no_requeue ]]
END
stand_in sbatch <<'END'
echo "sbatch $* ${SLURM_JOB_ID:-clean}" >>"$SAID.slurm"
END
job() {
  status=0
  : >"$SAID.slurm"
  bash "$script" >job.log 2>&1 || status=$?
}
# time_limit TEXT ARGUMENT: what squeue says, and what the run is told.
time_limit() {
  echo "$1" >"$SAID.left"
  echo 75 >"$SAID.status"
  job
  [[ $(grep -- '^--time-limit' "$SAID.srun" || true) == "$2" ]] || fail "time left $1: $(cat "$SAID.srun" job.log)"
}
time_limit 2:00:00 --time-limit=7080s
time_limit 1-00:10:00 --time-limit=86880s
time_limit 59:59 --time-limit=3479s
time_limit 0:08 --time-limit=1s
time_limit UNLIMITED ""
SLURM_JOB_END_TIME=$(($(date +%s) + 1000)) job
limit="$(sed -n 's/^--time-limit=\([0-9]*\)s$/\1/p' "$SAID.srun")"
((limit > 860 && limit <= 880)) || fail "end of the job known: $limit"
rm "$script.idle"
echo "ok   the time that is left"

# ends STATUS_OF_RUN STATUS_OF_JOB SLURM TEXT
ends() {
  echo "$1" >"$SAID.status"
  job
  [[ $status -eq $2 ]] || fail "a run that ends with $1: the job ends with $status: $(cat job.log)"
  [[ $(cat "$SAID.slurm") == "$3" ]] || fail "a run that ends with $1: $(cat "$SAID.slurm" job.log)"
  grep -q -- "$4" job.log || fail "a run that ends with $1 says: $(cat job.log)"
  echo "ok   a run that ends with $1: $(tail -n 1 job.log)"
}
ends 0 0 "" "the campaign is finished"
ends 1 1 "" "no other job follows, because the run ended with an error (status 1)"
ends 2 2 "" "no other job follows, because the run ended with an error (status 2)"
ends 130 130 "" "stopped by a signal"
ends 75 0 "scontrol requeue 42" "the time of this job is over"
ends 137 1 "" "No other job follows, because two in a row have committed no round"
rm "$script.idle"
ends 137 0 "scontrol requeue 42" "a rank or a node was lost (status 137)"
rm "$script.idle"
: >"$SAID.no_requeue"
ends 75 0 "scontrol requeue 42"$'\n'"sbatch $script clean" "Another job continues"
rm "$script.idle"

# With rounds in between it goes on for ever.
rm "$SAID.status" "$SAID.no_requeue"
job
[[ $status -eq 0 && -s $SAID.srun ]] || fail "the run itself: $(cat job.log)"
grep -q "^Finished: " job.log || fail "the program did not run: $(cat job.log)"
"$glassworks" run "my first.cfg" --campaign.directory=other >/dev/null
same_digests "campaigns/my first" other "by the script"
rm -r "campaigns/my first/campaign.sqlite" "campaigns/my first/checkpoints"
echo 1 >"$script.idle"
stand_in srun <<'END'
while [[ $1 == --* ]]; do shift; done
"$@" >/dev/null
exit 75
END
ends 75 0 "scontrol requeue 42" "the time of this job is over"
[[ $(cat "$script.idle") -eq 0 ]] || fail "rounds do not count"
