"""Glassworks in Python: create, run and read campaigns; read exports.

    import glassworks
    data = glassworks.open("campaigns/first")         # a campaign directory, or one of `glassworks export`
    data.observable("xi_over_L").to_pandas()          # L, T, mean, error, realizations
    T, mean, error = data.observable(8, "xi_over_L")  # numpy arrays of one size
    bins = data.bins(8, 0)                            # raw bins of realization 0
    bins.means[:, 3, bins.column("energy")]           # energy in each round at slot 3
    a = data.averages(8)                              # averages of each realization over its equilibrated rounds
    mean, error = glassworks.jackknife(a.values[:, 3, a.column("energy")], lambda mean: mean)
    data.spins(8, 0)                                  # spins of realization 0 at its last checkpoint
    data.series("xi_12").to_pandas()                  # of a course: L, slot, T, t, mean, error, realizations

    glassworks.ground(J).energy                       # of a matrix, a networkx graph, or triples (i, j, J)

    campaign = glassworks.Campaign.create("campaigns/mine", {"model.type": "ising", "model.L": [4, 6], ...})
    for progress in campaign.run():
        print(progress)

Needs numpy; pandas for tables; h5py for exports; xxhash to verify digests and checksums (without it data are read
unverified, which `verify` says). Indices are as in docs/manual/models.md: slot 0 is the coldest, energies are in units of
J, temperatures of J/k_B. Every problem is a GlassworksError with one sentence.
"""

from __future__ import annotations

import os

from ._version import __version__
from . import checks
from .arrays import ADDED_COLUMNS, Averages, Bins
from .campaign import Campaign
from .configuration import Config
from .couplings import Couplings
from .errors import GlassworksError, reading
from .export import Export, verify
from .ground import GroundState, ground
from .observables import Curve, Observable, read_results
from .program import find_program
from .progress import Progress, Run
from .series import Series, TimeCurve, read_series
from .statistics import jackknife, xi_over_L

__all__ = ["ADDED_COLUMNS", "Averages", "Bins", "Campaign", "Config", "Couplings", "Curve", "Export", "GlassworksError", "GroundState",
           "Observable", "Progress", "Run", "Series", "TimeCurve", "__version__", "find_program", "ground",
           "jackknife", "open", "read_results", "read_series", "verify", "xi_over_L"]


def open(path: str | os.PathLike[str]) -> Export | Campaign:  # the name that one expects: glassworks.open
    """An Export or a Campaign: whatever is in the directory, or the file campaign.h5 or campaign.sqlite itself.

    Raises:
        GlassworksError: there is neither, or it cannot be read.
    """
    path = checks.path("path", path)
    with reading(path, "Check the path and the permissions."):
        for name in ("campaign.h5", "campaign.sqlite", "campaign.cfg"):
            file = path / name if path.is_dir() else path
            if file.name == name and file.is_file():
                return Export(file) if name == "campaign.h5" else Campaign(file.with_name("campaign.sqlite"))
        tables_only = (path / "results.csv").is_file()
    if tables_only:
        raise GlassworksError(f"{path} holds tables only (it was exported without --hdf5). Use read_results on its "
                              "results.csv, or export again.")
    raise GlassworksError(f"There is neither an export nor a campaign in {path} (no campaign.h5, no campaign.sqlite). "
                          "Check the path.")
