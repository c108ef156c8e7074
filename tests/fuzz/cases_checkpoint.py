"""Cases of checkpoints: every field of the state and of the heading, sizes that lie, other things in place of the file."""

import os
import struct

import formats
from cases import DIGESTS, INF, NAN, READERS, RUN, VERIFY, Case, Command, spread
from cases_files import put_instead
from formats import Text

COUNTS = [0, 1, 2, 3, 2**16, 2**31 - 1, 2**31, 2**32, 2**40, 2**60, 2**61, 2**62, 2**63, 2**64 - 1]
HOSTILE = {
    "slot": [65535, 32768, 255, 3, 4, 100], "heading": [-128, 127, 2, -2, 3], "round_trips": [2**32 - 1, 2**31, 10**6],
    "spins": [NAN, INF, -INF, 0.0, 3e38, -3e38, 1e-45, 2.0, 1e10], "states": [255, 2, 3, 20, 128],
}
# Columns with the digest of a checkpoint; those of the campaigns here hold the state after the last round.
DIGESTS_OF = {"checkpoint": ["checkpoint_digest", "state_digest"], "previous_checkpoint": ["previous_digest"]}
STEPS = [0, 1, 2, 2**31, 2**32, 2**63, 2**64 - 1]
INSTEAD = ["fifo", "folder", "link to /dev/zero", "link to /dev/full", "link to itself", "link to the victim", "link to a checkpoint",
           "link to nothing", "nothing", "empty", "garbage", "text", "unreadable", "sparse", "socket", "hard link"]


def state_changes(checkpoint):
    """(title, change(checkpoint)) of a field of the state, grouped by field."""
    yield [(f"steps = {steps}", lambda c, steps=steps: setattr(c, "steps", steps)) for steps in STEPS]
    for name, values in HOSTILE.items():
        if not checkpoint.arrays.get(name):
            continue
        length = len(checkpoint.values(name))
        group = []
        for value in values:
            for place, chosen in (("first", [0]), ("last", [length - 1]), ("all", range(length))):
                group.append((f"{place} of {name} = {value}", lambda c, n=name, v=value, where=chosen: put_values(c, n, v, where)))
        for title, new in (("shorter", -1), ("longer", 1), ("empty", -length), ("of one", 1 - length), ("ten times", 9 * length)):
            group.append((f"{name} {title}", lambda c, n=name, size=length + new: resize(c, n, size)))
        yield group
        yield [(f"the archive says {name} has {count}", lambda c, n=name, count=count: c.counts.update({n: count})) for count in COUNTS]
    slots = checkpoint.values("slot")
    yield [("slots not a permutation", lambda c: put_values(c, "slot", slots[0], range(len(slots)))),
           ("slots reversed beyond", lambda c: put_values(c, "slot", len(slots), range(len(slots))))]
    yield [("another heading of the archive", lambda c, b=b: setattr(c, "heading_of_archive", b)) for b in
           (b"", b"\0" * 40, b"\xff" * 40, checkpoint.heading_of_archive[:-1], checkpoint.heading_of_archive * 2,
            struct.pack("<Q", 2**62) + checkpoint.heading_of_archive[8:], struct.pack("<Q", 2**33) + checkpoint.heading_of_archive[8:],
            checkpoint.heading_of_archive[:8] + b"x" * 22 + checkpoint.heading_of_archive[30:])]


def is_same(data, kind, change):
    """Whether nothing is changed after all, or the file only does not say which state it holds."""
    checkpoint, before = formats.Checkpoint(data), formats.Checkpoint(data)
    if kind == "state":
        change(checkpoint)
        return checkpoint.archive() == before.archive()
    changed = change()
    return changed == before.file() or changed[52:56] == b"\0\0\0\0"


def is_possible(base, title):
    """Whether the chain could have come to this state: nobody can then tell that it has not."""
    if "the archive says" in title or "heading of the archive" in title:
        return False
    if "round_trips" in title and "=" in title or title == "slots reversed":
        return True
    if "of spins =" in title and base.kind == "phi4":
        return not title.endswith(("nan", "inf"))
    if title in ("first of spins = 0.0", "last of spins = 0.0", "first of spins = 1e-45", "last of spins = 1e-45"):
        return True  # a vector may be near it, to within rounding
    return "of states =" in title and base.kind == "potts" and title.endswith("= 2")


def put_values(checkpoint, name, value, where):
    values = checkpoint.values(name)
    for i in where:
        values[i] = value
    checkpoint.set_values(name, values)


def resize(checkpoint, name, size):
    values = checkpoint.values(name)
    checkpoint.set_values(name, (values * 12)[:size])


