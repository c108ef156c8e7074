#!/usr/bin/env python3
"""Runs what README.md and the pages of the site tell their readers to run.

Usage: tests/docs/pages.py GLASSWORKS SCRATCH ROOT [PAGE...]    runs the pages
       tests/docs/pages.py GLASSWORKS SCRATCH --self-test       runs pages with planted faults

Each page has a folder of its own, in which `build/glassworks` and `glassworks` are the program with a small form of each campaign: fewer
sizes, realizations and measurements, from the comment `<!-- small: --key=value ... -->` of the page or else SMALL. Blocks of commands and of
Python run in their order, a failure is a failure of the test; configurations are read by the program (`run --dry-run`); blocks
marked with `<!-- file: NAME -->` become files. `<!-- not run: REASON -->` leaves a block out. PREPARE has what a page takes for given.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "docs"))
import blocks  # noqa: E402

SMALL = ("--disorder.realizations=4 --round.measurements=4 --round.samples=2 --protocol.exchanges_per_measurement=1 --convergence.min_rounds=8 "
         "--convergence.max_rounds=8 --convergence.n_tau=0 --convergence.min_round_trips=0")
SMALL_COURSE = "--model.L=8 --disorder.realizations=2 --replicas.copies=4 --course.sweeps=1100"

# Pages whose commands make records that stand beside them: campaigns of hours, on GPUs or many machines.
RECORDS = re.compile(r"configs/.+/README\.md|scheduler/|kernels/|analysis/|db/|tools/|tests/|engine/|\.github/|CHANGELOG\.md|SECURITY\.md")
PRINTED = {"docs/keys.md", "docs/observables.md", "docs/manual/backends.md"}

FIRST = """[model]
L = 4, 6
[disorder]
realizations = 32
[ladder]
T_min = 0.15
T_max = 0.6
slots = 8, 14
"""
# What a page takes for given: commands that run before its first block, in a folder that has first.cfg and campaigns/first.
COURSE = "glassworks init aging --out aging.cfg && glassworks run aging.cfg"
FIELD = """printf '%s\\n' 'model.type = ising' 'model.field = constant' 'model.field_strength = 0.1' 'ladder.temperatures = 1' >field.cfg
for c in zfc:0:1 trm:1:0 fc:1:1; do
  IFS=: read -r name before after <<<"$c"
  glassworks run field.cfg --campaign.directory=campaigns/$name --course.segments="100 at T field $before, at T field $after"
done"""
MORE = "glassworks run first.cfg --campaign.directory=campaigns/more --disorder.first=100 --disorder.realizations=4"
PREPARE = {
    "README.md": "rm -r campaigns/first first.cfg",
    "docs/manual/campaigns.md": "rm -r campaigns/first first.cfg",
    "docs/manual/aging.md": FIELD,
    "docs/manual/analysis.md": f"""{COURSE} --campaign.directory=campaigns/quench
echo t,xi_12 >published.csv; echo 100,2 >>published.csv
cp first.cfg large.cfg
glassworks run first.cfg --campaign.directory=campaigns/small --model.L=4 --ladder.slots=8
glassworks run large.cfg --campaign.directory=campaigns/large --model.L=6 --ladder.slots=14
glassworks run large.cfg --campaign.directory=campaigns/large-2 --model.L=6 --ladder.slots=14 --disorder.first=100 --disorder.realizations=50""",
    "docs/manual/configuration.md": "cp first.cfg my.cfg; cp -r campaigns/first campaigns/before",
    "docs/manual/convergence.md": "cp first.cfg my.cfg; ln -s campaigns/first DIR",
    "docs/manual/graphs.md": "printf '0 1 1\\n1 2 -1\\n2 0 1\\n' >edges.txt; "
                             "printf '0 0 0 0\\n1 4 0 0\\n2 0 4 0\\n' >positions.txt",
    "docs/manual/ground-states.md": """sed 's/^L = .*/L = 4/; s/^slots = .*/slots = 4/' first.cfg >glass.cfg
