"""The error of the package, and how errors of libraries become one."""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
import sqlite3
from collections.abc import Iterator


class GlassworksError(Exception):
    """A problem in one sentence: problem (why). suggestion. Names in it are shown without control characters."""

    def __init__(self, text: str) -> None:
        super().__init__(_CONTROL.sub(lambda found: ascii(found[0])[1:-1], text))


# Line feeds only before lines that continue a sentence of the program.
_CONTROL = re.compile("\n(?!  )|[\0-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")

# Everything that h5py, sqlite3, json and numpy raise for a file that is damaged or of another format.
_LIBRARY_ERRORS = (OSError, sqlite3.Error, ValueError, LookupError, TypeError, AttributeError, ArithmeticError,
                   RuntimeError, MemoryError)


@contextlib.contextmanager
def reading(path: str | os.PathLike[str], suggestion: str) -> Iterator[None]:
    """What libraries raise while `path` is read becomes a GlassworksError; their own texts stay in its __cause__."""
    try:
        yield
    except _LIBRARY_ERRORS as error:
        raise GlassworksError(f"Cannot read {path} ({_why(error)}). {suggestion}") from error


@contextlib.contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[None]:
    """What the system raises while `path` is written becomes a GlassworksError."""
    try:
        yield
    except (OSError, ValueError, RecursionError) as error:
        why = getattr(error, "strerror", None) or "the name cannot be used"
        raise GlassworksError(f"Cannot write {path} ({why}). Check the path, its permissions and the space on its "
                              "disk.") from error


def demand(holds: object, what: str) -> None:
    """Inside `reading`: what a file must fulfil."""
    if not holds:
        raise ValueError(what)


def demand_regular(file: pathlib.Path) -> None:
    """Inside `reading`: a FIFO or a device may have no end."""
    if file.exists() and not file.is_file():
        raise IsADirectoryError(str(file)) if file.is_dir() else OSError("no regular file")


def _why(error: BaseException) -> str:
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
        return "it needs more memory than there is"
    return "its parts do not fit together"
