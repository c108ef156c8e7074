#!/usr/bin/env python3
"""Figures 8 and 9 of Y. Komura, A generalized GPU-based connected component labeling algorithm (2016): a Bethe lattice of z = 3, whose
bonds are active with p = 1.5 p_c = 0.75, with the numbers of its sites; the bonds of a cluster have one colour.

  python3 configs/papers/komura-2016/bethe.py figure-8 [--numbering standard] [--generations 5] [--p 0.75] [--seed 6]

Draws NAME.svg by gnuplot and writes the active bonds as NAME-edges.txt for `glassworks percolate --edges`. Both numberings have the same
clusters for a seed. A black ring marks the label of a cluster, its smallest site. A list of edges ends with its largest site: if that
one has no active bond, the verb leaves it out.
"""

import argparse
import colorsys
import math
import pathlib
import random
import subprocess
import tempfile


def lattice(z, generations):
    """(parent, shell, angle) of all sites, shell by shell: those of a shell follow each other around the centre."""
    sites, shell = [(None, 0, 0.0)], [(0, 0.0, 1.0)]  # of a shell: site, the part of the circle that its branch has
    for generation in range(1, generations + 1):
        outer = []
        for site, begin, width in shell:
            children = z if site == 0 else z - 1
            for child in range(children):
                first = begin + width * child / children
                sites.append((site, generation, 2 * math.pi * (first + width / children / 2)))
                outer.append((len(sites) - 1, first, width / children))
        shell = outer
    return sites


def clusters(sites, active, number):
    """Number of the label of every site: the smallest number in its cluster."""
    root = list(range(len(sites)))
    for site in range(1, len(sites)):  # parents come before their children
        if active[site]:
            root[site] = root[sites[site][0]]
    smallest = {}
    for site, top in enumerate(root):
        smallest[top] = min(number[site], smallest.get(top, number[site]))
    return [smallest[top] for top in root]


def colours(labels):
    """A colour for each label of two sites or more; neighbours in the list differ by the golden section of the circle."""
    shared = sorted({label for label in labels if labels.count(label) > 1})
    hues = [i * 0.618034 % 1 for i in range(len(shared))]
    rgb = [colorsys.hls_to_rgb(hue, 0.36 + 0.14 * (i % 3), 0.75) for i, hue in enumerate(hues)]
    return {label: sum(round(255 * x) << shift for x, shift in zip(c, (16, 8, 0))) for label, c in zip(shared, rgb)}


def draw(name, sites, active, number, labels, terminal):
    edge = sites[-1][1] + 0.3
    place = [(shell * math.cos(angle), shell * math.sin(angle)) for _, shell, angle in sites]
    colour = colours(labels)
    lines = {True: [], False: []}
    for site in range(1, len(sites)):
        (x, y), (to_x, to_y) = place[sites[site][0]], place[site]
        lines[active[site]].append(f"{x:.4f} {y:.4f} {to_x - x:.4f} {to_y - y:.4f} {colour.get(labels[site], 0)}")
    points = [f"{x:.4f} {y:.4f} {n} {colour.get(label, 0x808080)}" for (x, y), n, label in zip(place, number, labels)]
    roots = [line for line, n, label in zip(points, number, labels) if n == label]
    with tempfile.TemporaryDirectory() as folder:
        files = {}
        for what, text in (("absent", lines[False]), ("active", lines[True]), ("points", points), ("roots", roots)):
            files[what] = pathlib.Path(folder) / what
            files[what].write_text("\n".join(text) + "\n", encoding="utf-8")
        suffix = "png" if terminal.startswith("png") else "svg"
        subprocess.run(["gnuplot", "-e", f"""
            set terminal {terminal}; set output '{name}.{suffix}'; unset border; unset tics; unset key; set size ratio -1; set margins 0, 0, 0, 0;
            set xrange [{-edge}:{edge}]; set yrange [{-edge}:{edge}];
            plot '{files["absent"]}' using 1:2:3:4 with vectors nohead lc rgb '#d8d8d8' lw 1,
              '{files["active"]}' using 1:2:3:4:5 with vectors nohead lc rgb variable lw 4,
              '{files["points"]}' using 1:2:4 with points pt 7 ps 2.6 lc rgb variable,
              '{files["points"]}' using 1:2 with points pt 7 ps 2.2 lc rgb 'white',
              '{files["roots"]}' using 1:2 with points pt 6 ps 2.8 lw 1.5 lc rgb 'black',
              '{files["points"]}' using 1:2:3 with labels font ',8'"""], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", help="of the files, without .svg")
    parser.add_argument("--numbering", choices=["standard", "random"], default="standard")
    parser.add_argument("--generations", type=int, default=5)
    parser.add_argument("--p", type=float, default=0.75)
    parser.add_argument("--seed", type=int, default=6)
    parser.add_argument("--terminal", default="svg size 760,760 background 'white'", help="of gnuplot")
    given = parser.parse_args()
    draws = random.Random(given.seed)
    sites = lattice(3, given.generations)
    active = [False] + [draws.random() < given.p for _ in sites[1:]]
    number = list(range(len(sites)))
    if given.numbering == "random":
        draws.shuffle(number)
    labels = clusters(sites, active, number)
    found, bonds = len(set(labels)), sum(active)
    assert found == len(sites) - bonds, "a forest has as many clusters as sites without a bond of their own"
    draw(given.name, sites, active, number, labels, given.terminal)
    edges = [f"{number[sites[site][0]]} {number[site]}" for site in range(1, len(sites)) if active[site]]
    pathlib.Path(f"{given.name}-edges.txt").write_text("\n".join(edges) + "\n", encoding="utf-8")
    print(f"{given.name}.svg: {len(sites)} sites, {bonds} active bonds, {found} clusters, clusters/N = {found / len(sites):.6g}, the largest has "
          f"{max(labels.count(label) for label in set(labels))} sites")


if __name__ == "__main__":
    main()
