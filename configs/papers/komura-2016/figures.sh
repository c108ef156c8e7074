#!/usr/bin/env bash
# Figures 5 to 10 of Y. Komura, A generalized GPU-based connected component labeling algorithm (2016).
#
#   bash configs/papers/komura-2016/figures.sh FIGURE [options of glassworks percolate]
#
#   5   honeycomb lattice, crossing probability for p = 0.64 .. 0.66, N = 512^2, 1024^2, 2048^2, 4096^2
#   6   triangular lattice, the same for p = 0.337 .. 0.357
#   7   time of one labelling of both lattices at p = p_c/2, p_c, 3 p_c/2, the same N
#   8   a Bethe lattice of 94 sites with the clusters at 1.5 p_c, standard numbering: bethe.py draws it, percolate counts them
#   9   the same clusters, random numbering
#   10  time of one labelling of the Bethe lattice, z = 3, N = 393214 .. 12582910 (17 to 22 generations), both numberings
#
# Files figure-N*.csv and figure-N*.html appear in the working directory. Options at the end are added to those here:
# --backend cpu, --method direct, --seed 2, ... SAMPLES=N changes the number of samples. The paper does not say how many
# it takes, nor the boundary: it is periodic here, with clusters that wrap; `--open` asks for clusters that span.
set -euo pipefail
glassworks="${GLASSWORKS:-build/glassworks}"
here="$(cd -- "$(dirname -- "$0")" && pwd)"
figure="${1:-}"
shift || true

# percolate NAME ARGUMENTS...
percolate() {
  local name="$1"
  shift
  "$glassworks" percolate "$@" --csv "$name.csv" --plot "$name.html" --force
}

sizes=(--size 512 --size 1024 --size 2048 --size 4096)
p_honeycomb=0.652703644666139 p_triangular=0.347296355333861
case "$figure" in
  5) percolate figure-5 --graph honeycomb "${sizes[@]}" --p 0.64:0.66:0.001 --samples "${SAMPLES:-200}" "$@" ;;
  6) percolate figure-6 --graph triangular "${sizes[@]}" --p 0.337:0.357:0.001 --samples "${SAMPLES:-200}" "$@" ;;
  7)
    percolate figure-7-honeycomb --graph honeycomb "${sizes[@]}" --samples "${SAMPLES:-20}" --threads 1 \
      --p "0.326351822333070,$p_honeycomb,0.979055466999209" "$@"
    percolate figure-7-triangular --graph triangular "${sizes[@]}" --samples "${SAMPLES:-20}" --threads 1 \
      --p "0.173648177666931,$p_triangular,0.520944533000792" "$@"
    ;;
  8 | 9)
    numbering=standard
    [[ $figure == 8 ]] || numbering=random
    python3 "$here/bethe.py" "figure-$figure" --numbering "$numbering"
    percolate "figure-$figure" --edges "figure-$figure-edges.txt" --p 1 --samples 1 "$@"
    ;;
  10)
    for numbering in standard random; do
      percolate "figure-10-$numbering" --graph bethe --z 3 --generations 17,18,19,20,21,22 --numbering "$numbering" \
        --p 0.25,0.5,0.75 --samples "${SAMPLES:-20}" --threads 1 "$@"
    done
    ;;
  *)
    echo "Usage: bash $0 5|6|7|8|9|10 [options of glassworks percolate]" >&2
    exit 2
    ;;
esac
