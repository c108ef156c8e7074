#!/usr/bin/env python3
"""Fails when a file includes what its layer may not see.

Usage: check_layers.py [ROOT]      check the tree
       check_layers.py --self-test check this script with planted violations

Data and includes run one way: kernels <- engine <- db <- scheduler / analysis <- tools, tests. Project headers are included
by their path from the repository root. MPI is for a single file, and so is whatever starts threads. Files above 400 lines
are reported, but are not an error.
"""

import pathlib
import re
import sys
import tempfile

SUFFIXES = {".hpp", ".cpp", ".h", ".cu", ".cuh", ".inl"}
LONG_FILE = 400
INCLUDE = re.compile(r'^\s*#\s*include\s*(?P<quote>[<"])(?P<path>[^>"]+)[>"]')

ANY = r".*"
INTERFACE_OF_KERNELS = r"kernels/(cluster/(graph|labelling|site_bonds|winding|cluster_observables)\.hpp|[^/]+)"  # no backend
VERSION = r"glassworks/version\.hpp"  # written by the build

# Project headers that each layer may include (regular expressions on the whole path).
ALLOWED = {
    "kernels": [r"kernels/.*"],
    "engine": [r"engine/.*", INTERFACE_OF_KERNELS, VERSION],
    "db": [r"db/.*", r"engine/.*", VERSION],
    "scheduler": [r"scheduler/.*", r"db/.*", r"engine/.*", INTERFACE_OF_KERNELS, VERSION],
    "analysis": [r"analysis/.*", r"db/.*", r"engine/.*", VERSION],
    "tools": [ANY],
    "tests": [ANY],
}

CUDA = r"(cuda|curand|nv|cub/|thrust/|cooperative_groups|device_launch_parameters).*"
DATABASE = r"(sqlite3|SQLiteCpp/).*"
TESTING = r"(gtest|gmock|benchmark|rapidcheck).*"
# The kernels see the standard library, CUDA and Random123 only.
OTHER_LIBRARIES = r"(boost|Eigen|H5|hdf5|fmt|spdlog|xxhash|zstd|mpi).*"

# Libraries that each layer may not include.
FORBIDDEN = {
    "kernels": [DATABASE, TESTING, OTHER_LIBRARIES],
    "engine": [CUDA, DATABASE, TESTING],
    "db": [CUDA, TESTING],
    "scheduler": [CUDA, TESTING],
    "analysis": [CUDA, TESTING],
    "tools": [],
    "tests": [],
}

# Libraries that a single file may include: everything else is tested without them.
MPI = r"(mpi|boost/mpi)(\.h|\.hpp|/.*)"
MPI_FILES = {"scheduler/ranks/mpi_transport.cpp"}

# What the sources may use in some files only (a regular expression on a line without its comment), and what to use elsewhere.
RESERVED = [
    (
        r"std::(jthread|async|barrier|latch)\b|std::thread\b(?!::hardware_concurrency)|\bpthread_create\b",
        {"kernels/threads.hpp"},
        "Use kernels/threads.hpp, which goes on with fewer threads or says that there are none",
    ),
]


def matches(patterns, path):
    return any(re.fullmatch(pattern, path) for pattern in patterns)


def complaint(layer, name, quote, path):
    """What is wrong with one include in the file of this name and layer, or None."""
    if any(part in (".", "..") for part in path.split("/")):
        return "relative path. Include by the path from the repository root"
    is_project = path.split("/")[0] in ALLOWED or re.fullmatch(VERSION, path)
    if is_project:
        if quote == "<":
            return 'project header in angle brackets. Write #include "..."'
        if not matches(ALLOWED[layer], path):
            return f"{layer}/ may not include it. Move the code up, or what it needs down"
        return None
    if quote == '"':
        return "unknown project header. Include by the path from the repository root, and libraries in angle brackets"
    if re.fullmatch(MPI, path) and name not in MPI_FILES:
        return "MPI stays in " + ", ".join(sorted(MPI_FILES)) + ". Use scheduler/ranks/transport.hpp"
    if matches(FORBIDDEN[layer], path):
        return f"{layer}/ may not use this library"
    return None


def reserved_use(name, line):
    """What the line of the file of this name uses and may not."""
    code = line.split("//")[0]
    if name.startswith("tests/"):
        return []
    return [advice for pattern, files, advice in RESERVED if name not in files and re.search(pattern, code)]


def check(root):
    """Returns (errors, warnings, number of files) for the tree."""
    errors, warnings, files = [], [], 0
    for layer in ALLOWED:
        for file in sorted((root / layer).rglob("*")):
            if file.suffix not in SUFFIXES or not file.is_file():
                continue
            files += 1
            name = file.relative_to(root).as_posix()
            lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
            if len(lines) > LONG_FILE:
                warnings.append(f"{name}: {len(lines)} lines (above {LONG_FILE}). Think again")
            for number, line in enumerate(lines, start=1):
                errors += [f"{name}:{number}: {what}" for what in reserved_use(name, line)]
                found = INCLUDE.match(line)
                if found:
                    problem = complaint(layer, name, found["quote"], found["path"])
                    if problem:
                        errors.append(f"{name}:{number}: {found['path']}: {problem}")
    return errors, warnings, files


