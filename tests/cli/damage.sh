#!/usr/bin/env bash
# Damaged or missing files of a campaign: one sentence that names the file, and what is still good stays as it is.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
work_in_memory

# A campaign that is not finished, so that a run would go on with it; its log is folded into the database file.
write_config long.cfg model.L=4,6 round.measurements=6 convergence.max_rounds=100000 \
  convergence.min_round_trips=1000000 backend.threads=2 backend.batch=5
"$glassworks" run long.cfg --campaign.directory=good >run.log 2>&1 &
pid=$!
while [[ $(rounds_of good) -lt 200 ]] && kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
kill -TERM "$pid"
status=0
wait "$pid" || status=$?
[[ $status -eq 130 ]] || fail "the run that is stopped ended with status $status: $(cat run.log)"
[[ ! -s good/campaign.sqlite-wal ]] || fail "the stopped run left its log: $(ls -l good)"
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
run_copy=("$glassworks" run long.cfg --campaign.directory=copy)

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
RANDOM=77
noticed=0 unused=0
"$glassworks" analyze good >good.analysis
for _ in $(seq 40); do
  fresh
  offset=$(((RANDOM * 32768 + RANDOM) % size))
  flip copy/campaign.sqlite "$offset" $((1 << RANDOM % 8))
  ! cmp -s good/campaign.sqlite copy/campaign.sqlite || fail "no bit was flipped at $offset"
  if "$glassworks" inspect copy --digest >copy.digests 2>/dev/null &&
    "$glassworks" analyze copy >copy.analysis 2>/dev/null; then
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

# --- checkpoints ---
# refused_checkpoint WHAT PATTERN: run refuses, digests and checkpoint files stay as they are.
refused_checkpoint() {
  fingerprint copy/checkpoints >copy.before
  refused "$1" "$2" timeout 10 "${run_copy[@]}"
  fingerprint copy/checkpoints >copy.after
  cmp -s copy.before copy.after || fail "$1: checkpoint files have changed: $(diff copy.before copy.after)"
  digests copy | cmp -s - good.digests || fail "$1: digests have changed"
}
# Batches hold the realizations of one size with the fewest rounds; a whole size is damaged so that the next batch meets
# it, whatever it is.
checkpoint_of() { basename -- "$(find good/checkpoints -name "L00$1-00000$2-*")"; }

fresh
for L in 4 6; do
  for r in 0 1 2 3 4; do
    flip "copy/checkpoints/$(checkpoint_of $L $r)" 300 16
  done
done
refused_checkpoint "a flipped bit in a checkpoint" 'copy/checkpoints/L00[46]-00000[0-4]-[0-9a-f-]*\.ckpt is damaged'
fresh
for file in copy/checkpoints/*; do truncate -s 200 "$file"; done
refused_checkpoint "a cut checkpoint" 'copy/checkpoints/L00[46]-[0-9a-f-]*\.ckpt is damaged'
fresh
for file in copy/checkpoints/*; do truncate -s 0 "$file"; done
refused_checkpoint "an empty checkpoint" 'copy/checkpoints/L00[46]-[0-9a-f-]*\.ckpt'
fresh
for file in copy/checkpoints/*; do
  echo 'a text of some length that is not a checkpoint, but has more than 48 bytes' >"$file"
done
refused_checkpoint "a text in place of a checkpoint" 'copy/checkpoints/L00[46]-[0-9a-f-]*\.ckpt is not a checkpoint'
fresh
for L in 4 6; do
  for r in 0 1 2 3 4; do
    cp "good/checkpoints/$(checkpoint_of $L $(((r + 1) % 5)))" "copy/checkpoints/$(checkpoint_of $L $r)"
  done
done
refused_checkpoint "the checkpoint of another realization" 'does not belong to the campaign'
fresh
rm copy/checkpoints/*
refused_checkpoint "missing checkpoints" \
  'checkpoint copy/checkpoints/L00[46]-[0-9a-f-]*\.ckpt is missing.*L = [46], realization [0-4].*Restore'
fresh
rm -r copy/checkpoints
refused "a missing directory of checkpoints" 'copy/checkpoints/L00[46]-[0-9a-f-]*\.ckpt is missing' \
  timeout 10 "${run_copy[@]}"
digests copy | cmp -s - good.digests || fail "digests have changed"

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

# The undamaged copy goes on.
status=0
timeout --signal=TERM 1 "${run_copy[@]}" >run.log 2>&1 || status=$?
[[ $(cat copy/checkpoints/notes.txt copy/checkpoints/old/notes.txt) == $'mine\nmine' ]] ||
  fail "files of others were removed"
[[ $status -eq 124 && $(rounds_of copy) -gt $(rounds_of good) ]] ||
  fail "the undamaged copy: status $status, $(cat run.log)"
echo "ok   the undamaged copy goes on"
