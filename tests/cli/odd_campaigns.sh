#!/usr/bin/env bash
# analyze, report, plot and export of campaigns at the edge of what there can be: each has an answer, and a verdict that
# is no better than its evidence.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
work_in_memory

small=(disorder.realizations=4 ladder.slots=3 convergence.min_rounds=4 convergence.max_rounds=4 backend.threads=1)
ising=(model.type=ising model.dim=2 protocol.overrelaxation= ladder.T_min=1.5 ladder.T_max=3)
list=(ladder.T_min= ladder.T_max= ladder.slots= ladder.kind=list)

# odd NAME KEY=VALUE ...: a campaign that every verb can show.
odd() {
  local name="$1"
  shift
  write_config "$name.cfg" "${small[@]}" "$@"
  run_quietly "$name.cfg" "$name"
  "$glassworks" analyze "$name" --csv table.csv --force >"$name.analyze" 2>err || fail "analyze $name: $(cat err)"
  "$glassworks" report "$name" --out page.html --csv numbers --force >"$name.report" 2>err || fail "report $name: $(cat err)"
  "$glassworks" export "$name" --out exported --force >out 2>err || fail "export $name: $(cat err)"
  ! grep -qE 'std::|what\(\)|_M_' "$name.report" "$name.analyze" || fail "$name: $(cat "$name.report")"
}

odd one_realization disorder.realizations=1
odd one_round convergence.min_rounds=1 convergence.max_rounds=1
odd one_temperature "${list[@]}" ladder.temperatures=0.3
odd one_of_all disorder.realizations=1 convergence.min_rounds=1 convergence.max_rounds=1 round.measurements=1 \
  round.samples=1 "${list[@]}" ladder.temperatures=0.3,0.4
odd no_samples round.samples=0
odd wide "${list[@]}" ladder.temperatures=0.002,0.01,1000
odd four_copies replicas.copies=4
odd one_copy "${ising[@]}" model.couplings=gaussian replicas.copies=1
odd wide_ising "${ising[@]}" "${list[@]}" ladder.temperatures=0.05,1,5,1000 replicas.copies=4
odd two_sizes model.L=4,6
echo "ok   odd campaigns"

# Chains that are not in equilibrium: their multi-histogram equations have no solution.
odd unsolved "${ising[@]}" "${list[@]}" ladder.temperatures=0.1,0.11,0.12,0.13,0.2 protocol.exchange=none model.L=16 \
  model.couplings=gaussian disorder.realizations=10
[[ -s numbers/energy.csv ]] || fail "the page lacks the energies"
grep -q 'multi-histogram equations of .* have no solution' page.html || fail "the page does not say what is missing"
"$glassworks" plot unsolved --figures=energy --format=svg --out figures >out 2>err || fail "plot unsolved: $(cat err)"
echo "ok   a report without a solution of the multi-histogram equations"

# Memory is not squared in the number of temperatures, and more than makes sense is refused.
limited() { (ulimit -v 1500000 && "$glassworks" report one_round --temperatures="$1" --out limited.html --force >out 2>err); }
limited 10000 || fail "10000 temperatures of four tiny realizations: $(cat err)"
refused "report: too many temperatures" '--temperatures cannot be 20000' "$glassworks" report one_round --temperatures=20000 --out no
refused "report: too many bootstrap sets" '--bootstrap cannot be 20000' "$glassworks" report one_round --bootstrap=20000 --out no

# Not one realization has converged: nothing shows equilibrium.
odd failed disorder.realizations=10 convergence.min_rounds=8 convergence.max_rounds=8 round.measurements=20 \
  convergence.min_round_trips=1000000
for text in failed.analyze failed.report; do
  grep -q '[Uu]ndecided' $text || grep -q '[Nn]ot equilibrated' $text || fail "all have failed: $(cat $text)"
  ! grep -qi 'equilibrated on average' $text || fail "all have failed, and yet: $(cat $text)"
done
echo "ok   no verdict where all have failed"

# Runs of one ferromagnet, some of them with domain walls that never leave.
odd walls "${ising[@]}" "${list[@]}" ladder.temperatures=0.1 model.L=16 model.couplings=ferromagnet \
  disorder.realizations=32 protocol.exchange=none round.measurements=20 convergence.min_rounds=32 convergence.max_rounds=64
grep -q 'Verdict for L = 16: not equilibrated' walls.analyze || fail "domain walls are not seen: $(cat walls.analyze)"
grep -q 'independent runs disagree: energy at T = 0.1' walls.analyze || fail "no word of the runs: $(cat walls.analyze)"
grep -q 'Independent runs of one system disagree: L = 16' walls.report || fail "no word of the runs: $(cat walls.report)"
echo "ok   runs with domain walls disagree"
