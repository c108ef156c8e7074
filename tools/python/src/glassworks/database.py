"""Reads the database of a campaign (db/FORMAT.md)."""

from __future__ import annotations

import contextlib
import math
import os
import pathlib
import sqlite3
from typing import Any

import numpy as np

from . import checks
from .arrays import ADDED_COLUMNS, Array, Averages, Bins, xxhash
from .errors import GlassworksError, demand, reading

NEWEST_SCHEMA = 4
APPLICATION_ID = 0x474C4153  # "GLAS"


class Database:
    """The database of a campaign, read-only, as it was when it was opened; it may run on meanwhile.

    Blobs are verified by their checksums if there is a module xxhash.
    """

    def __init__(self, file: str | os.PathLike[str]) -> None:
        self.path = pathlib.Path(file)
        with self._reading():
            self.connection = self._connect()
        try:
            with self._reading():
                self._open()
        except GlassworksError:
            self.close()
            raise

    def _reading(self) -> contextlib.AbstractContextManager[None]:
        return reading(self.path, "Restore it from a copy, or check the path and the permissions.")

    def _open(self) -> None:
        application, version = (self._rows(f"PRAGMA {name}")[0][0] for name in ("application_id", "user_version"))
        if application != APPLICATION_ID:
            raise GlassworksError(f"{self.path} is not a campaign of Glassworks. Check the path.")
        if version > NEWEST_SCHEMA:
            raise GlassworksError(f"{self.path} has schema {version} (this reader reads up to {NEWEST_SCHEMA}). "
                                  "Use the reader of that version.")
        self._version = version
        self.configuration: str = self._rows("SELECT config FROM campaign")[0][0]
        names = "sample_names" if version >= 3 else "''"
        self._sizes = {L: (np.frombuffer(T, "<f8"), columns.splitlines(), samples.splitlines())
                       for L, T, columns, samples
                       in self._rows(f"SELECT L, temperatures, observables, {names} FROM sizes")}
        self.sizes = sorted(self._sizes)
        for L, (T, columns, _) in self._sizes.items():
            demand(isinstance(L, int) and len(T) > 0 and len(columns) > 0, "sizes")

    def _connect(self) -> sqlite3.Connection:
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
        raise problem

    def close(self) -> None:
        self.connection.close()

    def _rows(self, sql: str, *values: object) -> list[Any]:
        return self.connection.execute(sql, values).fetchall()

    def size(self, L: int) -> int:
        """A size that is there."""
        L = checks.whole_number("L", L)
        if L not in self._sizes:
            raise GlassworksError(f"There is no size L = {L} in {self.path} (sizes: {self.sizes}). Choose one of them.")
        return L

    def temperatures(self, L: int) -> Array:
        return self._sizes[self.size(L)][0]

    def table(self, L: int) -> dict[str, Array]:
        """What is known of every realization: a dictionary of arrays."""
        L = self.size(L)
        names = ["realization", "status", "rounds", "round_trips", "reason", "state_digest"]
        names += ["tau", "equilibration_rounds", "expected_rounds"] if self._version >= 2 else []
        with self._reading():
            rows = self._rows(f"SELECT {', '.join(names)} FROM realizations WHERE L = ? ORDER BY realization", L)
            demand(all(isinstance(row[0], int) and isinstance(row[2], int) for row in rows), "realizations")
            return {name: np.array([row[i] for row in rows]) for i, name in enumerate(names)}

    def realizations(self, L: int) -> Array:
        """Numbers of the realizations with data."""
        table = self.table(L)
        return table["realization"][table["rounds"] > 0]

    def averages(self, L: int) -> Averages:
        L = self.size(L)
        temperatures, columns, _ = self._sizes[L]
        ids = self.realizations(L)
        values = [self.bins(L, int(r)).average() for r in ids]
        shape = len(ids), len(temperatures), len(columns) + len(ADDED_COLUMNS)
        return Averages(L, temperatures, ids, columns + ADDED_COLUMNS, np.array(values).reshape(shape))

    def bins(self, L: int, realization: int) -> Bins:
        L, realization = self.size(L), checks.whole_number("realization", realization, 0)
        with self._reading():
            return self._bins(L, realization)

    def _bins(self, L: int, realization: int) -> Bins:
        temperatures, columns, sample_columns = self._sizes[L]
        left_out_column = "equilibration_rounds" if self._version >= 2 else "0"
        found = self._rows(f"SELECT status, rounds, {left_out_column} FROM realizations "
                           "WHERE L = ? AND realization = ?", L, realization)
        if not found or found[0][1] == 0:
            raise GlassworksError(f"There is no data of realization {realization} of L = {L} in {self.path}. "
                                  f"See realizations({L}).")
        status, count, left_out = found[0]
        slots = len(temperatures)
        with_samples = self._version >= 3 and len(sample_columns) > 0
        per_slot = "samples_per_slot" if with_samples else "0"
        numbers = self._rows(f"SELECT round, measurements, seconds, provenance, replicas, {per_slot} FROM rounds "
                             "WHERE L = ? AND realization = ? ORDER BY round", L, realization)
        if len(numbers) != count or [row[0] for row in numbers] != list(range(count)):
            raise GlassworksError(f"Rounds of realization {realization} of L = {L} in {self.path} are missing. Restore "
                                  "it from a copy.")
        replicas, samples = numbers[0][4], numbers[0][5]
        shapes = {"means": ("<f8", (slots, len(columns))), "exchange_attempts": ("<u8", (slots - 1,)),
                  "exchange_accepted": ("<u8", (slots - 1,)), "walk_up": ("<u4", (slots,)),
                  "walk_down": ("<u4", (slots,)), "walk_mean": ("<f8", (replicas, 3)),
                  "round_trips": ("<u4", (replicas,)), "samples": ("<f4", (slots, samples, len(sample_columns)))}
        arrays = {name: self._blobs(L, realization, count, name, *what) for name, what in shapes.items()
                  if name != "samples" or with_samples}
        arrays.setdefault("samples", np.zeros((count, slots, 0, 0), "<f4"))
        first = left_out if 0 < left_out < count else count // 2
        bins = Bins(L, realization, status, first, count, temperatures, columns, sample_columns,
                    measurements=np.array([row[1] for row in numbers], "<u4"),
                    seconds=np.array([row[2] for row in numbers], "<f8"),
                    provenance=np.array([row[3] for row in numbers], "<i8"), **arrays)
        bins.check()
        return bins

    def _blobs(self, L: int, realization: int, count: int, name: str, dtype: str, shape: tuple[int, ...]) -> Array:
        rows = self._rows(f"SELECT round, {name}, {name}_checksum FROM rounds WHERE L = ? AND realization = ? "
                          "ORDER BY round", L, realization)
        demand([row[0] for row in rows] == list(range(count)), "rounds")
        size = math.prod(shape) * np.dtype(dtype).itemsize
        for number, blob, checksum in rows:  # all of them before memory is taken
            wrong_sum = xxhash is not None and xxhash.xxh3_64_intdigest(blob) != checksum % 2**64
            if not isinstance(blob, bytes) or len(blob) != size or wrong_sum:
                raise GlassworksError(f"Round {number} of realization {realization} of L = {L} in {self.path} is "
                                      f"damaged (column {name}). Restore it from a copy.")
        return np.array([np.frombuffer(blob, dtype).reshape(shape) for _, blob, _ in rows], dtype)
