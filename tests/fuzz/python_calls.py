"""Functions and methods of the Python package with their parameters: a good value, hostile ones, and what each may mean."""

import dataclasses
import json
import math
import os
import pathlib
import shutil

import glassworks
import numpy as np
import python_values as values
from python_values import REFUSE

NAMES = ("energy", "xi_over_L", "overlap_2")


@dataclasses.dataclass
class Parameter:
    """good(env) is a good value; hostile(rng, env) makes (what it is, a hostile one); meaning(value) is the plain value that a
    hostile one may be taken for, or REFUSE."""

    good: object
    hostile: object
    meaning: object


@dataclasses.dataclass
class Call:
    name: str
    function: object  # function(env, **values)
    parameters: dict
    check: object = None  # check(env, values, result): failures beside a result that differs from that of plain values
    weight: int = 1
    raises: tuple = ()  # documented exceptions beside GlassworksError


def pool(rng, env):
    return values.any_value(rng)


def size(optional=False):
    return Parameter(lambda env: 4, pool, lambda value: None if optional and value is None else values.whole(value))


def number(good):
    return Parameter(lambda env: good, pool, values.whole)


def a_real(good):
    return Parameter(lambda env: good, pool, values.real)


def name(good="energy", optional=False):
    return Parameter(lambda env: good, pool, lambda value: None if optional and value is None else values.text(value))


PATHS = ["{}", "{}/", "{} ", " {}", "{}\n", "{}\0", "{}//", "{}/.", "./{}", "{}/../{}", "{}/missing", "{}x", "\t{}", "'{}'", "{}\x1b[2J"]
PLACES = ["link", "loop", "fifo", "file", "folder", "", ".", "..", "missing", "\0", "x" * 300, "x/" * 3000, "\udcff", "a\nb", "~", "*", "link/",
          "link/campaign.sqlite", "fifo/x", "file/x", "-", "--help", "folder/fifo",
          "/proc/self/mem", "/dev/zero", "node", "bad.csv"]


def a_path(*kinds):
    """Of something that is there, given as ../NAME; any other one must be refused."""
    def hostile(rng, env):
        which = rng.randrange(10)
        known = rng.choice(kinds)
        if which < 4:
            text = rng.choice(PATHS).replace("{}", known)
        elif which < 7:
            text = rng.choice(PLACES)
        elif which < 8:
            return f"absolute {known}", os.path.abspath(known)
        else:
            return rng.choice([("Path", pathlib.Path(known)), ("bytes", known.encode()), ("Place", values.Place(known)),
                               ("Place of bytes", values.Place(known.encode())), ("np.str_", np.str_(known)),
                               ("list", [known]), ("tuple", (known,)), values.any_value(rng), values.any_value(rng)])
        return repr(text[:60]), rng.choice([str, str, str, safe_path])(text)

    def meaning(value):
        named = values.path(value)
        if named is REFUSE or "\0" in named or not os.path.exists(str(pathlib.Path(named))):
            return REFUSE
        named = str(pathlib.Path(named))
        return named if any(os.path.realpath(named) == os.path.realpath(known) for known in kinds) else REFUSE
    return Parameter(lambda env: kinds[0], hostile, meaning)


def a_program():
    """A bare name is one of PATH."""
    place = a_path("../program")

    def meaning(value):
        named = values.path(value)
        bare = str(pathlib.Path(named)) if named is not REFUSE and "\0" not in named else "/"
        return bare if "/" not in bare and shutil.which(bare) else place.meaning(value)
    return Parameter(place.good, place.hostile, meaning)


def safe_path(text):
    return pathlib.Path(text)


def an_array(good):
    return Parameter(lambda env: good.copy(), lambda rng, env: values.spoiled(good, rng), values.real_array)


SERIES = np.array([[0.5, 1.25, -2.0], [1.0, -0.75, 0.25], [3.0, 0.125, 1.5], [-1.0, 0.5, 0.75]])


