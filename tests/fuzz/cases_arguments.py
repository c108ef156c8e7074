"""Cases of the command line and the environment: every verb, every option, hostile values, missing and repeated."""

from cases import CAMPAIGN, CONFIG, Case, Command, spread

BAD_NUMBERS = ["", " ", "-1", "-2147483649", "2147483648", "9223372036854775808", "nan", "inf", "1e308", "0x7", "3.7", "x", "\x1b[2J", "1" * 5000, "٣", "+1", "1,2"]
LARGE = ["2147483647", "20000", "1000000", "65536"]
SMALL = ["0", "1", "2", "3", "4"]
NAMES = ["", ".", "..", "/", "missing", "\x1b[31mred", "two\nlines", "\udcff\udcfe", "n" * 300, "a/" * 3000, "/dev/null", "/dev/full", "/dev/zero", "/proc/self/x",
         "../victim", "../campaigns/victim.d", "../in/c.cfg", "-", "--", "%s%n", "{}", "$(touch x)", "; touch x", "*"]
OUTPUTS = ["", ".", "/dev/full", "/dev/null", "missing/folder/x", "/proc/self/x", "n" * 300, "\x1b[2J.html", "\udcff.html", "x.html", "-"]
TIMES = ["", "0", "-1", "1e9", "nan", "inf", "1:2:3:4", "1-1", "99999999999999999999", "1h1h", "5x", ":", "1:60:60", "0.001", "2", "\x1b[2J", "-0", "1:", "3s", "1d"]
NUMBER, NAME, OUTPUT, TIME, FLAG = BAD_NUMBERS + LARGE + SMALL, NAMES, OUTPUTS, TIMES, [None]
ANALYSIS = {"blocks": NUMBER, "temperatures": NUMBER, "bootstrap": NUMBER, "reference": NAME, "converged-only": FLAG}
# Operands and options with their values; options of which a large number is an honest wish that takes its time are in LASTS.
VERBS = {
    "run": ([CONFIG], {"time-limit": TIME, "dry-run": FLAG, "coordinator-only": FLAG, "model.L": NUMBER, "model.L ": NUMBER, "backend.threads": NUMBER, "model": NAME,
                       "campaign.seed": NUMBER, "campaign.directory": ["", ".", CAMPAIGN, "\x1b[2J", "n" * 300, "x\ny", "/dev/null"]}),
    "submit": ([CONFIG], {"nodes": NUMBER, "gpus-per-node": NUMBER, "time": TIME, "partition": NAME, "account": NAME, "ranks-per-node": NUMBER, "cpus-per-rank": NUMBER,
                          "mpi": NAME, "sbatch-option": NAME, "dry-run": FLAG}),
    "status": ([CAMPAIGN], {"json": FLAG}),
    "describe": (["keys"], {}),
    "watch": ([CAMPAIGN], {"interval": NUMBER + TIME, "once": FLAG}),
    "analyze": ([CAMPAIGN], {"csv": OUTPUT, "converged-only": FLAG}),
    "export": ([CAMPAIGN], {"out": OUTPUT, "hdf5": FLAG, "csv": FLAG, "no-bins": FLAG, "bins": FLAG, "covariance": FLAG, "L": NUMBER, "force": FLAG}),
    "compare": ([CAMPAIGN, CAMPAIGN], {"observables": [*NAMES, "energy", ","], "level": NUMBER, "csv": OUTPUT, "json": OUTPUT}),
    "report": ([CAMPAIGN], {"out": OUTPUT, "csv": OUTPUT, **ANALYSIS}),
    "plot": ([CAMPAIGN], {"list": FLAG, "L": NUMBER, "T": NUMBER, "symmetrize": FLAG, "style": [*NAMES, "prl"], "panels": [*NAMES, "1x1", "0x1", "2x", "9x9"], "inset": [*NAMES, "1:2", "none", ":"],
                          "figures": [*NAMES, "energy", "energy,energy", ",", "nothing"], "format": [*NAMES, "pdf", "svg", "png"], "width": NUMBER + ["8.6", "1e-9", "1e9"],
                          "out": OUTPUT, **ANALYSIS}),
    "inspect": ([CAMPAIGN], {"L": NUMBER, "realization": NUMBER, "digest": FLAG}),
    "why": ([CAMPAIGN], {"realization": NUMBER, "L": NUMBER}),
    "verify": ([CAMPAIGN], {"recompute": NUMBER}),
    "percolate": ([], {"graph": [*NAMES, "chain", "square", "cubic", "4d", "triangular", "honeycomb", "bethe"], "size": NUMBER + ["4x5", "0x4", "4x", "x", "-4x4", "70000x70000"],
                       "p": ["", "0.5", "0:1:0.1", "1:0:0.1", "0:1:0", "0:1:-1", "0:1:1e-300", "0:1:1e-7", "nan", "inf", "-1", "2", "0.5,", ",", "0.1:0.9", "::", "x", "\x1b[2J"],
                       "samples": BAD_NUMBERS + SMALL, "sites": FLAG, "open": FLAG, "generations": BAD_NUMBERS + SMALL + ["30", "2147483647"], "z": NUMBER, "numbering": [*NAMES, "standard", "random"],
                       "edges": NAME, "csv": OUTPUT, "plot": [*OUTPUT, "x.svg", "x.pdf", "x.png", "x.txt"], "backend": [*NAMES, "auto", "cpu", "cuda"],
                       "method": [*NAMES, "union-find", "breadth-first", "tiles", "parallel"], "threads": BAD_NUMBERS + SMALL + ["4096", "100000", "2147483647"], "seed": NUMBER}),
    "doctor": ([], {"directory": NAME, "table": FLAG}),
    "help": ([], {}), "version": ([], {}), "--version": ([], {}), "\x1b[2J": ([], {}), "": ([], {}), "RUN": ([CONFIG], {}),
}
NEEDED = {"submit": ["--nodes", "2", "--gpus-per-node", "0", "--time", "1h", "--dry-run"], "watch": ["--once"], "export": ["--out", "files"],
          "plot": ["--figures", "energy", "--format", "svg"], "why": ["--realization", "0"], "percolate": ["--graph", "square", "--size", "4", "--p", "0.5", "--samples", "2"],
          "run": ["--time-limit=2"]}
