"""Campaigns that the Python package creates and runs, with hostile directories, configurations and couplings."""

import decimal
import math
import os
import pathlib
from collections.abc import Mapping

import glassworks
import numpy as np
import python_values as values
from python_calls import Call, Parameter, pool, safe_path
from python_values import REFUSE

CONFIG = {"campaign.seed": 7, "model.type": "ising", "model.dim": 2, "model.L": 4, "disorder.realizations": 2, "ladder.temperatures": [1.0, 1.5, 2.5],
          "round.measurements": 3, "backend.threads": 1,
          "backend.kind": "cpu", "convergence": {"min_rounds": 1, "max_rounds": 2, "n_tau": 0, "equilibration_tau": 0, "min_round_trips": 0}}
DIRECTORIES = ["new", "new/", "new/sub/deep", "./new", "new ", " new", "new\t", "new\n", "a\nb", "new.", "~/new", "new#1", "a=b", "a,b", "'new'",
               '"new"', "-new", "--new", "n\u00e9", "\udcff", "x" * 255, "x" * 256,
               "a/" * 2000, "a\0b", "", ".", "file", "folder", "link-to-folder", "loop", "fifo", "fifo/x", "file/x", "[new]", "$HOME", "*", "%s{}",
               "\x1b[2J", "new\r", "new\x0b", "new\u2028x", "new\x85", "\u00a0new",
               "new\\", "a;b", "a b", "..new", "...", "folder/new/", "folder//new", "folder/../new"]
COUPLINGS = np.array([[0.5, -1.25, 0.1, 2.0] * 4, [-0.5, 1.0, 0.3, -2.0] * 4])
KEYS = ["model.L\n", "model.L = 6\nx", "#model.L", "model.L#", "[model]", " model.L ", "model. L", "", "=", "model.L=6", "MODEL.L", None, 4,
        b"model.L", ("model", "L"), "model.couplings_file", "\x1b[2J", np.str_("model.q"), "--help",
        "model.unknown", "model", "a\0b", "model.L\r", "model\u2028L", "\udcff", True, 1.5, ".", "..", "model.", ".L", "campaign.directory"]
SETTABLE = ["campaign.seed", "model.L", "model.dim", "disorder.realizations", "ladder.temperatures", "round.measurements", "backend.threads",
            "backend.kind", "model.type", "model.lambda", "model.couplings_mean", "campaign.note",
            "model.couplings_file", "model.boundary", "convergence.n_tau", "convergence", "model", "campaign.directory", "model.field_strength",
            "protocol.sweeps_per_exchange"]
TEXTS = ["{}", "{}\n", "\ufeff{}", "{}\0", "{}model.L = 6\n", "{}[model]\nL = 4\n", "{}[\n", "{}x\n", "{}=\n", "{}= 4\n", "{}\x0bmodel.q = 3\n",
         "{}\u2028model.q = 3\n", "{}\x85model.q = 3\n", "{}campaign.note = a\x1cb\n", "{}\x1b[2J\n",
         "{}campaign.note = \udcff\n", "{}# x", "{}campaign.note = x # y\n", "{}[model]x\n", "{}[[model]]\n", "{}campaign.note = [x]\n",
         "{}[campaign] note = x\n", "{}\r\n", "{}campaign.note =\n", "{}CAMPAIGN.SEED = 8\n"]


def a_directory():
    def hostile(rng, env):
        if rng.random() < 0.25:
            return rng.choice([("bytes", b"new"), ("Place", values.Place("new")), ("Place of bytes", values.Place(b"new")),
                               ("np.str_", np.str_("new")), ("absolute", os.path.abspath("new")), ("3", 3), values.any_value(rng),
                               ("Path with a blank", pathlib.Path("new "))])
        text = rng.choice(DIRECTORIES)
        return repr(text[:60]), rng.choice([str, str, safe_path])(text)
    return Parameter(lambda env: "new", hostile, values.path)


def plain_config():
    return {key: dict(value) if isinstance(value, dict) else value for key, value in CONFIG.items()}


