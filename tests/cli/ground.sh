#!/usr/bin/env bash
# Ground states: descents from the coldest slots against chains whose ground state is known and against enumeration.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
work_in_memory

# A chain with open ends satisfies every bond: - sum |J| per site.
config=chain.cfg
write_config "$config" model.dim=1 model.boundary=open model.L=8,12 disorder.realizations=3 ladder.T_min=0.1 \
  ladder.T_max=0.5 ladder.slots=5 round.measurements=2 convergence.min_rounds=8 convergence.max_rounds=8
run_quietly "$config" chain
"$glassworks" ground chain >ground.txt 2>ground.err || fail "ground: $(cat ground.err)"
"$glassworks" export chain --couplings >export.out || fail "no couplings"
python3 - <<'END' || fail "chains have other energies: $(cat chain/ground/energies.csv)"
rows = [line.strip().split(",") for line in open("chain/ground/energies.csv")][1:]
assert len(rows) == 6
for L, r, rounds, slots, descents, met, unsettled, total, energy in rows:
    couplings = [line.split() for line in open(f"chain/export/couplings/L{int(L):03}-r{int(r):06}.txt") if line[0] != "#"]
    expected = -sum(abs(float(J)) for site, axis, J in couplings) / int(L)
    assert abs(float(energy) - expected) < 1e-14 * abs(expected), (L, r, energy, expected)
    assert abs(float(total) - int(L) * expected) < 1e-14 * abs(float(total)), (L, r, total)
    assert (rounds, slots, descents, met, unsettled) == ("8", "4", "8", "8", "0")
    spins = [line.split() for line in open(f"chain/ground/L{int(L):03}-r{int(r):06}.txt") if line[0] != "#"]
    assert len(spins) == int(L) and all(abs(sum(float(x) ** 2 for x in s[1:]) - 1) < 1e-12 for s in spins)
END
grep -Eq '^ *8 *3 *24 *0 *0 *-0\.' ground.txt || fail "the table is: $(cat ground.txt)"
"$glassworks" analyze chain >analyze.txt
grep -q 'Lowest energies found by descents' analyze.txt || fail "analyze does not show them"
echo "ok   open chains"

# All states of small Ising glasses, by Gray codes; more rounds add descents and never lose the lowest energy.
config=ising.cfg
write_config "$config" model.type=ising model.couplings=gaussian model.dim=2 model.L=4 disorder.realizations=4 \
  ladder.T_min=0.3 ladder.T_max=1.5 ladder.slots=6 round.measurements=5 protocol.overrelaxation= \
  convergence.min_rounds=8 convergence.max_rounds=8 convergence.n_tau=100000
run_quietly "$config" ising
"$glassworks" ground ising --slots 1 --threads 2 >first.txt 2>ground.err || fail "ground: $(cat ground.err)"
cp ising/ground/energies.csv first.csv
"$glassworks" ground ising --slots 1 >again.txt
cmp -s ising/ground/energies.csv first.csv || fail "the same rounds count twice"
run_quietly "$config" ising --convergence.max_rounds=12
"$glassworks" ground ising --slots 6 >more.txt 2>ground.err || fail "ground: $(cat ground.err)"
"$glassworks" export ising --couplings >export.out
python3 - <<'END' || fail "energies of Ising glasses: $(cat ising/ground/energies.csv)"
first = {r.split(",")[1]: float(r.split(",")[-1]) for r in open("first.csv").read().split()[1:]}
for row in open("ising/ground/energies.csv").read().split()[1:]:
    L, r, rounds, slots, descents, met, unsettled, total, energy = row.split(",")
    assert (rounds, descents) == ("12", "14"), row
    J = {}
    for line in open(f"ising/export/couplings/L004-r{int(r):06}.txt"):
        if line[0] == "#": continue
        site, axis, value = line.split()
        site, step = int(site), 4 ** int(axis)
        there = site - 3 * step if site // step % 4 == 3 else site + step
        J.setdefault(site, []).append((there, float(value)))
        J.setdefault(there, []).append((site, float(value)))
    s = [1] * 16
    e = -sum(v for bonds in J.values() for _, v in bonds) / 2
    lowest = e
    for n in range(1, 1 << 16):
        i = (n & -n).bit_length() - 1
        e += 2 * s[i] * sum(v * s[j] for j, v in J[i])
        s[i] = -s[i]
        lowest = min(lowest, e)
    assert abs(float(total) - lowest) < 1e-13 and float(energy) <= first[r], (row, lowest)
    assert float(energy) == float(total) / 16, row
