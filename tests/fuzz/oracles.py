"""What every command must keep to, whatever it is given. Each oracle returns (kind, what was seen) for a failure."""

import json
import os
import re
import sqlite3

import runner

RAW = re.compile(rb"terminate called|std::|basic_string|basic_ios|map::at|vector::|_M_|filesystem error|what\(\)|[Aa]ssertion|"
                 rb"Resource temporarily unavailable|Cannot allocate memory|zstd: |boost[: ]|bad_[a-z]|archive: |stod\b|stoi\b|"
                 rb"stream error|iostream|HDF5-DIAG|H5[A-Z]+_|backtrace|Sanitizer|core dumped|gnuplot> |logic_error|length_error|"
                 rb"out_of_range|invalid_argument|SQLITE_[A-Z]|Traceback|[Ee]xception")
CONTROL = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\udc80-\udc9f]")  # the last ones: single bytes that are no UTF-8
SENTENCE = re.compile(r"^glassworks: \S.*\. [A-Z`'\"0-9-].*[.:?]$")
ALLOWED_STATUS = {"run": (0, 1, 2, 75), "verify": (0, 1, 2), "doctor": (0, 1, 2)}


def of_command(result, command, title):
    """Of one command by itself."""
    verb = result.arguments[0] if result.arguments else ""
    failures = [failure for failure in _end(result, verb) if not (command.large and failure[0] == "memory")]
    failures += _texts(result, title)
    if not result.hung and not result.bloated and not (result.asked and result.status in (-15, 130)):
        failures += _message(result, verb)
    if command.refused is not None and not failures:
        failures += _refusal(result, command.refused)
    if command.named is not None and result.status in (1, 2) and not failures:
        failures += _refusal(result, command.named)
    if result.status == 0 and verb == "status" and "--json" in result.arguments:
        try:
            json.loads(result.out)
        except ValueError as error:
            failures.append(("json", f"status --json is no JSON: {error}"))
    return failures


def _end(result, verb):
    if result.hung:
        yield "hang", f"not ended after {result.seconds:.0f} s" + (" (SIGTERM had no effect)" if result.asked else "")
    if result.memory > runner.MEMORY_LIMIT:
        yield "memory", f"{result.memory / 2**30:.1f} GiB"
    if result.status < 0 and not result.hung and not result.bloated and not (result.asked and result.status == -15):
        yield "signal", f"ended by signal {-result.status}"
    elif result.status > 0 and not result.asked and result.status not in ALLOWED_STATUS.get(verb, (0, 1, 2)):
        yield "status", f"status {result.status}"


def _texts(result, title):
    for name, data in (("stdout", result.out), ("stderr", result.err)):
        text = data.decode(errors="replace")
        control = CONTROL.search(data.decode(errors="surrogateescape"))
        if control:
            yield "control", f"{name} has {control[0]!r} in {around(text, control.start())!r}"
        raw = RAW.search(data)
        if raw and raw[0].decode(errors="replace") not in title:
            yield "raw text", f"{name}: {around(text, len(data[: raw.start()].decode(errors='replace')))!r}"


def around(text, at):
    return text[max(at - 60, 0) : at + 60]


def _message(result, verb):
    lines = result.err.decode(errors="replace").split("\n")
    messages = [line for line in lines if line.startswith("glassworks: ")]
    if result.status == 0 or (verb == "run" and result.status in (75, 130)):
        if messages:
            yield "error with status 0", messages[0]
        return
    if verb == "verify" and result.status == 1 and not messages and b" problem" in result.out:
        return
    if result.status < 0 or (verb == "run" and result.status == 1 and not messages and b" quarantined" in result.out):
        return
    if len(messages) != 1:
        yield "no sentence", f"status {result.status} with {len(messages)} messages: {result.err[:300].decode(errors='replace')!r}"
    elif not SENTENCE.match(messages[0].rstrip()):
        yield "not a sentence", messages[0][:300]
    elif "memory of this machine is used up" in messages[0]:
        yield "memory", messages[0]
    else:
        rest = [line for line in lines[lines.index(messages[0]) + 1 :] if line.strip() and not line.startswith("  ")]
        if rest:
            yield "more than one message", rest[0][:200]


def _refusal(result, pattern):
    if result.status == 0:
        yield "accepted", "must be refused"
    elif not re.search(pattern, result.err.decode(errors="replace"), re.IGNORECASE):
        yield "message", f"{pattern!r} is not in {result.err[:300].decode(errors='replace')!r}"


def of_surroundings(before, after, may_change=()):
    """Nothing outside of the campaign changes."""
    for name in sorted((set(before) | set(after)) - set(may_change)):
        if before.get(name) != after.get(name):
            how = "removed" if after.get(name) is None else "created" if before.get(name) is None else "changed"
            yield "outside", f"world/{name} {how}"


def of_digests(text, case, rounds_before):
    """After a run that ended well: every realization as in the campaign that nobody disturbed, unless the run has done nothing
    to it."""
    found = {}
    for line in text.decode(errors="replace").splitlines():
        words = line.split()
        if len(words) != 5:
            yield "digests", f"a line of inspect --digest is {line[:100]!r}"
            return
        found[int(words[0]), int(words[1])] = (int(words[2]), words[3], words[4])
    wanted = {(int(line.split()[0]), int(line.split()[1])) for line in case.base.final}
    if case.other_states:
        return
    for key in sorted(wanted - set(found)):
        yield "lost", f"realization {key[1]} of L = {key[0]} is gone after a run that ended well"
    for key, (rounds, bins, state) in sorted(found.items()):
        known = case.base.known.get((*key, rounds))
        if rounds == 0 or rounds == rounds_before.get(key):
            continue
        if known is None and case.other_bins:
            continue  # other bins may lead to another number of rounds
        if known is None:
            yield "digests", f"realization {key[1]} of L = {key[0]} has {rounds} rounds"
        elif known[1] != state:
            yield "silently different", f"state of realization {key[1]} of L = {key[0]} after {rounds} rounds"
        elif known[0] != bins and not case.other_bins:
            yield "silently different", f"bins of realization {key[1]} of L = {key[0]} after {rounds} rounds"


def committed(directory):
    """Rounds of each realization and stages of ladders, or nothing where that cannot be read."""
    path = f"{directory}/campaign.sqlite"
    if any(os.path.exists(name) and not os.path.isfile(name) for name in (path, path + "-wal", path + "-shm", path + "-journal")):
        return None  # opening a FIFO would never end
    try:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        connection.set_progress_handler(lambda: 1, 1_000_000)  # a view may go on for ever
        try:
            rows = connection.execute("SELECT L, realization, count(*) FROM rounds GROUP BY L, realization").fetchall()
            stages = connection.execute("SELECT count(*) FROM ladder_stages").fetchone()[0]
            return {(L, realization): rounds for L, realization, rounds in rows} | {"stages": stages}
        finally:
            connection.close()
    except (sqlite3.Error, ValueError):
        return None


def of_checkpoints(directory, case):
    """After a run that was refused and has committed nothing: all checkpoints but the attacked ones are there as before."""
    for name in case.base.checkpoints:
        if name in case.attacked:
            continue
        path = os.path.join(directory, name)
        if not os.path.isfile(path):
            yield "checkpoint lost", f"{name} is gone after a run that was refused"
        elif os.path.getsize(path) != len(case.base.files[name]):
            yield "checkpoint lost", f"{name} is another one after a run that was refused"
