"""Cases of input files: configurations, couplings, fields, edge lists, reference values, earlier exports."""

import os

import campaigns
from cases import CAMPAIGN, Case, Command, spread
from cases_files import put_instead

NUMBERS = ["", "0", "-0", "-1", "1", "2", "3", "5", "7", "1.5", "nan", "inf", "-inf", "1e308", "1e309", "1e-320", "0x10", "1e3", "+4", "٤", "4,", ",4",
           "4,4", "4,,6", "6,4", "4 6", "4;6", "2147483647", "2147483648", "4294967296", "9223372036854775807", "9223372036854775808",
           "18446744073709551615", "18446744073709551616", "-9223372036854775808", "1" * 400, "4" + ", 6" * 3000, "1e", "--4", "1_000", "0004", "4.0"]
WORDS = ["true", "none", "auto", "list", "file", "x", "\x1b[2J", "a" * 100000, "'4'", '"4"', "../../victim", "$(touch x)", "%n%s", "\\n", "e\u0301"]
RANGES = {  # ends of what is accepted, and just beyond
    "campaign.seed": ["18446744073709551615"], "model.q": ["2", "20", "1", "21"], "model.n": ["2", "4", "1", "5"], "model.lambda": ["0", "1e6", "inf", "1e7"],
    "model.dim": ["1", "4", "0", "5"], "model.L": ["4", "4096", "1024", "128", "32", "1048576", "16384", "512", "96", "4098", "1048578"],
    "model.field_strength": ["1e-6", "1e6", "1e-7", "1e7"], "disorder.realizations": ["1", "10000000", "10000001"], "replicas.copies": ["1", "2", "4"],
    "ladder.T_min": ["0.001", "1e9", "0.0009", "1.1e9", "1.4999999"], "ladder.T_max": ["0.001", "1e9", "1.1e9", "0.500001"],
    "ladder.slots": ["2", "1024", "1025", "auto", "3,3"], "ladder.temperatures": ["0.5", "0.5, 0.5", "1.5, 0.5", "0.5, 1, nan", "0.001, 1e9"],
    "ladder.kappas": ["0.1, 0.2", "0.2, 0.1", "0", "1e9"], "ladder.pilots": ["1", "4096", "4097"], "ladder.adapt_rounds": ["2", "1000", "1001"],
    "protocol.cluster_sweeps": ["1", "1000000", "1000001"], "protocol.overrelaxation": ["0", "1000000"], "protocol.heatbath": ["0", "1000000"],
    "protocol.isoenergetic": ["1", "1000000"], "protocol.p_flip": ["0.5", "1e-300", "0.9999999999", "1", "0"], "protocol.seed_tile": ["2", "4", "3", "1"],
    "protocol.sweeps_per_exchange": ["1000000"], "protocol.exchanges_per_measurement": ["1000000"], "protocol.tile": ["0", "2", "4", "3"], "protocol.tile_repeats": ["1", "2", "100"],
    "round.measurements": ["1", "1000000", "1000001"], "round.samples": ["0", "1", "3", "4"], "convergence.min_rounds": ["1", "2147483647"],
    "convergence.max_rounds": ["1", "2147483647", "4294967295"], "convergence.min_round_trips": ["0", "2147483647", "9223372036854775807"],
    "convergence.n_tau": ["0", "1e6", "1.1e6"], "convergence.equilibration_tau": ["1e6"], "backend.threads": ["0", "2", "4096", "4097"],
    "backend.devices": ["0", "1023", "1024", "0,0"], "backend.batch": ["0", "1000000", "1000001"], "workers.lease_seconds": ["5", "86400", "4"],
    "workers.max_attempts": ["1", "1000000"],
}
CHOICES = {"model.type": ["heisenberg", "ising", "potts", "on", "xy", "phi4", "blume-capel", "clock"], "model.couplings": ["gaussian", "bimodal", "ferromagnet", "file"],
           "model.field": ["none", "sphere", "gaussian", "box", "uniform", "constant", "file"], "ladder.kind": ["geometric", "linear", "list"],
           "ladder.adapt": ["none", "rejection", "feedback"], "protocol.kind": ["local", "swendsen-wang", "wolff", "few-cluster"],
           "protocol.exchange": ["sequential", "even-odd", "none"], "backend.kind": ["auto", "reference", "cpu", "cuda"],
           "backend.isa": ["auto", "portable", "avx2", "avx512"]}
