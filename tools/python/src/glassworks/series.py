"""Quantities of campaigns with a course against time."""

from __future__ import annotations

import csv
import dataclasses
import os
import pathlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from . import checks
from .arrays import Array, data_frame
from .errors import GlassworksError, demand, demand_regular, reading

if TYPE_CHECKING:
    import pandas


@dataclasses.dataclass(frozen=True, eq=False)
class TimeCurve:
    """A quantity of one size at one slot against time.

    Attributes:
        name, L, slot: of the quantity, the size and the slot (0 is the coldest).
        t: [time], in sweeps since the start; a quantity that refers to t_w begins at t_w.
        T: [time], temperature in the step before t, in units of J/k_B.
        mean, error: [time], average over realizations and its standard error; nan where it is not defined.
        realizations: [time], number of realizations that have measured the time.
        covariance: [time][time] of the averages, from the realizations: points of a history are correlated.
        numbers: [realization], those that have measured it, ascending.
        rows: [realization][time], nan where a realization has not measured: of a stored column what it measured, of a
            derived quantity f its pseudovalue n f - (n - 1) f_i, with f_i without realization i. The covariance is that of
            the rows, divided by n.
    """

    name: str
    L: int
    slot: int
    t: Array
    T: Array
    mean: Array
    error: Array
    realizations: Array
    covariance: Array
    numbers: Array
    rows: Array

    def __len__(self) -> int:
        return len(self.t)


@dataclasses.dataclass(frozen=True, eq=False)
class Series:
    """A quantity against time, a TimeCurve for each size and slot."""

    name: str
    curves: tuple[TimeCurve, ...]

    @property
    def sizes(self) -> list[int]:
        """The sizes L in it, ascending."""
        return sorted({curve.L for curve in self.curves})

    def of(self, L: int | None = None, slot: int | None = None) -> TimeCurve:
        """The curve of a size and a slot; either may be left out where there is one only.

        Raises:
            GlassworksError: there is none, or several.
        """
        L = None if L is None else checks.whole_number("L", L)
        slot = None if slot is None else checks.whole_number("slot", slot, 0)
        found = [curve for curve in self.curves if L in (None, curve.L) and slot in (None, curve.slot)]
        if len(found) == 1:
            return found[0]
        places = ", ".join(f"({curve.L}, {curve.slot})" for curve in self.curves)
        raise GlassworksError(f"There {'are several curves' if found else 'is no curve'} of {self.name} with L = {L} and "
                              f"slot = {slot} (L, slot: {places}). Choose one of them.")

    def to_pandas(self, realizations: bool = False) -> pandas.DataFrame:
        """A table with the columns L, slot, T, t, mean, error, realizations, or with `realizations` a row for each
        value of `rows` that is there: L, slot, T, t, realization, value. Needs pandas."""
        if not isinstance(realizations, bool):
            raise GlassworksError(f"realizations cannot be {checks.shown(realizations)} (it must be True or False). Correct it.")
        if not realizations:
            columns = {"L": [np.full(len(curve), curve.L) for curve in self.curves],
                       "slot": [np.full(len(curve), curve.slot) for curve in self.curves]}
            columns |= {name: [getattr(curve, name) for curve in self.curves]
                        for name in ("T", "t", "mean", "error", "realizations")}
            return data_frame({name: np.concatenate(pieces) for name, pieces in columns.items()})
        parts: dict[str, list[Array]] = {name: [] for name in ("L", "slot", "T", "t", "realization", "value")}
        for curve in self.curves:
            place, time = np.nonzero(np.isfinite(curve.rows))
            parts["L"].append(np.full(len(place), curve.L))
            parts["slot"].append(np.full(len(place), curve.slot))
            parts["T"].append(curve.T[time])
            parts["t"].append(curve.t[time])
            parts["realization"].append(curve.numbers[place])
            parts["value"].append(curve.rows[place, time])
        return data_frame({name: np.concatenate(pieces) for name, pieces in parts.items()})

    def __len__(self) -> int:
        return sum(len(curve) for curve in self.curves)


