#!/usr/bin/env bash
# Times of cluster updates beside published ones: whole campaigns of 20 measurements.
#
#   bash configs/papers/published-timings.sh weigel|protzman-giedt [options of glassworks run]
#
# weigel          the lines of Table 1 of Weigel, PRE 84, 036709 (2011): every configuration in configs/papers/weigel-2011/table-1/
# protzman-giedt  both timing tables of Protzman & Giedt (2018): the Ising model at T = 2.5, phi^4 at kappa = 0.304
#
# Columns: ns per spin and update, from two campaigns of different length, so that start, measurements and checkpoints are not
# counted; minutes that 10000 updates take with all of this (scaled from what was run); the published times on a processor
# and on a GPU, in ns or in minutes. UPDATES=1000 updates of each system (40 or more; take more where they last less than a
# second); ONLY=8192: one size; SYSTEMS=128: so many independent systems together. Campaigns are made in a temporary folder and
# removed.
set -euo pipefail
glassworks="${GLASSWORKS:-build/glassworks}"
here="$(cd "$(dirname "$0")" && pwd)"
what="${1:-}"
shift || true
updates="${UPDATES:-1000}"
((updates >= 40)) || { echo "published-timings.sh: UPDATES = $updates is too small (20 are compared with it). Use 40 or more." >&2; exit 2; }
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

# seconds_of SWEEPS CONFIG SYSTEMS OPTIONS...: of a whole campaign of 20 measurements, each after so many updates.
seconds_of() {
  local sweeps="$1" config="$2" systems="$3" begin
  shift 3
  rm -rf "$folder/campaign"
  begin=$(date +%s.%N)
  "$glassworks" run "$config" "--campaign.directory=$folder/campaign" --disorder.realizations="$systems" \
    --protocol.cluster_sweeps="$sweeps" --round.measurements=10 --round.samples=0 --convergence.min_rounds=2 \
    --convergence.max_rounds=2 --convergence.n_tau=0 "$@" >"$folder/log" 2>&1 || return 1
  awk -v begin="$begin" -v end="$(date +%s.%N)" 'BEGIN { print end - begin }'
}

# time_updates CONFIG SITES SYSTEMS OPTIONS...: sets `ns` and `minutes`; "-" where the campaign cannot be run.
status=0
time_updates() {
  local config="$1" sites="$2" systems="$3" short long
  shift 3
  ns=- minutes=-
  if ! { short=$(seconds_of 1 "$config" "$systems" "$@") &&
    long=$(seconds_of $((updates / 20)) "$config" "$systems" "$@"); }; then
    tail -n 1 "$folder/log" >&2
    status=1
    return
  fi
  read -r ns minutes < <(awk -v short="$short" -v long="$long" -v updates=$((updates / 20 * 20)) -v sites="$sites" \
    -v systems="$systems" 'BEGIN {
      printf "%.4g %.4g\n", 1e9 * (long - short) / ((updates - 20) * sites * systems), long / 60 * 10000 / updates
    }')
}

# The lines of the tables: configuration, q, beta/beta_c, L, systems, published ns; model, L, d, published minutes.
weigel_lines() {
  cat <<'END'
q2-L512 2 1 512 16 61.63, 6.533 (relaxation) and 12.17 (sewing)
q2-L8192 2 1 8192 1 77.39 to 149.6, 2.697 to 3.934 (sewing), 7.154 (relaxation)
q2-L16384 2 1 16384 1 152.1, 3.573 (sewing)
q2-L8192-beta0.6 2 0.6 8192 1 57.12, 1.863 (sewing)
q2-L8192-beta1.4 2 1.4 8192 1 135.7, 4.164 (sewing)
q3-L8192 3 1 8192 1 70.73, 3.059 (sewing)
q4-L8192 4 1 8192 1 65.51, 2.887 (sewing)
END
}
protzman_giedt_lines() {
  cat <<'END'
ising 128 2 0.339, 0.112
ising 256 2 1.369, 0.151
ising 512 2 5.367, 0.390
ising 1024 2 21.497, 1.472
ising 2048 2 89.504, 5.483
ising 4096 2 400.372, 22.440
phi4 16 4 11.246, 0.186
phi4 20 4 26.931, 0.305
phi4 24 4 57.939, 0.619
phi4 28 4 106.821, 1.188
END
}

# require_size COLUMN LINES: refuses ONLY if no line has that size in the column.
require_size() {
  local sizes
  [[ -n ${ONLY:-} ]] || return 0
  sizes=$(awk -v column="$1" '{ print $column }' <<<"$2" | sort -nu | paste -sd' ')
  [[ " $sizes " == *" $ONLY "* ]] && return
  echo "published-timings.sh: ONLY = $ONLY is no size of $what (they are ${sizes// /, }). Use one of these, or leave it out." >&2
  exit 2
}

case "$what" in
  weigel)
    require_size 4 "$(weigel_lines)"
    printf '%2s %7s %6s %8s %12s %10s   %s\n' q b/b_c L systems ns minutes "published: CPU ns, GPU ns"
    while read -r name q ratio L systems published; do
      if [[ -n ${ONLY:-} && $ONLY != "$L" ]]; then continue; fi
      systems="${SYSTEMS:-$systems}"
      time_updates "$here/weigel-2011/table-1/$name.cfg" $((L * L)) "$systems" "$@"
      printf '%2d %7s %6d %8d %12s %10s   %s\n' "$q" "$ratio" "$L" "$systems" "$ns" "$minutes" "$published"
    done < <(weigel_lines)
    ;;
  protzman-giedt)
    require_size 2 "$(protzman_giedt_lines)"
    printf '%-6s %6s %12s %10s   %s\n' model L ns minutes "published: CPU minutes, GPU minutes"
    while read -r model L d published; do
      if [[ -n ${ONLY:-} && $ONLY != "$L" ]]; then continue; fi
      config="$here/protzman-giedt-2018/phi4.cfg"
      if [[ $model == ising ]]; then config="$here/protzman-giedt-2018/ising-timing.cfg"; fi
      time_updates "$config" $((L ** d)) "${SYSTEMS:-1}" --model.L="$L" "$@"
      printf '%-6s %6d %12s %10s   %s\n' "$model" "$L" "$ns" "$minutes" "$published"
    done < <(protzman_giedt_lines)
    ;;
  *)
    sed -n '2,5s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
exit "$status"
