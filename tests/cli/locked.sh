#!/usr/bin/env bash
# Another process keeps the database locked and does not go on: a run hears its time limit and a signal, every verb ends
# with one sentence that names the process, and the campaign goes on afterwards.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

# Longer than any machine needs until its database is locked.
write_config locked.cfg convergence.max_rounds=30000 convergence.min_rounds=30000 backend.threads=1
config="$scratch/locked.cfg"
write_config short.cfg convergence.min_rounds=8 convergence.max_rounds=8
run_quietly short.cfg begun

# lock DIR MODE: a process that holds the lock of a database and is stopped then; $holder is its number.
lock() {
  rm -f locked.flag
  python3 -c '
import os, signal, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], timeout=60, isolation_level=None)
if sys.argv[2] == "exclusive":
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
connection.execute("BEGIN IMMEDIATE")
connection.execute("UPDATE clock SET sequence = sequence")
open("locked.flag", "w").close()
os.kill(os.getpid(), signal.SIGSTOP)
connection.execute("ROLLBACK")' "$1/campaign.sqlite" "$2" &
  holder=$!
  for _ in $(seq 200); do
    [[ $(cut -d ' ' -f 3 "/proc/$holder/stat") == T && -e locked.flag ]] && return
    sleep 0.05
  done
  fail "the database of $1 could not be locked"
}
unlock() {
  kill -CONT "$holder"
  wait "$holder" || fail "the process with the lock ended with status $?"
}
trap 'kill -KILL "${holder:-}" "${run:-}" 2>/dev/null || true' EXIT

# ended_within SECONDS WHAT: the run $run ends by then; $status is how.
ended_within() {
  status=0
  ends_within "$1" "$run" || fail "$2: the run goes on after $1 s: $(cat run.out run.err)"
  wait "$run" || status=$?
}
says_who_locks() { # WHAT
  [[ $status -eq 1 ]] || fail "$1: status $status: $(cat run.out run.err)"
  [[ $(grep -c '^glassworks: ' run.err) -eq 1 ]] || fail "$1: not one message: $(cat run.err)"
  grep -Eq "^glassworks: Cannot use .*campaign.sqlite \(it is locked by process $holder \(python3?[0-9.]*\), which is stopped\)\. " \
    run.err || fail "$1: $(cat run.err)"
  echo "ok   $1: $(grep '^glassworks' run.err)"
}

# --- before it begins: the time limit ends the wait ---
cp -r begun before
lock before immediate
"$glassworks" run short.cfg --campaign.directory=before --convergence.max_rounds=9 --time-limit=3s >run.out 2>run.err &
run=$!
ended_within 12 "a time limit of 3 s"
says_who_locks "a time limit of 3 s"
grep -q "^Note: Waiting for .* (it is locked by process $holder" run.err || fail "the wait was not told of: $(cat run.err)"
unlock

# --- in the middle: a signal ends it ---
"$glassworks" run "$config" --campaign.directory=middle >run.out 2>run.err &
run=$!
has_rounds middle 21 "$run"
lock middle immediate
sleep 1
kill -TERM "$run"
ended_within 12 "SIGTERM"
says_who_locks "SIGTERM"
unlock
status=0
rounds=$(rounds_of middle)
"$glassworks" run "$config" --campaign.directory=middle --time-limit=2s >run.out 2>run.err || status=$?
[[ $status -eq 75 && $(rounds_of middle) -gt $rounds ]] || fail "after the lock: status $status: $(cat run.out run.err)"
clean middle "after the lock"

# --- who reads does not wait for minutes either ---
cp -r begun read
lock read exclusive
began=$SECONDS
refused "status" "it is locked by process $holder \(python" "$glassworks" status read
[[ $((SECONDS - began)) -le 15 ]] || fail "status took $((SECONDS - began)) s"
unlock
"$glassworks" status read >/dev/null || fail "status after the lock"

# --- another machine was the last to use the campaign: the time limit ends the wait for a heartbeat of it ---
cp -r begun elsewhere
printf 'another-boot pid:[1]\nnode7\n' >elsewhere/campaign.lock
"$glassworks" run short.cfg --campaign.directory=elsewhere --convergence.max_rounds=9 --time-limit=2s >run.out 2>run.err &
run=$!
ended_within 12 "a time limit of 2 s beside another machine"
[[ $status -eq 75 ]] || fail "a time limit of 2 s beside another machine: status $status: $(cat run.out run.err)"
grep -q "^Time limit reached before anything was begun\." run.out || fail "what was said: $(cat run.out run.err)"
[[ $(head -n 1 elsewhere/campaign.lock) == "another-boot pid:[1]" ]] || fail "the lock of the other machine was taken"
echo "ok   a time limit beside another machine: $(tail -n 1 run.out)"
