"""Derived observables of all sizes, and tables of them."""

from __future__ import annotations

import csv
import dataclasses
import os
from typing import TYPE_CHECKING

import numpy as np

from . import checks
from .arrays import Array, data_frame
from .errors import GlassworksError, demand, demand_regular, reading

if TYPE_CHECKING:
    import pandas

Curve = tuple[Array, Array, Array]
"""Temperatures, disorder averages and standard errors, each [temperature]."""


@dataclasses.dataclass(frozen=True, eq=False)
class Observable:
    """A derived observable at all temperatures of all sizes: arrays of equal length, a place for each L and T.

    docs/observables.md gives the equation and the unit of every observable. Means and errors are nan where the
    observable is not defined.
    """

    name: str
    L: Array
    """Size [row]."""
    T: Array
    """Temperature [row], in units of J/k_B, ascending for each L."""
    mean: Array
    """Disorder average [row]."""
    error: Array
    """Standard error of the mean [row], from the spread over realizations (jackknife)."""
    realizations: Array
    """Number of realizations averaged [row]."""

    @property
    def sizes(self) -> list[int]:
        """The sizes L in it, ascending."""
        return [int(L) for L in np.unique(self.L)]

    def of(self, L: int) -> Curve:
        """Temperatures, averages and errors of one size.

        Raises:
            GlassworksError: the size is not there.
        """
        rows = self.L == checks.whole_number("L", L)
        if not rows.any():
            raise GlassworksError(f"There is no {self.name} of L = {L} (sizes: {self.sizes}). Choose one of them.")
        return self.T[rows], self.mean[rows], self.error[rows]

    def to_pandas(self) -> pandas.DataFrame:
        """A table with the columns L, T, mean, error, realizations. Needs pandas."""
        return data_frame({name: getattr(self, name) for name in ("L", "T", "mean", "error", "realizations")})

    def __len__(self) -> int:
        return len(self.T)


Results = dict[tuple[int, str], tuple[Array, Array, Array, Array]]


def read_results(file: str | os.PathLike[str]) -> Results:
    """The table of `glassworks analyze --csv`, which is also results.csv of an export.

    Returns:
        A dictionary (L, observable) -> (temperatures, averages, errors, realizations), arrays [temperature].

    Raises:
        GlassworksError: the file cannot be read or is no such table.
    """
    file = checks.path("file", file)
    rows: dict[tuple[int, str], list[tuple[float, float, float, int]]] = {}
    with reading(file, "Check the file or export again."):
        demand_regular(file)
        with file.open(newline="", encoding="utf-8") as table:
            reader = csv.DictReader(table)
            demand("t" not in (reader.fieldnames or []), "no averages in equilibrium")
            for row in reader:
                key = int(row["L"]), row["observable"]
                rows.setdefault(key, []).append((float(row["T"]), float(row["mean"]), float(row["error"]),
                                                 int(row["realizations"])))
        demand(rows, "rows")
    columns = {key: [np.array(column) for column in zip(*values)] for key, values in rows.items()}
    return {key: (T, mean, error, realizations) for key, (T, mean, error, realizations) in columns.items()}


def joined(name: str, curves: dict[int, tuple[Array, Array, Array, Array]]) -> Observable:
    """The observable of the curves {L: (T, mean, error, realizations)}."""
    sizes = sorted(curves)
    L = np.concatenate([np.full(len(curves[size][0]), size) for size in sizes])
    return Observable(name, L, *(np.concatenate([curves[size][i] for size in sizes]) for i in range(4)))


def size_and_name(L: int | str | None, name: str | None) -> tuple[int | None, str]:
    """Size, if one is given, and name of the arguments (name) or (L, name) of `observable`."""
    if isinstance(L, str):
        if name is not None:
            raise GlassworksError(f'The size cannot be {checks.shown(L)} (it comes before the name, as a whole number). Write for example '
                                  'observable(8, "energy").')
        L, name = None, L
    if name is None:
        raise GlassworksError('No observable is named (a size alone is none). Write for example observable("energy").')
    return None if L is None else checks.whole_number("L", L), checks.text("The name of an observable", name)
