#!/usr/bin/env bash
# What people and scripts see of a campaign: why, status, watch, the dry run, the time limit and the messages of run.
here="$(realpath -- "$(dirname -- "${BASH_SOURCE[0]}")")"
. "$here/common.sh"
work_in_memory
pid=""
trap 'kill -9 $(jobs -p) 2>/dev/null || true; rm -rf -- "$scratch"' EXIT

start() { # start CONFIG DIR [--key=value ...]: in the background, process id in $pid, output in DIR.log
  local config="$1" directory="$2"
  shift 2
  env --default-signal=INT "$glassworks" run "$config" "--campaign.directory=$directory" "$@" >"$directory.log" 2>&1 &
  pid=$!
}
wait_for() { # wait_for WHAT COMMAND...: at most a minute
  local what="$1" tries
  shift
  for ((tries = 0; tries < 1200; ++tries)); do
    if "$@" 2>/dev/null; then return 0; fi
    sleep 0.05
  done
  fail "$what did not happen within a minute"
}
shows() { # shows WHAT PATTERN FILE
  grep -Eq -- "$2" "$3" || fail "$1: '$2' is not in: $(cat "$3")"
}
# json DIR EXPRESSION: a value of status --json, called s.
json() {
  "$glassworks" status "$1" --json |
    python3 -c 'import json, sys; s = json.load(sys.stdin); print(eval(sys.argv[1]))' "$2"
}
is() { [[ $(json "$1" "$2") == "$3" ]]; }
expect_json() { is "$@" || fail "status --json: $2 is $(json "$1" "$2") instead of $3"; }

# Two sizes that are finished after 12 rounds at the latest, and a campaign whose first round takes minutes.
write_config short.cfg model.L=4,6
write_config endless.cfg round.measurements=1000000 convergence.max_rounds=1024
run_quietly short.cfg whole

# --- help and arguments ---
for verb in init run status watch analyze compare export report plot inspect why verify percolate tune bench doctor describe; do
  "$glassworks" "$verb" --help >help.txt 2>help.err || fail "$verb --help ended with status $?"
  shows "$verb --help" "^Usage: glassworks $verb" help.txt
  [[ ! -s help.err ]] || fail "$verb --help: $(cat help.err)"
  "$glassworks" --help | grep "^  glassworks $verb " >/dev/null || fail "--help does not show $verb"
done
refused "a flag with a value" 'takes no value' "$glassworks" status whole --json=yes
refused "why of a size that is not there" 'no size L = 8' "$glassworks" why whole --realization 0 --L 8
refused "why of a realization that is not there" 'no realization 99' "$glassworks" why whole --realization 99
refused "a negative number" "'-1'" "$glassworks" why whole --realization=-1
# Pages of documentation are those that the program prints.
pages="$here/../../docs"
for page in keys observables manual/backends; do
  "$glassworks" describe "${page#manual/}" >page.md || fail "describe $page ended with status $?"
  cmp -s page.md "$pages/$page.md" ||
    fail "docs/$page.md is not current (write it with: glassworks describe ${page#manual/} >docs/$page.md): $(diff page.md "$pages/$page.md" | head -n 4)"
done
"$glassworks" doctor --table >table.txt || fail "doctor --table ended with status $?"
shows "doctor --table" '^potts +swendsen-wang +1d, 2d, .* plain +rows +clusters$' table.txt
refused "describe of nothing" 'there is no page' "$glassworks" describe nothing
refused "watch without a campaign" 'no campaign in nowhere' "$glassworks" watch nowhere
for bad in 0 -5 x 1x 1:60 1:2:3:4 1-24 1-1:60 90sm 1m1h '' 1e9 :30; do
  refused "time limit '$bad'" '--time-limit' "$glassworks" run short.cfg "--time-limit=$bad" --campaign.directory=bad
  [[ ! -e bad ]] || fail "time limit '$bad': a campaign was begun"
done
for good in 90 90s 15m 12h 1.5h 2d 1h30m 15:00 1:30:00 2-12 2-12:30 2-12:00:00; do
  "$glassworks" run short.cfg --campaign.directory=whole "--time-limit=$good" >run.log ||
    fail "time limit $good: status $?"
