"""The Python package, as it is installed: campaigns created, run, stopped and read.

    PYTHON campaign_test.py EXECUTABLE
"""

import contextlib
import gc
import io
import itertools
import json
import math
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
import warnings

import numpy as np

import glassworks

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ""  # set at the end
SMALL = {
    "campaign.seed": 7, "model": {"type": "ising", "dim": 2, "L": 4}, "disorder.realizations": 3,
    "ladder.temperatures": [1.0, 1.5, 2.5], "round.measurements": 20, "backend.threads": 1, "backend.kind": "cpu",
    "convergence": {"min_rounds": 8, "max_rounds": 8, "n_tau": 0, "equilibration_tau": 0, "min_round_trips": 0},
}
LONG = SMALL | {"model.L": 16, "model": {"type": "ising", "dim": 3}, "round.measurements": 400}


def sub_process(code, *arguments, **options):
    """Another Python with this package."""
    return subprocess.Popen([sys.executable, "-B", "-c", code, *map(str, arguments)], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, **options)


def wait_until(holds):
    end = time.monotonic() + 30
    while not (value := holds()):
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)
    return value


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return state != "Z"


class CampaignTest(unittest.TestCase):
    def setUp(self):
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="glassworks-python-", dir=memory))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        before = pathlib.Path.cwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)
        variable = unittest.mock.patch.dict(os.environ, {"GLASSWORKS": PROGRAM})
        variable.start()
        self.addCleanup(variable.stop)

    def refused(self, pattern, function, *arguments, **options):
        """A GlassworksError with one sentence and a suggestion that fits."""
        with self.assertRaises(glassworks.GlassworksError) as caught:
            function(*arguments, **options)
        self.assertRegex(str(caught.exception), pattern)
        self.assertRegex(str(caught.exception).splitlines()[0], r"^[^\n]{20,}(\. [`A-Z][^\n]*\.|:)$")

    def digests(self, directory):
        return subprocess.run([PROGRAM, "inspect", directory, "--digest"], capture_output=True, text=True, check=True).stdout


class Courses(CampaignTest):
    COURSE = {"campaign.seed": 7, "model": {"type": "ising", "dim": 2, "L": [6, 8]}, "disorder.realizations": 4,
              "ladder.temperatures": [0.6, 1.2], "replicas.copies": 4, "course.sweeps": 60, "course.waiting_times": [10],
              "backend.threads": 1, "backend.kind": "cpu"}

    def stored(self, folder, L, name):
        """Values of a column [realization][time][slot], from the blobs of the database."""
        connection = sqlite3.connect(pathlib.Path(folder) / "campaign.sqlite")
        names, slots = connection.execute("SELECT observables, length(temperatures) / 8 FROM sizes WHERE L = ?", (L,)).fetchone()
        rows = connection.execute("SELECT means FROM rounds WHERE L = ? AND measurements = 1 ORDER BY realization, round",
                                  (L,)).fetchall()
        connection.close()
        values = np.frombuffer(b"".join(blob for blob, in rows), "<f8").reshape(4, -1, slots, len(names.splitlines()))
        return values[:, :, :, names.splitlines().index(name)]

    def test_series_of_columns_and_of_functions_of_averages(self):
        campaign = glassworks.Campaign.create("course", self.COURSE)
        campaign.run().wait()
        energy = campaign.series("energy")
        self.assertEqual((energy.sizes, len(energy.curves)), ([6, 8], 4))
        table = energy.to_pandas()
        self.assertEqual(list(table.columns), ["L", "slot", "T", "t", "mean", "error", "realizations"])
        self.assertEqual(len(table), len(energy))
        for L, slot in itertools.product((6, 8), (0, 1)):
            rows = self.stored("course", L, "energy")[:, :, slot]
            curve = energy.of(L, slot)
            np.testing.assert_array_equal(curve.rows, rows)
            np.testing.assert_array_equal(curve.numbers, range(4))
            np.testing.assert_array_equal(curve.T, [0.6, 1.2][slot])
            np.testing.assert_allclose(curve.mean, rows.mean(axis=0), rtol=1e-14)
            np.testing.assert_allclose(curve.covariance, np.cov(rows.T) / 4, atol=1e-16)
            np.testing.assert_allclose(curve.error, np.sqrt(np.diag(np.cov(rows.T) / 4)), rtol=1e-12)
            np.testing.assert_array_equal(table[(table.L == L) & (table.slot == slot)]["mean"], curve.mean)
        single = energy.to_pandas(realizations=True)
        self.assertEqual(list(single.columns), ["L", "slot", "T", "t", "realization", "value"])
        self.assertEqual(len(single), 4 * len(energy))
        # xi from k_min, with leave-one-out values in the place of its own.
        xi = campaign.series(8, "xi_kmin").of(slot=0)
        zero, kmin = (self.stored("course", 8, name)[:, :, 0] for name in ("overlap_2", "overlap_kmin"))
        length = lambda q, k: np.sqrt(q / k - 1) / (2 * np.sin(np.pi / 8))
        with np.errstate(invalid="ignore"):
            mean = length(zero.mean(axis=0), kmin.mean(axis=0))
            without = np.array([length(*(np.delete(x, i, axis=0).mean(axis=0) for x in (zero, kmin))) for i in range(4)])
        pseudo = 4 * mean - 3 * without
        self.assertGreater(np.isfinite(pseudo).all(axis=0).sum(), 5)
        np.testing.assert_allclose(xi.mean, mean, rtol=1e-12)
        np.testing.assert_allclose(xi.rows, pseudo, rtol=1e-9)
        np.testing.assert_allclose(xi.covariance, np.cov(pseudo.T) / 4, rtol=1e-9, atol=1e-12)
        np.testing.assert_array_equal(campaign.series("correlation(10)").of(8, 1).t, xi.t[xi.t >= 10])

    def test_what_has_no_meaning_is_refused(self):
        campaign = glassworks.Campaign.create("course", self.COURSE | {"model.L": 6, "model": {"type": "ising", "dim": 2},
                                                                       "course.sweeps": 12})
        self.refused("no data in", campaign.series, "energy")
        campaign.run().wait()
        self.assertIn("xi_12_cut", campaign.observables())
        self.assertIn("c4_axis(2)", campaign.observables(6))
        for function in (campaign.observable, lambda name: campaign.bins(6, 0), lambda name: campaign.averages(6)):
            self.refused("history in time.*series", function, "energy")
        self.refused("no quantity 'energies'", campaign.series, "energies")
        self.refused("no quantity ''", campaign.series, "")
        self.refused("no series energy,z", campaign.series, "energy,z")
        self.refused("whole number", campaign.series, 6.0, "energy")
        self.refused("must be a text", campaign.series, name=3)
        self.refused("L = 8", campaign.series, 8, "energy")
        self.refused("No observable is named", campaign.series, 6)
        self.refused("several curves of energy", campaign.series("energy").of)
        self.refused("no curve of energy", campaign.series("energy").of, 6, 2)
        self.refused("whole number", campaign.series("energy").of, 6.0)
        self.refused("True or False", campaign.series("energy").to_pandas, realizations=1)
        graph = glassworks.Campaign.create("graph", self.COURSE | {"model": {"type": "ising", "lattice": "random-regular",
                                                                             "degree": 3, "L": 20}, "course.sweeps": 12})
        graph.run().wait()
        self.assertEqual(graph.series("correlation(10)").of(20, 0).mean[0], 1.0)
        self.refused(r"no quantity 'xi_12' in this campaign \(sites of this graph have no positions", graph.series, "xi_12")
        other = glassworks.Campaign.create("small", SMALL)
        other.run().wait()
        self.refused("no course", other.series, "energy")
        subprocess.run([PROGRAM, "analyze", "course", "--csv", "table.csv"], check=True, capture_output=True)
        self.refused("Cannot read", glassworks.read_results, "table.csv")


