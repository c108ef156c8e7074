"""Calls of the Python package with hostile arguments, many in one process: a line with a seed comes in, a line with what was
seen goes out.

Usage: python_server.py PROGRAM SOURCES DIRECTORY     DIRECTORY holds the campaign c, its exports and a folder work
"""

import contextlib
import dataclasses
import io
import json
import os
import random
import re
import shutil
import signal
import sys
import traceback
import warnings

sys.dont_write_bytecode = True
sys.path[:0] = [sys.argv[2]]
import glassworks
import numpy as np
import python_calls
import python_create
from python_values import REFUSE

SECONDS = 20
SENTENCE = re.compile(r"^.*\S.*\. [A-Z`'\"0-9-].*[.:?]$")
CONTROL = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\udc80-\udcff]")
CALLS = [call for call in python_calls.CALLS + python_create.CALLS for _ in range(call.weight)]


class Hang(BaseException):
    pass


def ring(number, frame):
    raise Hang


class Environment:
    """What the calls work with."""

    def __init__(self):
        self.campaign = glassworks.Campaign("../c", "../program")
        self.export = glassworks.Export("../e/campaign.h5")
        self.bins, self.averages, self.observable = self.campaign.bins(4, 0), self.campaign.averages(4), self.campaign.observable("energy")
        self.rounds = self.campaign.progress().rounds


def renew():
    """The folder where the calls work, with a few things in it."""
    for entry in os.scandir("."):
        shutil.rmtree(entry.path, ignore_errors=True) if entry.is_dir(follow_symlinks=False) else os.remove(entry.path)
    for name in ("folder",):
        os.mkdir(name)
    for name in ("fifo", "folder/fifo"):
        os.mkfifo(name)
    with open("file", "w") as file:
        file.write("x\n")
    with open("bad.csv", "w") as file:
        file.write("L,T,observable,mean,error\n4,x,energy,1,1\n")
    for name, target in (("link", "../c"), ("loop", "loop"), ("link-to-folder", "folder")):
        os.symlink(target, name)


def listing(folder):
    """Everything below a folder, with sizes and times; not what readers of a database leave beside it."""
    seen = {}
    for place, folders, files in os.walk(folder):
        for name in folders + files:
            if not name.endswith(("-shm", "-wal")):
                found = os.lstat(os.path.join(place, name))
                seen[os.path.join(place, name)] = (found.st_mode, found.st_size, 0 if name in folders else found.st_mtime_ns)
    return seen


def same(one, other):
    if dataclasses.is_dataclass(one):
        return type(one) is type(other) and all(same(getattr(one, field.name), getattr(other, field.name)) for field in dataclasses.fields(one))
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        one, other = np.asarray(one), np.asarray(other)
        return one.shape == other.shape and (one == other)[~((one != one) & (other != other))].all() if one.dtype.kind in "fiub" else one.tolist() == other.tolist()
    if isinstance(one, (list, tuple)):
        return type(one) is type(other) and len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return isinstance(other, dict) and list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    return one == other or one != one and other != other


def bad_message(error):
    text = str(error)
    if control := CONTROL.search(text):
        return f"{control[0]!r} in {text[max(control.start() - 60, 0) : control.start() + 60]!r}"
    first, *rest = text.split("\n")
    if not SENTENCE.match(first) or any(line.strip() and not line.startswith("  ") for line in rest):
        return f"no sentence: {text[:300]!r}"
    return ""