done
echo "ok   help and arguments"

# --- bench --proposal ---
"$glassworks" bench --config short.cfg --campaign.directory=proposed --proposal --minutes 0.2 --json proposal.json >proposal.txt \
  2>proposal.err || fail "bench --proposal ended with status $?: $(cat proposal.err)"
shows "bench --proposal" '^Together: .* core-hours \(.* to .*\)' proposal.txt
[[ ! -e proposed ]] || fail "bench --proposal has begun a campaign"
python3 - proposal.json <<'PYTHON' || fail "bench --proposal --json"
import json, sys
p = json.load(open(sys.argv[1]))
assert [size["L"] for size in p["sizes"]] == [4, 6] and p["complete"] and p["unit"] == "core-hours", p
for figure in [p["together"]["hours"], p["together"]["disk_bytes"], *(size["hours"] for size in p["sizes"])]:
    assert 0 < figure["low"] <= figure["value"] <= figure["high"], p
PYTHON
echo "ok   bench --proposal"

# --- why ---
"$glassworks" why whole --realization 2 >why.txt
[[ $(grep -c '^L = [46], realization 2: ' why.txt) -eq 2 ]] || fail "why: $(cat why.txt)"
shows why '^Log-binning: ' why.txt
"$glassworks" why whole --realization 2 --L 6 >why.txt
[[ $(grep -c '^L = ' why.txt) -eq 1 ]] || fail "why --L: $(cat why.txt)"
shows "why --L" '^L = 6, realization 2: ' why.txt
# Without a realization: the one with the most rounds, for all are finished.
"$glassworks" inspect whole --csv whole.csv >inspect.txt
most="$(tail -n +2 whole.csv | sort -t, -k4,4nr -k6,6gr | head -n 1 | cut -d, -f1,2)"
"$glassworks" why whole >why.txt
shows "why of the hardest" '^The hardest realization \(--realization N shows another one\):$' why.txt
shows "why of the hardest" "^L = ${most%,*}, realization ${most#*,}: " why.txt
[[ $(grep -c '^L = ' why.txt) -eq 1 ]] || fail "why of the hardest: $(cat why.txt)"
"$glassworks" why whole --L 4 >why.txt
most="$(grep '^4,' whole.csv | sort -t, -k4,4nr -k6,6gr | head -n 1 | cut -d, -f2)"
shows "why of the hardest of a size" "^L = 4, realization $most: " why.txt
refused "why of a size that is not there" 'no size L = 8' "$glassworks" why whole --L 8
echo "ok   why"

# --- inspect --csv ---
python3 - whole.csv <(digests whole) <<'PYTHON' || fail "inspect --csv"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
digests = [line.split() for line in open(sys.argv[2])]
seen = [[row[name] for name in ("L", "realization", "rounds", "bins_digest", "state_digest")] for row in rows]
assert len(rows) == 10 and seen == digests, (seen, digests)
assert all(row["status"] in ("converged", "failed") and float(row["tau"]) > 0 for row in rows), rows
PYTHON
"$glassworks" inspect whole --L 6 --csv six.csv >/dev/null
[[ $(wc -l <six.csv) -eq 6 ]] || fail "inspect --L --csv: $(cat six.csv)"
echo "ok   inspect --csv"

