"""Published folders that cases start from, and how they are changed."""

import os

import campaigns
import folders
from folders import LIST, MANIFEST

SMALL = campaigns.COMMON | {"model.type": "ising", "model.couplings": "bimodal", "disorder.realizations": 3}
FILES = {"model.couplings": "files", "model.couplings_file": "given/couplings"}
CAMPAIGNS = {  # of each folder: the campaigns in it
    "one": [SMALL],
    "two": [SMALL, SMALL | {"disorder.first": 3, "disorder.realizations": 2, "campaign.generator": "threefry4x32", "backend.kind": "reference"}],
    "files": [SMALL | FILES | {"disorder.realizations": 2}],
    "field": [campaigns.COMMON | {"model.dim": 3, "model.field": "file", "model.field_file": "given/field.txt", "disorder.realizations": 2,
                                  "campaign.start": "annealed", "convergence.max_rounds": 9, "convergence.min_rounds": 9}],
    "file": [campaigns.COMMON | {"model.type": "on", "model.n": 2, "model.couplings": "file", "model.couplings_file": "given/one.txt",
                                 "disorder.realizations": 2}],
}
WITHOUT_GNUPLOT = {"PATH": ""}  # a publication holds the scripts of its figures then, and takes half the time
FIELD = "".join(f"{site} 0.1 -0.2 0.05\n" for site in range(64))
HUGE = ["0", "-1", "1", "2", "3", "5", "4294967295", "4294967296", "18446744073709551615", "99999999999999999999", "1e9", "1e308", "nan", "inf",
        "", "x", "0x4", "4.0", "+4", " 4", "4 ", "1" * 5000, "\x1b[2J", "\0"]
NAMES = ["", ".", "..", "/", "../../victim", "../elsewhere", "/dev/zero", "./results.csv", "numbers/../results.csv", "numbers", "missing", "x" * 300,
         "a/" * 3000 + "x", "two\tparts", "\x1b[2J", "\udcff\udcfe", "manifest.json ", " manifest.json", "MANIFEST.JSON", LIST, "//results.csv"]
EDITABLE = ("digests.csv", "temperatures.csv", LIST, MANIFEST)


class Published(folders.Folder):
    """A published folder, its realizations, and which of its files decide what is simulated."""

    def __init__(self, name, directory):
        super().__init__(directory)
        self.name = name
        rows = [line.split(",") for line in self.files["digests.csv"].decode().split("\n")[1:] if line]
        self.realizations = len({(row[0], row[1]) for row in rows})
        self.configurations = sorted(file for file in self.files if file.startswith("configuration/"))
        self.given = sorted(file for file in self.files if file.startswith(("couplings/", "fields/")))


def couplings_text(seed):
    return "".join(f"{site} {axis} {((site * 7 + axis * 3 + seed) % 5 - 2) / 2 or 0.25}\n" for site in range(16) for axis in range(2))


def make(workshop):
    given = os.path.join(workshop.scratch, "given")
    os.makedirs(os.path.join(given, "couplings"), exist_ok=True)
    for name, text in [("field.txt", FIELD), ("one.txt", couplings_text(0)), ("couplings/L004-r000000.txt", couplings_text(1)),
                       ("couplings/L004-r000001.txt", couplings_text(2))]:
        with open(os.path.join(given, name), "w") as file:
            file.write(text)
    made = []
    for name, parts in CAMPAIGNS.items():
        directories = [f"to-publish-{name}-{i}" for i in range(len(parts))]
        for directory, values in zip(directories, parts):
            campaigns.write_config(os.path.join(workshop.scratch, f"{directory}.cfg"), values)
            workshop.run(f"{directory}.cfg", directory)
        workshop.call("publish", *directories, "--out", f"published-{name}", "--author", "Doe, Jane",
                      environment=None if name == "one" else WITHOUT_GNUPLOT)
        workshop.call("verify", f"published-{name}")
        made.append(Published(name, os.path.join(workshop.scratch, f"published-{name}")))
    return made