PATHS = {"campaign.directory": ["", ".", "x\0y", "a/" * 3000, "n" * 300, "/dev/null", "/dev/null/x", "/proc/self/c", "../victim", "../in/c.cfg", "\x1b[2J",
                                "a\nb", "../campaigns/c"],
         "model.couplings_file": ["", ".", "/dev/zero", "/dev/null", "missing", "../in/c.cfg", "../in", "\x1b[2J"],
         "model.field_file": ["", ".", "/dev/zero", "/dev/null", "missing", "../in/c.cfg", "n" * 300]}
CHEAP = ("backend.", "workers.", "campaign.seed", "model.q", "model.n", "model.lambda", "model.field", "model.couplings", "ladder.T_",
         "convergence.", "protocol.p_flip", "protocol.tile", "protocol.kind", "protocol.exchange", "model.type", "round.samples")
LARGE = ("model.L", "model.dim", "ladder.slots", "ladder.temperatures", "replicas.copies", "disorder.realizations", "ladder.pilots", "backend.batch",
         "round.measurements", "round.samples", "backend.threads")
UNREADABLE_TEXT = r"UTF-?8|UTF-?16|byte order|encod|NUL|text file|binary|character"


def config_text(values):
    return "".join(f"{key} = {value}\n" for key, value in values.items() if value is not None)


def config_entries():
    """(title, bytes of the file, may be run, what the message must say) in groups."""
    for kind, special in campaigns.KINDS.items():
        values = campaigns.COMMON | special | {"convergence.max_rounds": 2}
        plain = config_text(values)
        for key in sorted(set(RANGES) | set(CHOICES) | set(PATHS)):
            # Of a real run nothing may be large: it would be right to take its time.
            runs = key.startswith(CHEAP)
            group = RANGES.get(key, []) + CHOICES.get(key, []) + PATHS.get(key, []) + WORDS + NUMBERS
            yield [(f"{kind}: {key} = {value[:60]!r}", config_text(values | {key: value}).encode(errors="surrogateescape"), runs, None) for value in group]
        yield [(f"{kind}: without {key}", config_text({k: v for k, v in values.items() if k != key}).encode(), False, None) for key in values]
        first = list(values)[0]
        lines = plain.splitlines()
        sections = "".join(f"[{key.split('.')[0]}]\n{key.split('.')[1]} = {value}\n" for key, value in values.items())
        texts = [
            ("twice", plain * 2), ("one key twice", plain + f"{first} = 1\n"), ("sections", sections), ("section without end", "[model\n" + plain),
            ("empty section", "[]\n" + plain), ("nested section", "[model.a.b]\n" + plain), ("no =", plain + "model\n"), ("only =", plain + "=\n"),
            ("= only", plain + "= 4\n"), ("== value", plain.replace(" = ", " == ")), ("colon", plain.replace(" = ", ": ")), ("CRLF", plain.replace("\n", "\r\n")),
            ("CR", plain.replace("\n", "\r")), ("tabs", plain.replace(" = ", "\t=\t")), ("no last line feed", plain[:-1]), ("empty", ""), ("only comments", "# x\n" * 99),
            ("comments behind", plain.replace("\n", "   # x\n")), ("continued lines", plain.replace("\n", " \\\n")), ("upper case", plain.upper()),
            ("unknown key", plain + "model.size = 4\n"), ("key of escapes", plain + "mo\x1b[2Jdel.L = 4\n"),
            ("section of escapes", plain + "[\x1b[2J]\n"), ("JSON", "{" + plain + "}"), ("reversed", "\n".join(reversed(lines)) + "\n"),
            ("quoted", plain.replace(" = ", ' = "').replace("\n", '"\n')), ("digest given", plain + "model.couplings_digest = 0\n"),
        ]
        yield [(f"{kind}: {title}", text.encode(), True, None) for title, text in texts]
        data = plain.encode()
        yield [(f"{kind}: {title}", lambda data=data, more=more, times=times: data + more * times, True, None) for title, more, times in
               [("a line of 10 MB", b"#" * 20, 500_000), ("a key of 1 MB", b"k" * 20, 50_000), ("a million lines", b"\n", 1_000_000),
                ("a value of 1 MB", b"model.q = 4", 100_000), ("many keys", b"model.q = 3\n", 100_000)]]
        yield [(f"{kind}: {title}", text, True, UNREADABLE_TEXT) for title, text in
               [("UTF-8 with byte order mark", b"\xef\xbb\xbf" + data), ("UTF-16le", b"\xff\xfe" + plain.encode("utf-16-le")),
                ("UTF-16be", b"\xfe\xff" + plain.encode("utf-16-be"))]]
        yield [(f"{kind}: {title}", text, True, None) for title, text in
               [("UTF-16 without a mark", plain.encode("utf-16-le")), ("UTF-32", plain.encode("utf-32")), ("NUL at the end", data + b"\0"),
                ("NUL within", data[:40] + b"\0" + data[40:]), ("all NUL", b"\0" * 5000), ("Latin-1", data + b"# M\xfcller\nmodel.\xfc = 1\n"),
                ("random", bytes(range(256)) * 20), ("a database", b"SQLite format 3\0" + bytes(4000))]]


