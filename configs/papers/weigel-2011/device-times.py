#!/usr/bin/env python3
"""Figures 2, 6 and 8 to 14 and Table 1 of M. Weigel, Phys. Rev. E 84, 036709 (2011), with the times of the GPU alone: states, bonds and
labels stay on the device.

  build/cluster_bench weigel >weigel.jsonl
  python3 configs/papers/weigel-2011/device-times.py weigel.jsonl [--out DIR]

Writes figure-2.csv, -6, -8 to -12 and -14 and table-1.csv into DIR (the working directory), times in ps per site; run.sh draws them. Columns
that begin with "published" have what the text of the paper says of the GTX 480. A missing value is "-".
"""

import argparse
import json
import math
import pathlib

D_MIN = 1.0766  # published fit of Fig. 6
# Fig. 8, T/L^2 = a/L + b/B: b from 0.78 ns at B = 16 for large L, a/b = n (4 - 5/sqrt n) from n = 110 (Eqs. 20 to 22). ps
B_SEW = 780.0 * 16
A_SEW = B_SEW * 110 * (4 - 5 / math.sqrt(110))
PUBLISHED = {  # (q, beta/beta_c, L): relaxation, sewing; Table 1, GTX 480
    (2, 1, 512): (6533, 12170), (2, 1, 8192): (7154, 3179), (2, 0.6, 8192): (None, 1863), (2, 1.4, 8192): (None, 4164),
    (3, 1, 8192): (None, 3059), (4, 1, 8192): (None, 2887),
}
IN_TILES = {"self-sewing": ("self-labelling", 1080), "union-sewing": ("union-find", 8600), "bfs-sewing": ("breadth-first", 13400)}
OTHERS = ["label-equivalence", "direct", "tiles", "campaigns"]


class Times:
    def __init__(self, lines):
        self.lines = [line for line in lines if "labelling" in line]
        self.few = [line for line in lines if line.get("model", "").startswith(("ising, few-cluster", "ising, wolff"))]

    def of(self, **wanted):
        return [line for line in self.lines if all(line[key] == value for key, value in wanted.items())]

    def ps(self, **wanted):
        """Time of a whole update, or None."""
        return next((line["ps_per_spin"] for line in self.of(**wanted)), None)

    def best_relaxation(self, **wanted):
        """The fastest line of self-labelling with relaxation, by the time of an update, or None."""
        return min(self.of(labelling="self-relaxation", **wanted), key=lambda line: line["ps_per_spin"], default=None)


def write(folder, name, head, rows):
    text = [",".join(head)] + [",".join("-" if value is None else str(value) for value in row) for row in rows]
    (folder / f"{name}.csv").write_text("\n".join(text) + "\n", encoding="utf-8")


