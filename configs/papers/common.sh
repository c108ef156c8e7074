# shellcheck shell=bash
# shellcheck disable=SC2154
# Sourced by the run.sh of each paper, which sets `parts`, the names of its figures and tables, and has a function for each:
# part_NAME with _ for -. Without campaigns it sets no_campaigns. GLASSWORKS and CLUSTER_BENCH name other executables than those
# in build/.
papers="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd -- "$papers/../.." && pwd)"
name="$(basename -- "$(dirname -- "$0")")"

die() {
  echo "$name/run.sh: $*" >&2
  exit 2
}

# begin ARGUMENTS...: reads the command line, and runs the parts that it asks for.
begin() {
  only="" out="campaigns/$name" dry_run="" options=()
  while (($# > 0)); do
    case "$1" in
      --help | -h)
        sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0"
        exit 0
        ;;
      --only | --out)
        [[ -n ${2:-} ]] || die "$1 has no value (a name must follow). See --help."
        if [[ $1 == --only ]]; then only="$2"; else out="$2"; fi
        shift
        ;;
      --dry-run) dry_run=--dry-run ;;
      --*.*=*)
        [[ -z ${no_campaigns:-} ]] || die "$1 cannot be used (this paper has no campaigns). Leave it out."
        options+=("$1")
        ;;
      *) die "'$1' cannot be used (it is none of --only, --out, --dry-run, --help and --section.key=value). See --help." ;;
    esac
    shift
  done
  [[ -z $only || " ${parts[*]} " == *" $only "* ]] ||
    die "--only $only cannot be run (this script has ${parts[*]}). Use one of these, or leave it out."
  cd -- "$root" || exit
  glassworks="${GLASSWORKS:-build/glassworks}" cluster_bench="${CLUSTER_BENCH:-build/cluster_bench}"
  export GLASSWORKS="$glassworks"
  [[ -x $glassworks ]] || die "$glassworks cannot be started (there is no such executable). Build it, or set GLASSWORKS."
  [[ -n $dry_run ]] || mkdir -p -- "$out"
  failed=0
  local part
  for part in "${parts[@]}"; do
    if [[ -z $only || $only == "$part" ]]; then
      echo "== $part"
      "part_${part//-/_}"
    fi
  done
  exit "$failed"
}

# step COMMAND...: prints the command, and runs it unless this is a dry run.
step() {
  echo "$*"
  [[ -n $dry_run ]] || "$@"
}

# step_into FILE COMMAND...: the same with the output in a file.
step_into() {
  local file="$1"
  shift
  echo "$* >$file"
  [[ -n $dry_run ]] || "$@" >"$file"
}

# campaign CONFIG NAME [--section.key=value ...]: runs it in $out/NAME, or continues it; in a dry run shows its cost.
campaign() {
  local command=("$glassworks" run "$1" "--campaign.directory=$out/$2" "${@:3}" ${options[@]+"${options[@]}"})
  echo "${command[*]}"
  "${command[@]}" ${dry_run:+"$dry_run"}
}

# backend_suffix: "-cuda" or "-cpu" where the options name the backend, so that times of both are kept side by side.
backend_suffix() {
  local option
  for option in ${options[@]+"${options[@]}"}; do
    [[ $option != --backend.kind=* ]] || echo "-${option#*=}"
  done
}

# timings TABLE NAME [--section.key=value ...]: times of updates in $out/NAME.csv, unless they are there. Lines that could not be
# measured ("-") make the script end with status 1.
timings() {
  local file="$out/$2.csv" status=0
  local command=(bash configs/papers/published-timings.sh "$1" --csv "$file.part" "${@:3}" ${options[@]+"${options[@]}"})
  if [[ -z $dry_run && -e $file ]]; then
    echo "$file is kept (remove it to measure again)."
    return
  fi
  echo "${command[*]}"
  [[ -n $dry_run ]] || rm -f -- "$file.part"
  "${command[@]}" ${dry_run:+"$dry_run"} || status=$?
  ((status < 2)) || exit "$status"
  ((status == 0)) || failed=1
  [[ -n $dry_run ]] || mv -- "$file.part" "$file"
}

# draw NAME STATEMENTS: a figure in $out/NAME.svg by gnuplot, with commas between columns.
draw() {
  echo "gnuplot writes $out/$1.svg"
  [[ -n $dry_run ]] || gnuplot -e "set terminal svg size 560,420 background 'white'; set output '$out/$1.svg';
    set datafile separator ','; set datafile missing '-'; $2" || failed=1
}

# bench_on_gpu FILE PART: cluster_bench, which only builds with CUDA have; false where it cannot be run.
bench_on_gpu() {
  if [[ -n $dry_run || -x $cluster_bench ]]; then
    step_into "$1" "$cluster_bench" "$2"
  else
    echo "$cluster_bench $2 is left out (there is no such executable: it needs CUDA and a GPU)."
    return 1
  fi
}