class Reading(CampaignTest):
    def test_observables_of_a_campaign_and_of_its_export(self):
        # Realizations that did not converge are averaged too.
        campaign = glassworks.Campaign.create("two", SMALL | {
            "model": {"type": "ising", "dim": 2, "L": [4, 6]},
            "convergence": SMALL["convergence"] | {"min_round_trips": 1000000}})
        progress = campaign.run().wait()
        self.assertEqual((progress.finished, progress.converged, progress.failed), (True, 0, 6))
        subprocess.run([PROGRAM, "export", "two", "--out", "export"], check=True, capture_output=True)
        results = glassworks.read_results("export/results.csv")
        with glassworks.open("two") as data:
            self.assertIsInstance(data, glassworks.Campaign)
            self.assertEqual(data.sizes, [4, 6])
            self.check_observables(data, results)
        try:
            import h5py
        except ImportError:
            return
        if (self.folder / "export/campaign.h5").is_file():  # a build with HDF5
            with glassworks.open("export") as data:
                self.assertIsInstance(data, glassworks.Export)
                self.check_observables(data, results)

    def check_observables(self, data, results):
        self.assertEqual({(L, name) for L in (4, 6) for name in data.observables(L)}, set(results))
        self.assertEqual(set(data.observables()), {name for _, name in results})
        for name in data.observables():
            observable = data.observable(name)
            self.assertEqual(observable.sizes, [4, 6])
            table = observable.to_pandas()
            self.assertEqual(list(table.columns), ["L", "T", "mean", "error", "realizations"])
            for L in (4, 6):
                T, mean, error, realizations = results[L, name]
                rows = table[table.L == L]
                for got in ((rows["T"], rows["mean"], rows["error"]), data.observable(L, name), observable.of(L)):
                    for mine, theirs in zip(got, (T, mean, error)):
                        np.testing.assert_array_equal(mine, theirs)
                np.testing.assert_array_equal(rows["realizations"], realizations)
        self.refused("no observable foo .*energy", data.observable, "foo")
        self.refused("foo|L = 4", data.observable, 4, "foo")
        self.refused("L = 8", data.observable, 8, "energy")
        self.refused("No observable is named", data.observable, 4)

    def test_tables_of_bins_and_averages(self):
        campaign = glassworks.Campaign.create("small", SMALL)
        campaign.run().wait()
        bins, averages = campaign.bins(4, 2), campaign.averages(4)
        table = bins.to_pandas()
        self.assertEqual(list(table.columns), ["round", "slot", "T", *bins.columns])
        self.assertEqual(len(table), 8 * 3)
        np.testing.assert_array_equal(table["energy"].to_numpy().reshape(8, 3), bins.means[:, :, bins.column("energy")])
        np.testing.assert_array_equal(table[table["round"] == 5]["T"], campaign.temperatures(4))
        table = averages.to_pandas()
        self.assertEqual(list(table.columns), ["realization", "slot", "T", *averages.columns])
        np.testing.assert_array_equal(table[table.realization == 2]["energy"],
                                      averages.values[2, :, averages.column("energy")])

    def test_spins_have_the_energies_that_were_measured_last(self):
        """Exchanges behind a measurement move states among the slots, so that energies are compared in sums over these."""
        rng, L = np.random.default_rng(3), 4
        J = rng.normal(size=(2, L, L))
        for model in ({"type": "ising"}, {"type": "on", "n": 2}):
            campaign = glassworks.Campaign.create(model["type"], SMALL | {
                "model": model | {"dim": 2, "L": L}, "disorder.realizations": 2, "round.measurements": 1}, couplings=J)
            self.refused("no data", campaign.spins, L, 0)
            campaign.run().wait()
            spins = campaign.spins(L, 1)
            bins = campaign.bins(L, 1)
            copies = max(1, sum(name.startswith("energy_of_copy") for name in bins.columns))
            self.assertEqual(spins.shape[:3], (3, copies, L * L))
            self.assertEqual(spins.dtype, np.int16 if model["type"] == "ising" else np.float32)
            s = spins.reshape(3, copies, L, L, -1).astype(float)  # [slot][copy][y][x][component]
            energy = -sum((J[axis, ..., None] * s * np.roll(s, -1, axis=3 - axis)).sum(axis=(2, 3, 4)) for axis in (0, 1))
            measured = bins.means[-1, :, bins.column("energy")].sum()
            self.assertAlmostEqual(energy.mean(axis=1).sum() / L**2, measured, places=5)
            self.refused("no realization", campaign.spins, L, 7)
            self.refused("L = 9", campaign.spins, 9, 0)

    def test_without_pandas_there_are_arrays(self):
        glassworks.Campaign.create("small", SMALL).run().wait()
        code = """
import sys
sys.modules["pandas"] = None
import glassworks
energy = glassworks.Campaign("small").observable("energy")
assert energy.mean.shape == (3,)
try:
    energy.to_pandas()
except glassworks.GlassworksError as error:
    print(error)
"""
        out, err = sub_process(code).communicate()
        self.assertEqual(err, "")
        self.assertRegex(out, "without pandas .*Install python3-pandas")


