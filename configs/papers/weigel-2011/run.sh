#!/usr/bin/env bash
# Figures and tables of M. Weigel, Phys. Rev. E 84, 036709 (2011), that the program can repeat.
#
#   bash configs/papers/weigel-2011/run.sh [--only PART] [--out DIR] [--dry-run] [--section.key=value ...]
#
# --only PART   table-1     Swendsen-Wang updates of Potts models: table-1.csv; labelling alone by every method on a GPU, which
#                           has parts of Figs 8, 10 and 11 too: labelling.jsonl
#               figure-10   updates against L: figure-10.csv
#               figure-12   updates against beta: figure-12.csv
#               figure-13   updates against L on one core: figure-13.csv; the speed-up is its ratio to figure-10.csv of a GPU
#               figure-14   few-cluster beside single-cluster updates on one core: figure-14-L32.txt, -L64, -L128
# --out DIR     where all of it goes (campaigns/weigel-2011)
# --dry-run     prints the commands, and those of all campaigns
#
# Keys such as --backend.kind=cuda go to every campaign; UPDATES=, ONLY= and SYSTEMS= are those of published-timings.sh.
set -euo pipefail
. "$(dirname -- "${BASH_SOURCE[0]}")/../common.sh"

part_table_1() {
  timings weigel table-1
  bench_on_gpu "$out/labelling.jsonl" weigel || true
}

part_figure_10() { timings weigel-sizes figure-10; }

part_figure_12() { timings weigel-beta figure-12; }

part_figure_13() { timings weigel-sizes figure-13 --backend.kind=cpu --backend.threads=1; }

part_figure_14() {
  local L
  for L in 32 64 128; do
    step_into "$out/figure-14-L$L.txt" bash configs/papers/weigel-2011/few-cluster/compare.sh "$out/few-cluster" 2 $L swendsen-wang wolff \
      $((L / 2)):0.95 $((L / 4)):0.95 ${options[@]+"${options[@]}"}
  done
}

parts=(table-1 figure-10 figure-12 figure-13 figure-14)
begin "$@"
