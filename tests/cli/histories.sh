#!/usr/bin/env bash
# Second histories and validations: killed and continued they are those of an undisturbed run, the campaign stays as it is, and
# command and report compare them. A campaign of an earlier version keeps the rule that it began with until it is raised.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
work_in_memory

write_config small.cfg model.L=4,6 disorder.realizations=12 round.measurements=20 convergence.min_rounds=8 \
  convergence.max_rounds=20 backend.threads=1

run_quietly small.cfg plain
digests plain >plain.before
run_quietly small.cfg whole --campaign.second_start=ordered --campaign.second_start_fraction=0.5
same_digests plain whole "second histories change nothing of the first ones"
[[ $(digests whole/second | wc -l) -eq 16 ]] || fail "not 8 second histories of each size: $(digests whole/second)"
cmp -s <(digests whole/second | cut -d ' ' -f 5) <(digests whole | head -n 8 | cut -d ' ' -f 5) && fail "both histories are the same"

# Asked for later, and killed in the middle.
for _ in 1 2 3; do
  timeout --signal=KILL 0.4 "$glassworks" run plain --campaign.second_start=ordered --campaign.second_start_fraction=0.5 \
    >run.log 2>&1 || true
done
run_quietly plain plain --campaign.second_start=ordered --campaign.second_start_fraction=0.5
same_digests whole/second plain/second "killed and asked for later"
"$glassworks" verify plain/second --recompute 3 >verify.log || fail "second histories: $(cat verify.log)"
echo "ok   second histories"

digests plain | cmp -s plain.before - || fail "the campaign has changed"

timeout --signal=KILL 0.5 "$glassworks" validate whole --sample 9 --generator 0 --backend.threads=1 >validate.log 2>&1 || true
status=0
"$glassworks" validate whole --sample 9 --generator 1 --backend.threads=1 >validate.log || status=$?
[[ $status -le 1 ]] || fail "validate ended with status $status"
for words in 'Histories of five times the length: ' 'Second histories with ordered start: ' 'chi_sg' '|q|^4' \
  'Histories with another random number generator: too few realizations'; do
  grep -qF -- "$words" validate.log || fail "'$words' is not in: $(cat validate.log)"
done
# Every history has five times its length.
[[ $(sql whole/validation/fivefold "SELECT count(*) FROM realizations WHERE status = 'converged' AND rounds != expected_rounds") -eq 0 ]] ||
  fail "lengths: $(sql whole/validation/fivefold 'SELECT rounds, expected_rounds FROM realizations')"
[[ $(sql whole/validation/fivefold "SELECT count(*) FROM realizations WHERE L = 4 AND status = 'converged'") -eq 9 ]] ||
  fail "not nine of L = 4"
"$glassworks" verify whole/validation/fivefold --recompute 2 >verify.log || fail "validation: $(cat verify.log)"
"$glassworks" verify whole/validation/generator --recompute 1 >verify.log || fail "generator: $(cat verify.log)"
same_digests plain whole "validated"
"$glassworks" report whole --out page.html --csv numbers >words.txt
grep -q 'Second histories with ordered start: ' words.txt || fail "not in the verdict: $(cat words.txt)"
grep -q 'validation_fivefold' page.html || fail "the report has no section of the validation"
echo "ok   $(grep 'five times' words.txt)"

run_quietly small.cfg more --disorder.first=12 --disorder.realizations=8 --campaign.second_start=ordered \
  --campaign.second_start_fraction=1
"$glassworks" report whole more --out both.html --csv both >words.txt 2>&1 || fail "two campaigns: $(cat words.txt)"
[[ $(grep -c '^4,' both/second_histories_ordered_differences.csv) -gt $(grep -c '^4,' numbers/second_histories_ordered_differences.csv) ]] ||
  fail "not the second histories of both campaigns: $(ls both) $(cat words.txt)"
echo "ok   second histories of two campaigns"

