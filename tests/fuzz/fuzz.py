#!/usr/bin/env python3
"""Structured fuzzing of the program: hostile campaigns, inputs, arguments and surroundings; every verb; strict oracles.

Usage: fuzz.py EXECUTABLE SCRATCH [--seed N] [--seconds S | --cases N] [--jobs J] [--only TARGET,...] [--case ID ...]

Campaigns to start from are made by the program itself. Each case is a pure function of seed and ID (TARGET-NUMBER), so
that `--seed N --case ID` repeats it. A case puts a folder in place (world.py), edits it with checksums made to fit, and
calls one to four commands. Of each it is asked (oracles.py): no signal; an end within 20 s; at most 1 GiB; one sentence and
a status of its own where it fails; no raw text of a library and no control character; nothing touched outside of the
campaign; after a run that ended well the digests of the campaign that nobody disturbed; a problem seen by `verify`.
Published folders, folders of coupling files, outputs and the Python package (published, couplings, output, python) have
oracles of their own: what is recorded, read, written or returned is right, or refused.

What lies in SCRATCH goes; a folder in memory is used instead where there is some (not with --keep). Exit status 1 if a case failed. --list FILE writes all failures and the slowest commands, --keep leaves SCRATCH there.
"""

import argparse
import collections
import contextlib
import json
import multiprocessing
import os
import random
import re
import shutil
import sqlite3
import sys
import tempfile
import time
import traceback
from queue import Empty

sys.dont_write_bytecode = True  # nothing but the source lies in the source tree
import campaigns
import oracles
import runner
import world as worlds
from cases import DIGESTS, RUN
from cases_arguments import ArgumentTarget
from cases_checkpoint import CheckpointTarget
from cases_couplings import CouplingFolderTarget
from cases_database import DatabaseTarget
from cases_files import FilesTarget
from cases_inputs import ConfigTarget, InputTarget
from cases_output import OutputTarget
from cases_published import PublishedTarget
from cases_python import PythonTarget

INFINITY = float("inf")
OF_CAMPAIGNS = {DatabaseTarget: 5, CheckpointTarget: 2, FilesTarget: 1, ConfigTarget: 2, InputTarget: 2, ArgumentTarget: 2}
OF_FOLDERS = {PublishedTarget: 3, CouplingFolderTarget: 2, PythonTarget: 4, OutputTarget: 3}  # they make their own campaigns


