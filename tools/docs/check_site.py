#!/usr/bin/env python3
"""Checks a built site: it loads nothing from elsewhere, its links and pictures lead to files, and its search has an index.
Usage: tools/docs/check_site.py SITE | --self-test"""

import html.parser
import pathlib
import re
import sys
import tempfile
import urllib.parse

LOADS = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src", "embed": "src", "object": "data"}


class Page(html.parser.HTMLParser):
    """What a page loads, what it links to, and its anchors."""

    def __init__(self, text):
        super().__init__()
        self.loads, self.links, self.anchors = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if values.get("id"):
            self.anchors.add(values["id"])
        if tag in LOADS and values.get(LOADS[tag]):
            self.loads.append(values[LOADS[tag]])
        if tag == "link" and values.get("href") and values.get("rel") not in ("canonical",):
            self.loads.append(values["href"])
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])


def check(site):
    """Returns (problems, number of links)."""
    pages = {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    problems, count = [], 0
    for path, page in pages.items():
        name = path.relative_to(site.resolve()).as_posix()
        problems += [f"{name}: loads {url} from elsewhere" for url in page.loads if re.match(r"(https?:)?//", url)]
        for url in page.loads + page.links:
            address = urllib.parse.urlsplit(url)
            if address.scheme or url.startswith("//"):
                continue
            count += 1
            target = (path.parent / urllib.parse.unquote(address.path)).resolve() if address.path else path
            if not target.exists():
                problems.append(f"{name}: there is no {url}")
            elif address.fragment and target in pages and urllib.parse.unquote(address.fragment) not in pages[target].anchors:
                problems.append(f"{name}: there is no anchor {url}")
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8", errors="replace")
        problems += [f"{sheet.name}: loads {url} from elsewhere" for url in re.findall(r"(?:url\(|@import )[\"']?((?:https?:)?//[^\"')\s]+)", text)]
    for script in site.rglob("*.js"):
        if re.search(r"^(import|export) ", script.read_text(encoding="utf-8", errors="replace"), re.M):
            problems.append(f"{script.name}: is a module, which browsers refuse where it is no file of a server")
    if not (site / "searchindex.js").exists():
        problems.append("there is no searchindex.js")
    return problems, count


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder)
        (site / "a.html").write_text('<h1 id="x"></h1><a href="b.html#y">b</a><a href="#x">x</a><a href="c.html">c</a>'
                                     '<script src="https://e.org/f.js"></script><a href="https://e.org">e</a>')
        (site / "b.html").write_text('<link rel="stylesheet" href="//e.org/s.css"><img src="none.png">')
        (site / "s.css").write_text("@font-face { src: url(https://e.org/f.woff); }")
        (site / "m.js").write_text('import A from "./a.js";')
        problems, _ = check(site)
    expected = ("m.js", "b.html#y", "c.html", "f.js", "s.css from", "none.png", "f.woff", "searchindex")
    passed = len(problems) == len(expected) and all(any(words in problem for problem in problems) for words in expected)
    print("self-test passed" if passed else f"self-test failed: {problems}")
    return 0 if passed else 1


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    found, number = check(pathlib.Path(sys.argv[1]))
    print(*found, f"{number} links, {len(found)} problems", sep="\n")
    sys.exit(1 if found or not number else 0)
