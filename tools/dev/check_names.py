#!/usr/bin/env python3
"""Fails where a function of an unnamed namespace would be an overload of another one in a first build.

A first build compiles the files of a folder together (glassworks_join_sources in tools/setup/build_time.cmake). A call could then take the
function of another file, or of a header that another file includes, without a word of the compiler.

Usage: check_names.py [ROOT] | --self-test
"""
import collections
import functools
import pathlib
import re
import sys
import tempfile

LAYERS = ("base", "kernels", "engine", "db", "scheduler", "analysis", "tools/glassworks", "tools/bench", "tools/tune")
JOINED = (  # folders and those with which they are compiled: glassworks_joined_folder in tools/setup/build_time.cmake
    ("engine/.*", "engine"),
    ("scheduler/(campaign|convergence|devices|histories|ladder|recovery|work)", "scheduler"),
    ("analysis/(basics|diagnostics|reweighting)", "analysis/averages"),
    ("analysis/observables", "analysis/campaign"),
    ("analysis/histories", "analysis/statistics"),
    ("analysis/field", "analysis/series"),
    ("analysis/linear", "analysis/scaling"),
    ("kernels/(models|clusters|ground)", "kernels/core"),
    ("kernels/cpu/(lanes|neighbours|rows)", "kernels/cpu"),
    ("tools/glassworks/instances", "tools/glassworks/percolation"),
)
ALONE = re.compile(r"/cuda/|/isa_|_isa_")  # joined otherwise, or with compiler options of their own
UNNAMED = re.compile(r"(?:^|\{ )namespace \{\n(.*?)^\}+  // namespace", re.S | re.M)
FUNCTION = re.compile(r"^(?:template <[^\n]*>\n)?(?:\[\[[^\]]*\]\] )?(?:constexpr |inline |static )*"
                      r"(?:[A-Za-z_][\w:<>,*&\s.]*?[\s*&])?([A-Za-z_]\w*)\([^;{}]*?\)[^;{}]*[;{]", re.M)
RAW_STRING = re.compile(r'R"(\w*)\(.*?\)\1"', re.S)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
NO_NAMES = {"if", "for", "while", "switch", "return", "static_assert"}


class Tree:
    def __init__(self, root):
        self.root = root
        self.read = functools.cache(lambda name: RAW_STRING.sub('""', (root / name).read_text(encoding="utf-8")))
        self.declared = functools.cache(lambda name: set(FUNCTION.findall(self.read(name))) - NO_NAMES)

    def headers(self, name):
        """What a file includes, and what that includes."""
        seen, ahead = set(), [name]
        while ahead:
            for header in INCLUDE.findall(self.read(ahead.pop())):
                if header not in seen and (self.root / header).is_file():
                    seen.add(header)
                    ahead.append(header)
        return seen

    def folders(self):
        found = collections.defaultdict(list)
        for layer in LAYERS:
            for file in sorted((self.root / layer).rglob("*.cpp")):
                name = file.relative_to(self.root).as_posix()
                if not ALONE.search("/" + name):
                    folder = name.rpartition("/")[0]
                    found[next((to for of, to in JOINED if re.fullmatch(of, folder)), folder)].append(name)
        return found.values()

    def shared_names(self):
        """(file, function, another file that has or declares it)."""
        for files in self.folders():
            unnamed = {name: {function for block in UNNAMED.findall(self.read(name)) for function in FUNCTION.findall(block)}
                       - NO_NAMES for name in files}
            headers = {name: self.headers(name) for name in files}
            for name in files:
                for other in files:
                    if other > name:
                        yield from ((name, function, other) for function in sorted(unnamed[name] & unnamed[other]))
                for header in sorted(set().union(*headers.values()) - headers[name]):
                    yield from ((name, function, header) for function in sorted(unnamed[name] & self.declared(header)))


def self_test():
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)
        (root / "engine").mkdir()
        text = "namespace a {{\nnamespace {{\n\n{} name(int x) {{\n  return f(x);\n}}\n\n}}  // namespace\n}}\n"
        (root / "engine/one.cpp").write_text(text.format("int"))
        (root / "engine/two.cpp").write_text('#include "engine/two.hpp"\n')
        (root / "engine/two.hpp").write_text("int another(int x);\n")
        found = lambda: list(Tree(root).shared_names())
        if found():
            sys.exit("A name of one file was found twice.")
        (root / "engine/two.hpp").write_text("[[nodiscard]] int name(double x,\n    int y);\n")
        if found() != [("engine/one.cpp", "name", "engine/two.hpp")]:
            sys.exit("A name of a file that a header declares was not found.")
        compact = text.replace("a {{\nnamespace", "a {{ namespace").replace("}}  // namespace\n}}\n", "}}}}  // namespace a\n")
        (root / "engine/two.cpp").write_text(compact.format("std::vector<int>"))
        if found() != [("engine/one.cpp", "name", "engine/two.cpp")]:
            sys.exit("A name of two files was not found.")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return
    failed = False
    for name, function, other in Tree(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")).shared_names():
        print(f"{name}: {function}() of its unnamed namespace has the name of one in {other}, which a first build compiles with it. "
              "Rename it.")
        failed = True
    sys.exit(1 if failed else 0)


main()
