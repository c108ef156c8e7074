"""Finds and calls the program."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Iterator

from . import checks
from .errors import GlassworksError


def find_program(executable: str | os.PathLike[str] | None = None) -> str:
    """Path of the program: `executable`, else the environment variable GLASSWORKS, else `glassworks` in PATH, else that
    of the installation or of the build (build/glassworks) that this package belongs to.

    Raises:
        GlassworksError: there is none, or the one that is named cannot be executed.
    """
    if executable is not None:
        executable = checks.path("executable", executable)
    for named, how in ((executable, "the argument"), (os.environ.get("GLASSWORKS"), "the variable GLASSWORKS")):
        if named:
            path = shutil.which(os.path.expanduser(os.fspath(named)))
            if path is None:
                raise GlassworksError(f"{os.fspath(named)} cannot be executed ({how} names it). Give the path of the "
                                      "program glassworks.")
            return os.path.abspath(path)
    path = shutil.which("glassworks")
    if path is not None:
        return os.path.abspath(path)
    for candidate in _neighbours():
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return str(candidate)
    raise GlassworksError("The program glassworks was not found (it is not in PATH). Install it, or give its path as the "
                          "argument executable or in the environment variable GLASSWORKS.")


def _neighbours() -> Iterator[pathlib.Path]:
    yield pathlib.Path(sys.prefix) / "bin" / "glassworks"
    for folder in pathlib.Path(__file__).resolve().parents:
        yield folder / "bin" / "glassworks"
        yield folder / "build" / "glassworks"


def call(program: str, *arguments: str | os.PathLike[str]) -> str:
    """Standard output of a call that ends with status 0. Paths are made absolute: their names may begin with "-".

    Raises:
        GlassworksError: the sentence of the program, where it ends otherwise.
    """
    try:
        texts = [argument if isinstance(argument, str) else os.path.join(os.getcwd(), argument) for argument in arguments]
        done = subprocess.run([program, *texts], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace")
    except OSError as error:
        raise GlassworksError(f"{program} cannot be executed ({error.strerror}). Give the path of the program "
                              "glassworks.") from error
    if done.returncode != 0:
        raise GlassworksError(sentence(done.stderr, done.returncode))
    return done.stdout


def sentence(stderr: str, status: int) -> str:
    """What the program says about its failure, without its name and without notes."""
    for start, line in enumerate(lines := stderr.splitlines()):
        if line.startswith("glassworks: "):
            return "\n".join([line.removeprefix("glassworks: "), *lines[start + 1:]])
    how = f"by signal {-status}" if status < 0 else f"with status {status}"
    return f"The program glassworks ended {how} (it gave no reason). Run it in a terminal."
