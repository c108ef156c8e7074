"""The Python reader: every model and number of copies, and damaged files, of which only a GlassworksError may come."""

import contextlib
import gc
import io
import random
import shutil
import sqlite3
import unittest

import numpy as np

import support
from support import NOT_STARTED, ExportTest, change_realizations, run_campaign

import glassworks

SWEEPS = {"protocol.overrelaxation": "", "protocol.exchanges_per_measurement": ""}
COMMON = {"model.dim": 2, "disorder.realizations": 2, "round.measurements": 4, "convergence.max_rounds": 8,
          "ladder.T_min": 1.5, "ladder.T_max": 3, "ladder.slots": 2}
MODELS = {
    "heisenberg": {"protocol.overrelaxation": 1},
    "ising": SWEEPS,
    "potts": SWEEPS | {"model.q": 3},
    "on": SWEEPS | {"model.n": 3},
    "phi4": SWEEPS | {"model.lambda": 1},
}
COPIES = {name: (2, 4) if name == "heisenberg" else (1, 2, 4) for name in MODELS}


def keys(**settings):
    return {name.replace(".", "__"): value for name, value in (COMMON | settings).items()}


def read_all(path):
    """Everything that the reader offers of a campaign or of an export."""
    data = glassworks.open(path)
    try:
        for L in data.sizes:
            data.table(L)
            data.averages(L)
            for r in data.realizations(L):
                bins = data.bins(L, r)
                bins.average()
                bins.digest()
            if isinstance(data, glassworks.Export):
                for name in data.observables(L):
                    data.observable(L, name)
                    data.samples(L, name)
                    data.covariance(L, name)
                    data.covariance(L, name, name)
        if isinstance(data, glassworks.Export):
            data.verify()
    finally:
        data.close()


class Reader(ExportTest):
    def test_every_model_and_number_of_copies(self):
        for model, settings in MODELS.items():
            for copies in COPIES[model]:
                with self.subTest(model=model, copies=copies):
                    name = f"{model}-{copies}"
                    directory = run_campaign(self.folder, name, **keys(
                        **settings, **{"model.L": 4, "model.type": model, "replicas.copies": copies}))
                    out = self.folder / f"{name}-export"
                    self.export(directory, out)
                    glassworks.verify(out)
                    self.assertTrue(glassworks.read_results(out / "results.csv"))
                    read_all(directory)
                    read_all(out)
                    campaign, export = glassworks.open(directory), glassworks.open(out)
                    theirs = export.averages(4)
                    for mine in (campaign.averages(4), np.array([export.bins(4, r).average() for r in (0, 1)])):
                        values = mine if isinstance(mine, np.ndarray) else mine.values
                        np.testing.assert_allclose(values, theirs.values, rtol=1e-12, atol=1e-12)
                    self.assertEqual(campaign.averages(4).columns, theirs.columns)
                    campaign.close()
                    export.close()

    def test_a_size_without_data(self):
        directory = run_campaign(self.folder, "half", **keys(**SWEEPS, **{"model.L": "4, 6", "model.type": "ising"}))
        change_realizations(directory, "L = 6", **NOT_STARTED)
        out = self.folder / "half-export"
        self.export(directory, out)
        for path in (directory, out):
            read_all(path)
            data = glassworks.open(path)
            self.assertEqual(data.averages(6).values.shape, (0, 2, len(data.averages(4).columns)))
            self.assertRaisesRegex(glassworks.GlassworksError, "no data|no raw bins", data.bins, 6, 0)
            data.close()
        self.assertRaisesRegex(glassworks.GlassworksError, "no realization", glassworks.jackknife, [], np.mean)

    def test_what_is_no_campaign(self):
        folder = self.folder / "foreign"
        folder.mkdir()
        for name in ("campaign.h5", "campaign.sqlite"):
            file = folder / name
            for content in (b"", b"\x00", b"some text\n" * 1000):
                file.write_bytes(content)
                self.assertRaisesRegex(glassworks.GlassworksError, r"\. [A-Z]", glassworks.open, file)
            file.unlink()
        connection = sqlite3.connect(folder / "campaign.sqlite")
        connection.execute(f"PRAGMA application_id = {0x474C4153}")
        connection.execute("CREATE TABLE campaign (config)")
        connection.commit()
        connection.close()
        self.assertRaisesRegex(glassworks.GlassworksError, r"\. [A-Z]", glassworks.open, folder)
        import h5py
        (folder / "campaign.sqlite").unlink()
        h5py.File(folder / "campaign.h5", "w").attrs["format"] = "Glassworks export"
        gc.collect()
        self.assertRaisesRegex(glassworks.GlassworksError, r"part of it is missing", glassworks.open, folder)
        for text in ("", "L,T\n4,5\n", "L,T,observable,mean,error,realizations\nx,1,e,1,1,1\n", "\ud800"):
            (folder / "results.csv").write_text(text, encoding="utf-8", errors="surrogatepass")
            self.assertRaises(glassworks.GlassworksError, glassworks.read_results, folder / "results.csv")
        self.assertRaises(glassworks.GlassworksError, glassworks.read_results, folder / "nowhere.csv")
        self.assertRaises(glassworks.GlassworksError, glassworks.read_results, folder)
        for text in ("", "[]", "{}", '{"files": [], "sizes": [1]}', '{"files": [{"name": 1}], "sizes": []}',
                     '{"files": [], "sizes": [{}]}', "[" * 100000):
            (folder / "manifest.json").write_text(text)
            self.assertRaises(glassworks.GlassworksError, glassworks.verify, folder)
        self.assertRaises(glassworks.GlassworksError, glassworks.open, folder / ("x" * 5000))

    def test_damaged_files(self):
        """Cut short at 60 places, and three bytes flipped 240 times, with a fixed seed."""
        directory = run_campaign(self.folder, "whole", **keys(
            **SWEEPS, **{"model.L": 4, "model.type": "ising", "convergence.min_rounds": 4, "convergence.max_rounds": 4}))
        out = self.folder / "whole-export"
        self.export(directory, out)
        random.seed(17)
        for source in (directory / "campaign.sqlite", out / "campaign.h5"):
            content = source.read_bytes()
            folder = self.folder / "damaged"
            folder.mkdir()
            if source.suffix == ".h5":  # what HDF5 makes of a damaged file without a digest is its own affair: crashes
                shutil.copy(out / "manifest.json", folder)
            file = folder / source.name
            refused = 0
            for case in range(300):
                damaged = bytearray(content)
                if case < 60:
                    damaged = damaged[:random.randrange(len(content))]
                else:
                    for _ in range(3):
                        damaged[random.randrange(len(content))] ^= 1 << random.randrange(8)
                file.write_bytes(damaged)
                try:
                    with contextlib.redirect_stderr(io.StringIO()):
                        read_all(file)
                except glassworks.GlassworksError as error:
                    refused += 1
                    self.assertRegex(str(error), r"\. [A-Z][^\n]+\.$")
            self.assertGreater(refused, 60)
            shutil.rmtree(folder)


if __name__ == "__main__":
    support.main()