class ConfigTarget:
    name = "config"

    def __init__(self, bases, rng, workshop):
        groups = [list(group) for group in config_entries()]
        for group in groups:
            rng.shuffle(group)
        rng.shuffle(groups)
        self.entries = list(spread(groups))

    def case(self, k, rng):
        title, data, runs, message = self.entries[k % len(self.entries)]
        data = data() if callable(data) else data
        if k >= len(self.entries):  # bytes anywhere
            mutable = bytearray(data)
            for _ in range(rng.choice([1, 1, 2, 5, 20])):
                at = rng.randrange(len(mutable) + 1)
                how = rng.randrange(4)
                if how == 0:
                    mutable[at:at] = bytes([rng.randrange(256)])
                elif how == 1:
                    del mutable[at : at + rng.randrange(1, 20)]
                elif how == 2 and at < len(mutable):
                    mutable[at] = rng.choice(b"0123456789.,=-e \n[]#\0\xff")
                else:
                    mutable[at:at] = mutable[(start := rng.randrange(len(mutable) + 1)) : start + rng.randrange(60)]
            title, data, runs, message = title + ", bytes changed", bytes(mutable), False, None
        large = any(f": {key} =" in title for key in LARGE) or k >= len(self.entries)
        commands = [Command(["run", "../in/c.cfg", "--dry-run"], named=message, lasts=8, large=large)]
        if rng.random() < 0.2:
            commands.append(Command(["submit", "../in/c.cfg", "--nodes", "2", "--gpus-per-node", "0", "--time", "1h", "--dry-run"]))
        if runs:
            directory = [] if b"campaign.directory" in data else ["--campaign.directory=run"]
            commands.append(Command(["run", "../in/c.cfg", *directory, "--time-limit=1"], lasts=8, named=message))
        return Case("configuration " + title, commands, lambda world: world.write("in/c.cfg", data))


