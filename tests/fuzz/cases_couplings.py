"""Cases of folders with a coupling file for each realization, and of field files: a file is refused exactly where an
independent reading of it says so, and its values are those that are simulated, exported and lowered to ground states."""

import math
import os
import re

import campaigns
import coupling_lines
import folders
from cases import Case, Command, spread

COMMON = campaigns.COMMON | {"disorder.realizations": 2, "round.measurements": 20, "convergence.min_rounds": 8, "convergence.max_rounds": 8}
OF_FILES = {"model.couplings": "files", "model.couplings_file": "k"}
OF_FIELD = {"model.field": "file", "model.field_file": "k/field.txt"}
KINDS = {  # configuration, components of a field
    "ising": (COMMON | OF_FILES | {"model.type": "ising"}, 0),
    "heisenberg": (COMMON | OF_FILES, 0),
    "fields": (COMMON | OF_FIELD | {"model.type": "ising"}, 1),
    "vectors": (COMMON | OF_FIELD, 3),
}
FILES = ("L004-r000000.txt", "L004-r000001.txt")
J = [0.1, -0.7, 0.3333333333333333, -1.1, 0.25, 1.7, -0.05, 2.0000001]
SITES, AXES = 16, 2
FOLDER_NAMES = ["k/", "./k", "../in/k", "k/../k", "k//", " k", "'k'", '"k"', "K", "k.", "k\\", "missing", "", ".", "..", "/", "k/L004-r000000.txt",
                "c.cfg", "link", "link/", "loop",
                "k/link", "k/fifo", "n" * 300, "k/" * 2000, "\x1b[2J", "../../victim", "/dev/zero", "/dev/null", "/proc/self", "~/k", "$HOME", "*",
                "k,k", "k\tk"]
SIZES = [({"model.L": "4, 6"}, False), ({"model.L": "6"}, False), ({"disorder.realizations": 3}, False), ({"disorder.realizations": 1}, True),
         ({"disorder.first": 1}, False),
         ({"disorder.first": 1, "disorder.realizations": 1}, True), ({"disorder.realizations": 4294967295}, False), ({"disorder.realizations": 1000000}, False),
         ({"disorder.first": 4294967295}, False), ({"model.dim": 3}, None), ({"model.dim": 1}, None), ({"model.type": "potts", "model.q": 3}, False),
         ({"model.type": "phi4"}, None),
         ({"model.boundary": "open"}, False), ({"model.boundary": "antiperiodic"}, True),
         ({"model.lattice": "triangular", "model.type": "ising"}, None), ({"model.couplings": "file"}, False),
         ({"model.couplings": "gaussian"}, True), ({"model.bond_dilution": 0.5}, None), ({"model.couplings_digest": "0" * 32}, None)]
MAY_BE_TOO_LARGE = 1e4  # energies over temperature may be too large for single precision
RUN = ["run", "../in/c.cfg", "--campaign.directory=run", "--time-limit=3"]
LATER = [["run", *RUN[1:3], "--convergence.max_rounds=12"], ["ground", "run"], ["export", "run", "--couplings", "--out", "files"],
         ["verify", "run", "--recompute", "2"],
         ["validate", "run", "--sample", "1", "--generator", "1"], ["publish", "run", "--out", "again"],
         ["validate", "run", "--sample", "0", "--generator", "1"]]
LOOKS = [["status", "run"], ["analyze", "run"], ["inspect", "run"], ["why", "run"], ["report", "run", "--out", "x.html"]]


class Given:
    """A configuration with its files, and the digests of the realizations that follow from them."""

    def __init__(self, kind, workshop):
        self.kind, (self.config, self.components) = kind, KINDS[kind]
        if self.components:
            self.files = {"field.txt": "".join(f"{site} {' '.join(str(J[(site + i) % 8]) for i in range(self.components))}\n" for site in range(SITES)).encode()}
        else:
            self.files = {name: "".join(f"{site} {axis} {J[(3 * site + 5 * axis + i) % 8]}\n" for site in range(SITES) for axis in range(AXES)).encode()
                          for i, name in enumerate(FILES)}
        folder = os.path.join(workshop.scratch, f"with-{kind}")
        os.makedirs(os.path.join(folder, "k"))
        for name, data in self.files.items():
            with open(os.path.join(folder, "k", name), "wb") as file:
                file.write(data)
        campaigns.write_config(os.path.join(folder, "c.cfg"), self.config)
        self.digests = workshop.run(f"with-{kind}/c.cfg", f"with-{kind}/run").splitlines()

    def values(self, data):
        return coupling_lines.values(data, SITES, None if self.components else AXES, self.components)

    def put(self, world, files=None, **changes):
        os.makedirs(os.path.join(world.inputs, "k"), exist_ok=True)
        for name, data in (self.files if files is None else files).items():
            world.write(f"in/k/{name}", data)
        campaigns.write_config(os.path.join(world.inputs, "c.cfg"), self.config | changes)


