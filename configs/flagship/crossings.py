#!/usr/bin/env python3
"""Crossings of the correlation lengths of two sizes, from results/results.csv: python3 crossings.py > results/crossings.csv

Between temperatures each curve is the cubic through the four nearest ones. Sizes are independent, so the error of the
difference D at the crossing is the root of the summed squares of both errors; divided by the slope of D it is that of T.
`glassworks report --csv` writes the same for a campaign that is at hand, with errors from resampling.
"""
import csv
from collections import defaultdict

NAMES = {"xi_over_L": "xi_L/L", "xi_chiral_over_L": "xi_c/L, parallel", "xi_chiral_perp_over_L": "xi_c/L, perpendicular"}


def cubic(points, T, column):
    nearest = sorted(sorted(points, key=lambda p: abs(p[0] - T))[:4])
    total = 0.0
    for i, p in enumerate(nearest):
        weight = 1.0
        for j, q in enumerate(nearest):
            if i != j:
                weight *= (T - q[0]) / (p[0] - q[0])
        total += weight * p[column]
    return total


def crossing(small, large, low, high):
    def difference(T):
        return cubic(large, T, 1) - cubic(small, T, 1)

    steps = [low + (high - low) * i / 400 for i in range(401)]
    found = [(a, b) for a, b in zip(steps, steps[1:]) if difference(a) > 0 >= difference(b)]
    if len(found) != 1:
        return None
    a, b = found[0]
    for _ in range(50):
        middle = 0.5 * (a + b)
        a, b = (middle, b) if difference(middle) > 0 else (a, middle)
    h = 0.002
    slope = abs(difference(a + h) - difference(a - h)) / (2 * h)
    error = (cubic(small, a, 2) ** 2 + cubic(large, a, 2) ** 2) ** 0.5
    return a, error / slope, cubic(small, a, 1)


curves = defaultdict(list)
with open("results/results.csv") as file:
    for row in csv.DictReader(file):
        if row["observable"] in NAMES:
            curves[row["observable"], int(row["L"])].append(tuple(float(row[c]) for c in ("T", "mean", "error")))
print("from,L,L',T_x,error of T_x,R_x")
for name, text in NAMES.items():
    sizes = sorted(L for observable, L in curves if observable == name)
    for i, small in enumerate(sizes):
        for large in sizes[i + 1 :]:
            x = crossing(curves[name, small], curves[name, large], 0.1201, 0.2499)
            row = "none,," if x is None else f"{x[0]:.4f},{x[1]:.4f},{x[2]:.4f}"
            print(f'"{text}",{small},{large},{row}')
