#!/usr/bin/env bash
# A file system that is read-only: what is there can be read, a run says in one sentence that it cannot write, nothing
# changes, and the campaign goes on when the file system can be written again.
set -euo pipefail
if [[ -z ${GLASSWORKS_TEST_NAMESPACE:-} ]]; then
  export GLASSWORKS_TEST_NAMESPACE=1 # its mounts are gone when this script ends, however it ends
  if unshare --mount true 2>/dev/null; then exec unshare --mount bash "$0" "$@"; fi
  if unshare --map-root-user --mount true 2>/dev/null; then exec unshare --map-root-user --mount bash "$0" "$@"; fi
  echo "Skipped: a read-only file system (a mount namespace is not permitted)"
  exit 0
fi
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_library

mkdir disk
if ! mount -t tmpfs -o size=16m glassworks-test disk 2>/dev/null; then
  skip_part "a read-only file system (mounting a small file system is not permitted)"
  exit 0
fi
remount() { mount -o "remount,$1" "$scratch/disk"; }
write_tiny_config tiny.cfg
run_quietly tiny.cfg whole
digests whole >whole.digests
message='(read-only|Read-only|cannot be written)'

half_done tiny.cfg logged
cp -r logged disk/logged
cp -r logged disk/folded
python3 - disk/folded/campaign.sqlite <<'PYTHON'
import sqlite3, sys
assert sqlite3.connect(sys.argv[1]).execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
PYTHON
cp -r whole disk/finished

remount ro
refused "a new campaign" "$message" "$glassworks" run tiny.cfg --campaign.directory=disk/new
for state in logged folded finished; do
  fingerprint disk/$state >before
  "$glassworks" inspect disk/$state --digest >digests.read 2>run.err || fail "$state: inspect: $(cat run.err)"
  "$glassworks" status disk/$state >/dev/null 2>run.err || fail "$state: status: $(cat run.err)"
  "$glassworks" analyze disk/$state >/dev/null 2>run.err || fail "$state: analyze: $(cat run.err)"
  refused "$state: run" "$message" "$glassworks" run tiny.cfg --campaign.directory=disk/$state
  fingerprint disk/$state | cmp -s before - || fail "$state: files of a read-only file system have changed"
  rounds=$(awk '{ sum += $3 } END { print sum }' digests.read)
  case $state in
    finished) cmp -s whole.digests digests.read || fail "$state: other digests" ;;
    *) [[ $rounds -gt 4 && $rounds -lt 16 ]] || fail "$state: $rounds rounds are seen" ;;
  esac
done
remount rw
for state in logged folded finished; do
  ends_well tiny.cfg disk/$state whole.digests "$state, writable again"
done
echo "ok   writable again"
