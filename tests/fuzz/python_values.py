"""Hostile values for arguments of the Python package, and what each parameter may rightly take."""

import array
import datetime
import decimal
import fractions
import math
import numbers
import pathlib
import types

import numpy as np

REFUSE = object()  # a value that must be refused


class Index:
    def __index__(self):
        return 4


class Name(str):
    pass


class Whole(int):
    pass


class Place:
    """A path that is no pathlib.Path."""

    def __init__(self, path):
        self.path = path

    def __fspath__(self):
        return self.path


SCALARS = {
    "None": lambda: None, "True": lambda: True, "False": lambda: False, "0": lambda: 0, "1": lambda: 1, "2": lambda: 2, "4": lambda: 4,
    "6": lambda: 6, "-1": lambda: -1, "-4": lambda: -4,
    "2**31": lambda: 2**31, "2**32 + 4": lambda: 2**32 + 4, "2**63": lambda: 2**63, "2**64 + 4": lambda: 2**64 + 4,
    "-2**63 - 1": lambda: -(2**63) - 1, "10**400": lambda: 10**400,
    "10**5000": lambda: 10**5000, "4.0": lambda: 4.0, "4.5": lambda: 4.5, "0.5": lambda: 0.5, "-0.0": lambda: -0.0, "nan": lambda: math.nan,
    "inf": lambda: math.inf, "-inf": lambda: -math.inf,
    "1e308": lambda: 1e308, "5e-324": lambda: 5e-324, "4 + 0j": lambda: 4 + 0j, "4 + 1j": lambda: 4 + 1j, "nan j": lambda: complex(4, math.nan),
    "'4'": lambda: "4", "''": lambda: "", "' '": lambda: " ",
    "'energy'": lambda: "energy", "'energy '": lambda: "energy ", "'Energy'": lambda: "Energy", "'nan'": lambda: "nan", "b'4'": lambda: b"4",
    "b'energy'": lambda: b"energy",
    "bytearray": lambda: bytearray(b"energy"), "memoryview": lambda: memoryview(b"4"), "str subclass": lambda: Name("energy"),
    "int subclass": lambda: Whole(4), "Index": Index, "np.int64": lambda: np.int64(4),
    "np.int8": lambda: np.int8(4), "np.uint64": lambda: np.uint64(4), "np.uint64 max": lambda: np.uint64(2**64 - 1),
    "np.float32": lambda: np.float32(4), "np.float64": lambda: np.float64(4.5),
    "np.longdouble": lambda: np.longdouble("4.00000000000000001"), "np.bool_": lambda: np.bool_(True), "np.str_": lambda: np.str_("energy"),
    "np.str_ of 4": lambda: np.str_("4"), "np.bytes_": lambda: np.bytes_(b"energy"),
    "np.complex128": lambda: np.complex128(4 + 1j), "datetime64": lambda: np.datetime64("1970-01-05"),
    "datetime64[ns]": lambda: np.datetime64(4, "ns"), "NaT": lambda: np.datetime64("NaT"),
    "timedelta64": lambda: np.timedelta64(4, "D"), "np.void": lambda: np.void(b"\4\0\0\0"), "masked": lambda: np.ma.masked,
    "array(4)": lambda: np.array(4), "array([4])": lambda: np.array([4]),
    "array([4, 6])": lambda: np.array([4, 6]), "array([])": lambda: np.array([]), "array([[4]])": lambda: np.array([[4]]),
    "array(4 + 1j)": lambda: np.array(4 + 1j), "array('4')": lambda: np.array("4"),
    "array(None)": lambda: np.array(None), "object array": lambda: np.array([4, "x"], object), "masked array": lambda: np.ma.array([4], mask=[True]),
    "big-endian": lambda: np.array(4, ">i4")[()],
    "Decimal": lambda: decimal.Decimal("4"), "Fraction": lambda: fractions.Fraction(4), "Fraction(9, 2)": lambda: fractions.Fraction(9, 2),
    "[4]": lambda: [4], "[]": lambda: [], "(4,)": lambda: (4,), "{4}": lambda: {4},
    "{'L': 4}": lambda: {"L": 4}, "range": lambda: range(4), "generator": lambda: (i for i in (4, 6)), "object": object, "type": lambda: int,
    "function": lambda: len, "Ellipsis": lambda: ...,
    "NotImplemented": lambda: NotImplemented, "slice": lambda: slice(4), "datetime": lambda: datetime.datetime(2020, 1, 1),
    "date": lambda: datetime.date(2020, 1, 1), "long text": lambda: "x" * 100_000,
    "text of two lines": lambda: "two\nlines", "text with NUL": lambda: "a\0b", "text with a surrogate": lambda: "\udcff",
    "escapes": lambda: "\x1b[2J\x07", "umlaut": lambda: "\u00e4", "arabic 4": lambda: "\u0664",
    "Path": lambda: pathlib.Path("energy"), "module": lambda: math, "exception": lambda: ValueError("x"),
    "namespace": lambda: types.SimpleNamespace(L=4), "array.array": lambda: array.array("d", [4.0]),
    "nested list": lambda: [[[[4]]]], "recursive list": lambda: recursive(), "np.ndarray type": lambda: np.ndarray, "dtype": lambda: np.dtype("f8"),
    "1e400 as text": lambda: "1e400", "-text": lambda: "--help",
}


