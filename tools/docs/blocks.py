"""Code blocks of Markdown pages, and what each is.

A block is indented by four blanks after an empty line, or stands between fences. Its kind is that of the fence (```sh, ```ini, ...);
without one it follows from its text: commands, a configuration, Python, or plain text (output, an equation, a file). A comment
on the line above a block marks it for the tests of tests/docs/:

    <!-- not run: REASON -->     commands or Python that no test runs, and why
    <!-- file: NAME -->          the content of a file, which the commands below read
    <!-- expect: TEXT -->        what the commands print, among other things
"""

import dataclasses
import re

COMMAND = re.compile(r"(\$ )?(((build/|\./|[\w/-]+/env/bin/)?glassworks|\./tools/|tools/|cmake|ctest|cpack|apt|sudo|mpirun|sbatch|srun|chromium|gnuplot|python3"
                     r"|/usr/bin/python3|env/bin/|pip|export|source|until|for|mkdir|cp|xxhsum|git|spack|apptainer|cd|o=|awk|sort)\b|[a-z]+=\")")
SECTIONS = "campaign|model|disorder|replicas|ladder|protocol|round|convergence|backend|workers|checkpoint|course"
SETTING = re.compile(r"([a-z]+\.)?[A-Za-z_]\w* = \S")
MARK = re.compile(r"<!-- (not run|file|expect): (.*?) -->$")


@dataclasses.dataclass
class Block:
    page: str
    line: int  # of its first line, from 1
    kind: str  # sh, ini, python, text
    text: str
    marks: dict


def kind_of(text):
    """What a block without a fence is."""
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
    first = lines[0] if lines else ""
    if all(SETTING.match(line) or re.match(rf"\[({SECTIONS})\]", line) or line.startswith(" ") for line in lines) and re.match(rf"\[?({SECTIONS})\b", first):
        return "ini"
    if re.match(r"(import|from) \w|with [\w.]+\(.*:$|data\.|(\w+(, )?)+ = (glassworks|data|campaign|np)\.", first):
        return "python"
    return "sh" if COMMAND.match(first) else "text"


def blocks(page, text):
    """All blocks of a page in their order."""
    found, lines, i = [], text.split("\n"), 0

    def marks_above(line):
        marks = {}
        while line >= 0 and (lines[line] == "" or MARK.match(lines[line])):
            if match := MARK.match(lines[line]):
                marks[match[1]] = match[2]
            line -= 1
        return marks

    while i < len(lines):
        fence = re.match(r"(```+)\s*(\S*)", lines[i])
        if fence:
            end = next((j for j in range(i + 1, len(lines)) if lines[j].startswith(fence[1])), len(lines))
            text_of = "\n".join(lines[i + 1:end])
            found.append(Block(page, i + 2, fence[2] or kind_of(text_of), text_of, marks_above(i - 1)))
            i = end + 1
        elif lines[i].startswith("    ") and lines[i].strip() and (i == 0 or not lines[i - 1].strip() or MARK.match(lines[i - 1])):
            end = i
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            while not lines[end - 1].strip():
                end -= 1
            text_of = "\n".join(line[4:] for line in lines[i:end])
            if not re.match(r"\s*([-*]|\d+\.) ", lines[i]) or not in_list(lines, i):
                found.append(Block(page, i + 1, kind_of(text_of), text_of, marks_above(i - 1)))
            i = end
        else:
            i += 1
    return found


def in_list(lines, i):
    """Whether an indented line continues a list."""
    while i > 0:
        i -= 1
        if lines[i].strip() and not lines[i].startswith("    "):
            return bool(re.match(r"\s*([-*]|\d+\.) ", lines[i]))
    return False
