#!/usr/bin/env bash
# Campaigns with random anisotropy from the dry run to the publication: same bits for any threads, interruptions and
# backends; D = 0 is no anisotropy.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
work_in_memory

for model in heisenberg xy; do
  config=$model.cfg
  write_config "$config" model.type=$model model.anisotropy=0.7 disorder.realizations=3 ladder.T_min=0.5 ladder.T_max=1.5 \
    model.couplings=gaussian round.measurements=1 convergence.min_rounds=8 convergence.max_rounds=12 convergence.n_tau=100000
  "$glassworks" run "$config" --campaign.directory=$model --dry-run >dry.txt 2>&1 || fail "dry run: $(cat dry.txt)"
  grep -q 'one site at a time: vector kernels do not support a random anisotropy' dry.txt || fail "the dry run is: $(cat dry.txt)"
  run_quietly "$config" $model --backend.threads=2
  run_quietly "$config" reference --backend.kind=reference
  same_digests $model reference "$model: the reference backend"
  run_quietly "$config" halves --backend.threads=1 --convergence.max_rounds=8
  run_quietly "$config" halves --backend.threads=1
  same_digests $model halves "$model: another run goes on"
  run_quietly "$config" none --model.anisotropy=0
  grep -v anisotropy "$config" >plain.cfg
  run_quietly plain.cfg plain
  same_digests none plain "$model: D = 0"
  ! cmp -s <("$glassworks" inspect $model --digest) <("$glassworks" inspect plain --digest) || fail "D changes nothing"
  # Every realization settles, and none above its coldest slot.
  "$glassworks" ground $model >ground.txt 2>ground.err || fail "ground: $(cat ground.err)"
  sql $model "SELECT observables FROM sizes" >names
  sql $model "SELECT realization, hex(means) FROM rounds WHERE round = 11" >means.hex
  python3 - $model <<'END' || fail "ground states: $(cat $model/ground/energies.csv)"
import struct, sys
place = open("names").read().split().index("energy")
energy = {r: struct.unpack(f"<{len(h) // 16}d", bytes.fromhex(h))[place] for r, h in (line.split() for line in open("means.hex"))}
rows = [line.strip().split(",") for line in open(f"{sys.argv[1]}/ground/energies.csv")][1:]
assert len(rows) == 3 == len(energy)
for L, r, rounds, slots, descents, met, unsettled, total, lowest in rows:
    assert unsettled == "0" and energy[r] - 1.5 < float(lowest) < energy[r], (r, lowest, energy[r])
END
  verifies_published_and_reports $model 'Axes of the anisotropy are drawn' 'anisotropy D = 0.7 along random axes'
  rm -rf reference halves none plain
  echo "ok   $model"
done

unusable "clusters" 'does not fit protocol.kind = wolff' "$glassworks" run xy.cfg --campaign.directory=bad --protocol.kind=wolff
unusable "ising" 'does not fit model.type = ising' "$glassworks" run xy.cfg --campaign.directory=bad --model.type=ising \
  --protocol.overrelaxation=0
[[ ! -e bad ]] || fail "a refused campaign has begun"