class Creating(CampaignTest):
    def test_texts_paths_and_dictionaries_are_the_same_configuration(self):
        text = "# small\n[model]\ntype = ising\ndim = 2   # a plane\nL = 4\n[disorder]\nrealizations = 3\n" \
               "[ladder]\ntemperatures = 1.0, 1.5, 2.5\n[campaign]\nseed = 7\n[round]\nmeasurements = 20\n" \
               "[convergence]\nmin_rounds = 8\nmax_rounds = 8\nn_tau = 0\nequilibration_tau = 0\nmin_round_trips = 0\n"
        pathlib.Path("file.cfg").write_text(text)
        written = {}
        for name, config in (("dictionary", SMALL), ("text", text), ("file", "file.cfg"), ("path", pathlib.Path("file.cfg"))):
            campaign = glassworks.Campaign.create(name, config)
            campaign.run({"backend.threads": 1}).wait()
            written[name] = self.digests(name)
        self.assertEqual(len(written["text"].splitlines()), 3)
        self.assertEqual(len(set(written.values())), 1, written)

    def test_again(self):
        self.assertFalse(glassworks.Campaign.create("c", SMALL).run().wait().failed)
        more = glassworks.Campaign.create("c", SMALL | {"disorder.realizations": 4})  # may be raised
        self.assertEqual(more.run().wait().realizations, 4)
        before = pathlib.Path("c/campaign.cfg").read_text()
        self.refused("differs from the campaign stored(.|\n)*campaign.seed: 7 -> 8", glassworks.Campaign.create, "c",
                     SMALL | {"campaign.seed": 8})
        self.assertEqual(pathlib.Path("c/campaign.cfg").read_text(), before)
        self.assertEqual([file.name for file in pathlib.Path("c").iterdir() if file.name.startswith(".")], [])

    def test_bad_configurations(self):
        create = glassworks.Campaign.create
        for pattern, config in (
                (r"'model\.foo' is not a known key \(line \d+ of the configuration\)", SMALL | {"model.foo": 1}),
                (r"model\.L is missing", {"model.type": "ising", "disorder.realizations": 1, "ladder.temperatures": [1, 2]}),
                (r"model\.L", SMALL | {"model": {"L": 5}}),
                (r"campaign\.note .*True", SMALL | {"campaign.note": True}),
                (r"campaign\.note", SMALL | {"campaign.note": "a\nb"}),
                (r"campaign\.seed is given twice", SMALL | {"campaign": {"seed": 3}}),
                (r"Line 2 of the configuration", "model.L = 4\nmodel.L = 6\n"),
                (r"Line 1 of the configuration", "what\nmodel.L = 6\n"),
                (r"Cannot read nowhere\.cfg \(there is no such file\)", "nowhere.cfg")):
            with self.subTest(config=config):
                self.refused(pattern, create, "bad", config)
                self.assertFalse(pathlib.Path("bad").exists())
        pathlib.Path("file").write_text("")
        self.refused("Cannot write .*file", create, "file", SMALL)
        self.refused("no campaign in", glassworks.Campaign, "nowhere")
        self.refused("neither an export nor a campaign", glassworks.open, "nowhere")
        unbegun = create("new", SMALL)
        self.refused("no data .*Run it first", lambda: unbegun.sizes)
        self.refused("no campaign", unbegun.progress)
        self.assertIsInstance(glassworks.open("new"), glassworks.Campaign)

    def test_the_program_is_found(self):
        with unittest.mock.patch.dict(os.environ, {"GLASSWORKS": str(self.folder / "nothing")}):
            self.refused("variable GLASSWORKS", glassworks.find_program)
            self.assertEqual(glassworks.find_program(PROGRAM), PROGRAM)
        self.refused("the argument", glassworks.find_program, "nothing")
        # Laid out as an installation; a second copy has no program near it.
        package = pathlib.Path(glassworks.__file__).parent
        installed = self.folder / "prefix/share/glassworks/python/src"
        for source in (installed, self.folder / "alone"):
            shutil.copytree(package, source / "glassworks", ignore=shutil.ignore_patterns("__pycache__"))
        (self.folder / "prefix/bin").mkdir()
        (self.folder / "prefix/bin/glassworks").symlink_to(PROGRAM)
        code = "import sys; sys.prefix = '/nowhere'; import glassworks; print(glassworks.find_program())"
        environment = {key: value for key, value in os.environ.items() if key != "GLASSWORKS"} | {"PATH": "/nowhere"}
        out, err = sub_process(code, env=environment | {"PYTHONPATH": str(installed)}).communicate()
        self.assertEqual((out, err), (f"{self.folder}/prefix/bin/glassworks\n", ""))
        out, err = sub_process(code, env=environment | {"PYTHONPATH": str(self.folder / "alone")}).communicate()
        self.assertRegex(err, "GlassworksError: The program glassworks was not found")


class Graph:
    """What is used of a networkx graph."""

    def __init__(self, edges):
        self._edges = edges
        self.nodes = sorted({node for a, b, _ in edges for node in (a, b)})

    def edges(self, data):
        assert data
        return self._edges


