#!/usr/bin/env python3
"""Fails when a file includes what its layer may not see.

Usage: check_layers.py [ROOT]      check the tree
       check_layers.py --self-test check this script with planted violations

Data and includes run one way: base <- kernels <- engine <- db <- scheduler / analysis <- tools, tests; inside kernels/ core <- models,
clusters <- rounds <- series <- ground / reference / cpu / cuda <- the files of the folder itself, which choose a backend. A room has the namespace
of its name. Project headers are included by their path from the repository root. MPI is for a single file, and so is whatever starts threads. A type of a namespace
is defined in one file of the product: two of one name in one program are undefined behaviour that no compiler reports. Files
above 400 lines are reported, but are not an error.
"""

import pathlib
import re
import sys
import tempfile

SUFFIXES = {".hpp", ".cpp", ".h", ".cu", ".cuh", ".inl"}
LONG_FILE = 400
INCLUDE = re.compile(r'^\s*#\s*include\s*(?P<quote>[<"])(?P<path>[^>"]+)[>"]')

ANY = r".*"
INTERFACE_OF_KERNELS = r"kernels/((core|models|clusters|rounds|series|ground)/.*|[^/]+)"  # no backend
VERSION = r"glassworks/version\.hpp"  # written by the build

BASE = r"base/.*"
BELOW_SERIES = [r"kernels/(core|models|clusters|rounds)/.*", BASE]
BELOW_BACKENDS = [r"kernels/series/.*", *BELOW_SERIES]

# Rooms of a layer, with those that each of them may look into.
ENGINE_ROOMS = {
    "graphs": [],
    "config": ["graphs"],
    "disorder": ["config", "graphs"],
    "bins": ["config"],
    "checkpoint": ["config", "bins"],
    "starts": ["config", "disorder", "bins", "checkpoint"],
    "loading": ["config", "disorder", "bins", "graphs", "starts"],
    "ladder": ["config", "bins", "loading"],
    "percolation": ["config", "graphs", "loading"],
}
SCHEDULER_ROOMS = {
    "convergence": [],
    "campaign": ["convergence"],
    "devices": ["campaign"],
    "histories": ["campaign"],
    "ladder": ["campaign", "devices"],
    "recovery": ["campaign", "devices", "histories"],
    "work": ["campaign", "convergence", "devices", "ladder", "recovery"],
    "ranks": ["campaign", "devices", "work"],
}

ANALYSIS_ROOMS = {
    "basics": [],
    "linear": [],
    "report": [],
    "observables": ["basics"],
    "statistics": ["basics", "linear", "observables", "report"],
    "averages": ["basics", "observables", "statistics"],
    "reweighting": ["basics", "report", "statistics"],
    "scaling": ["basics", "linear", "report", "statistics"],
    "histories": ["averages", "basics", "observables", "report", "statistics"],
    "diagnostics": ["averages", "basics", "observables", "report", "statistics"],
    "field": ["basics", "diagnostics", "linear", "observables", "report", "statistics"],
    "series": ["basics", "linear", "observables", "report", "statistics"],
    "export": ["averages", "basics", "observables", "series", "statistics"],
    "campaign": [".*"],
}


def rooms(layer, seen, below):
    """Rows of ALLOWED."""
    return {f"{layer}/{room}": [rf"{layer}/({'|'.join([room, *others])})/.*", *below] for room, others in seen.items()}


