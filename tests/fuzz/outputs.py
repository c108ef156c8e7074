"""Every option of the program that names an output, with a command that writes one, and what it writes."""

import os
import re
import subprocess

import campaigns
import folders

CAMPAIGN, CONFIG, GRAPH = "../campaigns/c", "../in/c.cfg", "../in/graph.txt"
QUICK = ["--temperatures", "5", "--blocks", "2"]
PILOTS = ["--realizations", "2", "--runs", "2", "--measurements", "4", "--equilibration", "2", "--heatbath", "1,2"]
FILE, FOLDER = "FILE", "DIR"


class Output:
    """An option, or the place that a command has for what it writes.

    arguments  of the command, without the option
    kind       FILE or FOLDER
    beside     other things that the command makes in the folder where it is called
    suffix     that its name must have
    history    whether the campaign is one with a course
    """

    def __init__(self, verb, option, kind, arguments, beside=(), place="", weight=1, suffix="", history=False):
        self.verb, self.option, self.kind, self.arguments = verb, option, kind, arguments
        self.beside, self.place, self.weight, self.suffix = beside, place, weight, suffix
        self.campaign = "course" if history else "c"
        self.name = f"{verb} --{option}" if option else f"{verb} in the campaign"
        self.force = False  # whether there is --force
        self.reference, self.steady = {}, set()  # bytes of the files that are written; those that are always the same but for digests and dates

    def command(self, path, force=False):
        named = [f"--{self.option}={path}"] if self.option else []
        return [self.verb, *self.arguments, *named, *(["--force"] if force else [])]


OUTPUTS = [
    Output("init", "out", FILE, ["ising"]),
    Output("analyze", "csv", FILE, [CAMPAIGN]),
    Output("analyze", "covariance", FILE, [CAMPAIGN], history=True),
    Output("analyze", "realizations", FILE, [CAMPAIGN], history=True),
    Output("export", "out", FOLDER, [CAMPAIGN, "--csv"]),
    Output("export", "out", FOLDER, [CAMPAIGN, "--couplings", "--spins", "--series"]),
    Output("export", "out", FOLDER, [CAMPAIGN, "--hdf5"]),
    Output("report", "out", FILE, [CAMPAIGN, *QUICK]),
    Output("report", "out", FILE, [CAMPAIGN, "--brief", *QUICK]),
    Output("report", "csv", FOLDER, [CAMPAIGN, "--out", "page.html", *QUICK], beside=["page.html"]),
    Output("plot", "out", FOLDER, [CAMPAIGN, "--figures", "energy", "--format", "svg", *QUICK]),
    Output("compare", "csv", FILE, [CAMPAIGN, CAMPAIGN]),
    Output("compare", "json", FILE, [CAMPAIGN, CAMPAIGN]),
    Output("inspect", "csv", FILE, [CAMPAIGN]),
    Output("watch", "html", FILE, [CAMPAIGN]),
    Output("publish", "out", FOLDER, [CAMPAIGN], weight=0.3),
    Output("percolate", "csv", FILE, ["--graph", "square", "--size", "4", "--p", "0.5", "--samples", "2", "--threads", "1"]),
    Output("percolate", "plot", FILE, ["--graph", "square", "--size", "4", "--p", "0.5", "--samples", "2", "--threads", "1"], suffix=".html"),
    Output("tune", "out", FILE, [CONFIG, *PILOTS]),
    Output("tune", "json", FILE, [CONFIG, *PILOTS]),
    Output("bench", "json", FILE, ["--quick", "--cluster", "--L", "8", "--isa", "portable", "--threads", "1", "--repeats", "1"], weight=0.1),
    Output("run", "campaign.directory", FOLDER, [CONFIG]),
    Output("report", "", FILE, [CAMPAIGN, *QUICK], place="report.html"),
    Output("export", "", FOLDER, [CAMPAIGN, "--csv"], place="export"),
    Output("plot", "", FOLDER, [CAMPAIGN, "--figures", "energy", "--format", "svg", *QUICK], place="figures"),
    Output("ground", "out", FOLDER, [GRAPH, "--runs", "1", "--sweeps", "4", "--threads", "1"]),
    Output("ground", "", FOLDER, [CAMPAIGN, "--threads", "1"], place="ground"),
]
READ = {("percolate", "edges"), ("report", "reference"), ("plot", "reference"), ("doctor", "directory"), ("bench", "config")}  # inputs
SMALL = campaigns.COMMON | {"model.type": "ising", "disorder.realizations": 2}
HISTORY = {"campaign.seed": 7, "model.type": "ising", "model.dim": 2, "model.L": 4, "disorder.realizations": 4, "ladder.temperatures": 1,
           "course.sweeps": 4, "course.times": "1, 4", "backend.kind": "cpu", "backend.threads": 1}


