#!/usr/bin/env python3
"""Checks configs/papers/README.md: every numbered figure and table of the four papers has a row, with a command or the reason why there is
none, and every command there and in the pages of the papers is one that the program and the scripts take.

Usage: tests/docs/papers.py GLASSWORKS SCRATCH ROOT               checks the pages
       tests/docs/papers.py GLASSWORKS SCRATCH ROOT --self-test   checks the index with planted faults

Campaigns are dry-run, with a small size where a large one would take long to measure. Scripts with a dry run make it, and the commands that they
print are checked in their turn; figures.sh runs with a program that only prints its arguments. Options of other verbs are looked up in
their help.
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "docs"))
import blocks  # noqa: E402

INDEX = "configs/papers/README.md"
PAPERS = {
    "Yavors'kii and Weigel 2012": [f"Fig. {n}" for n in range(1, 4)] + ["Table 1"],
    "Weigel 2011": [f"Fig. {n}" for n in range(1, 15)] + ["Table 1"],
    "Komura 2016": [f"Fig. {n}" for n in range(1, 11)],
    "Protzman and Giedt 2018": [f"Fig. {n}" for n in range(1, 10)] + ["Table of Ising", "Table of phi^4"],
}
COMMAND = re.compile(r"(?:[A-Z]+=\S+ )*(?:bash |build/)\S.*")
WHY_NOT = re.compile(r"Not repeated, because .+|Not yet: .+")
PRINTS = "#!/bin/sh\necho glassworks \"$@\"\n"


def code(text):
    """Commands of a page: code spans, and indented lines without their comments."""
    lines = [line for block in blocks.blocks(INDEX, text) for line in re.sub(r"\\\n\s*", "", block.text).splitlines()]
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"^ {4}.*$", "", text, flags=re.M))
    return [c for c in [re.sub(r"\s+#.*", "", line.strip()) for line in lines] + spans if COMMAND.fullmatch(c)]


def rows(text):
    """{paper: [(name, command cell, all cells)]} of the tables of the index."""
    found = {}
    for section in re.split(r"^## ", text, flags=re.M)[1:]:
        table = [re.split(r"(?<!\\)\|", line)[1:-1] for line in section.splitlines() if re.match(r"\| (Fig\.|Table) ", line)]
        found[section.splitlines()[0].strip()] = [[cell.strip() for cell in cells] for cells in table]
    return found


class Checker:
    def __init__(self, program, scratch, root):
        self.program, self.root = str(pathlib.Path(program).resolve()), pathlib.Path(root).resolve()
        self.scratch = pathlib.Path(scratch).resolve()
        self.scratch.mkdir(parents=True, exist_ok=True)
        self.echo = self.scratch / "prints"
        self.echo.write_text(PRINTS)
        self.echo.chmod(0o755)
        self.results, self.options = {}, {}

    def run(self, command, program=None, directory=None):
        done = subprocess.run(command, cwd=directory or self.root, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120,
                              env=os.environ | {"GLASSWORKS": str(program or self.program), "LC_ALL": "C"})
        return done.returncode, done.stdout

    def command(self, text):
        """Problems of a command, kept because the same ones stand in several places."""
        if text not in self.results:
            self.results[text] = [f"`{text}`: {problem}" for problem in self.problems(text)]
        return self.results[text]

    def problems(self, text):
        words = shlex.split(re.sub(r"\s>\S+$", "", text).replace("backend.kind=cuda", "backend.kind=cpu"))  # a dry run measures
        while re.fullmatch(r"[A-Z]+=\S+", words[0]):
            words.pop(0)
        missing = [w for w in words if re.match(r"(configs|tools)/", w) and not (self.root / w).exists()]
        if missing:
            return [f"there is no {w}" for w in missing]
        if words[0] == "bash":
            return self.script(words[1:])
        if words[0] == "build/cluster_bench":
            main = (self.root / "tools/bench/cluster/main.cpp").read_text()
            return [f"cluster_bench has no part {w}" for w in words[1:2] if f'what == "{w}"' not in main]
        if pathlib.Path(words[0]).name == "glassworks":
            return self.campaign(words[2:]) if words[1] == "run" else self.verb(words[1], words[2:])
        return ["is no command of this program"]

    def campaign(self, arguments):
        text = (self.root / arguments[0]).read_text()
        dim = int((re.findall(r"^dim = (\d)", text, re.M) or ["3"])[0])
        given = re.findall(r"--model\.L=(\d+)", " ".join(arguments)) or re.findall(r"\d+", re.findall(r"^L = (.*)", text, re.M)[0])
        small = {2: 64, 3: 8, 4: 8}[dim]
        sizes = [f"--model.L={small}"] if max(map(int, given)) > small else []
        status, output = self.run([self.program, "run", *arguments, *sizes, f"--campaign.directory={self.scratch / 'none'}", "--dry-run"])
        return [] if status == 0 else [output.strip().splitlines()[-1]]

    def verb(self, verb, arguments):
        config = [w.partition("=")[2] for w in arguments if w.startswith("--config=")]
        if verb == "bench" and config:  # keys as of a campaign, whose sweeps the options of bench replace
            keys = [w for w in arguments if re.match(r"--\w+\.\w+=", w)]
            return self.verb(verb, [w for w in arguments if w not in keys and not w.startswith("--config=")]) + \
                self.campaign([*config, *keys])
        if verb not in self.options:
            status, output = self.run([self.program, verb, "--help"])
            self.options[verb] = set(re.findall(r"^  --([A-Za-z0-9-]+)", output, re.M)) if status == 0 else None
        if self.options[verb] is None:
            return [f"there is no verb {verb}"]
        named = [m.group(1) for m in (re.match(r"--([^=]+)", w) for w in arguments) if m]
        return [f"{verb} has no --{name}" for name in named if name not in self.options[verb]]

    def script(self, words):
        name = pathlib.Path(words[0]).name
        status, output = self.run(["bash", "-n", words[0]])
        if status:
            return [output.strip()]
        if name == "figures.sh":
            status, output = self.run(["bash", str(self.root / words[0]), *words[1:]], self.echo, self.scratch)
        elif name in ("run.sh", "published-timings.sh"):
            words = [w for w in words if w != "--dry-run"]
            output_folder = ["--out", str(self.scratch / "out")] if name == "run.sh" and "--out" not in words else []
            status, output = self.run(["bash", *words, *output_folder, "--dry-run"])
        else:
            return []
        if status:
            return [f"ends with status {status}: {output.strip()}"]
        printed = [line for line in output.splitlines() if COMMAND.fullmatch(line) or re.match(r"\S*glassworks [a-z]", line)]
        kept = {}  # one campaign of each configuration: the others differ in numbers
        for line in printed:
            line = line.replace(self.program, "build/glassworks")
            kept.setdefault(re.sub(r"(?<==)\S+", "", line), line)
        if not kept:
            return ["prints no command"]
        scripts_run_them = name == "run.sh"  # its campaigns were dry-run just now
        return [p for line in kept.values() if not (scripts_run_them and " run configs/" in line) for p in self.command(line)]

    def check(self, index):
        """Problems of an index with this text."""
        problems, table = [], rows(index)
        for paper, names in PAPERS.items():
            here = [cells[0] for cells in table.get(paper, [])]
            problems += [f"{paper}: {n} has {here.count(n)} rows" for n in names if here.count(n) != 1]
            problems += [f"{paper}: the paper has no {n}" for n in here if n not in names]
            for cells in table.get(paper, []):
                if len(cells) != 5:
                    problems.append(f"{paper}, {cells[0]}: {len(cells)} cells instead of 5")
                elif not code(cells[2]) and not any(WHY_NOT.search(cell) for cell in cells):
                    problems.append(f"{paper}, {cells[0]}: neither a command nor a reason why it is not repeated")
                elif code(cells[2]) and not (cells[3] and cells[4]):
                    problems.append(f"{paper}, {cells[0]}: no duration or no result")
        return problems + [p for c in code(index) for p in self.command(c)]


def self_test(checker, index):
    plants = {
        "a figure left out": (re.compile(r"^\| Fig\. 6 \| specific.*\n", re.M), "", "Fig. 6 has 0 rows"),
        "a figure twice": (re.compile(r"^(\| Fig\. 2 \| xi_L.*\n)", re.M), r"\1\1", "Fig. 2 has 2 rows"),
        "a row without command and reason": ("Not repeated, because it shows a state inside the algorithm.", "", "Fig. 2: neither"),
        "an unknown option": ("percolate --edges", "percolate --edge", "percolate has no --edge"),
        "an unknown verb": ("build/glassworks plot", "build/glassworks draw", "no verb draw"),
        "a configuration that is not there": ("run configs/papers/protzman-giedt-2018/ising.cfg",
                                              "run configs/papers/protzman-giedt-2018/potts.cfg", "there is no configs/"),
        "an unknown key": ("2018/ising.cfg`", "2018/ising.cfg --model.M=8`", "model.M"),
        "an unknown table": ("published-timings.sh weigel ", "published-timings.sh weigel-gamma ", "ends with status 2"),
        "an unknown part of a script": ("run.sh --only figure-7", "run.sh --only figure-77", "ends with status 2"),
        "an unknown part of cluster_bench": ("cluster_bench weigel", "cluster_bench wiegel", "no part wiegel"),
    }
    wrong = []
    checker.results = {c: [] for c in code(index)}  # the test itself checks those
    for name, (old, new, expected) in plants.items():
        text = old.sub(new, index) if isinstance(old, re.Pattern) else index.replace(old, new)
        problems = checker.check(text)
        if text == index or not any(expected in p for p in problems):
            wrong.append(f"{name} is not found: {problems}")
    print(*wrong, f"self-test {'failed' if wrong else 'passed'}, {len(plants)} faults", sep="\n")
    return 1 if wrong else 0


def main():
    if len(sys.argv) not in (4, 5) or sys.argv[4:] not in ([], ["--self-test"]):
        sys.exit(__doc__)
    checker = Checker(*sys.argv[1:4])
    index = (checker.root / INDEX).read_text(encoding="utf-8")
    if sys.argv[4:]:
        sys.exit(self_test(checker, index))
    problems = checker.check(index)
    for page in sorted((checker.root / "configs/papers").rglob("README.md")):
        if page != checker.root / INDEX:
            problems += [f"{page.relative_to(checker.root)}: {p}" for c in code(page.read_text(encoding="utf-8"))
                         if "$" not in c for p in checker.command(c)]
    print(*dict.fromkeys(problems), f"{len(checker.results)} commands, {len(problems)} problems", sep="\n")
    sys.exit(1 if problems or not checker.results else 0)


if __name__ == "__main__":
    main()
