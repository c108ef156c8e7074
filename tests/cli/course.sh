#!/usr/bin/env bash
# Courses: a history in time that is killed, continued on another backend, lengthened or given more realizations is the
# history that was never touched; verify repeats it.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
work_in_memory

cat >course.cfg <<'END'
[model]
type = xy
dim = 2
L = 8, 12
[disorder]
realizations = 4
[replicas]
copies = 4
[ladder]
temperatures = 0.3, 0.6
[course]
sweeps = 8000
segments = 100 from 2 to T stair 10, 400 at 0.2, at T
waiting_times = 0, 50, 700
times = 5 per decade
longest_round = 300
[backend]
kind = cpu
batch = 2
[checkpoint]
interval = 1
END

run_quietly course.cfg whole
[[ $(sql whole "SELECT count(*) FROM realizations WHERE status = 'converged'") -eq 8 ]] || fail "not all have reached the end"
clean whole "a course"

# --- kill -9, on one backend and another ---
RANDOM=4711
kills=0
for attempt in $(seq 30); do
  backend=cpu
  if ((attempt % 3 == 0)); then backend=reference; fi
  "$glassworks" run course.cfg --campaign.directory=killed --backend.kind=$backend >/dev/null 2>&1 &
  pid=$!
  sleep "0.$(printf %02d $((RANDOM % 25 + 5)))"
  if kill -9 $pid 2>/dev/null; then kills=$((kills + 1)); fi
  wait $pid 2>/dev/null || true
  if ((kills >= 8)); then break; fi
done
[[ $kills -ge 5 ]] || fail "only $kills runs could be killed"
run_quietly course.cfg killed
same_digests whole killed "a course with $kills kills"
clean killed "a course with kills"
echo "ok   $kills kills between rounds and in them, on two backends"

# --- a polite stop keeps whole rounds ---
"$glassworks" run course.cfg --campaign.directory=stopped >/dev/null 2>&1 &
pid=$!
while [[ $(rounds_of stopped 2>/dev/null || echo 0) -lt 20 ]] && kill -0 $pid 2>/dev/null; do sleep 0.02; done
kill -INT $pid 2>/dev/null || true
status=0
wait $pid || status=$?
[[ $status -eq 130 || $status -eq 0 ]] || fail "a stopped course ended with status $status"
clean stopped "a stopped course"
run_quietly course.cfg stopped
same_digests whole stopped "a stopped course"
echo "ok   stopped and continued"

# --- growth: a later end, then more realizations ---
run_quietly course.cfg grown --course.sweeps=1000 --disorder.realizations=3
run_quietly course.cfg grown --course.sweeps=2500 --disorder.realizations=3
run_quietly course.cfg grown
same_digests whole grown "a course that has grown"
refused "a shorter course" 'configuration differs' "$glassworks" run course.cfg --campaign.directory=grown --course.sweeps=3000
refused "other times" 'configuration differs' "$glassworks" run course.cfg --campaign.directory=grown "--course.times=4 per decade"
echo "ok   lengthened, with more realizations"

# --- the last rounds are simulated again, also from reference states in checkpoints ---
"$glassworks" verify grown --recompute 4 >verify.txt || fail "verify: $(cat verify.txt)"
grep -q 'No problems' verify.txt || fail "verify: $(cat verify.txt)"
echo "ok   verified by simulating rounds again"
