#!/usr/bin/env bash
# Few-cluster updates against Swendsen-Wang and Wolff: processor time per decorrelation of the Ising model at beta_c.
#
#   bash configs/papers/weigel-2011/few-cluster/compare.sh DIRECTORY DIM L UPDATE... [options of glassworks run]
#
# UPDATE is swendsen-wang, wolff, or TILE:P, few-cluster with one seed in each tile of edge TILE and p_flip = P. Each is run
# twice in DIRECTORY, with the same program on one thread: with a measurement after every update (ising.cfg), which gives
# tau_int, and with one after 200 updates, whose processor time gives that of an update. One line for each on standard
# output, errors in brackets in units of the last digits:
#
#   tau E, tau m2   integrated autocorrelation times, 1/2 + sum rho [updates]
#   moved           part of the sites that an update moves
#   ns              processor time of an update and site, without measurement (median of 3)
#   us E, us m2     processor time per independent measurement, 2 tau x time of an update [microseconds]
#   s chi           processor time for chi = N <m^2> with an error of 1 % [s]: 2 tau x time x (<m^4>/<m^2>^2 - 1) x 10^4; of
#                   Swendsen-Wang also by the improved estimator, which the others do not have: times the square of the
#                   ratio of both errors over the runs
#
# REALIZATIONS=64 and ROUNDS=8 set the lengths, SPIN_UPDATES=2e8 that of a timing. A second call with the same DIRECTORY
# takes over the campaigns of the first and measures the times again: of several calls at once, repeat each alone in the end.
set -euo pipefail
glassworks="${GLASSWORKS:-build/glassworks}"
here="$(cd "$(dirname "$0")" && pwd)"
[[ $# -ge 4 ]] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
directory="$1" dim="$2" L="$3"
shift 3
updates=() options=()
for word in "$@"; do
  if [[ $word == --* ]]; then options+=("$word"); else updates+=("$word"); fi
done
case "$dim" in
  2) T=2.269185314213022 ;;
  3) T=4.511523256004592 ;;  # 1/0.221654626
  *) echo "compare.sh: DIM = $dim cannot be used (the critical temperature is known here in 2 and 3 dimensions)." >&2; exit 2 ;;
esac
mkdir -p "$directory"

# run NAME OPTIONS...: a campaign with its log.
run() {
  local name="$1"
  shift
  "$glassworks" run "$here/ising.cfg" "--campaign.directory=$directory/$name" --model.dim="$dim" --model.L="$L" \
    --ladder.temperatures="$T" --backend.threads=1 ${options[@]+"${options[@]}"} "$@" >"$directory/$name.log" 2>&1 ||
    { tail -n 3 "$directory/$name.log" >&2; exit 1; }
}
# processor_seconds COMMAND...: of the command and its children.
processor_seconds() {
  local TIMEFORMAT="%U"
  { time "$@" 2>&3; } 3>&2 2>&1
}
value() { # value NAME OBSERVABLE: "mean error" of analyze
  awk -F, -v name="$2" '$3 == name { print $4, $5 }' "$directory/$1.csv"
}
tau() { # tau NAME OBSERVABLE
  awk -F, -v name="$2" '$2 == name { print $4 }' "$directory/$1-tau/autocorrelation.csv"
}
N=$((dim == 2 ? L * L : L * L * L))
printf '%2s %5s %-14s %10s %10s %7s %6s %9s %9s %s\n' d L update "tau E" "tau m2" moved ns "us E" "us m2" "s chi"
for update in "${updates[@]}"; do
  case "$update" in
    *:*) kind=(--protocol.kind=few-cluster "--protocol.seed_tile=${update%:*}" "--protocol.p_flip=${update#*:}") ;;
    *) kind=("--protocol.kind=$update") ;;
  esac
  name="d$dim-L$L-${update/:/-}"
  runs="${REALIZATIONS:-64}" rounds="${ROUNDS:-8}"
  run "$name" "${kind[@]}" --disorder.realizations="$runs" --convergence.min_rounds="$rounds" \
    --convergence.max_rounds="$rounds"
  "$glassworks" analyze "$directory/$name" --csv "$directory/$name.csv" --force >/dev/null
  "$glassworks" report "$directory/$name" --out "$directory/$name.html" --csv "$directory/$name-tau" --force >/dev/null

  measurements=$(awk -v u="${SPIN_UPDATES:-2e8}" -v n="$N" 'BEGIN { m = int(u / (n * 8 * 200)); print (m > 1 ? m : 1) }')
  times=()
  for repeat in 1 2 3; do
    timing="$name-time-$repeat"
    rm -rf "${directory:?}/$timing"
    seconds=$(processor_seconds run "$timing" "${kind[@]}" --disorder.realizations=1 --protocol.cluster_sweeps=200 \
      --round.measurements="$measurements" --round.samples=0 --convergence.min_rounds=8 --convergence.max_rounds=8)
    times+=("$(awk -v s="$seconds" -v n="$N" -v m="$measurements" 'BEGIN { print 1e9 * s / (n * m * 8 * 200) }')")
    rm -rf "${directory:?}/$timing"
  done
  ns=$(printf '%s\n' "${times[@]}" | sort -g | sed -n 2p)

  read -r moved _ < <(value "$name" moved_sites)
  read -r m2 _ < <(value "$name" magnetization_2)
  read -r m4 _ < <(value "$name" magnetization_4)
  read -r _ plain < <(value "$name" chi_m)
  improved=""
  if [[ $update == swendsen-wang ]]; then read -r _ improved < <(value "$name" chi_m_improved); fi
  awk -v d="$dim" -v L="$L" -v update="$update" -v te="$(tau "$name" energy)" -v tm="$(tau "$name" magnetization_2)" \
    -v moved="$moved" -v ns="$ns" -v N="$N" -v m2="$m2" -v m4="$m4" -v plain="$plain" -v improved="$improved" '
    function number(x) { sub(/\(.*/, "", x); return x + 0 }
    # 12.3(45) times a factor, two digits of the error.
    function scaled(x, factor,    value, error, digits, point) {
      value = number(x); match(x, /\(.*\)/); error = substr(x, RSTART + 1, RLENGTH - 2)
      if (error !~ /\./) { point = index(x, "."); digits = point ? index(x, "(") - point - 1 : 0; error /= 10 ^ digits }
      return brackets(value * factor, error * factor)
    }
    function brackets(value, error,    digits) {
      digits = int(1 - log(error) / log(10)); if (error < 1) digits = int(2 - log(error) / log(10) - 1e-9)
      if (digits < 0) digits = 0
      return sprintf("%.*f(%.0f)", digits, value, error * (error >= 10 && digits == 0 ? 1 : 10 ^ digits))
    }
    BEGIN {
      us = 2 * ns * N * 1e-3
      chi = us * 1e-6 * (m4 / (m2 * m2) - 1) * 1e4
      printf "%2d %5d %-14s %10s %10s %7.3f %6.2f %9s %9s %s%s\n", d, L, update, te, tm, moved, ns, scaled(te, us),
        scaled(tm, us), scaled(tm, chi),
        improved == "" ? "" : sprintf("; improved %.2g", number(tm) * chi * (improved / plain) ^ 2)
    }'
done
