#!/usr/bin/env bash
# Lattices with a length of their own along each axis, from the configuration to the report: films and bars, killed and
# continued, exported, read from files, verified.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
work_in_memory

write_config bars.cfg model.L= model.shape=4x4x8,4x4x12 model.type=on model.n=2 ladder.T_min=0.5 ladder.T_max=1.5 \
  convergence.max_rounds=8 backend.threads=1
"$glassworks" run bars.cfg --campaign.directory=bars --dry-run >dry.log || fail "dry run: $(cat dry.log)"
grep -Eq 'shape *4x4x8, [0-9.]+ times slower than the cube L = (4|6) ' dry.log || fail "no factor: $(cat dry.log)"
run_quietly bars.cfg bars
for _ in 1 2 3; do
  timeout --signal=KILL 0.1 "$glassworks" run bars.cfg --campaign.directory=again --checkpoint.interval=0 >run.log 2>&1 || true
done
run_quietly bars.cfg again
same_digests bars again "killed and continued"
"$glassworks" verify bars --recompute 2 >verify.log || fail "verify: $(cat verify.log)"
"$glassworks" analyze bars --csv bars.csv >words.txt || fail "analyze: $(cat words.txt)"
grep -q 'shapes 4x4x8, 4x4x12' words.txt || fail "the shapes are not named: $(head -3 words.txt)"
for name in xi_x xi_y xi_z xi_over_L xi_chiral_over_L; do
  grep -q ",$name," bars.csv || fail "$name is not in the table"
done
"$glassworks" report bars --out page.html >words.txt || fail "report: $(cat words.txt)"
grep -q '4x4x8, 4x4x12' page.html || fail "the page does not name the shapes"
echo "ok   bars"

# Films: the same couplings from files make the same states.
write_config film.cfg model.L= model.shape=5x4x3 'model.boundary=open, periodic, open' model.type=ising ladder.slots=4 \
  ladder.T_min=0.8 ladder.T_max=2 protocol.overrelaxation=0 convergence.max_rounds=8 backend.threads=1
"$glassworks" run film.cfg --campaign.directory=drawn --dry-run >dry.log || fail "dry run: $(cat dry.log)"
grep -q 'kernels *plain (one site at a time: vector kernels do not support' dry.log || fail "no word on the kernels: $(cat dry.log)"
run_quietly film.cfg drawn
"$glassworks" export drawn --couplings --spins >export.log || fail "export: $(cat export.log)"
[[ -e drawn/export/couplings/L005-r000004.txt ]] || fail "no couplings: $(ls drawn/export/couplings)"
[[ $(grep -vc '^#' drawn/export/couplings/L005-r000000.txt) -eq $((4 * 4 * 3 + 5 * 4 * 3 + 5 * 4 * 2)) ]] ||
  fail "not every bond: $(wc -l drawn/export/couplings/L005-r000000.txt)"
run_quietly film.cfg given --model.couplings=files --model.couplings_file=drawn/export/couplings
states() { digests "$1" | awk '{ print $1, $2, $3, $4 }'; }
cmp -s <(states drawn) <(states given) || fail "states differ: $(diff <(states drawn) <(states given))"
"$glassworks" ground drawn >ground.log || fail "ground: $(cat ground.log)"
unusable "another shape" 'model.shape: 5x4x3 -> 5x4x5' "$glassworks" run film.cfg --campaign.directory=drawn --model.shape=5x4x5
unusable "a closed axis of two sites" 'too short for a closed axis' "$glassworks" run film.cfg --campaign.directory=other \
  --model.shape=5x4x2 --model.boundary=periodic
[[ ! -e other ]] || fail "a campaign was made"
echo "ok   films"
