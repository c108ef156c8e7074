#!/usr/bin/env bash
# Checks a build on a machine with a GPU: tests, speed, campaigns that change between GPU and processor, devices that
# fail in the middle of a round.
# Needs bash, coreutils, sed and grep only; see --help. The exit status is 1 if any part fails.
set -euo pipefail
export LC_ALL=C
root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)"

usage() {
  cat <<'END'
Usage: tools/gpu_check.sh [BUILD_DIR] [--quick] [--sanitizer] [--out FILE]
  BUILD_DIR      folder with the executables glassworks and test_cuda (build-portable, or else build-cuda or build)
  --quick        some of the tests and short timings: a few minutes
  --only PARTS   a list of these parts alone: tests,digests,bench,courses,cluster,handover,faults,sanitizer
  --sanitizer    also a few tests under compute-sanitizer: memcheck, racecheck, initcheck, synccheck
  --out FILE     the report, one JSON document (gpu_check.json)

For a machine without compilers and packages: build where they are,
  cmake --preset portable && cmake --build --preset portable
(-DCMAKE_CUDA_ARCHITECTURES=90-real for one kind of GPU only), copy build-portable/glassworks, build-portable/test_cuda,
build-portable/cluster_bench, build-portable/device_fault.so, build-portable/device_twice, tools/gpu_check.sh,
tests/cli/common.sh and tests/digests/ in the same folders, and run this script there. The executables need glibc and the
driver only.
END
}

die() {
  echo "gpu_check: $*" >&2
  exit 1
}

build="" quick=0 sanitizer=0 only="" out=gpu_check.json
while [[ $# -gt 0 ]]; do
  case "$1" in
    --quick) quick=1 ;;
    --sanitizer) sanitizer=1 ;;
    --only)
      [[ -n ${2:-} && $2 =~ ^(tests|digests|bench|courses|cluster|handover|faults|sanitizer)(,(tests|digests|bench|courses|cluster|handover|faults|sanitizer))*$ ]] ||
        die "--only has no list of parts (of tests, digests, bench, courses, cluster, handover, faults, sanitizer). Write --only tests,faults."
      only="$2"
      shift
      ;;
    --out)
      [[ -n ${2:-} ]] || die "--out has no value (a file name must follow). Write --out FILE."
      out="$2"
      shift
      ;;
    -h | --help)
      usage
      exit 0
      ;;
    -*)
      usage >&2
      die "the argument '$1' is not known (see above). Leave it out."
      ;;
    *) build="$1" ;;
  esac
  shift
done

if [[ -z $build ]]; then
  for candidate in "$root/build-portable" "$root/build-cuda" "$root/build"; do
    if [[ -x $candidate/test_cuda && -x $candidate/glassworks ]]; then
      build="$candidate"
      break
    fi
  done
fi
[[ -n $build && -x $build/test_cuda && -x $build/glassworks ]] ||
  die "there is nothing to check (no executables glassworks and test_cuda in '${build:-build-portable}')." \
    "Build them with: cmake --preset portable && cmake --build --preset portable."
build="$(cd -- "$build" && pwd)"
glassworks="$build/glassworks"
: >"$out" || die "the report '$out' cannot be written (opening it failed). Choose another --out."
out="$(cd -- "$(dirname -- "$out")" && pwd)/$(basename -- "$out")"

scratch="$(mktemp -d)"
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf -- "$scratch"' EXIT
cd -- "$scratch"
version="$("$glassworks" --version)" || die "the program does not start (see above). Build it for this machine."
version="${version%%$'\n'*}"

doctor_status=0
"$glassworks" doctor >doctor.log 2>&1 || doctor_status=$?
if grep -Eq '^cuda +not available' doctor.log; then
  rm -f -- "$out"
  die "there is nothing to check: $(sed -n 's/^cuda *//p' doctor.log). Run it on a machine with a GPU and its driver."
fi
device_count="$(grep -Ec '^(cuda)? +device [0-9]+: ' doctor.log || true)"
[[ $device_count -gt 0 ]] || device_count="$(grep -Ec 'device [0-9]+: ' doctor.log || true)"

