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
`verify` says). Indices are as in the README: slot 0 is the coldest, energies are in units of J, temperatures of J/k_B.
Every problem is a GlassworksError with one sentence.
"""

import csv
import dataclasses
import json
import pathlib
import sqlite3
import sys

import numpy as np

try:
    import xxhash
except ImportError:  # digests are not verified then
    xxhash = None

NEWEST_EXPORT, NEWEST_SCHEMA = 1, 3
APPLICATION_ID = 0x474C4153  # "GLAS"
ADDED_COLUMNS = ["energy_product", "attempts", "accepted", "walkers_up", "walkers_down"]


class GlassworksError(Exception):
    """What cannot be read: problem (why). suggestion."""


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

    def average(self):
        """Averages over the equilibrated rounds [slot][column], columns as in Averages."""
        part = slice(self.averaged_first, self.averaged_last)
        slots = self.means.shape[1]
        out = np.zeros((slots, len(self.columns) + len(ADDED_COLUMNS)))
        stored = out[:, : len(self.columns)]
        stored[:] = self.means[part].mean(axis=0)
        energies = [i for i, name in enumerate(self.columns) if name.startswith("energy_of_copy")]
        pairs = [(a, b) for n, a in enumerate(energies) for b in energies[n + 1 :]]
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


def open(path):  # the name that one expects: glassworks.open
    """An Export or a Campaign: whatever is in the directory, or the file campaign.h5 or campaign.sqlite itself."""
    path = pathlib.Path(path)
    for name, kind in (("campaign.h5", Export), ("campaign.sqlite", Campaign)):
        file = path / name if path.is_dir() else path
        if file.name == name and file.is_file():
            return kind(file)
    if (path / "results.csv").is_file():
        raise GlassworksError(f"{path} holds tables only (it was exported without --hdf5). Use read_results on its "
                              "results.csv, or export again.")
    raise GlassworksError(f"There is neither an export nor a campaign in {path} (no campaign.h5, no campaign.sqlite). "
                          "Check the path.")


class Export:
    """campaign.h5 of an export; README.md, "Export", lists its content. `file` is the open h5py.File."""

    def __init__(self, file):
        import h5py

        self.path = pathlib.Path(file)
        try:
            self.file = h5py.File(self.path, "r")
        except OSError as error:
            raise GlassworksError(f"Cannot read {self.path} ({error}). Check the file or export again.") from error
        if self.file.attrs.get("format") != "Glassworks export":
            raise GlassworksError(f"{self.path} is not an export of Glassworks (its format is not named). "
                                  "Check the path.")
        if self.file.attrs["format_version"] > NEWEST_EXPORT:
            raise GlassworksError(f"{self.path} has format {self.file.attrs['format_version']} (this reader knows up "
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

    def temperatures(self, L):
        return self._size(L)["temperatures"][()]

    def observables(self, L):
        """Names of the derived observables."""
        return list(self._size(L).get("observables", []))

    def observable(self, L, name):
        """Temperatures, disorder averages and standard errors of a derived observable."""
        group = self._observable(L, name)
        return group["temperatures"][()], group["value"][()], group["error"][()]

    def samples(self, L, name):
        """Jackknife samples [block][temperature] of a derived observable."""
        return self._observable(L, name)["jackknife"][()]

    def covariance(self, L, name, other=None):
        """Covariance [T][T'] of a derived observable, or between two of them."""
        if other is None:
            return self._observable(L, name)["covariance"][()]
        x, y = self.samples(L, name), self.samples(L, other)
        spread = self._size(L)["observables"].attrs["jackknife_spread"]
        return spread / len(x) * (x - x.mean(axis=0)).T @ (y - y.mean(axis=0))

    def table(self, L):
        """What is known of every realization: a dictionary of arrays (rounds, status, tau, ...)."""
        return {name: _content(data) for name, data in self._size(L)["table"].items()}

    def realizations(self, L):
        """Numbers of the realizations with data."""
        table = self.table(L)
        return table["realization"][table["rounds"] > 0]

    def averages(self, L):
        group = self._size(L)["averages"]
        return Averages(L, self.temperatures(L), group["realizations"][()], _content(group["columns"]).tolist(),
                        group["values"][()])

    def bins(self, L, realization):
        size = self._size(L)
        if "realizations" not in size:
            raise GlassworksError(f"{self.path} holds no raw bins (it was exported with --no-bins). Export again.")
        group = size["realizations"].get(str(realization))
        if group is None:
            raise GlassworksError(f"There is no data of realization {realization} of L = {L} in {self.path}. "
                                  f"See realizations({L}).")
        arrays = {name: data[()] for name, data in group.items()}
        arrays.setdefault("samples", np.zeros(arrays["means"].shape[:2] + (0, 0), "f4"))
        return Bins(L, int(realization), group.attrs["status"], int(group.attrs["averaged_first"]),
                    int(group.attrs["averaged_last"]), _content(size["bin_columns"]).tolist(),
                    _content(size["sample_columns"]).tolist(), **arrays)

    def verify(self):
        """Digests of all raw bins against those that the campaign had. Needs xxhash."""
        for L in self.sizes:
            for group in self._size(L).get("realizations", {}).values():
                bins = self.bins(L, group.attrs["realization"])
                if bins.digest() != group.attrs["bins_digest"]:
                    raise GlassworksError(f"The bins of realization {bins.realization} of L = {L} in {self.path} do not "
                                          "have their digest. Export again.")


class Campaign:
    """The database of a campaign, read-only, as it was when it was opened; it may run on meanwhile.

    Blobs are verified by their checksums if there is a module xxhash.
    """

    def __init__(self, file):
        self.path = pathlib.Path(file)
        self.connection = self._connect()
        application, version = (self._rows(f"PRAGMA {name}")[0][0] for name in ("application_id", "user_version"))
        if application != APPLICATION_ID:
            raise GlassworksError(f"{self.path} is not a campaign of Glassworks. Check the path.")
        if version > NEWEST_SCHEMA:
            raise GlassworksError(f"{self.path} has schema {version} (this reader knows up to {NEWEST_SCHEMA}). "
                                  "Use the reader of that version.")
        self._version = version
        self.configuration = self._rows("SELECT config FROM campaign")[0][0]
        names = "sample_names" if version >= 3 else "''"
        self._sizes = {L: (np.frombuffer(T, "<f8"), columns.splitlines(), samples.splitlines())
                       for L, T, columns, samples
                       in self._rows(f"SELECT L, temperatures, observables, {names} FROM sizes")}
        self.sizes = sorted(self._sizes)

    def _connect(self):
        uri = self.path.resolve().as_uri()
        for options in ("?mode=ro", "?mode=ro&immutable=1"):  # the second where nothing can be written: a copy
            try:
                connection = sqlite3.connect(uri + options, uri=True, isolation_level=None)
                connection.execute("BEGIN")
                connection.execute("SELECT 1 FROM sqlite_master").fetchall()  # takes the snapshot
                return connection
            except sqlite3.Error as error:
                problem = error
                log = self.path.with_name(self.path.name + "-wal")
                if log.exists() and log.stat().st_size > 0:
                    break  # not read by the second way
        raise GlassworksError(f"Cannot read {self.path} ({problem}). Check the file and its permissions.") from problem

    def close(self):
        self.connection.close()

    def _rows(self, sql, *values):
        try:
            return self.connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise GlassworksError(f"Cannot read {self.path} ({error}). Restore it from a copy.") from error

    def _size(self, L):
        if L not in self._sizes:
            raise GlassworksError(f"There is no size L = {L} in {self.path} (sizes: {self.sizes}). Choose one of them.")
        return self._sizes[L]

    def temperatures(self, L):
        return self._size(L)[0]

    def table(self, L):
        """What is known of every realization: a dictionary of arrays."""
        self._size(L)
        names = ["realization", "status", "rounds", "round_trips", "reason", "state_digest"]
        names += ["tau", "equilibration_rounds", "expected_rounds"] if self._version >= 2 else []
        rows = self._rows(f"SELECT {', '.join(names)} FROM realizations WHERE L = ? ORDER BY realization", L)
        return {name: np.array([row[i] for row in rows]) for i, name in enumerate(names)}

    def realizations(self, L):
        """Numbers of the realizations with data."""
        table = self.table(L)
        return table["realization"][table["rounds"] > 0]

    def averages(self, L):
        ids = self.realizations(L)
        values = np.array([self.bins(L, int(r)).average() for r in ids])
        return Averages(L, self.temperatures(L), ids, self._size(L)[1] + ADDED_COLUMNS, values)

    def bins(self, L, realization):
        temperatures, columns, sample_columns = self._size(L)
        left_out = "equilibration_rounds" if self._version >= 2 else "0"
        found = self._rows(f"SELECT status, rounds, {left_out} FROM realizations WHERE L = ? AND realization = ?", L,
                           int(realization))
        if not found or found[0][1] == 0:
            raise GlassworksError(f"There is no data of realization {realization} of L = {L} in {self.path}. "
                                  f"See realizations({L}).")
        status, count, left_out = found[0]
        slots = len(temperatures)
        with_samples = self._version >= 3 and len(sample_columns) > 0
        per_slot = "samples_per_slot" if with_samples else "0"
        numbers = self._rows(f"SELECT round, measurements, seconds, provenance, replicas, {per_slot} FROM rounds "
                             "WHERE L = ? AND realization = ? ORDER BY round", L, int(realization))
        if [row[0] for row in numbers] != list(range(count)):
            raise GlassworksError(f"Rounds of realization {realization} of L = {L} in {self.path} are missing. Restore "
                                  "it from a copy.")
        replicas, samples = numbers[0][4], numbers[0][5]
        shapes = {"means": ("<f8", (slots, len(columns))), "exchange_attempts": ("<u8", (slots - 1,)),
                  "exchange_accepted": ("<u8", (slots - 1,)), "walk_up": ("<u4", (slots,)),
                  "walk_down": ("<u4", (slots,)), "walk_mean": ("<f8", (replicas, 3)),
                  "round_trips": ("<u4", (replicas,)), "samples": ("<f4", (slots, samples, len(sample_columns)))}
        arrays = {name: self._blobs(L, int(realization), count, name, *what) for name, what in shapes.items()
                  if name != "samples" or with_samples}
        arrays.setdefault("samples", np.zeros((count, slots, 0, 0), "<f4"))
        first = left_out if 0 < left_out < count else count // 2
        return Bins(L, int(realization), status, first, count, columns, sample_columns,
                    measurements=np.array([row[1] for row in numbers], "<u4"),
                    seconds=np.array([row[2] for row in numbers], "<f8"),
                    provenance=np.array([row[3] for row in numbers], "<i8"), **arrays)

    def _blobs(self, L, realization, count, name, dtype, shape):
        out = np.empty((count,) + shape, dtype)
        rows = self._rows(f"SELECT round, {name}, {name}_checksum FROM rounds WHERE L = ? AND realization = ? "
                          "ORDER BY round", L, realization)
        for number, blob, checksum in rows:
            wrong_sum = xxhash is not None and xxhash.xxh3_64_intdigest(blob) != checksum % 2**64
            if len(blob) != out[number].nbytes or wrong_sum:
                raise GlassworksError(f"Round {number} of realization {realization} of L = {L} in {self.path} is "
                                      f"damaged (column {name}). Restore it from a copy.")
            out[number] = np.frombuffer(blob, dtype).reshape(shape)
        return out


def read_results(file):
    """results.csv as a dictionary (L, observable) -> (temperatures, averages, errors, realizations)."""
    rows = {}
    with pathlib.Path(file).open(newline="") as table:
        for row in csv.DictReader(table):
            key = int(row["L"]), row["observable"]
            rows.setdefault(key, []).append((float(row["T"]), float(row["mean"]), float(row["error"]),
                                             int(row["realizations"])))
    return {key: tuple(np.array(column) for column in zip(*values)) for key, values in rows.items()}


def verify(directory):
    """Checks an export against its manifest, and campaign.h5 against the digests of the campaign. Returns the manifest.

    Without a module xxhash only names and sizes are checked, and a line on stderr says so.
    """
    directory = pathlib.Path(directory)
    file = directory / "manifest.json"
    try:
        manifest = json.loads(file.read_text(encoding="utf-8"))
        files = [(directory / entry["name"], entry["size"], entry["digest"]) for entry in manifest["files"]]
    except FileNotFoundError as error:
        raise GlassworksError(f"There is no manifest.json in {directory} (no export, or one that was not finished). "
                              "Export again.") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise GlassworksError(f"Cannot read {file} ({error}). Export again.") from error
    for path, size, digest in files:
        if not path.is_file() or path.stat().st_size != size:
            raise GlassworksError(f"{path} is missing or has another size than the manifest says. Export again.")
        if xxhash is not None and _file_digest(path) != digest:
            raise GlassworksError(f"{path} does not have the digest of the manifest. Export again.")
    if xxhash is None:
        print("Only sizes were verified (there is no module xxhash). Install python3-xxhash.", file=sys.stderr)
    elif (directory / "campaign.h5").is_file():
        export = Export(directory / "campaign.h5")
        export.verify()
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


def _place(names, name):
    if name not in names:
        raise GlassworksError(f"There is no {name}. Those there are: {', '.join(names)}.")
    return names.index(name)


def _content(data):
    return np.array(data.asstr()[()], dtype=object) if data.dtype.kind == "O" else data[()]


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