class Couplings(CampaignTest):
    J = np.random.default_rng(3).normal(size=(2, 16))

    def exact_energy(self, T):
        """Energy per site of all 2^16 states, where J[axis][site] couples x + 4 y with its neighbour at +axis."""
        spins = np.array(list(itertools.product((-1, 1), repeat=16)))
        site = np.arange(16)
        x, y = site % 4, site // 4
        neighbour = ((x + 1) % 4 + 4 * y, x + 4 * ((y + 1) % 4))
        energies = -sum((spins * spins[:, neighbour[axis]]) @ self.J[axis] for axis in range(2))
        weights = np.exp(-(energies - energies.min()) / T)
        return weights @ energies / weights.sum() / 16

    def test_energies_are_those_of_all_states(self):
        """16 independent runs with a fixed seed: 5 standard errors of 15 degrees of freedom, false alarm 3 x 2e-4."""
        keys = SMALL | {"disorder.realizations": 16, "round.measurements": 200}
        campaign = glassworks.Campaign.create("exact", keys, self.J)
        campaign.run().wait()
        T, mean, error = campaign.observable(4, "energy")
        self.assertLess(error.max(), 0.01)
        for t in range(3):
            self.assertLess(abs(mean[t] - self.exact_energy(T[t])), 5 * error[t])

    def test_shapes(self):
        one = {key: value for key, value in SMALL.items() if key != "disorder.realizations"}
        glassworks.Campaign.create("c", one, {0: self.J}).run().wait()
        first = pathlib.Path("c/couplings.txt").read_text()
        self.assertEqual(first.count("\n"), 33)
        # [bond][y][x], one realization of an array of realizations, a list: all continue the same campaign.
        for couplings in (self.J.reshape(2, 4, 4), self.J[np.newaxis], self.J.reshape(1, 2, 4, 4), self.J.tolist()):
            campaign = glassworks.Campaign.create("c", one | {"disorder.realizations": 1}, couplings)
            self.assertEqual(campaign.run().wait().rounds, 8)
            self.assertEqual(pathlib.Path("c/couplings.txt").read_text(), first)
        stored = dict(line.split(" = ") for line in campaign.configuration.splitlines() if " = " in line)
        self.assertEqual((stored["disorder.realizations"], stored["model.couplings"]), ("1", "file"))
        fcc = one | {"model": {"type": "ising", "L": 4, "lattice": "fcc"}}
        self.refused(r"\(6, 64\)", glassworks.Campaign.create, "fcc", fcc, np.ones((3, 64)))
        self.assertEqual(glassworks.Campaign.create("fcc", fcc, np.ones((1, 6, 64))).run().wait().realizations, 1)

    GRAPH = {"model": {"type": "ising", "lattice": "graph"}, "ladder.temperatures": [0.8, 1.5], "round.measurements": 200,
             "disorder.realizations": 16, "protocol.exchanges_per_measurement": 2}

    def test_energies_of_graphs_are_those_of_all_states(self):
        """As above; site 0 has no bond, so that numbers and header count."""
        J = np.triu(self.J.reshape(-1)[:25].reshape(5, 5), 1)
        J[0] = 0.0
        spins = np.array(list(itertools.product((-1, 1), repeat=5)))
        energies = -np.einsum("si,ij,sj->s", spins, J, spins)
        triples = [(i, j, J[i, j]) for i in range(5) for j in range(i + 1, 5) if J[i, j] != 0]
        campaign = glassworks.Campaign.create("graph", self.GRAPH, J)
        text = pathlib.Path("graph/graph.txt").read_text()
        campaign.run().wait()
        T, mean, error = campaign.observable(5, "energy")
        for t in range(2):
            weights = np.exp(-(energies - energies.min()) / T[t])
            self.assertLess(abs(mean[t] - weights @ energies / weights.sum() / 5), 5 * error[t])
        for couplings in (J + J.T, triples):
            glassworks.Campaign.create("again", self.GRAPH, couplings)
            self.assertEqual(pathlib.Path("again/graph.txt").read_text(), text)

    def test_graphs_of_networkx(self):
        graph = Graph([("a", "b", {}), ("b", "c", {}), ("c", "a", {})])
        keys = self.GRAPH | {"model.couplings": "bimodal", "disorder.realizations": 2}
        glassworks.Campaign.create("drawn", keys, graph)
        self.assertEqual(pathlib.Path("drawn/graph.txt").read_text().splitlines()[1:], ["3 3 0", "1 2", "1 3", "2 3"])
        graph = Graph([("a", "b", {"weight": 2.0}), ("b", "c", {"weight": -1.0})])
        self.refused("given twice", glassworks.Campaign.create, "bad", keys, graph)
        campaign = glassworks.Campaign.create("given", self.GRAPH, graph)
        self.assertEqual(pathlib.Path("given/graph.txt").read_text().splitlines()[1:], ["3 2 0", "1 2 2.0", "2 3 -1.0"])
        campaign.run().wait()
        self.assertIn("model.couplings = file", campaign.configuration)
        self.refused("given twice", glassworks.Campaign.create, "bad", self.GRAPH | {"model.graph": "other.txt"}, graph)
        self.refused("sparse matrix or a graph", glassworks.Campaign.create, "bad", SMALL, graph)
        self.refused("not symmetric", glassworks.Campaign.create, "bad", self.GRAPH, np.arange(9.0).reshape(3, 3) - np.diag((0, 4, 8)))

    def test_every_realization_has_its_own(self):
        """Half the couplings have less than half the energy."""
        weak = 0.5 * self.J
        keys = SMALL | {"disorder.realizations": 3}
        campaign = glassworks.Campaign.create("own", keys, {0: self.J, 1: weak, 2: self.J})
        campaign.run().wait()
        self.assertEqual(len(list(pathlib.Path("own/couplings").iterdir())), 3)
        energy = [campaign.bins(4, r).means[:, 0, campaign.bins(4, r).column("energy")].mean() for r in range(3)]
        self.assertLess(energy[0], energy[1] - 0.1)
        self.assertLess(energy[2], energy[1] - 0.1)
        # More realizations later; a sample that was changed is refused, and nothing is written.
        more = np.array([self.J, weak, self.J, weak])
        more_keys = {key: value for key, value in keys.items() if key != "disorder.realizations"}
        self.assertEqual(glassworks.Campaign.create("own", more_keys, more).run().wait().realizations, 4)
        more[1] = self.J
        before = pathlib.Path("own/couplings/L004-r000001.txt").read_text()
        self.refused(r"differs from the campaign", glassworks.Campaign.create, "own", more_keys, more)
        self.assertEqual(pathlib.Path("own/couplings/L004-r000001.txt").read_text(), before)

    def test_bad_couplings(self):
        nan = self.J.copy()
        nan[1, 3] = math.nan
        tiny = self.J.copy()
        tiny[1, 3] = 1e-9
        for pattern, couplings in (
                (r"shape \(2, 15\) .*\(2, 16\)", self.J[:, :15]), (r"shape \(16,\)", self.J[0]), (r"shape \(\)", 1.0),
                (r"not all finite", nan), (r"all 0", np.zeros((2, 16))), (r"J = 1e-0?9 is out of range", tiny),
                (r"no array of numbers", [["a"] * 16] * 2), (r"no array of numbers", {0: "J"}),
                (r"realization 1 have the shape", {0: self.J, 1: self.J[:1], 2: self.J}),
                (r"realizations \[0, 2\]", {0: self.J, 2: self.J}), (r"realizations \[\]", {}),
                (r"of 2 realizations, but disorder.realizations is 3", np.array([self.J] * 2)),
                (r"J = 1e-0?9 is out of range", {0: self.J, 1: tiny, 2: self.J})):
            with self.subTest(pattern=pattern):
                self.refused(pattern, glassworks.Campaign.create, "bad", SMALL, couplings)
                self.assertFalse(pathlib.Path("bad").exists())
        for pattern, keys in ((r"given twice .*bimodal", {"model.couplings": "bimodal"}),
                              (r"model\.L cannot be '4, 6'", {"model": {"dim": 2}, "model.L": [4, 6]})):
            self.refused(pattern, glassworks.Campaign.create, "bad", SMALL | keys, self.J)