class CouplingFolderTarget:
    name = "couplings"

    def __init__(self, bases, rng, workshop):
        self.given = [Given(kind, workshop) for kind in KINDS]
        kinds = folders.odd_kinds(workshop.scratch)
        groups = []
        for given in self.given:
            groups.append([("lines", given, name, i) for name in given.files for i in range(200)])
            groups.append([("later", given, name, i) for name in given.files for i in range(60)])
            groups.append([("odd", given, name, kind) for name in (*given.files, "") for kind in kinds if name or not kind.startswith("copy ")])
            groups.append([("odd later", given, name, kind) for name in (*given.files, "") for kind in kinds if name or not kind.startswith("copy ")])
            groups.append([("folder", given, name) for name in FOLDER_NAMES])
            if not given.components:
                groups.append([("sizes", given, *size) for size in SIZES])
        for group in groups:
            rng.shuffle(group)
        self.entries = list(spread(groups))

    def case(self, k, rng):
        kind, given, *what = self.entries[k] if k < len(self.entries) else rng.choice([entry for entry in self.entries if entry[0] in ("lines", "later")])
        case = getattr(self, "of_" + kind.replace(" ", "_"))(given, rng, *what)
        case.title = f"couplings, {given.kind}: {case.title}"
        return case

    def further(self, given, rng):
        choice = LATER[:6] if not given.components else [LATER[i] for i in (0, 1, 3, 4)]
        return [list(arguments) for arguments in rng.sample(choice, rng.choice([1, 1, 2]))]

    def of_lines(self, given, rng, name, _):
        data, title = coupling_lines.changed(given.files[name], rng, 3 if not given.components else 1 + given.components)
        files = given.files | {name: data}
        read = {file: given.values(content) for file, content in files.items()}
        refused = any(values is None for values in read.values())
        commands = [Command(RUN, refused="" if refused else None)]
        if not refused and largest(read) > MAY_BE_TOO_LARGE:
            return Case(f"{name}, {title}", [Command(RUN, named="too low for energies")], lambda world: given.put(world, files))
        if not refused:
            commands += [Command(["inspect", "run", "--digest"]), *(Command(arguments) for arguments in self.further(given, rng))]
        return Case(f"{name}, {title}", commands, lambda world: given.put(world, files), judge=lambda world, command,
                    result: judged(given, world, read, refused, command, result))

    def of_later(self, given, rng, name, _):
        data, title = coupling_lines.changed(given.files[name], rng, 3 if not given.components else 1 + given.components)
        changed = data.removeprefix(b"\xef\xbb\xbf") != given.files[name]
        return self.after_a_run(given, rng, f"{name} later, {title}", lambda world: world.write(f"in/k/{name}", data), changed)

    def of_odd(self, given, rng, name, kind):
        def build(world):
            given.put(world)
            folders.put_odd(world, f"in/k/{name}".rstrip("/"), kind)
        kept = kind.startswith("copy ")
        read = {file: given.values(content) for file, content in given.files.items()}
        commands = [Command(RUN, refused=None if kept else "")] + ([Command(["inspect", "run", "--digest"])] if kept else [])
        return Case(f"{kind} as {name or 'the folder'}", commands, build, judge=lambda world, command,
                    result: judged(given, world, read, not kept, command, result))

    def of_odd_later(self, given, rng, name, kind):
        return self.after_a_run(given, rng, f"{kind} as {name or 'the folder'} later", lambda world: folders.put_odd(world, f"in/k/{name}".rstrip("/"), kind),
                                not kind.startswith("copy "))

    def after_a_run(self, given, rng, title, change, refused):
        """A campaign whose files have changed: nothing that needs them goes on."""
        arguments = self.further(given, rng)
        commands = [Command(RUN), Command(arguments[0], refused="" if refused and arguments[0][0] != "verify" else None, before=change)]
        commands += [Command(more, refused="" if refused and more[0] != "verify" else None) for more in arguments[1:]]
        commands.append(Command(rng.choice(LOOKS)))
        read = {file: given.values(content) for file, content in given.files.items()}

        def judge(world, command, result):
            if command.arguments[0] == "verify" and refused and result.status == 0:
                yield "not seen", f"verify finds no problem: {result.out[-200:].decode(errors='replace')}"
            if not refused:
                yield from judged(given, world, read, False, command, result)
        return Case(title, commands, given.put, judge=judge)

    def of_folder(self, given, rng, name):
        def build(world):
            key = "model.field_file" if given.components else "model.couplings_file"
            given.put(world, **{key: f"{name}/field.txt" if given.components and name != "c.cfg" else name})
            os.symlink("k", os.path.join(world.inputs, "link"))
            os.symlink("loop", os.path.join(world.inputs, "loop"))
            os.symlink("../k", os.path.join(world.inputs, "k/link"))
            os.mkfifo(os.path.join(world.inputs, "k/fifo"))
        refused = name not in ("k/", "./k", "../in/k", "k/../k", "k//", " k", "link", "link/", "k/link")
        read = {file: given.values(content) for file, content in given.files.items()}
        commands = [Command(RUN, refused="" if refused else None)] + ([] if refused else [Command(["inspect", "run", "--digest"])])
        return Case(f"folder {name[:60]!r}", commands, build, judge=lambda world, command, result: judged(given, world, read, refused, command, result))

    def of_sizes(self, given, rng, changes, accepted):
        def build(world):
            given.put(world, **changes)
        commands = [Command(RUN, refused="" if accepted is False else None, lasts=8),
                    Command([*RUN[:2], "--dry-run"], refused="" if accepted is False else None)]
        return Case(f"{changes}", commands, build)


