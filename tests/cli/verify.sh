#!/usr/bin/env bash
# `verify`: a clean campaign has status 0; whatever is damaged is named in one line, with status 1, and nothing is
# changed.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
work_in_memory

write_config good.cfg model.L=4,6 checkpoint.interval=0 disorder.realizations=4 backend.batch=4
run_quietly good.cfg good
run_quietly good.cfg other --campaign.seed=8

rounds=$(rounds_of good)
"$glassworks" verify good >verify.txt || fail "a clean campaign has status $?: $(cat verify.txt)"
expected="Checked 8 realizations, $rounds rounds, 16 checkpoints; 0 rounds simulated again. No problems."
[[ $(cat verify.txt) == "$expected" ]] ||
  fail "a clean campaign: $(cat verify.txt)"
for count in 3 8; do
  "$glassworks" verify good --recompute $count >verify.txt || fail "--recompute $count: status $?: $(cat verify.txt)"
  grep -q "; $count rounds simulated again. No problems\.$" verify.txt || fail "--recompute $count: $(cat verify.txt)"
done
echo "ok   a clean campaign"

fresh() {
  rm -rf copy
  cp -r good copy
}

# found WHAT PATTERN [option ...]: exactly one line that names it, and status 1; the copy stays as it is.
found() {
  local what="$1" pattern="$2" status=0
  shift 2
  fingerprint copy >copy.before
  "$glassworks" verify copy "$@" >verify.txt 2>verify.err || status=$?
  [[ $status -eq 1 ]] || fail "$what: status $status instead of 1: $(cat verify.txt verify.err)"
  [[ $(grep -c '^Problem: ' verify.txt) -eq 1 && ! -s verify.err ]] ||
    fail "$what: not one problem: $(cat verify.txt verify.err)"
  grep -Eq "^Problem: .*$pattern.*\. Consequence: .*\. The next run: .*\.$" verify.txt ||
    fail "$what: '$pattern' is not in: $(cat verify.txt)"
  tail -n 1 verify.txt | grep ' 1 problem\.$' >/dev/null || fail "$what: $(cat verify.txt)"
  fingerprint copy >copy.after
  cmp -s copy.before copy.after || fail "$what: files have changed: $(diff copy.before copy.after)"
  echo "ok   $what: $(grep '^Problem' verify.txt)"
}

# --- checkpoints ---
row="FROM realizations WHERE L = 6 AND realization = 2"
newest=$(sql good "SELECT checkpoint $row") previous=$(sql good "SELECT previous_checkpoint $row")
for file in "$newest" "$previous"; do
  fresh
  truncate -s 200 "copy/checkpoints/$file"
  found "a checkpoint that is cut" "copy/checkpoints/$file is damaged"
  fresh
  rm "copy/checkpoints/$file"
  found "a checkpoint that is missing" "copy/checkpoints/$file.*No such file"
  fresh
  printf '\xff' | dd of="copy/checkpoints/$file" bs=1 seek=300 conv=notrunc status=none
  ! cmp -s "good/checkpoints/$file" "copy/checkpoints/$file" || fail "nothing was changed in $file"
  found "a checkpoint with another byte" "copy/checkpoints/$file is damaged"
done
fresh
cp "copy/checkpoints/$previous" "copy/checkpoints/$newest"
found "a checkpoint of another round" "copy/checkpoints/$newest is not the expected one"

# --- rows ---
# flip_bit TABLE COLUMN CONDITION: one bit in the middle of a blob.
flip_bit() {
  python3 -c '
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
table, column, condition = sys.argv[2:]
blob, = connection.execute(f"SELECT {column} FROM {table} WHERE {condition}").fetchone()
middle = len(blob) // 2
blob = blob[:middle] + bytes([blob[middle] ^ 1]) + blob[middle + 1:]
connection.execute(f"UPDATE {table} SET {column} = ? WHERE {condition}", (blob,))
connection.commit()
connection.close()' copy/campaign.sqlite "$@"
}
for column in means exchange_attempts exchange_accepted walk_up walk_down walk_mean round_trips; do
  fresh
  flip_bit rounds $column "L = 4 AND realization = 1 AND round = 3"
  found "a bit in $column" "Round 3 of realization 1 at L = 4 .*damaged .column $column"
done
fresh
sql copy "UPDATE rounds SET seconds = seconds + 1 WHERE L = 4 AND realization = 1 AND round = 3"
found "another time of a round" "Round 3 of realization 1 at L = 4 .*damaged"
fresh
sql copy "DELETE FROM rounds WHERE L = 4 AND realization = 1 AND round = 3"
found "a round that is missing" "Round 3 of realization 1 at L = 4 .*is missing"
fresh
sql copy "UPDATE realizations SET tau = tau + 1 WHERE L = 4 AND realization = 1"
found "another row of a realization" "the row of realization 1 at L = 4 "
fresh
sql copy "UPDATE provenance SET host = 'elsewhere'"
found "another producer" "provenance"

# --- whole rows of another campaign: all checksums are right, and only the simulation tells ---
fresh
sql copy "ATTACH 'other/campaign.sqlite' AS other" "DELETE FROM rounds WHERE L = 6 AND realization = 2 AND round =
    (SELECT rounds - 1 $row)" "INSERT INTO rounds SELECT * FROM other.rounds WHERE L = 6 AND realization = 2 AND round =
    (SELECT rounds - 1 $row)"
clean copy "a round of another campaign"
found "a round of another campaign, simulated again" "L = 6, realization 2 simulated again.*bins of round .* differ" \
  --recompute 8
[[ $(grep -c '; 8 rounds simulated again' verify.txt) -eq 1 ]] || fail "not all were simulated again: $(cat verify.txt)"

# --- what does no harm ---
fresh
cp "copy/checkpoints/$newest" copy/checkpoints/L004-000000-009999-0123456789abcdef.ckpt
"$glassworks" verify copy >verify.txt || fail "a file that nobody names: status $?: $(cat verify.txt)"
[[ $(grep -c '^Orphan: ' verify.txt) -eq 1 ]] || fail "not one orphan: $(cat verify.txt)"
grep -q '^Orphan: checkpoints/L004-000000-009999-0123456789abcdef.ckpt is not named' verify.txt ||
  fail "the file is not named: $(cat verify.txt)"
[[ -e copy/checkpoints/L004-000000-009999-0123456789abcdef.ckpt ]] || fail "verify has removed a file"
echo "ok   a file that nobody names: $(grep '^Orphan' verify.txt)"

# --- what cannot be looked at ---
fresh
truncate -s 5000 copy/campaign.sqlite
refused "a database that is cut" 'copy/campaign\.sqlite' "$glassworks" verify copy
