"""Reads Glassworks campaigns and their exports into numpy arrays.

    import glassworks
    data = glassworks.open("export")                  # directory of `glassworks export`, or a campaign directory
    data.sizes                                        # [4, 6, 8]
    T, value, error = data.observable(8, "xi_over_L") # exports: as analyzed, jackknife errors
    bins = data.bins(8, 0)                            # raw bins of realization 0
    bins.means[:, 3, bins.column("energy")]           # energy in each round at slot 3
    a = data.averages(8)                              # averages of each realization over its equilibrated rounds
    value, error = glassworks.jackknife(a.values[:, 3, a.column("energy")], lambda mean: mean)

Needs numpy; h5py for exports; xxhash to verify digests and checksums (without it data are read unverified, which
`verify` says). Indices are as in docs/manual/models.md: slot 0 is the coldest, energies are in units
of J, temperatures of J/k_B. Every problem is a GlassworksError with one sentence.
"""

import csv
import json
import pathlib
import sys

import numpy as np

from glassworks_campaign import Campaign
from glassworks_data import ADDED_COLUMNS, Averages, Bins, GlassworksError, demand, reading, xxhash

__all__ = ["ADDED_COLUMNS", "Averages", "Bins", "Campaign", "Export", "GlassworksError", "jackknife", "open",
           "read_results", "verify", "xi_over_L"]
NEWEST_EXPORT = 1


def open(path):  # the name that one expects: glassworks.open
    """An Export or a Campaign: whatever is in the directory, or the file campaign.h5 or campaign.sqlite itself."""
    path = pathlib.Path(path)
    with reading(path, "Check the path and the permissions."):
        for name, kind in (("campaign.h5", Export), ("campaign.sqlite", Campaign)):
            file = path / name if path.is_dir() else path
            if file.name == name and file.is_file():
                return kind(file)
        tables_only = (path / "results.csv").is_file()
    if tables_only:
        raise GlassworksError(f"{path} holds tables only (it was exported without --hdf5). Use read_results on its "
                              "results.csv, or export again.")
    raise GlassworksError(f"There is neither an export nor a campaign in {path} (no campaign.h5, no campaign.sqlite). "
                          "Check the path.")


