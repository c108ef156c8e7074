#!/usr/bin/env bash
# Site-diluted campaigns from the dry run to the publication: same bits for any threads, interruptions and backends; absent
# sites have neither bonds nor spins in files.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
work_in_memory

for model in heisenberg ising xy; do
  config=$model.cfg
  write_config "$config" model.type=$model model.site_dilution=0.4 disorder.realizations=3 ladder.T_min=0.5 ladder.T_max=1.5 \
    protocol.overrelaxation="$([[ $model == ising ]] || echo 2)" model.couplings=gaussian protocol.exchanges_per_measurement=1 \
    round.measurements=1 convergence.min_rounds=8 convergence.max_rounds=12 convergence.n_tau=100000
  "$glassworks" run "$config" --campaign.directory=$model --dry-run >dry.txt 2>&1 || fail "dry run: $(cat dry.txt)"
  ! grep -q 'one site at a time' dry.txt || fail "the dry run is: $(cat dry.txt)"
  run_quietly "$config" $model --backend.threads=2
  run_quietly "$config" reference --backend.kind=reference
  same_digests $model reference "$model: the reference backend"
  run_quietly "$config" halves --backend.threads=1 --convergence.max_rounds=8
  run_quietly "$config" halves --backend.threads=1
  same_digests $model halves "$model: another run goes on"
  "$glassworks" export $model --couplings --spins >export.out || fail "export: $(cat export.out)"
  "$glassworks" ground $model >ground.txt 2>ground.err || fail "ground: $(cat ground.err)"
  python3 - $model <<'END' || fail "$model: files of absent sites"
import glob, sys
sites, absent = 0, 0
for file in sorted(glob.glob(f"{sys.argv[1]}/export/spins/*.txt")):
    length = {}
    for line in open(file):
        if line[0] != "#":
            slot, copy, site, *s = line.split()
            length.setdefault(int(site), set()).add(round(sum(float(x) ** 2 for x in s), 3))
    assert len(length) == 64 and all(x in ({0}, {1}) for x in length.values()), length
    gone = {site for site, x in length.items() if x == {0}}
    sites, absent = sites + 64, absent + len(gone)
    for line in open(file.replace("spins", "couplings")):
        if line[0] != "#":
            site, axis, J = line.split()
            site, step = int(site), 4 ** int(axis)
            there = site - 3 * step if site // step % 4 == 3 else site + step
            assert float(J) == 0 or not {site, there} & gone, line
    ground = file.replace("export/spins", "ground")
    for line in open(ground):
        if line[0] != "#":
            site, *s = line.split()
            assert abs(sum(float(x) ** 2 for x in s) - (int(site) not in gone)) < 1e-6, line
assert 0.25 < absent / sites < 0.55, absent
END
  verifies_published_and_reports $model 'Absent sites are drawn' '40 % of the sites absent'
  rm -rf reference halves
  echo "ok   $model"
done

unusable "clusters" 'does not fit protocol.kind = wolff' "$glassworks" run ising.cfg --campaign.directory=bad --protocol.kind=wolff
unusable "no bond" 'leaves no bond in realization' "$glassworks" run ising.cfg --campaign.directory=bad --model.site_dilution=0.99
[[ ! -e bad ]] || fail "a refused campaign has begun"