# --- the report ---
json_text() { # standard input as a JSON string
  printf '"'
  sed -e 's/\x1b\[[0-9;]*m//g' -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/\t/ /g' | tr -d '\000-\011\013-\037' |
    sed -e ':a' -e 'N' -e '$!ba' -e 's/\n/\\n/g' | tr -d '\n'
  printf '"'
}

parts=() failed=0
driver=""
if command -v nvidia-smi >/dev/null; then
  driver="$(nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,memory.total --format=csv,noheader 2>/dev/null || true)"
fi
begin=$SECONDS finished=0
# Called after each part, so that an interrupted check leaves its results so far.
write_report() {
  local i outcome=passed
  [[ $finished -eq 1 ]] || outcome=UNFINISHED
  [[ $failed -eq 0 ]] || outcome=FAILED
  {
    printf '{\n"program": %s,\n"date": "%s",\n' "$(json_text <<<"$version")" "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
    printf '"devices": %s,\n"driver": %s,\n' "$(sed -nE 's/^(cuda)? *(device [0-9]+: )/\2/p' doctor.log | json_text)" \
      "$(json_text <<<"$driver")"
    printf '"quick": %s,\n"seconds": %s,\n"outcome": "%s",\n' "$([[ $quick -eq 1 ]] && echo true || echo false)" \
      $((SECONDS - begin)) "$outcome"
    for i in "${!parts[@]}"; do
      [[ $i -eq 0 ]] || printf ',\n'
      printf '%s' "${parts[$i]}"
    done
    printf '\n}\n'
  } >report.json
  # Indented where there is Python; the same document otherwise.
  if ! { command -v python3 >/dev/null && python3 -m json.tool report.json "$out" 2>json.err; }; then
    cp report.json "$out"
  fi
}

# finish PART STATUS SECONDS DETAIL [JSON]: DETAIL one line for people, JSON further members of the object.
finish() {
  local outcome=passed
  if [[ $2 -ne 0 ]]; then
    outcome=FAILED
    failed=1
  fi
  printf '%-12s %s (%s s): %s\n' "$1" "$outcome" "$3" "$4"
  if [[ $2 -ne 0 && -s $1.log ]]; then tail -n 25 "$1.log" | sed 's/^/    /'; fi
  parts+=("\"$1\": {\"outcome\": \"$outcome\", \"seconds\": $3, \"detail\": $(json_text <<<"$4")${5:+, $5}}")
  write_report
}

# --- doctor ---
finish doctor "$doctor_status" 0 "$(sed -n 's/^self test *//p' doctor.log | head -n 1)" "\"text\": $(json_text <doctor.log)"