def a_config():
    def hostile(rng, env):
        how, config = rng.randrange(10), plain_config()
        if how < 6:
            key = rng.choice(SETTABLE)
            label, value = rng.choice([values.any_value, values.any_value, lambda rng: values.spoiled(np.array([1.0, 1.5, 2.5]), rng)])(rng)
            config[key] = value
            return f"{key} = {label}", config
        if how < 8:
            key = rng.choice(KEYS)
            config[key] = rng.choice([4, "4", "x"])
            return f"key {key!r}", config
        if how < 9:
            text = "".join(f"{key} = {value}\n" for key, value in texts(config).items())
            shape = rng.choice(TEXTS)
            return f"text {shape!r}", shape.replace("{}", text)
        return values.any_value(rng)
    return Parameter(lambda env: plain_config(), hostile, lambda value: value)


def texts(config):
    """The keys that a configuration holds with their values, as texts; REFUSE as a value that cannot be one."""
    if not isinstance(config, Mapping):
        return {}
    result = {}
    for key, value in config.items():
        parts = {f"{key}.{name}": part for name, part in value.items()} if isinstance(value, Mapping) else {key: value}
        for name, part in parts.items():
            result[name] = shown(part)
    return result


def shown(value, depth=0):
    if isinstance(value, np.ma.MaskedArray) and np.ma.getmaskarray(value).any():
        return REFUSE
    if isinstance(value, np.ndarray) and value.dtype.kind not in "iufOUS":
        return REFUSE
    if isinstance(value, (list, tuple, np.ndarray)):
        if depth > 1 or isinstance(value, np.ndarray) and value.size > 1000:
            return REFUSE
        items = [shown(item, depth + 1) for item in (value if not isinstance(value, np.ndarray) or value.ndim else [value[()]])]
        return REFUSE if REFUSE in items else ", ".join(items)
    if isinstance(value, (str, os.PathLike)):
        text = values.path(value)
        return text if text is not REFUSE and not any(c in text for c in "#\n\r\0") else REFUSE
    if isinstance(value, (bool, np.bool_, complex, np.complexfloating, np.datetime64, np.timedelta64, bytes, decimal.Decimal)):
        return REFUSE
    number = values.real(value)
    try:
        return REFUSE if number is REFUSE else str(int(value)) if float(value).is_integer() and abs(number) < 1e15 else str(value)
    except (TypeError, ValueError, OverflowError):
        return REFUSE


def alike(one, other):
    """Whether two texts are the same values."""
    one, other = ([item.strip() for item in text.split(",")] for text in (one, other))
    if len(one) != len(other):
        return False
    for a, b in zip(one, other):
        try:
            if not (float(a) == float(b) or math.isnan(float(a)) and math.isnan(float(b)) or math.isclose(float(a), float(b), rel_tol=1e-15)):
                return False
        except ValueError:
            if a != b:
                return False
    return True


def a_coupling():
    def hostile(rng, env):
        how = rng.randrange(10)
        if how < 6:
            good = rng.choice([COUPLINGS, COUPLINGS, COUPLINGS.reshape(2, 4, 4), np.array([COUPLINGS, COUPLINGS[::-1]])])
            return values.spoiled(good, rng)
        if how < 9:
            keys = rng.choice([[0, 1], [np.int64(0), 1], [0.0, 1.0], [False, True], ["0", "1"], [0], [1, 2], [-1, 0], [0, 2**64], [0, None],
                               [0, 1, 2], [], [(0,), (1,)], [b"0", b"1"], [np.nan, 0]])
            label, part = values.spoiled(COUPLINGS, rng) if rng.random() < 0.4 else ("good", COUPLINGS)
            return f"{{{keys}: {label}}}", {key: part if i == 0 else COUPLINGS for i, key in enumerate(keys)}
        return values.any_value(rng)
    return Parameter(lambda env: COUPLINGS.copy(), hostile, lambda value: value)


def create(env, directory, config, couplings=None):
    return glassworks.Campaign.create(directory, config, couplings, executable="../program")


def create_and_run(env, directory, config, couplings=None):
    campaign = create(env, directory, config, couplings)
    with campaign:
        env.ran = campaign.run().wait()
        campaign.close()
    return campaign


