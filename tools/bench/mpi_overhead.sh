#!/usr/bin/env bash
# What MPI costs on one machine: the same campaign with one process of two threads, and with two ranks of one thread each
# under mpirun; alternating, so that a machine whose speed changes treats both alike. Use an idle machine.
# Usage: tools/bench/mpi_overhead.sh [EXECUTABLE [REPEATS [FILE.json]]]
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."
glassworks="$(realpath -- "${1:-build/glassworks}")"
repeats="${2:-7}"
json="${3:-}"
if ! command -v mpirun >/dev/null; then
  echo "The overhead cannot be measured (there is no mpirun). Install the package openmpi-bin." >&2
  exit 2
fi
export LC_ALL=C OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
scratch="$(mktemp -d)"
trap 'rm -rf -- "$scratch"' EXIT

# Rounds of some seconds, as in production, though shorter; both ways have two workers with a batch each.
cat >"$scratch/overhead.cfg" <<'END'
campaign.seed = 3
model.L = 8
disorder.realizations = 16
ladder.T_min = 0.2
ladder.T_max = 0.6
ladder.slots = 16
round.measurements = 150
convergence.min_rounds = 8
convergence.max_rounds = 8
backend.kind = cpu
backend.batch = 8
END

# timed NAME COMMAND...: appends "user wall" [s] to NAME.times.
timed() {
  local name="$1"
  shift
  rm -rf -- "$scratch/$name"
  /usr/bin/time -a -o "$scratch/$name.times" -f '%U %S %e' "$@" "$scratch/overhead.cfg" \
    "--campaign.directory=$scratch/$name" >"$scratch/$name.log" 2>&1 || {
    echo "The overhead cannot be measured ($name failed):" >&2
    cat "$scratch/$name.log" >&2
    exit 1
  }
}

digests() { "$glassworks" inspect "$scratch/$1" --digest; }

for ((i = 1; i <= repeats; ++i)); do
  timed threads "$glassworks" run --backend.threads=2
  timed ranks mpirun -n 2 --bind-to none --oversubscribe "$glassworks" run --backend.threads=1
  cmp <(digests threads) <(digests ranks)
  echo "$i of $repeats: $(tail -n 1 "$scratch/threads.times") s with threads, $(tail -n 1 "$scratch/ranks.times") s with ranks (user, system, wall)"
done

python3 - "$scratch" "$json" "$("$glassworks" version)" <<'END'
import datetime, json, os, platform, statistics, sys

scratch, file, version = sys.argv[1:]


def read(name):
    with open(os.path.join(scratch, name + ".times"), encoding="ascii") as lines:
        rows = [[float(x) for x in line.split()] for line in lines]
    return {"cpu": [user + system for user, system, _ in rows], "wall": [wall for _, _, wall in rows]}


def percent(a, b):
    """Median over the repeats of b against a, each with its neighbour in time."""
    return statistics.median(100 * (y / x - 1) for x, y in zip(a, b))


threads, ranks = read("threads"), read("ranks")
result = {
    "version": version,
    "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
    "machine": {"system": platform.platform(), "processors": os.cpu_count(), "load": os.getloadavg()[0]},
    "seconds_with_two_threads": threads,
    "seconds_with_two_ranks": ranks,
    "overhead_percent": {kind: round(percent(threads[kind], ranks[kind]), 2) for kind in threads},
}
print("Two ranks against two threads, median of pairs: "
      + ", ".join(f"{kind} time {value:+.2f} %" for kind, value in result["overhead_percent"].items()))
if file:
    with open(file, "w", encoding="ascii") as out:
        json.dump(result, out, indent=2)
        out.write("\n")
END
