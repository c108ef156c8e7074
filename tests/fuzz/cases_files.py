"""Cases of the other files of a campaign directory, and of files of other kinds than are expected."""

import os
import socket

import database
import world as worlds
from cases import DIGESTS, READERS, RUN, VERIFY, Case, Command, spread

NAMES = ["campaign.lock", "status.sqlite", "campaign.sqlite", "campaign.sqlite-wal", "campaign.sqlite-shm", "campaign.sqlite-journal",
         "campaign.sqlite.new", "campaign.sqlite.new-wal", "status.sqlite.tmp", "checkpoints", "checkpoints/left.ckpt.123-0.tmp",
         "checkpoints/stranger.ckpt", "checkpoints/L004-000000-000001-0123456789abcdef.ckpt", "x.tmp"]
KINDS = ["fifo", "folder", "full folder", "link to the victim", "link to a victim's folder", "link to /dev/zero", "link to /dev/full",
         "link to itself", "link to nothing", "link out of here", "hard link", "nothing", "empty", "garbage", "text", "unreadable", "sparse",
         "socket", "a database"]
LOCKS = [b"\0" * 5000, b"x", b"\n\n\n\n", b"other\nmachine\n\n", b"other\nmachine\x1b[2J\nrun\n1 1\n", b"other\n" + b"n" * 100000 + b"\n",
         b"other\nmachine\nwhat\n99999999999999999999 -1\n", b"a\nb\nc\n-1 -1\n", b"\xff\xfe\n\xff\n", b"other\nmachine\nwhat\n1 0\n"]


def put_instead(world, name, kind):
    """Puts a file of this kind in the place of another one, which goes."""
    path = os.path.join(world.root, name)
    before = b""
    if os.path.isfile(path):
        with open(path, "rb") as file:
            before = file.read()
    worlds.remove(path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    links = {"link to the victim": os.path.join(world.root, "campaigns/victim"), "link to a victim's folder": "../victim.d",
             "link to /dev/zero": "/dev/zero", "link to /dev/full": "/dev/full", "link to itself": os.path.basename(path),
             "link to nothing": os.path.join(world.root, "campaigns/made-by-following"), "link out of here": "../../keep.cfg",
             "link to a checkpoint": sorted(os.listdir(os.path.join(world.campaign, "checkpoints")) or ["x"])[-1]
             if os.path.isdir(os.path.join(world.campaign, "checkpoints")) else "x"}
    if kind in links:
        os.symlink(links[kind], path)
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind in ("folder", "full folder"):
        os.mkdir(path)
        if kind == "full folder":
            worlds.World.write(world, name + "/file", b"1")
    elif kind == "hard link":
        os.link(os.path.join(world.root, "victim"), path)
    elif kind == "socket":
        # The path of a socket has at most 107 bytes.
        here = os.open(os.path.dirname(path), os.O_RDONLY)
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(f"/proc/self/fd/{here}/{os.path.basename(path)}")
        os.close(here)
    elif kind == "sparse":
        with open(path, "wb") as file:
            file.truncate(3 << 30)
    elif kind == "unreadable":
        world.write(name, before)
        os.chmod(path, 0)
    elif kind == "a database":
        connection = database.sqlite3.connect(path)
        connection.execute("CREATE TABLE x (y)")
        connection.close()
    elif kind != "nothing":
        world.write(name, {"empty": b"", "garbage": bytes(range(256)) * 40, "text": b"some text\n"}[kind])


class FilesTarget:
    name = "files"

    def __init__(self, bases, rng, workshop):
        instead = [[("instead", base, name, kind) for base in bases for kind in KINDS
                    if kind != "hard link" or name.startswith("checkpoints/")] for name in NAMES]
        locks = [("lock", base, text) for base in bases for text in LOCKS]
        logs = [("log", base, how) for base in bases if base.stage == "half" for how in range(40)]
        modes = [("modes", base, modes) for base in bases for modes in
                 ({"": 0o500}, {"checkpoints": 0o500}, {"": 0}, {"checkpoints": 0}, {"campaign.sqlite": 0o400}, {"campaign.sqlite": 0})]
        groups = [*instead, locks, logs, modes]
        for group in groups:
            rng.shuffle(group)
        self.entries = list(spread(groups))

    def case(self, k, rng):
        kind, base, *what = self.entries[k] if k < len(self.entries) else rng.choice(self.entries)
        commands = [READERS[k % (len(READERS) - 1)], VERIFY, RUN, DIGESTS]
        if rng.random() < 0.5:
            commands = [RUN, DIGESTS, VERIFY, READERS[0]]
        attacked, title = (), f"{base.name}: {kind} {what}"
        if kind == "instead":
            name, how = what
            attacked = tuple(base.checkpoints) if name == "checkpoints" else (name,)
            title = f"{base.name}: {how} as {name}"

            def build(world):
                base.put(world.campaign)
                put_instead(world, f"campaigns/c/{name}", how)
        elif kind == "lock":
            def build(world):
                base.put(world.campaign)
                path = world.write("campaigns/c/campaign.lock", what[0])
                os.utime(path, (10**9, 10**9))  # long ago: nobody waits for a heartbeat
        elif kind == "modes":
            def build(world):
                base.put(world.campaign)
                for name, mode in what[0].items():
                    os.chmod(os.path.join(world.campaign, name), mode)
        else:
            def build(world):
                base.put(world.campaign)
                write_log(world, base, what[0], rng)
            title = f"{base.name}: bytes of the log changed ({what[0]})"
        return Case(title, commands, build, base, attacked=attacked)


def write_log(world, base, how, rng):
    """Half of the database's pages in a log, which is then damaged."""
    path = os.path.join(world.campaign, "campaign.sqlite")
    connection = database.sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("BEGIN")
    for table in ("realizations", "rounds", "sizes", "campaign"):  # to and fro, as a page that does not change is not written
        connection.execute(f"UPDATE {table} SET checksum = ~checksum")
        connection.execute(f"UPDATE {table} SET checksum = ~checksum")
    connection.execute("COMMIT")
    kept = {}
    for name in ("campaign.sqlite", "campaign.sqlite-wal"):
        with open(os.path.join(world.campaign, name), "rb") as file:
            kept[name] = bytearray(file.read())
    connection.close()
    log = kept["campaign.sqlite-wal"]
    if how % 4 == 0:
        del log[rng.randrange(len(log)) :]
    elif how % 4 == 1:
        log[rng.randrange(32)] ^= 1 << rng.randrange(8)
    else:
        for _ in range(how):
            log[rng.randrange(len(log))] ^= 1 << rng.randrange(8)
    for name, data in kept.items():
        world.write(f"campaigns/c/{name}", bytes(data))
    worlds.remove(path + "-shm")