ENVIRONMENTS = [
    {"HOME": None}, {"HOME": ""}, {"HOME": "/missing"}, {"HOME": "\udcff"}, {"LC_ALL": None}, {"LC_ALL": "xx_YY.UTF-99"}, {"LC_ALL": "tr_TR.UTF-8"}, {"LC_ALL": "de_DE.UTF-8"},
    {"LC_ALL": "C.UTF-8"}, {"LANG": "x" * 10000}, {"TERM": None}, {"TERM": "dumb"}, {"TERM": "\x1b[2J"}, {"TERM": "x" * 5000}, {"COLUMNS": "0"}, {"COLUMNS": "-1"},
    {"COLUMNS": "99999999999999999999"}, {"COLUMNS": "x"}, {"LINES": "0", "COLUMNS": "1"}, {"TMPDIR": "/missing"}, {"TMPDIR": "/dev/null"}, {"TMPDIR": ""}, {"PATH": ""},
    {"PATH": None}, {"TZ": "x" * 3000}, {"TZ": ":/dev/zero"}, {"OMP_NUM_THREADS": "-1"}, {"NO_COLOR": ""}, {"SLURM_JOB_ID": "1"}, {"SLURM_JOB_ID": "\x1b[2J", "SLURM_NTASKS": "x"},
    {"SLURM_NTASKS": "4", "SLURM_PROCID": "1"}, {"SLURM_PROCID": "-1"}, {"SLURM_PROCID": "99999999999999"}, {"PMI_RANK": "x"}, {"PMI_SIZE": "9", "PMI_RANK": "0"},
    {"OMPI_COMM_WORLD_SIZE": "x"}, {"OMPI_COMM_WORLD_SIZE": "-3", "OMPI_COMM_WORLD_RANK": "5"}, {"CUDA_VISIBLE_DEVICES": "x"}, {"CUDA_VISIBLE_DEVICES": ""},
    {"GLASSWORKS_LEFT_OUT": "\x1b[2J"}, {"SQLITE_TMPDIR": "/missing"}, {"GLIBC_TUNABLES": "x=y"}, {"MALLOC_ARENA_MAX": "1"}, {"HDF5_USE_FILE_LOCKING": "x"}, {"GNUTERM": "x11"},
]


