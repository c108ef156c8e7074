"""Reads exports (analysis/README.md, "Export"), and verifies them."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import sys
from types import TracebackType
from typing import Any, overload

import numpy as np

from . import checks
from .arrays import ADDED_COLUMNS, Array, Averages, Bins, xxhash
from .errors import GlassworksError, demand, demand_regular, reading
from .observables import Curve, Observable, joined, size_and_name
from .series import Series, TimeCurve, covariance_of_rows, is_of_distance

NEWEST_EXPORT = 1


class Export:
    """campaign.h5 of an export; analysis/README.md, "Export", lists its content. `file` is the open h5py.File.

    Use it as a context manager, or close it.

    Verified against its manifest where that lies beside it.
    """

    def __init__(self, file: str | os.PathLike[str]) -> None:
        try:
            import h5py
        except ImportError as error:
            raise GlassworksError(f"{file} cannot be read without the Python module h5py (of HDF5 files). Install "
                                  "python3-h5py.") from error
        self.path = checks.path("file", file)
        if (self.path.parent / "manifest.json").is_file():  # HDF5 may crash on a damaged file, so it is verified first
            for entry in _manifest(self.path.parent)[1]:
                if entry[0].name == self.path.name:
                    _verify_file(*entry)
        with self._reading():
            demand(self.path.is_file() or not self.path.exists(), "a regular file")  # of others h5py never sees the end
            self.file = h5py.File(self.path, "r")
        try:
            with self._reading():
                self._open()
        except GlassworksError:
            self.close()
            raise

    def _reading(self) -> contextlib.AbstractContextManager[None]:
        return reading(self.path, "Check the file or export again.")

    def _open(self) -> None:
        self._most_bytes = 1100 * self.path.stat().st_size  # deflate does not compress better
        if self.file.attrs.get("format") != "Glassworks export":
            raise GlassworksError(f"{self.path} is not an export of Glassworks (its format is not named). "
                                  "Check the path.")
        if self.file.attrs["format_version"] > NEWEST_EXPORT:
            raise GlassworksError(f"{self.path} has format {self.file.attrs['format_version']} (this reader reads up "
                                  f"to {NEWEST_EXPORT}). Use the reader of that version.")
        self.sizes = sorted(int(group.attrs["L"]) for group in self.file["sizes"].values())
        self.configuration = self.file["configuration"].asstr()[()]

    def close(self) -> None:
        """Closes the file; arrays that were read stay."""
        self.file.close()

    def __enter__(self) -> Export:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _size(self, L: int) -> Any:
        L = checks.whole_number("L", L)
        if L not in self.sizes:
            raise GlassworksError(f"There is no size L = {L} in {self.path} (sizes: {self.sizes}). Choose one of them.")
        return self.file[f"sizes/L{L}"]

    def _observable(self, L: int, name: str) -> Any:
        group = self._size(L).get("observables")
        name = checks.text("The name of an observable", name)
        if group is None or name not in group:
            raise GlassworksError(f"There is no observable {name} of L = {L} in {self.path}. "
                                  f"Those there are: {', '.join(group or [])}.")
        return group[name]

    def _content(self, data: Any) -> Array:
        demand(data.size * data.dtype.itemsize <= self._most_bytes, "size of a data set")
        return np.array(data.asstr()[()], dtype=object) if data.dtype.kind == "O" else np.asarray(data[()])

    def _numbers(self, data: Any) -> Array:
        demand(data.dtype.kind in "fiu", "numbers")
        return self._content(data)

    def temperatures(self, L: int) -> Array:
        """Temperatures [slot] in units of J/k_B, ascending."""
        with self._reading():
            return self._numbers(self._size(L)["temperatures"])

    def observables(self, L: int | None = None) -> list[str]:
        """Names of the derived observables of a size, or of all sizes; with a course, of everything that `series` gives."""
        with self._reading():
            sizes = self.sizes if L is None else [L]
            return list(dict.fromkeys(name for size in sizes for name in self._names(size)))

    def _names(self, L: int) -> list[str]:
        if not self.has_course:
            return list(self._size(L).get("observables", []))
        series = self._size(L)["series"]
        columns: list[str] = self._content(series["columns"]).tolist()
        return columns + [name for name in series["observables"] if name not in columns]

    @overload
    def observable(self, L: str) -> Observable: ...
    @overload
    def observable(self, L: int, name: str) -> Curve: ...
    @overload
    def observable(self, *, name: str) -> Observable: ...
    def observable(self, L: int | str | None = None, name: str | None = None) -> Observable | Curve:
        """A derived observable: `observable("xi_over_L")` of all sizes, `observable(8, "xi_over_L")` of L = 8.

        Returns:
            An Observable, with `to_pandas()`, or for one size the arrays (T, mean, error), each [temperature]. Errors
            are standard errors from the spread over realizations.

        Raises:
            GlassworksError: the size or the observable is not there.
        """
        L, name = size_and_name(L, name)
        self._refuse_course("averages in equilibrium")
        if L is not None:
            return self._curve(L, name)
        curves = {}
        for size in self.sizes:
            if name in self.observables(size):
                curve = self._curve(size, name)
                with self._reading():
                    used = int(self._size(size).attrs["realizations_used"])
                curves[size] = (*curve, np.full(len(curve[0]), used))
        if not curves:
            raise GlassworksError(f"There is no observable {name} in {self.path}. Those there are: "
                                  f"{', '.join(self.observables())}.")
        return joined(name, curves)

    @property
    def has_course(self) -> bool:
        """Whether it is of a campaign with a course: use `series`."""
        return any("series" in self.file[f"sizes/L{L}"] for L in self.sizes)

    def _refuse_course(self, what: str) -> None:
        with self._reading():
            refused = self.has_course
        if refused:
            raise GlassworksError(f"{self.path} has no {what} (it is a history in time, with a course). Use series, "
                                  'for example series("energy").')

    @overload
    def series(self, L: str) -> Series: ...
    @overload
    def series(self, L: int, name: str) -> Series: ...
    @overload
    def series(self, *, name: str) -> Series: ...
    def series(self, L: int | str | None = None, name: str | None = None) -> Series:
        """A quantity of a campaign with a course against time: `series("xi_12")` of all sizes, `series(8, "xi_12")` of L = 8.

        The same as `Campaign.series`.

        Raises:
            GlassworksError: it is no export of a course, or the size or the quantity is not there.
        """
        L, name = size_and_name(L, name)
        with self._reading():
            if not self.has_course:
                raise GlassworksError(f"There are no series in {self.path} (it has no course, and no history in time). Use "
                                      "observable.")
            sizes = self.sizes if L is None else [L]
            curves = [curve for size in sizes for curve in self._curves_in_time(size, name)]
        if not curves:
            raise GlassworksError(f"There is no quantity {name} in {self.path}. Those there are: "
                                  f"{', '.join(self.observables())}.")
        return Series(name, tuple(curves))

    def _curves_in_time(self, L: int, name: str) -> list[TimeCurve]:
        series = self._size(L)["series"]
        t, T, counts, numbers = (self._numbers(series[part]) for part in ("times", "temperature", "counts", "realizations"))
        measured = self._numbers(series["measured"])
        columns = self._content(series["columns"]).tolist()
        demand(t.ndim == 1 and T.ndim == 2 and T.shape[:1] == t.shape == counts.shape and measured.shape == numbers.shape, "times")
        slots, times = T.shape[1], len(t)
        if name not in self._names(L):
            return []
        whole = series["rows"] if "rows" in series else None
        demand(whole is None or whole.size * whole.dtype.itemsize <= self._most_bytes, "size of a data set")
        curves = []
        for slot in range(slots):
            if name in columns:
                place = columns.index(name)
                mean, error = (self._of_column(series[part], slot, place, times) for part in ("averages", "errors"))
                rows = np.full((len(numbers), times), np.nan) if whole is None else np.asarray(whole[:, :, slot, place])
            else:
                group = series["observables"][name]
                mean, error = self._numbers(group["value"])[slot], self._numbers(group["error"])[slot]
                rows = self._numbers(group["rows"])[slot]
            demand(rows.shape == (len(numbers), times) and mean.shape == error.shape == (times,), name)
            if is_of_distance(name):
                t_w = int(name.removeprefix("c22_axis(").split(",")[0]) if name.startswith("c22_axis(") else 0
                first, covariance = int(np.searchsorted(t, t_w)), covariance_of_rows(rows)
            else:
                group = series["observables"][name]
                first = int(np.searchsorted(t, group.attrs["first_time"]))
                covariance = self._numbers(group["covariance"])[slot]
            demand(covariance.shape == (times, times), name)
            part, those = slice(first, None), measured > first
            curves.append(TimeCurve(name, int(L), slot, t[part], T[part, slot], mean[part], error[part], counts[part],
                                    covariance[part, part], numbers[those], rows[those, part]))
        return curves

    def _of_column(self, data: Any, slot: int, column: int, times: int) -> Array:
        demand(data.ndim == 3 and data.shape[0] == times and data.dtype.kind == "f", "averages")
        return np.asarray(data[:, slot, column])

    def _curve(self, L: int, name: str) -> Curve:
        with self._reading():
            group = self._observable(L, name)
            T, value, error = (self._numbers(group[part]) for part in ("temperatures", "value", "error"))
            demand(T.ndim == 1 and T.shape == value.shape == error.shape, name)
            return T, value, error

    def samples(self, L: int, name: str) -> Array:
        """Jackknife samples [block][temperature] of a derived observable."""
        self._refuse_course("averages in equilibrium")
        with self._reading():
            return self._numbers(self._observable(L, name)["jackknife"])

    def covariance(self, L: int, name: str, other: str | None = None) -> Array:
        """Covariance [T][T'] of a derived observable, or between two of them."""
        self._refuse_course("averages in equilibrium")
        with self._reading():
            if other is None:
                return self._numbers(self._observable(L, name)["covariance"])
            x, y = self.samples(L, name), self.samples(L, other)
            spread = self._size(L)["observables"].attrs["jackknife_spread"]
            return np.asarray(spread / len(x) * (x - x.mean(axis=0)).T @ (y - y.mean(axis=0)))

    def table(self, L: int) -> dict[str, Array]:
        """What is known of every realization: a dictionary of arrays (rounds, status, tau, ...)."""
        with self._reading():
            return {name: self._content(data) for name, data in self._size(L)["table"].items()}

    def realizations(self, L: int) -> Array:
        """Numbers of the realizations with data."""
        table = self.table(L)
        with self._reading():
            return table["realization"][table["rounds"] > 0]

    def averages(self, L: int) -> Averages:
        """Thermal averages of every realization with data."""
        self._refuse_course("averages in equilibrium")
        with self._reading():
            size = self._size(L)
            names = self._content(size["bin_columns"]).tolist() + ADDED_COLUMNS
            if "averages" not in size:  # no realization with data
                return Averages(int(L), self.temperatures(L), np.zeros(0, "i8"), names,
                                np.zeros((0, len(self.temperatures(L)), len(names))))
            group = size["averages"]
            averages = Averages(int(L), self.temperatures(L), self._numbers(group["realizations"]),
                                self._content(group["columns"]).tolist(), self._numbers(group["values"]))
            shape = len(averages.realizations), len(averages.temperatures), len(averages.columns)
            demand(averages.values.shape == shape, "averages")
            return averages

    def bins(self, L: int, realization: int) -> Bins:
        """Raw bins of one realization."""
        realization = checks.whole_number("realization", realization, 0)
        self._refuse_course("bins of rounds")
        with self._reading():
            size = self._size(L)
            if "realizations" not in size:
                raise GlassworksError(f"{self.path} holds no raw bins of L = {L} (it was exported with --no-bins, or "
                                      "no realization has data). Export again.")
            group = size["realizations"].get(str(realization))
            if group is None:
                raise GlassworksError(f"There is no data of realization {realization} of L = {L} in {self.path}. "
                                      f"See realizations({L}).")
            arrays = {name: self._numbers(data) for name, data in group.items()}
            arrays.setdefault("samples", np.zeros(arrays["means"].shape[:2] + (0, 0), "f4"))
            bins = Bins(int(L), realization, group.attrs["status"], int(group.attrs["averaged_first"]),
                        int(group.attrs["averaged_last"]), self._numbers(size["temperatures"]),
                        self._content(size["bin_columns"]).tolist(),
                        self._content(size["sample_columns"]).tolist(), **arrays)
            bins.check()
            return bins

    def verify(self) -> None:
        """Digests of all raw bins against those that the campaign had. Needs xxhash."""
        with self._reading():
            for L in self.sizes:
                for group in self._size(L).get("realizations", {}).values():
                    bins = self.bins(L, group.attrs["realization"])
                    if bins.digest() != group.attrs["bins_digest"]:
                        raise GlassworksError(f"The bins of realization {bins.realization} of L = {L} in {self.path} "
                                              "do not have their digest. Export again.")


def verify(directory: str | os.PathLike[str]) -> dict[str, Any]:
    """Checks an export against its manifest, and campaign.h5 against the digests of the campaign. Returns the manifest.

    Without a module xxhash only names and sizes are checked, and a line on stderr says so.
    """
    folder = checks.path("directory", directory)
    manifest, files = _manifest(folder)
    for entry in files:
        _verify_file(*entry)
    if xxhash is None:
        print("Only sizes were verified (there is no module xxhash). Install python3-xxhash.", file=sys.stderr)
    elif (folder / "campaign.h5").is_file():
        export = Export(folder / "campaign.h5")
        try:
            export.verify()
        finally:
            export.close()
    return manifest


def _manifest(directory: pathlib.Path) -> tuple[dict[str, Any], list[tuple[pathlib.Path, int, str]]]:
    """The manifest, and path, size and digest of each file in it."""
    file = directory / "manifest.json"
    try:
        with reading(file, "Export again."):
            demand_regular(file)
            manifest = json.loads(file.read_text(encoding="utf-8"))
            for part in manifest["sizes"]:
                demand({"L", "used", "realizations", "rounds"} <= part.keys(), "sizes")
            for entry in manifest["files"]:
                name = pathlib.PurePath(entry["name"])
                demand(name.parts and not name.is_absolute() and ".." not in name.parts, "a file outside of the folder")
            return manifest, [(directory / entry["name"], entry["size"], entry["digest"])
                              for entry in manifest["files"]]
    except GlassworksError as error:
        if not isinstance(error.__cause__, FileNotFoundError):
            raise
        raise GlassworksError(f"There is no manifest.json in {directory} (no export, or one that was not finished). "
                              "Export again.") from error


def _verify_file(path: pathlib.Path, size: int, digest: str) -> None:
    with reading(path, "Export again."):
        if not path.is_file() or path.stat().st_size != size:
            raise GlassworksError(f"{path} is missing or has another size than the manifest says. Export again.")
        if xxhash is not None and _file_digest(path) != digest:
            raise GlassworksError(f"{path} does not have the digest of the manifest. Export again.")


def _file_digest(path: pathlib.Path) -> str:
    state = xxhash.xxh3_128()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            state.update(piece)
    return str(state.hexdigest())
