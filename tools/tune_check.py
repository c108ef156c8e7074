#!/usr/bin/env python3
"""Checks a comparison of `glassworks tune` by an independent, longer one.

Usage: tools/tune_check.py [--longer F] [--out DIR] [--first FILE] GLASSWORKS CONFIG [options of tune]

  --longer F    the second comparison takes F times as many updates: runs twice as long, F/2 times the realizations (4)
  --out DIR     where first.json, second.json and both outputs go (tune-check); its files must not exist
  --first FILE  the figures of a comparison of CONFIG with the same options, instead of a new one

The second comparison has another seed (--campaign.seed), so other couplings and other dynamics. Of every protocol both
figures are printed, squared error x seconds over that of the configured protocol, and their difference in standard
errors. Two protocols are in order if the second comparison does not contradict the first one: whenever both tell them
apart, each by two standard errors, the same one is better. The status is

  0  if pairs were told apart and their order is confirmed, for every size;
  1  if more pairs are out of order than by chance (5 % of those told apart), or if the recommended protocol is worse
     than the configured one in the second comparison by more than 15 % and two standard errors;
  3  if nothing contradicts, but for some size no pair was told apart, so that its order was not tested.
"""

import itertools
import json
import math
import pathlib
import subprocess
import sys

KEYS = ["protocol.overrelaxation", "protocol.heatbath", "protocol.cluster_sweeps", "protocol.sweeps_per_exchange",
        "protocol.exchanges_per_measurement", "ladder.slots"]
SYMBOLS = ["n_M", "n_B", "n_C", "n_T", "n_A", "slots"]
LENGTHS = ["realizations", "runs", "measurements", "equilibration"]
SIGMAS, WORSE = 2.0, 1.15
CONFIRMED, CONTRADICTED, UNDECIDED = 0, 1, 3  # and the exit status


def fail(message):
    print(f"tune_check: {message}", file=sys.stderr)
    sys.exit(2)


def run_tune(command, folder, name):
    """Runs tune with its figures and output in the folder; returns the figures."""
    figures = folder / f"{name}.json"
    print(f"{name}: {' '.join(map(str, command))}", flush=True)
    with open(folder / f"{name}.txt", "w", encoding="utf-8") as output:
        status = subprocess.run([*command, "--json", figures], stdout=output, check=False).returncode
    if status != 0:
        fail(f"the {name} comparison ended with status {status} (see above). Correct it")
    return json.loads(figures.read_text(encoding="utf-8"))


def without(options, names):
    """Options but those of these names and their values; "--name value" or "--name=value"."""
    kept, skip = [], False
    for option in options:
        if skip:
            skip = False
        elif option.startswith("--") and option[2:].split("=")[0] in names:
            skip = "=" not in option
        else:
            kept.append(option)
    return kept


def rows_of(size):
    return {tuple(row[key] for key in KEYS): row for row in size["protocols"]}


def log_ratio(row, name):
    ratio = row["mean_ratio"] if name == "mean" else row[name]["ratio"]
    if ratio["value"] is None or ratio["value"] <= 0:
        return None
    return math.log(ratio["value"]), ratio["relative_error"]


def apart(a, b):
    """The difference of two logarithms in units of its error; at most that, as errors of both are added."""
    error = math.hypot(a[1], b[1])
    return (a[0] - b[0]) / error if error > 0 else 0.0


