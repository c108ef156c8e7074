#!/usr/bin/python3
"""How often campaigns in equilibrium are called "not equilibrated".

Usage: good_campaigns.py GLASSWORKS SCRATCH [CAMPAIGNS]

Small campaigns of several kinds, each with a seed of its own, that forget their start within a round or a few: every alarm is a
false one. All comparisons of a campaign together raise one with 1 % probability at most (family::verdicts). So of n campaigns n/100
alarms are expected at most, and the script fails beyond the number that a binomial law of 1 % exceeds with probability 1e-4: 9 of
200, 14 of 480.
"""

import math
import pathlib
import re
import shutil
import subprocess
import sys

ISING = {"model.type": "ising", "model.dim": 2, "protocol.exchanges_per_measurement": 1}
LIST = {"ladder.kind": "list"}
KINDS = {
    "spin glass with exchanges": {**ISING, "model.L": 4, "model.couplings": "gaussian", **LIST, "ladder.temperatures": "1.2, 1.5, 1.9, 2.4",
                                  "disorder.realizations": 24, "round.measurements": 20},
    "spin glass, one temperature": {**ISING, "model.L": 6, "model.couplings": "bimodal", **LIST, "ladder.temperatures": 2.0,
                                    "disorder.realizations": 16, "round.measurements": 20},
    "spin glass, no exchanges": {**ISING, "model.L": 6, "model.couplings": "gaussian", **LIST, "ladder.temperatures": "1.8, 2.4, 3",
                                 "protocol.exchange": "none", "disorder.realizations": 12, "round.measurements": 16},
    "spin glass, four copies": {**ISING, "model.L": 4, "model.couplings": "bimodal", "replicas.copies": 4, **LIST,
                                "ladder.temperatures": "1.5, 2", "disorder.realizations": 12, "round.measurements": 16},
    "rounds of one measurement": {**ISING, "model.L": 4, "model.couplings": "gaussian", **LIST, "ladder.temperatures": 2.0,
                                  "disorder.realizations": 32, "round.measurements": 1, "convergence.min_rounds": 64,
                                  "convergence.max_rounds": 1024},
    "limit that some reach": {**ISING, "model.L": 6, "model.couplings": "gaussian", **LIST, "ladder.temperatures": 1.6,
                              "disorder.realizations": 32, "round.measurements": 4, "convergence.min_rounds": 16,
                              "convergence.max_rounds": 40},
    "runs of a ferromagnet": {**ISING, "model.L": 8, "model.couplings": "ferromagnet", "replicas.copies": 2, **LIST,
                              "ladder.temperatures": 3.0, "disorder.realizations": 16, "round.measurements": 20},
    "two sizes": {**ISING, "model.L": "4, 6", "model.couplings": "gaussian", **LIST, "ladder.temperatures": "1.6, 2.2",
                  "disorder.realizations": 12, "round.measurements": 20},
    "heisenberg": {"model.type": "heisenberg", "model.L": 4, "model.couplings": "gaussian", **LIST, "ladder.temperatures": "0.5, 0.6, 0.72",
                   "protocol.overrelaxation": 3, "protocol.exchanges_per_measurement": 1, "disorder.realizations": 10,
                   "round.measurements": 10},
}
COMMON = {"convergence.min_rounds": 16, "convergence.max_rounds": 256, "round.samples": 0, "backend.threads": 1}


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, words))} ended with {done.returncode}: {done.stderr}{done.stdout[-500:]}")
    return done.stdout


def most_alarms(n, rate=0.01, beyond=1e-4):
    """The smallest k with P(more than k of n) < beyond."""
    tail, k = 1.0, -1
    while tail >= beyond:
        k += 1
        tail -= math.comb(n, k) * rate**k * (1.0 - rate) ** (n - k)
    return k


def main(arguments):
    program, scratch = pathlib.Path(arguments[0]).resolve(), pathlib.Path(arguments[1]).resolve()
    wanted = int(arguments[2]) if len(arguments) > 2 else 207
    states, alarms, done = {}, [], 0
    for number in range(wanted):
        kind = list(KINDS)[number % len(KINDS)]
        folder = scratch / "campaign"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        settings = {**COMMON, **KINDS[kind], "campaign.seed": 7001 + number, "campaign.directory": folder / "data"}
        (folder / "campaign.cfg").write_text("".join(f"{k} = {v}\n" for k, v in settings.items()), encoding="utf-8")
        run(program, "run", folder / "campaign.cfg")
        text = run(program, "analyze", folder / "data")
        verdicts = re.findall(r"Verdict for L = \d+: (.*)\.\n", text)
        found = [re.match("equilibrated on average|equilibrated|not equilibrated|undecided", v)[0] for v in verdicts]
        for state in found:
            of_kind = states.setdefault(kind, {})
            of_kind[state] = of_kind.get(state, 0) + 1
        done += 1
        if "not equilibrated" in found:
            alarms.append(f"{kind}, seed {7001 + number}: {verdicts}")
            print(alarms[-1], flush=True)
    for kind, of_kind in states.items():
        print(f"{kind}: " + ", ".join(f"{n} {state}" for state, n in sorted(of_kind.items())))
    allowed = most_alarms(done)
    judged = sum(n for of_kind in states.values() for state, n in of_kind.items() if state != "undecided")
    verdicts = sum(sum(of_kind.values()) for of_kind in states.values())
    print(f"{len(alarms)} of {done} campaigns called not equilibrated, {done / 100:.1f} expected at most, {allowed} allowed; "
          f"{judged} of {verdicts} verdicts decide something")
    if judged < 0.8 * verdicts:
        print("Too many verdicts are undecided: nothing was tested", file=sys.stderr)
        return 1
    return 1 if len(alarms) > allowed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
