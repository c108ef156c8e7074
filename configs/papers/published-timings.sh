#!/usr/bin/env bash
# Times of updates beside published ones: whole campaigns of 20 measurements.
#
#   bash configs/papers/published-timings.sh TABLE [--csv FILE] [--dry-run] [options of glassworks run]
#
# TABLE is one of
#   weigel             Table 1 of Weigel, PRE 84, 036709 (2011): the configurations in weigel-2011/table-1/
#   weigel-sizes       its Figs 10 and 13: q = 2 at beta_c against L, one system
#   weigel-beta        its Fig. 12: q = 2, L = 8192, against beta/beta_c
#   protzman-giedt     both timing tables of Protzman and Giedt (2018): the Ising model at T = 2.5, phi^4 at kappa = 0.304
#   yavorskii-weigel   Table 1 of Yavors'kii and Weigel (2012): 256 systems of L = 32 at T = 100
#
# --csv FILE writes the table to a new file; --dry-run prints the campaigns and runs none. Columns: ns per spin and update, from
# two campaigns of different length, so that start, measurements and checkpoints are not counted; minutes that 10000 updates take
# with all of this (scaled from what was run); the published times on a processor and on a GPU, in ns or in minutes.
# UPDATES=1000 updates of each system (40 or more; take more where they last less than a second); ONLY=8192: one size;
# SYSTEMS=128: so many independent systems together. Campaigns are made in a temporary folder and removed.
set -euo pipefail
glassworks="${GLASSWORKS:-build/glassworks}"
here="$(cd "$(dirname "$0")" && pwd)"
die() {
  echo "published-timings.sh: $*" >&2
  exit 2
}

table="${1:-}"
shift || true
updates="${UPDATES:-1000}"
[[ $updates =~ ^[0-9]+$ ]] || die "UPDATES = $updates cannot be used (it is no whole number). Use 40 or more."
((updates >= 40)) || die "UPDATES = $updates is too small (20 are compared with it). Use 40 or more."
[[ ${SYSTEMS:-1} =~ ^[1-9][0-9]*$ ]] || die "SYSTEMS = $SYSTEMS cannot be used (it is no number of systems). Use 1 or more."
csv="" dry_run="" options=()
while (($# > 0)); do
  case "$1" in
    --csv)
      [[ -n ${2:-} ]] || die "--csv has no value (a file name must follow). Write --csv FILE."
      [[ ! -e $2 ]] || die "$2 exists (it would be replaced). Name another file, or remove it."
      csv="$2"
      shift
      ;;
    --dry-run) dry_run=1 ;;
    --*.*=*) options+=("$1") ;;
    *) die "'$1' cannot be used (it is neither --csv, --dry-run nor --section.key=value). See the head of this script." ;;
  esac
  shift
done
exec 3>&1 # seconds_of prints commands there
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

# seconds_of UPDATES CONFIG SYSTEMS OPTIONS...: of a whole campaign of 20 measurements, each after so many updates.
seconds_of() {
  local sweeps="$1" config="$2" systems="$3" begin key=cluster_sweeps command
  shift 3
  [[ $table != yavorskii-weigel ]] || key=sweeps_per_exchange
  command=("$glassworks" run "${config#"$PWD/"}" "--campaign.directory=$folder/campaign" "--disorder.realizations=$systems"
    "--protocol.$key=$sweeps" --round.measurements=10 --round.samples=0 --convergence.min_rounds=2 --convergence.max_rounds=2
    --convergence.n_tau=0 "$@" ${options[@]+"${options[@]}"})
  if [[ -n $dry_run ]]; then
    echo "${command[*]}" >&3
    echo 0
    return
  fi
  rm -rf "$folder/campaign"
  begin=$(date +%s.%N)
  "${command[@]}" >"$folder/log" 2>&1 || return 1
  awk -v begin="$begin" -v end="$(date +%s.%N)" 'BEGIN { print end - begin }'
}

# time_updates CONFIG SITES SYSTEMS OPTIONS...: sets `ns` and `minutes`; "-" where they cannot be measured. SITES: spin updates
# of a system in one update.
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
  [[ -z $dry_run ]] || return 0
  read -r ns minutes < <(awk -v short="$short" -v long="$long" -v updates=$((updates / 20 * 20)) -v sites="$sites" \
    -v systems="$systems" 'BEGIN {
      ns = 1e9 * (long - short) / ((updates - 20) * sites * systems)
      text = ns > 0 ? sprintf("%.4g", ns) : "-"
      printf "%s %.4g\n", text, long / 60 * 10000 / updates
    }')
  [[ $ns != - ]] || echo "published-timings.sh: the next line has no ns (its updates last too short a time). Raise UPDATES." >&2
}