def compare(first, second):
    """Prints one size; returns CONFIRMED, CONTRADICTED or UNDECIDED."""
    base = tuple(first["protocols"][0][key] for key in KEYS)
    recommended = tuple(first["protocols"][first["recommended"]][key] for key in KEYS)
    both, ones = rows_of(second), rows_of(first)
    names = [*first["observables"], "mean"]
    common = [key for key in ones if key in both]
    print(f"\nL = {first['L']}: {first['realizations']} x {first['runs']} runs of {first['measurements']} measurements, then "
          f"{second['realizations']} x {second['runs']} of {second['measurements']}; verdict {first['verdict']}, "
          f"then {second['verdict']}")
    pulls = []
    for key in common:
        changed = ", ".join(f"{s} = {v}" for s, v, b in zip(SYMBOLS, key, base) if v != b) or "as configured"
        cells = []
        for name in names:
            x, y = log_ratio(ones[key], name), log_ratio(both[key], name)
            if x is None or y is None or key == base:
                continue
            pulls.append(apart(x, y))
            cells.append(f"{name} {math.exp(x[0]):.3g} +- {math.exp(x[0]) * x[1]:.2g}, "
                         f"then {math.exp(y[0]):.3g} +- {math.exp(y[0]) * y[1]:.2g} ({apart(y, x):+.1f})")
        mark = " (recommended)" if key == recommended and key != base else ""
        print(f"  {changed}{mark}: " + "; ".join(cells))
    if pulls:
        print(f"  root mean square of the differences: {math.sqrt(sum(p * p for p in pulls) / len(pulls)):.2f} standard errors")
    told, wrong = 0, []
    for a, b in itertools.combinations(common, 2):
        values = [(0.0, 0.0) if key == base else log_ratio(rows[key], "mean") for rows in (ones, both) for key in (a, b)]
        if None in values:
            continue
        one, two = apart(values[0], values[1]), apart(values[2], values[3])
        if abs(one) < SIGMAS or abs(two) < SIGMAS:
            continue
        told += 1
        if one * two < 0:
            wrong.append((a, b))
    print(f"  {told} pairs of protocols told apart by both, {len(wrong)} in another order")
    for a, b in wrong:
        print(f"    {a} and {b}")
    fine = len(wrong) <= 0.05 * told
    again = log_ratio(both[recommended], "mean") if recommended in both else None
    if recommended != base and again is not None:
        good = again[0] - SIGMAS * again[1] <= math.log(WORSE)
        print(f"  recommended protocol in the second comparison: {math.exp(again[0]):.3g} times the error x seconds of the "
              f"configured one: {'agrees' if good else 'does not agree'}")
        fine = fine and good
    if not fine:
        return CONTRADICTED
    return CONFIRMED if told > 0 else UNDECIDED


def main(arguments):
    longer, folder, first_file = 4.0, pathlib.Path("tune-check"), None
    while arguments and arguments[0].startswith("-"):
        option = arguments.pop(0)
        if option in ("-h", "--help"):
            print(__doc__)
            return 0
        if option not in ("--longer", "--out", "--first") or not arguments:
            fail(f"'{option}' cannot be used (no such option, or no value). See --help")
        value = arguments.pop(0)
        if option == "--longer":
            longer = float(value)
        elif option == "--out":
            folder = pathlib.Path(value)
        else:
            first_file = pathlib.Path(value)
    if len(arguments) < 2:
        fail("the executable or the configuration is missing. See --help")
    executable, config, options = arguments[0], arguments[1], arguments[2:]
    folder.mkdir(parents=True, exist_ok=True)
    command = [executable, "tune", config]
    first = (json.loads(first_file.read_text(encoding="utf-8")) if first_file
             else run_tune([*command, *options], folder, "first"))
    verdicts = {}
    for size in first["sizes"]:
        lengths = [max(round(size["realizations"] * longer / 2), size["realizations"]), size["runs"],
                   2 * size["measurements"], 2 * size["equilibration"]]
        others = without(options, {*LENGTHS, "minutes", "L", "campaign.seed", "json", "out"})
        given = [text for name, value in zip(LENGTHS, lengths) for text in (f"--{name}", str(value))]
        second = run_tune([*command, *others, "--L", str(size["L"]), *given, f"--campaign.seed={first['seed'] + 1000003}"],
                          folder, "second" if len(first["sizes"]) == 1 else f"second-L{size['L']}")
        verdicts[size["L"]] = compare(size, second["sizes"][0])

    def sizes(verdict):
        return "L = " + ", ".join(str(L) for L in verdicts if verdicts[L] == verdict)

    print()
    if CONFIRMED in verdicts.values():
        print(f"{sizes(CONFIRMED)}: the order of protocols is confirmed.")
    if CONTRADICTED in verdicts.values():
        print(f"{sizes(CONTRADICTED)}: the order of protocols is not confirmed.")
        return CONTRADICTED
    if UNDECIDED in verdicts.values():
        print(f"{sizes(UNDECIDED)}: no two protocols are told apart by both comparisons, so their order was not tested. "
              "Use longer runs (--minutes) or protocols that differ more.")
        return UNDECIDED
    return CONFIRMED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
