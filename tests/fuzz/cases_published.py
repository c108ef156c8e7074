"""Cases of folders that `glassworks publish` made, as a stranger may hand them on: `verify` names every change, simulates as
many rounds again as it says, follows no link, waits for nothing."""

import os
import re

import folders
import published
from cases import Case, Command, spread
from folders import LIST, MANIFEST

FOLDER = "../in/p"
COUNTS = re.compile(rb"(\d+) rounds of (\d+) realizations simulated again")
RECOMPUTE = [None, None, "0", "1", "2", "3", "7", "1000000", "2147483647", "2147483648", "-1", "x", "1.5", "", "nan"]
KEPT_BY_A_LINK = ("copy outside", "copy inside")  # content as before: a link may be refused, and must not be taken for a file
STRANGERS = [("configuration/a-first.cfg", "another seed"), ("configuration/z-last.cfg", "another seed"), ("configuration/sub/x.cfg", "another seed"),
             ("configuration/x.txt", "text"), ("more.txt", "text"), ("numbers/deep/er/file.csv", "text"), ("\x1b[2J", "text"), ("two\nlines", "text"),
             ("\udcff\udcfe", "text"), ("x" * 255, "text"), ("campaign.sqlite", "garbage"), ("campaign.cfg", "text"), ("couplings/L004-r000000.txt", "text")]
READERS = [["status"], ["analyze"], ["analyze", "--csv", "a.csv"], ["report"], ["report", "--out", "x.html"], ["export"],
           ["export", "--out", "files"], ["publish", "--out", "again"],
           ["inspect"], ["inspect", "--digest"], ["why"], ["watch", "--once"], ["ground"], ["validate"], ["plot", "--out", "figures"], ["run"],
           ["status", "--json"]]
OPERANDS = ["{}/", "./{}", "{}/.", "{}//", "{}/configuration/..", "{}/" + LIST, "{}/configuration", "{} ", " {}", "{}\n", "{}\x1b[2J", "link", "loop",
            "{}/" + MANIFEST, "{}/missing", "-",
            "absolute"]
MUST_BE_LISTED = ("digests.csv", "temperatures.csv", MANIFEST)


def entries(folder, kinds, rng):
    """Groups of (kind, folder, ...)."""
    attacked = [name for name in folder.files if not name.startswith(("numbers/", "figures/", "alps/"))]
    attacked += [name for name in ("numbers/energy.csv", "figures/energy.gp", "alps/L4.task1.out.h5") if name in folder.files]
    for name in attacked:
        yield [("odd", folder, name, kind) for kind in kinds]
        yield [("bytes", folder, name, how) for how in range(12)]
    for name in ("configuration", "numbers", "couplings", "fields", "figures"):
        if any(file.startswith(name + "/") for file in folder.files):
            yield [("odd", folder, name, kind) for kind in kinds if not kind.startswith("copy ")]
    tables = ["digests.csv", "temperatures.csv", "realizations.csv", "results.csv"]
    for name in tables:
        data = folder.files[name]
        texts = [("anew", folder, name, *edit, None) for edit in published.text_edits(data)]
        rows = [("anew", folder, name, *edit, None) for edit in published.table_edits(data)]
        yield texts
        yield rows if name in tables[:2] else rng.sample(rows, 40)
    yield [("anew", folder, *edit, True) for edit in wrong_numbers(folder)]
    for name in folder.configurations:
        yield [("anew", folder, name, *edit) for edit in published.configuration_edits(folder.files[name])]
    for name in folder.given:
        yield [("anew", folder, name, *edit) for edit in published.numbers_edits(folder.files[name], rng)]
        yield [("anew", folder, name, *edit, None) for edit in published.text_edits(folder.files[name])]
    yield [("anew", folder, MANIFEST, *edit, None) for edit in published.text_edits(folder.files[MANIFEST])]
    yield [("bare", folder, LIST, *edit, None if edit[0] == "byte order mark" else True) for edit in published.text_edits(folder.files[LIST])]
    yield [("bare", folder, LIST, *edit) for edit in published.list_edits(folder.files)]
    yield [("stranger", folder, name, what) for name, what in STRANGERS]
    yield [("stranger", folder, place, kind) for place in ("configuration/0.cfg", "more", "couplings/more", "numbers/more")
           for kind in kinds if not kind.startswith("copy ") and kind != "nothing"]
    yield rng.sample([("heavy", folder, *what, number) for what in heavy(folder) for number in ("1", "1000000")], 16)
    yield [("reader", folder, reader) for reader in READERS]
    yield [("operand", folder, operand) for operand in OPERANDS]