class Export:
    """campaign.h5 of an export; analysis/README.md, "Export", lists its content. `file` is the open h5py.File.

    Verified against its manifest where that lies beside it.
    """

    def __init__(self, file):
        try:
            import h5py
        except ImportError as error:
            raise GlassworksError(f"{file} cannot be read without the Python module h5py (of HDF5 files). Install "
                                  "python3-h5py.") from error
        self.path = pathlib.Path(file)
        if (self.path.parent / "manifest.json").is_file():  # HDF5 may crash on a damaged file, so it is verified first
            for path, size, digest in _manifest(self.path.parent)[1]:
                if path.name == self.path.name:
                    _verify_file(path, size, digest)
        with self._reading():
            self.file = h5py.File(self.path, "r")
        try:
            with self._reading():
                self._open()
        except GlassworksError:
            self.close()
            raise

    def _reading(self):
        return reading(self.path, "Check the file or export again.")

    def _open(self):
        self._most_bytes = 1100 * self.path.stat().st_size  # deflate does not compress better
        if self.file.attrs.get("format") != "Glassworks export":
            raise GlassworksError(f"{self.path} is not an export of Glassworks (its format is not named). "
                                  "Check the path.")
        if self.file.attrs["format_version"] > NEWEST_EXPORT:
            raise GlassworksError(f"{self.path} has format {self.file.attrs['format_version']} (this reader reads up "
                                  f"to {NEWEST_EXPORT}). Use the reader of that version.")
        self.sizes = sorted(int(group.attrs["L"]) for group in self.file["sizes"].values())
        self.configuration = self.file["configuration"].asstr()[()]

    def close(self):
        self.file.close()

    def _size(self, L):
        if L not in self.sizes:
            raise GlassworksError(f"There is no size L = {L} in {self.path} (sizes: {self.sizes}). Choose one of them.")
        return self.file[f"sizes/L{L}"]

    def _observable(self, L, name):
        group = self._size(L).get("observables")
        if group is None or name not in group:
            raise GlassworksError(f"There is no observable {name} of L = {L} in {self.path}. "
                                  f"Those there are: {', '.join(group or [])}.")
        return group[name]

    def _content(self, data):
        demand(data.size * data.dtype.itemsize <= self._most_bytes, "size of a data set")
        return np.array(data.asstr()[()], dtype=object) if data.dtype.kind == "O" else data[()]

    def _numbers(self, data):
        demand(data.dtype.kind in "fiu", "numbers")
        return self._content(data)

    def temperatures(self, L):
        with self._reading():
            return self._numbers(self._size(L)["temperatures"])

    def observables(self, L):
        """Names of the derived observables."""
        with self._reading():
            return list(self._size(L).get("observables", []))

    def observable(self, L, name):
        """Temperatures, disorder averages and standard errors of a derived observable."""
        with self._reading():
            group = self._observable(L, name)
            T, value, error = (self._numbers(group[part]) for part in ("temperatures", "value", "error"))
            demand(T.ndim == 1 and T.shape == value.shape == error.shape, name)
            return T, value, error

    def samples(self, L, name):
        """Jackknife samples [block][temperature] of a derived observable."""
        with self._reading():
            return self._numbers(self._observable(L, name)["jackknife"])

    def covariance(self, L, name, other=None):
        """Covariance [T][T'] of a derived observable, or between two of them."""
        with self._reading():
            if other is None:
                return self._numbers(self._observable(L, name)["covariance"])
            x, y = self.samples(L, name), self.samples(L, other)
            spread = self._size(L)["observables"].attrs["jackknife_spread"]
            return spread / len(x) * (x - x.mean(axis=0)).T @ (y - y.mean(axis=0))

    def table(self, L):
        """What is known of every realization: a dictionary of arrays (rounds, status, tau, ...)."""
        with self._reading():
            return {name: self._content(data) for name, data in self._size(L)["table"].items()}

    def realizations(self, L):
        """Numbers of the realizations with data."""
        table = self.table(L)
        with self._reading():
            return table["realization"][table["rounds"] > 0]

    def averages(self, L):
        with self._reading():
            size = self._size(L)
            names = self._content(size["bin_columns"]).tolist() + ADDED_COLUMNS
            if "averages" not in size:  # no realization with data
                return Averages(L, self.temperatures(L), np.zeros(0, "i8"), names,
                                np.zeros((0, len(self.temperatures(L)), len(names))))
            group = size["averages"]
            averages = Averages(L, self.temperatures(L), self._numbers(group["realizations"]),
                                self._content(group["columns"]).tolist(), self._numbers(group["values"]))
            shape = len(averages.realizations), len(averages.temperatures), len(averages.columns)
            demand(averages.values.shape == shape, "averages")
            return averages

    def bins(self, L, realization):
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
            bins = Bins(L, int(realization), group.attrs["status"], int(group.attrs["averaged_first"]),
                        int(group.attrs["averaged_last"]), self._content(size["bin_columns"]).tolist(),
                        self._content(size["sample_columns"]).tolist(), **arrays)
            bins.check()
            return bins

    def verify(self):
        """Digests of all raw bins against those that the campaign had. Needs xxhash."""
        with self._reading():
            for L in self.sizes:
                for group in self._size(L).get("realizations", {}).values():
                    bins = self.bins(L, group.attrs["realization"])
                    if bins.digest() != group.attrs["bins_digest"]:
                        raise GlassworksError(f"The bins of realization {bins.realization} of L = {L} in {self.path} "
                                              "do not have their digest. Export again.")


