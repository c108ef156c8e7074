#!/usr/bin/env python3
"""What binds the kernels of a GPU: counters of ncu for the sweeps of words and of Heisenberg lattices, as JSON.

Usage: what_binds.py BUILD_DIR --out FILE    BUILD_DIR: has glassworks and cluster_bench; ncu is in PATH or /usr/local/cuda/bin

Each case is a benchmark that is stopped after a few launches of its longest kernel. Counters are averages over them, on clocks that are not
locked: shares of peak in percent, stalls in warps that wait at each issue for this reason.
"""
import argparse
import collections
import csv
import datetime
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys

CASES = [
    *((f"words, 3D, L = {L}", ["cluster_bench", "multispin", "1", str(L), "3"], r"ladder_kernel|resident_kernel|half_sweep_kernel")
      for L in (8, 16, 32)),
    *((f"heisenberg, L = {L}", ["glassworks", "bench", "--backend", "cuda", "--L", str(L), "--tile", "0", "--quick"], r"resident_kernel|colour_kernel")
      for L in (20, 32, 64)),
    ("heisenberg, L = 64, tiles", ["glassworks", "bench", "--backend", "cuda", "--L", "64", "--tile", "8", "--quick"], r"tile_kernel"),
]
STALLS = ["barrier", "branch_resolve", "dispatch_stall", "lg_throttle", "long_scoreboard", "math_pipe_throttle", "membar", "mio_throttle",
          "no_instruction", "not_selected", "selected", "short_scoreboard", "sleeping", "wait"]
METRICS = {
    "microseconds": "gpu__time_duration.sum",
    "registers": "launch__registers_per_thread",
    "threads": "launch__block_size",
    "blocks": "launch__grid_size",
    "warp instructions": "sm__inst_executed.sum",
    "issue": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "warps": "sm__warps_active.avg.pct_of_peak_sustained_active",
    **{f"pipe {pipe}": f"sm__inst_executed_pipe_{pipe}.avg.pct_of_peak_sustained_active" for pipe in ("alu", "fma", "fmaheavy", "lsu", "xu", "uniform")},
    "shared memory": "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed",
    "bank conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "second-level cache": "lts__t_sectors.avg.pct_of_peak_sustained_elapsed",
    "device memory": "dram__bytes.sum.pct_of_peak_sustained_elapsed",
    **{f"stall {reason}": f"smsp__average_warps_issue_stalled_{reason}_per_issue_active.ratio" for reason in STALLS},
}


def profile(ncu, build, command, kernels, skip, launches):
    """Counters of each kernel of a case: name to list of launches."""
    line = [ncu, "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none", "-k", f"regex:{kernels}", "-s", str(skip), "-c",
            str(launches), "--kill", "yes", "--metrics", ",".join(METRICS.values()), str(build / command[0]), *command[1:]]
    run = subprocess.run(line, capture_output=True, text=True, check=False)
    rows = list(csv.DictReader(text for text in run.stdout.splitlines() if text.startswith('"')))[1:]  # the first one has the units
    if not rows:
        sys.exit(f"ncu counted nothing of `{' '.join(command)}`: {(run.stderr + run.stdout)[-400:]}")
    found = collections.defaultdict(list)
    for row in rows:
        found[re.sub(r"\(.*", "", row["Kernel Name"])].append(row)
    return found


def mean(rows, metric):
    values = [float(row[metric].replace(",", "")) for row in rows if row.get(metric)]
    return round(sum(values) / len(values), 4) if values and not any(map(math.isnan, values)) else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--skip", type=int, default=4, help="launches before the first one that is counted")
    parser.add_argument("--launches", type=int, default=3, help="that are counted")
    arguments = parser.parse_args()
    ncu = shutil.which("ncu", path=os.environ["PATH"] + ":/usr/local/cuda/bin")
    if not ncu:
        sys.exit("ncu was not found, which reads the counters. Install Nsight Compute, a part of the CUDA Toolkit.")
    version = subprocess.run([arguments.build / "glassworks", "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    device = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True, text=True, check=True)
    cases = []
    for what, command, kernels in CASES:
        for kernel, rows in profile(ncu, arguments.build, command, kernels, arguments.skip, arguments.launches).items():
            counters = {name: mean(rows, metric) for name, metric in METRICS.items()}
            if counters["microseconds"] is None:
                print(f"{what}: ncu cannot run {kernel}, whose blocks form clusters.")
                continue
            counters["microseconds"] = round(counters["microseconds"] / 1e3, 1)
            cases.append({"case": what, "command": " ".join(command), "kernel": kernel, "launches": len(rows), "counters": counters})
            print(what, kernel, counters["microseconds"], "us, issue", counters["issue"], flush=True)
    arguments.out.write_text(json.dumps({"program": version, "device": device.stdout.splitlines()[0], "date": datetime.date.today().isoformat(),
                                         "cases": cases}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
