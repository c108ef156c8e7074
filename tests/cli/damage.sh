#!/usr/bin/env bash
# Damaged or missing files of a campaign: one sentence that names the file, and what is still good stays as it is.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
work_in_memory

# A campaign that has come to the end of max_rounds, so that a run with a higher limit goes on with all its
# realizations, and what it becomes with it. Its log is folded into the database file.
write_config good.cfg model.L=4,6 checkpoint.interval=0 round.measurements=6 convergence.max_rounds=20 convergence.min_round_trips=1000000 \
  backend.threads=2 backend.batch=5
run_quietly good.cfg good
run_quietly good.cfg whole --convergence.max_rounds=30
[[ ! -s good/campaign.sqlite-wal ]] || fail "the run left its log: $(ls -l good)"
digests good >good.digests
size=$(stat -c %s good/campaign.sqlite)

fresh() {
  rm -rf copy
  cp -r good copy
}
# flip FILE OFFSET MASK: inverts the bits of the mask in one byte.
flip() {
  local byte
  byte=$(od -An -tu1 -j "$2" -N 1 "$1")
  printf '%b' "$(printf '\\x%02x' $((byte ^ $3)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}
run_copy=("$glassworks" run good.cfg --campaign.directory=copy --convergence.max_rounds=30)

# refused_by_all WHAT PATTERN: by every verb that reads bins, and by run; nothing but the lock may change.
refused_by_all() {
  fingerprint copy >copy.before
  refused "$1: analyze" "$2" "$glassworks" analyze copy
  refused "$1: inspect" "$2" "$glassworks" inspect copy --digest
  refused "$1: run" "$2" timeout 10 "${run_copy[@]}"
  fingerprint copy >copy.after
  cmp -s copy.before copy.after || fail "$1: files have changed: $(diff copy.before copy.after)"
}

# --- the database ---
for bytes in 0 100 1000 4096 $((size / 2 / 4096 * 4096)) $((size / 3)); do
  fresh
  truncate -s "$bytes" copy/campaign.sqlite
  refused_by_all "database cut to $bytes of $size bytes" 'copy/campaign\.sqlite'
  refused "database cut to $bytes of $size bytes: status" 'copy/campaign\.sqlite' "$glassworks" status copy
done
for offset in 0 20 100; do
  fresh
  printf 'these bytes are not what was written here' |
    dd of=copy/campaign.sqlite bs=1 seek=$offset conv=notrunc status=none
  refused_by_all "bytes at $offset overwritten" 'copy/campaign\.sqlite'
done
fresh
head -c 30000 /dev/zero | tr '\0' 'x' >copy/campaign.sqlite
refused_by_all "a text in place of the database" 'copy/campaign\.sqlite \(it is not a database\)'
fresh
rm copy/campaign.sqlite
mkdir copy/campaign.sqlite
refused_by_all "a directory in place of the database" 'copy/campaign\.sqlite'

# One flipped bit anywhere is noticed or, where the page holds nothing, changes nothing: never a crash, never other
# numbers.
RANDOM=${GLASSWORKS_TEST_SEED:-77}
noticed=0 unused=0
"$glassworks" analyze good >good.analysis
for _ in $(seq 40); do
  fresh
  offset=$(((RANDOM * 32768 + RANDOM) % size))
  flip copy/campaign.sqlite "$offset" $((1 << RANDOM % 8))
  ! cmp -s good/campaign.sqlite copy/campaign.sqlite || fail "no bit was flipped at $offset"
  # `analyze` does not read samples of single measurements; digests hold them.
  if ! "$glassworks" inspect copy --digest >copy.digests 2>/dev/null; then
    refused "a bit flipped at $offset" 'copy/campaign\.sqlite' "$glassworks" inspect copy --digest >/dev/null
    noticed=$((noticed + 1))
  elif "$glassworks" analyze copy >copy.analysis 2>/dev/null; then
    cmp -s good.digests copy.digests || fail "a bit flipped at $offset changed digests silently"
    cmp -s good.analysis copy.analysis || fail "a bit flipped at $offset changed averages silently"
    unused=$((unused + 1))
  else
    refused "a bit flipped at $offset" 'copy/campaign\.sqlite' "$glassworks" analyze copy >/dev/null
    noticed=$((noticed + 1))
  fi
done
[[ $noticed -ge 10 ]] || fail "only $noticed of 40 flipped bits were noticed"
echo "ok   $noticed flipped bits noticed, $unused without consequence"

# --- checkpoints: what is lost is simulated again, to the same bits ---
# checkpoint_of L REALIZATION GENERATION: its file in the copy.
checkpoint_of() {
  local file
  file=$(sql good "SELECT $3 FROM realizations WHERE L = $1 AND realization = $2")
  [[ -f good/checkpoints/$file ]] || fail "no $3 of L = $1, realization $2: '$file'"
  echo "copy/checkpoints/$file"
}
# harm KIND FILE
harm() {
  case "$1" in
    0) flip "$2" 300 16 ;;
    1) truncate -s 200 "$2" ;;
    2) truncate -s 0 "$2" ;;
    3) seq 100 >"$2" ;;  # longer than the header of a checkpoint
    4) rm "$2" ;;
  esac
}
what_is_said=('is damaged' 'is damaged' 'is damaged' 'is not a checkpoint' '\(No such file')

