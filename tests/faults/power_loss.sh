#!/usr/bin/env bash
# The power fails at many points of a campaign: what was synced before is on the disk, what was not is there in part or not
# at all. The next run continues with every committed round, or begins anew if none was, and ends with the same bits.
#
# GLASSWORKS_TEST_POWER_FAILURES: how many (30); GLASSWORKS_TEST_CASE="RECORD POINT SEED": only this one.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_library
here="$(realpath -- "$(dirname -- "${BASH_SOURCE[0]}")")"
work_in_memory
export PYTHONDONTWRITEBYTECODE=1 TMPDIR="$scratch"
wanted="$scratch/whole.digests" config="$scratch/tiny.cfg" campaign=campaigns/first
failures=${GLASSWORKS_TEST_POWER_FAILURES:-30}

python3 "$here/disk_model_test.py"
write_tiny_config tiny.cfg
run_quietly tiny.cfg whole
digests whole >"$wanted"

# record NAME [--KEY=VALUE ...]: records a run in NAME.record; watched/ and what it holds were there before.
record() {
  with_fault watched "RECORD=$scratch/$1.record" -- \
    "$glassworks" run tiny.cfg "--campaign.directory=watched/$campaign" "${@:2}" >run.log 2>&1 || fail "recording: $(cat run.log)"
  digests "watched/$campaign" | cmp -s - "$wanted" || fail "recording has changed digests"
  calls=$(python3 "$here/power_loss.py" count "$1.record")
}

# after_failure RECORD POINT SEED [--deaf TEXT]: the directory after a power failure in left/, and what is known of it in
# treatment and rounds.
after_failure() {
  rm -rf left
  mkdir left
  python3 "$here/power_loss.py" build "$scratch/$1.record" "$scratch/watched" "$2" "$3" left \
    --begin "$scratch/$1.begin" "${@:4}" >built || fail "no replay of $*"
  read -r treatment rounds <built
}

# Rounds of the campaign in left/; 0 without a database.
rounds_left() {
  if [[ -f left/$campaign/campaign.sqlite ]]; then
    digests "left/$campaign" | awk '{ sum += $3 } END { print sum + 0 }'
  else
    echo 0
  fi
}

# add_cases RECORD N: N points that are spread over all calls of the record.
add_cases() {
  local i
  for ((i = 0; i < $2; ++i)); do cases+=("$1 $(((2 * i + 1) * calls / (2 * $2))) $i"); done
}
cases=()

mkdir watched new.begin
record new
add_cases new $((failures - 2 * (failures / 3)))
middle=$((calls * 55 / 100))

# A run that continues after a power failure meets another one.
after_failure new "$middle" 3
[[ $rounds -gt 0 && $rounds -lt 16 ]] || fail "nothing to be continued: $rounds rounds"
rm -rf watched
cp -r left watched
mv left continued.begin
record continued
add_cases continued $((failures / 3))

# No checkpoints but those of realizations that are done: what lies behind them is simulated again.
rm -rf watched
mkdir watched lasting.begin
record lasting --checkpoint.interval=180
add_cases lasting $((failures / 3))

check_case() {
  local record point seed treatment rounds what there
  read -r record point seed <<<"${cases[$1]}"
  again="GLASSWORKS_TEST_CASE='${cases[$1]}'"
  after_failure "$record" "$point" "$seed"
  what="${cases[$1]} (unsynced kept: $treatment)"
  states_may_lag=$([[ $record == lasting ]] && echo 1 || echo 0)
  readable "left/$campaign" "$what"
  there=$(rounds_left)
  [[ $there -ge $rounds ]] || fail "$what: $rounds rounds were committed, $there are left: $(find left)"
  ends_well "$config" "left/$campaign" "$wanted" "$what"
  echo "$treatment $rounds" >>outcomes
}
[[ -z ${GLASSWORKS_TEST_CASE:-} ]] || cases=("$GLASSWORKS_TEST_CASE")
in_parallel ${#cases[@]} check_case
cat job*/outcomes >outcomes
[[ $(wc -l <outcomes) -eq ${#cases[@]} ]] || fail "$(wc -l <outcomes) of ${#cases[@]} cases were run"
[[ -z ${GLASSWORKS_TEST_CASE:-} ]] || exit 0
inside=$(awk '$2 > 0 && $2 < 16' outcomes | wc -l)
[[ $inside -ge $((failures / 3)) ]] || fail "only $inside of $failures power failures within the campaign"
echo "ok   ${#cases[@]} power failures, $inside of them with a part of the rounds committed"

# What a program that forgets to sync its log, or the names in its directory, would lose.
for forgotten in sqlite-wal first; do
  seen=0
  for ((seed = 0; seed < 20 && seen == 0; ++seed)); do
    after_failure new $((middle + seed)) "$seed" --deaf "$forgotten"
    there=$(rounds_left 2>/dev/null) || there=0
    [[ $there -ge $rounds ]] || seen=1
  done
  [[ $seen -eq 1 ]] || fail "20 power failures do not show that syncs of $forgotten are missing"
done
echo "ok   missing syncs would be seen"
