#!/usr/bin/env bash
# From the command line to numbers: the table of `analyze`, known answers through coupling and field files, campaigns
# that run or cannot be written.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
work_in_memory
trap 'kill -9 $(jobs -p) 2>/dev/null || true; [[ $scratch != /dev/shm/* ]] || rm -rf -- "$scratch"' EXIT

required=(energy specific_heat chi_sg xi_over_L xi_chiral_over_L binder link_overlap identity_difference)

# check_table FILE SIZES SLOTS: header, six columns, numbers that are numbers, all required observables at every slot.
check_table() {
  local name rows
  [[ $(head -n 1 "$1") == "L,T,observable,mean,error,realizations" ]] || fail "$1 begins with: $(head -n 1 "$1")"
  awk -F, 'NR > 1 {
    number = "^-?[0-9]+(\\.[0-9]+)?(e[-+]?[0-9]+)?$"
    bad = NF != 6 || $1 !~ /^[0-9]+$/ || $2 !~ number || $3 !~ /^[a-z][A-Za-z_0-9]*$/ || $6 !~ /^[0-9]+$/ ||
          ($4 !~ number && $4 != "nan") || ($5 !~ number && $5 != "nan") || $5 ~ /^-/
    if (bad) { print "line " NR ": " $0; exit 1 }
  }' "$1" || fail "$1 has a row that cannot be used"
  for name in "${required[@]}"; do
    rows=$(awk -F, -v name="$name" '$3 == name' "$1" | wc -l)
    [[ $rows -eq $(($2 * $3)) ]] || fail "$1 has $rows rows of $name instead of $2 x $3"
  done
  [[ $(tail -n +2 "$1" | cut -d, -f1-3 | sort | uniq -d | wc -l) -eq 0 ]] || fail "$1 holds something twice"
}

# --- the table ---
write_config plain.cfg model.L=4,6 disorder.realizations=12 round.measurements=20
run_quietly plain.cfg plain
"$glassworks" analyze plain --csv table.csv >report.txt
check_table table.csv 2 5
awk -F, '$3 ~ /^(energy|chi_sg|link_overlap)$/ { if ($4 == "nan" || $5 == "nan" || $6 != 12) exit 1 }' table.csv ||
  fail "nan among: $(grep -E ',(energy|chi_sg|link_overlap),' table.csv)"
for L in 4 6; do grep -q "^Verdict for L = $L" report.txt || fail "no verdict for L = $L: $(cat report.txt)"; done
"$glassworks" analyze plain --csv=again.csv >/dev/null
cmp -s table.csv again.csv || fail "the same campaign gave two tables"
# Bits are equal for all backends, so tables are.
run_quietly plain.cfg other --backend.kind=reference --backend.batch=5
"$glassworks" analyze other --csv other.csv >/dev/null
cmp -s table.csv other.csv || fail "another backend gave another table"
echo "ok   table of $(wc -l <table.csv) rows"

# --- a copy that cannot be written ---
cp -r plain sealed
find sealed -name '*-shm' -delete
chmod -R a-w sealed
reader=()
if [[ $EUID -eq 0 ]]; then reader=(setpriv --reuid=65534 --regid=65534 --clear-groups); fi
chmod 0755 "$scratch"
if "${reader[@]}" "$glassworks" --version >/dev/null 2>&1 && "${reader[@]}" test -r sealed/campaign.sqlite; then
  fingerprint sealed >sealed.before
  "${reader[@]}" "$glassworks" analyze sealed >sealed.txt || fail "analyze of a read-only copy"
  "$glassworks" analyze plain | cmp -s - sealed.txt || fail "a read-only copy gives another report"
  "${reader[@]}" "$glassworks" inspect sealed --digest | cmp -s - <(digests plain) || fail "digests of a read-only copy"
  "${reader[@]}" "$glassworks" status sealed >sealed.txt
  grep -q 'is finished' sealed.txt || fail "status of a read-only copy: $(cat sealed.txt)"
  fingerprint sealed | cmp -s sealed.before - || fail "reading has changed a read-only copy"
  echo "ok   a read-only copy"
else
  skip_part "a read-only copy (no other user who can reach the program)"
fi
chmod -R u+w sealed

# --- while the campaign runs: two processes, so that both sizes are simulated ---
write_config endless.cfg model.L=4,6 convergence.max_rounds=1000000 convergence.min_round_trips=10000000 \
  backend.threads=1 backend.batch=5
pids=()
for n in 1 2; do
  "$glassworks" run endless.cfg --campaign.directory=endless >"run-$n.log" 2>&1 &
  pids+=($!)
