"""Cases of the Python package: each public function and method with hostile arguments. Calls share a process, which
python_server.py is; it ends with an exception of the package in one sentence, or with what a plain argument gives."""

import json
import os
import select
import shutil
import subprocess
import sys

import campaigns
import published
import world as worlds
from cases import Case

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.normpath(os.path.join(HERE, "../../tools/python/src"))
MODULES = "import numpy, h5py, xxhash"
SILENCE = 60  # seconds after which the process is ended
SMALL = campaigns.COMMON | {"model.type": "ising", "model.L": "4, 6"}


def interpreter():
    """A Python that has the modules, or none."""
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", MODULES], stderr=subprocess.DEVNULL, check=False).returncode == 0:
            return python
    return None


class PythonTarget:
    name = "python"

    def __init__(self, bases, rng, workshop):
        self.python = interpreter()
        self.left_out = "" if self.python else "there is no Python with numpy, h5py and xxhash"
        if self.left_out:
            return
        self.program, self.process = workshop.program, None
        self.folder = os.path.join(workshop.scratch, "of-python")
        os.makedirs(self.folder)
        campaigns.write_config(os.path.join(self.folder, "c.cfg"), SMALL)
        workshop.run("of-python/c.cfg", "of-python/c")
        workshop.call("export", "of-python/c", "--out", "of-python/e")
        workshop.call("export", "of-python/c", "--out", "of-python/tables", "--csv")
        workshop.call("publish", "of-python/c", "--out", "of-python/p", environment=published.WITHOUT_GNUPLOT)
        shutil.copy(os.path.join(self.folder, "tables/results.csv"), self.folder)
        os.symlink(self.program, os.path.join(self.folder, "program"))

    def case(self, k, rng):
        seed = rng.getrandbits(60)
        case = Case(f"python, seed {seed}", [], inside=lambda world: self.call(case, world, seed))
        return case

    def call(self, case, world, seed):
        """Sends a seed to the process, and starts it where there is none."""
        if self.process is None:
            folder = os.path.join(world.scratch, "of-python")
            worlds.remove(folder)
            shutil.copytree(self.folder, folder, symlinks=True)
            os.mkdir(os.path.join(folder, "work"))
            self.process = subprocess.Popen([self.python, "-B", os.path.join(HERE, "python_server.py"), self.program, SOURCES, folder],
                                            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=open(os.path.join(world.scratch, "stderr"), "w"), text=True)
        self.process.stdin.write(f"{seed}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline() if select.select([self.process.stdout], [], [], SILENCE)[0] else None
        if not line:
            if line is None:
                self.process.kill()
            status, self.process = self.process.wait(), None
            with open(os.path.join(world.scratch, "stderr")) as file:
                said = file.read()[-1500:]
            return 1, [("hang" if line is None else "signal", "python", f"status {status}: {said}")]
        title, failures = json.loads(line)
        case.title = f"python, {title}"
        return 1, [(kind, title.partition("(")[0], detail) for kind, detail in failures]
