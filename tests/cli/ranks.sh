#!/usr/bin/env bash
# Several ranks work on a campaign, started with mpirun: equal bits, nothing left over; stops, killed ranks, other
# versions, a second coordinator and a directory that is not shared.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
if "$glassworks" version | grep 'no MPI' >/dev/null; then
  skip_part "runs of several ranks (this build has no MPI)"
  exit 0
fi
if ! type -P mpirun >/dev/null; then
  skip_part "runs of several ranks (there is no mpirun)"
  exit 0
fi
work_in_memory
trap 'kill -9 $(jobs -p) 2>/dev/null || true; [[ $scratch != /dev/shm/* ]] || rm -rf -- "$scratch"' EXIT
prepare_mpirun
export TMPDIR="$scratch/tmp"
mkdir "$TMPDIR"

write_config long.cfg model.L=4,6 disorder.realizations=8 ladder.T_min=0.5 ladder.T_max=1 round.measurements=20 \
  protocol.overrelaxation=4 convergence.min_rounds=16 convergence.max_rounds=32 convergence.n_tau=20 backend.batch=3 \
  backend.threads=1 workers.lease_seconds=5
run_quietly long.cfg whole

# on_ranks N ARGUMENT...: a run of N ranks on the campaign in joint.
on_ranks() { mpirun -q -n "$1" "$glassworks" run long.cfg --campaign.directory=joint "${@:2}"; }

# left_in_order WHAT: nothing holds the campaign in joint any more, and it is whole.
left_in_order() {
  clean joint "$1"
  [[ $(sql joint "SELECT (SELECT count(*) FROM workers) + (SELECT count(*) FROM realizations WHERE worker != 0)") -eq 0 ]] ||
    fail "$1: a process or a lease is left"
  [[ -z $(find "$TMPDIR" -maxdepth 1 -name 'glassworks-*') ]] || fail "$1: $(ls "$TMPDIR") is left"
}

# said PATTERN WHAT: the output of the last run has a line that fits.
said() { grep -Eq -- "$1" run.log || fail "$2: '$1' is not in: $(cat run.log)"; }

# one_sentence WHAT PATTERN: the last run has shown one message that fits, and nothing but the launcher's remarks.
one_sentence() {
  [[ $(grep -c '^glassworks: ' run.log) -eq 1 ]] || fail "$1: not one message: $(cat run.log)"
  said "^glassworks: .*$2" "$1"
  echo "ok   $1: $(grep '^glassworks: ' run.log)"
}

# ends_with STATUS WHAT COMMAND...
ends_with() {
  local expected="$1" what="$2" status=0
  shift 2
  "$@" >run.log 2>&1 || status=$?
  [[ $status -eq $expected ]] || fail "$what: status $status instead of $expected: $(cat run.log)"
}

for ranks in 2 4; do  # others below have 3
  rm -rf joint
  ends_with 0 "$ranks ranks" on_ranks "$ranks"
  same_results whole joint "$ranks ranks"
  no_orphans joint
  left_in_order "$ranks ranks"
  said "^New campaign in joint" "$ranks ranks"
  said "^$ranks ranks on 1 node" "$ranks ranks"
  said "^Time of $ranks workers together" "$ranks ranks"
  said '^Finished: ' "$ranks ranks"
  [[ $(grep -c 'campaign in' run.log) -eq 1 ]] || fail "$ranks ranks: more than one of them prints: $(cat run.log)"
  echo "ok   $ranks ranks"
done
rm -rf joint
ends_with 0 "a coordinator that does not simulate" on_ranks 3 --coordinator-only
same_results whole joint "a coordinator that does not simulate"
said "^Time of 2 workers together" "a coordinator that does not simulate"

# --- stops ---
# start N ARGUMENT...: N ranks in the background, with rounds committed; sets `launcher`.
start() {
  rm -rf joint
  mpirun -q -n "$1" "$glassworks" run long.cfg --campaign.directory=joint "${@:2}" >run.log 2>&1 &
  launcher=$!
  while [[ $(rounds_of joint) -lt 20 ]]; do
    kill -0 "$launcher" 2>/dev/null || fail "the run ended before it was interrupted: $(cat run.log)"
    sleep 0.02
  done
}
reap() {
  status=0
  wait "$launcher" || status=$?
}
# rank_process R: process of a rank of the run.
rank_process() {
  local pid
  for pid in $(pgrep -P "$launcher"); do
    if grep -qzx "OMPI_COMM_WORLD_RANK=$1" "/proc/$pid/environ"; then echo "$pid"; fi
  done
}
# continues WHAT: the campaign was interrupted, and comes to its end with other ranks.
continues() {
  [[ $(rounds_of joint) -lt $(rounds_of whole) ]] || fail "$1: nothing was left to do"
  ends_with 0 "$1, continued" on_ranks 3
  same_results whole joint "$1, continued"
  no_orphans joint
  left_in_order "$1, continued"
  echo "ok   $1"
}
all=${GLASSWORKS_TEST_ALL:-}
for rank in ${all:+0} 1; do
  start 3
  kill -TERM "$(rank_process $rank)"
  reap
  [[ $status -eq 130 ]] || fail "SIGTERM to rank $rank: status $status: $(cat run.log)"
  said '^Stopped: ' "SIGTERM to rank $rank"
  left_in_order "SIGTERM to rank $rank"
  continues "SIGTERM to rank $rank"
