#!/usr/bin/env python3
"""Fails where files disagree about the version of this release, or its entry in CHANGELOG.md is not closed.

Usage: check_version.py [ROOT] [--release] | --self-test    --release: also that CHANGELOG.md lists nothing as unreleased
"""
import pathlib
import re
import shutil
import sys
import tempfile

# File, what stands around the version (one group), what it is.
PLACES = [
    ("tools/python/src/glassworks/_version.py", r'^__version__ = "([^"]+)"', "the Python package"),
    ("CITATION.cff", r"^version: (\S+)", "the citation file"),
    ("docs/cite.md", r"version = \{([^}]+)\}", "the page How to cite"),
    ("docs/cite.md", r"\*, version (\S+) \(\d{4}\)", "the page How to cite"),
    ("tools/setup/conda/meta.yaml", r'^{% set version = "([^"]+)" %}', "the recipe of conda"),
    ("tools/setup/spack/packages/glassworks/package.py", r'^    version\("([\d.]+)"', "the recipe of Spack"),
]


def problems(root, release):
    def read(name):
        return (root / name).read_text(encoding="utf-8")

    version = re.search(r"^project\(glassworks VERSION ([\d.]+)", read("CMakeLists.txt"), re.M)[1]
    for name, pattern, what in PLACES:
        found = re.search(pattern, read(name), re.M)
        if not found or found[1] != version:
            yield (f"{name} names {'no version' if not found else 'version ' + found[1]} ({what}; CMakeLists.txt has {version}). "
                   f"Write {version} there.")
    changelog = read("CHANGELOG.md")
    entry = re.search(rf"^## \[{re.escape(version)}\] - (\d{{4}}-\d\d-\d\d)$", changelog, re.M)
    if not entry:
        yield f"CHANGELOG.md has no dated entry of version {version}. Add the line '## [{version}] - YYYY-MM-DD'."
    elif f"date-released: {entry[1]}\n" not in read("CITATION.cff"):
        yield f"CITATION.cff has another date than the entry of version {version} in CHANGELOG.md. Write 'date-released: {entry[1]}'."
    unreleased = re.search(r"^## \[Unreleased\]\n(.*?)(?=^## |\Z)", changelog, re.M | re.S)
    if release and unreleased and unreleased[1].strip():
        yield f"CHANGELOG.md lists changes as unreleased. Move them below the entry of version {version}."


def self_test():
    """Another version in any of the places, another date, and an unreleased change are found."""
    here = pathlib.Path(__file__).resolve().parents[2]
    names = ["CMakeLists.txt", "CHANGELOG.md", *dict.fromkeys(name for name, _, _ in PLACES)]
    plants = [(name, r"\b1\.\d+\.\d+\b", "9.9.9") for name in names if name != "CHANGELOG.md"]
    plants += [("CITATION.cff", r"date-released: \d+", "date-released: 1999"), ("CHANGELOG.md", r"## \[Unreleased\]\n", "## [Unreleased]\n- new\n")]
    for name, pattern, text in plants:
        with tempfile.TemporaryDirectory() as folder:
            for each in names:
                target = pathlib.Path(folder, each)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(here / each, target)
            changed = pathlib.Path(folder, name)
            changed.write_text(re.sub(pattern, text, changed.read_text(encoding="utf-8")), encoding="utf-8")
            if not list(problems(pathlib.Path(folder), True)):
                sys.exit(f"{text!r} in {name} was not found.")


def main():
    if "--self-test" in sys.argv:
        return self_test()
    arguments = [argument for argument in sys.argv[1:] if argument != "--release"]
    root = pathlib.Path(arguments[0] if arguments else ".")
    found = list(problems(root, "--release" in sys.argv))
    for problem in found:
        print(problem, file=sys.stderr)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
