"""Raw bins and averages of realizations, as both kinds of data return them."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import checks
from .errors import GlassworksError, demand

if TYPE_CHECKING:
    import pandas

xxhash: Any = None
with contextlib.suppress(ImportError):  # digests are not verified then
    xxhash = importlib.import_module("xxhash")

Array = npt.NDArray[Any]

ADDED_COLUMNS = ["energy_product", "attempts", "accepted", "walkers_up", "walkers_down"]
"""Columns of averages that follow from the stored ones: see `Bins.average`."""


def data_frame(columns: Mapping[str, Array]) -> pandas.DataFrame:
    """A table of pandas."""
    try:
        import pandas
    except ImportError as error:
        raise GlassworksError("There are no tables without pandas (Python cannot import it). Install python3-pandas, or "
                              "use the numpy arrays.") from error
    return pandas.DataFrame(dict(columns))


@dataclasses.dataclass
class Bins:
    """Raw bins of one realization: one bin is a round, the mean over its measurements.

    Slot 0 is the coldest; replica = copy x slots + slot. Energies are per site in units of J.

    Attributes:
        L, realization, status: size, number and state of the realization.
        averaged_first, averaged_last: averages are over the rounds averaged_first <= round < averaged_last.
        temperatures: [slot], in units of J/k_B.
        columns: names of the observables.
        sample_columns: names of the sampled quantities.
        means: [round][slot][observable].
        measurements: [round], number of measurements.
        exchange_attempts, exchange_accepted: [round][pair] of the slots pair, pair + 1.
        walk_up, walk_down: [round][slot], replicas that came last from the coldest or from the hottest slot,
            summed over measurements.
        walk_mean: [round][replica][function], round means of the three test functions of the temperature walk.
        round_trips: [round][replica].
        samples: [round][slot][sample][quantity], single measurements; no sample where none are taken.
        seconds: [round], duration in s.
        provenance: [round], the program that computed it, counted from 1.
    """

    L: int
    realization: int
    status: str
    averaged_first: int
    averaged_last: int
    temperatures: Array
    columns: list[str]
    sample_columns: list[str]
    means: Array
    measurements: Array
    exchange_attempts: Array
    exchange_accepted: Array
    walk_up: Array
    walk_down: Array
    walk_mean: Array
    round_trips: Array
    samples: Array
    seconds: Array
    provenance: Array

    def column(self, name: str) -> int:
        """Place of an observable in the last index of the arrays."""
        return _place(self.columns, name)

    def sample_column(self, name: str) -> int:
        """Place of a sampled quantity in the last index of `samples`."""
        return _place(self.sample_columns, name)

    def check(self) -> None:
        """Raises ValueError if the arrays do not have the shapes listed above."""
        rounds, slots = self.means.shape[:2]
        shapes = {"temperatures": (slots,), "means": (rounds, slots, len(self.columns)), "measurements": (rounds,),
                  "seconds": (rounds,),
                  "provenance": (rounds,), "exchange_attempts": (rounds, slots - 1),
                  "exchange_accepted": (rounds, slots - 1), "walk_up": (rounds, slots), "walk_down": (rounds, slots),
                  "walk_mean": (rounds,) + self.walk_mean.shape[1:2] + (3,),
                  "round_trips": (rounds,) + self.walk_mean.shape[1:2],
                  "samples": (rounds, slots) + self.samples.shape[2:3] + (len(self.sample_columns),)}
        if not self.samples.size:
            shapes["samples"] = self.samples.shape
        for name, shape in shapes.items():
            array = getattr(self, name)
            demand(array.shape == shape and array.dtype.kind in "fiu", name)
        demand(0 <= self.averaged_first < self.averaged_last <= rounds, "rounds of the averages")
        demand((self.measurements > 0).all(), "measurements")
        demand("energy_of_copy_1" in self.columns, "energy_of_copy_1")

    def average(self) -> Array:
        """Averages over the equilibrated rounds [slot][column], columns as in Averages.

        The added ones: energy_product = mean over pairs of copies a < b of <e>_a <e>_b, in J^2; attempts and accepted
        exchanges of slots t, t + 1 for each measurement; walkers_up, walkers_down: replicas at a slot that came from the
        coldest or from the hottest one, for each measurement.
        """
        part = slice(self.averaged_first, self.averaged_last)
        slots = self.means.shape[1]
        out = np.zeros((slots, len(self.columns) + len(ADDED_COLUMNS)))
        stored = out[:, : len(self.columns)]
        stored[:] = self.means[part].mean(axis=0)
        energies = [i for i, name in enumerate(self.columns) if name.startswith("energy_of_copy")]
        pairs = [(a, b) for n, a in enumerate(energies) for b in energies[n + 1 :]]
        pairs = pairs or [(energies[0], energies[0])]  # one copy: its own <e>^2
        added = out[:, len(self.columns) :]
        added[:, 0] = sum(stored[:, a] * stored[:, b] for a, b in pairs) / len(pairs)
        measurements = self.measurements[part].sum()
        added[:-1, 1] = self.exchange_attempts[part].sum(axis=0) / measurements
        added[:-1, 2] = self.exchange_accepted[part].sum(axis=0) / measurements
        added[:, 3] = self.walk_up[part].sum(axis=0) / measurements
        added[:, 4] = self.walk_down[part].sum(axis=0) / measurements
        return out

    def to_pandas(self) -> pandas.DataFrame:
        """A table with the columns round, slot, T and all observables, a row for each round and slot. Needs pandas."""
        rounds, slots = self.means.shape[:2]
        index = {"round": np.repeat(np.arange(rounds), slots), "slot": np.tile(np.arange(slots), rounds),
                 "T": np.tile(self.temperatures, rounds)}
        return data_frame(index | {name: self.means[:, :, i].ravel() for i, name in enumerate(self.columns)})

    def digest(self) -> str:
        """XXH3-128 of all rounds as `glassworks inspect --digest` prints it. Needs xxhash."""
        if xxhash is None:
            raise GlassworksError("Digests cannot be computed (there is no module xxhash). Install python3-xxhash.")
        state = xxhash.xxh3_128()
        arrays = [self.means, self.exchange_attempts, self.exchange_accepted, self.walk_up, self.walk_down,
                  self.walk_mean, self.round_trips]
        for n in range(len(self.measurements)):
            state.update(np.array([n, self.measurements[n]], "<u4").tobytes())
            for array in arrays + ([self.samples] if self.samples.size else []):
                if array is self.samples:
                    state.update(np.array([array.shape[2]], "<u4").tobytes())
                row = np.ascontiguousarray(array[n])
                state.update(np.array([row.size], "<u8").tobytes() + row.tobytes())
        return str(state.hexdigest())


@dataclasses.dataclass
class Averages:
    """Thermal averages of each realization with data over its equilibrated rounds; slot 0 is the coldest.

    Attributes:
        L: size.
        temperatures: [slot], in units of J/k_B.
        realizations: [realization], their numbers, ascending.
        columns: names of the stored observables, then ADDED_COLUMNS (see `Bins.average`).
        values: [realization][slot][column].
    """

    L: int
    temperatures: Array
    realizations: Array
    columns: list[str]
    values: Array

    def column(self, name: str) -> int:
        """Place of an observable in the last index of the arrays."""
        return _place(self.columns, name)

    def to_pandas(self) -> pandas.DataFrame:
        """A table with the columns realization, slot, T and all columns, a row for each realization and slot. Needs pandas."""
        count, slots = self.values.shape[:2]
        index = {"realization": np.repeat(self.realizations, slots), "slot": np.tile(np.arange(slots), count),
                 "T": np.tile(self.temperatures, count)}
        return data_frame(index | {name: self.values[:, :, i].ravel() for i, name in enumerate(self.columns)})

    def modes(self, family: str, axes: int, multiple: int = 1) -> list[int]:
        """Columns of family(k) for all k with so many components of `multiple` and else 0: 1 axis is k_min."""
        family, axes = checks.text("family", family), checks.whole_number("axes", axes, 0)
        multiple = checks.whole_number("multiple", multiple, 1)
        found = []
        for i, name in enumerate(self.columns):
            if name.startswith(family + "("):
                k = [int(n) for n in name[len(family) + 1 : -1].split(",")]
                if sum(n != 0 for n in k) == axes and all(abs(n) in (0, multiple) for n in k):
                    found.append(i)
        if not found:
            raise GlassworksError(f"There is no {family} with these wave vectors. Columns: {', '.join(self.columns)}.")
        return found


def _place(names: Sequence[str], name: str) -> int:
    if checks.text("The name of a column", name) not in names:
        raise GlassworksError(f"There is no {name}. Those there are: {', '.join(names)}.")
    return names.index(name)