def judged(given, world, read, refused, command, result):
    """Digests, exported couplings and ground-state energies of a run that was not refused."""
    verb = command.arguments[0]
    if refused:
        if os.path.lexists(os.path.join(world.out, "run", "campaign.sqlite")):
            yield "half a campaign", "a run that was refused has left a campaign"
    elif result.status != 0:
        yield "refused", f"files that can be used: {result.err[:300].decode(errors='replace')}"
    elif verb == "inspect" and "--digest" in command.arguments:
        lines = result.out.decode().splitlines()
        for i, (line, known) in enumerate(zip(lines, given.digests)):
            name = "field.txt" if given.components else FILES[i]
            apart = difference(read[name], given.values(given.files[name]))
            if apart == 0 and line != known:
                yield "silently different", f"{line} although the values are those of {known}"
            if apart > 1e-3 and line == known:
                yield "silently the same", f"{line} although the values are others"
    elif verb == "export":
        for name, values in read.items():
            exported = exported_values(os.path.join(world.out, "files/couplings", name))
            wanted = {place: coupling_lines.single(value) for place, value in values.items() if value}
            if wanted and exported != wanted:
                yield "silently different", f"exported {name}: {sorted(set((exported or {}).items()) ^ set(wanted.items()))[:4]}"
    elif verb == "ground" and given.kind == "ising":
        yield from energies(world, read)


def flat(values):
    return {(*place, i): x for place, value in values.items() for i, x in enumerate(value if isinstance(value, tuple) else (value,)) if x}


def largest(read):
    return max((abs(value) for values in read.values() for value in flat(values).values()), default=0.0)


def difference(one, other):
    """Largest difference between the values of two files."""
    one, other = flat(one), flat(other)
    return max((abs(coupling_lines.single(one.get(key, 0.0)) - coupling_lines.single(other.get(key, 0.0))) for key in one | other), default=0.0)


def exported_values(path):
    try:
        with open(path, "rb") as file:
            values = coupling_lines.values(file.read(), SITES, AXES)
    except OSError:
        return None
    return values and {place: coupling_lines.single(value) for place, value in values.items() if value}


def energies(world, read):
    """-sum J s s / N of the spins that `ground` keeps, with the couplings as they are in the files."""
    with open(os.path.join(world.out, "run/ground/energies.csv")) as file:
        head, *rows = [line.split(",") for line in file.read().splitlines() if not line.startswith("#")]
    for i, name in enumerate(FILES):
        with open(os.path.join(world.out, "run/ground", name)) as file:
            spins = [int(float(line.split()[1])) for line in file if re.match(r"\d", line)]
        terms = [-value * spins[site] * spins[neighbour(site, axis)] for (site, axis), value in read[name].items()]
        exact, found = math.fsum(terms) / SITES, float(rows[i][head.index("energy_per_site")])
        scale = math.fsum(map(abs, terms)) / SITES
        if abs(exact - found) > 1e-13 * scale + 1e-300:
            yield "energy", f"{name}: ground says {found!r}, its spins have {exact!r}"


def neighbour(site, axis):
    x, y = site % 4, site // 4
    return (x + 1) % 4 + 4 * y if axis == 0 else x + 4 * ((y + 1) % 4)
