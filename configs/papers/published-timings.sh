#!/usr/bin/env bash
# Times of updates beside published ones, each measured by `glassworks bench --config`.
#
#   bash configs/papers/published-timings.sh TABLE [--csv FILE] [--quick] [--dry-run] [--section.key=value ...]
#
# TABLE is one of
#   weigel             Table 1 of Weigel, PRE 84, 036709 (2011): the configurations in weigel-2011/table-1/
#   weigel-sizes       its Figs 10 and 13: q = 2 at beta_c against L, one system
#   weigel-beta        its Fig. 12: q = 2, L = 8192, against beta/beta_c
#   protzman-giedt     both timing tables of Protzman and Giedt (2018): the Ising model at T = 2.5, phi^4 at kappa = 0.304
#   yavorskii-weigel   Table 1 of Yavors'kii and Weigel (2012): 256 systems of L = 32 at T = 100
#
# Keys such as --backend.kind=cuda go to every line. --csv FILE writes the table to a new file; --quick measures each line
# for a fraction of a second; --dry-run prints the commands and runs none. ONLY=8192: one size; SYSTEMS=128: so many independent
# systems together.
#
# Columns of the CSV file: paper, table, row (what the table counts by: updates, L or beta/beta_c), published_cpu_ns and
# published_gpu_ns with their hardware, ns (ours, of one spin and update, without measurements), device (ours), updates (of spins,
# that were timed), start_seconds (backend, disorder, states, first step; not in ns). Minutes of Protzman and Giedt for 10000 updates
# are published_cpu_ns x 10000 N / 6e10. A "-" stands where there is no number.
set -euo pipefail
glassworks="${GLASSWORKS:-build/glassworks}"
here="$(cd "$(dirname "$0")" && pwd)"
die() {
  echo "published-timings.sh: $*" >&2
  exit 2
}

table="${1:-}"
case "$table" in
  weigel | weigel-sizes | weigel-beta | protzman-giedt | yavorskii-weigel) shift ;;
  --help | -h)
    sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0"
    exit 0
    ;;
  *) die "there is no table '$table' (weigel, weigel-sizes, weigel-beta, protzman-giedt and yavorskii-weigel are known). Use one of these." ;;
esac
[[ ${SYSTEMS:-1} =~ ^[1-9][0-9]*$ ]] || die "SYSTEMS = $SYSTEMS cannot be used (it is no number of systems). Use 1 or more."
csv="" dry_run="" quick=() options=()
while (($# > 0)); do
  case "$1" in
    --csv)
      [[ -n ${2:-} ]] || die "--csv has no value (a file name must follow). Write --csv FILE."
      [[ ! -e $2 ]] || die "$2 exists (it would be replaced). Name another file, or remove it."
      csv="$2"
      shift
      ;;
    --quick) quick=(--quick) ;;
    --dry-run) dry_run=1 ;;
    --*.*=*) options+=("$1") ;;
    *) die "'$1' cannot be used (it is none of --csv, --quick, --dry-run and --section.key=value). See --help." ;;
  esac
  shift
done
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

# minutes NUMBER L D: ns of an update of a spin, where 10000 updates of the lattice take so many minutes.
minutes() { awk -v minutes="$1" -v sites=$(($2 ** $3)) 'BEGIN { printf "%.4g", minutes * 6e10 / (1e4 * sites) }'; }

