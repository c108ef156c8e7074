"""Campaigns: create, run, read."""

from __future__ import annotations

import contextlib
import os
import pathlib
import tempfile
from collections.abc import Mapping
from types import TracebackType
from typing import Any, overload

import numpy as np

from . import checks
from .arrays import Array, Averages, Bins
from .configuration import Config, format_keys, read_configuration, write_configuration
from .couplings import Couplings, coupling_file, take_couplings
from .database import Database
from .errors import GlassworksError, reading, writing
from .observables import Curve, Observable, Results, joined, read_results, size_and_name
from .program import call, find_program
from .progress import Progress, Run, read_progress
from .series import Series, read_series, series_names

CONFIG, DATABASE = "campaign.cfg", "campaign.sqlite"
DISCRETE_MODELS = ("ising", "potts", "blume-capel", "clock")


class Campaign:
    """A campaign: its directory, or the file campaign.sqlite in it.

    Data are read from the database, read-only and as they are at the first reading, also while the campaign runs;
    `refresh` reads them anew. The program (see `find_program`) is needed to run, and for derived observables.

    Use it as a context manager, or close it.

    Raises:
        GlassworksError: there is no campaign, or it cannot be read.
    """

    def __init__(self, path: str | os.PathLike[str], executable: str | os.PathLike[str] | None = None) -> None:
        file = checks.path("path", path)
        with reading(file, "Check the path and the permissions."):
            self.path = file / DATABASE if file.is_dir() else file
            there = self.path.is_file() or (self.path.name == DATABASE and self.path.with_name(CONFIG).is_file())
        if not there:
            raise GlassworksError(f"There is no campaign in {path} (no {DATABASE}, no {CONFIG}). Check the path.")
        self._executable = executable
        self._database: Database | None = Database(self.path) if self.path.is_file() else None
        self._results: Results | None = None
        self._series: dict[str, Series] = {}

    @classmethod
    def create(cls, directory: str | os.PathLike[str], config: Config, couplings: Couplings | None = None, *,
               executable: str | os.PathLike[str] | None = None) -> Campaign:
        """A new campaign in a directory, or the one that is there if it may continue with this configuration.

        Writes campaign.cfg and, if there are couplings, couplings.txt, the folder couplings with a file for each
        realization, or graph.txt. Nothing is simulated before `run`.

        Args:
            directory: where the campaign is kept; made if it is missing.
            config: a dictionary {"model.L": [4, 6], ...} or {"model": {"L": [4, 6]}, ...}, a text in the syntax of
                configuration files, or the path of such a file. campaign.directory in it has no effect.
            couplings: see `Couplings`: an array [bond][site] that all realizations share, [realization][bond][site] or a
                dictionary {realization: array}; with model.lattice = graph a matrix, a networkx graph or triples.
            executable: the program; see `find_program`.

        Raises:
            GlassworksError: the configuration or the couplings cannot be used. Nothing is changed then.
        """
        folder = checks.path("directory", directory).absolute()
        if str(folder) != str(folder).strip():
            raise GlassworksError(f"directory cannot be {str(folder)!r} (a configuration cannot hold blanks at the ends of a "
                                  "path). Choose another name.")
        keys = read_configuration(config)
        keys.pop("campaign.directory", None)
        files = {} if couplings is None else take_couplings(keys, couplings)
        program = find_program(executable)
        with writing(folder):
            made = [place for place in (folder, *folder.parents) if not place.exists()]
            folder.mkdir(parents=True, exist_ok=True)
        try:
            with writing(folder), tempfile.TemporaryDirectory(prefix=".new-", dir=folder) as name:
                scratch = pathlib.Path(name)
                for path, values in files.items():
                    (scratch / path).parent.mkdir(exist_ok=True)
                    (scratch / path).write_text(coupling_file(values), encoding="utf-8")
                (scratch / CONFIG).write_text(write_configuration(keys), encoding="utf-8")
                _check(program, scratch, folder)
                for path in [*files, CONFIG]:
                    (folder / path).parent.mkdir(exist_ok=True)
                    (scratch / path).replace(folder / path)
        except BaseException:
            with contextlib.suppress(OSError):
                for place in made:
                    place.rmdir()
            raise
        return cls(folder, executable)

    @property
    def directory(self) -> pathlib.Path:
        """The directory of the campaign."""
        return self.path.parent

    def run(self, overrides: Mapping[str, Any] | None = None, *, time_limit: str | float | None = None,
            interval: float = 1.0) -> Run:
        """Starts or continues the campaign, and returns an iterator over its progress.

            for progress in campaign.run():
                print(progress)

        Args:
            overrides: keys that may differ in this run, for example {"backend.threads": 4}.
            time_limit: the run stops within this time: seconds, or a text as "12h".
            interval: time in s between two items.

        Returns:
            A Run. The last item is the progress at the end of the program. `wait()` waits for it without items.

        Raises:
            GlassworksError: from the iterator; the sentence of the program if it fails.
        """
        keys = format_keys({} if overrides is None else overrides)
        if "campaign.directory" in keys:
            raise GlassworksError(f"campaign.directory cannot be among the overrides (the run is one of {self.directory}). "
                                  "Leave it out, or open the other campaign.")
        if isinstance(time_limit, str):
            time_limit = checks.text("time_limit", time_limit)
        elif time_limit is not None:
            time_limit = checks.real_number("time_limit", time_limit, positive=True)
        interval = checks.real_number("interval", interval, positive=True)
        program = find_program(self._executable)
        directory, config = self.directory.absolute(), self.directory.absolute() / CONFIG
        command = ["run", str(config), f"--campaign.directory={directory}"] if config.is_file() else ["run", str(directory)]
        command += [f"--{key}={value}" for key, value in keys.items()]
        if time_limit is not None:
            command.append(f"--time-limit={time_limit}")
        self.refresh()
        return Run(command, program, self.directory, interval, self.refresh)

    def progress(self) -> Progress:
        """Where the campaign is now, also while another process runs it.

        Raises:
            GlassworksError: it has not begun.
        """
        return read_progress(find_program(self._executable), self.directory)

    def refresh(self) -> None:
        """Drops cached data, so that the next access reads the current state of the campaign."""
        self.close()
        self._results = None
        self._series = {}

    def close(self) -> None:
        """Closes the database; the next reading opens it again."""
        if self._database is not None:
            self._database.close()
            self._database = None

    def __enter__(self) -> Campaign:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _data(self) -> Database:
        if self._database is None:
            if not self.path.is_file():
                raise GlassworksError(f"There are no data in {self.directory} (the campaign has not begun). Run it first.")
            self._database = Database(self.path)
        return self._database

    @property
    def sizes(self) -> list[int]:
        """The sizes L, ascending."""
        return self._data().sizes

    @property
    def configuration(self) -> str:
        """The configuration that the campaign was begun with: every key, in the syntax of configuration files."""
        return self._data().configuration

    def temperatures(self, L: int) -> Array:
        """Temperatures [slot] in units of J/k_B, ascending."""
        return self._data().temperatures(L)

    def table(self, L: int) -> dict[str, Array]:
        """What is known of every realization: a dictionary of arrays [realization]."""
        return self._data().table(L)

    def realizations(self, L: int) -> Array:
        """Numbers of the realizations with data."""
        return self._data().realizations(L)

    def bins(self, L: int, realization: int) -> Bins:
        """Raw bins of one realization."""
        self._refuse_course("bins of rounds")
        return self._data().bins(L, realization)

    def spins(self, L: int, realization: int) -> Array:
        """Spins of one realization at its last checkpoint. Calls `glassworks export`.

        Returns:
            Discrete spins: integers [slot][copy][site], +-1 of ising, -1, 0, +1 of blume-capel, states of potts and clock.
            Vectors: float32 [slot][copy][site][component]. Slot 0 is the coldest; on a hypercubic lattice site = x + L (y
            + L z), so that `spins[0, 0].reshape(L, L, L)` has the indices [z][y][x]. The order of slots and copies is
            that of the temperatures, not of the replicas.

        Raises:
            GlassworksError: there is no such realization, it has no checkpoint yet, or the program is not found.
        """
        L, realization = self._data().size(L), checks.whole_number("realization", realization, 0)
        with tempfile.TemporaryDirectory(prefix="glassworks-") as folder:
            call(find_program(self._executable), "export", self.directory, "--spins", f"--L={L}",
                 f"--realization={realization}", "--out", pathlib.Path(folder) / "out")
            file = pathlib.Path(folder) / "out" / "spins" / f"L{L:03}-r{realization:06}.txt"
            if not file.is_file():
                raise GlassworksError(f"There are no spins of realization {realization} of L = {L} in {self.directory} (it "
                                      "has no checkpoint yet). Run the campaign first.")
            rows = np.loadtxt(file, dtype=np.float64, ndmin=2)
        slots, copies, sites = (int(rows[:, column].max()) + 1 for column in range(3))
        values = rows[:, 3:].reshape(slots, copies, sites, -1)
        if self._value("model.type") in DISCRETE_MODELS:
            return values[..., 0].astype(np.int16)
        return values.astype(np.float32)

    def averages(self, L: int) -> Averages:
        """Thermal averages of every realization with data."""
        self._refuse_course("averages in equilibrium")
        return self._data().averages(L)

    def observables(self, L: int | None = None) -> list[str]:
        """Names of the derived observables of a size, or of all sizes; with a course, of everything that `series` gives.
        Calls `glassworks analyze`."""
        if L is not None:
            L = self._data().size(L)
        if self._has_course():
            with tempfile.TemporaryDirectory(prefix="glassworks-") as folder:
                file = pathlib.Path(folder) / "results.csv"
                call(find_program(self._executable), "analyze", self.directory, "--csv", file)
                return series_names(file)
        return list(dict.fromkeys(name for size, name in self._analyzed() if L in (None, size)))

    @overload
    def observable(self, L: str) -> Observable: ...
    @overload
    def observable(self, L: int, name: str) -> Curve: ...
    @overload
    def observable(self, *, name: str) -> Observable: ...
    def observable(self, L: int | str | None = None, name: str | None = None) -> Observable | Curve:
        """A derived observable: `observable("xi_over_L")` of all sizes, `observable(8, "xi_over_L")` of L = 8.

        Calls `glassworks analyze` the first time, and after `refresh` or a run.

        Returns:
            An Observable, with `to_pandas()`, or for one size the arrays (T, mean, error), each [temperature]. Errors
            are standard errors from the spread over realizations.

        Raises:
            GlassworksError: the size or the observable is not there, there are no data yet, or the program is not found.
        """
        L, name = size_and_name(L, name)
        self._refuse_course("averages in equilibrium")
        curves = {size: curve for (size, known), curve in self._analyzed().items() if known == name}
        if not curves:
            raise GlassworksError(f"There is no observable {name} in {self.directory}. Those there are: "
                                  f"{', '.join(self.observables())}.")
        return joined(name, curves) if L is None else joined(name, curves).of(L)

    @overload
    def series(self, L: str) -> Series: ...
    @overload
    def series(self, L: int, name: str) -> Series: ...
    @overload
    def series(self, *, name: str) -> Series: ...
    def series(self, L: int | str | None = None, name: str | None = None) -> Series:
        """A quantity of a campaign with a course against time: `series("xi_12")` of all sizes, `series(8, "xi_12")` of L = 8.

        Every stored column ("energy", "c4_axis(3)", "correlation(100)") and every derived quantity ("xi_12", "z"), as
        `observables()` lists them. Calls `glassworks analyze` the first time, and after `refresh` or a run.

        Returns:
            A Series, with `to_pandas()`; `of(L, slot)` is one curve: times, averages, errors, covariances in time, and the
            rows of single realizations.

        Raises:
            GlassworksError: the campaign has no course, the size or the quantity is not there, there are no data yet, or the
                program is not found.
        """
        L, name = size_and_name(L, name)
        if not self._has_course():
            raise GlassworksError(f"There are no series in {self.directory} (it has no course, and no history in time). Use "
                                  "observable.")
        if L is not None:
            L = self._data().size(L)
        if name not in self._series:
            with tempfile.TemporaryDirectory(prefix="glassworks-") as folder:
                files = [pathlib.Path(folder) / f"{table}.csv" for table in ("results", "covariance", "realizations")]
                call(find_program(self._executable), "analyze", self.directory, f"--observables={name}", "--csv", files[0],
                     "--covariance", files[1], "--realizations", files[2])
                self._series.update(read_series(*files))
        if name not in self._series:
            raise GlassworksError(f"There is no series {name} in {self.directory} (no such quantity, or none has measured it "
                                  "yet). See observables().")
        found = self._series[name]
        return found if L is None else Series(name, tuple(curve for curve in found.curves if curve.L == L))

    def _value(self, key: str) -> str:
        """Of a key in the configuration; empty if it is not there."""
        for line in self.configuration.splitlines():
            name, _, value = line.partition("=")
            if name.strip() == key:
                return value.strip()
        return ""

    def _has_course(self) -> bool:
        return any(line.startswith("course.sweeps") for line in self.configuration.splitlines())

    def _refuse_course(self, what: str) -> None:
        if self._has_course():
            raise GlassworksError(f"{self.directory} has no {what} (it is a history in time, with a course). Use series, "
                                  'for example series("energy").')

    def _analyzed(self) -> Results:
        if self._results is None:
            with tempfile.TemporaryDirectory(prefix="glassworks-") as folder:
                file = pathlib.Path(folder) / "results.csv"
                call(find_program(self._executable), "analyze", self.directory, "--csv", file)
                self._results = read_results(file)
        return self._results


def _check(program: str, scratch: pathlib.Path, directory: pathlib.Path) -> None:
    """Whether a campaign in the directory can begin or continue with the files in `scratch`."""
    try:
        call(program, "run", scratch / CONFIG, f"--campaign.directory={directory}", "--dry-run")
    except GlassworksError as error:
        text = str(error).replace(str(scratch / CONFIG), "the configuration").replace(f"{scratch}/", "")
        raise GlassworksError(text) from error