# The lines of the tables: configuration, q, beta/beta_c, L, systems, published ns.
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
# published_at RATIO L: what the table has of q = 2 there; "-" where it has nothing.
published_at() {
  weigel_lines | awk -v ratio="$1" -v L="$2" '$2 == 2 && $3 == ratio && $4 == L { sub(/^([^ ]+ ){5}/, ""); found = $0 }
    END { print found == "" ? "-" : found }'
}
weigel_sizes_lines() {
  local L
  for L in 32 64 128 256 512 1024 2048 4096 8192 16384; do
    echo "q2-L512 2 1 $L 1 $(published_at 1 "$L")"
  done
}
weigel_beta_lines() {
  local ratio published
  for ratio in 0.2 0.4 0.6 0.8 0.9 0.95 1 1.05 1.1 1.2 1.4 1.6; do
    published="$(published_at "$ratio" 8192)"
    [[ $ratio != 1 ]] || published="77.39, 3.179 (sewing) and 7.154 (relaxation)" # of the GTX 480 alone
    echo "q2-L8192 2 $ratio 8192 1 $published"
  done
}
# model, L, d, published minutes.
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
# heat-bath and over-relaxation sweeps of an update, published ns. Over-relaxation alone conserves the energy: no campaign runs it.
yavorskii_weigel_lines() {
  cat <<'END'
1 0 242, 2.23 (1.58 with fast_math)
1 10 61, 0.45 (0.39 with fast_math)
1 100 -, 0.29
END
}

# require_size COLUMN LINES: refuses ONLY if no line has that size in the column.
require_size() {
  local sizes
  [[ -n ${ONLY:-} ]] || return 0
  sizes=$(awk -v column="$1" '{ print $column }' <<<"$2" | sort -nu | paste -sd' ')
  [[ " $sizes " == *" $ONLY "* ]] && return
  die "ONLY = $ONLY is no size of $table (they are ${sizes// /, }). Use one of these, or leave it out."
}

# row FORMAT VALUE...: a line of the table; with --csv also one of the file. The last value may contain commas.
row() {
  local format="$1"
  shift
  # shellcheck disable=SC2059
  [[ -n $dry_run ]] || printf "$format\n" "$@"
  if [[ -n $csv && -z $dry_run ]]; then { printf '%s,' "${@:1:$#-1}" && printf '"%s"\n' "${!#}"; } >>"$csv"; fi
}

case "$table" in
  weigel | weigel-sizes | weigel-beta)
    lines="$("${table//-/_}_lines")"
    require_size 4 "$lines"
    row '%2s %7s %6s %8s %12s %10s   %s' q b/b_c L systems ns minutes "published: CPU ns, GPU ns"
    while read -r name q ratio L systems published; do
      if [[ -n ${ONLY:-} && $ONLY != "$L" ]]; then continue; fi
      systems="${SYSTEMS:-$systems}"
      other=()
      if [[ $table == weigel-sizes ]]; then other=("--model.L=$L"); fi
      if [[ $table == weigel-beta ]]; then
        other=("--ladder.temperatures=$(awk -v r="$ratio" 'BEGIN { printf "%.12g", 1 / (r * log(1 + sqrt(2))) }')")
      fi
      time_updates "$here/weigel-2011/table-1/$name.cfg" $((L * L)) "$systems" ${other[@]+"${other[@]}"}
      row '%2d %7s %6d %8d %12s %10s   %s' "$q" "$ratio" "$L" "$systems" "$ns" "$minutes" "$published"
    done <<<"$lines"
    ;;
  protzman-giedt)
    require_size 2 "$(protzman_giedt_lines)"
    row '%-6s %6s %12s %10s   %s' model L ns minutes "published: CPU minutes, GPU minutes"
    while read -r model L d published; do
      if [[ -n ${ONLY:-} && $ONLY != "$L" ]]; then continue; fi
      config="$here/protzman-giedt-2018/phi4.cfg"
      if [[ $model == ising ]]; then config="$here/protzman-giedt-2018/ising-timing.cfg"; fi
      time_updates "$config" $((L ** d)) "${SYSTEMS:-1}" --model.L="$L"
      row '%-6s %6d %12s %10s   %s' "$model" "$L" "$ns" "$minutes" "$published"
    done < <(protzman_giedt_lines)
    ;;
  yavorskii-weigel)
    [[ -z ${ONLY:-} || $ONLY == 32 ]] || die "ONLY = $ONLY is no size of $table (it is 32). Leave it out."
    systems="${SYSTEMS:-256}" # two copies of each realization
    row '%3s %4s %8s %12s %10s   %s' HB OR systems ns minutes "published: CPU ns, GPU ns"
    while read -r heatbath overrelaxation published; do
      time_updates "$here/yavorskii-weigel-2012/table-1.cfg" $((32 ** 3 * (heatbath + overrelaxation) * 2)) $(((systems + 1) / 2)) \
        --protocol.heatbath="$heatbath" --protocol.overrelaxation="$overrelaxation"
      row '%3d %4d %8d %12s %10s   %s' "$heatbath" "$overrelaxation" "$systems" "$ns" "$minutes" "$published"
    done < <(yavorskii_weigel_lines)
    ;;
  *)
    sed -n '2,12s/^# \{0,1\}//p' "$0" >&2
    [[ $table == --help || $table == -h ]] && exit 0
    exit 2
    ;;
esac
exit "$status"
