#!/usr/bin/env bash
# Spin glasses on random graphs at twice their transition temperatures, beside the exact energies of infinite graphs:
#   u = -(z/2) [J A_n(J/T)],  T_c from (z - 1) [A_n(J/T_c)^2] = 1,  A_n = I_{n/2}/I_{n/2 - 1};  Erdos-Renyi: c in place of z
#   and of z - 1;  Sherrington-Kirkpatrick: u = -1/(2 T).
# and spin-glass susceptibilities chi_SG = 1 + z a/(1 - (z - 1) a), a = [A_n(J/T)^2]; Erdos-Renyi: 1/(1 - c a);
# Sherrington-Kirkpatrick: 1/(1 - 1/T^2).
# Usage: configs/graphs/twice-Tc.sh [GLASSWORKS [FOLDER [ROWS]]]; prints a table. Corrections are of the order 1/N. ROWS: a regular
# expression of the rows to run, GRAPH-MODEL-N-COUPLINGS-DEGREE, as gaussian or ^complete.
set -euo pipefail
export LC_ALL=C
glassworks="$(realpath -- "${1:-build/glassworks}")"
folder="${2:-campaigns/twice-Tc}"
mkdir -p -- "$folder"
cd -- "$folder"
rows="${3:-.}"
cat >common.cfg <<'END'
disorder.realizations = 100, 100, 12
model.L = 64, 256, 4096
replicas.copies = 4
round.measurements = 20
convergence.min_rounds = 16
convergence.max_rounds = 16
END
printf '%-16s %-6s %-9s %3s %10s %6s %-6s %10s %19s %9s\n' graph model J z T N "" exact value deviation
# row GRAPH MODEL N_COMPONENTS COUPLINGS DEGREE T EXACT_ENERGY EXACT_CHI
row() {
  local name="$1-$2-$3-$4-$5" model=("--model.type=$2") graph=("--model.lattice=$1")
  [[ $name =~ $rows ]] || return 0
  # Gaussian couplings differ from graph to graph more than the spins fluctuate: more graphs, shorter histories.
  [[ $4 != gaussian ]] || graph+=(--disorder.realizations=100,100,60 --protocol.exchanges_per_measurement=2)
  [[ $2 != on ]] || model+=("--model.n=$3")
  if [[ $1 == complete ]]; then graph+=(--model.L=64,256 --disorder.realizations=100); else graph+=("--model.degree=$5"); fi
  "$glassworks" run common.cfg "--campaign.directory=$name" "${model[@]}" "${graph[@]}" "--model.couplings=$4" \
    "--ladder.temperatures=$6" >"$name.log" 2>&1 || { cat "$name.log" >&2 && exit 1; }
  "$glassworks" analyze "$name" --csv "$name.csv" >"$name.txt"
  python3 - "$name.csv" "$1" "$2 ($3)" "$4" "$5" "$6" "$7" "$8" <<'END'
import csv, sys
file, graph, model, J, z, T, *exact = sys.argv[1:]
for row in csv.DictReader(line for line in open(file) if not line.startswith("#")):
    for name, column, value in zip(("energy", "chi_SG"), ("energy", "chi_sg"), map(float, exact)):
        if row["observable"] != column:
            continue
        mean, error = float(row["mean"]), float(row["error"])
        print(f"{graph:16} {model:6} {J:9} {z:>3} {float(T):10.6f} {row['L']:>6} {name:6} {value:10.6f} "
              f"{mean:9.6f}({error:.6f}) {(mean - value) / error:8.1f}")
END
}
exact="$(python3 - <<'END'
import math

def bessel(nu, x):  # I_nu(x) / (x/2)^nu, all terms positive
    term = total = 1.0 / math.gamma(nu + 1)
    for k in range(1, 400):
        term *= x * x / 4 / (k * (k + nu))
        total += term
        if term < 1e-17 * total:
            break
    return total

def A(n, x):
    return math.copysign(abs(x) / 2 * bessel(n / 2, abs(x)) / bessel(n / 2 - 1, abs(x)), x)

points = [(-9 + 18 * (i + 0.5) / 600) for i in range(600)]
weights = [math.exp(-x * x / 2) * 18 / 600 / math.sqrt(2 * math.pi) for x in points]

def mean(couplings, f):
    return f(1.0) if couplings == "bimodal" else sum(w * f(J) for J, w in zip(points, weights))

def T_c(couplings, n, branches):
    low, high = 0.05, 5.0
    for _ in range(40):
        T = (low + high) / 2
        if branches * mean(couplings, lambda J: A(n, J / T) ** 2) > 1:
            low = T
        else:
            high = T
    return T

cases = [("random-regular", n, "bimodal", z) for z in (3, 4, 6) for n in (1, 2, 3)]
cases += [("random-regular", n, "gaussian", 3) for n in (1, 2, 3)] + [("erdos-renyi", 1, "bimodal", c) for c in (4, 6)]
for graph, n, couplings, z in cases:
    T = 2 * T_c(couplings, n, z if graph == "erdos-renyi" else z - 1)
    u = -z / 2 * mean(couplings, lambda J: J * A(n, J / T))
    a = mean(couplings, lambda J: A(n, J / T) ** 2)
    chi = 1 / (1 - z * a) if graph == "erdos-renyi" else 1 + z * a / (1 - (z - 1) * a)
    print(graph, "ising" if n == 1 else "on", n, couplings, z, f"{T:.6f}", f"{u:.6f}", f"{chi:.6f}")
print("complete ising 1 gaussian 0 2.000000 -0.250000", f"{4 / 3:.6f}")
END
)"
while read -r -a columns; do row "${columns[@]}"; done <<<"$exact"
