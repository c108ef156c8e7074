#!/usr/bin/env bash
# Figures and tables of T. Yavors'kii and M. Weigel, Eur. Phys. J. Spec. Top. 210, 159 (2012).
#
#   bash configs/papers/yavorskii-weigel-2012/run.sh [--only PART] [--out DIR] [--dry-run] [--section.key=value ...]
#
# --only PART   figure-2   xi_L/L of L = 4 and 8: results in figure-2.csv and figure-2/
#               figure-3   acceptance of exchanges and, in the inset, realizations by round trips of a replica in 2e4 measurements,
#                          geometric and linear ladder: figure-3.svg, figure-3-LADDER.csv (acceptance),
#                          figure-3-LADDER-realizations.csv (round trips of the 64 replicas of a realization), figure-3-LADDER/
#               random-field   xi_L/L and xi_c/L of L = 4 and 6 in a random field, four copies: random-field.csv, random-field/
#               table-1    times of an update on a GPU (--backend.kind=cuda) or on one core (--backend.kind=cpu
#                          --backend.threads=1): table-1-KIND.csv
# --out DIR     where all of it goes (campaigns/yavorskii-weigel-2012)
# --dry-run     shows what campaigns would cost and prints the other commands
#
# Keys such as --backend.kind=cuda go to every campaign. A campaign that was interrupted is continued.
set -euo pipefail
. "$(dirname -- "${BASH_SOURCE[0]}")/../common.sh"
here=configs/papers/yavorskii-weigel-2012

part_figure_2() {
  campaign $here/figure-2.cfg campaign-2
  step "$glassworks" analyze "$out/campaign-2" --csv "$out/figure-2.csv" --force
  step "$glassworks" plot "$out/campaign-2" --figures xi_over_L --out "$out/figure-2" --force
}

part_figure_3() {
  local ladder
  for ladder in geometric linear; do
    campaign $here/figure-3.cfg "campaign-3-$ladder" --ladder.kind=$ladder
    step "$glassworks" analyze "$out/campaign-3-$ladder" --observables acceptance --csv "$out/figure-3-$ladder.csv" --force
    step "$glassworks" inspect "$out/campaign-3-$ladder" --csv "$out/figure-3-$ladder-realizations.csv" --force
    step "$glassworks" plot "$out/campaign-3-$ladder" --figures acceptance,distribution_round_trips --out "$out/figure-3-$ladder" --force
  done
  local plot="" inset=""
  for ladder in geometric linear; do
    plot+="'$out/figure-3-$ladder.csv' using 2:4 every ::1 with linespoints pointtype 7 pointsize 0.5 title '$ladder', "
    inset+="'$out/figure-3-$ladder-realizations.csv' using (floor(\$5 / 64.0 * 0.2 / 0.1 + 0.5) * 0.1):(1) every ::1 smooth frequency with boxes notitle, "
  done
  draw figure-3 "set multiplot; set xlabel 'T'; set ylabel 'acceptance of exchanges'; set yrange [0:1.3]; set key top left; plot ${plot%, };
    set origin 0.45,0.55; set size 0.52,0.43; set ytics 40; set xlabel 'round trips of a replica'; set ylabel 'realizations'; set xrange [0:8]; set yrange [0:*];
    set boxwidth 0.1; set style fill solid 0.5; plot ${inset%, }"
}

part_random_field() {
  local lengths=xi_field_over_L,xi_chiral_field_over_L,xi_chiral_perp_field_over_L
  campaign $here/random-field.cfg campaign-random-field
  step "$glassworks" analyze "$out/campaign-random-field" --observables "chi_sg_field,chi_cg_field,$lengths" \
    --csv "$out/random-field.csv" --force
  step "$glassworks" plot "$out/campaign-random-field" --figures $lengths --panels 1x3 --format svg --width 17.8 --out "$out/random-field" \
    --force
}

part_table_1() {
  timings yavorskii-weigel "table-1$(backend_suffix)"
}

parts=(figure-2 figure-3 random-field table-1)
begin "$@"
