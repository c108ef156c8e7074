"""What arguments may be: refused with a sentence, instead of turned into something else."""

from __future__ import annotations

import math
import operator
import os
import pathlib
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import GlassworksError


def whole_number(name: str, value: Any, least: int | None = None) -> int:
    """A whole number: an int or an integer of numpy, and no bool.

    Raises:
        GlassworksError: it is something else, or less than `least`.
    """
    try:
        number = None if _is_bool(value) or isinstance(value, np.timedelta64) else operator.index(value)
    except TypeError:
        number = None
    if number is None or abs(number) >= 2**63:
        raise GlassworksError(f"{name} cannot be {shown(value)} (it must be a whole number, as int or of numpy). Correct it.")
    if least is not None and number < least:
        raise GlassworksError(f"{name} cannot be {number} (it must be at least {least}). Correct it.")
    return number


def real_number(name: str, value: Any, *, positive: bool = False) -> float:
    """A number: an int, a float or one of numpy, also as an array without index; no bool, no complex number.

    Raises:
        GlassworksError: it is something else, or with `positive` it is not finite and above 0.
    """
    single = value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value
    wanted = int, float, np.integer, np.floating
    if _is_bool(single) or isinstance(single, np.timedelta64) or not isinstance(single, wanted):
        raise GlassworksError(f"{name} cannot be {shown(value)} (it must be a number). Correct it.")
    try:
        number = float(single)
    except OverflowError as error:
        raise GlassworksError(f"{name} cannot be {shown(value)} (it is too large). Correct it.") from error
    if positive and not 0 < number < math.inf:
        raise GlassworksError(f"{name} cannot be {shown(value)} (it must be finite and more than 0). Correct it.")
    return number


def text(name: str, value: Any) -> str:
    """A str of one line.

    Raises:
        GlassworksError: it is something else.
    """
    if not isinstance(value, str) or not _fits_a_line(value):
        raise GlassworksError(f"{name} cannot be {shown(value)} (it must be a text without control characters). Correct it.")
    return str(value)


def path(name: str, value: Any) -> pathlib.Path:
    """A path as it is given, with blanks at its ends if it has any: a str or an os.PathLike of one.

    Raises:
        GlassworksError: it is something else, empty, too long, or holds control characters.
    """
    found = os.fspath(value) if isinstance(value, (str, os.PathLike)) else None
    if not isinstance(found, str) or not 0 < len(found) < 4096 or not _fits_a_line(found):
        raise GlassworksError(f"{name} cannot be {shown(value)} (it must be a path, as a text without control characters or "
                              "of pathlib). Correct it.")
    return pathlib.Path(found)


def real_array(name: str, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """An array of real numbers in double precision, whatever its byte order and layout: of int or float.

    Raises:
        GlassworksError: it holds anything else (complex numbers, bool, texts, dates, None, objects), or masked places.
    """
    problem = f"{name} no array of numbers"
    if has_masked_places(values):
        raise GlassworksError(f"{problem} (some places are masked). Fill them, with 0 for an absent bond.")
    try:
        data = np.asarray(values)
        kind = data.dtype.kind
        if kind in "iuf" and not isinstance(values, np.ndarray):  # a list may mix bool with numbers
            pieces = np.asarray(values, dtype=object).ravel()
            kind = "b" if any(_is_bool(piece) for piece in pieces) else kind
        numbers = data.astype(np.float64, copy=False) if kind in "iuf" else None
    except (ValueError, TypeError) as error:
        raise GlassworksError(f"{problem} (they cannot be converted). Give int or float.") from error
    if numbers is None:
        raise GlassworksError(f"{problem} (they are {_KINDS.get(kind, 'of another kind')}). Give int or float.")
    return numbers


def has_masked_places(value: Any) -> bool:
    """Whether it is an array of numpy.ma some of whose places are masked."""
    return isinstance(value, np.ma.MaskedArray) and bool(np.any(np.asarray(value.mask)))


_KINDS = {"c": "complex", "b": "bool", "O": "objects", "U": "texts", "S": "bytes", "M": "dates", "m": "times"}


def _is_bool(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_)) or (isinstance(value, np.ndarray) and value.dtype.kind == "b")


def _fits_a_line(value: str) -> bool:
    return not any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 or 0xD800 <= ord(c) < 0xE000 for c in value)


def shown(value: Any) -> str:
    """A value in a message: its repr, on one line and not longer than 60 characters."""
    try:
        found = ascii(value) if isinstance(value, str) else " ".join(repr(value).split())
    except (ValueError, RecursionError):  # whole numbers of thousands of digits
        found = f"this {type(value).__name__}"
    return found if len(found) <= 60 else found[:57] + "..."
