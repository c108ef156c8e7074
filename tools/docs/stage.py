#!/usr/bin/env python3
"""Lays out the source of the site: every Markdown page of the tree with the files that it shows, pages that the program prints, and
the navigation. Usage: tools/docs/stage.py ROOT GLASSWORKS OUT

Pages of docs/ move to the top of the site, links are rewritten to follow, links to other files of the source lead to copies of
them, indented blocks of code become fenced ones with their language.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import blocks  # noqa: E402

LINK = re.compile(r"(!?\[(?:[^\]\[]|\[[^\]\[]*\])*\])\((?![a-z]+:)([^()\s#]*)(#[^()\s]*)?\)")
SKIP = re.compile(r"(\.git|build[^/]*|out|campaigns|env)/")
MOVED = {"README.md": "readme.md", "CHANGELOG.md": "changelog.md", ".github/CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md",
         ".github/SECURITY.md": "security.md"}
GENERATED = {"reference/verbs.md", "reference/python-api.md"}


def place(path):
    """Where a page of the tree stands in the site."""
    return MOVED.get(path) or (path[5:] if path.startswith("docs/") else path)


def fenced(text):
    """The page with its indented blocks between fences."""
    lines = text.split("\n")
    for block in reversed(blocks.blocks("", text)):
        first = block.line - 1
        if lines[first - 1].startswith("```"):
            continue
        count = block.text.count("\n") + 1
        language = {"sh": "sh", "ini": "ini", "python": "python"}.get(block.kind, "text")
        lines[first:first + count] = ["```" + language, *block.text.split("\n"), "```"]
    return "\n".join(lines)


def rewritten(text, page, root, out, pages):
    """The page with links that lead where their targets stand in the site."""
    here = pathlib.PurePosixPath(place(page)).parent

    def new_link(match):
        label, path, anchor = match[1], match[2], match[3] or ""
        if not path:
            return match[0]
        target = os.path.normpath(os.path.join(os.path.dirname(page), path))
        if (root / target).is_dir():
            if f"{target}/README.md" not in pages:
                return label.lstrip("!")[1:-1]
            target = f"{target}/README.md"
        if target not in pages:
            copy = out / "files" / target if not label.startswith("!") else out / place(target)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / target, copy)
            new = os.path.relpath(copy.relative_to(out), here)
        else:
            new = os.path.relpath(place(target), here)
        return f"{label}({new}{anchor})"

    parts = re.split(r"(^```.*?^```$|`[^`\n]*`)", text, flags=re.M | re.S)
    code = []
    for i in range(1, len(parts), 2):  # links whose label holds code are links: code is put aside while they are found
        code.append(parts[i])
        parts[i] = f"\0{len(code) - 1}\0"
    return re.sub(r"\0(\d+)\0", lambda match: code[int(match[1])], LINK.sub(new_link, "".join(parts)))


def verbs_page(glassworks):
    """What `glassworks help` says of every verb. Keys, which have a page of their own, are left out."""
    def say(*words):
        return subprocess.run([glassworks, *words], capture_output=True, text=True, check=True).stdout

    verbs = [verb for verb in re.findall(r"^  glassworks ([a-z]+)", say("--help"), re.M) if verb not in ("help", "version")]
    page = ["# Verbs", "", "What `glassworks help VERB` prints. Options that begin with a section and a dot are [keys](../keys.md).", ""]
    for verb in verbs:
        text = re.split(r"^Keys:$", say("help", verb), flags=re.M)[0].rstrip()
        page += [f"## {verb}", "", "```text", text, "```", ""]
    return "\n".join(page)


PYTHON_PAGE = """# Python API

The docstrings of the package. [Python](../manual/python.md) shows how its parts go together.

```{eval-rst}
.. automodule:: glassworks
   :members:
   :imported-members:
   :undoc-members: False
```
"""


def navigation(path):
    """Hidden tables of contents, a caption each, from lines `Caption` and `  page` or `  page = title`."""
    result = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            result += ["```", "", "```{toctree}", ":hidden:", f":caption: {line.strip()}", ""]
            continue
        page, _, title = line.strip().partition(" = ")
        page = page if page in GENERATED else place(page)
        result.append(f"{title} <{page[:-3]}>" if title else page[:-3])
    return "\n".join(["", *result[2:], "```", ""])


def main():
    root, glassworks, out = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], pathlib.Path(sys.argv[3])
    shutil.rmtree(out, ignore_errors=True)
    pages = [path.relative_to(root).as_posix() for path in sorted(root.rglob("*.md"))]
    pages = [page for page in pages if not SKIP.match(page) and not page.startswith("tests/")]
    listed = {line.strip().partition(" = ")[0] for line in open(pathlib.Path(__file__).with_name("navigation.txt"), encoding="utf-8")}
    lost = [page for page in pages if page.startswith("docs/") and page not in listed and page != "docs/index.md"]
    if lost:
        sys.exit(f"Pages are not in the navigation ({', '.join(lost)}). Add their lines to tools/docs/navigation.txt.")
    for page in pages:
        text = rewritten(fenced((root / page).read_text(encoding="utf-8")), page, root, out, pages)
        if page == "docs/index.md":
            text += navigation(pathlib.Path(__file__).with_name("navigation.txt"))
        (target := out / place(page)).parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    (out / "reference").mkdir(exist_ok=True)
    (out / "reference" / "verbs.md").write_text(verbs_page(glassworks), encoding="utf-8")
    (out / "reference" / "python-api.md").write_text(PYTHON_PAGE, encoding="utf-8")
    print(f"{len(pages)} pages")


if __name__ == "__main__":
    main()