def expected_jackknife(data, blocks):
    n = len(data)
    m = min(blocks, n)
    if m == 1:
        return data.mean(axis=0), math.nan
    parts = [np.delete(data, slice(s * n // m, (s + 1) * n // m), axis=0).mean(axis=0) for s in range(m)]
    return data.mean(axis=0), np.sqrt((m - 1) / m * ((np.array(parts) - np.mean(parts, axis=0)) ** 2).sum(axis=0))


def check_jackknife(env, given, result):
    data, blocks = values.real_array(given["data"]), values.whole(given["blocks"])
    if data is REFUSE or blocks is REFUSE or blocks < 1 or data.ndim < 1 or len(data) == 0:
        yield "accepted", "values that cannot be averaged"
        return
    with np.errstate(all="ignore"):
        wanted = expected_jackknife(data, blocks)
    if not all(np.allclose(a, b, rtol=1e-9, atol=1e-12 * max(1.0, float(np.nanmax(np.abs(data), initial=0)) if np.isfinite(data).all() else 1.0),
                           equal_nan=True) for a, b in zip(result, wanted)):
        yield "silently different", f"jackknife is {result!r}, not {wanted!r}"


def check_xi(env, given, result):
    zero, kmin, L = (values.real(given[key]) for key in ("zero", "kmin", "L"))
    if REFUSE in (zero, kmin, L):
        yield "accepted", "no real numbers"
    elif L > 0 and kmin > 0 and zero >= kmin and all(map(math.isfinite, (zero, kmin, L))):
        wanted = math.sqrt(zero / kmin - 1) / (2 * L * math.sin(math.pi / L)) if math.sin(math.pi / L) else math.nan
        if not (math.isnan(result) or math.isclose(result, wanted, rel_tol=1e-9)):
            yield "silently different", f"xi_over_L is {result!r}, not {wanted!r}"
    elif not math.isnan(result) and not math.isinf(result):
        yield "accepted", f"xi_over_L is {result!r} where it is not defined"


def opened(env, path):
    data = glassworks.open(path)
    try:
        return type(data).__name__, data.sizes, data.bins(4, 0).means
    finally:
        data.close()


def replaced(env, field, value):
    bins = dataclasses.replace(env.bins, **{field: value})
    bins.check()
    return None


def a_field():
    """A field of Bins, and another array in its place."""
    fields = [field.name for field in dataclasses.fields(glassworks.Bins) if field.name not in ("L", "realization", "status", "columns", "sample_columns")]
    return Parameter(lambda env: "means", lambda rng, env: (rng.choice(fields),) * 2, lambda value: value)


def field_value():
    return Parameter(lambda env: env.bins.means, lambda rng, env: rng.choice([values.any_value,
                                                                              lambda rng: values.spoiled(env.bins.means[0], rng)])(rng), lambda value: value)


def manifest_call(env, path, value):
    """A copy of the export with another value in its manifest."""
    folder = pathlib.Path("copy")
    shutil.copytree("../tables", folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    at = manifest
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    (folder / "manifest.json").write_text(json.dumps(manifest))
    glassworks.verify(folder)


MANIFEST_PATHS = [("files",), ("files", 0), ("files", 0, "name"), ("files", 0, "size"), ("files", 0, "digest"), ("files", 1, "name"), ("sizes",),
                  ("sizes", 0), ("sizes", 0, "L"), ("digest",), ("format",),
                  ("format_version",)]
JSON_VALUES = [None, True, 0, -1, 1e308, "", "x", "../../results.csv", "/dev/zero", "../fifo", ".", "..", "x" * 1000, "\0", "\x1b[2J", [], {}, [[]],
               [None], 10**400, 0.5, "0" * 32, ["name"], {"name": "x"}, "results.csv "]


def check_manifest(env, given, result):
    if given["path"][0] == "files" and given["path"][-1] in ("name", "digest", "size"):
        yield "accepted", f"{given['path']} = {given['value']!r} in a manifest"


def result_of(kind):
    """Calls of a campaign or an export, which share them."""
    def data(env):
        return getattr(env, kind)
    return [
        Call(f"{kind}.temperatures", lambda env, L: data(env).temperatures(L), {"L": size()}),
        Call(f"{kind}.table", lambda env, L: data(env).table(L), {"L": size()}),
        Call(f"{kind}.realizations", lambda env, L: data(env).realizations(L), {"L": size()}),
        Call(f"{kind}.bins", lambda env, L, realization: data(env).bins(L, realization), {"L": size(), "realization": number(1)}, weight=4),
        Call(f"{kind}.averages", lambda env, L: data(env).averages(L), {"L": size()}),
        Call(f"{kind}.observables", lambda env, L: data(env).observables(L), {"L": size(True)}, weight=2),
        Call(f"{kind}.observable", lambda env, L, name: data(env).observable(L, name), {"L": size(True), "name": name()}, weight=3),
        Call(f"{kind}.observable of all", lambda env, name: data(env).observable(name), {"name": name()}, weight=2),
        Call(f"{kind}.observable by name", lambda env, name: data(env).observable(name=name), {"name": name()}),
    ]


CALLS = [
    *result_of("campaign"), *result_of("export"),
    Call("export.samples", lambda env, L, name: env.export.samples(L, name), {"L": size(), "name": name()}),
    Call("export.covariance", lambda env, L, name, other: env.export.covariance(L, name, other),
         {"L": size(), "name": name(), "other": name("xi_over_L", True)}, weight=2),
    Call("Bins.column", lambda env, name: env.bins.column(name), {"name": name()}),
    Call("Bins.sample_column", lambda env, name: env.bins.sample_column(name), {"name": name("energy")}),
    Call("Bins.check", replaced, {"field": a_field(), "value": field_value()}, lambda env, given, result: [],
         raises=(ValueError, TypeError, AttributeError, IndexError)),  # of what is no array at all
    Call("Averages.column", lambda env, name: env.averages.column(name), {"name": name()}),
    Call("Averages.modes", lambda env, family, axes, multiple: env.averages.modes(family, axes, multiple),
         {"family": name("overlap_2"), "axes": number(1), "multiple": number(1)}, weight=2),
    Call("Observable.of", lambda env, L: env.observable.of(L), {"L": size()}, weight=2),
    Call("jackknife", lambda env, data, blocks: glassworks.jackknife(data, lambda mean: mean, blocks),
         {"data": an_array(SERIES), "blocks": number(3)}, check_jackknife, weight=6),
    Call("jackknife of a function", lambda env, f: glassworks.jackknife(SERIES, f),
         {"f": Parameter(lambda env: np.sum, pool, lambda value: value if callable(value) else REFUSE)},
         raises=(TypeError, ValueError, ArithmeticError)),
    Call("xi_over_L", lambda env, zero, kmin, L: glassworks.xi_over_L(zero, kmin, L), {"zero": a_real(3.0), "kmin": a_real(1.5), "L": a_real(8)},
         check_xi, weight=4),
    Call("read_results", lambda env, path: glassworks.read_results(path), {"path": a_path("../results.csv")}, weight=2),
    Call("open", opened, {"path": a_path("../c", "../e", "../p", "../c/campaign.sqlite", "../e/campaign.h5")}, weight=4),
    Call("verify", lambda env, path: glassworks.verify(path), {"path": a_path("../e", "../p", "../tables")}, weight=2),
    Call("verify of a manifest", manifest_call, {"path": Parameter(lambda env: ("format",), lambda rng,
                                                                   env: (str(path := rng.choice(MANIFEST_PATHS)), path), lambda value: value),
                                                 "value": Parameter(lambda env: "x", lambda rng,
                                                                    env: (repr(value := rng.choice(JSON_VALUES))[:60], value), lambda value: value)},
                                                                    check_manifest, weight=2),
    Call("Export", lambda env, path: glassworks.Export(path).sizes, {"path": a_path("../e/campaign.h5", "../p/campaign.h5")}, weight=2),
    Call("Campaign", lambda env, path: glassworks.Campaign(path).sizes, {"path": a_path("../c", "../c/campaign.sqlite")}, weight=2),
    Call("Campaign with a program", lambda env, executable: glassworks.Campaign("../c", executable).progress().converged, {"executable": a_program()}),
    Call("find_program", lambda env, executable: glassworks.find_program(executable), {"executable": a_program()}, weight=2),
]
