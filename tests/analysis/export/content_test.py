"""What an export holds, against the database (to the bit) and against `analyze`."""

import csv
import json
import shutil
import subprocess
import sys
import unittest

import h5py
import numpy as np

import support
from support import ExportTest, call, run_campaign, stored_bins

import glassworks

DOCUMENTED = """
/configuration /parameters/model.L /parameters/ladder.T_min /provenance/host /provenance/backend
/sizes/L4/temperatures /sizes/L4/bin_columns /sizes/L4/sample_columns /sizes/L4/table/tau /sizes/L4/table/status
/sizes/L4/table/bins_digest /sizes/L4/averages/columns /sizes/L4/averages/realizations /sizes/L4/averages/values
/sizes/L4/observables/xi_over_L/temperatures /sizes/L4/observables/xi_over_L/value
/sizes/L4/observables/xi_over_L/error /sizes/L4/observables/xi_over_L/jackknife
/sizes/L4/observables/xi_over_L/covariance /sizes/L6/realizations/0/means /sizes/L6/realizations/0/exchange_attempts
/sizes/L6/realizations/0/exchange_accepted /sizes/L6/realizations/0/walk_up /sizes/L6/realizations/0/walk_down
/sizes/L6/realizations/0/walk_mean /sizes/L6/realizations/0/round_trips /sizes/L6/realizations/0/samples
/sizes/L6/realizations/0/measurements /sizes/L6/realizations/0/seconds /sizes/L6/realizations/0/provenance
""".split()


