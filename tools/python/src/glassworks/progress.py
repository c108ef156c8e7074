"""Progress of campaigns, and runs of the program as iterators over it."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import signal
import subprocess
import tempfile
import time
import warnings
import weakref
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any

from .errors import GlassworksError, reading
from .program import call, sentence

TIME_LIMIT_REACHED = 75


@dataclasses.dataclass(frozen=True)
class Progress:
    """Where a campaign is, all sizes together: what `glassworks status --json` gives."""

    rounds: int
    """Committed rounds of all realizations together."""
    rounds_expected: int
    """The same, with an estimate of those that are left."""
    converged: int
    """Converged realizations."""
    failed: int
    """Realizations that reached the largest number of rounds without convergence."""
    realizations: int
    """All realizations."""
    updates_per_ns: float
    """Spin updates per ns of all processes that work on the campaign; 0 where there is none."""
    seconds_left: float | None
    """Estimate of the time left in s at this rate; None while there is none. A lower bound until realizations of every size
    have been judged."""
    seconds: float
    """Time in s since this run began; 0 where none is iterated."""
    finished: bool
    """Whether nothing is left to simulate."""
    status: dict[str, Any] = dataclasses.field(repr=False, compare=False)
    """The whole document, for each size and process (docs/manual/watching.md)."""

    def __str__(self) -> str:
        word = "at least" if self.status.get("remaining_is_least") else "about"
        left = "" if self.finished or self.seconds_left is None else f"; {word} {self.seconds_left:.0f} s left"
        rate = f"; {self.updates_per_ns:.2g} updates/ns" if self.updates_per_ns else ""
        return (f"{self.rounds} of {self.rounds_expected} rounds; {self.converged}/{self.realizations} converged{rate}; "
                f"{self.seconds:.0f} s elapsed{left}")


def read_progress(program: str, directory: pathlib.Path, seconds: float = 0.0) -> Progress:
    """Progress of the campaign in a directory.

    Raises:
        GlassworksError: there is no campaign.
    """
    text = call(program, "status", directory, "--json")
    with reading(f"the status of {directory}", "Use the program and the package of one version."):
        status = json.loads(text)
        sizes = status["sizes"]
        rounds = sum(int(size["rounds"]) for size in sizes)
        left = sum(int(size["remaining_rounds"] or 0) for size in sizes)
        return Progress(rounds, rounds + left, status["converged"], status["failed"], status["realizations"],
                        float(status["updates_per_ns"] or 0.0), status["remaining_seconds"], seconds,
                        bool(status["finished"]), status)


class Run:
    """A running `glassworks run`: an iterator over its progress, which ends when the program ends.

    `for progress in campaign.run(): ...` shows it, `campaign.run().wait()` waits for the end. The program stops cleanly,
    with all committed rounds kept, when the loop is left by `break`, by Ctrl-C or by another exception, by `close()`, at
    the end of a `with` block, and at the end of Python. Another run continues the campaign.

    Iterating raises GlassworksError with the sentence of the program where it fails.
    """

    def __init__(self, command: Sequence[str], program: str, directory: pathlib.Path, interval: float,
                 at_end: Callable[[], None]) -> None:
        self._program, self._directory, self._interval = program, directory, interval
        self._at_end = at_end
        self._begin = self._seen = time.monotonic()
        self._used = self._ended = False
        self._messages = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        try:
            # In a group of its own, Ctrl-C reaches Python alone, which stops it once: a second signal would end it at once.
            self._child = subprocess.Popen([program, *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                           stderr=self._messages, process_group=0)
        except OSError as error:
            self._messages.close()
            raise GlassworksError(f"{program} cannot be executed ({error.strerror}). Give the path of the program "
                                  "glassworks.") from error
        self._stop = weakref.finalize(self, _stop, self._child)  # also at the end of Python

    @property
    def pid(self) -> int:
        """The process of the program."""
        return self._child.pid

    @property
    def running(self) -> bool:
        """Whether the program runs."""
        return self._child.poll() is None

    def __iter__(self) -> Run:
        return self

    def __next__(self) -> Progress:
        """Progress after the next interval, or at the end of the program.

        Raises:
            GlassworksError: the program failed.
        """
        self._used = True
        if self._ended:
            raise StopIteration
        try:
            while True:
                try:
                    self._child.wait(self._interval)
                    return self._end()
                except subprocess.TimeoutExpired:
                    pass
                try:
                    return self._progress()
                except GlassworksError:
                    if (self._directory / "campaign.sqlite").exists() and time.monotonic() - self._seen > 60:
                        raise  # no campaign that is just being created
        except BaseException:
            self.close()
            raise

    def wait(self) -> Progress:
        """Waits for the end of the program; returns the progress then.

        Raises:
            GlassworksError: the program failed.
        """
        self._used = True
        try:
            self._child.wait()
            return self._progress() if self._ended else self._end()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Stops the program if it runs, cleanly, and waits for its end."""
        self._used = True
        self._stop()
        self._finish()

    def __enter__(self) -> Run:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_stop"):
            if not self._used and self.running:
                warnings.warn("The run was stopped, because nothing uses it. Write `for progress in campaign.run(): ...` or "
                              "`campaign.run().wait()`.", RuntimeWarning, source=self)
            self.close()

    def _progress(self) -> Progress:
        progress = read_progress(self._program, self._directory, time.monotonic() - self._begin)
        self._seen = time.monotonic()
        return progress

    def _end(self) -> Progress:
        status = self._child.returncode
        self._messages.seek(0)
        messages = self._messages.read()
        self._finish()
        if status in (130, -signal.SIGINT, -signal.SIGTERM):
            raise GlassworksError(f"The run of {self._directory} was stopped by a signal (all committed rounds are safe). "
                                  "Run it again to continue.")
        if status not in (0, TIME_LIMIT_REACHED):
            raise GlassworksError(sentence(messages, status))
        return self._progress()

    def _finish(self) -> None:
        if not self._ended:
            self._ended = True
            self._stop.detach()
            self._messages.close()
            self._at_end()


def _stop(child: subprocess.Popen[bytes]) -> None:
    """One signal stops the program cleanly; Ctrl-C meanwhile ends it at once."""
    while child.poll() is None:
        child.send_signal(signal.SIGTERM)
        try:
            child.wait()
        except KeyboardInterrupt:
            pass
