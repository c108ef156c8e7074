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

# Histories in time: one that grows from backend to backend is the one that was left alone. No C_4(r) without a grid, which is said once.
course=(model.type=ising model.couplings=bimodal replicas.copies=5 'ladder.temperatures=0.6, 2' disorder.realizations=4
  course.sweeps=400 'course.waiting_times=0, 20' 'course.segments=50 from 3 to T stair 10, at T')
printf '%s\n' "${course[@]}" model.lattice=random-regular model.degree=3 model.L=30 >aging.cfg
printf '%s\n' "${course[@]}" model.dim=2 model.L=5,7 >odd.cfg
for name in aging odd; do
  run_quietly $name.cfg $name
  run_quietly $name.cfg $name-grown --backend.kind=reference --course.sweeps=90 --disorder.realizations=2
  run_quietly $name.cfg $name-grown --checkpoint.interval=1
  same_digests $name $name-grown "a course on a graph that has grown"
  "$glassworks" verify $name-grown --recompute 2 >verify.txt 2>&1 || fail "$name: verify: $(cat verify.txt)"
  "$glassworks" analyze $name --csv $name.csv >$name.txt || fail "$name: analyze"
  "$glassworks" report $name --out $name.html >/dev/null || fail "$name: report"
done
[[ $(grep -c 'there is no C_4(r)' aging.txt) -eq 1 ]] || fail "aging.txt: $(cat aging.txt)"
grep -q ',correlation(20),' aging.csv && ! grep -Eq 'kmin|c4_|c22_|xi_|nan' aging.csv || fail "aging.csv: $(head -n 30 aging.csv)"
grep -q ',"c4_axis(2)",\|,c4_axis(2),' odd.csv && grep -q ',xi_12,' odd.csv || fail "odd.csv: $(head -n 30 odd.csv)"
refused "a length without positions" 'have no positions' "$glassworks" analyze aging --observables=xi_12 --csv x.csv
"$glassworks" export aging >export.txt 2>&1 || fail "export of a course: $(cat export.txt)"
for verb in status why; do "$glassworks" $verb aging >out.txt || fail "$verb: $(cat out.txt)"; done
"$glassworks" publish aging --out published-course >publish.txt 2>&1 || fail "publish: $(cat publish.txt)"
"$glassworks" verify published-course --recompute 1 >verify.txt 2>&1 || fail "published course: $(cat verify.txt)"
echo "ok   histories in time"

# The couplings that a campaign exports are a graph that it reads.
grep -v '^#' file/export/couplings/L007-r000000.txt | sort >exported
printf '0 1 1.5\n0 3 -0.25\n1 2 -1\n2 3 1\n3 4 1\n4 6 2\n' | sort | cmp - exported || fail "exported: $(cat exported)"
"$glassworks" ground regular/export/couplings/L012-r000001.txt --runs 2 --sweeps 400 >instance.txt ||
  fail "an exported graph is not read"
energy="$(sed -n 's/^ *lowest energy *\(-[0-9]*\) .*/\1/p' instance.txt)"
grep -q "^12,1,.*,$energy," regular/ground/energies.csv || fail "energies: $energy, $(cat regular/ground/energies.csv)"
echo "ok   exported graphs"

# Terms of more than two spins: drawn, exported, read again; a file, published.
printf 'terms\n1 2 3 -0.5\n2 4 1\n1 0.3\n1 3 4 5 2\n' >terms.txt
write_config terms.cfg "${keys[@]}" model.lattice=graph model.graph=terms.txt
write_config p-spin.cfg "${keys[@]}" model.L=12 model.lattice=p-spin model.body=3 model.degree=3 model.couplings=bimodal
for name in terms p-spin; do
  run_quietly $name.cfg $name --backend.kind=reference --convergence.max_rounds=8
  run_quietly $name.cfg $name-cpu --backend.kind=cpu --convergence.max_rounds=8
  cmp <(digests $name) <(digests $name-cpu) || fail "$name: backends differ"
  "$glassworks" verify $name --recompute 2 >verify.txt 2>&1 || fail "$name: verify: $(cat verify.txt)"
  "$glassworks" analyze $name >analyze.txt || fail "$name: analyze"
  "$glassworks" export $name --couplings >export.txt 2>&1 || fail "$name: export: $(cat export.txt)"
  "$glassworks" ground $name >ground.txt || fail "$name: ground"
done
"$glassworks" publish terms --out published-terms >publish.txt 2>&1 || fail "publish: $(cat publish.txt)"
"$glassworks" verify published-terms --recompute 1 >verify.txt 2>&1 || fail "published terms: $(cat verify.txt)"
for instance in terms/export/couplings/L005-r000000.txt p-spin/export/couplings/L012-r000001.txt; do
  [[ $(grep -v '^#' $instance | head -n 1) == terms ]] || fail "an exported file of terms: $(cat $instance)"
  "$glassworks" ground $instance --runs 2 --sweeps 400 >instance.txt || fail "$instance is not read"
done
energy="$(sed -n 's/^ *lowest energy *\(-[0-9]*\) .*/\1/p' instance.txt)"
grep -q "^12,1,.*,$energy," p-spin/ground/energies.csv || fail "energies: $energy, $(cat p-spin/ground/energies.csv)"
if "$glassworks" ground terms.txt --cut >run.log 2>&1; then fail "a cut of terms was taken"; fi
[[ $(wc -l <run.log) -eq 1 ]] || fail "a cut of terms: $(cat run.log)"
echo "ok   terms of more than two spins"

# Another content of the file is refused, a missing one only where it is needed.
sed -i 's/1.5/1.25/' edges.txt
if "$glassworks" run file.cfg --campaign.directory=file --convergence.max_rounds=16 >run.log 2>&1; then fail "a changed file was taken"; fi
grep -Eq 'changed|model.graph' run.log || fail "a changed file: $(cat run.log)"
rm edges.txt
"$glassworks" status file >status.txt && "$glassworks" analyze file >analyze.txt || fail "not to be looked at without its file"
if "$glassworks" run file.cfg --campaign.directory=another >run.log 2>&1; then fail "a missing file was taken"; fi
[[ $(wc -l <run.log) -eq 1 ]] || fail "a missing file: $(cat run.log)"
echo "ok   files that change or are missing"