class Content(ExportTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.campaign = run_campaign(cls.folder)
        cls.out = cls.folder / "export"
        done = call("export", cls.campaign, "--out", cls.out, "--bins", "--covariance")
        assert done.returncode == 0, done.stderr
        cls.data = glassworks.open(cls.out)
        cls.addClassCleanup(cls.data.close)

    def test_raw_bins_are_those_of_the_database_to_the_bit(self):
        for L in (4, 6):
            for r in range(5):
                stored, bins = stored_bins(self.campaign, L, r), self.data.bins(L, r)
                self.assertGreater(stored["samples"].size, 0)
                for name, array in stored.items():
                    exported = getattr(bins, name)
                    self.assertEqual(exported.shape, array.shape, name)
                    self.assertEqual(exported.tobytes(), array.astype(exported.dtype).tobytes(), name)

    def test_digests_are_those_of_inspect(self):
        told = {tuple(map(int, line.split()[:2])): line.split()[2:]
                for line in call("inspect", self.campaign, "--digest").stdout.splitlines()}
        manifest = json.loads((self.out / "manifest.json").read_text())
        listed = {(size["L"], r["realization"]): r for size in manifest["sizes"] for r in size["realizations_used"]}
        self.assertEqual(len(told), 10)
        self.assertEqual(told.keys(), listed.keys())
        for (L, r), (rounds, digest, state) in told.items():
            table = self.data.table(L)
            self.assertEqual([table["rounds"][r], table["bins_digest"][r], table["state_digest"][r]],
                             [int(rounds), digest, state])
            self.assertEqual(self.data.bins(L, r).digest(), digest)
            self.assertEqual([listed[L, r]["rounds"], listed[L, r]["bins_digest"]], [int(rounds), digest])

    def test_database_and_export_read_the_same(self):
        database = glassworks.open(self.campaign)
        self.assertEqual(database.sizes, self.data.sizes)
        self.assertEqual(database.configuration, self.data.configuration)
        for L in database.sizes:
            self.assertEqual(database.temperatures(L).tobytes(), self.data.temperatures(L).tobytes())
            for r in database.realizations(L):
                one, other = database.bins(L, r), self.data.bins(L, r)
                for name, array in vars(one).items():
                    np.testing.assert_array_equal(array, getattr(other, name), name)
            np.testing.assert_allclose(database.averages(L).values, self.data.averages(L).values, rtol=1e-13, atol=1e-15)
            self.assertEqual(database.averages(L).columns, self.data.averages(L).columns)

    def test_results_are_those_of_analyze(self):
        call("analyze", self.campaign, "--csv", self.folder / "analyze.csv")
        self.assertEqual((self.out / "results.csv").read_bytes(), (self.folder / "analyze.csv").read_bytes())
        results = glassworks.read_results(self.out / "results.csv")
        for L in self.data.sizes:
            for name in self.data.observables(L):
                for a, b in zip(results[L, name], self.data.observable(L, name)):
                    np.testing.assert_array_equal(a, b)
        self.assertEqual(len(results), sum(len(self.data.observables(L)) for L in self.data.sizes))

    def test_errors_and_covariances_follow_from_the_jackknife(self):
        for L in self.data.sizes:
            for name in ("energy", "chi_sg", "acceptance"):
                x = self.data.samples(L, name)
                n = len(x)
                self.assertEqual(n, 5)
                covariance = (n - 1) * np.cov(x.T, bias=True)
                np.testing.assert_allclose(self.data.covariance(L, name), covariance, rtol=1e-9, atol=1e-18)
                np.testing.assert_allclose(self.data.observable(L, name)[2], np.sqrt(np.diag(covariance)), rtol=1e-9)
            y = self.data.samples(L, "chi_sg")
            both = 4 * np.cov(self.data.samples(L, "energy").T, y.T, bias=True)[:5, 5:]
            np.testing.assert_allclose(self.data.covariance(L, "energy", "chi_sg"), both, rtol=1e-9, atol=1e-18)

    def test_linear_observables_are_means_over_realizations(self):
        for L in self.data.sizes:
            averages = self.data.averages(L)
            energy = averages.values[:, :, averages.column("energy")]
            _, value, error = self.data.observable(L, "energy")
            np.testing.assert_allclose(value, energy.mean(axis=0), rtol=1e-13)
            np.testing.assert_allclose(error, energy.std(axis=0, ddof=1) / np.sqrt(5), rtol=1e-9)

    def test_tables(self):
        with (self.out / "bins.csv").open() as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), sum(self.data.bins(L, r).means.size for L in (4, 6) for r in range(5)))
        temperatures = {L: self.data.temperatures(L).tolist() for L in (4, 6)}
        bins = {(L, r): self.data.bins(L, r) for L in (4, 6) for r in range(5)}
        for row in rows:
            b = bins[int(row["L"]), int(row["realization"])]
            slot = temperatures[b.L].index(float(row["T"]))
            self.assertEqual(float(row["mean"]), b.means[int(row["round"]), slot, b.column(row["observable"])])
        with (self.out / "covariance.csv").open() as file:
            for row in csv.DictReader(file):
                L, name = int(row["L"]), row["observable"]
                t, u = (temperatures[L].index(float(row[key])) for key in ("T", "T_other"))
                np.testing.assert_array_equal(float(row["covariance"]), self.data.covariance(L, name)[t, u])
        with (self.out / "realizations.csv").open() as file:
            for row in csv.DictReader(file):
                table, r = self.data.table(int(row["L"])), int(row["realization"])
                for name in ("rounds", "status", "reason", "averaged_first", "averaged_last", "bins_digest"):
                    self.assertEqual(row[name], str(table[name][r]))
                self.assertEqual(float(row["tau"]), table["tau"][r])

    def test_documented_content_is_there_and_described(self):
        with h5py.File(self.out / "campaign.h5") as file:
            support.check_described(self, file, DOCUMENTED)
            for L in (4, 6):
                for observable in file[f"sizes/L{L}/observables"].values():
                    self.assertTrue(observable.attrs["units"] and observable.attrs["description"], observable.name)
                self.assertEqual(file[f"sizes/L{L}"].attrs["sites"], L**3)
            for name in ("created", "program_version", "program_commit", "units", "notation", "configuration_digest"):
                self.assertTrue(file.attrs[name], name)
            self.assertEqual(file.attrs["seed"], 7)
            means = file["sizes/L6/realizations/0/means"]
            self.assertEqual([means.compression, means.shuffle], ["gzip", True])
            self.assertEqual(file["parameters/ladder.T_min"][()], 0.2)
            self.assertEqual(file["parameters/model.L"].asstr()[()], "4, 6")

    def test_h5dump_lists_the_same(self):
        if not shutil.which("h5dump"):
            self.skipTest("h5dump is not installed (package hdf5-tools)")
        listing = subprocess.run(["h5dump", "-n", str(self.out / "campaign.h5")], capture_output=True, text=True,
                                 check=True).stdout
        for name in DOCUMENTED:
            self.assertRegex(listing, rf"dataset +{name}\n")

    def test_parts(self):
        def files(*options):
            out = self.folder / "part"
            self.export(self.campaign, out, *options)
            names = sorted(str(f.relative_to(out)) for f in out.rglob("*") if f.is_file())
            glassworks.verify(out)
            data = glassworks.open(out) if "campaign.h5" in names else None
            shutil.rmtree(out)
            return names, data

        alps = {L: [f"alps/L{L}.task{slot}.out.h5" for slot in range(1, 6)] for L in (4, 6)}
        tables = ["realizations.csv", "results.csv"]
        self.assertEqual(files()[0], alps[4] + alps[6] + ["campaign.h5", "manifest.json"] + tables)
        self.assertEqual(files("--hdf5", "--csv")[0], alps[4] + alps[6] + ["campaign.h5", "manifest.json"] + tables)
        self.assertEqual(files("--csv")[0], ["manifest.json"] + tables)
        names, data = files("--hdf5", "--L", 6)
        self.assertEqual(names, alps[6] + ["campaign.h5", "manifest.json"])
        self.assertEqual(data.sizes, [6])
        names, data = files("--no-bins")
        self.assertRaisesRegex(glassworks.GlassworksError, "no raw bins", data.bins, 4, 0)
        for a, b in zip(data.observable(4, "xi_over_L"), self.data.observable(4, "xi_over_L")):
            np.testing.assert_array_equal(a, b)

    def test_one_realization_has_no_errors(self):
        campaign = run_campaign(self.folder, "single", model__L=4, disorder__realizations=1, ladder__kind="list",
                                ladder__temperatures="0.5", ladder__slots="", round__samples=0)
        out = self.folder / "single-export"
        self.export(campaign, out)
        data = glassworks.open(out)
        _, value, error = data.observable(4, "energy")
        self.assertEqual(value.shape, (1,))
        self.assertTrue(np.isfinite(value[0]) and np.isnan(error[0]))
        self.assertEqual(data.samples(4, "energy").shape, (0, 1))
        self.assertEqual(data.bins(4, 0).samples.size, 0)
        self.assertEqual(data.bins(4, 0).digest(), data.table(4)["bins_digest"][0])

    def test_databases_of_earlier_versions(self):
        stored = sorted((support.SOURCE / "tests/db/data").glob("*.sqlite"))
        self.assertGreaterEqual(len(stored), 1)
        for file in stored:
            folder = self.folder / file.stem
            folder.mkdir()
            shutil.copy(file, folder / "campaign.sqlite")
            told = [line.split() for line in call("inspect", folder, "--digest").stdout.splitlines()]
            self.assertTrue(told)
            data = glassworks.open(folder)
            for L, r, rounds, digest, _ in told:
                if rounds != "0":
                    self.assertEqual(data.bins(int(L), int(r)).digest(), digest)
            data.close()

    def test_without_optional_modules(self):
        code = """
import sys
sys.modules[sys.argv[1]] = None
sys.path.insert(0, sys.argv[2])
import glassworks
for L in (data := glassworks.open(sys.argv[3])).sizes:
    assert 8 <= len(data.bins(L, 0).means) <= 12
if sys.argv[1] == "xxhash":
    glassworks.verify(sys.argv[4])
"""
        for module, says in (("h5py", "^$"), ("xxhash", "Only sizes were verified .*Install python3-xxhash")):
            done = subprocess.run([sys.executable, "-B", "-c", code, module, str(support.SOURCE / "tools/python/src"),
                                   str(self.campaign), str(self.out)], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stderr, says)

    def test_example(self):
        figure = self.folder / "figure"
        done = subprocess.run([sys.executable, "-B", str(support.SOURCE / "tools/python/example.py"), str(self.out),
                               str(figure)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, "largest relative difference [0-9.]+e-1[3-6]|0.0e")
        self.assertEqual(figure.with_suffix(".png").read_bytes()[:4], b"\x89PNG")
        self.assertEqual(figure.with_suffix(".pdf").read_bytes()[:4], b"%PDF")


if __name__ == "__main__":
    support.main()
