"""Reads the database of a campaign (db/FORMAT.md). Import glassworks instead."""

import pathlib
import sqlite3

import numpy as np

from glassworks_data import ADDED_COLUMNS, Averages, Bins, GlassworksError, xxhash

NEWEST_SCHEMA = 3
APPLICATION_ID = 0x474C4153  # "GLAS"


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
