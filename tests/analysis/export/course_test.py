"""Exports of campaigns with a course, against the database (to the bit) and against `analyze`."""

import csv
import json
import shutil
import sqlite3
import subprocess
import unittest

import h5py
import numpy as np

import support
from support import NOT_STARTED, ExportTest, call, change_realizations, stored_bins

import glassworks

COURSE = """model.type = ising
model.dim = 2
model.L = 6, 8
disorder.realizations = 6
replicas.copies = 4
ladder.temperatures = 0.6, 1.2
course.sweeps = 60
course.waiting_times = 10
backend.threads = 1
"""
DOCUMENTED = """
/configuration /parameters/course.sweeps /provenance/host /sizes/L6/temperatures /sizes/L6/bin_columns /sizes/L6/table/status
/sizes/L6/table/bins_digest /sizes/L8/series/times /sizes/L8/series/temperature /sizes/L8/series/field
/sizes/L8/series/columns /sizes/L8/series/realizations /sizes/L8/series/measured /sizes/L8/series/counts
/sizes/L8/series/rows /sizes/L8/series/averages /sizes/L8/series/errors /sizes/L8/series/observables/xi_12/value
/sizes/L8/series/observables/xi_12/error /sizes/L8/series/observables/xi_12/covariance
/sizes/L8/series/observables/xi_12/rows /sizes/L8/series/observables/energy/covariance
""".split()
TABLES = ["realizations.csv", "results.csv"]


