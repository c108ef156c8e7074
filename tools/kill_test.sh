#!/usr/bin/env bash
# Kills processes that work on a campaign with kill -9 at random moments, again and again, and compares bins, states,
# decisions and rounds with those of a campaign that was left alone.
set -euo pipefail
root="$(realpath -- "$(dirname -- "${BASH_SOURCE[0]}")/..")"

usage() {
  cat <<'END'
Usage: tools/kill_test.sh [--ranks N] [--multispin | --course words|vectors|graph] [KILLS [SEED]]
  KILLS      processes to kill, 1000 if not given, which takes 10 to 30 minutes
  SEED       of the moments and victims, 1 if not given
  --ranks N  N ranks of mpirun work on each campaign; one of them, all, or mpirun are killed, which takes longer:
             1000 KILLS an hour or two
  --multispin  Ising glasses by multi-spin coding instead of Heisenberg ones
  --course WHAT  histories in time: Ising copies as words (words), Heisenberg spins (vectors), or Ising spins on random graphs (graph);
             processes have 1 to 3 threads and batches of 1 to 8
GLASSWORKS names the program, build/glassworks if it is not set; the campaigns are kept below TMPDIR, or /tmp.
END
}
if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  usage
  exit 0
fi
ranks=0
longer=()
if [[ ${1:-} == --ranks ]]; then
  ranks="${2:-}"
  if [[ ! $ranks =~ ^[2-9]$ ]]; then
    echo "--ranks '$ranks' cannot be used (it is no number from 2 to 9). Write --ranks 3." >&2
    exit 2
  fi
  shift 2
fi
if [[ ${1:-} == --multispin ]]; then
  longer+=(model.type=ising model.couplings=bimodal protocol.multispin=metropolis protocol.overrelaxation=0
    protocol.heatbath=10 disorder.realizations=160 model.L=6,8 ladder.T_min=0.9 ladder.T_max=1.8 round.measurements=40
    backend.batch=40)
  shift
fi
course=
if [[ ${1:-} == --course ]]; then
  course="${2:-}"
  if [[ $course != words && $course != vectors && $course != graph ]]; then
    echo "--course '$course' cannot be used (it is none of words, vectors and graph). Write --course words." >&2
    exit 2
  fi
  shift 2
fi
wanted=${1:-1000} seed=${2:-1} program="${GLASSWORKS:-$root/build/glassworks}"
if [[ $# -gt 2 || ! $wanted =~ ^[1-9][0-9]*$ || ! $seed =~ ^[0-9]+$ ]]; then
  usage >&2
  exit 2
fi
if [[ ! -x $program ]]; then
  echo "The program $program is missing (it is not built yet). Run tools/quickstart.sh, or set GLASSWORKS." >&2
  exit 2
fi

if [[ $ranks -gt 0 ]] && ! { type -P mpirun && ! "$program" version | grep 'no MPI'; } >/dev/null; then
  echo "Ranks cannot be killed (the program has no MPI, or there is no mpirun). Install openmpi-bin and build again." >&2
  exit 2
fi

directory="$(mktemp -d -t glassworks-kill-test-XXXXXX)"
. "$root/tests/cli/common.sh" "$program" "$directory"
. "$root/tests/cli/_kill_lib.sh"
clean_up() {
  local status=$?
  kill -9 "${worker[@]}" 2>/dev/null || true
  cd /
  if [[ $status -eq 0 ]]; then rm -rf -- "$directory"; else echo "The campaigns are kept in $directory." >&2; fi
}
trap clean_up EXIT

RANDOM=$seed
config=long.cfg
if [[ $ranks -gt 0 ]]; then
  prepare_mpirun
  launch=(mpirun -q -n "$ranks")
  longer+=(disorder.realizations=72)  # ranks take half a second to find each other; more of the kills meet the campaign
fi
if [[ -n $course ]]; then
  write_course_config "$config" "$course" 8
  choose_options() { vary_courses; }
else
  write_kill_config "$config" "${longer[@]}"
fi
run_quietly "$config" whole
progress() { echo "$kills of $wanted kills, $campaigns campaigns equal to the uninterrupted one, $SECONDS s"; }
# at_most N: N, or what is still to be killed.
at_most() { echo $(($1 < wanted - kills ? $1 : wanted - kills)); }
# part NAME COMMAND...: counts the kills of a kind.
declare -A of_part=()
part() {
  local name="$1" before=$kills
  shift
  if [[ $kills -lt $wanted ]]; then "$@"; fi
  of_part[$name]=$((${of_part[$name]:-0} + kills - before))
}
while [[ $kills -lt $wanted ]]; do
  if [[ $ranks -gt 0 ]]; then
    part "one or all of $ranks ranks, or mpirun" kill_and_restart whole joint 1 "$(at_most 90)"
  else
    part "one process, killed and started again" kill_and_restart whole single 1 "$(at_most 20)"
    part "one or all of three, killed and started again" kill_and_restart whole several 3 "$(at_most 70)"
    for _ in 1 2 3 4 5; do part "one of three; the others finish what it leaves" kill_one_of whole left 3; done
  fi
  progress
done

echo "No difference after $kills kills in $campaigns campaigns, seed $seed, $SECONDS s:"
for name in "${!of_part[@]}"; do printf '  %-50s %d\n' "$name" "${of_part[$name]}"; done | sort
echo "$interrupted kills met a campaign with committed rounds; $leftovers left files that a later run removed."
if [[ $mpirun_crashes -gt 0 ]]; then echo "$mpirun_crashes times mpirun itself crashed or hung when a rank was killed."; fi
