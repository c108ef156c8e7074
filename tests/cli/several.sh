#!/usr/bin/env bash
# Several campaigns in one analysis, and disorder.first: campaigns of the realizations 0 to 3 and 4 to 5 together are the
# campaign of 0 to 5, to every digit; everything works where the numbers begin later; what does not fit is refused.
. "$(dirname -- "$0")/common.sh"
work_in_memory

write_config small.cfg model.L=4,6 ladder.slots=4,6 round.measurements=6 convergence.min_rounds=8 \
  convergence.max_rounds=8 backend.threads=1
run_quietly small.cfg whole --disorder.realizations=6
run_quietly small.cfg first --disorder.realizations=4
run_quietly small.cfg later --disorder.realizations=1 --disorder.first=4
"$glassworks" run later --dry-run --disorder.realizations=2 >dry.txt
grep -q 'Would raise disorder.realizations: 1 -> 2' dry.txt || fail "dry run: $(cat dry.txt)"
"$glassworks" run later --disorder.realizations=2 >raise.log 2>&1 || fail "raise: $(cat raise.log)"
same_part() { # DIR FIRST: its digests are those of the whole from that number on
  digests whole | awk -v first="$2" '$2 >= first' >expected.digest
  digests "$1" >found.digest
  cmp -s expected.digest found.digest || fail "$1: $(diff expected.digest found.digest | head -n 4)"
}
same_part later 4
"$glassworks" verify later --recompute 2 >verify.txt || fail "verify: $(cat verify.txt)"
grep -q 'Checked 4 realizations, 32 rounds.*No problems' verify.txt || fail "verify: $(cat verify.txt)"
"$glassworks" status later | grep -q 'The campaign is finished' || fail "status"
"$glassworks" watch later --once >watch.txt || fail "watch: $(cat watch.txt)"
"$glassworks" why later --realization 5 --L 6 | grep -q 'L = 6, realization 5' || fail "why"
"$glassworks" why later | grep -Eq 'realization [45]' || fail "why without a number"
unusable "why: a number before the first" 'no realization 0' "$glassworks" why later --realization 0
echo "ok   realizations from 4 on"

"$glassworks" analyze whole --csv whole.csv >whole.txt
"$glassworks" analyze later first --csv parts.csv >parts.txt
cmp <(grep -v ^Every whole.txt) <(grep -v ^Every parts.txt) && cmp whole.csv parts.csv || fail "averages of the parts differ from those of the whole"
"$glassworks" report whole --out whole.html --csv whole.numbers --temperatures 8 --blocks 3 | grep -v '^Report\|^Numbers' >whole.words
"$glassworks" report first later --out parts.html --csv parts.numbers --temperatures 8 --blocks 3 | grep -v '^Report\|^Numbers' >parts.words
diff <(sed '1s/;[^;]*of computing//' whole.words) <(sed '1s/;[^;]*of computing//' parts.words) || fail "words differ"
diff -r whole.numbers parts.numbers || fail "numbers of the report differ"
grep -q 'Campaigns first, later' parts.html || fail "the page does not name its campaigns"
"$glassworks" plot first later --figures=energy --format=svg --out drawn --temperatures 8 --blocks 3 >drawn.txt
[[ -s drawn/energy.svg ]] || fail "no figure"
"$glassworks" export whole --out whole.export --csv >export.txt && "$glassworks" export later first --out parts.export --csv --bins >export.txt
cmp whole.export/results.csv parts.export/results.csv && cmp whole.export/realizations.csv parts.export/realizations.csv || fail "exports differ"
echo "ok   the parts together are the whole"

run_quietly small.cfg larger --model.L=8 --ladder.slots=8 --disorder.realizations=3
"$glassworks" analyze larger first >sizes.txt
grep -q 'Verdict for L = 8' sizes.txt && grep -q 'Verdict for L = 4' sizes.txt || fail "sizes of both"
echo "ok   sizes of two campaigns"

unusable "the same realizations twice" 'realizations 4 to 5 of L = 4|no realization may count twice' "$glassworks" analyze whole later
grep -q '  realizations 4 to 5 of L = 6, which both whole and later have' refused.err || fail "$(cat refused.err)"
run_quietly small.cfg other --disorder.realizations=2 --disorder.first=6 --protocol.overrelaxation=3 --ladder.T_max=0.9
unusable "another protocol" 'cannot be analysed together' "$glassworks" report whole other --out no.html
grep -q '  protocol.overrelaxation: 2 in whole, 3 in other' refused.err && grep -q '  the temperatures of L = 4' refused.err ||
  fail "$(cat refused.err)"
unusable "no place for a report" '--out is missing' "$glassworks" report first later
unusable "another first realization" 'disorder.first: 4 -> 3' "$glassworks" run later --disorder.first=3
unusable "a negative number" 'disorder.first = -1 is out of range' "$glassworks" run small.cfg --campaign.directory=no --disorder.first=-1
unusable "two directories for one" 'takes one campaign directory' "$glassworks" status first later

# A coupling file for each realization, whose numbers are those of the campaign.
"$glassworks" export whole --couplings --out files >export.txt
write_config files.cfg model.L=4,6 ladder.slots=4,6 round.measurements=6 convergence.min_rounds=8 convergence.max_rounds=8 \
  backend.threads=1 model.couplings=files model.couplings_file=files/couplings
run_quietly files.cfg with_files --disorder.realizations=2 --disorder.first=4
same_part with_files 4
rm files/couplings/L004-r000000.txt
run_quietly files.cfg with_files --disorder.realizations=2 --disorder.first=4
unusable "a coupling file that is missing" 'holds no L004-r000006.txt' "$glassworks" run files.cfg --campaign.directory=no \
  --disorder.realizations=2 --disorder.first=5
unusable "pilots without files" 'ladder.adapt does not fit disorder.first = 4' "$glassworks" run files.cfg \
  --campaign.directory=no --disorder.first=4 --ladder.adapt=rejection
echo "ok   coupling files"

# Pilots are the realizations from 0 on: all campaigns of a size have the same ladder.
for part in "adapt0 0" "adapt4 4"; do
  set -- $part
  run_quietly small.cfg "$1" --model.L=4 --ladder.slots=4 --disorder.realizations=4 --disorder.first="$2" \
    --ladder.adapt=rejection --ladder.pilots=3 --ladder.adapt_rounds=2
done
[[ $(ladders adapt0) == "$(ladders adapt4)" ]] || fail "ladders differ: $(ladders adapt0) $(ladders adapt4)"
"$glassworks" analyze adapt4 adapt0 >adapted.txt || fail "adapted ladders do not fit"

# Bits of realizations in a word do not depend on where a campaign begins.
write_config bits.cfg model.type=ising model.couplings=bimodal model.L=4 protocol.multispin=metropolis protocol.overrelaxation= \
  ladder.slots=4 round.measurements=6 convergence.min_rounds=8 convergence.max_rounds=8 backend.threads=1
run_quietly bits.cfg whole_bits --disorder.realizations=140
run_quietly bits.cfg later_bits --disorder.realizations=15 --disorder.first=125
digests whole_bits | awk '$2 >= 125' >expected.digest
digests later_bits >found.digest
cmp expected.digest found.digest || fail "multi-spin coding"
echo "ok   adapted ladders, multi-spin coding"