mkdir folder; printf '0 1 1\\n1 2 -1\\n2 0 1\\n' | tee instance.txt G11.txt >folder/one.txt
printf 'terms\\n1 2 3 1\\n2 3 4 -1\\n' >p-spin.txt""",
    "docs/manual/install.md": "mkdir -p .zfunc .config/fish/completions",
    "docs/manual/publishing.md": MORE,
    "docs/manual/python.md": f"glassworks run configs/quickstart.cfg --ladder.slots=4 && {COURSE} --model.L=64 --course.sweeps=64 --course.waiting_times=30",
    "docs/manual/reproducibility.md": "sed 's/^L = .*/L = 4/; s/^slots = .*/slots = 4/' -i first.cfg",
}
# Blocks of pages that have no comments for tests: (page, words of the block) -> why it is not run.
NOT_RUN = {
    ("docs/manual/machines.md", "glassworks submit"): "needs Slurm; tests/cluster/ runs it there",
}
# Programs of others that the pages call: stubs that succeed.
STUBS = ("chromium", "mpirun", "srun", "man", "apt")

# The program as the pages call it: `run` of a configuration file takes the small form, keys given on the command line win.
PROGRAM = r"""#!/usr/bin/env bash
if [[ $1 == run && -f $2 ]]; then
  small=$GLASSWORKS_SMALL
  if grep -q '^\[course\]\|^course\.' "$2" || [[ " $*" == *" --course."* ]]; then small=$GLASSWORKS_SMALL_COURSE; fi
  words=()
  for word in ${GLASSWORKS_SMALL_OF_PAGE-$small}; do [[ " $*" == *" ${word%%=*}"[=\ ]* ]] || words+=("$word"); done
  exec "$GLASSWORKS_PROGRAM" "$@" --backend.threads=1 "${words[@]}"
elif [[ $1 =~ ^(report|plot)$ && ! $2 =~ (aging|quench)$ ]]; then
  exec "$GLASSWORKS_PROGRAM" "$@" --blocks=20 --temperatures=40
elif [[ $1 == ground && -e $2 ]]; then
  exec "$GLASSWORKS_PROGRAM" "$@" $GLASSWORKS_SMALL_OF_PAGE
fi
exec "$GLASSWORKS_PROGRAM" "$@"
"""


def make_world(folder, root, program):
    """A folder in which the commands of a page work."""
    for name in ("bin", "build", "campaigns"):
        (folder / name).mkdir(parents=True)
    for name in ("configs", "tools", "docs"):
        (folder / name).symlink_to(root / name)
    for name in STUBS:
        (folder / "bin" / name).write_text("#!/bin/sh\nexec cat >/dev/null\n")
        (folder / "bin" / name).chmod(0o755)
    for name in ("bin/glassworks", "build/glassworks"):
        (folder / name).write_text(PROGRAM)
        (folder / name).chmod(0o755)
    (folder / "first.cfg").write_text(FIRST)
    environment = dict(os.environ, GLASSWORKS_PROGRAM=program, GLASSWORKS_SMALL=SMALL, GLASSWORKS_SMALL_COURSE=SMALL_COURSE, PATH=f"{folder}/bin:/usr/bin:{os.environ['PATH']}",
                       PYTHONPATH=str(root / "tools/python/src"), PYTHONDONTWRITEBYTECODE="1", GLASSWORKS=str(folder / "bin/glassworks"), LC_ALL="C")
    return environment


def execute(command, folder, environment, expected="", seconds=300):
    """Why a command failed or did not print what was expected; none if all is well."""
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=seconds, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return f"did not end within {seconds} s"
    if done.returncode == 0 and expected not in done.stdout:
        return f"does not print '{expected}' but: {done.stdout.strip()[-600:]}"
    return None if done.returncode == 0 else f"status {done.returncode}: {(done.stderr or done.stdout).strip()[-600:]}"


def run_page(page, text, folder, environment):
    """(line, problem) of the blocks of a page, and how many were run."""
    if small := re.search(r"<!-- small: (.*?) -->", text, re.S):
        environment["GLASSWORKS_SMALL_OF_PAGE"] = " ".join(small[1].split())
    problems, count, script = [], 0, ""
    if page in PREPARE and (problem := execute(["bash", "-euo", "pipefail", "-c", PREPARE[page]], folder, environment)):
        return [(0, f"preparation: {problem}")], 0
    for block in blocks.blocks(page, text):
        problem = None
        if "file" in block.marks:
            (folder / block.marks["file"]).write_text(block.text + "\n")
            ready = folder / "configs" / "tutorials" / block.marks["file"]
            if ready.exists() and ready.read_text(encoding="utf-8").split("\n\n", 1)[1] != block.text + "\n":
                problems.append((block.line, f"configs/tutorials/{ready.name} is another configuration"))
        if "not run" in block.marks or any(p == page and words in block.text for p, words in NOT_RUN) or ("file" in block.marks and block.kind != "ini"):
            continue
        if block.kind == "sh":
            problem = execute(["bash", "-euo", "pipefail", "-c", block.text], folder, environment, block.marks.get("expect", ""))
        elif block.kind == "python":
            script += block.text + "\n"
        elif block.kind == "ini":
            name = block.marks.get("file", "block.cfg")
            (folder / name).write_text(block.text + "\n")
            if "file" in block.marks and f"glassworks run {name}" in text:
                continue  # it is run below
            command = ["glassworks", "run", name, "--dry-run", "--campaign.directory=none"]
            command += [] if re.search(r"\bT_min|temperatures|course", block.text) else ["--ladder.T_min=1", "--ladder.T_max=2"]
            command += [] if re.search(r"slots|temperatures|course", block.text) else ["--ladder.slots=2"]
            command += [] if re.search(r"\bL = |model.graph", block.text) else ["--model.L=4"]
            command += [] if "realizations" in block.text else ["--disorder.realizations=4"]
            command += ["--course.sweeps=100"] if "course." in block.text else []
            command += ["--ladder.temperatures=1"] if "course" in block.text else []
            command += ["--model.type=ising"] if "model.lattice" in block.text else ["--model.type=on"] if "swendsen" in block.text else []
            if problem := execute(command, folder, dict(environment, GLASSWORKS_SMALL_OF_PAGE="")):
                problem = f"is no configuration: {problem}"
        else:
            continue
        count += 1
        if problem:
            problems.append((block.line, problem))
    if script and (problem := execute(["/usr/bin/python3", "-c", script], folder, environment)):
        problems.append((0, f"the Python of this page: {problem}"))
    return problems, count


def main(program, scratch, root, only):
    scratch = pathlib.Path(scratch).resolve()
    shutil.rmtree(scratch, ignore_errors=True)
    if os.access("/dev/shm", os.W_OK):  # many short campaigns, which otherwise wait for the disk
        with tempfile.TemporaryDirectory(prefix="glassworks-test-", dir="/dev/shm") as memory:
            return run_pages(program, pathlib.Path(memory), root, only)
    return run_pages(program, scratch, root, only)


def run_pages(program, scratch, root, only):
    pages = [path.relative_to(root).as_posix() for path in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]]
    world = scratch / "world"
    environment = make_world(world, root, program)
    if problem := execute(["glassworks", "run", "first.cfg"], world, environment):
        sys.exit(f"the first campaign: {problem}")
    failed, total = 0, 0
    for page in pages:
        if RECORDS.match(page) or page in PRINTED or (only and page not in only):
            continue
        folder = scratch / re.sub(r"\W", "-", page)
        text = (root / page).read_text(encoding="utf-8")
        shutil.copytree(world, folder, symlinks=True)
        if "<!-- small: " in text:  # a page that makes campaigns of its own from the beginning
            shutil.rmtree(folder / "campaigns")
        begin = os.times()
        environment = dict(environment, PATH=environment["PATH"].replace(str(world), str(folder)), GLASSWORKS=str(folder / "bin/glassworks"),
                           GLASSWORKS_SMALL=SMALL, HOME=str(folder))
        environment.pop("GLASSWORKS_SMALL_OF_PAGE", None)
        problems, count = run_page(page, text, folder, environment)
        end = os.times()
        seconds = end.children_user + end.children_system - begin.children_user - begin.children_system
        print(f"{page}: {count} blocks, {seconds:.1f} s of processor time")
        for line, problem in problems:
            print(f"{page}:{line}: {problem}")
        shutil.rmtree(folder)
        failed, total = failed + len(problems), total + count
        environment["PATH"] = environment["PATH"].replace(str(folder), str(world))
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed or not total else 0


PLANTED = """# Page

    glassworks run first.cfg
    glassworks status campaigns/first