def lines_of_numbers(good, columns):
    """Hostile contents of a file of lines of numbers: (title, bytes, must be refused)."""
    words = good.split("\n")[0].split()
    for column in range(columns):
        for number in NUMBERS + WORDS[5:8]:
            changed = words[:column] + [number] + words[column + 1 :]
            text = good + " ".join(changed) + "\n"
            yield f"column {column} = {number[:50]!r}", text.encode(), number in ("nan", "inf", "x", "-inf", "1e309", "")
    yield from [("empty", b"", True), ("only comments", b"# none\n", True), ("line twice", (good + good.split("\n")[0] + "\n").encode(), None),
                ("one column more", good.replace("\n", " 7\n").encode(), True), ("one column less", "\n".join(line.rsplit(" ", 1)[0] for line in good.split("\n")).encode(), True),
                ("CRLF", good.replace("\n", "\r\n").encode(), None), ("commas", good.replace(" ", ",").encode(), None), ("no last line feed", good[:-1].encode(), None),
                ("UTF-8 mark", b"\xef\xbb\xbf" + good.encode(), None), ("UTF-16", good.encode("utf-16"), True), ("NUL", good.encode() + b"\0\n", None),
                ("NUL inside", good.encode()[:3] + b"\0" + good.encode()[3:], True), ("garbage", bytes(range(256)) * 50, True),
                ("a line of 20 MB", lambda: b"1" * 20_000_000, True), ("escapes", good.encode() + b"\x1b[2J \x07 1\n", True), ("blank lines", lambda: b"\n" * 1_000_000, True),
                ("long lines of blanks", lambda: (good + " " * 5_000_000 + "\n").encode(), None)]


COUPLINGS = "".join(f"{site} {axis} {0.5 - (site + axis) % 2}\n" for site in range(16) for axis in range(2))
FIELDS = "".join(f"{site} 0.1 -0.2 0.05\n" for site in range(64))
EDGES = "".join(f"{site} {site + 1}\n" for site in range(40)) + "".join(f"{site} {(site * 7) % 40}\n" for site in range(3, 40, 3))
REFERENCE = "L,T,observable,mean,error\n4,0.5,energy,-1.5,0.01\n4,1,energy,-1,0.01\n4,1.5,xi_over_L,0.3,0.02\n"
KINDS = ["fifo", "folder", "link to /dev/zero", "link to itself", "link to nothing", "nothing", "unreadable", "sparse", "socket", "link to /dev/full", "empty"]
PERCOLATE = Command(["percolate", "--edges", "../in/edges.txt", "--p", "0.2,0.5:0.7:0.1", "--samples", "3", "--threads", "2"])


def reference_lines():
    head, *lines = REFERENCE.strip().split("\n")
    for column in range(5):
        for number in NUMBERS + WORDS:
            changed = lines[0].split(",")
            changed[column] = number
            never = ("nan", "inf", "-inf", "x", "-1", "0", "1e308", "1.5", "2147483648")
            refused = number in {0: never, 1: never[:6], 3: ("x", "true"), 4: ("x", "true")}.get(column, ())
            yield f"column {column} = {number[:50]!r}", "\n".join([head, ",".join(changed), *lines[1:]]).encode() + b"\n", refused or None
    for heading in ("", "L", "L,T", "L,T,observable,mean", "L,T,observable,mean,error,error", "l,t,observable,mean,error", "L;T;observable;mean;error",
                    "\ufeffL,T,observable,mean,error", '"L","T","observable","mean","error"', "L,T,observable,mean,error" + ",x" * 100000, "\x1b[2J,T"):
        yield f"heading {heading[:40]!r}", (heading + "\n" + "\n".join(lines) + "\n").encode(), None
    yield from lines_of_numbers(REFERENCE.replace(",", " "), 0)
    yield "a million lines", lambda: REFERENCE.encode() + b"4,0.5,energy,-1.5,0.01\n" * 1_000_000, None
    yield "many observables", REFERENCE.encode() + b"".join(b"%d,0.5,o%d,-1.5,0.01\n" % (i, i) for i in range(20000)), None


def export_entries(base):
    return [("export", base, name, kind) for name in ("files", "files/campaign.h5", "files/manifest.json", "files/averages.csv", "page.html", "a.csv",
                                                      "numbers", "figures", "figures/energy.svg")
            for kind in ("link to the victim", "link to a victim's folder", "fifo", "folder", "full folder", "link to itself", "link to /dev/full", "unreadable",
                         "garbage", "socket")]


