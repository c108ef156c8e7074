#!/usr/bin/env bash
# Cluster updates beside the local heat bath at the transition of Ising ferromagnets on graphs: energies and integrated
# autocorrelation times.
#
#   configs/graphs/cluster-tau.sh [GLASSWORKS [FOLDER]]
#
# honeycomb   T_c = 2/ln(2 + sqrt 3), L x L cells of two sites; energy at T_c 2/sqrt 3 below 0 in the infinite lattice,
#             for L x L cells as torus.py says
# bcc         T_c = 1/0.157373, L^3 sites
# regular     random regular graphs, z = 4, T_c = 2/ln 2 from (z - 1) tanh(1/T_c) = 1; energy -2/3 in infinite graphs
#
# A measurement follows every update (a sweep, or one cluster update); tau in these units, 1/2 + sum rho.
set -euo pipefail
export LC_ALL=C
glassworks="$(realpath -- "${1:-build/glassworks}")"
folder="${2:-campaigns/cluster-tau}"
mkdir -p -- "$folder"
cd -- "$folder"
cat >common.cfg <<'END'
model.type = ising
model.couplings = ferromagnet
disorder.realizations = 16
replicas.copies = 1
protocol.exchange = none
protocol.exchanges_per_measurement = 1
round.measurements = 200
round.samples = 200
convergence.min_rounds = 16
convergence.max_rounds = 16
convergence.n_tau = 0
END
printf '%-15s %5s %-14s %22s %12s %12s\n' graph L update energy "tau E" "tau m2"
# row GRAPH L T OPTIONS...
row() {
  local graph="$1" L="$2" T="$3" update
  shift 3
  for update in local swendsen-wang wolff; do
    local name="$graph-$L-$update"
    "$glassworks" run common.cfg "--campaign.directory=$name" "--model.lattice=$graph" "--model.L=$L" \
      "--ladder.temperatures=$T" "--protocol.kind=$update" "$@" >"$name.log" 2>&1 || { tail -n 3 "$name.log" >&2; exit 1; }
    "$glassworks" analyze "$name" --csv "$name.csv" --force >/dev/null
    "$glassworks" report "$name" --out "$name.html" --csv "$name-tau" --force >/dev/null
    awk -F, -v graph="$graph" -v L="$L" -v update="$update" '
      FNR == NR { if ($3 == "energy") { energy = $4; error = $5 }; next }
      { tau[$2] = $4 }
      END { printf "%-15s %5d %-14s %11.6f(%8.6f) %12s %12s\n", graph, L, update, energy, error, tau["energy"],
        tau["magnetization_2"] }' "$name.csv" "$name-tau/autocorrelation.csv"
  done
}
options=("${@:3}")
row honeycomb 16 1.5186514 "${options[@]}"
row honeycomb 32 1.5186514 "${options[@]}"
row bcc 8 6.354330 "${options[@]}"
row bcc 16 6.354330 "${options[@]}"
row random-regular 1024 2.885390 --model.degree=4 "${options[@]}"
row random-regular 4096 2.885390 --model.degree=4 "${options[@]}"