# The lines of the tables: table|row|L|published CPU ns|CPU|published GPU ns|GPU|configuration|options, separated by blanks.
weigel_lines() {
  local q=weigel-2011/table-1
  cat <<END
Table 1|q=2 b=1 L=512|512|61.63|Q6700|6.533|GTX 480; sewing 12.17|$q/q2-L512.cfg|
Table 1|q=2 b=1 L=8192|8192|77.39|Q6700; i7-9300 105.8; E5620 149.6|2.697|GTX 580; GTX 480 3.179; M2070 3.934; GTX 480 with relaxation 7.154|$q/q2-L8192.cfg|
Table 1|q=2 b=1 L=16384|16384|152.1|E5620|3.573|M2070|$q/q2-L16384.cfg|
Table 1|q=2 b=0.6 L=8192|8192|57.12|Q6700|1.863|GTX 480|$q/q2-L8192-beta0.6.cfg|
Table 1|q=2 b=1.4 L=8192|8192|135.7|Q6700|4.164|GTX 480|$q/q2-L8192-beta1.4.cfg|
Table 1|q=3 b=1 L=8192|8192|70.73|Q6700|3.059|GTX 480|$q/q3-L8192.cfg|
Table 1|q=4 b=1 L=8192|8192|65.51|Q6700|2.887|GTX 480|$q/q4-L8192.cfg|
END
}
# published_at B L: four columns of Table 1 for q = 2 there.
published_at() {
  weigel_lines | awk -F '|' -v row="q=2 b=$1 L=$2" '$2 == row { found = $4 "|" $5 "|" $6 "|" $7 } END { print found == "" ? "-||-|" : found }'
}
weigel_sizes_lines() {
  local L
  for L in 32 64 128 256 512 1024 2048 4096 8192 16384; do
    echo "Figs 10 and 13|$L|$L|$(published_at 1 "$L")|weigel-2011/table-1/q2-L512.cfg|--model.L=$L --disorder.realizations=1"
  done
}
weigel_beta_lines() {
  local ratio T published
  for ratio in 0.2 0.4 0.6 0.8 0.9 0.95 1 1.05 1.1 1.2 1.4 1.6; do
    published="$(published_at "$ratio" 8192)"
    [[ $ratio != 1 ]] || published="77.39|Q6700|3.179|GTX 480; with relaxation 7.154" # of the GTX 480 alone
    T="$(awk -v r="$ratio" 'BEGIN { printf "%.12g", 1 / (r * log(1 + sqrt(2))) }')"
    echo "Fig. 12|$ratio|8192|$published|weigel-2011/table-1/q2-L8192.cfg|--ladder.temperatures=$T"
  done
}
protzman_giedt_lines() {
  local model L cpu gpu config d
  while read -r model L cpu gpu; do
    config=ising-timing.cfg d=2
    if [[ $model == phi4 ]]; then config=phi4.cfg d=4; fi
    echo "$model|$L|$L|$(minutes "$cpu" "$L" $d)|E5-2695|$(minutes "$gpu" "$L" $d)|P100|protzman-giedt-2018/$config|--model.L=$L"
  done <<'END'
ising 128 0.339 0.112
ising 256 1.369 0.151
ising 512 5.367 0.390
ising 1024 21.497 1.472
ising 2048 89.504 5.483
ising 4096 400.372 22.440
phi4 16 11.246 0.186
phi4 20 26.931 0.305
phi4 24 57.939 0.619
phi4 28 106.821 1.188
END
}
# Over-relaxation alone conserves the energy: no campaign runs it.
yavorskii_weigel_lines() {
  local config=yavorskii-weigel-2012/table-1.cfg
  cat <<END
Table 1|1 HB|32|242|Q9650|2.23|GTX 480; fast_math 1.58|$config|--heatbath=1 --overrelaxation=0
Table 1|1 OR|32|43|Q9650|1.30|GTX 480|$config|--heatbath=0 --overrelaxation=1
Table 1|1 HB + 10 OR|32|61|Q9650|0.45|GTX 480; fast_math 0.39|$config|--heatbath=1 --overrelaxation=10
Table 1|1 HB + 100 OR|32|-||0.29|GTX 480|$config|--heatbath=1 --overrelaxation=100
Table 1|10 x (1 HB + 10 OR)|32|-||0.36|GTX 480; fast_math 0.31|$config|--heatbath=1 --overrelaxation=10 --protocol.tile=8 --protocol.tile_repeats=10
Table 1|1 HB + 10 OR in tiles|32|-||-||$config|--heatbath=1 --overrelaxation=10 --protocol.tile=8
END
}