# restored WHAT PATTERN: the run ends well, says of all ten realizations what it did, and the results are right.
restored() {
  "${run_copy[@]}" >run.log 2>run.err || fail "$1: status $?: $(cat run.err)"
  [[ $(wc -l <run.err) -eq 10 && $(grep -Ec "checkpoints/L00[46]-.*$2" run.err) -eq 10 ]] ||
    fail "$1: '$2' is not said ten times: $(cat run.err)"
  same_results whole copy "$1"
  no_orphans copy
  echo "ok   $1: $(head -n 1 run.err)"
}
# harm_all GENERATION: in a different manner for each realization of a size.
harm_all() {
  local L kind
  for L in 4 6; do for kind in 0 1 2 3 4; do harm $kind "$(checkpoint_of $L $kind "$1")"; done; done
}

fresh
harm_all checkpoint
restored "the newest checkpoints" 'restored to the bit: a round was simulated again from the state before it'
for L in 4 6; do
  for kind in 0 1 2 3 4; do
    name=$(basename -- "$(checkpoint_of $L $kind checkpoint)")
    grep -Eq "$name.*${what_is_said[$kind]}" run.err ||
      fail "'${what_is_said[$kind]}' is not said of $name: $(cat run.err)"
  done
done

fresh
for L in 4 6; do
  for r in 0 1 2 3 4; do
    other=$(checkpoint_of $L $(((r + 1) % 5)) checkpoint)
    cp "good/${other#copy/}" "$(checkpoint_of $L $r checkpoint)"
  done
done
restored "checkpoints of other realizations" 'a round was simulated again from the state before it'

fresh
harm_all checkpoint
harm_all previous_checkpoint
restored "both generations" 'restored to the bit: its rounds were simulated again from the start'
fresh
rm -r copy/checkpoints
restored "a missing directory of checkpoints" 'No such file.*from the start'

fresh
harm_all previous_checkpoint
"${run_copy[@]}" >run.log 2>run.err || fail "the checkpoints before the newest: status $?: $(cat run.err)"
[[ ! -s run.err ]] || fail "checkpoints that are not needed: $(cat run.err)"
same_results whole copy "the checkpoints before the newest"
no_orphans copy
echo "ok   the checkpoints before the newest are not needed"

# A version that is not known yet is no damage: whoever wrote it can read it.
fresh
for L in 4 6; do for r in 0 1 2 3 4; do flip "$(checkpoint_of $L $r checkpoint)" 8 64; done; done
fingerprint copy/checkpoints >copy.before
refused "checkpoints of a newer version" 'checkpoints/L00[46]-.*version 66' "${run_copy[@]}"
fingerprint copy/checkpoints | cmp -s copy.before - || fail "checkpoints of a newer version have changed"
digests copy | cmp -s - good.digests || fail "checkpoints of a newer version: digests have changed"

# Without its database a campaign is not begun anew over the checkpoints.
fresh
rm copy/campaign.sqlite*
fingerprint copy/checkpoints >copy.before
refused "a missing database" 'checkpoints in copy but no campaign\.sqlite' timeout 10 "${run_copy[@]}"
fingerprint copy/checkpoints | cmp -s copy.before - || fail "a missing database: checkpoint files have changed"

# What else lies beside the checkpoints is left alone.
fresh
mkdir copy/checkpoints/old
echo mine >copy/checkpoints/notes.txt
echo mine >copy/checkpoints/old/notes.txt

"${run_copy[@]}" >run.log 2>&1 || fail "the undamaged copy: status $?: $(cat run.log)"
[[ $(cat copy/checkpoints/notes.txt copy/checkpoints/old/notes.txt) == $'mine\nmine' ]] ||
  fail "files of others were removed"
same_results whole copy "the undamaged copy"
echo "ok   the undamaged copy goes on"