# --- test_cuda ---
# Most of their time goes into the oracle on the processor; at most 16, because each has memory on the device.
test_shards=$(($(nproc) > 16 ? 16 : $(nproc)))
count_of() { # count_of WORD FILE: sum of the numbers in the lines "[  WORD  ] N tests..."
  local n sum=0
  while read -r n; do sum=$((sum + n)); done < <(sed -nE "s/^\[ *$1 *\] ([0-9]+) tests?.*/\1/p" "$2")
  echo "$sum"
}
tests_begin=0
# finish_tests STATUS PASSED DETAIL: from the logs of the shards.
finish_tests() {
  grep -E '^\[  FAILED  \] [A-Za-z]' tests.log | sed 's/ (.*//' | sort -u >failed.log || true
  grep -E 'Failure|differ|DIFFERENT' tests.log | head -n 40 >differences.log || true
  finish tests "$1" $((SECONDS - tests_begin)) "$3" \
    "\"passed\": $2, \"failed\": $(count_of FAILED tests.log), \"skipped\": $(count_of SKIPPED tests.log), \"failed_tests\": $(json_text <failed.log), \"differences\": $(json_text <differences.log)"
}
run_tests() {
  local filter='*' status=0
  tests_begin=$SECONDS
  if [[ $quick -eq 1 ]]; then
    filter='CudaExact.*:CudaErrors.*:CudaBackends.*:Sizes/*:Tiles/*:ClusterRound.*:ClusterIsing.*:ClusterVectors.*'
  fi
  local shard pids=() pid passed
  trap tests_interrupted TERM INT
  for ((shard = 0; shard < test_shards; ++shard)); do
    GTEST_TOTAL_SHARDS=$test_shards GTEST_SHARD_INDEX=$shard "$build/test_cuda" --gtest_filter="$filter" \
      --gtest_brief=0 >"tests.$shard.log" 2>&1 &
    pids+=("$!")
  done
  for pid in "${pids[@]}"; do wait "$pid" || status=$?; done
  trap - TERM INT
  cat tests.*.log >tests.log
  passed="$(count_of PASSED tests.log)"
  if [[ $passed -eq 0 ]]; then status=1; fi
  finish_tests "$status" "$passed" \
    "$passed passed, $(count_of FAILED tests.log) failed, $(count_of SKIPPED tests.log) skipped"
}
# Where the shards were when the check had to end.
tests_interrupted() {
  local passed running
  cat tests.*.log >tests.log
  passed="$(grep -cE '^\[       OK \]' tests.log || true)"
  running="$(for shard in tests.*.log; do grep -E '^\[ RUN ' "$shard" | tail -n 1; done |
    sed 's/^\[ RUN *\] //' | paste -sd' ')"
  finish_tests 1 "$passed" "interrupted: $passed passed so far; the last begun: $running"
  exit 1
}

# --- digests ---
run_digests() {
  local status=0 begin=$SECONDS
  mkdir -p digests
  GLASSWORKS_TEST_BACKENDS=cuda bash "$root/tests/digests/digests.sh" "$glassworks" digests >digests.log 2>&1 || status=$?
  finish digests "$status" $((SECONDS - begin)) "$(tail -n 1 digests.log)"
}

# --- bench ---
run_bench() {
  local options=(--backend cuda --json bench.json) status=0 begin=$SECONDS numbers=""
  if [[ $quick -eq 1 ]]; then options+=(--quick); fi
  if [[ $device_count -gt 1 ]]; then options+=(--devices all); fi
  "$glassworks" bench "${options[@]}" >bench.log 2>&1 || status=$?
  # A requested kernel is either measured or refused.
  local forced=(bench --backend cuda --quick --kernel resident)
  "$glassworks" "${forced[@]}" --L 8 >kernel.log 2>&1 || status=$?
  grep -q ' resident L=8' kernel.log || status=1
  if "$glassworks" "${forced[@]}" --L 48 >>kernel.log 2>&1; then status=1; fi
  "$glassworks" bench --backend cuda --quick --lattice random-regular --components 1 --L 1024 >graphs.log 2>&1 || status=$?
  grep -q ' graph (' graphs.log || status=1
  if [[ $status -eq 0 ]]; then
    numbers="\"numbers\": $(cat bench.json)"
    cat bench.log graphs.log
  fi
  finish bench "$status" $((SECONDS - begin)) "times per spin update in the report" "$numbers"
}

# --- histories in time ---
run_courses() {
  local options=(--backend cuda --courses --json courses.json) status=0 begin=$SECONDS numbers=""
  if [[ $quick -eq 1 ]]; then options+=(--quick); else options+=(--L 64,96,128,256); fi
  "$glassworks" bench "${options[@]}" >courses.log 2>&1 || status=$?
  if [[ $status -eq 0 ]]; then
    numbers="\"numbers\": $(cat courses.json)"
    cat courses.log
  fi
  finish courses "$status" $((SECONDS - begin)) "times per spin update and of measurements in the report" "$numbers"
}

# --- cluster updates ---
run_cluster() {
  local status=0 begin=$SECONDS numbers=""
  if [[ ! -x $build/cluster_bench ]]; then
    finish cluster 1 0 "there is no '$build/cluster_bench'; build it with test_cuda and copy it"
    return
  fi
  "$build/cluster_bench" all >cluster.log 2>&1 || status=$?
  if [[ $status -eq 0 ]]; then
    numbers="\"numbers\": [$(paste -sd, cluster.log)]"
    sed -nE 's/^\{("(graph|model)".*"(ps_per_site|ps_per_spin)": ?[0-9.]+).*/\1/p' cluster.log | tr -d '"'
  fi
  finish cluster "$status" $((SECONDS - begin)) "times of labelling and of cluster updates in the report" "$numbers"
}