class Fuzzer:
    def __init__(self, program, scratch, seed, only):
        self.program, self.scratch, self.seed = program, scratch, seed
        workshop = campaigns.Workshop(program, os.path.join(scratch, "bases"))
        wanted = {target: weight for target, weight in (OF_CAMPAIGNS | OF_FOLDERS).items() if not only or target.name in only}
        bases = campaigns.make_bases(workshop) if any(target in OF_CAMPAIGNS for target in wanted) else []
        self.targets = {}
        pattern = []
        for target, weight in wanted.items():
            self.targets[target.name] = target(bases, random.Random(f"{target.name} {seed}"), workshop)
            if reason := getattr(self.targets[target.name], "left_out", ""):
                print(f"Left out: {target.name} ({reason}).")
            else:
                pattern.append([target.name] * weight)
        if not pattern:
            sys.exit(77)
        self.pattern = [name for turn in range(max(map(len, pattern))) for name in [names[turn] for names in pattern if turn < len(names)]]

    def id_of(self, i):
        turn, at = divmod(i, len(self.pattern))
        name = self.pattern[at]
        return f"{name}-{turn * self.pattern.count(name) + self.pattern[:at].count(name)}"

    def case(self, case_id):
        name, number = case_id.rsplit("-", 1)
        return self.targets[name].case(int(number), random.Random(f"{self.seed} {case_id}"))

    def check(self, case_id, world, show=False):
        """Runs a case; returns (its title, number of commands, failures as (kind, verb, what was seen))."""
        case = self.case(case_id)
        world.renew()
        if case.base:
            world.write("in/c.cfg", case.base.config)
            world.write("campaigns/c/notes.txt", b"of the user\n")
        if case.build:
            case.build(world)
        if case.inside:
            begin = time.monotonic()
            calls, failures = case.inside(world)
            self.slowest = time.monotonic() - begin, case.title[:60]
            return case.title, calls, failures
        with case.beside(world) if case.beside else contextlib.nullcontext():
            return self._call(case, world, show)

    def _call(self, case, world, show):
        """The commands of a case, in its folder."""
        before, failures = world.fingerprint(), []
        rounds = oracles.committed(world.campaign) if case.base else None
        ended_well, results, self.slowest = False, 0, (0.0, "")
        for command in case.commands:
            if command is DIGESTS and not ended_well and case.commands[-1] is command and results > 1:
                continue
            if command.before:
                command.before(world)
                before = world.fingerprint()
            result = runner.run(self.program, command.arguments, world.out, world.scratch, command.environment, command.lasts)
            results, self.slowest = results + 1, max(self.slowest, (result.seconds, " ".join(command.arguments)[:60]))
            seen = oracles.of_command(result, command, case.title)
            after = world.fingerprint()
            seen += oracles.of_surroundings(before, after, case.may_change)
            before = after
            if case.base:
                seen += self._of_campaign(case, command, result, world, rounds, ended_well)
                ended_well = ended_well or (command.arguments[0] == "run" and result.status in (0, 75))
            if case.judge:
                seen += case.judge(world, command, result)
            verb = command.arguments[0] if command.arguments else "(none)"
            failures += [(kind, verb, detail) for kind, detail in seen]
            if show:
                print(f"$ glassworks {' '.join(map(repr, command.arguments))}\n  status {result.status}, {result.seconds:.2f} s, "
                      f"{result.memory / 2**20:.0f} MiB\n{result.out[-2000:].decode(errors='replace')}{result.err[-3000:].decode(errors='replace')}")
        return case.title, results, failures

    def _of_campaign(self, case, command, result, world, rounds, ended_well):
        verb = command.arguments[0]
        if verb == "verify" and case.seen and result.status == 0 and not ended_well:
            yield "not seen", "verify finds no problem"
        if verb == "run" and result.status in (1, 2) and rounds is not None and oracles.committed(world.campaign) == rounds:
            yield from oracles.of_checkpoints(world.campaign, case)
        if command is RUN and result.status == 75 and not case.waits:
            yield "waits", "nothing is done until the time limit"
        if command is DIGESTS and ended_well and result.status == 0:
            yield from oracles.of_digests(result.out, case, rounds or {})


def work(fuzzer, job, options, queue, begun):
    scratch = os.path.join(fuzzer.scratch, f"job-{job}")
    os.makedirs(scratch, exist_ok=True)
    world, i, parent = worlds.World(scratch), job, os.getppid()
    while os.getppid() == parent and i < options.cases and time.monotonic() < options.end:
        case_id = fuzzer.id_of(i)
        begun[job] = i
        try:
            queue.put((job, (case_id, *fuzzer.check(case_id, world), fuzzer.slowest)))
        except Exception:
            queue.put((job, (case_id, "", 0, [("fuzzer", "fuzz.py", traceback.format_exc())], (0.0, ""))))
        i += options.jobs
    queue.put((job, None))


def collect(jobs, queue, begun, fuzzer, findings):
    """Takes what the jobs find, until all have ended. One that says nothing for long is ended, and its case has failed."""
    heard = dict.fromkeys(range(len(jobs)), time.monotonic())
    while heard:
        try:
            job, found = queue.get(timeout=5)
        except Empty:
            job, found = None, None
        now = time.monotonic()
        if found is not None:
            heard[job] = now
            findings.add(*found)
        elif job is not None:
            del heard[job]
        for silent in [each for each, last in heard.items() if now - last > 10 * runner.WAIT_LIMIT]:
            del heard[silent]
            jobs[silent].kill()
            findings.add(fuzzer.id_of(begun[silent]), "", 0, [("fuzzer", "fuzz.py", "this case does not come to an end")], (0.0, ""))
    for job in jobs:
        job.join()