def read_results(file):
    """results.csv as a dictionary (L, observable) -> (temperatures, averages, errors, realizations)."""
    rows = {}
    with reading(file, "Check the file or export again."):
        with pathlib.Path(file).open(newline="", encoding="utf-8") as table:
            for row in csv.DictReader(table):
                key = int(row["L"]), row["observable"]
                rows.setdefault(key, []).append((float(row["T"]), float(row["mean"]), float(row["error"]),
                                                 int(row["realizations"])))
        demand(rows, "rows")
    return {key: tuple(np.array(column) for column in zip(*values)) for key, values in rows.items()}


def verify(directory):
    """Checks an export against its manifest, and campaign.h5 against the digests of the campaign. Returns the manifest.

    Without a module xxhash only names and sizes are checked, and a line on stderr says so.
    """
    directory = pathlib.Path(directory)
    manifest, files = _manifest(directory)
    for entry in files:
        _verify_file(*entry)
    if xxhash is None:
        print("Only sizes were verified (there is no module xxhash). Install python3-xxhash.", file=sys.stderr)
    elif (directory / "campaign.h5").is_file():
        export = Export(directory / "campaign.h5")
        try:
            export.verify()
        finally:
            export.close()
    return manifest


def jackknife(values, f, blocks=200):
    """A function of averages over realizations with its standard error.

    values  [realization] or [realization][column]
    f       takes the average over realizations: a number or an array [column]; returns a number or an array
    blocks  at most so many sets of consecutive realizations are left out, one after the other
    """
    values = np.asarray(values, float)
    n = len(values)
    if n == 0:
        raise GlassworksError("There is no realization to average. Run the campaign first.")
    m = min(blocks, n)
    total = values.sum(axis=0)
    samples = []
    for s in range(m):
        first, last = s * n // m, (s + 1) * n // m
        samples.append(f((total - values[first:last].sum(axis=0)) / (n - last + first)) if m > 1 else np.nan)
    samples = np.array(samples)
    error = np.sqrt((m - 1) * ((samples - samples.mean(axis=0)) ** 2).mean(axis=0)) if m > 1 else np.nan
    return f(total / n), error


def xi_over_L(chi_zero, chi_kmin, L):
    """Second-moment correlation length over L: sqrt(chi(0)/chi(k_min) - 1) / (2 L sin(pi/L)); nan where there is none."""
    if not (chi_kmin > 0 and chi_zero >= chi_kmin):
        return np.nan
    return np.sqrt(chi_zero / chi_kmin - 1) / (2 * L * np.sin(np.pi / L))


def _manifest(directory):
    """The manifest, and path, size and digest of each file in it."""
    file = directory / "manifest.json"
    try:
        with reading(file, "Export again."):
            manifest = json.loads(file.read_text(encoding="utf-8"))
            for part in manifest["sizes"]:
                demand({"L", "used", "realizations", "rounds"} <= part.keys(), "sizes")
            return manifest, [(directory / entry["name"], entry["size"], entry["digest"])
                              for entry in manifest["files"]]
    except GlassworksError as error:
        if not isinstance(error.__cause__, FileNotFoundError):
            raise
        raise GlassworksError(f"There is no manifest.json in {directory} (no export, or one that was not finished). "
                              "Export again.") from error


def _verify_file(path, size, digest):
    with reading(path, "Export again."):
        if not path.is_file() or path.stat().st_size != size:
            raise GlassworksError(f"{path} is missing or has another size than the manifest says. Export again.")
        if xxhash is not None and _file_digest(path) != digest:
            raise GlassworksError(f"{path} does not have the digest of the manifest. Export again.")


def _file_digest(path):
    state = xxhash.xxh3_128()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            state.update(piece)
    return state.hexdigest()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Usage: glassworks.py EXPORT     verifies an export and lists what it holds")
    try:
        for part in verify(sys.argv[1])["sizes"]:
            print(f"L = {part['L']}: {part['used']} of {part['realizations']} realizations, {part['rounds']} rounds")
    except GlassworksError as problem:
        sys.exit(f"glassworks.py: {problem}")