# --- campaigns that change the backend ---
# write_config KIND: what is handed over.
write_config() {
  {
    printf '%s\n' 'campaign.seed = 31' 'disorder.realizations = 12' 'backend.batch = 3'
    case "$1" in
      words | vectors)
        printf '%s\n' 'course.sweeps = 3000' 'course.times = 10 per decade' 'course.waiting_times = 10, 100' \
          'course.longest_round = 100'
        ;;
      *)
        printf '%s\n' 'protocol.exchanges_per_measurement = 5' 'round.measurements = 10' 'convergence.min_rounds = 16' \
          'convergence.max_rounds = 16'
        ;;
    esac
    case "$1" in
      words)
        printf '%s\n' 'model.type = ising' 'model.L = 8, 16, 20' 'model.couplings = bimodal' \
          'ladder.temperatures = 0.7, 1.1' 'replicas.copies = 130' 'protocol.multispin = metropolis'
        ;;
      vectors) printf '%s\n' 'model.L = 8, 12, 18' 'ladder.temperatures = 0.12, 0.17' 'replicas.copies = 4' ;;
      heisenberg) printf '%s\n' 'model.L = 4, 8, 12' 'ladder.T_min = 0.15' 'ladder.T_max = 0.6' 'ladder.slots = 6' ;;
      ising)
        printf '%s\n' 'model.type = ising' 'model.L = 4, 6, 8' 'model.couplings = bimodal' 'ladder.T_min = 0.8' \
          'ladder.T_max = 2' 'ladder.slots = 5' 'protocol.kind = swendsen-wang' 'protocol.heatbath = 1' \
          'protocol.isoenergetic = 1'
        ;;
      potts)
        printf '%s\n' 'model.type = potts' 'model.q = 3' 'model.dim = 2' 'model.L = 16, 32, 64' \
          'model.couplings = ferromagnet' 'ladder.temperatures = 0.9, 0.995, 1.1' 'protocol.kind = few-cluster' \
          'protocol.seed_tile = 8' 'protocol.heatbath = 1'
        ;;
      phi4)
        printf '%s\n' 'model.type = phi4' 'model.lambda = 1' 'model.dim = 4' 'model.L = 4, 6, 8' \
          'model.couplings = ferromagnet' 'ladder.kappas = 0.15, 0.18' 'protocol.kind = swendsen-wang' \
          'protocol.exchange = none'
        ;;
    esac
  } >handover.cfg
}
rounds_of() { { "$glassworks" inspect "$1" --digest 2>/dev/null || true; } | awk_sum; }
awk_sum() { # sum of the third column
  local sum=0 rounds
  while read -r _ _ rounds _; do sum=$((sum + rounds)); done
  echo "$sum"
}
run_on() { "$glassworks" run handover.cfg "--campaign.directory=$1" "--backend.kind=$2" >>handover.log 2>&1; }