# --- status ---
"$glassworks" status whole >status.txt
shows status 'quarantined$' status.txt
shows status '^L = 6: rounds .*tau .* measurements.*acceptance 0\.' status.txt
expect_json whole 's["finished"]' True
expect_json whole '[size["L"] for size in s["sizes"]]' '[4, 6]'
expect_json whole 'sum(size["rounds"] for size in s["sizes"])' "$(rounds_of whole)"
expect_json whole 's["converged"] + s["failed"]' 10
expect_json whole 's["sizes"][1]["converged"] + s["sizes"][1]["failed"]' 5
expect_json whole 's["remaining_seconds"], s["workers"], s["amendments"]' '(0.0, [], [])'
expect_json whole 'len(s["sizes"][0]["temperatures"])' 5
expect_json whole '8 <= s["sizes"][0]["rounds_per_realization"]["least"] <= s["sizes"][0]["tau"]["largest"] * 1e9' True
expect_json whole '0 <= s["sizes"][0]["acceptance"]["smallest"] <= s["sizes"][0]["acceptance"]["largest"] < 1' True
# known_keys DIR: the manual explains every key.
known_keys() {
  "$glassworks" status "$1" --json | python3 -c '
import json, sys
def names(x):
    if isinstance(x, list):
        return set().union(*map(names, x))
    return set(x).union(*map(names, x.values())) if isinstance(x, dict) else set()
section = open(sys.argv[1]).read().split("\n## status --json\n")[1].split("\n## ")[0]
unknown = sorted(name for name in names(json.load(sys.stdin)) if f"`{name}`" not in section)
sys.exit(f"not in docs/manual/watching.md: {unknown}" if unknown else 0)
' "$pages/manual/watching.md" || fail "status --json has keys that the manual does not explain"
}
known_keys whole
echo "ok   status"

# --- init ---
for model in heisenberg ising on potts phi4 blume-capel aging; do
  "$glassworks" init $model >init.txt || fail "init $model ended with status $?"
  shows "init $model" "^To run it: glassworks run $model.cfg$" init.txt
  "$glassworks" run $model.cfg --dry-run --model.L 4 --disorder.realizations 16 --backend.kind cpu >dry.txt 2>dry.err ||
    fail "the configuration of init $model: $(cat dry.err)"
  [[ ! -s dry.err ]] || fail "the configuration of init $model has notes: $(cat dry.err)"
done
sum="$(cksum <ising.cfg)"
refused "init over a file" 'ising.cfg exists already' "$glassworks" init ising
[[ $(cksum <ising.cfg) == "$sum" ]] || fail "init has overwritten a file"
refused "init of no model" 'no model .izing. .*Did you mean ising' "$glassworks" init izing
refused "init without a model" 'needs one of heisenberg, ising' "$glassworks" init
echo "ok   init"

# --- dry run ---
"$glassworks" run short.cfg --dry-run --campaign.directory=never >dry.txt
[[ ! -e never ]] || fail "the dry run created a campaign"
shows "dry run" '^Would create a campaign in never\.' dry.txt
shows "dry run" '^L = 6: 5 realizations, 2 copies, 5 slots from T = 0\.2 to 0\.8' dry.txt
shows "dry run" '^  temperatures  0\.2 0\.28284 0\.4 0\.56569 0\.8$' dry.txt
shows "dry run" '^  rounds left   at least 40, at most 60$' dry.txt
shows "dry run" '^Together: at least .* (core|GPU)-hours' dry.txt
"$glassworks" run short.cfg --dry-run --campaign.directory=never --disorder.realizations 10000000 --model.L 32 \
  --convergence.min_rounds 1000000 --convergence.max_rounds 10000000 --backend.batch 1 >dry.txt
shows "dry run of an endless campaign" '^The time is too long: at least (more than a million|[0-9]+) years on this machine' dry.txt
shows "dry run of an endless campaign" '^The disk is too small: at least [0-9.]+ [TP]iB are needed' dry.txt
fingerprint whole >whole.before
"$glassworks" run short.cfg --dry-run --campaign.directory=whole >dry.txt
shows "dry run of a finished campaign" 'rounds left   0$' dry.txt
"$glassworks" run short.cfg --dry-run --campaign.directory=whole --convergence.max_rounds=20 >dry.txt
shows "dry run with a raised maximum" '^Would raise convergence.max_rounds: 12 -> 20' dry.txt
refused "a dry run of another campaign" 'configuration differs' \
  "$glassworks" run short.cfg --dry-run --campaign.directory=whole --campaign.seed=8
fingerprint whole | cmp -s - whole.before || fail "the dry run changed a campaign"
echo "ok   dry run"