class InputTarget:
    name = "input"

    def __init__(self, bases, rng, workshop):
        base = next(base for base in bases if base.name == "field-finished")
        other = next(base for base in bases if base.name == "on-finished")
        groups = [[("couplings", *entry) for entry in lines_of_numbers(COUPLINGS, 3)], [("field", *entry) for entry in lines_of_numbers(FIELDS, 4)],
                  [("edges", *entry) for entry in lines_of_numbers(EDGES, 2)], [("reference", *entry) for entry in reference_lines()],
                  [("kind", what, kind) for what in ("couplings", "field", "edges", "reference", "config") for kind in KINDS],
                  export_entries(base) + export_entries(other)]
        for group in groups:
            rng.shuffle(group)
        self.entries, self.base = list(spread(groups)), base

    def case(self, k, rng):
        what, *entry = self.entries[k % len(self.entries)]
        if what == "export":
            return self.earlier_export(*entry, k)
        if what == "kind":
            what, kind = entry
            refused = None if kind in ("unreadable",) else ""
            title = f"{kind} as {what}"
        else:
            title, data, refused = entry
            data = data() if callable(data) else data
            title, kind, refused = f"{what}, {title}", None, "" if refused and k < len(self.entries) else None
            if k >= len(self.entries):
                data, title = changed_bytes(data, rng), title + ", bytes changed"
        name = {"couplings": "couplings.txt", "field": "field.txt", "edges": "edges.txt", "reference": "reference.csv", "config": "c.cfg"}[what]

        def build(world):
            values = campaigns.COMMON | {"convergence.max_rounds": 2}
            if what == "couplings":
                values |= {"model.couplings": "file", "model.couplings_file": "../in/couplings.txt", "model.type": rng.choice(["ising", "heisenberg"])}
            if what == "field":
                values |= campaigns.KINDS["field"] | {"model.field": "file", "model.field_file": "../in/field.txt", "model.field_strength": ""}
            if what == "reference":
                self.base.put(world.campaign)
            campaigns.write_config(os.path.join(world.inputs, "c.cfg"), values)
            if kind:
                put_instead(world, f"in/{name}", kind)
            else:
                world.write(f"in/{name}", data)
        if what == "edges":
            commands = [Command(PERCOLATE.arguments + (["--csv", "p.csv"] if k % 2 else []), lasts=8, refused=refused)]
        elif what == "reference":
            commands = [Command(["report", CAMPAIGN, "--reference", "../in/reference.csv"], refused=refused)]
            if k % 5 == 0:
                commands.append(Command(["plot", CAMPAIGN, "--reference", "../in/reference.csv", "--figures", "energy", "--format", "svg"]))
        else:
            commands = [Command(["run", "../in/c.cfg", "--campaign.directory=run", "--time-limit=2"], refused=refused),
                        Command(["run", "../in/c.cfg", "--dry-run"], refused=refused)]
        return Case(title, commands, build)

    def earlier_export(self, base, name, kind, k):
        def build(world):
            base.put(world.campaign)
            put_instead(world, f"out/{name}", kind)
        commands = [Command(["export", CAMPAIGN, "--out", "files"]), Command(["export", CAMPAIGN, "--out", "files", "--force"])]
        if name in ("page.html", "a.csv", "numbers"):
            commands = [Command(["report", CAMPAIGN, "--out", "page.html", "--csv", "numbers"]), Command(["analyze", CAMPAIGN, "--csv", "a.csv"])]
        if name.startswith("figures"):
            commands = [Command(["plot", CAMPAIGN, "--out", "figures", "--figures", "energy", "--format", "svg"])]
        return Case(f"{base.name}: {kind} as {name}", commands, build)


def changed_bytes(data, rng):
    data = bytearray(data[:100000])
    for _ in range(rng.choice([1, 2, 10])):
        at = rng.randrange(len(data) + 1)
        data[at : at + rng.randrange(3)] = rng.choice([b"", b"-", b"9" * 12, b"\n", b" ", b"\0", b",", b".", b"e", bytes([rng.randrange(256)])])
    return bytes(data)