def exponent(points):
    """Slope of log y against log x."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    x, y = (sum(column) / len(logs) for column in zip(*logs))
    return sum((a - x) * (b - y) for a, b in logs) / sum((a - x) ** 2 for a, _ in logs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("times", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."))
    given = parser.parse_args()
    times = Times([json.loads(line) for line in given.times.read_text(encoding="utf-8").splitlines() if line.startswith("{")])
    critical = times.of(q=2, beta_ratio=1)
    sizes = sorted({line["L"] for line in critical})
    edges = sorted({line["B"] for line in critical} - {0})
    largest_with_all = max((line["L"] for line in critical if line["labelling"] == "bfs-sewing" and line["B"] == 64), default=None)

    def save(name, head, rows):
        write(given.out, name, head, rows)

    save("figure-2", ["method", "B", "ps", "published_ps"], [
        [name, B, line["stages_ps"]["tiles"], published if B == 16 else None]
        for labelling, (name, published) in IN_TILES.items() for B in edges
        for line in times.of(q=2, beta_ratio=1, L=largest_with_all, labelling=labelling, B=B)])

    relaxed = [line for line in critical if line["labelling"] == "self-relaxation"]
    passes = sorted((line["B"], line["L"], line["L"] // line["B"], line["passes"]) for line in relaxed if line["L"] > line["B"])
    save("figure-6", ["B", "L", "tiles", "passes"], passes)
    large = [(tiles, count) for _, _, tiles, count in passes if tiles >= 100]
    if len(large) > 1:
        print(f"passes of label relaxation grow as (L/B)^{exponent(large):.3f} for L/B >= 100; published {D_MIN}")

    save("figure-8", ["B", "L", "ps", "published_fit_ps"], [
        [B, L, line["stages_ps"]["sewing"], round(A_SEW / L + B_SEW / B, 1)]
        for B in edges for L in sizes if L > B for line in times.of(q=2, beta_ratio=1, L=L, labelling="self-sewing", B=B)])

    # Of tiles and relaxation alone, as in the paper; from L = 4096 on it was bounded by the shared memory.
    labelled = {L: min((line for line in relaxed if line["L"] == L), default=None,
                       key=lambda line: line["stages_ps"]["tiles"] + line["stages_ps"]["relaxation"]) for L in sizes}
    save("figure-9", ["L", "B", "published_B"],
         [[L, line["B"], 64 if L >= 4096 else None] for L, line in labelled.items() if line])

    rows = []
    for L in sizes:
        best = times.best_relaxation(q=2, beta_ratio=1, L=L)
        rows.append([L, best and best["B"], best and best["ps_per_spin"], times.ps(q=2, beta_ratio=1, L=L, labelling="self-sewing", B=16)]
                    + [times.ps(q=2, beta_ratio=1, L=L, labelling=name) for name in OTHERS]
                    + list(PUBLISHED.get((2, 1, L), (None, None))))
    save("figure-10", ["L", "B_relaxation", "relaxation", "sewing", *OTHERS, "published_relaxation", "published_sewing"], rows)

    stages = ["activation", "tiles", "sewing", "flip"]
    published = {8192: [460, 1080, 1440, 201]}
    save("figure-11", ["L", *stages, *(f"published_{name}" for name in stages)], [
        [L, *(line["stages_ps"][name] for name in stages), *published.get(L, [None] * 4)]
        for L in sizes for line in times.of(q=2, beta_ratio=1, L=L, labelling="self-sewing", B=16)])

    against_beta = max((line["L"] for line in times.of(q=2) if line["beta_ratio"] != 1), default=None)
    columns = [("self-relaxation", 16), ("self-relaxation", 32), ("self-relaxation", 64), ("self-sewing", 16), ("self-sewing", 64)]
    rows = []
    for ratio in sorted({line["beta_ratio"] for line in times.of(q=2, L=against_beta)}):
        here = dict(q=2, beta_ratio=ratio, L=against_beta)
        rows.append([ratio, *(times.ps(labelling=name, B=B, **here) for name, B in columns), *(times.ps(labelling=name, **here) for name in OTHERS),
                     *PUBLISHED.get((2, ratio, against_beta), (None, None))])
    save("figure-12", ["beta_ratio", *(f"{name}_{B}" for name, B in columns), *OTHERS, "published_relaxation", "published_sewing"], rows)

    save("figure-14", ["L", "update", "systems", "ps"],
         [[line["L"], '"' + line["model"].removeprefix("ising, ").removesuffix(", round") + '"', line["systems"], line["ps_per_spin"]]
          for line in times.few])

    methods = [f"{tiles}-{joined}" for tiles in ("self", "union", "bfs") for joined in ("relaxation", "sewing")]
    lines = list(PUBLISHED) + [(2, 1, 16384)]
    save("table-1", ["q", "beta_ratio", "L", *methods, *OTHERS, "published_relaxation", "published_sewing"], [
        [q, ratio, L, *(times.ps(q=q, beta_ratio=ratio, L=L, labelling=name, B=16) for name in methods),
         *(times.ps(q=q, beta_ratio=ratio, L=L, labelling=name) for name in OTHERS), *PUBLISHED.get((q, ratio, L), (None, None))]
        for q, ratio, L in lines if times.of(q=q, beta_ratio=ratio, L=L)])


if __name__ == "__main__":
    main()