# --- time limit ---
# At the limit a running round is given up; nothing was committed, so that is said too.
begin=$SECONDS status=0
timeout -k 5 60 "$glassworks" run endless.cfg --campaign.directory=limited --time-limit=1 >run.log 2>&1 || status=$?
[[ $status -eq 75 ]] || fail "time limit: status $status: $(cat run.log)"
[[ $((SECONDS - begin)) -le 20 ]] || fail "a time limit of 1 s took $((SECONDS - begin)) s"
shows "time limit" '^Time limit reached: 0 of 5 .*Run the same command again to continue\.$' run.log
shows "time limit" '^Warning: no round was finished within 1 s' run.log
# Pieces of a campaign give the bits of the whole.
write_config pieces.cfg model.L=4,6 disorder.realizations=8 round.measurements=40 protocol.overrelaxation=10 \
  backend.batch=4 backend.threads=1
run_quietly pieces.cfg uncut
pieces=0 status=75
while [[ $status -eq 75 ]]; do
  status=0
  "$glassworks" run pieces.cfg --campaign.directory=cut --time-limit=0.4 >run.log 2>&1 || status=$?
  pieces=$((pieces + 1))
  [[ $pieces -lt 200 ]] || fail "time limit: no end: $(cat run.log)"
done
[[ $status -eq 0 && $pieces -gt 1 ]] || fail "time limit: status $status after $pieces pieces: $(cat run.log)"
same_digests uncut cut "a campaign in $pieces pieces"
echo "ok   time limit, $pieces pieces"

# --- workers, signals ---
start endless.cfg busy
wait_for "a worker" is busy 'len(s["workers"])' 1
known_keys busy
expect_json busy 's["workers"][0]["pid"], s["workers"][0]["state"], s["processes"]' "($pid, 'alive', 1)"
"$glassworks" status busy >status.txt
shows "status of a running campaign" "^Worker [0-9]+: .* process $pid, .*: alive, last heartbeat [0-9]" status.txt
shows "status of a running campaign" 'is not finished: 1 process works on it' status.txt
kill -9 "$pid"
wait "$pid" 2>/dev/null || true
expect_json busy 's["workers"][0]["state"], s["processes"], s["remaining_seconds"]' "('ended', 0, None)"
for signal in TERM INT; do
  start endless.cfg busy
  wait_for "a worker" is busy 's["processes"]' 1
  begin=$SECONDS status=0
  kill "-$signal" "$pid"
  wait "$pid" || status=$?
  [[ $status -eq 130 && $((SECONDS - begin)) -le 20 ]] || fail "SIG$signal: status $status: $(cat busy.log)"
  shows "SIG$signal" '^Stopped: 0 of 5 realizations are finished;.*Run the same command again' busy.log
  expect_json busy 's["workers"]' '[]'
done
echo "ok   workers and signals"

# --- messages of run ---
"$glassworks" run short.cfg --campaign.directory=whole --convergence.max_rounds=14 >run.log 2>&1
shows "a raised maximum" '^Raised convergence.max_rounds: 12 -> 14\.$' run.log
expect_json whole 'len(s["amendments"])' 1
"$glassworks" status whole >status.txt
shows amendments '^Raised since the beginning: 1 value' status.txt
"$glassworks" run short.cfg --campaign.directory=adapted --ladder.adapt=rejection --ladder.adapt_rounds=2 \
  --ladder.pilots=2 >run.log 2>run.err
shows "ladder stages" '^L = 6: ladder stage 2 of 2: ' run.log
[[ ! -s run.err ]] || fail "ladder stages are no warnings: $(cat run.err)"
# A realization whose only attempt was killed is quarantined, which is said everywhere.
write_config frail.cfg model.L=4 round.measurements=200 backend.batch=1 workers.max_attempts=1
start frail.cfg frail
wait_for "a round" is frail 'sum(size["rounds"] for size in s["sizes"]) > 0 and s["processes"]' 1
kill -9 "$pid"
wait "$pid" 2>/dev/null || true
status=0
"$glassworks" run frail.cfg --campaign.directory=frail >run.log 2>run.err || status=$?
[[ $status -eq 1 ]] || fail "a run with quarantined realizations ended with status $status: $(cat run.err)"
shows quarantine '^Note: L = 4, realization [0-9]* is quarantined: ' run.err
shows quarantine '^Finished: .* 1 quarantined after too many failed attempts \(`glassworks inspect frail`' run.log
expect_json frail 's["quarantined"], s["sizes"][0]["quarantined"], s["finished"]' '(1, 1, True)'
"$glassworks" status frail | awk '$1 == 4 && $11 != 1 { exit 1 }' || fail "status does not show what is quarantined"
echo "ok   messages"

