"""What the readers share: the arrays that they return, and their error. Import glassworks instead."""

import contextlib
import dataclasses
import sqlite3

import numpy as np

try:
    import xxhash
except ImportError:  # digests are not verified then
    xxhash = None

ADDED_COLUMNS = ["energy_product", "attempts", "accepted", "walkers_up", "walkers_down"]


class GlassworksError(Exception):
    """What cannot be read: problem (why). suggestion."""


# Everything that h5py, sqlite3, json and numpy raise where a file is not what it says.
_LIBRARY_ERRORS = (OSError, sqlite3.Error, ValueError, LookupError, TypeError, AttributeError, ArithmeticError,
                   RuntimeError, MemoryError)


@contextlib.contextmanager
def reading(path, suggestion):
    """What libraries raise while `path` is read becomes a GlassworksError; their own texts stay in its __cause__."""
    try:
        yield
    except _LIBRARY_ERRORS as error:
        raise GlassworksError(f"Cannot read {path} ({_why(error)}). {suggestion}") from error


def _why(error):
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, PermissionError):
        return "its permissions do not allow it"
    if isinstance(error, IsADirectoryError):
        return "it is a directory"
    if isinstance(error, sqlite3.Error) and ("locked" in str(error) or "busy" in str(error)):
        return "another program holds its lock"
    if isinstance(error, (OSError, sqlite3.Error)):
        return "it is damaged, cut short or of another kind"
    if isinstance(error, LookupError):
        return "a part of it is missing"
    if isinstance(error, MemoryError):
        return "it asks for more memory than there is"
    return "its parts do not fit together"


def demand(holds, what):
    """Inside `reading`: what a file must fulfil."""
    if not holds:
        raise ValueError(what)


@dataclasses.dataclass
class Bins:
    """Raw bins of one realization; the rounds of averages are [averaged_first, averaged_last)."""

    L: int
    realization: int
    status: str
    averaged_first: int
    averaged_last: int
    columns: list  # names of the observables
    sample_columns: list  # names of the sampled quantities
    means: np.ndarray  # [round][slot][observable]
    measurements: np.ndarray  # [round]
    exchange_attempts: np.ndarray  # [round][pair]
    exchange_accepted: np.ndarray  # [round][pair]
    walk_up: np.ndarray  # [round][slot]
    walk_down: np.ndarray  # [round][slot]
    walk_mean: np.ndarray  # [round][replica][function]
    round_trips: np.ndarray  # [round][replica]
    samples: np.ndarray  # [round][slot][sample][quantity], with no samples where none are taken
    seconds: np.ndarray  # [round]
    provenance: np.ndarray  # [round], from 1

    def column(self, name):
        return _place(self.columns, name)

    def sample_column(self, name):
        return _place(self.sample_columns, name)

    def check(self):
        """Raises ValueError where the arrays do not have the shapes that are said here."""
        rounds, slots = self.means.shape[:2]
        shapes = {"means": (rounds, slots, len(self.columns)), "measurements": (rounds,), "seconds": (rounds,),
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

    def average(self):
        """Averages over the equilibrated rounds [slot][column], columns as in Averages."""
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

    def digest(self):
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
        return state.hexdigest()


@dataclasses.dataclass
class Averages:
    """Thermal averages of each realization with data over its equilibrated rounds."""

    L: int
    temperatures: np.ndarray  # [slot]
    realizations: np.ndarray  # ids, ascending
    columns: list  # stored observables, then ADDED_COLUMNS
    values: np.ndarray  # [realization][slot][column]

    def column(self, name):
        return _place(self.columns, name)

    def modes(self, family, axes, multiple=1):
        """Columns of family(k) for all k with so many components of `multiple` and else 0: 1 axis is k_min."""
        found = []
        for i, name in enumerate(self.columns):
            if name.startswith(family + "("):
                k = [int(n) for n in name[len(family) + 1 : -1].split(",")]
                if sum(n != 0 for n in k) == axes and all(abs(n) in (0, multiple) for n in k):
                    found.append(i)
        if not found:
            raise GlassworksError(f"There is no {family} with these wave vectors. Columns: {', '.join(self.columns)}.")
        return found


def _place(names, name):
    if name not in names:
        raise GlassworksError(f"There is no {name}. Those there are: {', '.join(names)}.")
    return names.index(name)