def check_created(env, given, result):
    """The campaign is where it was wanted, with the configuration and the couplings that were given."""
    named = values.path(given["directory"])
    if named is REFUSE:
        yield "accepted", f"a directory {given['directory']!r}"
        return
    place = os.path.join(os.getcwd(), named)
    if not os.path.isfile(os.path.join(place, "campaign.cfg")):
        yield "another directory", f"no campaign.cfg in {named!r}; there is {sorted(os.listdir('.'))}"
        return
    if hasattr(env, "ran") and not os.path.isfile(os.path.join(place, "campaign.sqlite")):
        yield "another directory", f"no campaign.sqlite in {named!r}; there is {sorted(os.listdir('.'))}"
    with open(os.path.join(place, "campaign.cfg"), encoding="utf-8", errors="surrogateescape", newline="") as file:
        pairs = [line.partition("=")[::2] for line in file.read().split("\n") if line]
    found = {key.strip(): value.strip() for key, value in pairs}
    if isinstance(given["config"], Mapping):
        wanted = texts(given["config"])
        wanted.pop("campaign.directory", None)
        for key, value in wanted.items():
            if value is REFUSE:
                yield "accepted", f"{key!r} = {given['config'].get(key)!r}: {found.get(str(key))!r}"
            elif not isinstance(key, str) or key.strip() not in found:
                yield "silently different", f"{key!r} is not in {sorted(found)}"
            elif key not in ("model.couplings_file", "model.field_file", "disorder.realizations") and not alike(value, found[key.strip()]):
                yield "silently different", f"{key!r} = {value!r} became {found[key.strip()]!r}"
        if more := sorted(set(found) - {str(key).strip() for key in wanted} - {"model.couplings", "model.couplings_file", "disorder.realizations"}):
            yield "silently different", f"keys that nobody gave: {more}"
    if given.get("couplings") is not None:
        yield from check_couplings(place, given["couplings"])


def check_couplings(place, couplings):
    if isinstance(couplings, Mapping):
        parts = [values.real_array(part) for _, part in sorted(couplings.items(), key=lambda item: float(item[0]))]
        if any(values.whole(key) is REFUSE for key in couplings):
            yield "accepted", f"realizations {list(couplings)!r}"
            return
    else:
        whole = values.real_array(couplings)
        parts = [REFUSE] if whole is REFUSE else [whole] if whole.size == 32 else list(whole)
    if any(part is REFUSE for part in parts):
        yield "accepted", "couplings that are no real numbers"
        return
    names = ["couplings.txt"] if len(parts) == 1 else [f"couplings/L004-r{r:06}.txt" for r in range(len(parts))]
    for name, part in zip(names, parts):
        try:
            with open(os.path.join(place, name)) as file:
                lines = [line.split() for line in file if not line.startswith("#")]
        except OSError:
            yield "silently different", f"there is no {name}"
            continue
        found = np.zeros((2, 16))
        for site, axis, J in lines:
            found[int(axis), int(site)] = float(J)
        if not np.array_equal(found, part.reshape(2, 16)):
            yield "silently different", f"{name} has other couplings"


def run_again(env, overrides, time_limit, interval):
    """A campaign that is finished, run again."""
    with glassworks.Campaign("copy", "../program") as campaign:
        return [(progress.rounds, progress.finished) for progress in campaign.run(overrides, time_limit=time_limit, interval=interval)][-1]


def an_override():
    def hostile(rng, env):
        if rng.random() < 0.3:
            return values.any_value(rng)
        label, value = values.any_value(rng)
        key = rng.choice([*KEYS, "backend.threads", "backend.threads", "convergence.max_rounds", "backend.kind", "campaign.directory", "time-limit",
                          "dry-run", "campaign.note", "model.L"])
        return f"{{{key!r}: {label}}}", {key: value}
    return Parameter(lambda env: {"backend.threads": 1}, hostile, lambda value: value)


def check_run(env, given, result):
    if not result[1] or result[0] != env.rounds:
        yield "without the work", f"{result}, which should be {env.rounds} rounds"


CREATE = {"directory": a_directory(), "config": a_config(), "couplings": a_coupling()}
CALLS = [
    Call("Campaign.create", create, {"directory": CREATE["directory"], "config": CREATE["config"]}, check_created, weight=14),
    Call("Campaign.create with couplings", create, CREATE, check_created, weight=14),
    Call("Campaign.create and run", create_and_run, CREATE, check_created, weight=4),
    Call("Campaign.run", run_again, {"overrides": an_override(), "time_limit": Parameter(lambda env: None, pool, lambda value: value),
                                     "interval": Parameter(lambda env: 1.0, pool, lambda value: value)}, check_run, weight=6),
]