def text_edits(data):
    """(title, bytes or what makes them) of a text that is not read as it was written, or is."""
    text = data.decode()
    lines = text.split("\n")
    yield from [("CRLF", text.replace("\n", "\r\n").encode()), ("byte order mark", b"\xef\xbb\xbf" + data), ("UTF-16", text.encode("utf-16")),
                ("UTF-32", text.encode("utf-32")), ("NUL at the end", data + b"\0"), ("NUL inside", data[: len(data) // 2] + b"\0" + data[len(data) // 2 :]),
                ("no last line feed", data[:-1]), ("blank lines", text.replace("\n", "\n\n").encode()), ("reversed", "\n".join(reversed(lines)).encode()),
                ("first line only", (lines[0] + "\n").encode()), ("no first line", "\n".join(lines[1:]).encode()), ("empty", b""), ("a blank", b" "),
                ("twice", data * 2), ("a line of 20 MB", lambda: data + b"7" * 20_000_000 + b"\n"),
                ("a million lines", lambda: data + (lines[1] + "\n").encode() * 1_000_000),
                ("Latin-1", data + b"\xfc\xe9\n"), ("escapes", data + b"\x1b[2J\x07\n"), ("upper case", text.upper().encode()),
                ("garbage", bytes(range(256)) * 20),
                ("quotes", text.replace(",", '","').encode()), ("semicolons", text.replace(",", ";").encode()),
                ("one column more", text.replace("\n", ",7\n").encode()),
                ("one column less", "\n".join(line.rpartition(",")[0] for line in lines).encode()), ("line feeds only", lambda: b"\n" * 1_000_000)]


def table_edits(data):
    """(title, bytes) with one field, row or number changed."""
    lines = data.decode().rstrip("\n").split("\n")
    for i, line in enumerate(lines):
        row = line.split(",")
        yield f"row {i} left out", "\n".join(lines[:i] + lines[i + 1 :] + [""]).encode()
        yield f"row {i} twice", "\n".join(lines[: i + 1] + lines[i:] + [""]).encode()
        yield f"row {i} cut short", "\n".join(lines[:i] + [",".join(row[:-1])] + lines[i + 1 :] + [""]).encode()
        yield f"row {i} of one field", "\n".join(lines[:i] + [row[0]] + lines[i + 1 :] + [""]).encode()
        for column in range(len(row)):
            for number in HUGE:
                changed = row[:column] + [number] + row[column + 1 :]
                yield f"row {i}, column {column} = {number[:40]!r}", "\n".join(lines[:i] + [",".join(changed)] + lines[i + 1 :] + [""]).encode()


def list_edits(files):
    """(title, bytes, whether that must be seen) of a list of digests, whose own digest fits where nothing else is said."""
    lines = [(line[:32], line[34:]) for line in files[LIST].decode().split("\n") if line and line[0] != "#"]
    whole = folders.list_text(lines)
    last = whole[whole.rindex(folders.LAST_LINE.encode()) :]
    yield "the last line alone", last, True
    yield "no line but a fitting last one", folders.list_text([]), True
    yield "without its last line", whole[: -len(last)], True
    yield "half of it, last line of all", whole[: len(whole) // 2] + last, True
    yield "short lines", folders.list_text([(value[:20], name) for value, name in lines]), True
    yield "names only", folders.list_text([("", name) for _, name in lines]), True
    yield "reversed", folders.list_text(lines[::-1]), None
    yield "every line twice", folders.list_text(lines * 2), None
    yield "upper case digests", folders.list_text([(value.upper(), name) for value, name in lines]), None
    yield "digests of nothing", folders.list_text([(folders.digest(b""), name) for _, name in lines]), True
    yield "digests changed around", folders.list_text([(lines[i - 1][0], name) for i, (_, name) in enumerate(lines)]), True
    for name in ("digests.csv", "temperatures.csv", MANIFEST, "results.csv", *(name for _, name in lines if name.startswith("configuration/"))):
        yield f"without {name}", folders.list_text([line for line in lines if line[1] != name]), True
    for name in NAMES:
        yield f"names {name[:40]!r} too", folders.list_text([*lines, (folders.digest(b""), name)]), None
        yield f"names {name[:40]!r} instead", folders.list_text([(lines[0][0], name), *lines[1:]]), None
    for value in ("", "0" * 32, "x" * 32, "\x1b[2J".ljust(32), lines[1][0] + "0"):
        yield f"a digest {value[:40]!r}", folders.list_text([(value, lines[0][1]), *lines[1:]]), None if value.startswith("\x1b") else True


def configuration_edits(data):
    """(title, bytes, whether rounds that are simulated again must have other bins)."""
    lines = data.decode().rstrip("\n").split("\n")
    keys = dict(line.split(" = ", 1) if " = " in line else (line.rstrip(" ="), "") for line in lines)
    numbers = [key for key, value in keys.items() if value.replace(".", "").replace("-", "").isdigit()]

    def text(changes):
        return "".join(f"{key} = {value}\n" for key, value in (keys | changes).items() if value is not None).encode()
    for key, value in (("campaign.seed", "8"), ("round.measurements", "4"), ("replicas.copies", "4"), ("protocol.sweeps_per_exchange", "2"),
                       ("protocol.exchanges_per_measurement", "2"), ("campaign.history", "1"), ("protocol.exchange", "sequential")):
        if keys.get(key) != value:
            yield f"{key} = {value}", text({key: value}), True
    for key in numbers:
        for value in HUGE + ["10", "100", "1000", "20000", "1000000"]:
            yield f"{key} = {value[:40]!r}", text({key: value}), None
    for key in keys:
        yield f"without {key}", text({key: None}), None
        yield f"{key} twice", data + f"{key} = {keys[key]}\n".encode(), None
    for key in ("model.couplings_file", "model.field_file"):
        for path in ["/dev/zero", "../elsewhere", "../../victim", "..", ".", "../couplings", "../fifo", "/", "missing", "../" * 1000 + "x", "x" * 300,
                     "\x1b[2J",
                     "../results.csv", "../report.html"]:
            kind = {"model.couplings": "file"} if key == "model.couplings_file" else {"model.field": "file"}
            yield f"{key} = {path[:40]!r}", text({key: path} | kind), None
            yield f"{key} = {path[:40]!r} of files", text({key: path, "model.couplings": "files"}), None
    for more in ("model.unknown = 4\n", "[model]\nL = 6\n", "backend.kind = cuda\n", "backend.kind = reference\n", "backend.threads = 4096\n",
                 "backend.batch = 100000\n",
                 "campaign.directory = ../../c\n", "campaign.generator = threefry4x32\n", "model.L = 4, 6, 8\n", "disorder.first = 4000000000\n",
                 "x" * 100000 + "\n"):
        yield f"with {more[:40]!r}", data + more.encode(), None
    for changes in ({"model.L": "4096"}, {"model.L": "16384"}, {"model.L": "4," * 2000 + "4"}, {"model.dim": "4", "model.L": "96"},
                    {"disorder.realizations": "4294967295"},
                    {"round.measurements": "1000000000"}, {"round.measurements": "1000000000", "round.samples": "1000000000"}, {"ladder.slots": "100000"},
                    {"protocol.sweeps_per_exchange": "1000000000"}, {"protocol.overrelaxation": "1000000"}, {"replicas.copies": "4", "model.L": "1024"},
                    {"model.shape": "4x1000000"}, {"model.shape": "4x4x4x4x4x4"}, {"campaign.start": "annealed", "round.measurements": "10000000"}):
        yield f"{changes}", text(changes), None
    yield from ((title, changed, None) for title, changed in text_edits(data))


def numbers_edits(data, rng):
    """(title, bytes, True) of a coupling or field file with one other value."""
    lines = data.decode().rstrip("\n").split("\n")
    for _ in range(12):
        i = rng.choice([i for i, line in enumerate(lines) if line and line[0] != "#"])
        words = lines[i].split()
        words[-1] = rng.choice([value for value in ("0.75", "-1.25", "3", "0.0625") if float(value) != float(words[-1])])
        yield f"line {i} = {' '.join(words)}", "\n".join([*lines[:i], " ".join(words), *lines[i + 1 :], ""]).encode(), True
