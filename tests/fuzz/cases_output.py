"""Cases of outputs: whatever stands under the name that an option gives. Devices, FIFOs, sockets and directories stay what they
are; files change only with --force; status 0 means that the output is there, whole."""

import contextlib
import hashlib
import os
import stat
import threading

import folders
import outputs
import world as worlds
from cases import Case, Command, spread

LONG = {"255 bytes": "n" * 255, "256 bytes": "n" * 256, "4,000 bytes": ("n" * 199 + "/") * 19 + "n", "5,000 bytes": "n" * 5000}
NAMES = {  # of things that are not there: name, whether it can be made
    "fresh": ("fresh", True), "in a folder": ("room/fresh", True), "roundabout": ("room/../fresh", True), "with ./": ("./fresh", True),
    "with //": (".//room//fresh", True),
    "absolute": ("{out}/fresh", True), "hidden": (".fresh", True), "blanks inside": ("fresh two", True), "equals": ("a=b", True),
    "percent": ("%s%n{}", True), "dash": ("-x", True), "star": ("*", True),
    "umlaut": ("fr\u00fcsch", True), "line feed": ("two\nlines", None), "escape": ("\x1b[2J", None), "not UTF-8": ("\udcff\udcfe", None),
    "trailing blank": ("fresh ", None),
    "leading blank": (" fresh", None), "quotes": ("'fresh'", None), "comma": ("a,b", None), "hash": ("a#b", None), "tab": ("a\tb", None),
    "back slash": ("a\\b", None), "dot at the end": ("fresh.", None),
    "trailing slash": ("fresh/", None), "no name": ("", False), "dot": (".", False), "dots": ("..", False), "missing parent": ("missing/fresh", None),
    "missing parents": ("missing/x/y/fresh", None), "parent is a file": ("file/fresh", False), "parent is a fifo": ("fifo/fresh", False),
    "parent is a loop": ("loop/fresh", False),
    "parent is a link": ("room-link/fresh", True), "parent is a link to nothing": ("nowhere/fresh", None),
    "of the system": ("/proc/self/fresh", False), "of the system too": ("/sys/fresh", False),
    **{name: (text, None if name in ("255 bytes", "4,000 bytes") else False) for name, text in LONG.items()},
}
THINGS = ["file", "locked file", "empty file", "folder", "full folder", "fifo", "read fifo", "fifo read in part", "socket", "link to itself",
          "link to nothing", "link to nothing outside",
          "link to the victim", "link to a file", "link to a folder", "hard link", "link to a node"]
REFUSED = {"folder", "full folder", "fifo", "socket"}  # of a file: no place for it
STREAMS = ("node ", "link to a node", "read fifo", "fifo read in part")  # written through: nothing is lost there
PIPE = 1 << 16  # bytes that are written before anybody has read them
PRECIOUS = b"precious\n"