# Project headers that each layer may include (regular expressions on the whole path). A file belongs to the room with the
# longest path that fits.
ALLOWED = {
    "base": [BASE],
    "kernels/core": [r"kernels/core/.*", BASE],
    "kernels/models": [r"kernels/(core|models)/.*", BASE],
    "kernels/clusters": [r"kernels/(core|clusters)/.*", BASE],
    "kernels/rounds": BELOW_SERIES,
    "kernels/series": BELOW_BACKENDS,
    "kernels/ground": [r"kernels/ground/.*"] + BELOW_BACKENDS,
    "kernels/reference": [r"kernels/reference/.*"] + BELOW_BACKENDS,
    "kernels/cpu": [r"kernels/cpu/.*"] + BELOW_BACKENDS,
    "kernels/cuda": [r"kernels/cuda/.*"] + BELOW_BACKENDS,
    "kernels": [r"kernels/.*", BASE],
    **rooms("engine", ENGINE_ROOMS, [BASE, INTERFACE_OF_KERNELS, VERSION]),
    "db": [r"db/.*", r"engine/.*", BASE, VERSION],
    **rooms("scheduler", SCHEDULER_ROOMS, [r"(db|engine)/.*", BASE, INTERFACE_OF_KERNELS, VERSION]),
    **rooms("analysis", ANALYSIS_ROOMS, [r"(db|engine)/.*", BASE, VERSION]),
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
    "base": [CUDA, DATABASE, TESTING],
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
        r"std::(jthread|thread|async|barrier|latch)\b|\bpthread_create\b",
        {"base/threads.hpp"},
        "Use base/threads.hpp, which goes on with fewer threads or says that there are none",
    ),
    (
        r"namespace [\w:]*::inline\b",
        set(),
        "ctags and cscope find no function behind it. Write `namespace a { inline namespace b {`",
    ),
    (
        r"std::(basic_)?[io]?fstream\b|<fstream>|\bf(re)?open\(|\bfilebuf\b",
        {"base/precompiled.hpp"},
        "Read by base/text_file.hpp or regular_file.hpp and write by base/output_file.hpp or durable_file.hpp, which are never "
        "blocked, enforce size limits and never overwrite a device",
    ),
]


NAMESPACE = re.compile(r"\bnamespace\s*(?P<name>[\w:]*)\s*\{")
TYPE = re.compile(r"^(template\s*<.*>\s*)?(struct|class|enum class|enum|union)\s+(alignas\([^)]*\)\s*)?(?P<name>\w+)(\s+final)?\s*(:[^:]|\{)")


def layer_of(name):
    """The room or layer of a file; None outside all of them."""
    return max((layer for layer in ALLOWED if name.startswith(layer + "/")), key=len, default=None)


def matches(patterns, path):
    return any(re.fullmatch(pattern, path) for pattern in patterns)


def complaint(layer, name, quote, path):
    """What is wrong with one include in the file of this name and layer, or None."""
    if any(part in (".", "..") for part in path.split("/")):
        return "relative path. Include by the path from the repository root"
    is_project = path.split("/")[0] in FORBIDDEN or re.fullmatch(VERSION, path)
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
    if matches(FORBIDDEN[layer.split("/")[0]], path):
        return f"{layer}/ may not use this library"
    return None


def reserved_use(name, line):
    """What the line of the file of this name uses and may not."""
    code = line.split("//")[0]
    if name.startswith("tests/"):
        return []
    return [advice for pattern, files, advice in RESERVED if name not in files and re.search(pattern, code)]


def defined_types(lines):
    """(qualified name, line) of the types that a file defines in named namespaces, outside of other types."""
    spaces, depth = [], 0  # (depth, name) of the namespaces that are open
    for number, line in enumerate(lines, start=1):
        code = line.split("//")[0]
        opened, kind = [space["name"] for space in NAMESPACE.finditer(code)], TYPE.match(code)
        if opened:
            spaces += [(depth + i, name) for i, name in enumerate(opened)]
        elif kind and len(spaces) == depth and all(name for _, name in spaces):
            yield "::".join([name for _, name in spaces] + [kind["name"]]), number
        depth += code.count("{") - code.count("}")
        while spaces and depth <= spaces[-1][0]:
            spaces.pop()


