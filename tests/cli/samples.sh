#!/usr/bin/env bash
# Couplings and spins of every realization as files: what is exported is read again to the bit, samples made elsewhere run
# as an ensemble, and what is missing or has changed is refused.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
work_in_memory

config=drawn.cfg
write_config "$config" model.L=4,6 disorder.realizations=3,2 ladder.T_min=0.5 ladder.T_max=1 round.measurements=1 \
  protocol.exchanges_per_measurement=1 convergence.min_rounds=8 convergence.max_rounds=8
run_quietly "$config" drawn
"$glassworks" export drawn --couplings --spins >export.out || fail "couplings and spins are not exported"
[[ $(cd drawn/export && echo couplings/* spins/*) == \
  "couplings/L004-r000000.txt couplings/L004-r000001.txt couplings/L004-r000002.txt couplings/L006-r000000.txt \
couplings/L006-r000001.txt spins/L004-r000000.txt spins/L004-r000001.txt spins/L004-r000002.txt spins/L006-r000000.txt \
spins/L006-r000001.txt" ]] || fail "the export holds $(cd drawn/export && echo couplings/* spins/*)"
[[ ! -e drawn/export/results.csv ]] || fail "couplings alone bring tables with them"
echo "ok   couplings and spins exported"

# Energies of the spins, with these couplings, are those that were measured last: an exchange behind the measurement moves
# them between slots, so the sums over slots are compared.
for realization in 0 1; do
  sql drawn "SELECT hex(means) FROM rounds WHERE L = 6 AND realization = $realization AND round = 7" >means.hex
  sql drawn "SELECT observables FROM sizes WHERE L = 6" >names
  python3 - "$realization" <<'END' || fail "the spins of realization $realization have another energy"
import struct, sys
r, L = int(sys.argv[1]), 6
rows = [line.split() for line in open(f"drawn/export/couplings/L006-r{r:06}.txt") if line[0] != "#"]
spins = {}
for line in open(f"drawn/export/spins/L006-r{r:06}.txt"):
    if line[0] != "#":
        slot, copy, site, *s = line.split()
        spins[int(slot), int(copy), int(site)] = [float(x) for x in s]
slots = 1 + max(key[0] for key in spins)
assert len(spins) == 2 * slots * L**3 and all(abs(sum(x * x for x in s) - 1) < 1e-5 for s in spins.values())
total = 0.0
for site, axis, J in ((int(a), int(b), float(c)) for a, b, c in rows):
    step = L**axis
    there = site - (L - 1) * step if site // step % L == L - 1 else site + step
    for slot in range(slots):
        for copy in range(2):
            total -= J * sum(x * y for x, y in zip(spins[slot, copy, site], spins[slot, copy, there]))
data = bytes.fromhex(open("means.hex").read())
means = struct.unpack(f"<{len(data) // 8}d", data)
names = open("names").read().split()
energy = names.index("energy")
measured = sum(means[slot * len(names) + energy] for slot in range(slots))
assert abs(total / (2 * L**3) - measured) < 1e-5 * slots, (total / (2 * L**3), measured)
END
done
echo "ok   energy of exported spins"

# The same couplings from files make the same states, in whatever folder they are.
mv drawn/export/couplings samples
run_quietly "$config" given --model.couplings=files --model.couplings_file=samples
states() { digests "$1" | awk '{ print $1, $2, $3, $4 }'; }
cmp -s <(states drawn) <(states given) || fail "states differ: $(diff <(states drawn) <(states given))"
clean given "couplings from files"
"$glassworks" verify given --recompute 3 >verify.txt 2>&1 || fail "verify: $(cat verify.txt)"
mv samples elsewhere
"$glassworks" run "$config" --campaign.directory=given --model.couplings=files --model.couplings_file=elsewhere \
  >moved.out 2>&1 || fail "a folder cannot be moved: $(cat moved.out)"
echo "ok   couplings from a folder"

fingerprint given >before
mv elsewhere/L006-r000001.txt kept.txt
files=("$glassworks" run "$config" --model.couplings=files --model.couplings_file=elsewhere)
refused "a missing sample" 'holds no L006-r000001.txt' "${files[@]}" --campaign.directory=given
refused "a missing sample of a new campaign" 'holds no L006-r000001.txt' "${files[@]}" --campaign.directory=new
[[ ! -e new ]] || fail "a campaign was made without its couplings"
sed 's/^0 0 .*/0 0 0.25/' kept.txt >elsewhere/L006-r000001.txt
refused "a sample that has changed" 'model.couplings_digest: ' "${files[@]}" --campaign.directory=given
fingerprint given >after
cmp -s before after || fail "a run that was refused has changed the campaign"
# More samples later.
mv kept.txt elsewhere/L006-r000001.txt
cp elsewhere/L004-r000000.txt elsewhere/L004-r000003.txt
"${files[@]}" --campaign.directory=given --disorder.realizations=4,2 >more.out || fail "samples cannot be added"
[[ $(digests given | wc -l) -eq 6 ]] || fail "after a sample was added: $(digests given)"
clean given "a sample added"
echo "ok   samples refused and added"
