#!/usr/bin/env bash
# Every call with which a run changes files fails, once or from then on, writes half of its bytes, or is the last one
# before the process is killed: a run succeeds or says in one sentence what is wrong, what is there stays readable, and the
# next run ends with the same bits.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_library
work_in_memory
export wanted="$scratch/whole.digests" config="$scratch/tiny.cfg"

write_tiny_config tiny.cfg
run_quietly tiny.cfg whole
digests whole >"$wanted"
no_leftovers whole "$wanted"
[[ $(awk '{ sum += $3 } END { print sum }' "$wanted") -eq 16 ]] || fail "not the rounds that were meant: $(cat "$wanted")"

# Two beginnings: nothing, and a run that was killed in the middle of a batch, so that there is a log to be read again and
# files that nobody refers to.
mkdir new.begin
half_done tiny.cfg half
mkdir continued.begin
mv half continued.begin/campaign
cp "$(find continued.begin/campaign/checkpoints -type f | head -n 1)" \
  continued.begin/campaign/checkpoints/L004-000000-000009-0123456789abcdef.ckpt
echo half >continued.begin/campaign/checkpoints/L004-000000-000003-0123456789abcdef.ckpt.1-0.tmp

# list_calls BEGIN SIDE: the calls of an undisturbed run in BEGIN.SIDE, `number kind path`.
list_calls() {
  rm -rf watched
  cp -r "$1.begin" watched
  with_fault watched "SIDE=$2" "LOG=$scratch/$1.$2" -- "$glassworks" run tiny.cfg --campaign.directory=watched/campaign \
    >run.log 2>&1 || fail "the run that is counted: $(cat run.log)"
  digests watched/campaign | cmp -s - "$wanted" || fail "counting calls has changed digests"
}
declare -A counted  # BEGIN.SIDE: number of calls
for begin in new continued; do
  for side in changes reads; do
    list_calls $begin $side
    counted[$begin.$side]=$(wc -l <$begin.$side)
  done
  grep -q 'campaign\.sqlite$' $begin.reads || fail "the library saw no read of the database"
done
for kind in mkdir open write pwrite fsync fdatasync ftruncate rename unlink; do
  grep -q "^[0-9]* $kind " new.changes || fail "the library saw no $kind"
done

# The cases: BEGIN SIDE ACTION ERRNO NUMBER, in `cases`; GLASSWORKS_TEST_CASE is the only one if it is given. Beyond 1
# call (or GLASSWORKS_TEST_CALLS) of an action, each kind of call of each kind of file keeps its share. With 1 call an action has every
# kind, or those with an odd or an even number: another one has the others.
limit=${GLASSWORKS_TEST_CALLS:-1}
# add_cases BEGIN SIDE ACTION ERRNO EVERY all|odd|even [KINDS]
add_cases() {
  local kept number part=$6
  [[ $limit -eq 1 ]] || part=all
  kept=$(grep -E "^[0-9]+ ${7:-[a-z]+} " "$1.$2" |
    sed -E 's/[0-9]+-[0-9]+\.tmp$/tmp/; s/L[0-9]+-[0-9]+-[0-9]+-[0-9a-f]+/checkpoint/' |
    awk -v every="$5" -v limit="$limit" -v part="$part" '
      { number[NR] = $1; group[NR] = $2 " " $3; if (!(group[NR] in place)) place[group[NR]] = ++groups }
      END {
        stride = every > NR / limit ? every : NR / limit
        for (i = 1; i <= NR; ++i) {
          if (part != "all" && (place[group[i]] % 2 == 1) != (part == "odd")) continue
          if (seen[group[i]]++ % int(stride + 0.999) == 0) print number[i]
        }
      }')
  for number in $kept; do cases+=("$1 $2 $3 $4 $number"); done
}
cases=()
add_cases new changes fail EIO 1 all
add_cases new changes fail-from ENOSPC 3 even
add_cases new changes short EIO 3 all p?write
add_cases new changes kill-before EIO 1 odd
add_cases new reads fail EIO 3 odd
add_cases continued changes fail EIO 1 even
add_cases continued changes kill-before EIO 2 odd
add_cases continued reads fail EIO 1 all
if [[ $limit -gt 3 ]]; then  # other errors; a kill after a call is one before the next
  add_cases new changes fail ENOSPC 12 all
  add_cases new changes fail-from EIO 12 all
  add_cases new changes fail-from EROFS 12 all
  add_cases new changes kill-after EIO 24 all
  add_cases continued changes fail-from ENOSPC 3 all
  add_cases continued changes fail-from EROFS 12 all
fi
if [[ -n ${GLASSWORKS_TEST_CASE:-} ]]; then
  cases=("$GLASSWORKS_TEST_CASE")
elif [[ ${#cases[@]} -lt 900 && $limit -ge 600 ]]; then
  fail "only ${#cases[@]} cases"
fi

check_case() {
  local begin side action error place number made try what status=0
  read -r begin side action error place <<<"${cases[$1]}"
  number=$place
  what="${cases[$1]}"
  # How many transactions are joined depends on the moment, and a run on a busy machine makes fewer calls than the one that
  # was counted. Then the call at the same part of that run is taken in another one.
  for try in 1 2 3 4 5; do
    rm -rf watched met.log total
    cp -r "$scratch/$begin.begin" watched
    with_fault watched "SIDE=$side" "ACTION=$action" "AT=$number" "ERRNO=$error" "LOG=$PWD/met.log" "TOTAL=$PWD/total" \
      -- "$glassworks" run "$config" --campaign.directory=watched/campaign >run.out 2>run.err || status=$?
    again="GLASSWORKS_TEST_CASE='${cases[$1]}', or $repeat"
    [[ ! -s met.log ]] || break
    [[ $status -eq 0 ]] || fail "$what: ended with status $status, and no call failed: $(cat run.err)"
    made=$(cat total)
    [[ $made -lt $number ]] || fail "$what: the run made $made calls, and none of them was met"
    [[ $try -lt 5 ]] || fail "$what: no run made $number calls, the last one $made"
    number=$((place * made / (place > counted[$begin.$side] ? place : counted[$begin.$side])))
  done
  case $action in
    kill-*) [[ $status -eq 137 ]] || fail "$what: ended with status $status" ;;
    short) [[ $status -eq 0 ]] || fail "$what: ended with status $status: $(cat run.err)" ;;
    *) [[ $status -eq 0 ]] || one_sentence "$what" "$status" ;;
  esac
  readable watched/campaign "$what"
  ends_well "$config" watched/campaign "$wanted" "$what"
  echo "$begin $action $status $(cut -d ' ' -f 2 met.log 2>/dev/null | head -n 1) $(head -n 1 run.err)" >>outcomes
}
in_parallel ${#cases[@]} check_case

cat job*/outcomes >outcomes
[[ $(wc -l <outcomes) -eq ${#cases[@]} ]] || fail "$(wc -l <outcomes) of ${#cases[@]} cases were run"
awk '{ ++n[$1 " " $2 ($3 == 0 ? " harmless" : $3 == 137 ? " killed" : " refused")] }
  END { for (k in n) print "ok  ", n[k], k }' outcomes | sort -k 3
[[ ${#cases[@]} -lt 900 || $(grep -c 'fail-from [12] ' outcomes) -ge 250 ]] || fail "too few runs met the fault"