class Course(ExportTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        config = cls.folder / "course.cfg"
        config.write_text(COURSE)
        cls.campaign = cls.folder / "campaign"
        done = call("run", config, f"--campaign.directory={cls.campaign}")
        assert done.returncode == 0, done.stderr
        # One realization of L = 8 has not begun, another is at its fifth round.
        change_realizations(cls.campaign, "L = 8 AND realization = 4", **NOT_STARTED)
        connection = sqlite3.connect(cls.campaign / "campaign.sqlite")
        connection.execute("DELETE FROM rounds WHERE L = 8 AND realization = 2 AND round >= 5")
        connection.commit()
        connection.close()
        change_realizations(cls.campaign, "L = 8 AND realization = 2", **NOT_STARTED | {"rounds": 5, "status": "equilibrating", "state_digest": "0" * 32})
        cls.out = cls.folder / "export"
        done = call("export", cls.campaign, "--out", cls.out, "--bins", "--covariance")
        assert done.returncode == 0, done.stderr
        cls.told = done.stdout
        cls.data = glassworks.open(cls.out)
        cls.addClassCleanup(cls.data.close)

    def test_rows_are_those_of_the_database_to_the_bit(self):
        self.assertIn("L = 8: 5 of 6 realizations have data, 4 of these complete", self.told)
        with h5py.File(self.out / "campaign.h5") as file:
            for L, numbers in ((6, range(6)), (8, (0, 1, 2, 3, 5))):
                series = file[f"sizes/L{L}/series"]
                np.testing.assert_array_equal(series["realizations"], numbers)
                for place, r in enumerate(numbers):
                    stored = stored_bins(self.campaign, L, r)
                    means = stored["means"][stored["measurements"] == 1]
                    self.assertEqual(series["measured"][place], len(means))
                    self.assertEqual(series["rows"][place, :len(means)].tobytes(), means.tobytes())
                    self.assertTrue(np.isnan(series["rows"][place, len(means):]).all())
                    self.assertEqual(self.data.table(L)["bins_digest"][place],
                                     call("inspect", self.campaign, "--digest", "--L", L, "--realization", r).stdout.split()[3])
                self.assertEqual(series["counts"][-1], 6 if L == 6 else 4)
            self.assertEqual(file["sizes/L8/series/measured"][2], 5)

    def test_the_same_as_from_the_database(self):
        database = glassworks.Campaign(self.campaign, executable=support.PROGRAM)
        self.assertEqual(set(database.observables()), set(self.data.observables()))
        for name in ("energy", "xi_12", "xi_12_cut", "xi_kmin", "correlation(10)", "c4_axis(2)", "c22_axis(10,1)"):
            theirs, mine = database.series(name), self.data.series(name)
            self.assertEqual([(c.L, c.slot) for c in theirs.curves], [(6, 0), (6, 1), (8, 0), (8, 1)])
            for one, other in zip(theirs.curves, mine.curves):
                for part in ("t", "T", "mean", "error", "realizations", "numbers", "rows"):
                    np.testing.assert_array_equal(getattr(one, part), getattr(other, part), f"{name} {part}")
                np.testing.assert_allclose(one.covariance, other.covariance, rtol=1e-9, atol=1e-18, err_msg=name)
        early = self.data.series(8, "energy").of(slot=0)
        rows = early.rows[:, :5]  # times that all five have
        np.testing.assert_allclose(early.covariance[:5, :5], np.cov(rows.T) / 5, rtol=1e-9)
        late = np.delete(early.rows, 2, axis=0)
        np.testing.assert_allclose(early.covariance[5:, 5:], np.cov(late[:, 5:].T) / 4, rtol=1e-9)

    def test_tables(self):
        call("analyze", self.campaign, "--csv", self.folder / "a.csv", "--covariance", self.folder / "c.csv")
        self.assertEqual((self.out / "results.csv").read_bytes(), (self.folder / "a.csv").read_bytes())
        self.assertEqual((self.out / "covariance.csv").read_bytes(), (self.folder / "c.csv").read_bytes())
        energy = {(c.L, c.slot): c for c in self.data.series("energy").curves}
        count = 0
        with (self.out / "bins.csv").open() as file:
            for row in csv.DictReader(file):
                count += 1
                if row["observable"] != "energy":
                    continue
                curve = energy[int(row["L"]), int(row["slot"])]
                place = curve.numbers.tolist().index(int(row["realization"])), curve.t.tolist().index(int(row["t"]))
                self.assertEqual(float(row["mean"]), curve.rows[place])
        with h5py.File(self.out / "campaign.h5") as file:
            self.assertEqual(count, sum(np.isfinite(file[f"sizes/L{L}/series/rows"]).sum() for L in (6, 8)))
        with (self.out / "realizations.csv").open() as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([len(rows), rows[8]["rounds"], rows[11]["status"]], [12, "5", "queued"])

    def test_documented_content_is_there_and_described(self):
        with h5py.File(self.out / "campaign.h5") as file:
            names = support.check_described(self, file, DOCUMENTED)
        self.assertNotIn("/sizes/L8/series/observables/c4_axis(1)", names)
        if shutil.which("h5dump"):
            listing = subprocess.run(["h5dump", "-n", str(self.out / "campaign.h5")], capture_output=True, text=True).stdout
            self.assertIn("/sizes/L8/series/rows", listing)

    def test_parts_and_what_has_no_meaning(self):
        def files(*options):
            out = self.folder / "part"
            self.export(self.campaign, out, *options)
            names = sorted(str(f.relative_to(out)) for f in out.rglob("*") if f.is_file())
            manifest = glassworks.verify(out)
            data = glassworks.open(out) if "campaign.h5" in names else None
            shutil.rmtree(out)
            return names, data, manifest

        self.assertEqual(files()[0], ["campaign.h5", "manifest.json"] + TABLES)
        names, _, manifest = files("--csv", "--L", 6)
        self.assertEqual((names, [size["L"] for size in manifest["sizes"]]), (["manifest.json"] + TABLES, [6]))
        names, data, _ = files("--hdf5", "--no-bins")
        self.assertEqual(names, ["campaign.h5", "manifest.json"])
        np.testing.assert_array_equal(data.series("xi_12").of(6, 0).covariance, self.data.series("xi_12").of(6, 0).covariance)
        self.assertTrue(np.isnan(data.series("energy").of(6, 0).rows).all())
        error = glassworks.GlassworksError
        for function in (self.data.observable, lambda name: self.data.bins(6, 0), lambda name: self.data.averages(6),
                         lambda name: self.data.samples(6, name), lambda name: self.data.covariance(6, name)):
            self.assertRaisesRegex(error, "history in time.*series", function, "energy")
        self.assertRaisesRegex(error, "no quantity energies.*xi_12", self.data.series, "energies")
        self.assertRaisesRegex(error, "L = 4", self.data.series, 4, "energy")


if __name__ == "__main__":
    support.main()