END
head -n 1 ising/ground/energies.csv | grep -q unsettled && grep -q unsettled more.txt || fail "not one word: $(cat more.txt)"
echo "ok   Ising glasses"

# Couplings and a field that single precision cannot hold: energies are those of the values in the file, never below the
# ground state, and of one system, without an error.
python3 - <<'END'
import random
random.seed(5)
open("J.txt", "w").write("".join(f"{site} {axis} {random.gauss(0, 1)!r}\n" for site in range(16) for axis in (0, 1)))
END
write_config given.cfg model.type=ising model.couplings=file model.couplings_file=J.txt model.dim=2 disorder.realizations=2 \
  model.field=constant model.field_strength=0.1 model.boundary=antiperiodic,periodic ladder.T_min=0.3 ladder.T_max=1.5 \
  ladder.slots=6 round.measurements=5 protocol.overrelaxation= convergence.max_rounds=8
run_quietly given.cfg given
"$glassworks" ground given >given.txt 2>ground.err || fail "ground: $(cat ground.err)"
"$glassworks" export given --couplings >export.out
python3 - <<'END' || fail "energies of given couplings: $(cat given/ground/energies.csv) $(cat given.txt)"
import math
J = {(int(site), int(axis)): float(value) for site, axis, value in map(str.split, open("J.txt"))}
exported = [line.split() for line in open("given/export/couplings/L004-r000001.txt") if line[0] != "#"]
assert {(int(site), int(axis)): float(value) for site, axis, value in exported} == J, "exported couplings are others"
bonds = []
for (site, axis), value in J.items():
    step = 4 ** axis
    crosses = site // step % 4 == 3
    bonds.append((site, site - 3 * step if crosses else site + step, -value if crosses and axis == 0 else value))
def exact(s): return -math.fsum([v * s[i] * s[j] for i, j, v in bonds] + [0.1 * x for x in s])
around = [[] for _ in range(16)]
for i, j, v in bonds:
    around[i].append((j, v)); around[j].append((i, v))
s, low = [1] * 16, []
e = exact(s)
best = e
for n in range(1, 1 << 16):
    i = (n & -n).bit_length() - 1
    e += 2 * s[i] * (sum(v * s[j] for j, v in around[i]) + 0.1)
    s[i] = -s[i]
    best = min(best, e)
    if e < best + 1e-9: low.append(list(s))
ground = min(exact(s) for s in low)
rows = [row.split(",") for row in open("given/ground/energies.csv").read().split()[1:]]
found = min(float(row[7]) for row in rows)
assert len(rows) == 2 and ground <= found <= ground + 1e-15 * abs(ground), (found, ground)
line = open("given.txt").read().splitlines()[-1].split()
assert line[-1] == repr(found) and float(line[-2]) == found / 16, line
END
! grep -qE '\(0\)|nan' given.txt || fail "one system has an error: $(cat given.txt)"

# A table of an earlier version, of rounded couplings.
sed -i '1s/energy,//; 2,$s/,[^,]*\(,[^,]*\)$/\1/' given/ground/energies.csv
refused "an earlier table" 'energies of rounded couplings' "$glassworks" ground given
cut -d , -f 1-7,9 ising/ground/energies.csv >earlier.csv && cp earlier.csv ising/ground/energies.csv
"$glassworks" ground ising --slots 6 >again.txt 2>ground.err || fail "an earlier table: $(cat ground.err)"
cmp -s again.txt more.txt || fail "an earlier table is not read: $(cat again.txt)"
echo "ok   given couplings"

