#!/usr/bin/env python3
"""Exact energy and entropy per site of Ising spins on L x L cells of the triangular or honeycomb lattice, periodic.

    python3 configs/graphs/torus.py triangular|honeycomb J T L...

Z = 2^N (Z_1 + Z_2 + Z_3 +- Z_4)/2, the roots of products over the wave vectors (a, b) of both kinds of boundaries along both
axes, with w = cos a + cos b + cos(a + b), c = cosh 2 J/T, s = sinh 2 J/T:

    triangular   c^3 + s^3 - s w;    honeycomb   (c^3 + 1 - s^2 w)/2

- stands where the last product, with a = b = 0 in it, has passed no zero, above T_c. N = L^2 and 2 L^2; of the honeycomb lattice
J > 0. All states of L = 3 and 4 give the same Z.
"""
import math
import sys


def log_Z(lattice, K, L):
    c, s = math.cosh(2 * K), math.sinh(2 * K)
    triangular = lattice == "triangular"
    constant = (c + s) * (c * c - c * s + s * s) if triangular else (c**3 + 1) / 2
    slope = s if triangular else s * s / 2
    T_c = 4 / math.log(3) if triangular else 2 / math.log(2 + math.sqrt(3))
    logs = []
    for odd_a, odd_b in ((1, 1), (1, 0), (0, 1), (0, 0)):
        total = 0.0
        for p in range(L):
            for q in range(L):
                a, b = math.pi * (2 * p + odd_a) / L, math.pi * (2 * q + odd_b) / L
                factor = constant - slope * (math.cos(a) + math.cos(b) + math.cos(a + b))
                total += math.log(max(factor, 1e-300)) / 2
        logs.append(total)
    signs = (1, 1, 1, -1 if K * T_c < 1 else 1)
    largest = max(logs)
    N = L * L if triangular else 2 * L * L
    return N, N * math.log(2) + largest + math.log(sum(g * math.exp(x - largest) for g, x in zip(signs, logs)) / 2)


def main():
    if len(sys.argv) < 5 or sys.argv[1] not in ("triangular", "honeycomb"):
        sys.exit(__doc__)
    lattice, J, T = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
    print(f"{'L':>6} {'energy':>10} {'entropy':>10}")
    for L in map(int, sys.argv[4:]):
        h = 1e-4
        K = J / T
        N, here = log_Z(lattice, K, L)
        slope = (log_Z(lattice, K + h, L)[1] - log_Z(lattice, K - h, L)[1]) / (2 * h * N)
        print(f"{L:6} {-J * slope:10.6f} {here / N - K * slope:10.6f}")


if __name__ == "__main__":
    main()
