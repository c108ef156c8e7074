#!/usr/bin/env bash
# Courses: a history in time that is killed, continued on another backend, lengthened or given more realizations is the
# history that was never touched; verify repeats it.
here="$(realpath -- "$(dirname -- "${BASH_SOURCE[0]}")")"
. "$here/common.sh"
. "$here/_kill_lib.sh"
work_in_memory
trap 'kill -9 "${worker[@]}" 2>/dev/null || true; rm -rf -- "$scratch"' EXIT

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

"$glassworks" run course.cfg --campaign.directory=whole --dry-run >dry.txt
grep -q '^  rounds left   [0-9]*, of which the last are the longest$' dry.txt || fail "the rounds of a course are known: $(cat dry.txt)"
! grep -Eq '\b(inf|nan)\b' dry.txt || fail "the sweeps are not timed: $(cat dry.txt)"
run_quietly course.cfg whole
[[ $(sql whole "SELECT count(*) FROM realizations WHERE status = 'converged'") -eq 8 ]] || fail "not all have reached the end"
clean whole "a course"

# --- kill -9: one process or two, other threads, batches and backends each time ---
RANDOM=4711
choose_options() {
  vary_courses
  if [[ $((RANDOM % 3)) -eq 0 ]]; then options+=(--backend.kind=reference); fi
}
config=course.cfg
kill_and_restart whole killed 1 3
choose_options() { vary_courses; }
for kind in words vectors graph; do
  config=$kind.cfg
  write_course_config "$config" $kind 3
  run_quietly "$config" "whole-$kind"
  kill_and_restart "whole-$kind" killed 2 2
done
[[ $kills -ge 8 && $interrupted -ge 3 ]] || fail "only $interrupted of $kills kills met committed rounds"
echo "ok   $kills kills in $campaigns campaigns, $interrupted with committed rounds"

# --- a polite stop keeps whole rounds ---
"$glassworks" run course.cfg --campaign.directory=stopped >/dev/null 2>&1 &
pid=$!
has_rounds stopped 20 "$pid"
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