def help_of(program, *verb):
    return subprocess.run([program, *verb, "--help"], stdin=subprocess.DEVNULL, capture_output=True, check=True, text=True).stdout


def made(workshop):
    """All outputs of this program, with what they hold, and the campaigns that they are written from {name: folder}. An option of a file or
    directory that is not in the list above has no cases: that is an error."""
    verbs = set(re.findall(r"^  glassworks (\S+)", help_of(workshop.program), re.MULTILINE)) - {"help", "version"}
    options = {(verb, option) for verb in verbs for option in re.findall(r"^  --(\S+) (?:FILE|DIR) ", help_of(workshop.program, verb), re.MULTILINE)}
    known = {(output.verb, output.option) for output in OUTPUTS if "." not in output.option} | READ
    if unknown := sorted(options - known):
        raise SystemExit(f"Options of files without cases in tests/fuzz/outputs.py: {', '.join(f'{verb} --{option}' for verb, option in unknown)}.")
    root = os.path.join(workshop.scratch, "outputs")
    for folder in ("in", "out", "campaigns"):
        os.makedirs(os.path.join(root, folder))
    with open(os.path.join(root, "in/graph.txt"), "w", encoding="utf-8") as file:
        file.write("0 1 1\n1 2 -1\n0 2 1\n")
    made_of = {}
    for name, config in {"c": SMALL, "course": HISTORY}.items():
        campaigns.write_config(os.path.join(root, f"in/{name}.cfg"), config)
        workshop.call("run", os.path.join(root, f"in/{name}.cfg"), f"--campaign.directory={root}/campaigns/{name}")
        made_of[name] = folders.Folder(os.path.join(root, "campaigns", name))
        made_of[name].files.pop("campaign.lock", None)
    for output in OUTPUTS:
        output.force = "--force" in help_of(workshop.program, output.verb)
        output.reference = written(workshop, root, output, 0)
        again = {} if output.option == "json" else written(workshop, root, output, 1)  # times and speeds differ
        output.steady = {name for name, data in output.reference.items() if name in again and plain(data) == plain(again[name])}
    return OUTPUTS, made_of


def plain(data):
    """A text without digests, dates and names of directories. Of other data only the beginning."""
    return data[:4] if b"\0" in data else re.sub(rb"[0-9a-f]{2,}|[0-9]|" + CAMPAIGN.encode(), b"", data)


def alike(found, wanted, steady):
    """Whether a file is the one that belongs there; of those that are never the same twice: whether it looks like it."""
    if steady:
        return plain(found) == plain(wanted)
    return found[:1] == wanted[:1] and found[-1:] == wanted[-1:] and 0.7 * len(wanted) - 200 < len(found) < 1.4 * len(wanted) + 200


def written(workshop, root, output, n):
    """Contents of what a command writes, by name in its folder ("" for a file)."""
    place = f"{CAMPAIGN}/{output.place}" if output.place else f"{output.verb}-{output.option}-{OUTPUTS.index(output)}-{n}{output.suffix}"
    again = output.force and (n > 0 and output.place or bool(output.beside))
    command = [part.replace(CAMPAIGN, f"../campaigns/{output.campaign}") for part in output.command(place, again)]
    done = subprocess.run([workshop.program, *command], cwd=os.path.join(root, "out"), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"An output cannot be made: glassworks {' '.join(output.command(place, again))}: {done.stderr}")
    path = os.path.join(root, "out", place)
    if output.kind == FOLDER:
        return folders.Folder(path).files
    with open(path, "rb") as file:
        return {"": file.read()}