# --- two processes ---
write_config shared.cfg disorder.realizations=64 round.measurements=400 backend.batch=2 backend.threads=1 \
  convergence.min_rounds=32 convergence.max_rounds=1024 convergence.min_round_trips=10000000
start shared.cfg shared
first=$pid
wait_for "a round" is shared 's["processes"] == 1 and s["sizes"][0]["rounds"] > 0' True
mv shared.log shared1.log
start shared.cfg shared
wait_for "rounds of both" is shared 's["processes"] == 2 and min(w["rounds"] for w in s["workers"]) > 4' True

# --- watch ---
"$glassworks" watch shared --once >watch.txt
shows watch '^shared: 0 of 64 realizations converged$' watch.txt
shows watch '^L = 4 +\[[#.]{24}\] [0-9]+/64 converged.*acceptance' watch.txt
shows watch '^[0-9.]+ updates/ns; (about|at least) .* left$' watch.txt
[[ $(grep -c '^Worker ' watch.txt) -eq 2 ]] || fail "watch: $(cat watch.txt)"
[[ $(od -c watch.txt | grep -c '033') -eq 0 ]] || fail "watch writes control sequences into a file"
"$glassworks" watch shared --interval 0.2 --html live.html >live.txt &
pager=$!
env --default-signal=INT "$glassworks" watch shared --interval 0.2 >watch.txt &
watcher=$!
wait_for "three looks" eval '[[ $(grep -c "^shared: " watch.txt) -ge 3 ]]'
kill -TERM "$watcher"  # killed by it would be status 143
status=0
wait "$watcher" || status=$?
[[ $status -eq 130 && -z $(tail -n 1 watch.txt) ]] || fail "watch after SIGTERM: status $status: $(tail watch.txt)"
# A page that loads itself again until it is stopped, and then says so.
wait_for "a page with figures" grep -q 'id="figure-rate"' live.html
grep -q 'data-every="1"' live.html && grep -q 'id="figure-xi_over_L"' live.html && grep -q '0 of 64 converged' live.html || fail "the page of watch"
kill -TERM "$pager"
status=0
wait "$pager" || status=$?
[[ $status -eq 130 && $(wc -l <live.txt) -eq 1 ]] && grep -q 'was stopped' live.html && grep -q 'data-every="0"' live.html &&
  [[ $(tail -n 1 live.html) == "</html>" ]] || fail "the last page of watch: status $status: $(cat live.txt)"
refused "a page that exists" 'live.html exists already' "$glassworks" watch shared --html live.html
refused "a page in no folder" 'there is no directory' "$glassworks" watch shared --html nowhere/live.html
kill -TERM "$first"
wait "$first" || true
kill -TERM "$pid"
wait "$pid" || true
cat shared1.log shared.log >both.log
shows "two processes" '; 2 processes at work; ' both.log
# On a terminal it redraws in place, and ends by itself.
"$glassworks" run pieces.cfg --campaign.directory=live >live.log 2>&1 &
pid=$!
wait_for "a campaign" test -f live/campaign.sqlite
python3 -c '
import os, pty, re, sys
output = b""
def read(descriptor):
    global output
    data = os.read(descriptor, 4096)
    output += data
    return data
status = os.waitstatus_to_exitcode(pty.spawn([sys.argv[1], "watch", "live", "--interval=0.1"], read, lambda d: b""))
text = output.decode()
assert status == 0, status
assert text.count("\x1b[J") > 1 and len(re.findall("\x1b\\[[0-9]+A", text)) == text.count("\x1b[J") - 1, text
assert "Finished." in text.rsplit("\x1b[J", 2)[-2], text
' "$glassworks" </dev/null >/dev/null || fail "watch on a terminal"
wait "$pid" || fail "the watched run: $(cat live.log)"
same_digests uncut live "a campaign that was watched"
echo "ok   watch"
