#!/usr/bin/env bash
# Bits flip and files are cut anywhere in the database, in its log and in a checkpoint of a campaign that is half done. Every
# verb answers as before or with one sentence. A run makes again what log and checkpoints have lost; a damaged database it
# finishes with the right bits or refuses with one sentence. Never are there other bits.
#
# No command may take longer than 20 s. By variables of the environment:
#   GLASSWORKS_TEST_STRIDE=N     distance of the flipped bits in bytes (576); 1: one in every byte
#   GLASSWORKS_TEST_ONLY=flips   only bits of the database, at every STRIDE
#   GLASSWORKS_TEST_RANGE=A:B    bits of the database from byte A to byte B (all)
#   GLASSWORKS_TEST_SEED=N       which bit of a byte, and which byte of a piece (4711)
#   GLASSWORKS_TEST_PART=K/N     only every N-th case, from the K-th on (0/1)
#   GLASSWORKS_TEST_JOBS=N       cases at once (2)
#   GLASSWORKS_TEST_GO_ON=1      all cases are run, and those that failed are listed at the end
#   GLASSWORKS_TEST_CASE="BASE FILE HOW WHERE"   only this
# Every position, on all processors:
#   GLASSWORKS_TEST_STRIDE=1 GLASSWORKS_TEST_ONLY=flips GLASSWORKS_TEST_GO_ON=1 GLASSWORKS_TEST_JOBS=$(nproc) \
#     bash tests/faults/damage.sh EXECUTABLE SCRATCH
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
[[ -z ${GLASSWORKS_FAULT_LIBRARY:-} ]] || need_library
work_in_memory
export PYTHONDONTWRITEBYTECODE=1
wanted="$scratch/whole.digests" config="$scratch/tiny.cfg" stride=${GLASSWORKS_TEST_STRIDE:-576}
RANDOM=${GLASSWORKS_TEST_SEED:-4711}

write_tiny_config tiny.cfg
run_quietly tiny.cfg whole
digests whole >"$wanted"

# half_killed CONFIG DIR: as half_done, for executables that no library can be loaded into: the kill comes when it comes.
half_killed() {
  local run rounds whole i
  whole=$(date +%s%N)
  "$glassworks" run "$1" "--campaign.directory=$2" >run.log 2>&1
  whole=$((($(date +%s%N) - whole) / 1000)) # microseconds
  for i in $(seq 400); do
    rm -rf "$2"
    "$glassworks" run "$1" "--campaign.directory=$2" >run.log 2>&1 &
    run=$!
    sleep "$(printf '0.%06d' $((whole * (10 + i % 90) / 100 % 1000000)))"
    kill -KILL "$run" 2>/dev/null || true
    wait "$run" 2>/dev/null || true
    rounds=$(rounds_of "$2")
    [[ $rounds -le 4 || $rounds -ge 16 ]] || return 0
  done
  fail "no run was killed half way"
}

# --- logged: its rounds are in the log of the database ---
if [[ -n ${library:-} ]]; then half_done tiny.cfg logged; else half_killed tiny.cfg logged; fi