def recursive():
    value = []
    value.append(value)
    return value


def any_value(rng):
    """(what it is, a new one of it)."""
    label = rng.choice(list(SCALARS))
    return label, SCALARS[label]()


def whole(value):
    """The whole number that a value is, or REFUSE."""
    if isinstance(value, np.ndarray):
        if isinstance(value, np.ma.MaskedArray) and np.ma.getmaskarray(value).any() or value.size != 1 or value.dtype.kind not in "biufc":
            return REFUSE
        value = value.reshape(())[()]
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return REFUSE
    if isinstance(value, Index):
        return 4
    if isinstance(value, (bool, np.bool_)):
        return int(value)
    if isinstance(value, (numbers.Number, np.generic, decimal.Decimal)) and not isinstance(value, (str, bytes)):
        try:
            return int(value.real) if value == int(value.real) else REFUSE
        except (TypeError, ValueError, OverflowError, AttributeError):
            return REFUSE
    return REFUSE


def real(value):
    """The real number that a value is, or REFUSE."""
    if isinstance(value, np.ndarray):
        if isinstance(value, np.ma.MaskedArray) and np.ma.getmaskarray(value).any() or value.ndim or value.dtype.kind not in "biufcO":
            return REFUSE
        value = value[()]
    if isinstance(value, Index):
        return 4.0
    if isinstance(value, (np.datetime64, np.timedelta64, str, bytes)) or value is np.ma.masked:
        return REFUSE
    if isinstance(value, (numbers.Number, np.generic, decimal.Decimal)):
        try:
            if isinstance(value, (complex, np.complexfloating)):
                return float(value.real) if value.imag == 0 else REFUSE
            return float(value)
        except OverflowError:
            return math.inf
        except (TypeError, ValueError):
            return REFUSE
    return REFUSE


def text(value):
    """The text that a value is, or REFUSE."""
    return str.__str__(value) if isinstance(value, str) else REFUSE


def path(value):
    """The path that a value is, as a text, or REFUSE."""
    if isinstance(value, (str, pathlib.PurePath, Place)):
        named = value if isinstance(value, str) else value.__fspath__()
        return str.__str__(named) if isinstance(named, str) else REFUSE
    return REFUSE


ELEMENTS = [None, True, "1", b"1", "x", np.datetime64("2020-01-01"), datetime.date(2020, 1, 1), decimal.Decimal("0.5"), fractions.Fraction(1, 2), 1j,
            complex(0.5, 0.0), math.nan, math.inf, 10**400, [1.0], object(),
            1e-7, 1e7, 5e-324, -0.0, np.float32(0.1), np.ma.masked, 2**60 + 1]