class GroundStates(unittest.TestCase):
    """Lowest energies of small graphs, against all states."""

    def lowest(self, J, H):
        states = np.array(list(itertools.product((-1, 1), repeat=len(J))))
        return min(-0.5 * np.einsum("si,ij,sj->s", states, J, states) - states @ H)

    def couplings(self):
        source = np.random.default_rng(5)
        J = np.triu(np.where(source.random((9, 9)) < 0.6, source.normal(size=(9, 9)), 0.0), 1)
        return J + J.T, source.normal(size=9)

    def test_matrices_triangles_and_triples(self):
        J, H = self.couplings()
        for given in (J, np.triu(J), [(i, j, J[i, j]) for i in range(9) for j in range(i) if J[i, j] != 0]):
            found = glassworks.ground(given, H, runs=4, sweeps=2000, threads=1)
            self.assertAlmostEqual(found.energy, self.lowest(J, H), places=10)
            self.assertAlmostEqual(-0.5 * found.spins @ J @ found.spins - found.spins @ H, found.energy, places=10)
            self.assertEqual((found.met, found.cut, found.nodes), (4, None, list(range(9))))

    def test_cuts(self):
        W = np.abs(self.couplings()[0])
        found = glassworks.ground(W, cut=True, runs=4, sweeps=2000, threads=1)
        self.assertAlmostEqual(found.cut, 0.5 * (0.5 * W.sum() - self.lowest(-W, np.zeros(9))), places=10)

    def test_what_cannot_be_used(self):
        J, H = self.couplings()
        bad = J.copy()
        bad[0, 1] += 1.0
        for given, fields in ((bad, None), (np.eye(3), None), (np.zeros((3, 3)), None), (J, H[:4]), ("text", None),
                              ([(0, 0, 1.0)], None), ([(0, 1, 1.0), (1, 0, 1.0)], None), ([(0, 1, math.nan)], None)):
            with self.assertRaises(glassworks.GlassworksError):
                glassworks.ground(given, fields)