# --- folded: the same without a log, and with pages in the database that are free ---
cp -r logged folded
python3 - folded/campaign.sqlite <<'PYTHON'
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("CREATE TABLE unused (x BLOB) STRICT")
database.execute("INSERT INTO unused VALUES (randomblob(20000))")
database.execute("DROP TABLE unused")
assert database.execute("PRAGMA freelist_count").fetchone()[0] > 3
assert database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
PYTHON
rm -f folded/*-wal folded/*-shm

# What `status` says of the processes depends on when it is asked.
without_clock() { sed '/^Worker /d'; }

for base in logged folded; do
  cp -r "$base" copy
  digests copy >"$base.digests"
  "$glassworks" status copy | without_clock >"$base.status"
  "$glassworks" analyze copy >"$base.analysis"
  ends_well tiny.cfg copy "$wanted" "the undamaged campaign ($base)"
  rm -rf copy
done
done_rounds=$(awk '{ sum += $3 } END { print sum }' folded.digests)
[[ $done_rounds -gt 4 && $done_rounds -lt 16 ]] || fail "$done_rounds of 16 rounds are done"
checkpoint="checkpoints/$(basename -- "$(find folded/checkpoints -name '*-000002-0*' | sort | tail -n 1)")"

# --- the cases: BASE FILE HOW WHERE ---
# add_flips BASE FILE FROM TO STRIDE: a bit somewhere in each piece of this length.
add_flips() {
  local at
  for ((at = $3; at < $4; at += $5)); do
    cases+=("$1 $2 flip $((at + RANDOM % ($5 < $4 - at ? $5 : $4 - at))):$((1 << RANDOM % 8))")
  done
}
add_cuts() { # BASE FILE LENGTH...
  local length
  for length in "${@:3}"; do cases+=("$1 $2 cut $length"); done
}
size() { stat -c %s "$1"; }
cases=()
database=campaign.sqlite log=campaign.sqlite-wal page=4096 frame=$((4096 + 24))
range=${GLASSWORKS_TEST_RANGE:-0:$(size folded/$database)}
[[ ${range%:*} -gt 0 ]] || add_flips folded $database 0 100 1
add_flips folded $database $((${range%:*} > 100 ? ${range%:*} : 100)) \
  $((${range#*:} < $(size folded/$database) ? ${range#*:} : $(size folded/$database))) "$stride"
add_others() {
  local at
  for ((at = page; at < $(size folded/$database); at += page)); do
    add_flips folded $database "$at" $((at + 12)) 4 # what kind of page, how many cells, where they begin
    add_cuts folded $database $((at + RANDOM % page / 512 * 512))
    cases+=("folded $database clear $at:$page" "folded $database clear $((at + 1024)):512")
  done
  add_flips logged $log 0 32 4
  add_flips logged $log 32 "$(size logged/$log)" $((stride * 40))
  for ((at = 32; at < $(size logged/$log); at += 3 * frame)); do
    add_flips logged $log "$at" $((at + 24)) 12
    add_cuts logged $log "$at" $((at + 24 + RANDOM % page))
  done
  add_cuts logged $log 0 31
  cases+=("logged $log clear 56:$page" "logged $log clear $((32 + 8 * frame)):$page")
  add_flips folded "$checkpoint" 0 48 1
  add_flips folded "$checkpoint" 48 "$(size "folded/$checkpoint")" "$stride"
  add_cuts folded "$checkpoint" 0 1 47 48 49 1000 $(($(size "folded/$checkpoint") - 1))
  for at in 0 8 48 1000; do cases+=("folded $checkpoint clear $at:40"); done
  cases+=("folded $checkpoint grow 1" "folded $checkpoint grow 4096" "folded $checkpoint remove -")
  cases+=("logged $log grow 4096" "logged $log remove -" "folded $database grow 4096")
}
case ${GLASSWORKS_TEST_ONLY:-} in
  '') add_others ;;
  flips) ;;
  *) fail "GLASSWORKS_TEST_ONLY=$GLASSWORKS_TEST_ONLY is not known" ;;
esac
part=${GLASSWORKS_TEST_PART:-0/1}
for i in "${!cases[@]}"; do [[ $((i % ${part#*/})) -eq ${part%/*} ]] || unset "cases[$i]"; done
cases=("${cases[@]}")

# bounded COMMAND...: the command, which is killed after 20 s.
bounded() {
  local status=0
  timeout --signal=KILL 20 "$@" || status=$?
  [[ $status -ne 137 ]] || fail "$what: took longer than 20 s: $*"
  return "$status"
}

damage() { # FILE HOW WHERE
  local byte
  case $2 in
    flip)
      byte=$(od -An -tu1 -j "${3%:*}" -N 1 "$1")
      printf '%b' "$(printf '\\x%02x' $((byte ^ ${3#*:})))" | dd of="$1" bs=1 seek="${3%:*}" conv=notrunc status=none
      ;;
    cut) truncate -s "$3" "$1" ;;
    clear) head -c "${3#*:}" /dev/zero | dd of="$1" bs=512 seek="${3%:*}" oflag=seek_bytes conv=notrunc status=none ;;
    grow) head -c "$3" /dev/urandom >>"$1" ;;
    remove) rm "$1" ;;
  esac
}

# looked_at BASE DIR WHAT VERB...: the verb answers as for the undamaged campaign or refuses. A log that is cut ends
# earlier: then what is there is an earlier state, which is right too. Returns 1 if it refuses.
looked_at() {
  local status=0
  bounded "$glassworks" "${@:4}" >looked.out 2>run.err || status=$?
  if [[ $status -ne 0 ]]; then
    one_sentence "$3: ${*:4}" "$status"
    return 1
  fi
  without_clock <looked.out >answer
  [[ $1 == logged ]] || cmp -s answer "$2" || fail "$3: ${*:4} answers otherwise: $(diff answer "$2" | head -n 6)"
}

check_case() {
  local base file how where what seen=0 status=0 outcome
  read -r base file how where <<<"${cases[$1]}"
  again="GLASSWORKS_TEST_CASE='${cases[$1]}'"
  what="${cases[$1]}"
  rm -rf copy
  cp -r "$scratch/$base" copy
  damage "copy/$file" "$how" "$where"
  looked_at "$base" "$scratch/$base.digests" "$what" inspect copy --digest || seen=1
  looked_at "$base" "$scratch/$base.status" "$what" status copy || seen=1
  looked_at "$base" "$scratch/$base.analysis" "$what" analyze copy || seen=1
  bounded "$glassworks" run "$config" --campaign.directory=copy >run.log 2>run.err || status=$?
  outcome=refused
  if [[ $status -ne 0 ]]; then
    one_sentence "$what: run" "$status"
    # One bit may turn the file into one of a later version of the program, which is left alone.
    [[ $file == "$database" || $(cat run.err) =~ version ]] || fail "$what: run: $(cat run.err)"
  elif bounded "$glassworks" inspect copy --digest >ended.digests 2>run.err; then
    outcome=finished
    cmp -s "$wanted" ended.digests || fail "$what: other digests: $(diff "$wanted" ended.digests | head -n 6)"
    [[ $file == "$database" ]] || bounded "$glassworks" verify copy >verified 2>&1 || fail "$what: verify: $(cat verified)"
  else
    outcome=finished-but-damaged
    one_sentence "$what: inspect after the run" 1
  fi
  echo "${file%%/*} $how $outcome $seen $where $(head -n 1 run.err)" >>outcomes
}
[[ -z ${GLASSWORKS_TEST_CASE:-} ]] || cases=("$GLASSWORKS_TEST_CASE")
check_and_go_on() { (check_case "$1") 2>>failures || true; }
if [[ -n ${GLASSWORKS_TEST_GO_ON:-} ]]; then
  in_parallel ${#cases[@]} check_and_go_on
  cat job*/failures >failures
else
  in_parallel ${#cases[@]} check_case
fi
cat job*/outcomes >outcomes
[[ ! -s failures ]] || fail "$(grep -c '^FAILED' failures) of ${#cases[@]} cases: $(cat failures)"
[[ $(wc -l <outcomes) -eq ${#cases[@]} ]] || fail "$(wc -l <outcomes) of ${#cases[@]} cases were run"
awk '{ ++n[$1 ": " $2 ", run " $3 ($4 == 1 ? ", refused by those that read" : "")] }
  END { for (k in n) print "ok  ", n[k], k }' outcomes | sort -k 3
