#!/usr/bin/env python3
"""Residual entropy per site of an antiferromagnet, from energies at all temperatures down to the ground state.

    glassworks export CAMPAIGN --csv --covariance --out EXPORT
    python3 configs/graphs/entropy.py EXPORT Q [U]

integrates C from T = infinity to the lowest temperature, S = ln Q - int C dT/T. By parts this is linear in the energies,

    S = ln Q + beta u(beta) - int_0^beta u(beta') dbeta',    u(0) = U,

so that the error follows from their covariance. Between neighbouring values of beta u is the cubic through the four nearest
ones; the column `ladder` says what the parabola through three would change, for which this is an upper bound of the error of
the cubic. The last line extrapolates S = S_inf + a/L^2 by least squares. Q: states of a spin; U: energy per site of random
spins (0 of Ising; -J z/(2 Q) of Potts with J on z neighbours).
"""
import argparse
import csv
import math
import os
import sys
from collections import defaultdict


def weights(x, points):
    """Weights of int y dx with y the polynomial through the `points` nearest values, interval by interval."""
    total = [0.0] * len(x)
    gauss = ((-math.sqrt(0.6), 5 / 18), (0.0, 8 / 18), (math.sqrt(0.6), 5 / 18))  # exact for cubics
    for i in range(len(x) - 1):
        first = min(max(i - (points // 2 - 1), 0), len(x) - points)
        nodes = range(first, first + points)
        for place, weight in gauss:
            t = (x[i] + x[i + 1] + place * (x[i + 1] - x[i])) / 2
            for j in nodes:
                lagrange = math.prod((t - x[m]) / (x[j] - x[m]) for m in nodes if m != j)
                total[j] += weight * (x[i + 1] - x[i]) * lagrange
    return total


def entropy(u, states, points):
    """S and its weights of the energies {beta: u}, beta = 0 among them."""
    beta = sorted(u)
    factors = [-w for w in weights(beta, points)]
    factors[-1] += beta[-1]
    return math.log(states) + sum(f * u[b] for f, b in zip(factors, beta)), dict(zip(beta, factors))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("export", help="directory of glassworks export --csv --covariance")
    parser.add_argument("states", type=float, metavar="Q")
    parser.add_argument("hot", type=float, nargs="?", default=0.0, metavar="U")
    options = parser.parse_args()
    for name in ("results.csv", "covariance.csv"):
        if not os.path.exists(os.path.join(options.export, name)):
            sys.exit(f"{options.export} has no {name}. Export with --csv --covariance.")
    energies, covariances = defaultdict(lambda: {0.0: options.hot}), defaultdict(dict)
    with open(os.path.join(options.export, "results.csv")) as file:
        for row in csv.DictReader(file):
            if row["observable"] == "energy":
                energies[int(row["L"])][1 / float(row["T"])] = float(row["mean"])
    with open(os.path.join(options.export, "covariance.csv")) as file:
        for row in csv.DictReader(file):
            if row["observable"] == "energy":
                pair = 1 / float(row["T"]), 1 / float(row["T_other"])
                covariances[int(row["L"])][pair] = float(row["covariance"])
    if not energies or not covariances:
        sys.exit(f"{options.export} has no energies or no covariances of them. Export with --csv --covariance.")

    print(f"{'L':>6} {'T_min':>7} {'S':>10} {'error':>9} {'ladder':>9}")
    A = B = C = P = Q = 0.0
    for L, u in sorted(energies.items()):
        S, factor = entropy(u, options.states, 4)
        coarse, _ = entropy(u, options.states, 3)
        variance = sum(c * factor[a] * factor[b] for (a, b), c in covariances[L].items())
        error = math.sqrt(variance)
        print(f"{L:6} {1 / max(u):7.4f} {S:10.6f} {error:9.6f} {coarse - S:9.6f}")
        x, w = 1 / L**2, 1 / variance
        A, B, C, P, Q = A + w, B + w * x, C + w * x * x, P + w * S, Q + w * x * S
    if len(energies) > 1:
        D = A * C - B * B
        S, a = (C * P - B * Q) / D, (A * Q - B * P) / D
        print(f"{'inf':>6} {'':7} {S:10.6f} {math.sqrt(C / D):9.6f}  S = S_inf + a/L^2, a = {a:.3f}({math.sqrt(A / D):.3f})")


if __name__ == "__main__":
    main()