class Arguments(CampaignTest):
    """What is no number of the kind that is asked for is refused, and never turned into one."""

    NOT_WHOLE = (4.0, 0.5, "4", b"4", None, True, np.True_, 4j, np.float64(4), np.datetime64(4, "D"), np.timedelta64(4, "s"),
                 math.nan, [4], np.array([4]), np.array(4.0), np.array(True), np.ma.masked)

    def test_whole_numbers(self):
        campaign = glassworks.Campaign.create("small", SMALL)
        campaign.run().wait()
        subprocess.run([PROGRAM, "export", "small", "--out", "export"], check=True, capture_output=True)
        data = [campaign]
        with contextlib.suppress(ImportError):
            import h5py  # noqa: F401
            if (self.folder / "export/campaign.h5").is_file():
                data.append(glassworks.open("export"))
        energy = campaign.observable("energy")
        for one in data:
            for value in self.NOT_WHOLE:
                with self.subTest(value=value, of=type(one).__name__):
                    self.refused("realization cannot be .*whole number", one.bins, 4, value)
                    calls = [one.temperatures, one.table, one.realizations, one.averages, lambda L: one.bins(L, 0)]
                    calls += [one.observables] if value is not None else []
                    calls += [lambda L: one.observable(L, "energy")] if value is not None and not isinstance(value, str) else []
                    for call in calls:
                        self.refused("L cannot be .*whole number", call, value)
            self.refused("at least 0", one.bins, 4, -1)
            self.refused("There is no data of realization 3", one.bins, 4, 3)
            self.refused("no size L = 5", one.observables, 5)
            self.refused("L cannot be this int", one.bins, 10**5000, 0)
            self.refused("name of an observable cannot be 'two.*lines'", one.observable, 4, "two\nlines")
            self.refused("size cannot be '4'", one.observable, "4", "energy")
            for value in (3, True, [3], {"energy"}, ["energy"]):
                self.refused("name of an observable cannot be", one.observable, 4, value)
                self.refused("name of a column cannot be", one.bins(4, 0).column, value)
            for right in (np.int32(4), np.uint8(4), np.array(4), np.array(4, ">i2")):
                self.assertEqual(type(one.bins(right, np.int64(1)).L), int)
                np.testing.assert_array_equal(one.bins(right, np.int64(1)).means, one.bins(4, 1).means)
                self.assertEqual(type(one.averages(right).L), int)
                np.testing.assert_array_equal(one.observable(right, "energy")[1], one.observable(4, "energy")[1])
            self.refused("axes cannot be 1.0", one.averages(4).modes, "chi", 1.0)
            self.refused("multiple cannot be 0", one.averages(4).modes, "chi", 1, 0)
        self.refused("L cannot be 4.0", energy.of, 4.0)

    def test_real_numbers(self):
        for values in ([1 + 1j, 2], np.array([1j]), np.array(["2020-01-01"], "M8[D]"), np.array([1, 2], "m8[s]"), ["1", "2"], [None, 1.0],
                       [True, False], [True, 2.0], np.array([1.0, None], object), np.ma.array([1.0, 2.0], mask=[0, 1]), b"12", None,
                       np.zeros(2, "f8, f8"), [[1.0], [1.0, 2.0]], {1: 2}, 3.0, [], np.zeros((0, 3))):
            with self.subTest(values=values):
                self.refused("no array of numbers|single number|no realization", glassworks.jackknife, values, lambda mean: mean)
        plain = glassworks.jackknife([1.0, 2.0, 4.0], lambda mean: mean)
        for values in (np.array([1, 2, 4], ">i2"), np.array([1.0, 2.0, 4.0], ">f8"), np.array([1.0, 0.0, 2.0, 0.0, 4.0])[::2],
                       np.array([1, 2, 4], np.float16), np.ma.array([1, 2, 4])):
            self.assertEqual(glassworks.jackknife(values, lambda mean: mean), plain)
        for blocks in (0, -1, 2.0, True, None, "3"):
            self.refused("blocks cannot be", glassworks.jackknife, [1.0, 2.0], lambda mean: mean, blocks)
        for arguments in ((1j, 1, 4), ("2", 1, 4), (None, 1, 4), (2, True, 4), (np.datetime64(2, "s"), 1, 4), ([2.0], 1, 4),
                          (np.timedelta64(2, "s"), 1, 4), (2, 1, 4.0), (2, 1, 0), (2, 1, True), (2, 1, 10**5000),
                          (10**400, 1, 4)):
            with self.subTest(arguments=arguments):
                self.refused("cannot be", glassworks.xi_over_L, *arguments)
        self.assertEqual(glassworks.xi_over_L(np.float32(2), np.array(1), np.int8(4)), glassworks.xi_over_L(2.0, 1.0, 4))
        self.assertTrue(math.isnan(glassworks.xi_over_L(math.nan, 1.0, 4)))

    def test_couplings(self):
        J = Couplings.J
        one = SMALL | {"disorder.realizations": 1}
        masked = np.ma.array(J, mask=J > 1)
        days = np.zeros((2, 16), "M8[D]")
        for words, couplings in (("complex", J + 0j), ("complex", (J + 1j).tolist()), ("dates", days), ("times", days - days),
                                 ("bool", J > 0), ("bool", [[True, *J[0, 1:]], J[1]]), ("objects", J.astype(object)),
                                 ("objects", [[None] * 16] * 2), ("texts", J.astype(str)), ("masked", masked),
                                 ("complex", {0: J + 0j}), ("masked", {0: masked}), ("another kind", np.zeros((2, 16), "f8, f8")),
                                 ("converted", [[1.0], [1.0, 2.0]]), (r"shape \(0, 16\)", J[:0]), (r"shape \(2, 0\)", J[:, :0]),
                                 ("realization cannot be 0.0", {0.0: J}), ("realization cannot be False", {False: J}),
                                 ("realization cannot be '0'", {"0": J})):
            with self.subTest(words=words):
                self.refused(words, glassworks.Campaign.create, "bad", one, couplings)
                self.assertFalse(pathlib.Path("bad").exists())
        glassworks.Campaign.create("c", one, J)
        first = pathlib.Path("c/couplings.txt").read_text()
        fixed = J.copy()
        fixed.setflags(write=False)
        wide = np.zeros((2, 32))
        wide[:, ::2] = J
        for couplings in (fixed, wide[:, ::2], np.asfortranarray(J), J.astype(">f8"), np.ma.array(J), {np.int64(0): J}):
            glassworks.Campaign.create("c", one, couplings)
            self.assertEqual(pathlib.Path("c/couplings.txt").read_text(), first)

    def test_keys_and_their_values(self):
        create = glassworks.Campaign.create
        for key, value in (("model.L", [True]), ("model.L", [[4], [6]]), ("model.L", np.ones((2, 2), int)), ("model.L", []),
                           ("model.L", ["4,6"]), ("ladder.temperatures", np.ma.array([1.0, 2.0], mask=[0, 1])),
                           ("ladder.temperatures", np.array([1, 2], "m8[ns]")), ("ladder.temperatures", np.array([1, 2], "M8[ns]")),
                           ("campaign.seed", np.datetime64(5, "ns")), ("campaign.seed", np.timedelta64(5, "ns")),
                           ("campaign.seed", None), ("campaign.seed", np.complex128(5)), ("campaign.seed", np.True_),
                           ("campaign.note", b"text")):
            with self.subTest(key=key, value=value):
                given = {name: part for name, part in SMALL.items() if name != key and not (name == "model" and "model" in key)}
                self.refused(f"{re.escape(key)} cannot have the value", create, "bad", given | {key: value})
        for name in (3, None, "model.L = 6\nmodel.dim", "model.L=6", "", "a b"):
            self.refused("no name of a key", create, "bad", SMALL | {name: 4})
        self.assertEqual(create("c", SMALL | {"campaign.seed": np.uint16(7), "ladder.temperatures": np.array([1, 1.5, 2.5], ">f4")})
                         .directory.name, "c")
        campaign = glassworks.Campaign("c")
        self.refused("keys cannot be", campaign.run, ["backend.threads=1"])
        for value in (True, math.nan, 0, -1, None, "1", 1j, math.inf, np.timedelta64(1, "s")):
            self.refused("interval cannot be", campaign.run, interval=value)
            if value is not None and value != "1":
                self.refused("time_limit cannot be", campaign.run, time_limit=value)
        for path in (3, b"c", None, "", True, "a\0b", ["c"]):
            for call in (glassworks.open, glassworks.Campaign, glassworks.read_results, glassworks.verify,
                         lambda path: create(path, SMALL), lambda path: create("c", path), glassworks.find_program):
                if path is None and call is glassworks.find_program:
                    continue  # the default
                with self.subTest(path=path):
                    self.refused("cannot be .*path", call, path)

    def test_names_with_blanks_and_other_characters(self):
        J = Couplings.J
        for name in ("a=b '\"", "--help", " $HOME ä"):
            with self.subTest(name=name):
                campaign = glassworks.Campaign.create(name, SMALL)
                self.assertEqual(campaign.run().wait().rounds, 24)
                self.assertTrue(pathlib.Path(name, "campaign.sqlite").is_file())
                with glassworks.open(name) as data:
                    self.assertEqual(data.sizes, [4])
                    self.assertEqual(len(data.observable("energy")), 3)
                    self.assertTrue(data.progress().finished)
        there = sorted(pathlib.Path().iterdir())
        for name, words in (("plain ", "blanks at the ends"), ("a\nb", "control characters"), ("a\x1b[2J", "control characters"),
                            ("a\udcff", "control characters"), ("with #", "cannot be stored")):
            self.refused(words, glassworks.Campaign.create, name, SMALL)
        # The command line takes no other directory either.
        pathlib.Path("c.cfg").write_text(pathlib.Path("--help/campaign.cfg").read_text())
        for name in ("plain ", " plain"):
            run = subprocess.run([PROGRAM, "run", "c.cfg", f"--campaign.directory={name}"], capture_output=True, text=True, check=False)
            self.assertIn("blanks at its ends", run.stderr)
        pathlib.Path("c.cfg").unlink()
        self.assertEqual(sorted(pathlib.Path().iterdir()), there)
        glassworks.Campaign.create("other", SMALL)
        self.refused("campaign.directory cannot be among", glassworks.Campaign("--help").run, {"campaign.directory": "other"})
        # A configuration file cannot hold every path: then another file would be read.
        for file in ("J.txt ", " J.txt", "J#.txt", "J\n.txt"):
            pathlib.Path(file).write_text("0 0 1\n")
            given = SMALL | {"model.couplings": "file"}
            self.refused("cannot (be|have)", glassworks.Campaign.create, "bad", given | {"model.couplings_file": file})
            self.refused("cannot (be|have)", glassworks.Campaign.create, "bad", given | {"model.couplings_file": pathlib.Path(file)})
        self.refused("'#' begins a comment|cannot be stored", glassworks.Campaign.create, "J #", SMALL | {"disorder.realizations": 1}, J)
        pathlib.Path("a=b.cfg").write_text("".join(f"{key} = {value}\n" for key, value in (
            ("model.type", "ising"), ("model.L", 4), ("disorder.realizations", 1), ("ladder.temperatures", "1, 2"))))
        self.assertEqual(glassworks.Campaign.create("named", "a=b.cfg").directory.name, "named")

    def test_what_has_no_end_or_leads_away_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            os.mkfifo(place / "fifo")
            for read in (glassworks.read_results, lambda path: glassworks.Campaign.create(place / "new", path)):
                with self.assertRaisesRegex(glassworks.GlassworksError, "Cannot read .*fifo"):
                    read(place / "fifo")
            (place / "elsewhere").write_bytes(b"")
            export = place / "export"
            export.mkdir()
            files = [{"name": "../elsewhere", "size": 0, "digest": "99aa06d3014798d86001c324468d497f"}]
            (export / "manifest.json").write_text(json.dumps({"sizes": [], "files": files}))
            with self.assertRaises(glassworks.GlassworksError):
                glassworks.verify(export)
            with self.assertRaisesRegex(glassworks.GlassworksError, "campaign.seed cannot have the value"):
                glassworks.Campaign.create(place / "a/b/c", SMALL | {"campaign.seed": 10**5000}, executable=PROGRAM)
            with self.assertRaises(glassworks.GlassworksError):
                glassworks.Campaign.create(place / "a/b/c", SMALL | {"model.unknown": 1}, executable=PROGRAM)
            self.assertEqual(sorted(os.listdir(place)), ["elsewhere", "export", "fifo"])
            with self.assertRaises(glassworks.GlassworksError):
                glassworks.Campaign.create(place / ("a/" * 1900), SMALL, executable=PROGRAM)
            self.assertEqual(str(glassworks.GlassworksError("a\x1b\nb\n  c")), "a\\x1b\\nb\n  c")