# Spins of another campaign, killed in the middle, and the same spins as files.
stored=(--campaign.start=stored --campaign.start_from=plain --ladder.slots=3 --ladder.T_min=0.15 --disorder.realizations=4)
run_quietly small.cfg stored "${stored[@]}"
for _ in 1 2; do
  timeout --signal=KILL 0.3 "$glassworks" run small.cfg --campaign.directory=stored-killed "${stored[@]}" >run.log 2>&1 || true
done
run_quietly small.cfg stored-killed "${stored[@]}"
same_digests stored stored-killed "stored starts, killed"
"$glassworks" export plain --spins --out=exported >export.log 2>&1 || fail "export: $(cat export.log)"
run_quietly small.cfg stored-files "${stored[@]/=plain/=exported/spins}"
same_digests stored stored-files "stored starts from files"
"$glassworks" verify stored --recompute 3 >verify.log || fail "stored starts: $(cat verify.log)"
unusable "a start with fewer slots" 'it has 5 slots and 2 copies, and this campaign 6 and 2' \
  "$glassworks" run small.cfg --campaign.directory=other "${stored[@]/slots=3/slots=6}"
echo '# changed' >>exported/spins/L004-r000001.txt
unusable "a start that has changed" 'campaign.start_digest: .* .what the histories begin with has changed' \
  "$glassworks" run small.cfg --campaign.directory=stored-files "${stored[@]/=plain/=exported/spins}"
echo "ok   stored starts"

unusable "generator on another backend" 'generator threefry4x32 .none of its kernels supports that.. Use backend.kind = reference' \
  "$glassworks" run small.cfg --campaign.directory=other --campaign.generator=threefry4x32 --backend.kind=cpu
unusable "another start of second histories" 'campaign.start: ordered -> annealed' \
  "$glassworks" run whole --campaign.second_start=annealed
unusable "a size that is not there" 'has no L = 8' "$glassworks" validate whole --generator-L 8 --sample 0
unusable "nothing to validate" 'leave nothing to simulate' "$glassworks" validate whole --sample 0 --generator 0
# Refused before anything is simulated: there is no folder of the validation.
for case in "a size that is not there|has no L = 8|--generator-L=8" "a size, and no generator|has no L = 8|--generator=0 --generator-L=8" \
  "a key that stays|round.measurements: 20 -> 30|--round.measurements=30" "a size more|cannot be raised by a validation|--model.L=4,6,8" \
  "a threshold|disorder.realizations cannot be raised|--disorder.realizations=20" \
  "a key of runs|has no effect in a validation|--campaign.second_start=ordered"; do
  IFS='|' read -r name words options <<<"$case"
  # shellcheck disable=SC2086
  unusable "validate, $name" "$words" "$glassworks" validate plain $options
  [[ ! -e plain/validation ]] || fail "$name: something was simulated before"
done

# Old campaigns name no rule, and keep the first one.
python3 - whole <<'PYTHON'
import sqlite3, sys
connection = sqlite3.connect(f"{sys.argv[1]}/campaign.sqlite")
text, = connection.execute("SELECT config FROM campaign").fetchone()
assert "convergence.rule = 2\n" in text, text
PYTHON
run_quietly small.cfg old --convergence.rule=1
[[ -z $(sql old "SELECT 1 FROM campaign WHERE config LIKE '%convergence.rule%'") ]] || fail "rule 1 is named"
run_quietly small.cfg old
"$glassworks" why old --L 4 --realization 0 | grep -q 'Round trips of all replicas' || fail "rule 1 is not kept"
run_quietly small.cfg old --convergence.rule=2
"$glassworks" why old --L 4 --realization 0 | grep -q 'Round trips of the copies' || fail "rule 2 is not taken"
[[ $(sql old "SELECT count(*) FROM amendments WHERE change = 'convergence.rule: 1 -> 2'") -eq 1 ]] || fail "not recorded"
same_digests plain old "raised to rule 2"
echo "ok   rules"