def put(world, path, kind):
    """Puts something under an absolute path."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    worlds.remove(path)
    if kind.startswith("node "):
        folders.make_node(path, kind.split()[1])
    elif kind == "link to a node":
        folders.make_node(os.path.join(world.out, "room", "node"), "null")
        os.symlink(os.path.join(world.out, "room", "node"), path)
    elif kind in ("file", "locked file", "empty file"):
        with open(path, "wb") as file:
            file.write(b"" if kind == "empty file" else PRECIOUS)
        os.chmod(path, 0o444 if kind == "locked file" else 0o644)
    elif "fifo" in kind:
        os.mkfifo(path)
    elif kind == "link to a file":
        os.symlink(world.write("out/room/precious", PRECIOUS), path)
    elif kind == "link to a folder":
        os.symlink(os.path.join(world.out, "room"), path)
    elif kind == "link to nothing outside":
        os.symlink(os.path.join(world.root, "made-by-following"), path)
    elif kind == "link to nothing":
        os.symlink(os.path.join(world.out, "nothing"), path)
    else:
        folders.put_odd(world, os.path.relpath(path, world.root), kind)


class Reader:
    """Reads a FIFO while the commands run: all of it, or a little."""

    def __init__(self, path, limit):
        self.path, self.limit, self.data, self.done = path, limit, b"", threading.Event()

    def __enter__(self):
        self.descriptor = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()
        return self

    def read(self):
        while not self.done.is_set() and len(self.data) < self.limit:
            self.take()
            self.done.wait(0.002)

    def take(self):
        with contextlib.suppress(BlockingIOError):
            while len(self.data) < self.limit and (piece := os.read(self.descriptor, min(1 << 16, self.limit - len(self.data)))):
                self.data += piece
        if len(self.data) >= self.limit and self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1

    def all(self):
        """Everything that was written, once the writer has ended."""
        self.done.set()
        self.thread.join()
        if self.descriptor >= 0:
            self.take()
        return self.data

    def __exit__(self, *_):
        self.all()
        if self.descriptor >= 0:
            os.close(self.descriptor)


def everything(world):
    """All that lies in the folder of the outputs and in the campaign: {path: what it is}."""
    seen = {}
    for top in (world.out, world.campaign):
        for folder, names, files in os.walk(top):
            for name in names + files:
                path = os.path.join(folder, name)
                found, content = os.lstat(path), b""
                if stat.S_ISREG(found.st_mode):
                    with open(path, "rb") as file:
                        content = hashlib.md5(file.read()).digest()
                seen[path] = (stat.S_IFMT(found.st_mode), found.st_rdev, os.readlink(path) if stat.S_ISLNK(found.st_mode) else "", content)
    return seen


class OutputTarget:
    name = "output"

    def __init__(self, bases, rng, workshop):
        self.outputs, self.campaigns = outputs.made(workshop)
        things = THINGS + [f"node {name}" for name in folders.NODES]
        if not folders.nodes_can_be_made(workshop.scratch):
            things = [thing for thing in things if "node" not in thing]
        groups, waiting = [], []  # for a reader of a FIFO, seconds: last
        for output in self.outputs:
            forces = (False, True) if output.force else (False,)
            group = [("thing", output, thing, force) for thing in things for force in forces]
            if output.option:
                names = [name for name in NAMES if (name != "dots" or output.kind == outputs.FILE) and (name != "no name" or output.verb != "run")]
                group += [("named", output, name, force) for name in names for force in forces]
            if output.kind == outputs.FOLDER:
                inside = sorted(name for name in output.reference if not name.startswith("campaign."))  # those are for target files
                group += [("inside", output, name, thing, force) for name in rng.sample(inside, min(len(inside), 12)) for thing in things for force in forces]
            rng.shuffle(group)
            waiting += [entry for entry in group if "fifo" in entry][:2]
            group = [entry for entry in group if "fifo" not in entry]
            groups.append(group[: max(int(output.weight * len(group)), 1)])
        groups.append([("same", *pair, force) for pair in (("tune", "out", "json"), ("percolate", "plot", "csv"),
                                                           ("report", "out", "csv")) for force in (False, True)])
        rng.shuffle(groups)
        self.entries = list(spread(groups)) + waiting

    def case(self, k, rng):
        kind, *what = self.entries[k] if k < len(self.entries) else rng.choice(self.entries)
        case = getattr(self, "of_" + kind)(rng, *what)
        case.title = f"output, {case.title}"
        return case

    def prepare(self, world, campaign="c"):
        self.campaigns[campaign].put(world, "campaigns/c")
        outputs.campaigns.write_config(os.path.join(world.inputs, "c.cfg"), outputs.SMALL)
        os.makedirs(os.path.join(world.out, "room"))
        world.write("out/file", PRECIOUS)
        world.write("out/other", PRECIOUS)
        os.mkfifo(os.path.join(world.out, "fifo"))
        for name, target in (("loop", "loop"), ("room-link", "room"), ("nowhere", "not-there")):
            os.symlink(target, os.path.join(world.out, name))

    def written_to(self, output, path, thing, inside, force, expected, title):
        """A case in which `thing` stands under the path of an output, or under `inside` in its folder. `path` is relative to
        the world, or a function of it."""
        command = Command(output.command(path, force))
        state = {}

        def target(world):
            shown = path.replace("{out}", world.out)
            command.arguments = output.command(shown, force)
            return os.path.join(world.campaign, output.place) if output.place else os.path.join(world.out, shown)

        def build(world):
            self.prepare(world, output.campaign)
            place = target(world)
            if thing:
                put(world, os.path.join(place, inside) if inside else place, thing)
            state["place"], state["before"] = place, everything(world)

        @contextlib.contextmanager
        def beside(world):
            with contextlib.ExitStack() as stack:
                state["reader"] = None
                if thing in ("read fifo", "fifo read in part"):
                    at = os.path.join(state["place"], inside) if inside else state["place"]
                    state["reader"] = stack.enter_context(Reader(at, 10 if thing == "fifo read in part" else 1 << 30))
                yield

        def judge(world, command, result):
            return judged(world, output, state, thing, inside, force, expected, result)
        return Case(f"{title}{', --force' if force else ''}: {output.name} ({' '.join(output.arguments[:3])})", [command], build,
                    judge=judge, beside=beside)

    def of_named(self, rng, output, name, force):
        path, possible = NAMES[name]
        if output.suffix and path.rstrip("./"):
            path = (path[: -len(output.suffix)] if name in LONG else path) + output.suffix
        if output.kind == outputs.FOLDER and name in ("missing parent", "missing parents", "dot", "trailing slash"):
            possible = None
        return self.written_to(output, path, None, "", force, possible, f"{name}: {path[:40]!r}")

    def of_thing(self, rng, output, thing, force):
        expected = None
        if output.kind == outputs.FILE:
            expected = False if thing in REFUSED or (thing in ("file", "locked file", "empty file", "link to a file", "link to itself",
                                                               "link to nothing", "hard link") and not force) or thing == "node full" else None
            expected = True if force and thing in ("file", "locked file", "empty file") else expected
        elif thing in ("file", "locked file", "empty file", "link to a file") or "node" in thing or "fifo" in thing or thing in ("socket", "link to itself", "hard link"):
            expected = False
        whole_path = "{out}/" if rng.random() < 0.3 else ""
        return self.written_to(output, output.place or f"{whole_path}thing{output.suffix}", thing, "", force, expected,
                               f"{thing} there{', absolute' if whole_path else ''}")

    def of_inside(self, rng, output, name, thing, force):
        expected = None
        if output.verb not in ("run", "ground") and (not force and not thing.startswith(STREAMS) or thing in REFUSED or thing == "node full"):
            expected = False
        return self.written_to(output, output.place or "thing", thing, name, force, expected, f"{thing} as {name}")

    def of_same(self, rng, verb, one, other, force):
        output = next(output for output in self.outputs if (output.verb, output.option) == (verb, one))
        command = Command([*output.command("both" + output.suffix, force), f"--{other}=both{output.suffix}"], refused="")
        return Case(f"one name for --{one} and --{other}", [command], self.prepare)


def judged(world, output, state, thing, inside, force, expected, result):
    place, before, after = state["place"], state["before"], everything(world)
    where = os.path.join(place, inside) if inside else place
    own = os.path.relpath(os.path.normpath(place), world.out)
    for path in sorted(set(before) | set(after)):
        was, now, shown = before.get(path), after.get(path), os.path.relpath(path, world.root)
        if was == now:
            continue
        mine = same_place(path, place) or same_place(path, world.campaign) or any(same_place(path, os.path.join(world.out, name)) for name in output.beside)
        if was is None:
            if not mine and not os.path.normpath(place).startswith(path + "/"):
                yield "left behind", f"{shown!r} (status {result.status})"
        elif now is None:
            yield "removed", f"{shown!r}, which was {describe(was)}"
        elif not stat.S_ISREG(was[0]) and (was[0], was[1]) != (now[0], now[1]) and not ((force or output.verb == "ground") and stat.S_ISLNK(was[0]) and thing != "link to a node"):
            yield "replaced", f"{shown!r} was {describe(was)} and is {describe(now)}"
        elif stat.S_ISREG(was[0]) and not force and not path.startswith(world.campaign) and not (output.verb == "run" and mine):
            yield "overwritten", f"{shown!r} without --force"
        elif stat.S_ISREG(was[0]) and not mine and not (thing == "link to a file" and path.endswith("room/precious")):
            yield "overwritten", f"{shown!r}, which is no output"
    if expected is False and result.status == 0:
        yield "accepted", f"{thing or own!r} must be refused"
    if expected is True and result.status != 0:
        yield "refused", f"{result.err[:300].decode(errors='replace')}"
    if result.status == 0:
        yield from whole(world, output, state, thing, where, inside)


def same_place(path, place):
    """Whether a path is this place or in it, through links that the case has made."""
    real, wanted = os.path.realpath(os.path.dirname(path)) + "/" + os.path.basename(path), os.path.realpath(os.path.dirname(os.path.normpath(place))) + "/" + os.path.basename(os.path.normpath(place))
    return real == wanted or real.startswith((wanted + "/", os.path.realpath(place) + "/"))


def describe(what):
    kinds = {stat.S_IFREG: "a file", stat.S_IFDIR: "a folder", stat.S_IFLNK: "a link", stat.S_IFCHR: "a device", stat.S_IFIFO: "a FIFO",
             stat.S_IFSOCK: "a socket"}
    return f"{kinds.get(what[0], 'something')}{' ' + repr(what[2]) if what[2] else ''}"


def whole(world, output, state, thing, where, inside):
    """With status 0 all files of the output are there."""
    for name, wanted in output.reference.items():
        path = os.path.join(state["place"], name) if name else state["place"]
        if path == where and thing and ("node" in thing or thing == "fifo read in part" and len(wanted) < PIPE):
            continue  # written through, to where nobody looks
        if path == where and state["reader"]:
            found = state["reader"].all()
        elif not os.path.isfile(path):
            if output.verb == "run" and name != "campaign.sqlite":
                continue
            yield "without the work", f"status 0, but there is no {os.path.relpath(path, world.root)!r}"
            continue
        else:
            with open(path, "rb") as file:
                found = file.read()
        if not path.startswith(world.campaign + "/campaign.") and not outputs.alike(found, wanted, name in output.steady):
            yield "without the work", f"status 0, but {os.path.relpath(path, world.root)!r} has {len(found)} bytes that are not the {len(wanted)} that belong there"
