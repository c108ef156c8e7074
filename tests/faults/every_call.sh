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
no_orphans whole
[[ $(awk '{ sum += $3 } END { print sum }' "$wanted") -eq 16 ]] || fail "not the rounds that were meant: $(cat "$wanted")"

# calls SIDE FILE: writes the calls of an undisturbed run, `number kind path`.
calls() {
  rm -rf counted
  mkdir counted
  with_fault counted "SIDE=$1" "LOG=$scratch/$2" -- "$glassworks" run tiny.cfg --campaign.directory=counted/campaign \
    >run.log 2>&1 || fail "the counted run: $(cat run.log)"
  digests counted/campaign | cmp -s - "$wanted" || fail "counting calls has changed digests"
}
calls changes changes.calls
for kind in mkdir open write pwrite fsync fdatasync ftruncate rename unlink; do
  grep -q "^[0-9]* $kind " changes.calls || fail "the library saw no $kind"
done
calls reads reads.calls
grep -q 'campaign\.sqlite$' reads.calls || fail "the library saw no read of the database"

# The cases: SIDE ACTION ERRNO NUMBER, in `cases`; GLASSWORKS_TEST_CASE is the only one if it is given. Beyond 400 calls (or GLASSWORKS_TEST_CALLS) of an action, each kind of
# call of each kind of file keeps its share.
limit=${GLASSWORKS_TEST_CALLS:-400}
# add_cases SIDE ACTION ERRNO EVERY [KINDS]
add_cases() {
  local kept
  kept=$(grep -E "^[0-9]+ ${5:-[a-z]+} " "$1.calls" |
    sed -E 's/[0-9]+-[0-9]+\.tmp$/tmp/; s/L[0-9]+-[0-9]+-[0-9]+-[0-9a-f]+/checkpoint/' |
    awk -v every="$4" -v limit="$limit" '
      { number[NR] = $1; group[NR] = $2 " " $3 }
      END {
        stride = every > NR / limit ? every : NR / limit
        for (i = 1; i <= NR; ++i) if (seen[group[i]]++ % int(stride + 0.999) == 0) print number[i]
      }')
  for number in $kept; do cases+=("$1 $2 $3 $number"); done
}
cases=()
add_cases changes fail EIO 1
add_cases changes fail ENOSPC 8
add_cases changes fail-from EIO 8
add_cases changes fail-from ENOSPC 1
add_cases changes fail-from EROFS 8
add_cases changes short EIO 2 p?write
add_cases changes kill-before EIO 1
add_cases changes kill-after EIO 16
add_cases reads fail EIO 2
if [[ -n ${GLASSWORKS_TEST_CASE:-} ]]; then
  cases=("$GLASSWORKS_TEST_CASE")
elif [[ ${#cases[@]} -lt 900 && $limit -ge 400 ]]; then
  fail "only ${#cases[@]} cases"
fi

check_case() {
  local side action error number what status=0
  read -r side action error number <<<"${cases[$1]}"
  what="GLASSWORKS_TEST_CASE='${cases[$1]}'"
  rm -rf watched met.log
  mkdir watched
  with_fault watched "SIDE=$side" "ACTION=$action" "AT=$number" "ERRNO=$error" "LOG=$PWD/met.log" \
    -- "$glassworks" run "$config" --campaign.directory=watched/campaign >run.out 2>run.err || status=$?
  what+=" ($repeat)"
  [[ -s met.log ]] || fail "$what: the call was not met, so nothing was tested"
  case $action in
    kill-*) [[ $status -eq 137 ]] || fail "$what: ended with status $status" ;;
    short) [[ $status -eq 0 ]] || fail "$what: ended with status $status: $(cat run.err)" ;;
    *) [[ $status -eq 0 ]] || one_sentence "$what" "$status" ;;
  esac
  readable watched/campaign "$what"
  ends_well "$config" watched/campaign "$wanted" "$what"
  echo "$action $status $(cut -d ' ' -f 2 met.log | head -n 1) $(head -n 1 run.err)" >>outcomes
}
in_parallel ${#cases[@]} check_case

cat job*/outcomes >outcomes
[[ $(wc -l <outcomes) -eq ${#cases[@]} ]] || fail "$(wc -l <outcomes) of ${#cases[@]} cases were run"
awk '{ ++n[$1 ($2 == 0 ? " harmless" : $2 == 137 ? " killed" : " refused")] } END { for (k in n) print "ok  ", n[k], k }' \
  outcomes | sort -k 3
[[ ${#cases[@]} -lt 900 || $(grep -c '^fail-from [12] ' outcomes) -ge 250 ]] || fail "too few runs met the fault"
