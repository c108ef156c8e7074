#!/usr/bin/env bash
# Thresholds, the maximum of rounds and the number of realizations may be raised, and sizes added: the campaign goes on
# and becomes what it would have been from the start. What was raised stays so when the former value is given again.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
work_in_memory

config=small.cfg
write_config "$config" model.L=4,6 disorder.realizations=6 ladder.T_min=0.5 ladder.T_max=1 round.measurements=20 \
  convergence.min_rounds=8 convergence.max_rounds=16 backend.batch=4

# outcomes DIR: status, rounds and round trips of every realization.
outcomes() { decisions "$1" | cut -d , -f 1-5; }

# raised WHAT KEY NEVER VALUES...: the campaign is run with one value after the other; NEVER is a low one it never had.
raised() {
  local what="$1" key="$2" never="$3" value before=0 rounds
  shift 3
  rm -rf step
  for value in "$@"; do
    run_quietly "$config" step "--$key=$value"
    rounds=$(rounds_of step)
    [[ $rounds -gt $before ]] || fail "$what: nothing was simulated with $key = $value"
    before=$rounds
    rm -rf fresh
    run_quietly "$config" fresh "--$key=$value"
    # What is said of a realization that stays as it was counts against the value at that time.
    same_digests fresh step "$what, $key = $value"
    cmp -s <(outcomes fresh) <(outcomes step) ||
      fail "$what, $key = $value: outcomes differ: $(diff <(outcomes fresh) <(outcomes step))"
    clean step "$what, $key = $value"
  done
  no_orphans step
  # The former value, as it still stands in a file: nothing changes.
  sql step 'SELECT config FROM campaign' >config.before
  "$glassworks" run "$config" --campaign.directory=step "--$key=$1" >kept.out || fail "$what: the former value is refused"
  sql step 'SELECT config FROM campaign' | cmp -s config.before || fail "$what: the former value came back"
  same_digests fresh step "$what, the former value"
  [[ $(sql step "SELECT count(*) FROM amendments WHERE change LIKE '$key: %'") -eq $(($# - 1)) ]] ||
    fail "$what: amendments are $(sql step 'SELECT change FROM amendments')"
  fingerprint step >step.before
  grep -qxF "Note: $key = $1 has been raised to ${*: -1}, which stays." kept.out || fail "$what: $(cat kept.out)"
  refused "$what, lowered" 'configuration differs' "$glassworks" run "$config" --campaign.directory=step "--$key=$never"
  grep -qxF "  $key: ${*: -1} -> $never" refused.err || fail "$what: the difference is not shown: $(cat refused.err)"
  fingerprint step >step.after
  cmp -s step.before step.after ||
    fail "$what: a run that was refused has changed the campaign: $(diff step.before step.after)"
  echo "ok   $what raised"
}

raised "number of realizations" disorder.realizations 4 3 5 9
raised "required round trips" convergence.min_round_trips 2 0 8 20
raised "length of histories" convergence.n_tau 11 0 12
# A history is looked at when it has grown by a quarter, and at its end: these ends are looks of longer histories too.
config=hard.cfg
write_config "$config" model.L=4,6 disorder.realizations=6 ladder.T_min=0.5 ladder.T_max=1 round.measurements=20 \
  convergence.min_rounds=8 convergence.n_tau=20 backend.batch=4
raised "maximum of rounds" convergence.max_rounds 12 10 15 22

# Another size, from the directory alone: the campaign becomes what it would have been with both from the start.
rm -rf step fresh
run_quietly "$config" step --model.L=4 --disorder.realizations=3
digests step >small.digests
"$glassworks" run step --model.L=4,6 --disorder.realizations=4,2 >added.out || fail "a size cannot be added"
grep -qxF "Raised model.L: 4 -> 4, 6." added.out || fail "the size is not named: $(cat added.out)"
run_quietly "$config" fresh --model.L=4,6 --disorder.realizations=4,2
same_digests fresh step "a size added"
cmp -s <(outcomes fresh) <(outcomes step) || fail "a size added: outcomes differ"
[[ $(wc -l <small.digests) -eq 3 && $(digests step | wc -l) -eq 6 ]] || fail "a size added: $(digests step)"
clean step "a size added"
# With nothing given it is finished; it is where it is, wherever it is started.
"$glassworks" run step >again.out || fail "a campaign does not go on from its directory"
grep -q '^Finished: [0-6] of 6' again.out || fail "from its directory: $(cat again.out)"
"$glassworks" run step/ --campaign.directory="$PWD/step" >again.out || fail "its own directory is refused"
(cd step && "$glassworks" run .) >again.out || fail "a campaign does not go on from its own directory"
same_digests fresh step "a finished campaign, run again"
mkdir empty
refused "a directory without a campaign" 'there is no campaign in empty' "$glassworks" run empty
refused "another directory" 'campaign.directory = other cannot be used' "$glassworks" run step --campaign.directory=other
refused "a ladder" 'temperatures stay' "$glassworks" run step --ladder.T_max=2
refused "a size taken away" 'a size that has begun stays' "$glassworks" run step --model.L=6,8
echo "ok   sizes added"