class Findings:
    def __init__(self):
        self.kinds, self.cases, self.commands, self.failed, self.slow = collections.OrderedDict(), 0, 0, 0, []
        self.of_targets = collections.Counter()

    def add(self, case_id, title, commands, failures, slowest):
        self.slow = sorted([*self.slow, (*slowest, f"{case_id}: {title}")], reverse=True)[:20]
        self.cases += 1
        self.of_targets[case_id.rsplit("-", 1)[0]] += 1
        self.commands += commands
        self.failed += bool(failures)
        for kind, verb, detail in failures:
            self.kinds.setdefault((kind, verb, signature(detail)), []).append((case_id, title, detail))

    def lines(self):
        for (kind, verb, _), found in sorted(self.kinds.items(), key=lambda item: item[0][:2]):
            case_id, title, detail = found[0]
            yield f"{kind}, {verb} ({len(found)} x): {detail.strip()[-1200:]}\n    {case_id}: {title}"


def signature(detail):
    text = re.sub(r"'[^']*'|\"[^\"]*\"", "'...'", detail)
    return re.sub(r"/[^ ,;()]*|[0-9]+|[a-f0-9]{8,}", "#", text)[:90]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("executable")
    parser.add_argument("scratch")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--cases", type=int)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--only", default="")
    parser.add_argument("--case", nargs="+", default=[])
    parser.add_argument("--list")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    if options.cases is None and options.seconds is None:
        options.cases = 1000
    return options


def place(options):
    """The folder to work in: thousands of campaigns are written, for which disks are slow."""
    memory = "/dev/shm"
    if not options.keep and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 1 << 30:
        return tempfile.mkdtemp(prefix="glassworks-fuzz-", dir=memory)
    worlds.remove(options.scratch)
    os.makedirs(options.scratch)
    return os.path.abspath(options.scratch)


def main():
    options = arguments()
    begin = time.monotonic()
    if sqlite3.sqlite_version_info < (3, 37):
        print(f"Skipped: the module sqlite3 of this python3 is too old (SQLite {sqlite3.sqlite_version}; 3.37 is needed).")
        sys.exit(77)
    scratch = place(options)
    fuzzer = Fuzzer(os.path.abspath(options.executable), scratch, options.seed, set(filter(None, options.only.split(","))))
    findings = Findings()
    if options.case:
        world = worlds.World(os.path.join(scratch, "job-0"))
        for case_id in options.case:
            print(f"{case_id}: {fuzzer.case(case_id).title}")
            findings.add(case_id, *fuzzer.check(case_id, world, show=True), fuzzer.slowest)
    else:
        options.end = begin + (options.seconds or INFINITY)
        options.cases = options.cases or INFINITY
        queue = multiprocessing.Queue()
        begun = multiprocessing.Array("q", options.jobs, lock=False)
        jobs = [multiprocessing.Process(target=work, args=(fuzzer, job, options, queue, begun), daemon=True) for job in range(options.jobs)]
        for job in jobs:
            job.start()
        collect(jobs, queue, begun, fuzzer, findings)
    report(findings, fuzzer, options, time.monotonic() - begin)
    if not options.keep:
        worlds.remove(scratch)
    sys.exit(1 if findings.failed else 0)


def report(findings, fuzzer, options, seconds):
    for line in findings.lines():
        print(line)
    if options.list:
        with open(options.list, "w") as file:
            json.dump({"failures": [[*key[:2], found] for key, found in findings.kinds.items()], "slowest": findings.slow}, file, indent=1)
    if findings.failed:
        first = next(iter(findings.kinds.values()))[0][0]
        print(f"Again: python3 {os.path.relpath(__file__)} {options.executable} {options.scratch} --seed {options.seed} --case {first}")
    print("Cases of targets: " + ", ".join(f"{name} {count}" for name, count in sorted(findings.of_targets.items())) + ".")
    print(f"{findings.cases} cases ({findings.commands} commands, {seconds:.0f} s, seed {options.seed}): {findings.failed} failed"
          f"{f', {len(findings.kinds)} different failures' if findings.failed else ''}.")


if __name__ == "__main__":
    main()