# change DIR FIRST SECOND: begins on FIRST, is interrupted in the middle, and ends on SECOND. Sets `handed_over`.
change() {
  local attempt pid status
  handed_over=0
  for attempt in 1 2 3 4 5 6; do
    rm -rf -- "$1"
    "$glassworks" run handover.cfg "--campaign.directory=$1" "--backend.kind=$2" >>handover.log 2>&1 &
    pid=$!
    while kill -0 "$pid" 2>/dev/null && [[ $(rounds_of "$1") -lt $((all_rounds / (3 * attempt))) ]]; do sleep 0.01; done
    kill -INT "$pid" 2>/dev/null || true
    status=0
    wait "$pid" || status=$?
    handed_over="$(rounds_of "$1")"
    if [[ $status -eq 130 && $handed_over -gt 0 && $handed_over -lt $all_rounds ]]; then break; fi
    if [[ $status -ne 130 && $status -ne 0 ]]; then
      echo "run on $2 ended with status $status" >>handover.log
      return 1
    fi
  done
  if [[ $handed_over -le 0 || $handed_over -ge $all_rounds ]]; then
    echo "the campaign could not be interrupted on $2 in its middle" >>handover.log
    return 1
  fi
  run_on "$1" "$3"
  "$glassworks" inspect "$1" --digest >"$1.digest"
  cmp whole.digest "$1.digest" >>handover.log 2>&1
}
# hand_over KIND: adds what came out to `detail`; fails if digests differ.
hand_over() {
  local status=0 kinds first second
  rm -rf -- whole cuda
  write_config "$1"
  detail+="$1: "
  if ! { run_on whole cpu && "$glassworks" inspect whole --digest >whole.digest && [[ -s whole.digest ]]; }; then
    detail+="the campaign on the processor failed; "
    return 1
  fi
  all_rounds="$(rounds_of whole)"
  for kinds in "cuda cpu" "cpu cuda"; do
    read -r first second <<<"$kinds"
    if change "$first-$second" "$first" "$second"; then
      detail+="$first to $second after $handed_over of $all_rounds rounds: same digests; "
    else
      status=1
      detail+="$first to $second: digests differ or the run failed; "
    fi
  done
  if run_on cuda cuda && "$glassworks" inspect cuda --digest | cmp - whole.digest >>handover.log 2>&1; then
    detail+="cuda alone: same digests; "
  else
    status=1
    detail+="cuda alone: digests differ or the run failed; "
  fi
  return "$status"
}
run_handover() {
  local status=0 begin=$SECONDS detail="" handed_over=0 all_rounds=0 kind
  : >handover.log
  for kind in heisenberg ising potts phi4 words vectors; do
    hand_over "$kind" || status=1
  done
  finish handover "$status" $((SECONDS - begin)) "${detail%; }"
}

