#!/usr/bin/env bash
# Several processes of one machine work on a campaign: equal bits, nothing left over, thresholds stay meanwhile; another
# machine is refused.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
work_in_memory
trap 'kill -9 $(jobs -p) 2>/dev/null || true; [[ $scratch != /dev/shm/* ]] || rm -rf -- "$scratch"' EXIT

write_config long.cfg model.L=4,6 disorder.realizations=8 ladder.T_min=0.5 ladder.T_max=1 round.measurements=20 \
  protocol.overrelaxation=4 convergence.min_rounds=16 convergence.max_rounds=32 convergence.n_tau=20 backend.batch=3
run_quietly long.cfg whole --backend.threads=2

# together N: N processes work on the campaign in joint from its beginning to its end. Sets `producers` to the number of
# those that have committed rounds: each has another number of threads, which its rounds tell of.
together() {
  local n pid
  local -a pids=()
  rm -rf joint run-?.log
  for n in $(seq "$1"); do
    "$glassworks" run long.cfg --campaign.directory=joint "--backend.threads=$n" >"run-$n.log" 2>&1 &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid" || fail "one of $1 processes ended with $?: $(cat run-?.log)"; done
  [[ $(cat run-?.log | grep -c '^New campaign') -eq 1 ]] || fail "not one process made the campaign: $(cat run-?.log)"
  same_results whole joint "$1 processes"
  no_orphans joint
  [[ $(sql joint "SELECT count(*) FROM workers") -eq 0 ]] || fail "a process has left its row in workers"
  producers=$(sql joint "SELECT count(DISTINCT provenance) FROM rounds")
}
for processes in 2 3; do
  # Who starts late on a busy machine may find nothing left to do.
  for _ in $(seq 10); do
    together "$processes"
    if [[ $producers -eq $processes ]]; then break; fi
  done
  [[ $producers -eq $processes ]] || fail "rounds come from $producers of $processes processes: $(cat run-?.log)"
  echo "ok   $processes processes"
done

# --- a process that comes later, and one that leaves ---
start() {
  "$glassworks" run long.cfg --campaign.directory=joint "${@:2}" >"run-$1.log" 2>&1 &
  pids[$1]=$!
}
wait_for_rounds() { while [[ $(rounds_of joint) -lt $1 ]] && kill -0 "${pids[1]}" 2>/dev/null; do sleep 0.01; done; }
# Stopped, the first one is there for as long as we look.
rm -rf joint
start 1 --backend.threads=1
wait_for_rounds 20
pause "${pids[1]}" joint
start 2 --backend.threads=2
until [[ $(sql joint "SELECT count(*) FROM workers") -eq 2 ]] || ! kill -0 "${pids[2]}" 2>/dev/null; do sleep 0.02; done
"$glassworks" status joint >/dev/null || fail "status while processes work"
refused "a threshold raised while others work" 'convergence.max_rounds cannot be raised now.*Stop them' \
  "$glassworks" run long.cfg --campaign.directory=joint --convergence.max_rounds=40
refused "another seed while others work" 'configuration differs' \
  "$glassworks" run long.cfg --campaign.directory=joint --campaign.seed=8
kill -TERM "${pids[2]}"
status=0
wait "${pids[2]}" || status=$?
[[ $status -eq 130 ]] || fail "the process that leaves ended with status $status: $(cat run-2.log)"
[[ $(sql joint "SELECT count(*) FROM realizations WHERE worker NOT IN (0, (SELECT min(id) FROM workers))") -eq 0 ]] ||
  fail "the process that left still holds realizations"
kill -CONT "${pids[1]}"
wait "${pids[1]}" || fail "the process that stayed: $(cat run-1.log)"
same_results whole joint "a process that came and left"
no_orphans joint
echo "ok   a process that comes and leaves"

# --- another machine ---
# Who is there says so in campaign.lock, and renews it.
printf 'another-boot pid:[1]\nbigiron\n' >joint/campaign.lock
fingerprint joint >joint.before
while sleep 0.2; do touch joint/campaign.lock; done &  # its signs of life
alive=$!
# Nobody here reads its database meanwhile: `status` and `watch` read the copy that it publishes.
for verb in analyze report "export --out=files" inspect "why --realization=0" verify; do
  # shellcheck disable=SC2086  # a verb and its option
  refused "${verb%% *} beside another machine" 'in use by another machine \(bigiron.*read only there.*\.backup' \
    "$glassworks" $verb joint
done
refused "a plan beside another machine" 'read only there' \
  "$glassworks" run long.cfg --campaign.directory=joint --dry-run
refused "status before there is a copy" 'bigiron.*has not published status.sqlite yet' "$glassworks" status joint
cp joint/campaign.sqlite joint/status.sqlite
sqlite3 joint/status.sqlite 'PRAGMA journal_mode = DELETE' >/dev/null
touch -d '-30 seconds' joint/status.sqlite
"$glassworks" status joint >status.txt || fail "status beside another machine"
grep -qE '^As of 3[0-9] s ago, on node bigiron, where it runs\.$' status.txt || fail "no age: $(cat status.txt)"
"$glassworks" watch joint --once | grep 'on node bigiron' >/dev/null || fail "watch beside another machine"
"$glassworks" status joint --json | python3 -c '
import json, sys
copy = json.load(sys.stdin)["copy"]
assert copy["host"] == "bigiron" and 30 <= copy["age_seconds"] < 90, copy' || fail "status --json"
rm joint/status.sqlite
refused "another machine" 'in use by another machine \(bigiron, last heartbeat.*Stop it there' \
  "$glassworks" run long.cfg --campaign.directory=joint
kill "$alive"
wait "$alive" 2>/dev/null || true
fingerprint joint | cmp -s joint.before - || fail "a run that was refused has changed the campaign"
touch -d '-2 minutes' joint/campaign.lock
run_quietly long.cfg joint
same_results whole joint "a campaign that came from another machine"
echo "ok   another machine that has been silent"
