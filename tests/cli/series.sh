#!/usr/bin/env bash
# What people see of a campaign with a course: analyze, report, plot, status, why and watch in its own words; what is of equilibrium is
# answered with a sentence.
. "$(dirname -- "$0")/common.sh"
work_in_memory

cat >quench.cfg <<'CONFIG'
model.type = ising
model.L = 8
model.couplings = bimodal
disorder.realizations = 5
replicas.copies = 8
ladder.temperatures = 0.7, 1.1
course.sweeps = 200
course.waiting_times = 10
backend.threads = 2
CONFIG
run_quietly quench.cfg camp
grep -q 'Finished: 5 of 5 realizations complete\.' run.log || fail "run: $(cat run.log)"

"$glassworks" analyze camp --csv all.csv >words.txt
for words in 'L = 8, T = 0.7' 'L = 8, T = 1.1' 'xi_12' 'C(t_w + t, t_w)' 'all 5 realizations are complete, up to t = 200'; do
  grep -qF "$words" words.txt || fail "analyze does not say '$words': $(cat words.txt)"
done
python3 - all.csv <<'PYTHON' || fail "the numbers of analyze --csv"
import csv, sys
rows = {(r["T"], int(r["t"]), r["observable"]): r for r in csv.DictReader(open(sys.argv[1]))}
first = rows["0.7", 1, "energy"]
last = rows["0.7", 200, "energy"]
assert first["realizations"] == "5", first
assert -1.8 < float(last["mean"]) < -1.6 < float(first["mean"]) < -0.3, (first, last)  # a quench relaxes
assert float(rows["0.7", 200, "c4_axis(0)"]["mean"]) == 1.0
assert 0.5 < float(rows["0.7", 10, "xi_12"]["mean"]) < 4.0
assert ("0.7", 3, "correlation(10)") not in rows and float(rows["0.7", 10, "correlation(10)"]["mean"]) == 1.0
PYTHON
"$glassworks" analyze camp --observables='xi_12,c4_axis(2)' --csv two.csv --covariance covariance.csv --realizations rows.csv >words.txt
python3 - <<'PYTHON' || fail "covariances and rows of analyze"
import csv
def rows(name): return list(csv.DictReader(open(name)))
two = {(r["observable"], r["slot"], r["t"]): r for r in rows("two.csv")}
assert {key[0] for key in two} == {"xi_12", "c4_axis(2)"}
values = {}
for r in rows("rows.csv"): values.setdefault((r["observable"], r["slot"], r["t"]), []).append(float(r["value"]))
count = 0
for r in rows("covariance.csv"):
    x, y = (values[r["observable"], r["slot"], r[t]] for t in ("t", "t_other"))
    assert len(x) == len(y) == 5
    mean_x, mean_y = sum(x) / 5, sum(y) / 5
    expected = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / 20
    scale = float(two[r["observable"], r["slot"], r["t"]]["error"]) * float(two[r["observable"], r["slot"], r["t_other"]]["error"])
    assert abs(float(r["covariance"]) - expected) <= 1e-9 * scale, (r, expected)
    count += 1