def check(root):
    """Returns (errors, warnings, number of files) for the tree."""
    errors, warnings, files, types = [], [], 0, {}
    for top in FORBIDDEN:
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in SUFFIXES or not file.is_file():
                continue
            files += 1
            name = file.relative_to(root).as_posix()
            layer = layer_of(name)
            if layer is None:
                errors.append(f"{name}: unknown folder. Move it into a known one, or add the new one to check_layers.py")
                continue
            lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
            if len(lines) > LONG_FILE:
                warnings.append(f"{name}: {len(lines)} lines (above {LONG_FILE}). Consider splitting it")
            for kind, number in defined_types(lines) if layer != "tests" else ():
                first = types.setdefault(kind, name)
                if first != name:
                    errors.append(f"{name}:{number}: {kind} is defined in {first} too. Give one of them another name")
            for number, line in enumerate(lines, start=1):
                errors += [f"{name}:{number}: {what}" for what in reserved_use(name, line)]
                found = INCLUDE.match(line)
                if found:
                    problem = complaint(layer, name, found["quote"], found["path"])
                    if problem:
                        errors.append(f"{name}:{number}: {found['path']}: {problem}")
    return errors, warnings, files


PLANTED = [  # (file, include, is a violation)
    ("kernels/cpu/a.cpp", '"kernels/core/lattice.hpp"', False),
    ("kernels/cpu/a.cpp", "<immintrin.h>", False),
    ("kernels/core/a.hpp", '"base/threads.hpp"', False),
    ("base/a.cpp", '"base/digest.hpp"', False),
    ("base/a.cpp", '"kernels/core/lattice.hpp"', True),
    ("base/a.cpp", '"engine/config/config.hpp"', True),
    ("kernels/core/a.hpp", '"kernels/models/spin_model.hpp"', True),
    ("kernels/core/a.hpp", '"kernels/make_backend.hpp"', True),
    ("kernels/models/a.hpp", '"kernels/core/lattice.hpp"', False),
    ("kernels/models/a.hpp", '"kernels/clusters/graph.hpp"', True),
    ("kernels/models/a.hpp", '"kernels/rounds/chain.hpp"', True),
    ("kernels/clusters/a.hpp", '"kernels/models/spin_model.hpp"', True),
    ("kernels/rounds/a.hpp", '"kernels/models/spin_model.hpp"', False),
    ("kernels/rounds/a.cpp", '"kernels/cpu/rows/cluster_kernels.hpp"', True),
    ("kernels/rounds/a.cpp", '"kernels/make_backend.hpp"', True),
    ("kernels/rounds/a.cpp", '"kernels/series/measure_series.hpp"', True),
    ("kernels/series/a.cpp", '"kernels/rounds/chain.hpp"', False),
    ("kernels/series/a.cpp", '"kernels/cpu/cpu_backend.hpp"', True),
    ("kernels/cuda/a.cpp", '"kernels/series/series_layout.hpp"', False),
    ("kernels/ground/a.cpp", '"kernels/rounds/chain.hpp"', False),
    ("kernels/ground/a.cpp", '"kernels/cpu/cpu_backend.hpp"', True),
    ("kernels/cpu/a.cpp", '"kernels/ground/quench.hpp"', True),
    ("kernels/reference/a.cpp", '"kernels/rounds/round_driver.hpp"', False),
    ("kernels/reference/a.cpp", '"kernels/cpu/cpu_backend.hpp"', True),
    ("kernels/cpu/lanes/a.cpp", '"kernels/cpu/cpu_backend.hpp"', False),
    ("kernels/cpu/lanes/a.cpp", '"kernels/make_backend.hpp"', True),
    ("kernels/cuda/a.cu", '"kernels/cpu/cpu_backend.hpp"', True),
    ("kernels/cpu/a.cpp", "<Random123/philox.h>", False),
    ("kernels/cuda/a.cu", "<curand_kernel.h>", False),
    ("kernels/make_backend.cpp", '"kernels/cpu/cpu_backend.hpp"', False),
    ("kernels/a.hpp", '"engine/model.hpp"', True),
    ("kernels/a.hpp", '"db/store.hpp"', True),
    ("kernels/a.hpp", '"glassworks/version.hpp"', True),
    ("kernels/a.hpp", "<boost/random.hpp>", True),
    ("kernels/a.hpp", "<fmt/core.h>", True),
    ("kernels/a.hpp", "<SQLiteCpp/SQLiteCpp.h>", True),
    ("engine/config/a.cpp", '"kernels/make_backend.hpp"', False),
    ("engine/config/a.cpp", '"glassworks/version.hpp"', False),
    ("engine/config/a.cpp", "<numbers>", False),
    ("engine/config/a.cpp", '"kernels/models/spin_model.hpp"', False),
    ("engine/config/a.cpp", '"kernels/cpu/cpu_backend.hpp"', True),
    ("engine/config/a.cpp", '"kernels/reference/reference_backend.hpp"', True),
    ("engine/config/a.cpp", '"kernels/cuda/cuda_backend.hpp"', True),
    ("engine/config/a.cpp", '"db/store.hpp"', True),
    ("engine/config/a.cpp", '"scheduler/work/worker.hpp"', True),
    ("engine/config/a.cpp", "<cuda_runtime.h>", True),
    ("engine/config/a.cpp", "<sqlite3.h>", True),
    ("engine/config/a.cpp", '"model.hpp"', True),
    ("engine/config/a.cpp", '"../kernels/core/lattice.hpp"', True),
    ("engine/config/a.cpp", '"engine/../db/store.hpp"', True),
    ("engine/config/a.cpp", "<engine/model.hpp>", True),
    ("db/a.cpp", '"engine/record.hpp"', False),
    ("engine/config/a.cpp", '"engine/percolation/percolation.hpp"', True),
    ("db/a.cpp", "<SQLiteCpp/SQLiteCpp.h>", False),
    ("db/a.cpp", '"kernels/make_backend.hpp"', True),
    ("db/a.cpp", '"scheduler/work/worker.hpp"', True),
    ("db/a.cpp", '"analysis/basics/jackknife.hpp"', True),
    ("scheduler/work/a.cpp", '"kernels/make_backend.hpp"', False),
    ("scheduler/work/a.cpp", '"db/store.hpp"', False),
    ("scheduler/work/a.cpp", '"scheduler/campaign/campaign.hpp"', False),
    ("scheduler/campaign/a.cpp", '"scheduler/work/worker.hpp"', True),
    ("scheduler/convergence/a.cpp", '"scheduler/campaign/campaign.hpp"', True),
    ("scheduler/work/a.cpp", '"kernels/cpu/cpu_backend.hpp"', True),
    ("scheduler/work/a.cpp", '"analysis/basics/jackknife.hpp"', True),
    ("scheduler/work/a.cpp", '"tools/glassworks/verbs.hpp"', True),
    ("scheduler/ranks/mpi_transport.cpp", "<mpi.h>", False),
    ("scheduler/ranks/mpi_transport.cpp", "<boost/mpi/communicator.hpp>", False),
    ("scheduler/ranks/coordinator.cpp", "<mpi.h>", True),
    ("scheduler/ranks/messages.cpp", "<boost/mpi.hpp>", True),
    ("scheduler/ranks/messages.cpp", "<boost/archive/binary_oarchive.hpp>", False),
    ("tools/glassworks/a.cpp", "<mpi.h>", True),
    ("analysis/field/a.cpp", '"db/store.hpp"', False),
    ("analysis/field/a.cpp", '"engine/record.hpp"', False),
    ("analysis/field/a.cpp", '"kernels/make_backend.hpp"', True),
    ("analysis/field/a.cpp", '"scheduler/work/worker.hpp"', True),
    ("analysis/field/a.cpp", '"analysis/statistics/a.hpp"', False),
    ("analysis/statistics/a.cpp", '"analysis/field/a.hpp"', True),
    ("analysis/field/a.cpp", "<cuda_runtime.h>", True),
    ("tools/glassworks/a.cpp", '"kernels/cpu/cpu_backend.hpp"', False),
    ("tests/engine/a_test.cpp", '"kernels/reference/reference_backend.hpp"', False),
    ("tests/engine/a_test.cpp", "<gtest/gtest.h>", False),
    ("tests/engine/a_test.cpp", '"../helpers.hpp"', True),
]

