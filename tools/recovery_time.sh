#!/usr/bin/env bash
# Time until a campaign is back at work after kill -9, and the bytes that its checkpoints take: starts it in an empty
# directory, kills it after a while, starts it again, and waits for the first round that is committed anew.
# Needs bash, awk, grep and coreutils, and /proc; see --help.
set -euo pipefail
export LC_ALL=C

usage() {
  cat <<'END'
Usage: tools/recovery_time.sh [--after SECONDS] [--out FILE] GLASSWORKS CONFIG [--section.key=value ...]
  GLASSWORKS       the executable
  CONFIG           a campaign that takes longer than this; keys of its run may follow
  --after SECONDS  age of the campaign when it is killed (60)
  --out FILE       the report, one JSON document (recovery_time.json)

The time is to be at most checkpoint.interval and 10 s. Uses a temporary directory (TMPDIR), which is removed at the end.
END
}

die() {
  echo "recovery_time: $*" >&2
  exit 1
}

out=recovery_time.json after=60
while [[ ${1:-} == --* ]]; do
  case $1 in
    --out | --after)
      [[ -n ${2:-} ]] || die "$1 has no value (one must follow). Write $1 VALUE."
      if [[ $1 == --out ]]; then out="$2"; else after="$2"; fi
      shift 2
      ;;
    --help)
      usage
      exit 0
      ;;
    *)
      usage >&2
      die "$1 is unknown (see above). Leave it out."
      ;;
  esac
done
[[ $# -ge 2 ]] || { usage >&2; die "the executable or the configuration is missing (see above). Give both."; }
[[ $after =~ ^[1-9][0-9]*$ ]] || die "--after $after cannot be used (it is no whole number above 0). Write --after 60."
glassworks="$(realpath -- "$1")" config="$(realpath -- "$2")"
shift 2
[[ -x $glassworks ]] || die "$glassworks cannot be started (it is no executable). Build it first."
out="$(realpath -m -- "$out")"
scratch="$(mktemp -d)"
process=""
clean_up() {
  [[ -z $process ]] || kill -9 "$process" 2>/dev/null || true
  rm -rf -- "$scratch"
}
trap clean_up EXIT
cd -- "$scratch"

start() {
  "$glassworks" run "$config" --campaign.directory=campaign "$@" >run.log 2>&1 &
  process=$!
}
rounds() { # committed ones, of all sizes
  "$glassworks" status campaign --json | tr -d ' \n' | grep -o '"rounds":[0-9]*,"updates":[^,]*,"rounds_per' |
    cut -d : -f 2 | awk '{ n += $1 } END { print n + 0 }'
}
bytes_written() { awk '/^wchar/ { print $2 }' "/proc/$process/io"; }

start "$@"
sleep "$after"
kill -0 "$process" 2>/dev/null || die "the campaign has ended within $after s (see below). Choose a longer one.
$(tail -n 3 run.log)"
written=$(bytes_written)
kill -9 "$process"
{ wait "$process" || true; } 2>/dev/null
before=$(rounds)
[[ $before -gt 0 ]] || die "no round was committed within $after s (rounds are too long for it). Choose a larger --after."
begin=$(date +%s.%N)
start "$@"
while [[ $(rounds) -le $before ]]; do
  kill -0 "$process" 2>/dev/null || die "the campaign did not go on (see below). Report this.
$(tail -n 3 run.log)"
  sleep 0.2
done
end=$(date +%s.%N)
kill -9 "$process"
{ wait "$process" || true; } 2>/dev/null
process=""
{
  echo "{"
  echo "  \"version\": \"$("$glassworks" --version | head -n 1)\", \"date\": \"$(date -u +%F)\","
  echo "  \"config\": \"$(basename -- "$config") $*\", \"killed_after_seconds\": $after, \"rounds_before\": $before,"
  echo "  \"bytes_written_before\": $written,"
  awk "BEGIN { printf \"  \\\"seconds_to_the_next_round\\\": %.1f\\n\", $end - $begin }"
  echo "}"
} >"$out"
cat "$out"
