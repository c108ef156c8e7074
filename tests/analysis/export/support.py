"""Shared by the tests of exports: small campaigns, calls of the program, decoding of a database without the reader."""

import os
import pathlib
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np
import xxhash

SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE / "tools" / "python" / "src"))
PROGRAM = None  # set by main()

SMALL = {
    "campaign.seed": 7, "model.L": "4, 6", "disorder.realizations": 5, "ladder.T_min": 0.2, "ladder.T_max": 0.8,
    "ladder.slots": 5, "protocol.overrelaxation": 2, "protocol.exchanges_per_measurement": 2, "round.measurements": 6,
    "convergence.min_rounds": 8, "convergence.max_rounds": 12, "convergence.min_round_trips": 0,
    "convergence.n_tau": 0, "backend.threads": 1,
}


def main():
    global PROGRAM
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)


def call(*arguments, **options):
    """The finished process; texts are captured."""
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, **options)


def config_file(folder, **keys):
    values = SMALL | {name.replace("__", "."): value for name, value in keys.items()}
    file = folder / "campaign.cfg"
    file.write_text("".join(f"{key} = {value}\n" for key, value in values.items() if value != ""))
    return file


def run_campaign(folder, name="campaign", **keys):
    directory = folder / name
    done = call("run", config_file(folder, **keys), f"--campaign.directory={directory}")
    assert done.returncode == 0, done.stderr
    return directory


class ExportTest(unittest.TestCase):
    """A scratch folder, in memory where there is some."""

    @classmethod
    def setUpClass(cls):
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="glassworks-export-", dir=memory))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)

    def export(self, campaign, out, *options):
        done = call("export", campaign, "--out", out, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def refused(self, pattern, *arguments, **options):
        """The program must fail with one sentence that fits."""
        done = call(*arguments, **options)
        self.assertIn(done.returncode, (1, 2), done.stderr + done.stdout)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertRegex(lines[0], r"^glassworks: .+\. [A-Z].+")
        self.assertRegex(lines[0], pattern)
        self.assertNotRegex(lines[0], r"std::|what\(\)|H5[A-Z]")


def row_checksum(*values):
    """As db/FORMAT.md defines it."""
    data = b""
    for value in values:
        if isinstance(value, (int, float)):
            data += struct.pack("<q" if isinstance(value, int) else "<d", value)
        else:
            text = value.encode() if isinstance(value, str) else value
            data += struct.pack("<q", len(text)) + text
    return struct.unpack("<q", xxhash.xxh3_64_digest(data)[::-1])[0]


def change_realizations(campaign, where, **values):
    """Sets columns of rows of `realizations`, with a checksum that fits."""
    connection = sqlite3.connect(campaign / "campaign.sqlite")
    connection.create_function("row_checksum", -1, row_checksum)
    names = [row[1] for row in connection.execute("PRAGMA table_info(realizations)")]
    summed = [*names[:names.index("checksum")], "checkpoint_digest"]
    for name, value in values.items():
        connection.execute(f"UPDATE realizations SET {name} = ? WHERE {where}", (value,))
    connection.execute(f"UPDATE realizations SET checksum = row_checksum({', '.join(summed)}) WHERE {where}")
    if values.get("rounds") == 0:
        connection.execute(f"DELETE FROM rounds WHERE (L, realization) IN (SELECT L, realization FROM realizations "
                           f"WHERE {where})")
    connection.commit()
    connection.close()


NOT_STARTED = {"status": "queued", "rounds": 0, "checkpoint": "", "checkpoint_digest": "", "state_digest": "",
               "previous_checkpoint": "", "previous_digest": "", "round_trips": 0, "tau": 0.0, "equilibration_rounds": 0, "expected_rounds": 0}


def stored_bins(campaign, L, realization):
    """Arrays of all rounds as db/FORMAT.md defines them."""
    connection = sqlite3.connect(campaign / "campaign.sqlite")
    names = ["means", "exchange_attempts", "exchange_accepted", "walk_up", "walk_down", "walk_mean", "round_trips",
             "samples", "measurements", "slots", "observables", "replicas", "samples_per_slot", "seconds", "provenance"]
    rows = connection.execute(f"SELECT {', '.join(names)} FROM rounds WHERE L = ? AND realization = ? ORDER BY round",
                              (L, realization)).fetchall()
    connection.close()
    columns = dict(zip(names, zip(*rows)))
    n, slots, replicas = len(rows), columns["slots"][0], columns["replicas"][0]
    shapes = {"means": ("<f8", (slots, -1)), "exchange_attempts": ("<u8", (slots - 1,)),
              "exchange_accepted": ("<u8", (slots - 1,)), "walk_up": ("<u4", (slots,)), "walk_down": ("<u4", (slots,)),
              "walk_mean": ("<f8", (replicas, 3)), "round_trips": ("<u4", (replicas,)),
              "samples": ("<f4", (slots, columns["samples_per_slot"][0], -1 if columns["samples_per_slot"][0] else 0))}
    out = {name: np.frombuffer(b"".join(columns[name]), dtype).reshape((n,) + shape)
           for name, (dtype, shape) in shapes.items()}
    return out | {name: np.array(columns[name]) for name in ("measurements", "seconds", "provenance")}


def check_described(test, file, documented):
    """All names that are documented are there, and every array says what it is. Returns the names in the file."""
    names = []
    file.visit(lambda name: names.append("/" + name))
    for name in documented:
        test.assertIn(name, names)
    for name in names:
        item = file[name]
        if isinstance(item, h5py.Dataset) and item.shape and not name.startswith("/provenance"):
            test.assertEqual(item.attrs["shape"].count("["), item.ndim, name)
            test.assertTrue(item.attrs["description"], name)
    return names