done
for rank in 0 ${all:+2}; do
  start 3
  kill -KILL "$(rank_process $rank)"
  reap
  [[ $status -ne 0 ]] || fail "a run that lost rank $rank ended with status 0: $(cat run.log)"
  clean joint "rank $rank killed"
  continues "rank $rank killed"
done
rm -rf joint
ends_with 75 "a time limit" on_ranks 3 --time-limit=0.3
said '^Time limit reached' "a time limit"
left_in_order "a time limit"
continues "a time limit"

# mpirun takes its time, so this campaign is one that does not end.
endless=(--convergence.min_rounds=100000 --convergence.max_rounds=100000)
start 2 "${endless[@]}"
kill -TERM "$launcher"
reap
[[ $status -ne 0 ]] || fail "mpirun that got SIGTERM ended with status 0: $(cat run.log)"
said '^Stopped: ' "SIGTERM to mpirun"
left_in_order "SIGTERM to mpirun"
echo "ok   SIGTERM to mpirun"

# --- refusals ---
start 2 "${endless[@]}"
mv run.log first.log  # stays open
for other in "on_ranks 2" "$glassworks run long.cfg --campaign.directory=joint"; do
  ends_with 2 "a second coordinator" $other
  one_sentence "a second coordinator" 'a run over 2 ranks'
done
kill -TERM "$(rank_process 0)"
reap
[[ $status -eq 130 ]] || fail "the first coordinator ended with status $status: $(cat first.log)"
left_in_order "a campaign that a second coordinator wanted"

rm -rf joint
ends_with 2 "a bad value" on_ranks 3 --model.L=5x
one_sentence "a bad value" 'model.L'
ends_with 2 "a missing file" mpirun -q -n 3 "$glassworks" run none.cfg
one_sentence "a missing file" 'none.cfg'
ends_with 2 "an unknown option" on_ranks 3 --fast
one_sentence "an unknown option" '--fast'
ends_with 0 "a dry run" on_ranks 3 --dry-run
[[ $(grep -c 'realizations' run.log) -gt 0 ]] || fail "a dry run shows nothing: $(cat run.log)"
ends_with 2 "a coordinator alone" "$glassworks" run long.cfg --campaign.directory=joint --coordinator-only
one_sentence "a coordinator alone" 'several ranks'

commit="$("$glassworks" version | sed -nE '1s/^[^(]*\(([^,]{7}).*/\1/p')"
other_commit="$(tr '0-9a-z' '1-9a-z0' <<<"$commit")"
LC_ALL=C sed "s/$commit/$other_commit/g" "$glassworks" >glassworks-other
chmod +x glassworks-other
ends_with 2 "mixed versions" mpirun -q -n 1 "$glassworks" run long.cfg --campaign.directory=joint \
  : -n 2 ./glassworks-other run long.cfg --campaign.directory=joint
one_sentence "mixed versions" "rank 1 on .* is Glassworks .*, but rank 0 on .*$commit.*same executable"
[[ ! -e joint ]] || fail "a run that was refused has begun a campaign"

# --- a directory that is not shared ---
mkdir joint
cat >elsewhere.sh <<'END'
#!/bin/sh
# Runs a command where the directory joint is an empty one of its own.
exec unshare -rm sh -c 'mount -t tmpfs none joint && exec "$@"' sh "$@"
END
chmod +x elsewhere.sh
if ./elsewhere.sh true 2>/dev/null; then
  ends_with 0 "a directory that is not shared" mpirun -q -n 2 "$glassworks" run long.cfg --campaign.directory=joint \
    : -n 1 ./elsewhere.sh "$glassworks" run long.cfg --campaign.directory=joint
  same_results whole joint "a directory that is not shared"
  no_orphans joint
  left_in_order "a directory that is not shared"
  said "Note: Rank 2 sees another directory" "a directory that is not shared"
  ! grep -a 'not committed' run.log || fail "a directory that is not shared: rounds came out of order"
  echo "ok   a directory that is not shared"
else
  skip_part "a directory that is not shared (no right to mount one)"
fi
