#!/usr/bin/env bash
# Campaigns on graphs: files and drawn ones, the same bits on two backends, continued, verified, exported, published.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
work_in_memory

printf '# a graph of seven sites, from 1\n1 2 1.5\n2 3 -1\n3 4 1\n1 4 -0.25\n4 5 1\n5 7 2\n' >edges.txt
for i in 1 2 3 4 5 6 7; do echo "$i $i 0 0"; done >positions.txt
keys=(model.type=ising protocol.overrelaxation= model.L= ladder.slots=3 disorder.realizations=2 convergence.min_round_trips=)
write_config file.cfg "${keys[@]}" model.lattice=graph model.graph=edges.txt model.positions=positions.txt
write_config regular.cfg "${keys[@]}" model.L=12,20 model.lattice=random-regular model.degree=3 model.couplings=bimodal \
  protocol.isoenergetic=1
write_config kagome.cfg "${keys[@]}" model.L=3 model.lattice=kagome model.couplings=bimodal protocol.kind=swendsen-wang

for name in file regular kagome; do
  run_quietly $name.cfg $name --backend.kind=reference --convergence.max_rounds=8
  run_quietly $name.cfg $name --backend.kind=cpu
  run_quietly $name.cfg $name-cpu --backend.kind=cpu --backend.threads=3
  cmp <(digests $name) <(digests $name-cpu) || fail "$name: backends differ"
  "$glassworks" verify $name --recompute 2 >verify.txt 2>&1 || fail "$name: verify: $(cat verify.txt)"
  "$glassworks" analyze $name >analyze.txt || fail "$name: analyze"
  "$glassworks" export $name --couplings --spins >export.txt 2>&1 || fail "$name: export: $(cat export.txt)"
  "$glassworks" ground $name >ground.txt || fail "$name: ground"
done
"$glassworks" publish file --out published >publish.txt 2>&1 || fail "publish: $(cat publish.txt)"
"$glassworks" verify published --recompute 1 >verify.txt 2>&1 || fail "published: $(cat verify.txt)"
cmp positions.txt published/positions/positions.txt || fail "positions are not published"
echo "ok   three campaigns"

# The couplings that a campaign exports are a graph that it reads.
grep -v '^#' file/export/couplings/L007-r000000.txt | sort >exported
printf '0 1 1.5\n0 3 -0.25\n1 2 -1\n2 3 1\n3 4 1\n4 6 2\n' | sort | cmp - exported || fail "exported: $(cat exported)"
"$glassworks" ground regular/export/couplings/L012-r000001.txt --runs 2 --sweeps 400 >instance.txt ||
  fail "an exported graph is not read"
energy="$(sed -n 's/^ *lowest energy *\(-[0-9]*\) .*/\1/p' instance.txt)"
grep -q "^12,1,.*,$energy," regular/ground/energies.csv || fail "energies: $energy, $(cat regular/ground/energies.csv)"
echo "ok   exported graphs"

# Another content of the file is refused, a missing one only where it is needed.
sed -i 's/1.5/1.25/' edges.txt
if "$glassworks" run file.cfg --campaign.directory=file --convergence.max_rounds=16 >run.log 2>&1; then fail "a changed file was taken"; fi
grep -Eq 'changed|model.graph' run.log || fail "a changed file: $(cat run.log)"
rm edges.txt
"$glassworks" status file >status.txt && "$glassworks" analyze file >analyze.txt || fail "not to be looked at without its file"
if "$glassworks" run file.cfg --campaign.directory=another >run.log 2>&1; then fail "a missing file was taken"; fi
[[ $(wc -l <run.log) -eq 1 ]] || fail "a missing file: $(cat run.log)"
echo "ok   files that change or are missing"
