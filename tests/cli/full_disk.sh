#!/usr/bin/env bash
# A full disk ends a run with one sentence and loses nothing: with more space the campaign goes on, to the same bits.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

mkdir small
if ! mount -t tmpfs -o size=2m glassworks-test small 2>/dev/null; then
  skip_part "a full disk (mounting a small file system is not permitted)"
  exit 0
fi
trap 'umount "$scratch/small"' EXIT

write_config long.cfg model.L=4,6 checkpoint.interval=0 disorder.realizations=8 ladder.slots=8 round.measurements=10 \
  convergence.min_rounds=20 convergence.max_rounds=20 backend.threads=2 backend.batch=4
run_quietly long.cfg whole

resize() { mount -o "remount,size=$1" "$scratch/small"; }
used() { echo $(($(df --output=used -k small | tail -n 1))); }
message='(No space left on device|disk is full|disk and its space).*run again'

# --- too small for a new campaign ---
resize 4k
refused "no room for a campaign" '[Nn]o space|full|space' "$glassworks" run long.cfg --campaign.directory=small/campaign
resize 2m

# --- the limit creeps upwards, so that it is met in checkpoints, in commits and in the log ---
limit=$(($(used) + 150)) refusals=0 with_rounds=0
while :; do
  resize "${limit}k"
  status=0
  "$glassworks" run long.cfg --campaign.directory=small/campaign >run.log 2>run.err || status=$?
  [[ $status -eq 0 ]] && break
  refused "disk of $limit KiB full" "$message" sh -c "cat run.err >&2; exit $status" >refused.log
  refusals=$((refusals + 1))
  [[ $refusals -lt 80 ]] || fail "the campaign does not fit into $limit KiB"
  if [[ -f small/campaign/campaign.sqlite ]]; then
    # Readable without a byte of space, and whole rounds only.
    digests small/campaign >small.digest 2>inspect.err || fail "inspect on a full disk: $(cat inspect.err)"
    if awk '$3 > 0 { found = 1 } END { exit !found }' small.digest; then with_rounds=$((with_rounds + 1)); fi
    left=$(find small/campaign -name '*.tmp')
    [[ -z $left ]] || fail "temporary files are left: $left"
  fi
  limit=$((limit + 150))
done
[[ $with_rounds -ge 5 ]] || fail "only $with_rounds of $refusals runs met a full disk after committed rounds"
same_digests whole small/campaign "a campaign that met a full disk $refusals times"
no_orphans small/campaign
echo "ok   $refusals full disks, $with_rounds of them with committed rounds"

# --- a table that does not fit leaves the old one in place ---
resize $((limit + 500))k
"$glassworks" analyze small/campaign --csv small/table.csv >/dev/null
cp small/table.csv table.before
fill=$(df --output=avail -k small | tail -n 1)
head -c $((fill * 1024)) /dev/zero >small/filling 2>/dev/null || true
refused "a table on a full disk" 'small/table.csv.*No space left' \
  "$glassworks" analyze small/campaign --csv small/table.csv --force
cmp -s table.before small/table.csv || fail "the table was harmed"
