#!/usr/bin/python3
"""Ferromagnets of two blocks that weak bonds join: each copy is trapped with its blocks parallel or antiparallel.

Usage: two_blocks.py GLASSWORKS SCRATCH [--all [--files=16,32,64]]

Every realization has couplings of its own (model.couplings = files): Ising, d = 2, L = 8, periodic, J near 1 inside the two halves
x < 4 and x >= 4, J near 0.05 between them, at T = 0.8. No sweep of the heat bath turns a block over, so averages are those of the
start: the energy is wrong by more than its error. The exact energy comes from the transfer matrix of each file. No verdict may
say that such a campaign is equilibrated, on average or otherwise, while its energy is off by more than three errors. The
averages of `analyze --converged-only` leave the copies that disagree out; their verdict may not either.

Without --all, three campaigns of 16 files; with it 24 variants of the lengths and limits of 16, 32 and 64 files.
"""

import csv
import pathlib
import re
import subprocess
import sys

import numpy as np

L, T = 8, 0.8


def couplings(rng, spread):
    """J[axis][y][x] of the bond from (x, y) to its neighbour at +axis."""
    J = 1.0 + spread * (2.0 * rng.random((2, L, L)) - 1.0)
    J[0][:, [L // 2 - 1, L - 1]] *= 0.05
    return J


def log_partition_function(J, beta):
    """From the transfer matrix along y, site by site: W[state of the first row][of this row], bit x is the spin at x."""
    spins = 1.0 - 2.0 * ((np.arange(2**L)[:, None] >> np.arange(L)) & 1)
    along = [np.exp(beta * ((spins * np.roll(spins, -1, axis=1)) @ J[0][y])) for y in range(L)]
    W, scale = np.eye(2**L), 0.0
    for y in range(L):
        W = W * along[y]
        for x in range(L):
            parallel, anti = np.exp(beta * J[1][y][x]), np.exp(-beta * J[1][y][x])
            V = W.reshape(2**L, 2 ** (L - 1 - x), 2, 2**x)
            W = np.stack([parallel * V[:, :, 0] + anti * V[:, :, 1], anti * V[:, :, 0] + parallel * V[:, :, 1]], axis=2)
            W = W.reshape(2**L, 2**L)
        scale += np.log(W.max())
        W = W / W.max()
    return scale + np.log(np.trace(W))


def exact_energy(J):
    """Energy per site at T: -d ln Z / d beta, to 1e-8."""
    beta, step = 1.0 / T, 1e-4
    return -(log_partition_function(J, beta + step) - log_partition_function(J, beta - step)) / (2.0 * step) / L**2


def write_files(folder, seed, count, spread):
    rng = np.random.default_rng(seed)
    folder.mkdir(parents=True)
    energies = []
    for r in range(count):
        J = couplings(rng, spread)
        energies.append(exact_energy(J))
        lines = [f"{x + L * y} {axis} {J[axis][y][x]:.12g}" for axis in range(2) for y in range(L) for x in range(L)]
        (folder / f"L{L:03d}-r{r:06d}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return float(np.mean(energies))


def variants():
    """(measurements of a round, further keys): lengths and limits."""
    for rounds, limit in ((16, 16), (16, 64), (16, 256), (32, 128), (64, 64)):
        for measurements in (16, 64) if limit > 64 else (16, 64, 256):
            yield measurements, {"convergence.min_rounds": rounds, "convergence.max_rounds": limit}
    yield 64, {"convergence.min_rounds": 256, "convergence.max_rounds": 256}
    yield 256, {"convergence.min_rounds": 16, "convergence.max_rounds": 20}
    yield 256, {"convergence.min_rounds": 8, "convergence.max_rounds": 16}
    yield 16, {"convergence.min_rounds": 8, "convergence.max_rounds": 8}
    yield 4, {"convergence.min_rounds": 64, "convergence.max_rounds": 512}
    yield 1, {"convergence.min_rounds": 256, "convergence.max_rounds": 1024}
    yield 32, {"convergence.min_rounds": 16, "convergence.max_rounds": 64, "convergence.n_tau": 0, "convergence.equilibration_tau": 0}
    yield 32, {"convergence.min_rounds": 16, "convergence.max_rounds": 64, "convergence.n_tau": 100}
    yield 64, {"convergence.min_rounds": 16, "convergence.max_rounds": 64, "replicas.copies": 4}
    yield 16, {"convergence.min_rounds": 16, "convergence.max_rounds": 64, "protocol.exchanges_per_measurement": 4}


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=900)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, words))} ended with {done.returncode}: {done.stderr}{done.stdout[-500:]}")
    return done.stdout


