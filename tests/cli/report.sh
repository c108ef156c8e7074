#!/usr/bin/env bash
# report and plot on a real campaign: page, numbers equal to `analyze --csv`, figures; unfinished, damaged and foreign campaigns.
. "$(dirname -- "$0")/common.sh"

write_config small.cfg model.L=4,6 disorder.realizations=10 ladder.slots=8,12 round.measurements=10 \
  convergence.min_rounds=8 convergence.max_rounds=8 backend.threads=2
run_quietly small.cfg small
"$glassworks" analyze small --csv results.csv >analysis.txt
"$glassworks" report small --out page.html --csv numbers >words.txt
grep -q 'realizations *converged' words.txt || fail "no verdict in words: $(cat words.txt)"
head -1 words.txt | grep -Eq '^Heisenberg model in 3D, L = 4, 6, periodic; .* 10 realizations of each size.* 20[0-9]{2}-[0-9]{2}-[0-9]{2}; .* spin updates in ' ||
  fail "the first line does not say what was simulated: $(head -1 words.txt)"
[[ $(stat -c %s page.html) -gt 1000000 ]] || fail "the page is no self-contained file"
grep -q 'Content-Security-Policy' page.html || fail "the page does not forbid the network"
echo "ok   $(head -1 words.txt)"

# Every number of analyze is in the figures, to the digit.
python3 - results.csv numbers <<'PYTHON' || fail "the figures hold other numbers than analyze --csv"
import csv, pathlib, sys
expected = {}
for row in csv.DictReader(open(sys.argv[1])):
    expected.setdefault(row["observable"], {})[(row["L"], row["T"])] = (row["mean"], row["error"])
compared = 0
for name in ("xi_over_L", "chi_sg", "energy", "specific_heat", "identity_difference", "xi_chiral_over_L"):
    for row in csv.DictReader(open(pathlib.Path(sys.argv[2]) / f"{name}.csv")):
        if not row["series"].startswith("L = ") or "," in row["series"]:
            continue
        mean, error = expected[name][(row["series"][4:], row["x"])]
        if (mean, error) != (row["y"], row["y_error"]):
            sys.exit(f"{name} at T = {row['x']}: {row['y']} +- {row['y_error']}, not {mean} +- {error}")
        compared += 1
sys.exit(0 if compared == 6 * 20 else f"{compared} numbers compared")
PYTHON
echo "ok   the figures show the numbers of analyze"

"$glassworks" plot small --figures=xi_over_L,energy --format=pdf --out figures >drawn.txt
[[ $(wc -l <drawn.txt) -eq 2 && $(head -c 4 figures/xi_over_L.pdf) == %PDF ]] || fail "figures: $(cat drawn.txt)"
rm figures/energy.pdf
(cd figures && gnuplot energy.gp) && [[ $(head -c 4 figures/energy.pdf) == %PDF ]] || fail "the script of a figure does not draw it"
refused "plot: gnuplot is not there" 'scripts of all figures are in undrawn' env PATH=/nowhere \
  "$glassworks" plot small --figures=xi_over_L,energy --out undrawn
[[ -s undrawn/xi_over_L.gp && -s undrawn/energy.gp && ! -e undrawn/xi_over_L.pdf ]] || fail "no scripts: $(ls undrawn)"
refused "plot: a script that is there" 'xi_over_L\.pdf' "$glassworks" plot small --figures=xi_over_L --out figures
echo "ok   printed figures"

"$glassworks" report small --brief --out brief.html >brief.txt
grep -q 'class="brief"' brief.html || fail "no brief page"

# A campaign whose realizations have different lengths, and one that has not begun.
write_config half.cfg model.L=4 disorder.realizations=6 ladder.slots=4 round.measurements=10 backend.threads=1 \
  backend.batch=2 convergence.max_rounds=1024 convergence.min_round_trips=1000000
"$glassworks" run half.cfg --campaign.directory=half --time-limit=2s >half.log 2>&1 || [[ $? -eq 75 ]] || fail "$(cat half.log)"
"$glassworks" report half --out half.html >half.txt
grep -q 'preliminary' half.txt || fail "an unfinished campaign is not called preliminary: $(cat half.txt)"
echo "ok   an unfinished campaign: $(head -1 half.txt)"

cp -r small damaged
printf 'these bytes are not what was written here' |
  dd of=damaged/campaign.sqlite bs=1 seek=$(($(stat -c %s damaged/campaign.sqlite) / 2)) conv=notrunc status=none
mkdir empty foreign
head -c 30000 /dev/zero | tr '\0' 'x' >foreign/campaign.sqlite
for verb in report plot; do
  refused "$verb: damaged database" 'damaged/campaign\.sqlite' "$glassworks" $verb damaged --out no
  refused "$verb: no campaign" 'no campaign in empty' "$glassworks" $verb empty --out no
  refused "$verb: foreign database" 'not a database' "$glassworks" $verb foreign --out no
  refused "$verb: too few blocks" '\-\-blocks cannot be 1' "$glassworks" $verb small --blocks=1 --out no
done
refused "plot: range without an end" '\-\-x-range cannot be' "$glassworks" plot small --x-range=: --out no
refused "plot: range of a logarithmic axis" 'is logarithmic' "$glassworks" plot small --y-range=-1:1 --out no
printf 'L,T,observable,mean\n' >reference.csv
refused "report: reference without errors" "has no column 'error'" "$glassworks" report small --reference reference.csv --out no
printf 'L,T,observable,mean,error\n4,0.2,energy,high,0.1\n' >reference.csv
refused "report: reference that is no number" "line 2: mean = 'high'" "$glassworks" report small --reference reference.csv --out no
refused "report: page that cannot be written" 'nowhere/page.html' "$glassworks" report small --out nowhere/page.html
[[ ! -e no ]] || fail "something was written"