lines="$("${table//-/_}_lines")"
if [[ -n ${ONLY:-} ]]; then
  sizes=$(cut -d '|' -f 3 <<<"$lines" | sort -nu | paste -sd' ')
  [[ " $sizes " == *" $ONLY "* ]] ||
    die "ONLY = $ONLY is no size of $table (they are ${sizes// /, }). Use one of these, or leave it out."
fi
systems=()
if [[ -n ${SYSTEMS:-} ]]; then
  of_realization=1
  if [[ $table == yavorskii-weigel ]]; then of_realization=32; fi # two copies at 16 temperatures
  ((SYSTEMS % of_realization == 0)) ||
    die "SYSTEMS = $SYSTEMS cannot be used (a realization has $of_realization systems). Use a multiple of $of_realization."
  systems=("--disorder.realizations=$((SYSTEMS / of_realization))")
fi

number_of() { sed -n "s/^ *\"$1\": \"\{0,1\}\([^\"]*[^\",]\)\"\{0,1\},\{0,1\}\$/\1/p" "$folder/bench.json"; }
four_digits() { awk -v x="$1" 'BEGIN { printf "%.4g", x }'; }

paper="${table%-sizes}" paper="${paper%-beta}" status=0 measured=0
declare -A ours=()
# row TABLE ROW CPU-NS CPU GPU-NS GPU NS DEVICE UPDATES START: a line on the screen and in the file.
row() {
  printf '%-10s %-22s %10s %10s %12s %9s   %s\n' "$1" "$2" "$3" "$5" "$7" "${10}" "$8"
  [[ -z $csv ]] || (IFS=, && echo "$paper,$*") >>"$csv"
}
if [[ -z $dry_run ]]; then
  printf '%-10s %-22s %10s %10s %12s %9s   %s\n' table row "CPU ns" "GPU ns" "ours ns" "start s" device
  [[ -z $csv ]] || echo paper,table,row,published_cpu_ns,published_cpu,published_gpu_ns,published_gpu,ns,device,updates,start_seconds >"$csv"
fi
while IFS='|' read -r part name L cpu_ns cpu gpu_ns gpu config more; do
  if [[ -n ${ONLY:-} && $ONLY != "$L" ]]; then continue; fi
  read -ra keys <<<"$more"
  command=("$glassworks" bench "--config=${here#"$PWD/"}/$config" ${keys[@]+"${keys[@]}"} ${systems[@]+"${systems[@]}"}
    ${quick[@]+"${quick[@]}"} ${options[@]+"${options[@]}"})
  if [[ -n $dry_run ]]; then
    echo "${command[*]}"
    continue
  fi
  ns=- device=- updates=- start=-
  if "${command[@]}" --json "$folder/bench.json" --force >"$folder/log" 2>&1; then
    ns="$(number_of ns_per_update)" device="$(number_of device)" updates="$(four_digits "$(number_of updates)")"
    ours[$name]="$ns" ns="$(four_digits "$ns")" device="${device//,/;}" start="$(four_digits "$(number_of start_seconds)")"
  else
    tail -n 1 "$folder/log" >&2
    status=1
    if ((measured == 0)); then # nor can the other lines be measured
      [[ -z $csv ]] || rm -f -- "$csv"
      exit 2
    fi
  fi
  measured=$((measured + 1))
  row "$part" "$name" "$cpu_ns" "$cpu" "$gpu_ns" "$gpu" "$ns" "$device" "$updates" "$start"
done <<<"$lines"
# Over-relaxation as campaigns have it, in single precision, from two of the lines.
if [[ -n ${ours["1 HB"]:-} && -n ${ours["1 HB + 100 OR"]:-} ]]; then
  ns="$(awk -v one="${ours["1 HB"]}" -v all="${ours["1 HB + 100 OR"]}" 'BEGIN { printf "%.4g", (101 * all - one) / 100 }')"
  row "Table 1" "OR in 1 HB + 100 OR" - "" - "" "$ns" "$device" - -
fi
exit "$status"