def judge(program, directory, exact, *options):
    table = directory.parent / "table.csv"
    text = run(program, "analyze", directory, "--csv", table, "--force", *options)
    verdict = re.search(rf"Verdict for L = {L}: (.*)\.\n", text)[1]
    row = next(r for r in csv.DictReader(table.open(encoding="utf-8")) if r["observable"] == "energy")
    off = abs(float(row["mean"]) - exact) / float(row["error"])
    state = re.match("equilibrated on average|equilibrated|not equilibrated|undecided", verdict)[0]
    return off, state, verdict, text


def main(arguments):
    program, scratch = pathlib.Path(arguments[0]).resolve(), pathlib.Path(arguments[1]).resolve()
    every = "--all" in arguments
    chosen = list(variants())
    sizes, cases = ((16, 32, 64), chosen) if every else ((16,), [chosen[1], chosen[3], chosen[10]])
    for word in arguments:
        if word.startswith("--files="):
            sizes = [int(n) for n in word.removeprefix("--files=").split(",")]
    wrong, off_cases, states = [], 0, {}
    for files in sizes:
        for number, (measurements, keys) in enumerate(cases):
            seed = 1000 * files + number
            folder = scratch / f"files{files}-{number}"
            exact = write_files(folder / "couplings", seed, files, (0.0, 0.01, 0.05)[number % 3])
            settings = {
                "campaign.seed": seed, "campaign.directory": folder / "campaign", "model.type": "ising", "model.dim": 2,
                "model.L": L, "model.couplings": "files", "model.couplings_file": "couplings", "disorder.realizations": files,
                "replicas.copies": 2, "ladder.kind": "list", "ladder.temperatures": T, "protocol.heatbath": 1,
                "protocol.exchanges_per_measurement": 1, "round.measurements": measurements, "round.samples": 0,
                "backend.threads": 1, **keys}
            config = folder / "campaign.cfg"
            config.write_text("".join(f"{key} = {value}\n" for key, value in settings.items()), encoding="utf-8")
            run(program, "run", config)
            for options in ((), ("--converged-only",)):
                try:
                    off, state, verdict, text = judge(program, folder / "campaign", exact, *options)
                except SystemExit as nothing:
                    if options and "has converged" in str(nothing):
                        continue
                    raise
                states[state] = states.get(state, 0) + 1
                off_cases += off > 3.0
                bad = off > 3.0 and state.startswith("equilibrated")
                if bad:
                    wrong.append(f"{files} files, variant {number} {' '.join(options)}: {off:.1f} errors\n{text}")
                limits = " ".join(f"{key.split('.')[1]}={value}" for key, value in keys.items())
                print(f"{'BAD ' if bad else ''}{files} files, {measurements} measurements, {limits} {' '.join(options)}: energy off by "
                      f"{off:.1f}: {verdict}", flush=True)
    print(f"{sum(states.values())} verdicts ({', '.join(f'{n} {s}' for s, n in sorted(states.items()))}), {off_cases} of them with "
          f"an energy off by more than 3 errors; {len(wrong)} of these called equilibrated")
    for text in wrong[:3]:
        print(text, file=sys.stderr)
    if off_cases == 0:
        print("No energy was off: nothing was tested", file=sys.stderr)
    return 1 if wrong or off_cases == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
