#!/usr/bin/env python3
"""Fails when a message, a page or a configuration names a command, an option, a key or a value that the program does not have.

Usage: tools/dev/check_messages.py GLASSWORKS [ROOT]    check the tree with what the executable GLASSWORKS knows
       tools/dev/check_messages.py --self-test          check this script with planted faults

Read are the string literals of the sources, the pages of the manual, README.md, and configurations, scripts and pages in configs/.
A command (`glassworks VERB --option`) needs the verb and its option. An option by itself is right where every command that can say
the text has it: the verbs from which the source file is reached through its includes. Keys and their values are those of
`glassworks describe keys`.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

SOURCES = ("engine", "db", "scheduler", "analysis", "kernels", "tools")
SECTIONS = "campaign|model|disorder|replicas|ladder|protocol|round|convergence|backend|workers|checkpoint"
KEY = re.compile(rf"(?<![\w./-])(--)?((?:{SECTIONS})\.[A-Za-z]\w*)(?![\w(/])(?:( ?= ?)([^\s`{{}}<,;]+))?")
FILES = re.compile(r"campaign\.(sqlite|lock|h5|cfg)|.*\.(c|h|cpp|hpp|md|csv|json|html|py|cfg)")
OTHER = re.compile(r"\b(?:srun|sbatch|mpirun|cmake|ctest|gnuplot|chromium|fc-list)\b[^,.;)`]*")  # commands of other programs
OPTION = re.compile(r"(?<![\w\"'-])--([a-z][a-z0-9-]*)(?![\w.*-]*\.\w)")
GIVEN = re.compile(r" (?:is|has|does|cannot|leaves)\b")  # what was given and is refused
SPAN = re.compile(r"`([^`\n]+)`")
COMMAND = re.compile(r'(?:^|(?<=[\s("=;|`]))(?:build/|\./|"?\$\{?)?glassworks(?:\}?"?)?(?=\s)')
LITERAL = re.compile(r'//[^\n]*|/\*.*?\*/|R"(?P<d>[^(\s]*)\((?P<raw>.*?)\)(?P=d)"|"(?P<text>(?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\'',
                     re.S)
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<[^>]+>)[^\n]*', re.M)
VERB = re.compile(r'\.verb = "([a-z]+)"')
SCRIPTS = {"tools/glassworks/sbatch.cpp", "tools/glassworks/submit_script.cpp"}  # they write commands of Slurm
# Files of which a verb uses other parts than those that print options.
OTHER_PARTS = {"tools/glassworks/new_start.cpp": {"tune", "bench"}, "tools/glassworks/run_course.cpp": {"tune", "bench"},
               "tools/glassworks/print_options.cpp": {"percolate"}}
NO_PAGES = re.compile(r"CHANGELOG.md|(\.git|build[^/]*|out|campaigns|db)/")  # former versions; SQL names columns as we do keys
STORED_ONLY = {"campaign.start_digest", "model.couplings_digest", "model.field_digest", "model.graph_digest",
               "model.planes", "model.positions_digest"}  # written by the program, and no key for people


class Program:
    """What the executable accepts: options of each verb, keys with their values."""

    def __init__(self, executable):
        def say(*arguments):
            return subprocess.run([executable, *arguments], capture_output=True, text=True, check=True).stdout

        self.options, self.takes_keys = {}, set()
        for verb in re.findall(r"^  glassworks ([a-z]+)", say("--help"), re.M):
            text = say("help", verb) if verb not in ("help", "version") else ""
            self.options[verb] = set(re.findall(r"^\s+--([a-z][a-z0-9-]*)", text, re.M)) | {"help"}
            if "--section.key" in text.split("\n\n")[0]:
                self.takes_keys.add(verb)
        self.values = dict(re.findall(r"^\| `([\w.]+)` \| ((?:[^|\\]|\\.)*) \|", say("describe", "keys"), re.M))

    def wrong_value(self, key, value):
        """Why the key cannot have the value; none if it can, or if that is not known here."""
        shown = self.values[key].replace("\\|", "|")
        names = re.findall(r"(?:^|\| |: )([\w.-]+)(?= ?(?:\||;|$| too))", shown) if " | " in shown else []
        span = re.search(r"(-?[\d.e+-]+) to (-?[\d.e+-]+)(?!\^)", shown)
        for one in value.rstrip(".,:;)'\"").split(","):
            try:
                number = float(one)
            except ValueError:
                number = None
            if names and number is None and one not in names and one[:1].islower():
                return f"{key} = {one}: its values are {', '.join(names)}"
            if not names and one not in shown and span and number is not None and not float(span[1]) <= number <= float(span[2]):
                return f"{key} = {one}: it goes from {span[1]} to {span[2]}"
        return None


def unescaped(match):
    return {"n": "\n", "t": "\t"}.get(match[1], match[1])


def literals(source):
    """(line, text) of the string literals of C++, adjacent ones joined."""
    source = INCLUDE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source)
    found, end = [], None
    for match in LITERAL.finditer(source):
        if match[0][0] in "/'":
            continue
        text = match["raw"] if match["raw"] is not None else re.sub(r"\\(.)", unescaped, match["text"])
        if end is not None and re.fullmatch(r"(\s|//[^\n]*)*", source[end:match.start()]):
            found[-1][1] += text
        else:
            found.append([source.count("\n", 0, match.start()) + 1, text])
        end = match.end()
    return found


def defined_names(source):
    """Functions that a source defines, and types whose members it defines."""
    found = re.findall(r"^(?![\s#/])[^\n(=]*?(?:\b(\w+)::)?~?(\w+)\(", source, re.M)
    return {owner or name for owner, name in found}


def verbs_of(root):
    """(files, reached): text of each source file, and the verbs from which it is reached, in groups that a file defines. A verb
    reaches what it includes, and the files that define what it uses of that."""
    files = {p.relative_to(root).as_posix(): p.read_text(encoding="utf-8", errors="replace") for folder in SOURCES
             for p in sorted((root / folder).rglob("*")) if p.suffix in (".cpp", ".hpp", ".cu", ".cuh")}
    words = {name: set(re.findall(r"\w+", text)) for name, text in files.items()}
    includes = {name: [i for i in INCLUDE.findall(text) if i in files] for name, text in files.items()}
    declared = {name: set(re.findall(r"\w+(?=\()|(?<=class )\w+|(?<=struct )\w+", text)) for name, text in files.items()}
    definitions = {}  # {header: [(name, file that defines it)]}
    for name, text in files.items():
        for header in includes[name] if not name.endswith(".hpp") else []:
            if header.rsplit("/", 1)[0] == name.rsplit("/", 1)[0]:
                definitions.setdefault(header, []).extend((n, name) for n in defined_names(text) & declared[header])

    def headers_of(name):
        waiting, seen = [name], set()
        while waiting:
            new = [i for i in includes[waiting.pop()] if i not in seen]
            seen.update(new)
            waiting += new
        return seen

    reached = {name: set() for name in files}
    for start, text in files.items():
        verbs = frozenset(VERB.findall(text))
        waiting, seen = [start] if verbs else [], set()
        while waiting:
            name = waiting.pop()
            if name in seen or (name != start and VERB.search(files[name])):
                continue
            seen.add(name)
            reached[name].add(verbs)
            waiting += includes[name]
            waiting += [file for header in headers_of(name) for n, file in definitions.get(header, []) if n in words[name]]
    return files, reached


def check_command(words, program):
    """Problems of the words that follow `glassworks`."""
    words = [word.strip("\"'") for word in words]
    verb = words[0] if words else ""
    if not re.fullmatch(r"[a-z]+", verb) or verb == "job":  # "glassworks job 1: ..." is said by the script of a job
        return []
    if verb not in program.options:
        return [f"there is no command {verb}"]
    problems = []
    for word in words[1:]:
        if re.fullmatch(r"\|{1,2}|&&|;|>.*|#.*", word):
            break
        option = re.match(r"--([a-z][a-z0-9-]*)(\.[A-Za-z]\w*)?", word)
        if not option or word.startswith(("--section.key", "--option")):
            continue
        if option[2] and verb not in program.takes_keys:
            problems.append(f"`glassworks {verb}` takes no keys: {word}")
        elif not option[2] and option[1] not in program.options[verb]:
            problems.append(f"`glassworks {verb}` has no option --{option[1]}")
        if word.endswith(";"):
            break
    return problems


def check_text(text, groups, program, is_page=False):
    """Problems of a text that one verb of each group can say."""
    problems, plain = [], text
    for span in SPAN.findall(text) if not is_page else []:
        words = span.split()
        if COMMAND.match(span):
            problems += check_command(words[1:], program)
        if not span.startswith("--"):  # a command, of this program or of another one
            plain = plain.replace(f"`{span}`", " ")
    for command in re.findall(r"\bglassworks ([a-z]+ [^\n]*)", plain) if not is_page else []:
        if command.split()[0] in program.options:
            problems += check_command(command.split(), program)
            plain = plain.replace(command, " ")
    for option in OPTION.findall(OTHER.sub("", plain)) if not is_page else []:
        known = groups or {frozenset([verb]) for verb in program.options if option in program.options[verb]} or {frozenset(["VERB"])}
        lacking = sorted(min(group) for group in known if all(option not in program.options.get(verb, ()) for verb in group))
        if option not in ("help", "section", "version") and lacking:
            problems.append(f"--{option}: `glassworks {lacking[0]}` has no such option")
    for option in re.findall(r"`--([a-z][a-z0-9-]*)(?![\w.-]*\.\w)", text) if is_page else []:
        if option not in program.of_scripts and option != "section" and not any(option in known for known in program.options.values()):
            problems.append(f"no command and no script has --{option}")
    for match in KEY.finditer(text):
        _, key, equals, value = match.groups()
        if key in STORED_ONLY or FILES.fullmatch(key):
            continue
        if key not in program.values:
            problems.append(f"there is no key {key}")
        elif equals and (wrong := program.wrong_value(key, value)) and not GIVEN.match(text, match.end()):
            problems.append(wrong)
    return problems


def check_page(text, program, is_configuration=False):
    """(line, problem) of a page, a script or a configuration."""
    joined = re.sub(r"\\\n\s*", lambda match: " " + "\0" * match[0].count("\n"), text)
    number, section, code = 1, "", False
    for line in joined.split("\n"):
        code ^= line.startswith("```")
        for start in COMMAND.finditer(line):
            rest = line[start.end():]
            closing = rest.find("`") if line[:start.start()].count("`") % 2 else -1
            in_code = code or is_configuration or line.startswith(("    ", "|")) or closing >= 0
            words = rest[:closing] if closing >= 0 else rest
            if in_code and not (closing < 0 and line.startswith("|")):
                for problem in check_command(words.replace("\0", "").split(), program):
                    yield number, problem
        for problem in check_text(line.replace("\0", ""), set(), program, is_page=True):
            yield number, problem
        if is_configuration and (head := re.match(r"\[(\w+)\]", line)):
            section = head[1] + "."
        elif is_configuration and (row := re.match(r"([\w.]+)\s*=\s*([^#]*)", line)):
            for problem in check_text(f"{section}{row[1]} = {row[2].replace(', ', ',')}", set(), program, is_page=True):
                yield number, problem
        number += 1 + line.count("\0")


def check(root, program):
    """Returns (problems, number of texts)."""
    problems, texts = [], 0
    files, reached = verbs_of(root)
    for name, source in files.items():
        groups = {group for group in reached[name] if not group & OTHER_PARTS.get(name, set())}
        for line, text in literals(source):
            texts += 1
            if name in SCRIPTS:
                text = OPTION.sub("", text)
            problems += [f"{name}:{line}: {problem}" for problem in check_text(text, groups, program)]
    scripts = [p for folder in ("tools", "tests/scale") for p in (root / folder).rglob("*") if p.suffix in (".sh", ".py", ".cpp")]
    program.of_scripts = {"dependency", "kill-on-bad-exit"}  # of Slurm
    for script in scripts:
        program.of_scripts.update(re.findall(r"(?<!`)--([a-z][a-z0-9-]*)", script.read_text(encoding="utf-8", errors="replace")))
    pages = [p for p in sorted([*root.rglob("*.md"), *(root / "configs").rglob("*")]) if p.suffix in (".md", ".cfg", ".sh")
             and not NO_PAGES.match(p.relative_to(root).as_posix()) and p.is_file()]
    for page in pages:
        texts += 1
        text = page.read_text(encoding="utf-8")
        found = check_page(text, program, is_configuration=page.suffix == ".cfg")
        problems += [f"{page.relative_to(root)}:{line}: {problem}" for line, problem in found]
    return list(dict.fromkeys(problems)), texts


def self_test():
    program = Program.__new__(Program)
    program.options = {"a": {"csv", "out"}, "b": {"out"}, "version": set()}
    program.takes_keys = {"a"}
    program.values = {"model.type": "ising \\| xy; others none", "ladder.slots": "auto, or 2 to 9", "model.L": "list"}
    tree = {
        "tools/verb_a.cpp": ('#include "analysis/x.hpp"\nV{.verb = "a"}; f(); g();  // "--none"', []),
        "tools/verb_b.cpp": ('#include "analysis/x.hpp"\nV{.verb = "b"}; f(); say("--csv");', ["--csv"]),
        "analysis/x.hpp": ("void f();\nvoid g();\n", []),
        "analysis/x.cpp": ('#include "analysis/x.hpp"\nvoid f() { say("Add "\n"--csv, --out, or `glassworks a --csv`."); }', ["--csv"]),
        "analysis/y.cpp": ('#include "analysis/x.hpp"\nvoid g() { say("srun --mpi, --csv. Set model.type = ising."); }', []),
        "engine/z.cpp": ('say("model.typ; model.type = heis; model.type = x is none; ladder.slots = 10; `glassworks c`");',
                         ["model.typ", "heis", "= 10", "command c"]),
        "docs/x.md": ("`--csv`, `--scripted` and `--nothing`", ["--nothing"]),
        "tools/x.sh": ("--scripted", []),
        "README.md": ("    build/glassworks b \\\n      --csv x --model.L=4\n`glassworks a --model.L=4`, `glassworks d`\n",
                      ["--csv", "takes no keys", "command d"]),
        "configs/a.cfg": ("# build/glassworks a --non\n[model]\ntype = potts\nL = 4\n[ladder]\nslots = auto\n", ["--non", "potts"]),
        "configs/a.sh": ('"$glassworks" a --ladder.slots=1\n', ["= 1"])}
    with tempfile.TemporaryDirectory() as folder:
        for name, (text, _) in tree.items():
            (path := pathlib.Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        problems, _ = check(pathlib.Path(folder), program)
    wrong = []
    for name, (_, expected) in tree.items():
        here = [problem for problem in problems if problem.startswith(name + ":")]
        if len(here) != len(expected) or not all(any(words in problem for problem in here) for words in expected):
            wrong.append(f"{name}: {here}")
    print(*wrong, f"self-test {'failed' if wrong else 'passed'}", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    root = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else pathlib.Path(__file__).parents[2]
    found, count = check(root.resolve(), Program(sys.argv[1]))
    print(*found, f"{count} texts, {len(found)} problems", sep="\n")
    sys.exit(1 if found or not count else 0)
