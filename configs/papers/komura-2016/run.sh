#!/usr/bin/env bash
# Figures of Y. Komura, A generalized GPU-based connected component labeling algorithm (2016).
#
#   bash configs/papers/komura-2016/run.sh [--only PART] [--out DIR] [--dry-run]
#
# --only PART   figure-1    the clusters of the network of Figs 1 to 4: figure-1.csv
#               figure-5, figure-6    crossing probabilities of the honeycomb and the triangular lattice: .csv, .html
#               figure-8, figure-9    clusters of a Bethe lattice, standard and random numbering: .svg, numbers .csv
#               figure-7, figure-10   times of whole calls: .csv, .html; with a GPU also of the device alone: device/
# --out DIR     where all of it goes (campaigns/komura-2016)
# --dry-run     prints the commands
#
# SAMPLES=N changes the number of samples.
set -euo pipefail
. "$(dirname -- "${BASH_SOURCE[0]}")/../common.sh"

# figure N: figures.sh, which writes into its working directory.
figure() {
  echo "bash configs/papers/komura-2016/figures.sh $1"
  [[ -n $dry_run ]] || (GLASSWORKS="$(realpath -- "$glassworks")" && cd -- "$out" && bash "$papers/komura-2016/figures.sh" "$1")
}

# on_device: the times of both figures, once.
on_device() {
  if [[ -n $dry_run || ! -s $out/device/komura.jsonl ]]; then
    [[ -n $dry_run ]] || mkdir -p -- "$out/device"
    bench_on_gpu "$out/device/komura.jsonl" komura || return 0
  fi
  echo "bash configs/papers/komura-2016/device-times.sh $out/device/komura.jsonl"
  [[ -n $dry_run ]] || (cd -- "$out/device" && bash "$papers/komura-2016/device-times.sh" komura.jsonl)
}

part_figure_1() {
  step "$glassworks" percolate --edges configs/papers/komura-2016/figure-1.txt --p 1 --samples 1 --csv "$out/figure-1.csv" --force
}
part_figure_5() { figure 5; }
part_figure_6() { figure 6; }
part_figure_7() { figure 7 && on_device; }
part_figure_8() { figure 8; }
part_figure_9() { figure 9; }
part_figure_10() { figure 10 && on_device; }

no_campaigns=1
parts=(figure-1 figure-5 figure-6 figure-7 figure-8 figure-9 figure-10)
begin "$@"