# --- devices that fail ---
# run_with_fault DIR FAULT [OPTION...]: FAULT as device_fault.cpp reads it; sets `fault_status`, says what it said.
# `runner`: the executable.
runner="$glassworks"
run_with_fault() {
  local dir="$1" fault="$2"
  shift 2
  fault_status=0
  GLASSWORKS_DEVICE_FAULT="$fault" LD_PRELOAD="$build/device_fault.so" "$runner" run fault.cfg \
    "--campaign.directory=$dir" "$@" >"$dir.out" 2>"$dir.err" || fault_status=$?
  { echo "--- $dir, $fault: status $fault_status" && cat "$dir.err"; } >>faults.log
}
# fault_problem DIR STATUS WHAT [DEVICE]: what is wrong about a run that met a fault of a device (0); nothing, if nothing
# is. WHAT: a part of the sentence that it must say, once.
fault_problem() {
  [[ $fault_status -eq $2 ]] || printf '%s' "$1 ended with status $fault_status; "
  [[ $(grep -c 'CUDA device' "$1.err") -eq 1 ]] || printf '%s' "$1 said $(grep -c 'CUDA device' "$1.err") sentences; "
  grep -Eq "CUDA device ${4:-0} failed while .*$3" "$1.err" || printf '%s' "$1 did not say '$3'; "
  "$glassworks" verify "$1" >>faults.log 2>&1 || printf '%s' "$1 is not whole; "
}
# continued DIR: the same command once more completes the campaign, with the digests of one that met no fault.
continued() {
  "$glassworks" run fault.cfg "--campaign.directory=$1" >>faults.log 2>&1 || printf '%s' "$1 could not be continued; "
  "$glassworks" inspect "$1" --digest | cmp - calm.digest >>faults.log 2>&1 || printf '%s' "$1 has other digests; "
}
run_faults() {
  local status=0 begin=$SECONDS problems="" detail="" rounds all=528
  local needed
  for needed in device_fault.so device_twice; do
    if [[ ! -f $build/$needed ]]; then
      finish faults 1 0 "there is no '$build/$needed'; build it with test_cuda and copy it"
      return
    fi
  done
  cat >fault.cfg <<'END'
campaign.seed = 17
model.L = 8
disorder.realizations = 264
ladder.T_min = 0.1
ladder.T_max = 0.6
ladder.slots = 32
round.measurements = 1000
convergence.min_rounds = 2
convergence.max_rounds = 2
backend.kind = cuda
END
  : >faults.log
  "$glassworks" run fault.cfg --campaign.directory=calm >>faults.log 2>&1 || problems+="the calm run failed; "
  "$glassworks" inspect calm --digest >calm.digest
  [[ $(rounds_of calm) -eq $all ]] || problems+="the calm run has not $all rounds; "

  run_with_fault trapped trap:0:3.5 --backend.devices=0
  rounds="$(rounds_of trapped)"
  problems+="$(fault_problem trapped 1 'simulating a round')"
  [[ $rounds -lt $all ]] || problems+="the fault came after the end; "
  problems+="$(continued trapped)"
  detail+="a trap on the only device after $rounds of $all rounds: one sentence, status 1, continued to the same digests"

  run_with_fault full memory:0:0 --backend.devices=0
  problems+="$(fault_problem full 1 '\(out of memory\)')"
  problems+="$(continued full)"
  detail+="; out of memory: likewise"

  # The device plays two that fail together.
  runner="$build/device_twice" run_with_fault twice trap:0:3 --backend.devices=0,1 --backend.batch=44
  problems+="$(fault_problem twice 0 .)"
  [[ $(grep -c 'restarts with the other device' twice.err) -eq 1 ]] || problems+="twice did not start anew once; "
  "$glassworks" inspect twice --digest | cmp - calm.digest >>faults.log 2>&1 || problems+="twice has other digests; "
  detail+="; a trap on a device that is listed twice: one sentence, a new start with the other one, status 0, same digests"

  if [[ $device_count -gt 1 ]]; then
    # After a trap CUDA serves no device of that process any more: it restarts with the other one. Small batches, so
    # that there is work for both.
    local device
    for device in 0 1; do
      run_with_fault "anew$device" "trap:$device:2" --backend.devices=0,1 --backend.batch=44
      problems+="$(fault_problem "anew$device" 0 . '[01]')"  # either may say it first
      [[ $(grep -c 'restarts with the other device' "anew$device.err") -eq 1 ]] ||
        problems+="anew$device did not start anew once; "
      "$glassworks" inspect "anew$device" --digest | cmp - calm.digest >>faults.log 2>&1 ||
        problems+="anew$device has other digests; "
    done
    detail+="; a trap on the first, on the second of two devices of one process: one sentence, a new start with the other one, status 0, same digests"
    # The device that is left fails too: the one that was left out gets a second chance.
    GLASSWORKS_DEVICE_FAULTS=2 run_with_fault chance trap:0:2 --backend.devices=0,1 --backend.batch=44
    [[ $fault_status -eq 0 ]] || problems+="chance ended with status $fault_status; "
    [[ $(grep -c 'CUDA device' chance.err) -eq 2 ]] || problems+="chance said $(grep -c 'CUDA device' chance.err) sentences; "
    grep -q 'restarts with the device left out before' chance.err || problems+="chance did not try the first one again; "
    "$glassworks" inspect chance --digest | cmp - calm.digest >>faults.log 2>&1 || problems+="chance has other digests; "
    detail+="; then also on the other one: a new start with the first, status 0, same digests"
    # A process for each device.
    "$glassworks" run fault.cfg --campaign.directory=shared --backend.devices=1 --backend.batch=44 >>faults.log 2>&1 &
    local other=$!
    while [[ $(rounds_of shared) -eq 0 ]] && kill -0 "$other" 2>/dev/null; do sleep 0.05; done
    run_with_fault shared trap:0:2 --backend.devices=0 --backend.batch=44
    wait "$other" || problems+="the process of the other device failed; "
    problems+="$(fault_problem shared 1 .)"
    "$glassworks" inspect shared --digest | cmp - calm.digest >>faults.log 2>&1 || problems+="shared has other digests; "
    detail+="; a trap on one of two devices with a process each: one sentence, the other completed it to the same digests"
    run_with_fault tight memory:0:0 --backend.devices=0,1
    problems+="$(fault_problem tight 0 '\(out of memory\)')"
    "$glassworks" inspect tight --digest | cmp - calm.digest >>faults.log 2>&1 || problems+="tight has other digests; "
    detail+="; out of memory on one of two devices of one process: one sentence, status 0, same digests"
  fi
  [[ -z $problems ]] || status=1
  finish faults "$status" $((SECONDS - begin)) "${problems:-$detail}" \
    "\"said\": $(cat ./*.err | grep 'CUDA device' | sort -u | json_text)"
}