and

    glassworks staus campaigns/first

with

    [model]
    L = 4, 6
    Lx = 3

<!-- file: good.cfg -->

    [model]
    L = 4
    [disorder]
    realizations = 4
    [ladder]
    T_min = 0.5
    T_max = 1
    slots = 2

<!-- expect: no such thing -->

    glassworks status campaigns/first

<!-- not run: it would fail -->

    glassworks run none.cfg

or

    import glassworks
    glassworks.open("campaigns/none")

of

    H = - sum J_ij s_i s_j
"""


def self_test(program, scratch):
    """The planted faults are found, and nothing else."""
    real = pathlib.Path(__file__).resolve().parents[2]
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "docs").mkdir()
        (root / "docs" / "planted.md").write_text(PLANTED)
        (root / "README.md").write_text("# Nothing\n")
        for name in ("configs", "tools"):
            (root / name).symlink_to(real / name)
        world = pathlib.Path(scratch).resolve() / "planted"
        shutil.rmtree(world, ignore_errors=True)
        environment = make_world(world, root, program)
        environment["PYTHONPATH"] = str(real / "tools/python/src")
        problems, count = run_page("docs/planted.md", PLANTED, world, environment)
    found = [line for line, _ in problems]
    passed = found == [8, 12, 29, 0] and count == 6
    print("self-test passed" if passed else f"self-test failed: {count} blocks, {problems}")
    return 0 if passed else 1


if __name__ == "__main__":
    if sys.argv[3:] == ["--self-test"]:
        sys.exit(self_test(os.path.abspath(sys.argv[1]), sys.argv[2]))
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3]).resolve(), sys.argv[4:]))
