"""Couplings from numpy arrays, matrices and graphs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import checks
from .arrays import Array
from .errors import GlassworksError
from .ground import bonds_of, has_weights

Couplings = Union[npt.ArrayLike, Mapping[int, npt.ArrayLike], Any]
"""Couplings J in units of J: an array [bond][site] that all realizations share, an array [realization][bond][site], or a
dictionary {realization: array [bond][site]}.

J[bond, site] belongs to the bond from site = x + L (y + L (z + ...)) to its neighbour at +axis, bond = 0 along x, 1 along
y, ... On other lattices than the hypercubic one the bonds are those that docs/manual/models.md lists, in that order.
Instead of [site] an array may have the indices [x_d]...[y][x], which is the same order in memory. 0 is no bond.

With model.lattice = graph they are those of one graph that all realizations share, as `ground` takes them: a symmetric
matrix J[i, j] (numpy or scipy.sparse) or its upper triangle, a networkx graph (edge attribute "weight"), or triples
(i, j, J_ij) of sites from 0 on. Sites keep their order. Where no edge of a networkx graph has a weight, couplings are
drawn for each realization (model.couplings), or 1 with "ferromagnet"."""

FILE, FOLDER, GRAPH = "couplings.txt", "couplings", "graph.txt"
BONDS = {"triangular": 3, "fcc": 6, "bcc": 4}


def take_couplings(keys: dict[str, str], couplings: Couplings) -> dict[str, Array | str]:
    """The coupling files of a campaign: {path beside its configuration: couplings [bond][site], or the text of a graph}.
    Sets what follows from them in the configuration.

    Raises:
        GlassworksError: the shape does not fit the lattice or the number of realizations, or a number is not finite.
    """
    lattice = keys.get("model.lattice", "hypercubic")
    if lattice == "graph":
        return _of_graph(keys, couplings)
    if hasattr(couplings, "tocoo") or hasattr(couplings, "edges"):
        raise GlassworksError(f"Couplings of model.lattice = {lattice} cannot be a sparse matrix or a graph (they are arrays "
                              "[bond][site]). Use model.lattice = graph.")
    size = _number(keys, "model.L", None)
    dim = _number(keys, "model.dim", 2 if lattice == "triangular" else 3)
    for name, value, most in (("model.L", size, 2**20), ("model.dim", dim, 8)):
        if not 1 <= value <= most:
            raise GlassworksError(f"{name} cannot be {value} where couplings are given as arrays (1 to {most} can). Correct it.")
    bonds = BONDS.get(lattice, dim)
    shapes = (bonds, size**dim), (bonds, *[size] * dim)
    first = _number(keys, "disorder.first", 0)
    if isinstance(couplings, Mapping):
        couplings = {checks.whole_number("The number of a realization", r): J for r, J in couplings.items()}
        numbers = range(first, first + len(couplings))
        if sorted(couplings) != list(numbers) or not couplings:
            raise GlassworksError(f"Couplings cannot be those of the realizations {sorted(couplings)} (realizations count "
                                  f"from {first}, and each one needs its couplings). Give them all.")
        arrays = [_numbers(couplings[r], shapes, f" of realization {r}") for r in numbers]
    else:
        data = checks.real_array("The couplings are", couplings)
        if data.shape in shapes:
            return _shared(keys, _numbers(data, shapes, ""))
        if data.ndim != len(shapes[0]) + 1 and data.ndim != len(shapes[1]) + 1:
            _numbers(data, shapes, "")
        arrays = [_numbers(part, shapes, f" of realization {r}") for r, part in enumerate(data, first)]
    count = _number(keys, "disorder.realizations", len(arrays))
    if count != len(arrays):
        raise GlassworksError(f"There are couplings of {len(arrays)} realizations, but disorder.realizations is {count} "
                              "(each realization needs its own). Make them equal.")
    keys["disorder.realizations"] = str(count)
    if count == 1:
        return _shared(keys, arrays[0])
    _set(keys, "files", FOLDER)
    return {f"{FOLDER}/L{size:03}-r{r:06}.txt": array for r, array in enumerate(arrays, first)}


def coupling_file(couplings: Array | str) -> str:
    """The text of a coupling file: lines `site axis J`, without the bonds whose J is 0; that of a graph as it is."""
    if isinstance(couplings, str):
        return couplings
    bonds, sites = np.nonzero(couplings)
    lines = (f"{site} {bond} {J!r}\n" for site, bond, J in zip(sites.tolist(), bonds.tolist(),
                                                               couplings[bonds, sites].tolist()))
    return "# site axis J\n" + "".join(lines)


def _of_graph(keys: dict[str, str], couplings: Any) -> dict[str, Array | str]:
    if keys.get("model.graph", GRAPH) != GRAPH:
        raise GlassworksError(f"The graph is given twice (by couplings and by model.graph = {keys['model.graph']}). Remove one.")
    nodes, bonds = bonds_of(couplings)
    kind = keys.get("model.couplings", "file" if has_weights(couplings) else "")
    if has_weights(couplings) and kind not in ("file", "weights"):
        raise GlassworksError(f"Couplings are given twice (as a graph with weights and by model.couplings = {kind}). Remove one.")
    keys["model.graph"] = GRAPH
    if kind:
        keys["model.couplings"] = kind
    # With a header and from 1 on, sites without bonds are counted, the first one too.
    lines = [f"{a + 1} {b + 1} {J!r}\n" if has_weights(couplings) else f"{a + 1} {b + 1}\n"
             for (a, b), J in sorted(bonds.items())]
    return {GRAPH: f"# sites and bonds, then i j{' J' if has_weights(couplings) else ''}\n{len(nodes)} {len(bonds)} 0\n"
                   + "".join(lines)}


def _shared(keys: dict[str, str], couplings: Array) -> dict[str, Array | str]:
    _set(keys, "file", FILE)
    return {FILE: couplings}


def _set(keys: dict[str, str], kind: str, path: str) -> None:
    if keys.get("model.couplings", kind) != kind:
        raise GlassworksError(f"Couplings are given twice (as an array and by model.couplings = {keys['model.couplings']}). "
                              "Remove one.")
    keys["model.couplings"] = kind
    keys["model.couplings_file"] = path


def _numbers(values: npt.ArrayLike, shapes: tuple[tuple[int, ...], ...], whose: str) -> Array:
    data = checks.real_array(f"The couplings{whose} are", values)
    if data.shape not in shapes:
        raise GlassworksError(f"The couplings{whose} have the shape {data.shape} (the lattice needs [bond][site], which is "
                              f"{shapes[0]}). Correct them, or model.L and model.dim.")
    if not data.any() and not np.isnan(data).any():
        raise GlassworksError(f"The couplings{whose} are all 0 (there would be no bond). Give some that are not.")
    if not np.isfinite(data).all():
        raise GlassworksError(f"The couplings{whose} are not all finite (there is a nan or inf). Use 0 for an absent bond.")
    return data.reshape(shapes[0])


def _number(keys: Mapping[str, str], name: str, default: int | None) -> int:
    text = keys.get(name, "" if default is None else str(default))
    try:
        return int(text)
    except ValueError:
        raise GlassworksError(f"{name} cannot be {text!r} where couplings are given as arrays (it must be one whole "
                              "number). Correct it.") from None
