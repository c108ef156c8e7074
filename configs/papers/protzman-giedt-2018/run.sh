#!/usr/bin/env bash
# Figures and tables of T. Protzman and J. Giedt, GPU acceleration of Swendsen-Wang dynamics (2018).
#
#   bash configs/papers/protzman-giedt-2018/run.sh [--only PART] [--out DIR] [--dry-run] [--section.key=value ...]
#
# --only PART   figures-5-to-7   energy, specific heat and magnetization of the Ising model against T: figures-5-to-7.csv and
#                                figures-5-to-7/
#               timings          both tables, times against L, on a GPU (--backend.kind=cuda) or processors (--backend.kind=cpu):
#                                timings-KIND.csv; figure-8.csv, .svg (Ising), figure-9.csv, .svg (phi^4)
# --out DIR     where all of it goes (campaigns/protzman-giedt-2018)
# --dry-run     shows what the campaign would cost and prints the other commands
#
# Keys such as --backend.kind=cuda go to every campaign; ONLY= and SYSTEMS= are those of published-timings.sh.
set -euo pipefail
. "$(dirname -- "${BASH_SOURCE[0]}")/../common.sh"

part_figures_5_to_7() {
  campaign configs/papers/protzman-giedt-2018/ising.cfg campaign
  step "$glassworks" analyze "$out/campaign" --csv "$out/figures-5-to-7.csv" --force
  step "$glassworks" plot "$out/campaign" --figures energy,specific_heat,magnetization_abs --out "$out/figures-5-to-7" --force
}

# Minutes for 10000 updates against L, published and ours, from all timings*.csv: L,E5-2695,P100,processors,GPU of each model.
part_timings() {
  local model number=8
  timings protzman-giedt "timings$(backend_suffix)"
  for model in ising phi4; do
    [[ -n $dry_run ]] || awk -F, -v model=$model -v dim=$((number == 8 ? 2 : 4)) '
      function minutes(ns) { return ns == "-" || ns == "" ? "-" : ns * 1e4 * $3 ^ dim / 6e10 }
      $2 == model && !($3 in published) { sizes[++n] = $3; published[$3] = minutes($4) "," minutes($6) }
      $2 == model { ours[$3, $9 ~ /^cuda/] = minutes($8) }
      END { for (i = 1; i <= n; ++i) { L = sizes[i]; print L "," published[L] "," (((L, 0) in ours) ? ours[L, 0] : "-") "," (((L, 1) in ours) ? ours[L, 1] : "-") } }
    ' "$out"/timings*.csv >"$out/figure-$number.csv"
    draw "figure-$number" "set xlabel 'L'; set ylabel 'minutes for 10000 updates'; set logscale xy; set key left top;
      titles = '\"E5-2695\" \"P100\" \"processors here\" \"GPU here\"'; plot for [k = 2:5] '$out/figure-$number.csv' using 1:k with linespoints title word(titles, k - 1)"
    number=9
  done
}

parts=(figures-5-to-7 timings)
begin "$@"
