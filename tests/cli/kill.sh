#!/usr/bin/env bash
# Interruptions: kill -9 at random moments, SIGTERM, SIGINT and a second run in the same directory cost at most the
# running round; bins and states end up as without them.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
trap 'kill -9 $(jobs -p) 2>/dev/null || true' EXIT

RANDOM=20121  # seed of the sleep times
kills_wanted=${GLASSWORKS_TEST_KILLS:-16}

# Small batches, so that much of the time goes into checkpoints and commits.
write_config long.cfg model.L=4,6 disorder.realizations=16 round.measurements=10 protocol.overrelaxation=10 \
  convergence.min_rounds=16 convergence.max_rounds=24 backend.batch=4 backend.threads=1
run_quietly long.cfg whole
no_orphans whole

start() { # start CONFIG DIR: in the background, process id in $pid
  "$glassworks" run "$1" "--campaign.directory=$2" >run.log 2>&1 &
  pid=$!
}

# wait_for_rounds DIR N: until that many rounds are committed or the run ends.
wait_for_rounds() {
  while [[ $(rounds_of "$1") -lt $2 ]] && kill -0 "$pid" 2>/dev/null; do sleep 0.02; done
}

# --- kill -9 ---
kills=0 orphans=0 partial=0 finished_early=0
while [[ $kills -lt $kills_wanted ]]; do
  # Up to 1 s, half of them below 0.25 s: the first moments hold the creation, the clean-up and the first commits.
  milliseconds=$((10 + RANDOM % (RANDOM % 2 ? 240 : 990)))
  start long.cfg pieces
  sleep "$(printf '0.%03d' "$milliseconds")"
  status=0
  kill -9 "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || status=$?
  if [[ $status -eq 0 ]]; then
    # Run to its end before the kill: the next pieces need a new campaign.
    finished_early=$((finished_early + 1))
    same_digests whole pieces "a campaign killed $kills times"
    [[ $finished_early -lt 10 ]] || fail "the campaign is too short to be killed $kills_wanted times"
    rm -rf pieces
    continue
  fi
  [[ $status -eq 137 ]] || fail "run ended with status $status before the kill: $(cat run.log)"
  kills=$((kills + 1))
  # What a kill leaves behind can be read at once, and is whole rounds.
  if [[ -f pieces/campaign.sqlite ]]; then
    "$glassworks" inspect pieces --digest >pieces.digest 2>inspect.err || fail "after a kill: $(cat inspect.err)"
    files=$(find pieces/checkpoints -type f | wc -l)
    begun=$(awk '$3 > 0' pieces.digest | wc -l)
    [[ $files -ge $begun ]] || fail "after a kill there are $files checkpoint files for $begun realizations"
    if [[ $files -gt $begun ]]; then orphans=$((orphans + 1)); fi
    if [[ $begun -gt 0 ]]; then partial=$((partial + 1)); fi
  fi
done
run_quietly long.cfg pieces
same_digests whole pieces "a campaign killed $kills times"
no_orphans pieces
[[ $partial -ge 5 ]] || fail "only $partial of $kills kills met a campaign with committed rounds"
echo "ok   $kills kills, $partial of them with committed rounds, $orphans leaving files that the next run removed"

# A checkpoint that was written but never committed, and a temporary file, are removed by the next run.
cp "$(find pieces/checkpoints -type f | head -n 1)" pieces/checkpoints/L004-000000-009999-0123456789abcdef.ckpt
echo half >pieces/checkpoints/L004-000000-000001-0123456789abcdef.ckpt.1-0.tmp
run_quietly long.cfg pieces
no_orphans pieces
same_digests whole pieces "a finished campaign that is run again"
echo "ok   orphaned checkpoint files are removed"

# --- status counts ---
"$glassworks" status pieces >status.txt
"$glassworks" inspect pieces >inspect.txt
for L in 4 6; do
  for column in "converged 6" "failed 7"; do
    read -r name field <<<"$column"
    shown=$(awk -v L=$L -v f="$field" '$1 == L { print $f }' status.txt)
    counted=$(grep -c "^L = $L, realization [0-9]*: $name," inspect.txt || true)
    [[ $shown -eq $counted ]] || fail "status shows $shown $name at L = $L, inspect $counted"
  done
  awk -v L=$L '$1 == L && ($2 != 16 || $6 + $7 != 16) { exit 1 }' status.txt || fail "status: $(cat status.txt)"
  shown=$(awk -v L=$L '$1 == L { print $8 }' status.txt)
  counted=$(digests pieces | awk -v L=$L '$1 == L { sum += $3 } END { print sum }')
  [[ $shown -eq $counted ]] || fail "status shows $shown rounds at L = $L, inspect $counted"
done
grep -q 'The campaign is finished' status.txt || fail "status: $(cat status.txt)"
echo "ok   status counts"

# --- signals ---
for signal in TERM INT; do
  rm -rf signalled
  # A background job of a shell without job control ignores SIGINT; setsid and env restore it.
  env --default-signal=INT "$glassworks" run long.cfg --campaign.directory=signalled >run.log 2>&1 &
  pid=$!
  wait_for_rounds signalled 8
  kill "-$signal" "$pid"
  status=0
  wait "$pid" || status=$?
  [[ $status -eq 130 ]] || fail "SIG$signal: status $status instead of 130: $(cat run.log)"
  grep -q '^Stopped: .*Run the same command again to continue\.$' run.log || fail "SIG$signal: $(cat run.log)"
  "$glassworks" status signalled >status.txt
  grep -q 'is not finished' status.txt || fail "SIG$signal: $(cat status.txt)"
  no_orphans signalled
  run_quietly long.cfg signalled
  grep -q '^Continuing the campaign' run.log || fail "SIG$signal: $(cat run.log)"
  same_digests whole signalled "a campaign stopped with SIG$signal"
  echo "ok   SIG$signal"
done

# --- two runs at once ---
rm -rf shared
start long.cfg shared
wait_for_rounds shared 4
kill -STOP "$pid"  # it holds the campaign for as long as we look
refused "a second run" 'is already running' "$glassworks" run long.cfg --campaign.directory=shared
"$glassworks" status shared >/dev/null || fail "status while another process runs the campaign"
kill -CONT "$pid"
wait "$pid" || fail "the first run: $(cat run.log)"
same_digests whole shared "a campaign that a second run was refused"