PLANTED = [  # (file, include, is a violation)
    ("kernels/cpu/a.cpp", '"kernels/lattice.hpp"', False),
    ("kernels/cpu/a.cpp", "<immintrin.h>", False),
    ("kernels/cpu/a.cpp", "<Random123/philox.h>", False),
    ("kernels/cuda/a.cu", "<curand_kernel.h>", False),
    ("kernels/backend.cpp", '"kernels/cpu/cpu_backend.hpp"', False),
    ("kernels/a.hpp", '"engine/model.hpp"', True),
    ("kernels/a.hpp", '"db/store.hpp"', True),
    ("kernels/a.hpp", '"glassworks/version.hpp"', True),
    ("kernels/a.hpp", "<boost/random.hpp>", True),
    ("kernels/a.hpp", "<fmt/core.h>", True),
    ("kernels/a.hpp", "<SQLiteCpp/SQLiteCpp.h>", True),
    ("engine/a.cpp", '"kernels/backend.hpp"', False),
    ("engine/a.cpp", '"glassworks/version.hpp"', False),
    ("engine/a.cpp", "<numbers>", False),
    ("engine/a.cpp", '"kernels/cpu/cpu_backend.hpp"', True),
    ("engine/a.cpp", '"kernels/reference/reference_backend.hpp"', True),
    ("engine/a.cpp", '"kernels/cuda/cuda_backend.hpp"', True),
    ("engine/a.cpp", '"db/store.hpp"', True),
    ("engine/a.cpp", '"scheduler/worker.hpp"', True),
    ("engine/a.cpp", "<cuda_runtime.h>", True),
    ("engine/a.cpp", "<sqlite3.h>", True),
    ("engine/a.cpp", '"model.hpp"', True),
    ("engine/a.cpp", '"../kernels/lattice.hpp"', True),
    ("engine/a.cpp", '"engine/../db/store.hpp"', True),
    ("engine/a.cpp", "<engine/model.hpp>", True),
    ("db/a.cpp", '"engine/record.hpp"', False),
    ("db/a.cpp", "<SQLiteCpp/SQLiteCpp.h>", False),
    ("db/a.cpp", '"kernels/backend.hpp"', True),
    ("db/a.cpp", '"scheduler/worker.hpp"', True),
    ("db/a.cpp", '"analysis/jackknife.hpp"', True),
    ("scheduler/a.cpp", '"kernels/backend.hpp"', False),
    ("scheduler/a.cpp", '"db/store.hpp"', False),
    ("scheduler/a.cpp", '"kernels/cpu/cpu_backend.hpp"', True),
    ("scheduler/a.cpp", '"analysis/jackknife.hpp"', True),
    ("scheduler/a.cpp", '"tools/glassworks/verbs.hpp"', True),
    ("scheduler/ranks/mpi_transport.cpp", "<mpi.h>", False),
    ("scheduler/ranks/mpi_transport.cpp", "<boost/mpi/communicator.hpp>", False),
    ("scheduler/ranks/coordinator.cpp", "<mpi.h>", True),
    ("scheduler/ranks/messages.cpp", "<boost/mpi.hpp>", True),
    ("scheduler/ranks/messages.cpp", "<boost/archive/binary_oarchive.hpp>", False),
    ("tools/glassworks/a.cpp", "<mpi.h>", True),
    ("analysis/a.cpp", '"db/store.hpp"', False),
    ("analysis/a.cpp", '"engine/record.hpp"', False),
    ("analysis/a.cpp", '"kernels/backend.hpp"', True),
    ("analysis/a.cpp", '"scheduler/worker.hpp"', True),
    ("analysis/a.cpp", "<cuda_runtime.h>", True),
    ("tools/glassworks/a.cpp", '"kernels/cpu/cpu_backend.hpp"', False),
    ("tests/engine/a_test.cpp", '"kernels/reference/reference_backend.hpp"', False),
    ("tests/engine/a_test.cpp", "<gtest/gtest.h>", False),
    ("tests/engine/a_test.cpp", '"../helpers.hpp"', True),
]

PLANTED_LINES = [  # (file, line, is a violation)
    ("scheduler/a.cpp", "std::jthread thread_;", True),
    ("engine/a.cpp", "std::thread other([] {});", True),
    ("tools/glassworks/a.cpp", "std::async(std::launch::async, f);", True),
    ("kernels/a.hpp", "std::barrier<> barrier;", True),
    ("kernels/threads.hpp", "std::jthread thread_;", False),
    ("kernels/a.cpp", "std::thread::hardware_concurrency();", False),
    ("kernels/a.cpp", "f();  // as std::jthread", False),
    ("tests/engine/a_test.cpp", "std::jthread other([] {});", False),
]


def self_test():
    failures = []
    for name, include, is_violation in PLANTED:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / name
            file.parent.mkdir(parents=True)
            file.write_text(f"#pragma once\n  #  include {include}  // planted\n", encoding="utf-8")
            errors, _, files = check(pathlib.Path(folder))
        if files != 1 or bool(errors) != is_violation:
            failures.append(f"{name} with #include {include}: {'not found' if is_violation else errors}")
    for name, line, is_violation in PLANTED_LINES:
        if bool(reserved_use(name, line)) != is_violation:
            failures.append(f"{name} with {line}: {'not found' if is_violation else 'found'}")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "engine" / "long.cpp"
        file.parent.mkdir()
        file.write_text("\n" * (LONG_FILE + 1), encoding="utf-8")
        errors, warnings, _ = check(pathlib.Path(folder))
        if errors or len(warnings) != 1:
            failures.append("a file above the length limit was not reported as a warning")
    for failure in failures:
        print(f"self-test: {failure}", file=sys.stderr)
    print(f"self-test {'failed' if failures else 'passed'}: {len(PLANTED) + len(PLANTED_LINES) + 1} planted cases")
    return 1 if failures else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-")):
        print(__doc__, file=sys.stderr)
        return 2
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parents[2]
    errors, warnings, files = check(root)
    for warning in warnings:
        print(f"warning: {warning}")
    for error in errors:
        print(f"error: {error}", file=sys.stderr)
    if files == 0:
        print(f"error: no source file under {root}. Give the repository root", file=sys.stderr)
        return 1
    print(f"{files} files, {len(errors)} violations, {len(warnings)} warnings")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