done
while [[ $(digests endless 2>/dev/null | awk '$3 >= 2' | wc -l) -lt 10 ]]; do
  kill -0 "${pids[@]}" 2>/dev/null || fail "a run ended: $(cat run-?.log)"
  sleep 0.02
done
for _ in 1 2 3 4 5; do
  "$glassworks" analyze endless --csv running.csv --force >running.txt 2>running.err ||
    fail "analyze while running: $(cat running.err)"
  check_table running.csv 2 5
done
kill -0 "${pids[@]}" 2>/dev/null || fail "a run did not survive being read: $(cat run-?.log)"
kill -TERM "${pids[@]}"
wait "${pids[@]}" || true
digests endless >/dev/null || fail "after reading while it ran"
echo "ok   while the campaign runs"

# --- known answers ---
# One realization after the other has the same couplings from the file but random numbers of its own: the realizations
# are independent runs, and the jackknife error is that of an average over them. 64 of them: a deviation of 4 errors is
# chance with probability 1.7e-4 (Student's t, 63 degrees of freedom), for all 8 comparisons together 1.4e-3.
known=(disorder.realizations=64 round.measurements=40 protocol.overrelaxation=1 convergence.min_rounds=8
  convergence.max_rounds=16 ladder.slots=4)

# expect WHAT TABLE OBSERVABLE EXPRESSION LARGEST_ERROR: mean = EXPRESSION(T) within 4 errors at every temperature, and
# errors small enough to mean something.
expect() {
  awk -F, -v name="$3" -v largest="$5" '
    function langevin(x) { return x < 1e-3 ? x / 3 : (exp(x) + exp(-x)) / (exp(x) - exp(-x)) - 1 / x }
    $3 == name {
      T = $2; x = '"$4"'
      rows++
      printf "     T = %s: %s +- %s, exact %.8g (%.2f errors)\n", T, $4, $5, x, ($4 - x) / $5
      if (!($5 > 0 && $5 < largest) || ($4 - x)^2 > 16 * $5 * $5) bad = 1
    }
    END { exit bad || rows == 0 }' "$2" || fail "$1"
  echo "ok   $1"
}

# Open chain of 12 sites: bonds 0-1, ..., 10-11, nothing between 11 and 0. E/N = -(1/12) sum J (coth(J/T) - T/J).
couplings=(0.3 -1.2 0.7 2.0 -0.5 1.1 -1.6 0.9 0.05 -2.4 1.3)
sum=0
: >chain.txt
echo '# site axis J' >>chain.txt
for i in "${!couplings[@]}"; do
  echo "$i 0 ${couplings[$i]}  # bond $i" >>chain.txt
  # The sign of J does not matter: J langevin(J/T) is even.
  sum="$sum + ${couplings[$i]#-} * langevin(${couplings[$i]#-} / T)"
done
write_config chain.cfg "${known[@]}" model.dim=1 model.L=12 model.couplings=file model.couplings_file=chain.txt
run_quietly chain.cfg chain
"$glassworks" analyze chain --csv chain.csv >/dev/null
expect "open chain, energy" chain.csv energy "-($sum) / 12" 0.003

# Spins in fields of their own without couplings: s.H = |H| langevin(|H|/T), in the plane.
fields=("3 4 0" "0 0 -0.5" "0.1 0.2 -0.2" "-1 2 2" "0 0 0" "0 1.5 0")
lengths=(5 0.5 0.3 3 0 1.5)
sum=0
: >free.txt
: >field.txt
for i in "${!fields[@]}"; do
  echo "$i ${fields[$i]}" >>field.txt
  sum="$sum + ${lengths[$i]} * langevin(${lengths[$i]} / T)"
done
echo '0 0 0' >>free.txt
write_config free.cfg "${known[@]}" model.dim=2 model.L=4 model.couplings=file model.couplings_file=free.txt \
  model.field=file model.field_file=field.txt
run_quietly free.cfg free
"$glassworks" analyze free --csv free.csv >/dev/null
expect "spins in a field, energy" free.csv energy "-($sum) / 16" 0.003

# The same file in another place is the same campaign; another content is not.
mkdir moved
cp chain.txt chain.cfg moved/
run_quietly moved/chain.cfg chain
sed -i 's/^0 0 0.3/0 0 0.4/' moved/chain.txt
echo '11 0 1' >>moved/chain.txt  # no bond is missing: no note stands beside the refusal
refused "another content of the couplings file" 'configuration differs' \
  "$glassworks" run moved/chain.cfg --campaign.directory=chain
grep -q '^  model.couplings_digest: ' refused.err || fail "the difference is not shown: $(cat refused.err)"
