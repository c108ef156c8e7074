#!/usr/bin/env python3
"""Checks the Markdown pages: relative links lead to files, anchors to headings, and README.md leads to every page of docs/.
Usage: tools/dev/check_links.py [ROOT | --self-test]"""
import pathlib
import re
import sys
import tempfile

CODE = re.compile(r"^(?: {4}|\t)[^\n]*$|^```.*?^```|`[^`]*`", re.M | re.S)
LINK = re.compile(r"\[[^\]\[]*\]\((?![a-z]+:)([^()\s#]*)#?([^()\s]*)\)")
GENERATED = re.compile(r"(\.git|build[^/]*|out|campaigns)/")


def anchors(page):
    """Anchors of the headings of a page, as GitHub forms them: lower case, hyphens for blanks, no punctuation."""
    titles = re.findall(r"^#+ +(.*?) *$", page.read_text(encoding="utf-8"), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def check(root):
    """Returns (errors, number of links) of the tree."""
    root = root.resolve()
    pages = [page for page in sorted(root.rglob("*.md")) if not GENERATED.match(page.relative_to(root).as_posix())]
    errors, leads_to = [], {}
    for page in pages:
        found = LINK.findall(re.sub(CODE, "", page.read_text(encoding="utf-8")))
        leads_to[page] = [(page.parent / path).resolve() if path else page for path, _ in found]
        for (path, anchor), target in zip(found, leads_to[page]):
            if not target.exists() or (anchor and anchor not in anchors(target)):
                errors.append(f"{page.relative_to(root)}: there is no {path}#{anchor}")
    waiting, reached = [root / "README.md"], set()
    while waiting:
        page = waiting.pop()
        waiting += [] if page in reached else leads_to.get(page, [])
        reached.add(page)
    lost = [page for page in pages if root / "docs" in page.parents and page not in reached]
    errors += [f"{page.relative_to(root)}: no links lead here from README.md" for page in lost]
    return errors, sum(map(len, leads_to.values()))


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        (manual := pathlib.Path(folder) / "docs" / "manual").mkdir(parents=True)
        links = "[a](#a-b-c) [b](#none) [c](none.md) [d](docs/manual/x.md#x) [e](https://f) `[g](h)`"
        (manual.parents[1] / "README.md").write_text(f"# A b, `c`\n    [i](j)\n{links}\n")
        (manual / "x.md").write_text("# X\n[r](../../README.md)\n")
        (manual / "y.md").write_text("# Y\n")
        errors, number = check(pathlib.Path(folder))
    passed = number == 5 and len(errors) == 3 and all(map(str.__contains__, errors, ("#none", "none.md", "y.md")))
    print("self-test passed" if passed else f"self-test failed: {number} links, {errors}")
    return 0 if passed else 1


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    problems, count = check(pathlib.Path(sys.argv[1]) if sys.argv[1:] else pathlib.Path(__file__).parents[2])
    print(*problems, f"{count} links, {len(problems)} errors", sep="\n")
    sys.exit(1 if problems or not count else 0)