class Running(CampaignTest):
    def test_progress(self):
        # A second of work, so that there are several items.
        campaign = glassworks.Campaign.create("c", LONG | {"disorder.realizations": 1, "round.measurements": 50})
        items = list(campaign.run(interval=0.01))
        self.assertGreater(len(items), 2)
        for before, after in itertools.pairwise(items):
            self.assertLessEqual(before.rounds, after.rounds)
            self.assertLess(before.seconds, after.seconds)
        self.assertFalse(items[0].finished)
        last = items[-1]
        self.assertEqual((last.rounds, last.rounds_expected, last.realizations, last.finished), (8, 8, 1, True))
        self.assertEqual(last.converged + last.failed, 1)
        self.assertRegex(str(last), r"^8 of 8 rounds; [01]/1 converged; .*s elapsed$")
        self.assertEqual(last.status["sizes"][0]["L"], 16)
        self.assertEqual(campaign.progress().rounds, 8)
        self.assertEqual(campaign.sizes, [16])

    def test_a_loop_that_is_left_stops_the_program_and_another_one_continues(self):
        whole = glassworks.Campaign.create("whole", SMALL | {"model": {"type": "ising", "L": 8}})
        whole.run().wait()
        campaign = glassworks.Campaign.create("broken", SMALL | {"model": {"type": "ising", "L": 8}})
        pids, rounds = [], 0
        for _ in range(100):
            for progress in (run := campaign.run(interval=0.03)):
                pids.append(run.pid)
                if progress.rounds > rounds:
                    break
            rounds = progress.rounds
            run.close()
            # Finished, stopped cleanly, or stopped before it listened to signals.
            self.assertIn(run._child.returncode, (0, 130, -signal.SIGTERM))
            self.assertFalse(alive(pids[-1]))
            self.assertFalse(run.running)
            self.assertEqual(list(run), [])
            if progress.finished:
                break
        self.assertTrue(progress.finished)
        self.assertGreater(len(set(pids)), 1)
        self.assertEqual(self.digests("broken"), self.digests("whole"))

    def test_nobody_holds_the_run(self):
        campaign = glassworks.Campaign.create("c", LONG)
        pid = None
        for progress in campaign.run(interval=0.05):
            pid = progress.status["workers"] and progress.status["workers"][0]["pid"]
            if pid:
                break
        gc.collect()
        self.assertFalse(alive(pid))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            campaign.run()
            gc.collect()
        self.assertIn("nothing uses it", str(caught[0].message))
        with campaign.run() as run:
            self.assertTrue(run.running)
        self.assertFalse(alive(run.pid))

    def interrupted(self, code, number, status):
        """A Python that gets a signal, as Ctrl-C sends it to all that a terminal runs, leaves no program behind."""
        glassworks.Campaign.create("c", LONG)
        process = sub_process("import glassworks\ncampaign = glassworks.Campaign('c')\n" + code, process_group=0)
        pid = int(process.stdout.readline())
        self.assertTrue(alive(pid))
        if number:
            time.sleep(0.1)  # so that Python waits
            os.killpg(process.pid, number)
        out, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, status, err)
        self.assertFalse(alive(pid))
        return out, err

    def test_ctrl_c(self):
        code = """
try:
    for progress in (run := campaign.run(interval=0.5)):
        if progress.status["workers"]:
            print(run.pid, flush=True)
finally:
    run.close()
    print("ended with", run._child.returncode)
"""
        out, err = self.interrupted(code, signal.SIGINT, -signal.SIGINT)
        self.assertIn("ended with 130", out)  # cleanly
        self.assertIn("KeyboardInterrupt", err)
        self.assertNotIn("GlassworksError", err)

    def test_ctrl_c_while_waiting(self):
        self.interrupted("run = campaign.run(); print(run.pid, flush=True); run.wait()", signal.SIGINT, -signal.SIGINT)

    def test_the_end_of_python(self):
        _, err = self.interrupted("run = campaign.run(interval=0.05); next(run); print(run.pid, flush=True)", 0, 0)
        self.assertEqual(err, "")

    def test_failures(self):
        campaign = glassworks.Campaign.create("c", LONG)
        self.refused("model.type: 'foo' is none of", campaign.run({"model.type": "foo"}).wait)
        self.refused("model.type: 'foo' is none of", list, campaign.run({"model.type": "foo"}, interval=0.05))
        run = campaign.run(interval=0.05)
        next(run)
        os.kill(run.pid, signal.SIGTERM)
        self.refused("stopped by a signal .*Run it again", list, run)
        run = campaign.run(interval=0.05)
        next(run)
        os.kill(run.pid, signal.SIGKILL)
        self.refused("ended by signal 9", list, run)
        broken = self.folder / "broken"
        broken.write_text("")
        broken.chmod(0o755)
        self.refused("cannot be executed", glassworks.Campaign("c", broken).run)

    def test_time_limit(self):
        campaign = glassworks.Campaign.create("c", LONG)
        progress = campaign.run(time_limit=1).wait()
        self.assertFalse(progress.finished)
        self.assertLess(progress.seconds, 10)

    def test_a_campaign_of_the_command_line(self):
        """Without campaign.cfg its stored configuration is run, also with couplings from a file."""
        pathlib.Path("J.txt").write_text("".join(f"{site} {axis} 1\n" for site in range(16) for axis in (0, 1)))
        config = pathlib.Path("first.cfg")
        glassworks.Campaign.create("c", SMALL | {"model.couplings": "file", "model.couplings_file": "J.txt"})
        pathlib.Path("c/campaign.cfg").rename(config)
        subprocess.run([PROGRAM, "run", config, "--campaign.directory=first", "--convergence.max_rounds=8"], check=True,
                       capture_output=True)
        campaign = glassworks.open("first")
        progress = campaign.run({"disorder.realizations": 5}).wait()
        self.assertEqual((progress.realizations, progress.rounds), (5, 40))
        self.assertFalse(pathlib.Path("first/campaign.cfg").exists())