# --- compute-sanitizer ---
run_sanitizer() {
  local tool status checker="" filter="" few="OneGroup/*" seconds=240 L kernel
  for tool in compute-sanitizer /usr/local/cuda/bin/compute-sanitizer; do
    if command -v "$tool" >/dev/null; then checker="$tool" && break; fi
  done
  if [[ -z $checker ]]; then
    finish sanitizer 1 0 "compute-sanitizer is not installed here; leave out --sanitizer"
    return
  fi
  for L in 4 8 12 24 32 48; do filter+="Sizes/CudaBits.EqualToTheOracle/d3_L${L}_copies2_*_or2_*_evenodd_*:"; done
  filter+="Tiles/CudaBits.EqualToTheOracle/d3_L8_copies2_*:Reference/CudaBits.EqualToTheOracle/d2_L4_*"
  filter+=":ClusterRound.Isoenergetic*:ClusterRound.FieldsWithoutCouplings:ClusterRound.Abandoned*"
  # racecheck follows every access to shared memory, and the blocks of these kernels wait for each other: one block, small
  # lattices and clusters of two only. It follows barriers, not atomics: of the ladder kernel, which L = 24 has not, those
  # cases alone whose blocks have one group of threads (kernels/cuda/README.md, "What racecheck sees").
  few+=":*EqualToTheOracle/d3_L24_copies2_slots?_or2_hb1_nT1_nA2_evenodd*"
  for L in 4 8; do
    for kernel in 'resident_*' plain; do
      few+=":*EqualToTheOracle/d3_L${L}_copies2_slots?_or2_hb1_nT1_nA2_evenodd*_$kernel"
    done
  done
  for tool in memcheck initcheck synccheck racecheck; do
    local begin=$SECONDS tests="$filter"
    if [[ $tool == racecheck ]]; then tests="$few"; fi
    status=0
    timeout "$seconds" "$checker" --tool "$tool" --show-backtrace no \
      --error-exitcode 99 "$build/test_cuda" --gtest_filter="$tests" >"$tool.log" 2>&1 || status=$?
    [[ $status -ne 124 ]] || echo "========= ERROR SUMMARY: not finished in $seconds s" >>"$tool.log"
    grep -E '^=+ +(Error|Warning|Race|Invalid|Uninit|Barrier|and (Read|Write))' "$tool.log" | sort | uniq -c | sort -rn |
      head -n 20 >found.log || true
    finish "$tool" "$status" $((SECONDS - begin)) "$(grep -E 'SUMMARY' "$tool.log" | tail -n 1 | sed 's/^=* *//')" \
      "\"passed\": $(count_of PASSED "$tool.log"), \"found\": $(json_text <found.log)"
  done
}

wanted() { [[ -z $only || ,$only, == *",$1,"* ]]; }
if wanted tests; then run_tests; fi
if wanted digests; then run_digests; fi
if wanted bench; then run_bench; fi
if wanted courses; then run_courses; fi
if wanted cluster; then run_cluster; fi
if wanted handover; then run_handover; fi
if wanted faults; then run_faults; fi
if [[ $sanitizer -eq 1 || -n $only ]] && wanted sanitizer; then run_sanitizer; fi

finished=1
write_report
echo "Report: $out"
exit "$failed"