def is_of_distance(name: str) -> bool:
    """Whether a quantity is a function of r, of which a size has many: c4_axis(3)."""
    return name.startswith(("c4_axis(", "c4_diagonal(", "chiral_axis_", "c22_axis("))


def covariance_of_rows(rows: Array) -> Array:
    """Covariance in time [time][time] of the averages of rows [realization][time], of which later times may be missing:

        cov(t, t') = sum_i (x_i(t) - mean x(t)) (x_i(t') - mean x(t'))/(n (n' - 1)),    n >= n' realizations,

    over those that have both.
    """
    times = rows.shape[1]
    there = np.isfinite(rows)
    out = np.full((times, times), np.nan)
    for a in range(times):
        for b in range(a + 1):
            both = there[:, a] & there[:, b]
            n, m = max(there[:, a].sum(), there[:, b].sum()), both.sum()
            if m > 1:
                x, y = rows[both, a], rows[both, b]
                out[a, b] = out[b, a] = ((x - x.mean()) * (y - y.mean())).sum() / (n * (m - 1))
    return out


def read_series(results: str | os.PathLike[str], covariance: str | os.PathLike[str],
                realizations: str | os.PathLike[str]) -> dict[str, Series]:
    """The three tables of `glassworks analyze --csv --covariance --realizations` of a campaign with a course.

    Returns:
        A dictionary name -> Series, of the quantities that all three have.

    Raises:
        GlassworksError: a file cannot be read or is no such table.
    """
    curves: dict[tuple[str, int, int], list[tuple[int, float, float, float, int]]] = {}
    for row in _rows(results, "realizations"):
        curves.setdefault((row["observable"], int(row["L"]), int(row["slot"])), []).append(
            (int(row["t"]), float(row["T"]), float(row["mean"]), float(row["error"]), int(row["realizations"])))
    covariances: dict[tuple[str, int, int], dict[tuple[int, int], float]] = {}
    for row in _rows(covariance, "covariance"):
        covariances.setdefault((row["observable"], int(row["L"]), int(row["slot"])), {})[
            int(row["t"]), int(row["t_other"])] = float(row["covariance"])
    values: dict[tuple[str, int, int], dict[int, dict[int, float]]] = {}
    for row in _rows(realizations, "value"):
        values.setdefault((row["observable"], int(row["L"]), int(row["slot"])), {}).setdefault(
            int(row["realization"]), {})[int(row["t"])] = float(row["value"])
    found: dict[str, list[TimeCurve]] = {}
    with reading(results, "Write the tables again."):
        for key, points in curves.items():
            if key not in covariances or key not in values:
                continue
            t, T, mean, error, count = (np.array(column) for column in zip(*points))
            matrix = np.array([[covariances[key][a, b] for b in t.tolist()] for a in t.tolist()])
            numbers = sorted(values[key])
            rows = np.array([[values[key][r].get(time, np.nan) for time in t.tolist()] for r in numbers])
            found.setdefault(key[0], []).append(TimeCurve(*key, t, T, mean, error, count, matrix, np.array(numbers), rows))
    return {name: Series(name, tuple(parts)) for name, parts in found.items()}


def series_names(results: str | os.PathLike[str]) -> list[str]:
    """Names of all quantities in the table of `glassworks analyze --csv` of a campaign with a course."""
    return list(dict.fromkeys(row["observable"] for row in _rows(results, "realizations")))


def _rows(file: str | os.PathLike[str], last: str) -> Iterator[dict[str, str]]:
    """Rows of a table against time; its last column must have this name."""
    path: pathlib.Path = checks.path("file", file)
    with reading(path, "Check the file, or write it again."):
        demand_regular(path)
        with path.open(newline="", encoding="utf-8") as table:
            rows = csv.DictReader(table)
            demand(rows.fieldnames and "t" in rows.fieldnames and last in rows.fieldnames, "columns")
            for row in rows:
                demand(None not in row.values(), "cells")
                yield row