assert count == 2 * 2 * (len(two) // 4) ** 2
PYTHON
refused "analyze --observables" "no quantity 'xi_21'.* Did you mean xi_12" "$glassworks" analyze camp --observables=xi_21
refused "analyze into one file" 'one would replace the other' "$glassworks" analyze camp --csv new.csv --covariance new.csv
printf 't,xi_12_cut\n10,1\n' >cut.csv
"$glassworks" report camp --reference cut.csv --out cut.html | grep -Eq '^xi_12_cut, L = 8, T = 0.7: 1 point compared .* at t = 10' ||
  fail "a reference of xi_12_cut"
echo "ok   analyze"

# The table of analyze is a reference: of itself, with all ratios 1.
"$glassworks" report camp --csv numbers --reference all.csv >report.txt
grep -Eq '^xi_12, L = 8, T = 1.1: [0-9]+ points compared with the reference, largest ratio 1 at t = ' report.txt ||
  fail "no comparison: $(cat report.txt)"
[[ $(head -1 numbers/xi_12.csv) == series,x,y,y_error,x_error && -s numbers/energy.csv && -s numbers/lengths.csv ]] || fail "figures: $(ls numbers)"
[[ $(stat -c %s camp/report.html) -gt 1000000 ]] || fail "the page is no self-contained file"
grep -q 'equilibrat' report.txt && fail "the report speaks of equilibrium: $(cat report.txt)"
printf 't,xi\n10,1\n' >ten.csv
"$glassworks" report camp --reference ten.csv --out ten.html | grep -Eq 'T = 0.7: 1 point compared .* at t = 10' || fail "two columns"
"$glassworks" plot camp --figures=xi_12,z --format=svg --out figures >drawn.txt
[[ $(wc -l <drawn.txt) -eq 2 ]] || fail "figures: $(cat drawn.txt)"
echo "ok   report and plot"

refused "analyze --converged-only" 'it has a course' "$glassworks" analyze camp --converged-only
refused "report --bootstrap" 'it has a course' "$glassworks" report camp --bootstrap 100 --force
refused "a reference without t" "has no columns 't' and 'value'" "$glassworks" report camp --reference numbers/lengths.csv --out r.html

refused "validate" 'compares histories in equilibrium' "$glassworks" validate camp --sample 1
refused "tune" 'compares ways to equilibrium' "$glassworks" tune quench.cfg

# A published course is simulated again from the folder alone: all its rounds, the last state too.
"$glassworks" export camp --csv --out tables >export.txt
grep -q '5 of 5 realizations have data, 5 of these complete' export.txt && cmp -s tables/results.csv all.csv || fail "export: $(cat export.txt)"
cat >growing.cfg <<'CONFIG'
model.type = xy
model.dim = 2
model.L = 6
disorder.realizations = 2
ladder.temperatures = 0.4
course.sweeps = 300
course.segments = 100 from 2 to T stair 10, at T
course.waiting_times = 0, 150
backend.threads = 1
CONFIG
run_quietly growing.cfg other
for campaign in camp other; do
  "$glassworks" publish $campaign --out published_$campaign >publish.txt || fail "publish: $(cat publish.txt)"
  rounds=$("$glassworks" inspect $campaign --digest | awk '{ sum += $3 } END { print sum }')
  count=$("$glassworks" inspect $campaign --digest | wc -l)
  mv $campaign away
  "$glassworks" verify published_$campaign --recompute 9 >verify.txt || fail "verify: $(cat verify.txt)"
  grep -q "; $rounds rounds of $count realizations simulated again. No problems\.$" verify.txt || fail "verify: $(cat verify.txt)"
  mv away $campaign
done
for words in 'configuration/camp.cfg' 'covariance.csv' 'campaign.h5' 'numbers/xi_12.csv'; do [[ -s published_camp/$words ]] || fail "no $words"; done
grep -q 'L,slot,T,t,observable' published_camp/README.md && grep -q 'data.series' published_camp/README.md || fail "README"
# One digest of a later round, with lists that fit: what was simulated again differs. More rounds than the course has are no rounds.
digest=$(grep '^8,2,' published_camp/digests.csv | tail -n 1 | cut -d, -f4)
sed -i "s/$digest/$(tr 0-9 1-90 <<<"$digest")/" published_camp/digests.csv published_camp/realizations.csv
"$glassworks" verify published_camp --recompute 5 >verify.txt && fail "other bins"
grep -Eq '^Problem: the first [0-9]+ rounds of realization 2 at L = 8, simulated again, have other bins' verify.txt || fail "$(cat verify.txt)"
sed -i 's/^course.sweeps = 200/course.sweeps = 20/' published_camp/configuration/camp.cfg
"$glassworks" verify published_camp --recompute 5 >verify.txt && fail "a shorter course"
grep -Eq 'cannot be simulated again: its course has [0-9]+ rounds, not' verify.txt || fail "$(cat verify.txt)"
# The series of a realization are what it measured, time by time.
"$glassworks" export camp --series --realization=2 --out series >export.txt || fail "series: $(cat export.txt)"
[[ $(ls series/series) == L008-r000002.csv && ! -e series/campaign.h5 ]] || fail "series: $(find series)"
"$glassworks" analyze camp --L=8 --observables=energy --realizations energy.csv >/dev/null
cmp -s <(awk -F, '$5 == "energy" && $6 == 2 { print $4 "," $2 "," $7 }' energy.csv | sort -t, -k1,1n -k2,2n) \
  <(python3 -c 'import csv; [print(r["t"], r["slot"], r["energy"], sep=",") for r in csv.DictReader(open("series/series/L008-r000002.csv"))]') ||
  fail "series: other energies than those of analyze"
echo "ok   export, publish and verify"

"$glassworks" status camp >status.txt
grep -q 'complete' status.txt && ! grep -q 'converged\|tau' status.txt || fail "status: $(cat status.txt)"
"$glassworks" watch camp --html live.html >watch.txt
grep -q '<p>The campaign is complete.</p>' live.html && ! grep -q 'converged\|http-equiv="refresh"' live.html || fail "the page of watch"
grep -q '5 of 5 realizations complete' watch.txt || fail "watch: $(cat watch.txt)"
"$glassworks" why camp >why.txt
grep -q 'complete at t = 200 of 200' why.txt && ! grep -q 'Log-binning\|tau' why.txt || fail "why: $(cat why.txt)"
"$glassworks" inspect camp | grep -q 'complete' || fail "inspect"
echo "ok   status, watch, why and inspect"

# A campaign on its way: some times are there.
"$glassworks" run quench.cfg --campaign.directory=long --course.sweeps=1e7 --time-limit=2s >/dev/null && fail "not stopped" || true
"$glassworks" analyze long >words.txt
grep -Eq '0 of 5 realizations are complete \(t = 10000000\); 5 on the way are at t = ' words.txt || fail "on the way: $(cat words.txt)"
"$glassworks" why long | grep -Eq '^  left +[0-9]+ sweeps, about ' || fail "why does not say what is left"
"$glassworks" status long | grep -Eq 'reached by half of the realizations' || fail "status: $("$glassworks" status long)"
echo "ok   a campaign on its way"
