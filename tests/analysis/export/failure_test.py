"""What cannot be exported or written: one sentence each, and nothing half-written; campaigns that run; kills."""

import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest

import numpy as np

import support
from support import ExportTest, call, config_file, run_campaign

import glassworks


class Failure(ExportTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.campaign = run_campaign(cls.folder)

    def setUp(self):
        self.out = self.folder / "out"
        self.addCleanup(shutil.rmtree, self.out, ignore_errors=True)

    def copy(self):
        copy = self.folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.campaign, copy)
        return copy

    def change(self, campaign, statement):
        connection = sqlite3.connect(campaign / "campaign.sqlite")
        changed = connection.execute(statement).rowcount
        connection.commit()
        connection.close()
        self.assertEqual(changed, 1)

    def test_arguments(self):
        for pattern, arguments in {
            "needs a campaign directory": [],
            "no campaign in": [self.folder / "nowhere", "--out", self.out],
            "no size L = 8": [self.campaign, "--out", self.out, "--L", 8],
            "'four'": [self.campaign, "--out", self.out, "--L", "four"],
            "'--fast'": [self.campaign, "--out", self.out, "--fast"],
            "exclude each other": [self.campaign, "--out", self.out, "--bins", "--no-bins"],
            "tables, which are not written here": [self.campaign, "--out", self.out, "--hdf5", "--covariance"],
        }.items():
            self.refused(pattern, "export", *arguments)
            self.assertFalse(self.out.exists(), pattern)

    def test_campaigns_that_cannot_be_exported(self):
        empty = self.folder / "empty"
        done = call("run", config_file(self.folder), f"--campaign.directory={empty}", "--time-limit=0.001")
        self.assertIn(done.returncode, (0, 75), done.stderr)
        connection = sqlite3.connect(empty / "campaign.sqlite")
        self.assertEqual(connection.execute("SELECT sum(rounds) FROM realizations").fetchone(), (0,))
        connection.close()
        self.refused("no finished round yet", "export", empty, "--out", self.out)

        foreign = self.folder / "foreign"
        foreign.mkdir()
        connection = sqlite3.connect(foreign / "campaign.sqlite")
        connection.execute("CREATE TABLE rounds (a)")
        connection.commit()
        connection.close()
        self.refused("campaign.sqlite", "export", foreign, "--out", self.out)
        (foreign / "campaign.sqlite").write_bytes(b"no database at all" * 100)
        self.refused("not a database", "export", foreign, "--out", self.out)
        self.assertRaisesRegex(glassworks.GlassworksError, "campaign.sqlite", glassworks.open, foreign)
        self.assertFalse(self.out.exists())

    def test_damage(self):
        place = "WHERE L = 6 AND realization = 3 AND round = 2"
        for column, value in {"means": "zeroblob(length(means))", "walk_mean": "x'00'", "samples": "x'0000'",
                              "measurements": "7"}.items():
            copy = self.copy()
            self.change(copy, f"UPDATE rounds SET {column} = {value} {place}")
            self.refused("Round 2 of realization 3 at L = 6.*damaged", "export", copy, "--out", self.out)
            self.assertFalse(self.out.exists())
            if column != "measurements":  # the reader verifies blobs, not rows
                data = glassworks.open(copy)
                self.assertRaisesRegex(glassworks.GlassworksError, f"Round 2 .*damaged.*{column}", data.bins, 6, 3)
                data.bins(6, 2)
                data.close()

    def test_existing_files(self):
        call("export", self.campaign, "--out", self.out)
        before = {file: file.read_bytes() for file in self.out.rglob("*") if file.is_file()}
        self.refused("holds an export.*--force", "export", self.campaign, "--out", self.out)
        self.assertEqual(before, {file: file.read_bytes() for file in self.out.rglob("*") if file.is_file()})
        (self.out / "campaign.h5").write_bytes(b"")
        self.assertRaisesRegex(glassworks.GlassworksError, "campaign.h5", glassworks.verify, self.out)
        self.export(self.campaign, self.out, "--force")
        glassworks.verify(self.out)
        shutil.rmtree(self.out)

        self.out.mkdir()
        (self.out / "results.csv").write_text("mine")
        self.refused("results.csv.*exists", "export", self.campaign, "--out", self.out)
        self.assertEqual([f.name for f in self.out.iterdir()], ["results.csv"])
        self.assertEqual((self.out / "results.csv").read_text(), "mine")
        (self.out / "results.csv").unlink()
        (self.out / "campaign.h5").mkdir()
        self.refused("campaign.h5.*of another kind than expected", "export", self.campaign, "--out", self.out, "--force")
        self.assertEqual([f.name for f in self.out.iterdir()], ["campaign.h5"])
        self.refused("not a directory", "export", self.campaign, "--out", self.campaign / "campaign.sqlite")

    def test_an_export_with_less_replaces_all_of_the_former_one(self):
        self.export(self.campaign, self.out)
        self.export(self.campaign, self.out, "--force", "--hdf5", "--L", 4)
        names = {str(f.relative_to(self.out)) for f in self.out.rglob("*") if f.is_file()}
        self.assertEqual(names, {"campaign.h5", "manifest.json"} | {f"alps/L4.task{n}.out.h5" for n in range(1, 6)})

    def test_every_changed_file_is_found(self):
        self.export(self.campaign, self.out)
        manifest = glassworks.verify(self.out)
        self.assertEqual(len(manifest["files"]), 13)
        for entry in manifest["files"]:
            file = self.out / entry["name"]
            content = file.read_bytes()
            file.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
            self.assertRaisesRegex(glassworks.GlassworksError, "digest", glassworks.verify, self.out)
            file.write_bytes(content + b"\n")
            self.assertRaisesRegex(glassworks.GlassworksError, "size", glassworks.verify, self.out)
            file.unlink()
            self.assertRaisesRegex(glassworks.GlassworksError, "missing", glassworks.verify, self.out)
            file.write_bytes(content)
        glassworks.verify(self.out)
        (self.out / "manifest.json").unlink()
        self.assertRaisesRegex(glassworks.GlassworksError, "no manifest.json", glassworks.verify, self.out)

    def test_read_only_places(self):
        if os.geteuid() != 0:
            self.skipTest("needs root, who can be another user")
        self.folder.chmod(0o755)
        user = {"user": 65534, "group": 65534, "extra_groups": []}
        if call("--version", **user).returncode != 0:
            self.skipTest("another user cannot reach the program")
        self.out.mkdir(mode=0o555)
        self.refused("Cannot write to the directory.*Permission denied", "export", self.campaign, "--out", self.out, **user)
        self.refused("Cannot create the directory.*Permission denied", "export", self.campaign, "--out",
                     self.out / "new", **user)
        self.assertEqual(list(self.out.iterdir()), [])
        self.out.chmod(0o777)
        for file in self.campaign.glob("*-shm"):
            file.unlink()
        done = call("export", self.campaign, "--out", self.out / "of a sealed campaign", **user)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_full_disk(self):
        small = self.folder / "small"
        small.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "glassworks-test", small], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("mounting a small file system is not permitted")
        self.addCleanup(subprocess.run, ["umount", small])
        self.export(self.campaign, small / "whole", "--bins")
        needed = sum(file.stat().st_size for file in (small / "whole").rglob("*") if file.is_file())
        shutil.rmtree(small / "whole")
        met = set()
        for room in range(8192, needed, needed // 11):
            subprocess.run(["mount", "-o", f"remount,size={room // 4096 * 4}k", small], check=True)
            self.refused("No space left on device|full|free space", "export", self.campaign, "--out", small / "whole",
                         "--bins")
            self.assertEqual(list(small.iterdir()), [])
            met.add(call("export", self.campaign, "--out", small / "whole", "--bins").stderr.split("(")[0])
        self.assertGreater(len(met), 2, met)  # met in several files

    def start(self, *options):
        return subprocess.Popen([support.PROGRAM, "export", self.campaign, "--out", self.out, *options],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def wait_until_it_writes(self, process):
        while process.poll() is None and not list(self.out.glob(".export-*/campaign.h5")):
            time.sleep(0.0005)

    def test_kills(self):
        killed = 0
        for n in range(8):
            process = self.start("--bins")
            self.wait_until_it_writes(process)
            time.sleep(0.003 * n)
            process.kill()
            process.communicate()
            names = [file.name for file in self.out.iterdir()]
            if "manifest.json" in names:
                glassworks.verify(self.out)
                shutil.rmtree(self.out)
                continue
            killed += 1
            self.assertRaisesRegex(glassworks.GlassworksError, "no manifest.json", glassworks.verify, self.out)
            self.assertFalse({"campaign.h5", "results.csv"} & set(names), names)
            self.assertEqual(len([name for name in names if name.startswith(".export-")]), 1)
        self.assertGreater(killed, 2)
        self.export(self.campaign, self.out)
        self.assertEqual(list(self.out.glob(".export-*")), [])
        glassworks.verify(self.out)

    def test_signals(self):
        stopped = 0
        for n, number in enumerate([signal.SIGINT, signal.SIGTERM] * 6):
            process = self.start("--bins")
            self.wait_until_it_writes(process)
            process.send_signal(number)
            error = process.communicate()[1]
            if process.returncode == 130:
                stopped += 1
                self.assertEqual(error, "Stopped: nothing was exported. Run the same command again.\n")
                self.assertFalse(self.out.exists())
            else:
                self.assertEqual(process.returncode, 0, error)
                glassworks.verify(self.out)
                shutil.rmtree(self.out)
        self.assertGreater(stopped, 0)

    def test_while_the_campaign_runs(self):
        running = self.folder / "running"
        config = config_file(self.folder, convergence__max_rounds=1000000, convergence__min_round_trips=10000000)
        process = subprocess.Popen([support.PROGRAM, "run", config, f"--campaign.directory={running}"],
                                   stdout=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + 60
            while call("export", running, "--out", self.out, "--csv").returncode != 0:
                self.assertIsNone(process.poll())
                self.assertLess(time.monotonic(), deadline)
            before = 0
            for n in range(4):
                self.export(running, self.out, "--force", "--hdf5", "--csv")
                manifest = glassworks.verify(self.out)
                rounds = sum(size["rounds"] for size in manifest["sizes"])
                self.assertGreaterEqual(rounds, before)
                before = rounds
            # Exactly the rounds of the rows: the first so many of what the campaign has now.
            self.assertIsNone(process.poll())
            data, now = glassworks.open(self.out), glassworks.open(running)
            for L in data.sizes:
                for r in data.realizations(L):
                    taken, bins = data.bins(L, r), now.bins(L, r)
                    self.assertEqual(len(taken.means), data.table(L)["rounds"][r])
                    np.testing.assert_array_equal(taken.means, bins.means[: len(taken.means)])
        finally:
            process.kill()
            process.wait()


if __name__ == "__main__":
    support.main()