def case(env, seed):
    """(title, failures) of one call."""
    rng = random.Random(seed)
    call = rng.choice(CALLS)
    given = {name: parameter.good(env) for name, parameter in call.parameters.items()}
    hostile = rng.sample(list(given), min(len(given), rng.choice([1, 1, 1, 2])))
    labels = []
    for name in hostile:
        label, given[name] = call.parameters[name].hostile(rng, env)
        labels.append(f"{name} = {label}")
    if call.name in ("Bins.check", "verify of a manifest"):  # both parts belong together
        for name in set(given) - set(hostile):
            label, given[name] = call.parameters[name].hostile(rng, env)
            labels.append(f"{name} = {label}")
        hostile = list(given)
    title = f"{call.name}({', '.join(labels)})"
    if call.name == "Campaign.run":
        shutil.copytree("../c", "copy")
    if call.name.startswith("Campaign.create") and str(given.get("directory")) in ("", "."):
        given["directory"] = "new"
    top = {entry.name for entry in os.scandir(".")}
    before = {name: listing(name) for name in ("../c", "../e", "../p", "../tables", "folder")} | {"..": sorted(os.listdir(".."))}
    vars(env).pop("ran", None)
    failures = list(attempt(env, call, given, hostile, top))
    for name, seen in before.items():
        now = sorted(os.listdir("..")) if name == ".." else listing(name)
        if now != seen and not (name == "folder" and call.name.startswith("Campaign.create")):
            failures.append(("outside", f"{name}: {sorted(set(map(str, now)) ^ set(map(str, seen)))[:5]}"))
    return title, failures


def attempt(env, call, given, hostile, top):
    signal.alarm(SECONDS)
    try:
        with warnings.catch_warnings(record=True) as seen, contextlib.redirect_stderr(io.StringIO()):
            warnings.simplefilter("always")
            result = call.function(env, **given)
    except glassworks.GlassworksError as error:
        if problem := bad_message(error):
            yield "message", problem
        if call.name.startswith("Campaign.create") and {entry.name for entry in os.scandir(".")} - top and not hasattr(env, "ran"):
            yield "left behind", f"{sorted({entry.name for entry in os.scandir('.')} - top)} of a campaign that was refused"
        return
    except Hang:
        yield "hang", f"no end after {SECONDS} s"
        return
    except call.raises:
        return
    except BaseException as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        yield "exception", f"{type(error).__name__}: {str(error)[:200]!r} ({os.path.basename(place.filename)}, {place.name})"
        return
    finally:
        signal.alarm(0)
    for warning in seen:
        if "invalid value" in str(warning.message):  # inf - inf
            continue
        yield "warning", f"{warning.category.__name__}: {str(warning.message)[:150]}"
    if call.check:
        yield from call.check(env, given, result)
    else:
        yield from as_plain(env, call, given, hostile, result)
    made = {entry.name for entry in os.scandir(".")} - top - {"copy"}
    named = given.get("directory")
    allowed = {os.path.normpath(os.fspath(named)).split("/")[0]} if call.name.startswith("Campaign.create") and isinstance(named, (str, os.PathLike)) else set()
    if made - allowed and not os.path.isabs(os.fspath(named) if allowed else ""):
        yield "another directory", f"{sorted(made - allowed)}"


def as_plain(env, call, given, hostile, result):
    """A hostile value may be taken for a plain one, if the result is the same."""
    plain = dict(given)
    for name in hostile:
        plain[name] = call.parameters[name].meaning(given[name])
        if plain[name] is REFUSE:
            yield "accepted", f"{name} = {given[name]!r:.100}"
            return
    try:
        wanted = call.function(env, **plain)
    except glassworks.GlassworksError as error:
        yield "accepted", f"{given!r:.200}, but not {plain!r:.200}: {error}"
        return
    if not same(result, wanted):
        yield "silently different", f"{given!r:.200} gives {result!r:.200}, {plain!r:.200} gives {wanted!r:.200}"


def main():
    os.chdir(os.path.join(sys.argv[3], "work"))
    os.environ["HOME"] = os.getcwd()
    os.environ["GLASSWORKS"] = sys.argv[1]
    signal.signal(signal.SIGALRM, ring)
    out = os.fdopen(os.dup(1), "w", errors="backslashreplace")
    os.dup2(2, 1)
    env = Environment()
    for line in sys.stdin:
        renew()
        try:
            title, failures = case(env, int(line))
        except Exception:
            title, failures = "", [("fuzzer", traceback.format_exc())]
        print(json.dumps([title, failures]), file=out, flush=True)


if __name__ == "__main__":
    main()