refused "sizes" 'has no size L = 6' "$glassworks" ground ising --L 6
echo "L,what" >ising/ground/energies.csv
refused "another table" 'is not a table of' "$glassworks" ground ising
write_config phi4.cfg model.type=phi4 model.lambda=1 model.L=4 disorder.realizations=1 ladder.T_min= ladder.T_max= \
  ladder.slots= ladder.kappas=0.3 protocol.kind=swendsen-wang protocol.exchange=none convergence.max_rounds=8
run_quietly phi4.cfg phi4
refused "phi4" 'does not know phi4' "$glassworks" ground phi4
echo "ok   bad input"

# Instances: a graph of a file against all of its states; a cut; a folder, whose table is not searched again.
mkdir instances
python3 - <<'END'
import itertools, random
random.seed(3)
sites = 12
bonds = {(i, j): random.choice((-2, -1, 1, 3)) for i in range(sites) for j in range(i) if random.random() < 0.5}
with open("instances/graph.txt", "w") as file:
    file.write("# from 1\n" + "".join(f"{i + 1} {j + 1} {J}\n" for (i, j), J in bonds.items()))
energy = lambda s, sign: -sign * sum(J * s[i] * s[j] for (i, j), J in bonds.items())
states = list(itertools.product((-1, 1), repeat=sites))
total = sum(bonds.values())
terms = {tuple(random.sample(range(sites), random.randint(1, 5))): random.choice((-2, -1, 1, 3)) for _ in range(25)}
terms = {tuple(sorted(t)): J for t, J in terms.items()}
with open("terms.txt", "w") as file:
    file.write(f"terms {sites} {len(terms)}\n")
    file.writelines(" ".join(str(i + 1) for i in t) + f" {J}\n" for t, J in terms.items())
def product(s, term):
    sign = 1
    for i in term:
        sign *= s[i]
    return sign
of_terms = min(-sum(J * product(s, t) for t, J in terms.items()) for s in states)
open("expected", "w").write(f"{min(energy(s, 1) for s in states)} {max((total - energy(s, -1)) / 2 for s in states):.0f} {of_terms}\n")
END
read -r energy cut of_terms <expected
"$glassworks" ground terms.txt --runs 4 --sweeps 2000 --threads 1 >terms.out 2>&1 || fail "ground of terms: $(cat terms.out)"
grep -Eq "lowest energy +$of_terms " terms.out || fail "the energy of terms is not $of_terms: $(cat terms.out)"
"$glassworks" ground instances/graph.txt --runs 4 --sweeps 2000 --threads 1 >instance.txt 2>instance.err ||
  fail "ground FILE: $(cat instance.err)"
grep -Eq "lowest energy +$energy " instance.txt || fail "the energy is not $energy: $(cat instance.txt)"
grep -q 'met by  *4 of 4 runs' instance.txt || fail "not met by all: $(cat instance.txt)"
"$glassworks" ground instances/graph.txt --runs 4 --sweeps 2000 >again.txt
cmp <(grep -v time instance.txt) <(grep -v time again.txt) || fail "another number of threads, another result"
"$glassworks" ground instances --cut --runs 4 --sweeps 2000 --out found >cut.txt
grep -Eq "largest cut +$cut\$" cut.txt || fail "the cut is not $cut: $(cat cut.txt)"
"$glassworks" ground instances --cut --out found >more.txt 2>more.err
grep -q 'is in the table' more.err && [[ ! -s more.txt ]] || fail "it was searched again: $(cat more.txt)"
[[ $(grep -c '^[0-9]* -*1$' found/graph.txt.spins) -eq 12 ]] || fail "the spins are $(cat found/graph.txt.spins)"
for bad in '1 1 2' '1 2 x' '1 2 1\n2 1 3' '1 2' ''; do
  printf "$bad\n" >bad.txt
  if "$glassworks" ground bad.txt >bad.out 2>bad.err; then fail "'$bad' was taken"; fi
  [[ $(wc -l <bad.err) -eq 1 ]] || fail "'$bad' gives: $(cat bad.err)"
done
if "$glassworks" ground instances/graph.txt --slots 3 2>bad.err; then fail "--slots was taken"; fi
grep -q 'it is for campaigns' bad.err || fail "--slots gives: $(cat bad.err)"
echo "ok   instances"