def heading_changes(checkpoint):
    """(title, bytes of the file) with the state as it is."""
    def changed(change, **options):
        copy = formats.Checkpoint(checkpoint.file())
        change(copy)
        return lambda: copy.file(**options)
    numbers = [0, 1, 2, 5, 2**16, 2**31, 2**32 - 1]
    for name in formats.IDENTITY:
        yield [(f"{name} = {n}", changed(lambda c, n=n, name=name: c.identity.update({name: n}))) for n in numbers]
    yield [(f"format version {n}", changed(lambda c, n=n: setattr(c, "version", n))) for n in (0, 1, 2, 3, 4, 1000, 1001, 2**32 - 1)]
    if checkpoint.version == 3:
        yield [(f"components {n}", changed(lambda c, n=n: setattr(c, "components", n))) for n in numbers]
    yield [("another origin", changed(lambda c: setattr(c, "origin", b"\1" * 16))),
           ("another byte order", changed(lambda c: setattr(c, "byte_order", 0x04030201)))]
    nothing = lambda c: None
    yield [(f"length of the archive {n}", changed(nothing, archive_length=n)) for n in COUNTS + [len(checkpoint.archive()) + 1]]
    yield [(f"length of the payload {n}", changed(nothing, payload_length=n)) for n in COUNTS]
    yield [("a digest that does not fit", changed(nothing, fits=False))]
    bombs = []
    for size in (2**20, 2**27, 2**30, 2**30 + 2**29):
        for stated in (True, False):
            for length in (size, len(checkpoint.archive())):
                bombs.append((f"{size} bytes of zeros, {length} said{'' if stated else ', none in the frame'}",
                              lambda size=size, stated=stated, length=length:
                              checkpoint.file(payload=formats.zstd_bomb(checkpoint.archive(), size, stated), archive_length=length)))
    for name in checkpoint.counts:
        for count in (2**27, 2**28, 2**29, 2**30):
            def fitting(name=name, count=count):
                copy = formats.Checkpoint(checkpoint.file())
                copy.counts[name] = count
                size = len(copy.archive()) + count * struct.calcsize(dict(formats.ARRAYS)[name])
                return copy.file(payload=formats.zstd_bomb(copy.archive(), size), archive_length=size)
            bombs.append((f"{count} of {name} in a few kB", fitting))
    yield bombs
    frame = formats.zstd_stored(checkpoint.archive())
    payloads = [("empty", b""), ("cut", frame[:-5]), ("half", frame[: len(frame) // 2]), ("twice", frame * 2), ("with more", frame + b"\0"),
                ("garbage", b"\xff" * 200), ("of a window of terabytes", frame[:4] + b"\x00\xff" + frame[14:]),
                ("of 2^63 bytes", frame[:6] + struct.pack("<Q", 2**63) + frame[14:]), ("skippable", b"\x50\x2a\x4d\x18\xff\xff\xff\xff"),
                ("with a dictionary", frame[:4] + b"\xe3" + frame[5:])]
    yield [(f"payload {title}", changed(nothing, payload=payload)) for title, payload in payloads]


class CheckpointTarget:
    name = "checkpoint"

    def __init__(self, bases, rng, workshop):
        groups = []
        for base in bases:
            for kind in ("checkpoint", "previous_checkpoint"):
                row = base.rows["realizations"][0 if kind == "checkpoint" else -1]
                if not row[kind]:
                    continue
                name = "checkpoints/" + row[kind].decode()
                checkpoint = formats.Checkpoint(base.files[name])
                if checkpoint.state_digest() != row[DIGESTS_OF[kind][0]].decode():
                    raise SystemExit("The digest of a state is not what formats.py computes. Teach it the new format.")
                where = (base, kind, row, name)
                groups += [[("state", where, *change) for change in group] for group in state_changes(checkpoint)]
                groups += [[("file", where, *change) for change in group] for group in heading_changes(checkpoint)]
                groups.append([("instead", where, what) for what in INSTEAD])
        for group in groups:
            rng.shuffle(group)
        rng.shuffle(groups)
        self.entries = list(spread(groups))

    def case(self, k, rng):
        kind, where, *what = self.entries[k] if k < len(self.entries) else rng.choice(self.entries)
        base, column, row, name = where
        path = os.path.join("campaigns/c", name)
        title = f"{base.name}: {name} ({column}): {what[0]}"
        commands = [VERIFY, RUN, DIGESTS] if k % 7 else [VERIFY, Command(["verify", "../campaigns/c", "--recompute", "9"]), RUN, DIGESTS]
        if k % 11 == 0:
            commands.insert(1, READERS[k // 11 % len(READERS)])
        if k >= len(self.entries) or kind == "file" and rng.random() < 0.1:
            return self.damaged(title, where, commands, rng)
        if kind == "instead":
            def build(world):
                base.put(world.campaign)
                put_instead(world, path, what[0])
        elif kind == "file":
            def build(world):
                base.put(world.campaign)
                world.write(path, what[1]())
        else:
            def build(world):
                self.write_state(world, where, what[1])
        possible = kind == "state" and is_possible(base, what[0]) or kind != "instead" and is_same(base.files[name], kind, what[1])
        return Case(title, commands, build, base, attacked=(name,), other_states=possible,
                    seen=kind != "instead" and not possible and column == "checkpoint")

    def write_state(self, world, where, change):
        """The state with this change; digest of the file and state_digest in the database fit."""
        base, column, row, name = where
        checkpoint = formats.Checkpoint(base.files[name])
        change(checkpoint)
        digests = {name: Text(checkpoint.state_digest().encode()) for name in DIGESTS_OF[column]}
        base.edit(world.campaign, lambda tables: tables.replace(
            "realizations", row, tables.refit("realizations", row | digests)))
        world.write(os.path.join("campaigns/c", name), checkpoint.file())

    def damaged(self, title, where, commands, rng):
        """Bytes changed anywhere, or the file cut."""
        base, _, _, name = where
        data = bytearray(base.files[name])
        for _ in range(rng.choice([1, 2, 10])):
            data[rng.randrange(len(data) if rng.random() < 0.5 else 92)] = rng.randrange(256)
        if rng.random() < 0.2:
            data = data[: rng.randrange(len(data))]

        def build(world):
            base.put(world.campaign)
            world.write(os.path.join("campaigns/c", name), bytes(data))
        return Case(f"{base.name}: bytes of {name} changed", commands, build, base, attacked=(name,))