def wrong_numbers(folder):
    """(name, title, bytes) of numbers that are not those of the chain: another digest of the rounds that are compared, another
    temperature."""
    lines = folder.files["digests.csv"].decode().rstrip("\n").split("\n")
    decide = {}  # the row of the most rounds, at most four, of each realization
    for i, line in enumerate(lines[1:], 1):
        L, realization, rounds, *_ = line.split(",")
        if int(rounds) <= 4:
            decide[L, realization] = i
    rows = sorted(decide.values())
    for i in rows:
        row = lines[i].split(",")
        other = lines[rows[(rows.index(i) + 1) % len(rows)]].split(",")
        for column in (3, 4):
            for value in (other[column], "0" * 32, row[column][:-1] + ("0" if row[column][-1:] != "0" else "1"), row[column][:31]):
                if row[column] and value != row[column] and (value or column == 3):
                    changed = row[:column] + [value] + row[column + 1 :]
                    yield "digests.csv", f"row {i}, digest {value}", "\n".join([*lines[:i], ",".join(changed), *lines[i + 1 :], ""]).encode()
    for title, kept in (("only rows of more than four rounds", [line for line in lines[1:] if int(line.split(",")[2]) > 4]),
                        ("five rounds in every row", [",".join([*line.split(",")[:2], "5", *line.split(",")[3:]]) for line in lines[1:]]),
                        ("no rows", [])):
        yield "digests.csv", title, "\n".join([lines[0], *kept, ""]).encode()
    lines = folder.files["temperatures.csv"].decode().rstrip("\n").split("\n")
    for i, line in enumerate(lines[1:], 1):
        L, slot, T = line.split(",")
        for value in (repr(float(T) * 1.001), repr(float(T) + 1e-9), "1.2345"):
            yield "temperatures.csv", f"row {i}, T = {value}", "\n".join([*lines[:i], f"{L},{slot},{value}", *lines[i + 1 :], ""]).encode()


def heavy(folder):
    """Folders that are right in all their parts, and of which a realization takes hours or all memory: (title, files)."""
    name = folder.configurations[0]
    text = folder.files[name].decode()
    for L in (64, 512, 1024, 4096, 16384):
        yield f"L = {L}", {name: text.replace("model.L = 4\n", f"model.L = {L}\n").encode()} | {
            table: folder.files[table].replace(b"\n4,", b"\n%d," % L) for table in ("digests.csv", "temperatures.csv")}
    for key in ("round.measurements", "protocol.sweeps_per_exchange", "protocol.exchanges_per_measurement", "protocol.overrelaxation", "protocol.heatbath"):
        for value in (10**3, 10**5, 10**6, 10**7):
            yield f"{key} = {value}", {name: re.sub(rf"(?m)^{key} = .*$", f"{key} = {value}", text).encode()}
    for slots in (100, 1000, 10000):
        temperatures = "L,slot,T\n" + "".join(f"4,{slot},{0.5 + slot / slots}\n" for slot in range(slots))
        changed = re.sub(r"(?m)^ladder.slots = .*$", f"ladder.slots = {slots}", text)
        yield f"{slots} slots", {"temperatures.csv": temperatures.encode(), name: changed.encode()}
    rows = "".join(f"4,{r},1,{'0' * 32},\n" for r in range(200_000))
    yield "200,000 realizations", {"digests.csv": ("L,realization,rounds,bins_digest,state_digest\n" + rows).encode(),
                                   name: re.sub(r"(?m)^disorder.realizations = .*$", "disorder.realizations = 200000", text).encode()}


