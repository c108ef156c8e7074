#!/usr/bin/env bash
# What a campaign on GPUs loses beside its kernels: runs it from an empty directory to its end, and compares its rate with
# that of `bench` for the same sizes, mixed by their spin updates.
# Needs bash, awk, grep, sed and coreutils; see --help.
set -euo pipefail
export LC_ALL=C
root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)"

usage() {
  cat <<'END'
Usage: tools/campaign_rate.sh [--out FILE] GLASSWORKS CONFIG [--section.key=value ...]
  GLASSWORKS     the executable
  CONFIG         a campaign of heisenberg, for example configs/mixed-sizes.cfg; keys of its run may follow
  --out FILE     the report, one JSON document (campaign_rate.json)

Uses a temporary directory (TMPDIR), which is removed at the end. The rate of bench is that of one device, times the
number of devices that the campaign uses.
END
}

die() {
  echo "campaign_rate: $*" >&2
  exit 1
}

out=campaign_rate.json
if [[ ${1:-} == --out ]]; then
  [[ -n ${2:-} ]] || die "--out has no value (a file name must follow). Write --out FILE."
  out="$2"
  shift 2
fi
[[ ${1:-} != -h && ${1:-} != --help ]] || { usage; exit 0; }
[[ $# -ge 2 ]] || { usage >&2; die "the executable or the configuration is missing (see above). Give both."; }
glassworks="$(realpath -- "$1")" config="$(realpath -- "$2")"
shift 2
[[ -x $glassworks ]] || die "$glassworks cannot be started (it is no executable). Build it first."
out="$(realpath -m -- "$out")"
scratch="$(mktemp -d)"
trap 'rm -rf -- "$scratch"' EXIT
cd -- "$scratch"

# number KEY FILE: the numbers of a key in a JSON document, one a line.
numbers() { tr -d ' \n' <"$2" | grep -o "\"$1\":[-+0-9.e]*" | cut -d : -f 2; }

begin=$(date +%s.%N)
"$glassworks" run "$config" --campaign.directory=campaign "$@" >run.log 2>&1 || { tail -n 5 run.log >&2; die "the campaign has failed (see above). Correct it."; }
end=$(date +%s.%N)
"$glassworks" status campaign --json >status.json
mapfile -t sizes < <(numbers L status.json)
mapfile -t updates < <(numbers updates status.json)
checkpoints=$(du -sb campaign/checkpoints | cut -f 1)
devices=$(sed -n 's/.*\b\([0-9][0-9]*\) devices: .*/\1/p' run.log | head -n 1)
"$glassworks" bench --backend cuda --L "$(IFS=,; echo "${sizes[*]}")" --json bench.json --force >bench.txt
mapfile -t rates < <(tr -d ' \n' <bench.json | grep -o '"device":{"median":[0-9.e+-]*' | cut -d : -f 3)
[[ ${#rates[@]} -eq ${#sizes[@]} ]] || die "bench gave ${#rates[@]} rates for ${#sizes[@]} sizes (see $out). Report this."

all="" seconds=""
for i in "${!sizes[@]}"; do
  all+="${all:++}${updates[i]}" seconds+="${seconds:++}${updates[i]}*${rates[i]}*1e-12"
done
{
  echo "{"
  echo "  \"version\": \"$("$glassworks" --version | head -n 1)\", \"date\": \"$(date -u +%F)\","
  echo "  \"config\": \"$(basename -- "$config") $*\", \"devices\": ${devices:-1},"
  for i in "${!sizes[@]}"; do
    echo "  \"L=${sizes[i]}\": {\"updates\": ${updates[i]}, \"bench_ps\": ${rates[i]}},"
  done
  awk "BEGIN { t = $end - $begin; u = $all; s = ($seconds) / ${devices:-1};
    printf \"  \\\"seconds\\\": %.1f, \\\"updates_per_ns\\\": %.1f, \\\"bench_updates_per_ns\\\": %.1f, \\\"share\\\": %.3f,\\n\", t, u / t * 1e-9, u / s * 1e-9, s / t }"
  echo "  \"checkpoint_bytes_left\": $checkpoints,"
  echo "  \"times\": \"$(grep '^Time' run.log)\""
  echo "}"
} >"$out"
cat "$out"