PLANTED_LINES = [  # (file, line, is a violation)
    ("scheduler/work/a.cpp", "std::jthread thread_;", True),
    ("engine/config/a.cpp", "std::thread other([] {});", True),
    ("tools/glassworks/a.cpp", "std::async(std::launch::async, f);", True),
    ("kernels/a.hpp", "std::barrier<> barrier;", True),
    ("base/threads.hpp", "std::jthread thread_;", False),
    ("kernels/a.cpp", "std::thread::hardware_concurrency();", True),
    ("kernels/a.cpp", "f();  // as std::jthread", False),
    ("tests/engine/a_test.cpp", "std::jthread other([] {});", False),
    ("db/a.cpp", "namespace glassworks::inline db {", True),
    ("db/a.cpp", "namespace glassworks { inline namespace db {", False),
    ("tools/glassworks/a.cpp", "std::ifstream in(file);", True),
    ("analysis/a.cpp", "std::ofstream out(file);", True),
    ("engine/config/a.cpp", "#include <fstream>", True),
    ("db/a.cpp", 'std::FILE* file = fopen(name, "r");', True),
    ("db/a.cpp", "Database::open(file, access);", False),
    ("tests/engine/a_test.cpp", "std::ofstream(file) << text;", False),
]


PLANTED_TYPES = [  # (text of a second file, whether it defines glassworks::Tile again)
    ("namespace glassworks {\nstruct Tile {\n};\n}\n", True),
    ("namespace glassworks {\ntemplate <int n>\nclass Tile final : Base {\n};\n}\n", True),
    ("namespace glassworks {\nenum class Tile { a };\n}\n", True),
    ("namespace glassworks::cluster {\nstruct Tile {\n};\n}\n", False),
    ("namespace glassworks { inline namespace cluster {\nstruct Tile {\n};\n}}\n", False),
    ("namespace glassworks { inline namespace cluster {\nint f;\n}}\nnamespace glassworks {\nstruct Tile {\n};\n}\n", True),
    ("namespace glassworks {\nnamespace {\nstruct Tile {\n};\n}\n}\n", False),
    ("namespace glassworks {\nstruct Tile;\nstruct Grid {\n  struct Tile {\n  };\n};\n}\n", False),
    ("namespace glassworks {\nstruct Tile::Impl {\n};\ntemplate <>\nstruct Tile<3> {\n};\n}\n", False),
]


def self_test():
    failures = []
    for text, is_violation in PLANTED_TYPES:
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "kernels").mkdir()
            (pathlib.Path(folder) / "kernels" / "a.hpp").write_text("namespace glassworks {\nstruct Tile {\n};\n}\n", encoding="utf-8")
            (pathlib.Path(folder) / "kernels" / "b.cuh").write_text(text, encoding="utf-8")
            if bool(check(pathlib.Path(folder))[0]) != is_violation:
                failures.append(f"{text!r} beside glassworks::Tile: {'not found' if is_violation else 'found'}")
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
        file = pathlib.Path(folder) / "engine" / "config" / "long.cpp"
        file.parent.mkdir(parents=True)
        file.write_text("\n" * (LONG_FILE + 1), encoding="utf-8")
        errors, warnings, _ = check(pathlib.Path(folder))
        if errors or len(warnings) != 1:
            failures.append("a file above the length limit was not reported as a warning")
    for failure in failures:
        print(f"self-test: {failure}", file=sys.stderr)
    print(f"self-test {'failed' if failures else 'passed'}: {len(PLANTED) + len(PLANTED_LINES) + len(PLANTED_TYPES) + 1} planted cases")
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
