#!/usr/bin/env bash
# `publish`: a folder that can be checked without the campaign; every changed file is named; rounds are simulated again.
# Folders of strangers and of several kinds of campaigns: tests/tools/publication_check_test.cpp.
python_sources="$(realpath -- "$(dirname -- "$0")/../../tools/python/src")"
. "$(dirname -- "$0")/common.sh"
work_in_memory

write_config small.cfg model.L=4,6 ladder.slots=4,6 disorder.realizations=4 round.measurements=6 convergence.min_rounds=6 \
  convergence.max_rounds=6 backend.threads=1
run_quietly small.cfg first
run_quietly small.cfg later --disorder.first=4 --disorder.realizations=2 --convergence.min_rounds=3 --convergence.max_rounds=3
unusable "publish: no folder" 'needs --out' "$glassworks" publish first
unusable "publish: a licence" "no SPDX identifier" "$glassworks" publish first --out no --licence 'my own'
"$glassworks" publish first later --out archive --author 'Doe, Jane' --licence CC0-1.0 >publish.txt || fail "publish: $(cat publish.txt)"
grep -q 'licence CC0-1.0' publish.txt || fail "$(cat publish.txt)"
for file in README.md CITATION.cff manifest.json DIGESTS.xxh128 results.csv covariance.csv realizations.csv digests.csv \
  temperatures.csv campaign.h5 report.html configuration/first.cfg configuration/later.cfg figures/energy.gp \
  numbers/headline_crossings.csv numbers/energy.csv; do
  [[ -s archive/$file || $file == numbers/headline_crossings.csv ]] || fail "the folder has no $file"
done
grep -q '^license: CC0-1.0$' archive/CITATION.cff && grep -q 'family-names: "Doe"' archive/CITATION.cff || fail "$(cat archive/CITATION.cff)"
grep -q '## Verdict' archive/README.md && grep -q 'Philox4x32-10' archive/README.md || fail "README"
! grep -rq "$scratch" archive --include=*.cfg --include=*.md --include=*.csv || fail "a path of this machine is in the folder"
unusable "publish: a folder that is used" 'there are files in it' "$glassworks" publish first --out archive
"$glassworks" report first later --out same.html --csv same >/dev/null
diff -r same archive/numbers || fail "numbers differ from those of the report"
echo "ok   published"

mkdir away && mv first later away # alone
"$glassworks" verify archive >verify.txt || fail "verify: $(cat verify.txt)"
grep -q '; 0 rounds of 0 realizations simulated again. No problems\.$' verify.txt || fail "verify: $(cat verify.txt)"
"$glassworks" verify archive --recompute 12 >verify.txt || fail "verify --recompute: $(cat verify.txt)"
# Four of six rounds of eight realizations, three of three of the others.
grep -q '; 44 rounds of 12 realizations simulated again. No problems\.$' verify.txt || fail "verify: $(cat verify.txt)"
"$glassworks" run archive/configuration/later.cfg --campaign.directory=again >run.log 2>&1 || fail "$(cat run.log)"
same_digests away/later again "the published configuration"
echo "ok   $(tail -n 1 verify.txt)"

if /usr/bin/python3 -c "import h5py, numpy" 2>/dev/null; then
  PYTHONPATH="$python_sources" /usr/bin/python3 -m glassworks archive >python.txt || fail "the Python package: $(cat python.txt)"
  PYTHONPATH="$python_sources" /usr/bin/python3 -c '
import glassworks
data = glassworks.open("archive")
assert list(data.averages(4).realizations) == [0, 1, 2, 3, 4, 5]' ||
    fail "the Python package cannot read the folder"
else
  skip_part "the Python package (h5py or numpy is missing)"
fi

# One bit of any file is named.
count=0
while read -r file; do
  rm -rf copy
  cp -r archive copy
  python3 - "copy/$file" <<'PYTHON'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[len(data) // 2] ^= 4
open(sys.argv[1], "wb").write(data)
PYTHON
  status=0
  "$glassworks" verify copy >verify.txt 2>&1 || status=$?
  [[ $status -eq 1 ]] && grep -q "^Problem: $file has been changed" verify.txt || fail "a bit of $file: $(cat verify.txt)"
  count=$((count + 1))
done < <(cd archive && find . -type f -printf '%P\n' | grep -v '^numbers/\|^alps/\|^figures/' | sort)
[[ $count -ge 12 ]] || fail "only $count files"
rm -rf copy && cp -r archive copy && rm copy/results.csv && echo more >copy/more.txt
! "$glassworks" verify copy >verify.txt || fail "a missing file"
grep -q '^Problem: results.csv is missing' verify.txt && grep -q '^Note: more.txt is not listed' verify.txt || fail "$(cat verify.txt)"
echo "ok   a changed bit in $count files"

# Numbers that fit their digests, but not what is simulated: another temperature, with the list written anew.
rm -rf copy && cp -r archive copy
python3 - copy <<'PYTHON'
import csv, pathlib, sys
folder = pathlib.Path(sys.argv[1])
file = folder / "digests.csv"
lines = file.read_text().splitlines()
lines = [line.replace(line.split(",")[3], "0" * 32) if line.startswith("4,0,4,") else line for line in lines]
file.write_text("\n".join(lines) + "\n")
PYTHON
"$glassworks" verify copy --recompute 12 >verify.txt && fail "other bins"
grep -q '^Problem: the first 4 rounds of realization 0 at L = 4, simulated again, have other bins' verify.txt || fail "$(cat verify.txt)"
unusable "verify: no publication and no campaign" 'no campaign in' "$glassworks" verify away

# Couplings from files lie in the folder.
"$glassworks" export away/first --couplings --out files >export.txt
{ printf '\357\273\277' && cat files/couplings/L004-r000000.txt; } >marked && mv marked files/couplings/L004-r000000.txt # of UTF-8
write_config files.cfg model.L=4 ladder.slots=4 disorder.realizations=2 round.measurements=6 convergence.min_rounds=2 \
  convergence.max_rounds=2 backend.threads=1 model.couplings=files model.couplings_file=files/couplings
run_quietly files.cfg files_campaign
"$glassworks" publish files_campaign --out with_files >publish.txt || fail "$(cat publish.txt)"
grep -q 'names no author' publish.txt || fail "$(cat publish.txt)"
mv files hidden && mv files_campaign away
"$glassworks" verify with_files --recompute 2 >verify.txt || fail "$(cat verify.txt)"
grep -q '; 4 rounds of 2 realizations simulated again. No problems' verify.txt || fail "$(cat verify.txt)"
echo "ok   coupling files"