def spoiled(good, rng):
    """(what it is, an array or something like it) from a good array of floats."""
    shape = good.shape
    flat = good.ravel()
    kinds = {
        "float32": lambda: good.astype("f4"), "float16": lambda: good.astype("f2"), "longdouble": lambda: good.astype(np.longdouble),
        "big-endian": lambda: good.astype(">f8"), "int8": lambda: np.sign(good).astype("i1"),
        "uint64": lambda: np.ones(shape, "u8"), "uint64 max": lambda: np.full(shape, 2**64 - 1, "u8"), "bool": lambda: good > 0,
        "complex, no imaginary part": lambda: good + 0j, "complex": lambda: good + 0.5j, "complex64": lambda: (good + 1j).astype("c8"),
        "one imaginary part": lambda: with_element(good.astype(complex), rng, good.flat[0] + 1j),
        "datetime64": lambda: np.arange(good.size).reshape(shape).astype("M8[D]"), "datetime64[ns]": lambda: np.ones(shape, "M8[ns]"),
        "timedelta64": lambda: np.ones(shape, "m8[s]"), "texts": lambda: good.astype(str), "bytes": lambda: good.astype("S"),
        "objects": lambda: good.astype(object), "an odd element": lambda: with_element(good.astype(object), rng, rng.choice(ELEMENTS)),
        "an odd number": lambda: with_element(good.copy(), rng, rng.choice([math.nan, math.inf, -math.inf, 1e-7, 1e7, 1e300, 5e-324, -0.0])),
        "transposed": lambda: good.T, "Fortran": lambda: np.asfortranarray(good),
        "reversed twice": lambda: good[::-1].copy()[::-1], "read-only": lambda: read_only(good), "masked, no mask": lambda: np.ma.array(good),
        "masked": lambda: np.ma.array(good, mask=rng_mask(good, rng)),
        "all masked": lambda: np.ma.array(good, mask=True), "flat": lambda: flat, "one short": lambda: flat[:-1],
        "a dimension more": lambda: good[None], "a last dimension more": lambda: good[..., None], "no element": lambda: np.zeros((0,)),
        "no rows": lambda: good[:0], "no columns": lambda: good[..., :0], "twice as long": lambda: np.concatenate([good, good]),
        "a number": lambda: 1.0, "a list": lambda: good.tolist(), "tuples": lambda: tuple(map(tuple, np.atleast_2d(good).tolist())),
        "ragged": lambda: [[1.0], [1.0, 2.0]], "generator": lambda: (row for row in good), "map": lambda: map(float, flat),
        "structured": lambda: good.astype([("J", "f8")]), "matrix": lambda: np.matrix(np.atleast_2d(good)) if good.ndim < 3 else good,
        "record": lambda: np.rec.fromarrays([flat]), "void": lambda: good.view("V8"), "memoryview": lambda: memoryview(np.ascontiguousarray(good)),
        "array.array": lambda: array.array("d", flat.tolist()), "zeros": lambda: np.zeros(shape),
        "broadcast": lambda: np.broadcast_to(np.float64(0.5), shape), "strided": lambda: np.repeat(good, 2, axis=-1)[..., ::2],
        "bytes of it": good.tobytes, "a text": lambda: str(good.tolist()), "None": lambda: None, "dict": lambda: dict(enumerate(good)),
        "set": lambda: set(flat.tolist()), "huge whole numbers": lambda: [[10**400] * shape[-1]] * shape[0],
        "2**60": lambda: np.full(shape, 2**60 + 1, "i8"), "a wide shape": lambda: np.broadcast_to(np.float64(1), (2, 10**5)),
        "good": good.copy,
    }
    label = rng.choice(list(kinds))
    return label, kinds[label]()


def with_element(values, rng, element):
    values[np.unravel_index(rng.randrange(values.size), values.shape)] = element
    return values


def read_only(values):
    values = values.copy()
    values.flags.writeable = False
    return values


def rng_mask(values, rng):
    mask = np.zeros(values.shape, bool)
    mask.flat[rng.randrange(values.size)] = True
    return mask


def real_array(values):
    """The array of floats that something is, element by element, or REFUSE."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.getmaskarray(values).any():
        return REFUSE
    if isinstance(values, (str, bytes, dict, set, types.GeneratorType, map)) or values is None:
        return REFUSE
    try:
        data = np.asarray(values) if isinstance(values, np.ndarray) else np.array(values, dtype=object)
        if isinstance(values, np.ndarray) and values.dtype.kind not in "biufcO":
            return REFUSE
        if data.size > 1_000_000:
            return REFUSE
        found = [real(item) for item in data.ravel().tolist()] if data.dtype.kind != "g" else [float(item) for item in data.ravel()]
    except (TypeError, ValueError, OverflowError, RecursionError):
        return REFUSE
    return REFUSE if any(item is REFUSE for item in found) else np.array(found, float).reshape(data.shape)
