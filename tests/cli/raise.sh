#!/usr/bin/env bash
# Thresholds, the maximum of rounds and the number of realizations may be raised: the campaign goes on and becomes what
# it would have been with the higher values from the start. They may not be lowered again.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
work_in_memory

config=small.cfg
write_config "$config" model.L=4,6 disorder.realizations=6 ladder.T_min=0.5 ladder.T_max=1 round.measurements=20 \
  convergence.min_rounds=8 convergence.max_rounds=16 backend.batch=4

# outcomes DIR: status, rounds and round trips of every realization.
outcomes() { decisions "$1" | cut -d ';' -f 1; }

# raised WHAT KEY VALUES...: the campaign is run with one value after the other.
raised() {
  local what="$1" key="$2" value before=0 rounds
  shift 2
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
  [[ $(sql step "SELECT count(*) FROM amendments WHERE change LIKE '$key: %'") -eq $(($# - 1)) ]] ||
    fail "$what: amendments are $(sql step 'SELECT change FROM amendments')"
  fingerprint step >step.before
  refused "$what, lowered" 'configuration differs' "$glassworks" run "$config" --campaign.directory=step "--$key=$1"
  grep -qxF "  $key: ${*: -1} -> $1" refused.err || fail "$what: the difference is not shown: $(cat refused.err)"
  fingerprint step >step.after
  cmp -s step.before step.after ||
    fail "$what: a run that was refused has changed the campaign: $(diff step.before step.after)"
  echo "ok   $what raised"
}

raised "number of realizations" disorder.realizations 3 5 9
raised "required round trips" convergence.min_round_trips 0 3 8
raised "length of histories" convergence.n_tau 0 12
# A history is looked at when it has grown by a quarter, and at its end: these ends are looks of longer histories too.
config=hard.cfg
write_config "$config" model.L=4,6 disorder.realizations=6 ladder.T_min=0.5 ladder.T_max=1 round.measurements=20 \
  convergence.min_rounds=8 convergence.n_tau=20 backend.batch=4
raised "maximum of rounds" convergence.max_rounds 10 15 22
