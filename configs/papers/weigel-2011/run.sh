#!/usr/bin/env bash
# Figures and tables of M. Weigel, Phys. Rev. E 84, 036709 (2011), that the program can repeat.
#
#   bash configs/papers/weigel-2011/run.sh [--only PART] [--out DIR] [--dry-run] [--section.key=value ...]
#
# --only PART   table-1     Swendsen-Wang updates of Potts models: table-1.csv; labelling alone by every method on a GPU, which
#                           has parts of Figs 8, 10 and 11 too: labelling.jsonl
#               figure-10   updates against L: figure-10.csv, .svg
#               figure-12   updates against beta: figure-12.csv, .svg
#               figure-13   updates against L on one core: figure-13.csv; speed-up of figure-10 over it: figure-13.svg
#               figure-14   few-cluster beside single-cluster updates on one core: figure-14-L32.txt, -L64, -L128
# --out DIR     where all of it goes (campaigns/weigel-2011)
# --dry-run     prints the commands, and those of all campaigns
#
# Keys such as --backend.kind=cuda go to every campaign; ONLY= and SYSTEMS= are those of published-timings.sh.
set -euo pipefail
. "$(dirname -- "${BASH_SOURCE[0]}")/../common.sh"

part_table_1() {
  timings weigel table-1
  bench_on_gpu "$out/labelling.jsonl" weigel || true
}

# paper,table,row,CPU ns,CPU,GPU ns,GPU,ns,device,updates,start
part_figure_10() {
  timings weigel-sizes figure-10
  draw figure-10 "set logscale xy; set xlabel 'L'; set ylabel 'ns per spin and update'; set key off;
    plot '$out/figure-10.csv' every ::1 using 3:8 with linespoints"
}

part_figure_12() {
  timings weigel-beta figure-12
  draw figure-12 "set logscale y; set xlabel 'beta/beta_c'; set ylabel 'ns per spin and update'; set key off;
    plot '$out/figure-12.csv' every ::1 using 3:8 with linespoints"
}

part_figure_13() {
  timings weigel-sizes figure-13 --backend.kind=cpu --backend.threads=1
  [[ -n $dry_run || -e $out/figure-10.csv ]] || { echo "figure-13.svg is left out (there is no $out/figure-10.csv). Run figure-10 first."; return; }
  [[ -n $dry_run ]] || paste -d, "$out/figure-10.csv" "$out/figure-13.csv" |
    awk -F, 'NR > 1 && $3 == $14 && $8 > 0 && $19 > 0 { print $3 "," $19 / $8 }' >"$out/figure-13-speed-up.csv"
  draw figure-13 "set logscale x; set xlabel 'L'; set ylabel 'time on one core / time of figure-10'; set key off;
    plot '$out/figure-13-speed-up.csv' using 1:2 with linespoints"
}

part_figure_14() {
  local L
  for L in 32 64 128; do
    step_into "$out/figure-14-L$L.txt" bash configs/papers/weigel-2011/few-cluster/compare.sh "$out/few-cluster" 2 $L swendsen-wang wolff \
      $((L / 2)):0.95 $((L / 4)):0.95 ${options[@]+"${options[@]}"}
  done
}

parts=(table-1 figure-10 figure-12 figure-13 figure-14)
begin "$@"
