#!/usr/bin/env python3
"""Builds the directory that a power failure leaves behind, from a record of system calls (preload/call_record.hpp).

Usage: power_loss.py count RECORD                           number of calls in the record
       power_loss.py build RECORD ROOT POINT SEED TARGET [--begin DIR] [--deaf TEXT]

`build` makes TARGET what the directory ROOT may be after a failure behind the first POINT calls, and prints how the
unsynced part was treated and how many rounds had surely been committed. At the beginning ROOT was empty or, with --begin,
a copy of DIR. What was synced is there. Of what was not, chosen by SEED:
- each write and truncation of a file is kept, dropped, or torn: some of its sectors of 512 bytes are kept;
- of the changes of names in a directory the first few are kept, in their order.
Files that end in -shm are not durable. With --deaf, syncs of files whose name contains TEXT are taken as not made: what
a program looks like that forgets them.
"""

import argparse
import pathlib
import random
import sqlite3
import tempfile

from disk_model import replay


def with_paths(words):
    return [pathlib.PurePosixPath(word) if word.startswith("/") else word for word in words]


def read_record(file):
    """The calls of a record, each a list of its words with paths as such; the last of a write is its bytes."""
    calls, data, at = [], pathlib.Path(file).read_bytes(), 0
    while at < len(data):
        end = data.index(b"\n", at)
        words = with_paths(data[at:end].decode().split("\t"))
        at = end + 1
        if words[0] == "write":
            length = int(words.pop())
            words.append(data[at : at + length])
            at += length + 1
        calls.append(words)
    return calls


def write_directory(content, root, target):
    for path, data in content.items():
        place = target / path.relative_to(root)
        if data is None:
            place.mkdir(parents=True, exist_ok=True)
        else:
            place.write_bytes(data)


def committed_rounds(directory):
    """Rounds in the databases below a directory, which is changed by reading it."""
    total = 0
    for database in directory.rglob("campaign.sqlite"):
        connection = sqlite3.connect(database)
        total += connection.execute("SELECT coalesce(sum(rounds), 0) FROM realizations").fetchone()[0]
        connection.close()
    return total


def last_commit(calls, point):
    """Calls up to the last sync behind which the program had gone on, not counting those of checkpoints."""
    descriptors, commit, candidate = {}, 0, None
    for number, (kind, *arguments) in enumerate(calls[:point]):
        if kind == "open":
            descriptors[arguments[0]] = arguments[2]
        if kind == "sync" and not descriptors[arguments[0]].name.endswith((".tmp", "-journal", "checkpoints")):
            candidate = number + 1
        elif kind != "sync" and candidate is not None:
            commit = candidate
    return commit


def build(calls, root, point, seed, target, begin, deaf):
    """Returns the treatment of what was not synced, and the rounds that must be there."""
    rng = random.Random(f"{point} {seed}")
    treatment = rng.choice(["none", "all", "some", "some", "some"])
    write_directory(replay(calls[:point], root, begin, deaf).after_failure(treatment, rng), root, target)
    with tempfile.TemporaryDirectory() as scratch:
        whole = pathlib.Path(scratch)
        write_directory(replay(calls[: last_commit(calls, point)], root, begin).after_failure("all", rng), root, whole)
        return treatment, committed_rounds(whole)


def main():
    parser = argparse.ArgumentParser()
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("count").add_argument("record")
    one = verbs.add_parser("build")
    one.add_argument("record")
    one.add_argument("root", type=pathlib.PurePosixPath)
    one.add_argument("point", type=int)
    one.add_argument("seed", type=int)
    one.add_argument("target", type=pathlib.Path)
    one.add_argument("--begin", type=pathlib.Path)
    one.add_argument("--deaf", default="")
    given = parser.parse_args()
    calls = read_record(given.record)
    if given.verb == "count":
        print(len(calls))
        return
    treatment, rounds = build(calls, given.root, given.point, given.seed, given.target, given.begin, given.deaf)
    print(treatment, rounds)


if __name__ == "__main__":
    main()
