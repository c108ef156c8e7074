"""Ground states of Ising spins on any graph."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import pathlib
import tempfile
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import checks
from .errors import GlassworksError
from .program import call, find_program


@dataclasses.dataclass(frozen=True)
class GroundState:
    """The lowest energy that independent runs of parallel tempering met: what `glassworks ground FILE` gives."""

    energy: float
    """H = - sum_<ij> J_ij s_i s_j - sum_i H_i s_i of `spins`."""
    spins: npt.NDArray[np.int8]
    """+1 and -1 [site]."""
    cut: float | None
    """With cut=True: the sum of the weights between sites of unequal spins."""
    met: int
    """Runs that met the energy."""
    runs: int
    """All runs."""
    sweeps: int
    """Sweeps of each run."""
    sweeps_to_target: float
    """Sweeps until a run has met the energy with probability 0.99."""
    seconds: float
    """Time of the search in s."""
    nodes: list[Any] = dataclasses.field(repr=False)
    """Names of the sites: those of a networkx graph in its order, else 0, 1, ... [site]."""


def ground(J: Any, H: Any = None, *, cut: bool = False, runs: int = 16, sweeps: int = 1 << 20, seconds: int | None = None,
           seed: int = 1, backend: str = "cpu", threads: int | None = None,
           executable: str | os.PathLike[str] | None = None) -> GroundState:
    """Looks for the lowest energy of H = - sum_<ij> J_ij s_i s_j - sum_i H_i s_i, s = +-1.

    Args:
        J: couplings: a symmetric matrix (numpy or scipy.sparse) or its upper triangle, a networkx graph (edge attribute
            "weight", 1 where there is none), or triples (i, j, J_ij) of sites from 0 on.
        H: fields [site]; None: none.
        cut: J holds weights w, of which the largest cut is sought: J_ij = -w_ij.
        runs: independent runs.
        sweeps: of each run at most. Runs end when all have met one energy and gone on for as long again.
        seconds: no further round begins after them.
        seed: of the random numbers.
        backend: "cpu" or "cuda".
        threads: those of the machine if None.
        executable: the program (find_program).

    Raises:
        GlassworksError: J or H cannot be used.
    """
    nodes, bonds = bonds_of(J)
    sites = len(nodes)
    fields = _fields(H, sites)
    # Files of this form have the other sign: energy sum h s + sum J s s.
    sign = 1.0 if cut else -1.0
    document = {"h": {str(i): -H_i for i, H_i in enumerate(fields)},
                "J": {f"{a},{b}": sign * J_ab for (a, b), J_ab in bonds.items()}}
    arguments: list[str | os.PathLike[str]] = [f"--runs={checks.whole_number('runs', runs)}",
                                               f"--sweeps={checks.whole_number('sweeps', sweeps)}",
                                               f"--seed={checks.whole_number('seed', seed)}", f"--backend={backend}"]
    if seconds is not None:
        arguments.append(f"--seconds={checks.whole_number('seconds', seconds)}")
    if threads is not None:
        arguments.append(f"--threads={checks.whole_number('threads', threads)}")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "instance.json"
        file.write_text(json.dumps(document), encoding="utf-8")
        found = json.loads(call(find_program(executable), "ground", file, "--json", *arguments))["instances"][0]
    spins = np.array(found["spins"], dtype=np.int8)
    weight = sum(w for (a, b), w in bonds.items() if spins[a] != spins[b]) if cut else None
    target = found["sweeps_to_target"]
    return GroundState(float(found["energy"]), spins, weight, int(found["met"]), int(found["runs"]), int(found["sweeps"]),
                       math.inf if target is None else float(target), float(found["seconds"]), nodes)


def bonds_of(J: Any) -> tuple[list[Any], dict[tuple[int, int], float]]:
    """Names of the sites, and J of each pair a < b."""
    if hasattr(J, "edges") and hasattr(J, "nodes"):
        return _of_networkx(J)
    if hasattr(J, "tocoo"):
        matrix = J.tocoo()
        return _of_matrix(int(matrix.shape[0]), zip(matrix.row.tolist(), matrix.col.tolist(), matrix.data.tolist()))
    if isinstance(J, np.ndarray) and J.ndim == 2 and J.shape[0] == J.shape[1]:
        rows, columns = np.nonzero(J)
        return _of_matrix(int(J.shape[0]), zip(rows.tolist(), columns.tolist(), J[rows, columns].tolist()))
    try:
        triples = [(int(i), int(j), float(x)) for i, j, x in J]
    except (TypeError, ValueError) as error:
        raise GlassworksError("J cannot be used (it is no square matrix, no networkx graph, and not a list of triples "
                              "(i, j, J_ij)). Give one of these.") from error
    bonds: dict[tuple[int, int], float] = {}
    for i, j, x in triples:
        if i < 0 or j < 0 or i == j:
            raise GlassworksError(f"The bond ({i}, {j}) cannot be used (sites are numbered from 0, and none has a bond "
                                  "with itself). Correct it.")
        if (min(i, j), max(i, j)) in bonds:
            raise GlassworksError(f"The bond ({i}, {j}) stands twice (two sites have one bond). Give the sum of both.")
        bonds[min(i, j), max(i, j)] = x
    sites = 1 + max((b for _, b in bonds), default=-1)
    return list(range(sites)), _checked(bonds)


def has_weights(J: Any) -> bool:
    """Whether J holds couplings: all do but networkx graphs without an edge attribute "weight"."""
    return not (hasattr(J, "edges") and hasattr(J, "nodes")) or any("weight" in data for _, _, data in J.edges(data=True))


def _of_matrix(sites: int,
               entries: Iterable[tuple[int, int, float]]) -> tuple[list[Any], dict[tuple[int, int], float]]:
    upper: dict[tuple[int, int], float] = {}
    lower: dict[tuple[int, int], float] = {}
    for i, j, x in entries:
        if i == j and x != 0:
            raise GlassworksError(f"J has the entry {x} at ({i}, {i}) (no spin interacts with itself). Set the diagonal "
                                  "to 0.")
        if i == j or x == 0:
            continue
        part = upper if i < j else lower
        key = (min(i, j), max(i, j))
        part[key] = part.get(key, 0.0) + float(x)  # a sparse matrix may hold an entry in parts
    if upper and lower and upper != lower:
        key = next(k for k in upper.keys() | lower.keys() if upper.get(k) != lower.get(k))
        raise GlassworksError(f"J is not symmetric (its entries at {key} and {key[::-1]} differ). Give a symmetric matrix "
                              "or its upper triangle.")
    return list(range(sites)), _checked(upper or lower)


def _of_networkx(graph: Any) -> tuple[list[Any], dict[tuple[int, int], float]]:
    nodes = list(graph.nodes)
    place = {node: i for i, node in enumerate(nodes)}
    bonds: dict[tuple[int, int], float] = {}
    for a, b, data in graph.edges(data=True):
        i, j = sorted((place[a], place[b]))
        if i == j or (i, j) in bonds:
            raise GlassworksError(f"The edge {a!r} - {b!r} cannot be used (it is a loop, or stands twice). Remove it.")
        bonds[i, j] = float(data.get("weight", 1.0))
    return nodes, _checked(bonds)


def _checked(bonds: dict[tuple[int, int], float]) -> dict[tuple[int, int], float]:
    if not bonds:
        raise GlassworksError("J has no bonds (no two spins interact). Give couplings other than 0.")
    for (a, b), x in bonds.items():
        if not math.isfinite(x):
            raise GlassworksError(f"J has the entry {x} at ({a}, {b}) (couplings are finite numbers). Correct it.")
    return bonds


def _fields(H: Any, sites: int) -> list[float]:
    if H is None:
        return [0.0] * sites
    values = [float(x) for x in np.asarray(H, dtype=float).ravel()]
    if len(values) != sites or not all(math.isfinite(x) for x in values):
        raise GlassworksError(f"H cannot be used (it has {len(values)} numbers for {sites} sites, each a finite one). "
                              "Give a field for each site.")
    return values