def entries():
    """(verb, arguments behind it) in groups."""
    for verb, (operands, options) in VERBS.items():
        needed = NEEDED.get(verb, [])
        yield [(verb, [name, *needed]) for name in (NAMES if operands else ["x", ""])] + [(verb, needed), (verb, [*operands, *operands, *needed]), (verb, [*operands]),
                                                                                        (verb, ["--help"]), (verb, ["-h"]), (verb, [*operands, *needed, *needed]),
                                                                                        (verb, [*operands, "--", *needed]), (verb, [*operands, *needed, "--unknown"]),
                                                                                        (verb, [*operands, *needed, "--unknown=\x1b[2J"]), (verb, [*operands, "x" * 100000])]
        for option, values in options.items():
            base = without(needed, option)
            if values is FLAG:
                yield [(verb, [*operands, *base, f"--{option}", *extra]) for extra in ([], [f"--{option}"], ["x"])] + [(verb, [*operands, *base, f"--{option}=x"])]
            else:
                group = [(verb, [*operands, *base, f"--{option}={value}"]) for value in values]
                if verb != "run" or "." in option:
                    group += [(verb, [*operands, *base, f"--{option}", value]) for value in values]
                yield group + [(verb, [*operands, *base, f"--{option}"]), (verb, [*operands, *base, f"--{option}=4", f"--{option}=6"])]


def is_large(verb, arguments):
    """A lattice that takes more than a command may by default, which is right for it."""
    return verb == "percolate" and any(argument in ("20000", "--size=20000") for argument in arguments)


def without(arguments, option):
    kept, skip = [], False
    for argument in arguments:
        if skip and not argument.startswith("--"):
            skip = False
            continue
        skip = argument == f"--{option}"
        if not skip and not argument.startswith(f"--{option}="):
            kept.append(argument)
    return kept


class ArgumentTarget:
    name = "arguments"

    def __init__(self, bases, rng, workshop):
        groups = [list(group) for group in entries()]
        for group in groups:
            rng.shuffle(group)
        rng.shuffle(groups)
        self.entries = [entry for entry in spread(groups) if not any("\0" in argument for argument in entry[1])]
        self.bases = bases

    def case(self, k, rng):
        base = self.bases[k // 3 % len(self.bases)]
        if k % 8 == 7:
            return self.surroundings(k, base, rng)
        if k < len(self.entries):
            verb, arguments = self.entries[k]
        else:  # two or three of them at once
            verb, arguments = rng.choice(self.entries)
            others = [entry for entry in rng.sample(self.entries, 200) if entry[0] == verb][:2]
            arguments = arguments + [argument for _, more in others for argument in more if argument.startswith("--")]
        if verb in ("run", "submit") and not any(argument.startswith("--campaign.directory") for argument in arguments):
            arguments = [*arguments, f"--campaign.directory={CAMPAIGN}"]
        shown = " ".join(repr(argument) if len(argument) < 70 else f"{argument[:50]!r}..." for argument in [verb, *arguments])
        return Case(f"{base.name}: glassworks {shown}", [Command([verb, *arguments], lasts=3, large=is_large(verb, arguments))], lambda world: base.put(world.campaign), base, attacked=tuple(base.checkpoints))

    def surroundings(self, k, base, rng):
        changes = ENVIRONMENTS[k // 8 % len(ENVIRONMENTS)]
        if k // 8 >= len(ENVIRONMENTS):
            changes = changes | rng.choice(ENVIRONMENTS)
        verb, arguments = [("run", [CONFIG, f"--campaign.directory={CAMPAIGN}", "--time-limit=2"]), ("status", [CAMPAIGN]), ("report", [CAMPAIGN]),
                           ("plot", [CAMPAIGN, "--figures", "energy"]), ("watch", [CAMPAIGN, "--once"]), ("analyze", [CAMPAIGN]),
                           ("export", [CAMPAIGN, "--out", "files"])][(k // 8 + k // 8 // len(ENVIRONMENTS)) % 7]
        return Case(f"{base.name}: {changes} glassworks {verb}", [Command([verb, *arguments], environment=changes)], lambda world: base.put(world.campaign), base)
