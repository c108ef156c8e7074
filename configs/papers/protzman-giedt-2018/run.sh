#!/usr/bin/env bash
# Figures and tables of T. Protzman and J. Giedt, GPU acceleration of Swendsen-Wang dynamics (2018).
#
#   bash configs/papers/protzman-giedt-2018/run.sh [--only PART] [--out DIR] [--dry-run] [--section.key=value ...]
#
# --only PART   figures-5-to-7   energy, specific heat and magnetization of the Ising model against T: figures-5-to-7.csv and
#                                figures-5-to-7/
#               timings          both tables, times against L: timings.csv; figure-8.svg, figure-9.svg
# --out DIR     where all of it goes (campaigns/protzman-giedt-2018)
# --dry-run     shows what the campaign would cost and prints the other commands
#
# Keys such as --backend.kind=cuda go to every campaign; UPDATES=, ONLY= and SYSTEMS= are those of published-timings.sh.
set -euo pipefail
. "$(dirname -- "${BASH_SOURCE[0]}")/../common.sh"

part_figures_5_to_7() {
  campaign configs/papers/protzman-giedt-2018/ising.cfg campaign
  step "$glassworks" analyze "$out/campaign" --csv "$out/figures-5-to-7.csv" --force
  step "$glassworks" plot "$out/campaign" --figures energy,specific_heat,magnetization_abs --out "$out/figures-5-to-7" --force
}

part_timings() {
  local model number=8 columns="set xlabel 'L'; set ylabel 'minutes for 10000 updates'; set logscale xy; set key left top; plot"
  local titles="here published-CPU published-GPU"
  timings protzman-giedt timings
  for model in ising phi4; do
    # model,L,ns,minutes,"published on a CPU, on a GPU"
    [[ -n $dry_run ]] || sed -n "s/\"//g; s/, /,/; /^$model,/p" "$out/timings.csv" >"$out/figure-$number.csv"
    draw "figure-$number" "$columns for [k = 4:6] '$out/figure-$number.csv' using 2:k with linespoints title word('$titles', k - 3)"
    number=9
  done
}

parts=(figures-5-to-7 timings)
begin "$@"