class PublishedTarget:
    name = "published"

    def __init__(self, bases, rng, workshop):
        self.folders = published.make(workshop)
        kinds = folders.odd_kinds(workshop.scratch)
        groups = [list(group) for folder in self.folders for group in entries(folder, kinds, rng)]
        for group in groups:
            rng.shuffle(group)
        rng.shuffle(groups)
        self.entries = list(spread(groups))

    def case(self, k, rng):
        kind, folder, *what = self.entries[k] if k < len(self.entries) else rng.choice(self.entries)
        case = getattr(self, "of_" + kind)(folder, rng, *what)
        if k >= len(self.entries) and kind in ("anew", "odd", "bytes", "bare"):  # another byte of another file as well
            case = self.changed_further(case, folder, rng)
        case.title = f"published {folder.name}: {case.title}"
        return case

    def verify(self, folder, title, build, rng, seen=None, whole=False):
        number = str(folder.realizations + rng.choice([0, 0, 1, 100])) if whole else rng.choice(RECOMPUTE)
        command = Command(["verify", FOLDER] + ([] if number is None else ["--recompute", number]))
        return Case(f"{title}, N = {number}", [command], build, judge=lambda world, command, result: judged(folder, seen, command, result))

    def of_odd(self, folder, rng, name, kind):
        def build(world):
            folder.put(world, "in/p")
            folders.put_odd(world, f"in/p/{name}", kind)
        emptied = kind == "empty" and not folder.files.get(name, b"x")
        return self.verify(folder, f"{kind} as {name}", build, rng, None if emptied or name == LIST else True, rng.random() < 0.7)

    def of_bytes(self, folder, rng, name, how):
        data = folder.files[name]
        at = rng.randrange(len(data)) if data else 0
        changed = [data[:at], data[:-1], data + b"\n", data + b"\0", b"", data[:at] + data[at + 1 :], data[:at] + b"7" + data[at:], bytes(len(data)),
                   data[::-1], data * 2][how] if how < 10 else data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :] if data else b"x"
        return self.verify(folder, f"other bytes of {name}, way {how} at {at}", lambda world: folder.put(world, "in/p", folder.files | {name: changed}), rng,
                           changed != data or None)

    def of_anew(self, folder, rng, name, title, data, seen):
        def build(world):
            folder.put(world, "in/p", folders.written_anew(folder.files | {name: data() if callable(data) else data}))
            world.write("in/elsewhere", b"../of/somebody 1 1\n")
            os.mkfifo(os.path.join(world.inputs, "p", "fifo"))
        case = self.verify(folder, f"{name}, {title}, written anew", build, rng, seen, seen or rng.random() < 0.8)
        if name.startswith("configuration/"):
            case.commands[0].lasts = None if seen else 4  # a configuration may ask for more, which is estimated before
        if name.startswith("configuration/") and rng.random() < 0.1:
            case.commands.append(Command(["run", f"{FOLDER}/{name}", "--dry-run"], lasts=4, large=True))
        return case

    def of_heavy(self, folder, rng, title, files, number):
        """It may be said that it takes long; and the command can be stopped then."""
        command = Command(["verify", FOLDER, "--recompute", number], lasts=1)
        return Case(f"{title}, written anew, N = {number}", [command], lambda world: folder.put(world, "in/p", folders.written_anew(folder.files | files)))

    def of_bare(self, folder, rng, name, title, data, seen):
        """The list of digests as it is given."""
        def build(world):
            folder.put(world, "in/p", folder.files | {name: data() if callable(data) else data})
        return self.verify(folder, f"{name}, {title}", build, rng, seen and (callable(data) or data != folder.files[name]) or None)

    def of_stranger(self, folder, rng, name, what):
        seed = folder.files[folder.configurations[0]].replace(b"campaign.seed = 7", b"campaign.seed = 8")

        def build(world):
            folder.put(world, "in/p")
            if what in ("another seed", "text"):
                world.write(f"in/p/{name}", seed if what == "another seed" else b"some text\n")
            else:
                folders.put_odd(world, f"in/p/{name}", what)
        return self.verify(folder, f"{what} as {name!r} beside the others", build, rng, None, True)

    def of_reader(self, folder, rng, reader):
        verb, *options = reader
        return Case(f"glassworks {' '.join(reader)}", [Command([verb, FOLDER, *options], refused="")], lambda world: folder.put(world, "in/p"))

    def of_operand(self, folder, rng, operand):
        def build(world):
            folder.put(world, "in/p")
            os.symlink("../in/p", os.path.join(world.out, "link"))
            os.symlink("loop", os.path.join(world.out, "loop"))
            command.arguments[1] = os.path.join(world.inputs, "p") if operand == "absolute" else operand.format(FOLDER)
        command = Command(["verify", operand, "--recompute", str(folder.realizations)])
        return Case(f"verify {operand!r}", [command], build, judge=lambda world, command, result: judged(folder, None, command, result))

    def changed_further(self, case, folder, rng):
        name = rng.choice(sorted(folder.files))
        at, value = rng.random(), rng.randrange(256)
        build = case.build

        def changed(world):
            build(world)
            path = os.path.join(world.inputs, "p", name)
            if os.path.isfile(path) and not os.path.islink(path) and os.path.getsize(path) < 1 << 24:
                with open(path, "r+b") as file:
                    file.seek(int(at * os.path.getsize(path)))
                    file.write(bytes([value]))
        case.build, case.title = changed, f"{case.title}; a byte of {name}"
        return case


def judged(folder, seen, command, result):
    """No word of "no problems" unless so many realizations were simulated again as were asked for."""
    if result.status != 0 or command.arguments[0] != "verify":
        return
    if seen:
        yield "not seen", f"verify finds no problem: {result.out[-200:].decode(errors='replace')}"
    number = command.arguments[3] if len(command.arguments) > 3 else "0"
    wanted = min(int(number), folder.realizations) if number.isdigit() else 0
    counts = COUNTS.search(result.out)
    rounds, realizations = map(int, counts.groups()) if counts else (0, 0)
    if realizations < wanted or rounds < realizations:
        yield "without the work", f"status 0, {realizations} of {wanted} realizations: {result.out[-200:].decode(errors='replace')}"
