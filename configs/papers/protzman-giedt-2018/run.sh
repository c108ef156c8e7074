#!/usr/bin/env bash
# Figures and tables of T. Protzman and J. Giedt, GPU acceleration of Swendsen-Wang dynamics (2018).
#
#   bash configs/papers/protzman-giedt-2018/run.sh [--only PART] [--out DIR] [--dry-run] [--section.key=value ...]
#
# --only PART   figures-5-to-7   energy, specific heat and magnetization of the Ising model against T: figures-5-to-7.csv and
#                                figures-5-to-7/
#               timings          both tables and Figs 8 and 9, times against L: timings.csv
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

part_timings() { timings protzman-giedt timings; }

parts=(figures-5-to-7 timings)
begin "$@"