class Pages(CampaignTest):
    """The code of the manual and of the README, as it stands there, but for fewer measurements and other sizes."""

    def code(self, page, heading):
        text = (SOURCE / page).read_text(encoding="utf-8").partition(f"# {heading}\n")[2]
        self.assertTrue(text, f"{page} has no heading {heading}")
        lines = re.split(r"\n#+ ", text)[0].splitlines()
        code = "\n".join(line[4:] for line in lines if line.startswith("    "))
        self.assertIn("glassworks", code)
        return code.replace('"round.measurements": 200', '"round.measurements": 5, "convergence.max_rounds": 16')

    def run_code(self, code, names):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(code, "page", "exec"), names)
        return printed.getvalue()

    def test_manual(self):
        names = {"glassworks": glassworks}
        page = "docs/manual/python.md"
        self.assertIn("rounds; ", self.run_code(self.code(page, "Create and run"), names))
        self.run_code(self.code(page, "Couplings from numpy"), names)
        self.assertTrue(names["campaign"].run().wait().finished)
        for heading in ("Open, and get results in pandas", "Raw bins"):
            code = self.code(page, heading).replace("campaigns/quickstart", "campaigns/mine")
            code = code.replace("reshape(8, 8, 8,", "reshape(6, 6, 6,")
            self.run_code(re.sub(r"\b(observable|bins|averages|table|spins)\(8\b", r"\1(6", code), names)
        self.assertEqual(names["xi"].sizes, [4, 6])
        self.assertEqual(names["mean"].shape, ())
        glassworks.Campaign.create("campaigns/aging", Courses.COURSE).run().wait()
        self.run_code(self.code(page, "Courses: series in time").replace("of(64, 0)", "of(6, 0)"), names)
        self.assertEqual(names["curve"].covariance.shape, (len(names["curve"]), len(names["curve"])))

    def test_readme(self):
        pathlib.Path("build").mkdir()
        pathlib.Path("build/glassworks").symlink_to(PROGRAM)
        names = {}
        with unittest.mock.patch.dict(os.environ, {"GLASSWORKS": "nothing"}):
            self.assertIn("rounds; ", self.run_code(self.code("README.md", "Python: results in pandas, couplings from numpy"),
                                                    names))
            self.assertEqual(len(names["campaign"].observable("energy")), 3)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
