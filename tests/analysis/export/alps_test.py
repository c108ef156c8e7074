"""ALPS files: read as pyalps does it.

pyalps is not in Debian 12, so what follows is a reader of the same conventions (pyalps.getResultFiles,
loadMeasurements, collectXY; alps::alea::mcdata): parameters become floats where they can, an observable is scalar where
mean/value is, needs count > 0 and, for timeseries/data, the attribute maxbinnum; jacknife/data[0] is the mean of all bins
and entry i + 1 the mean without bin i; formulas are applied to mean and jackknife entries; error^2 is
(n - 1) (<x_i^2> - <x_i>^2) over the n entries.
"""

import pathlib
import unittest

import h5py
import numpy as np

import support
from support import ExportTest, run_campaign

import glassworks


class MCScalarData:
    def __init__(self, group):
        self.count = int(group["count"][()])
        self.mean = group["mean/value"][()]
        self.error = group["mean/error"][()]
        self.variance = group["variance/value"][()]
        self.cannot_rebin = bool(group.attrs["cannotrebin"])
        self.bins = group["timeseries/data"][()]
        self.bin_size = int(group["timeseries/data"].attrs["binsize"])
        self.max_bin_number = int(group["timeseries/data"].attrs["maxbinnum"])
        if not self.cannot_rebin:
            self.bins = self.bins / self.bin_size
        self.jackknife = group["jacknife/data"][()]

    @staticmethod
    def error_of(jackknife):
        x = jackknife[1:]
        return np.sqrt((len(x) - 1) * (np.mean(x**2) - np.mean(x) ** 2))


def result_files(directory, prefix):
    return sorted(map(str, pathlib.Path(directory).rglob(f"{prefix}*.task*.out.h5")))


def load_measurements(files, what):
    sets = []
    for name in files:
        with h5py.File(name) as file:
            props = {"filename": name}
            for key, data in file["/parameters"].items():
                value = data.asstr()[()] if data.dtype.kind == "O" else data[()]
                try:
                    value = float(value)
                except ValueError:
                    pass
                props[key] = value
            results = file["/simulation/results"]
            found = []
            for observable in what:
                if observable in results:
                    assert results[observable]["mean/value"].shape == (), "not a scalar"
                    data = MCScalarData(results[observable])
                    if data.count > 0:
                        found.append((props | {"observable": observable}, data))
            sets.append(found)
    return sets


def collect_xy(sets, x, y, foreach):
    curves = {}
    for found in sets:
        for props, data in found:
            if props["observable"] == y:
                curves.setdefault(props[foreach], []).append((props[x], data))
    return {key: sorted(points, key=lambda point: point[0]) for key, points in curves.items()}


class Alps(ExportTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        campaign = run_campaign(cls.folder, disorder__realizations=7)
        cls.out = cls.folder / "export"
        assert support.call("export", campaign, "--out", cls.out).returncode == 0
        cls.data = glassworks.open(cls.out)
        cls.addClassCleanup(cls.data.close)

    def test_curves(self):
        names = self.data.observables(4)
        sets = load_measurements(result_files(self.out, ""), names)
        self.assertEqual(len(sets), 10)
        for name in names:
            curves = collect_xy(sets, "T", name, "L")
            self.assertEqual(list(curves), [4.0, 6.0])
            for L, points in curves.items():
                T, value, error = self.data.observable(int(L), name)
                np.testing.assert_array_equal([t for t, _ in points], T)
                np.testing.assert_array_equal([data.mean for _, data in points], value)
                np.testing.assert_array_equal([data.error for _, data in points], error)

    def test_parameters(self):
        ((props, _),) = load_measurements(result_files(self.out, "L6"), ["energy"])[1]
        self.assertEqual([props["L"], props["T"], props["beta"] * props["T"]], [6, self.data.temperatures(6)[1], 1])
        self.assertEqual([props["campaign.seed"], props["model.couplings"], props["ladder.T_max"]], [7, "gaussian", 0.8])

    def test_jackknife(self):
        for found in load_measurements(result_files(self.out, ""), ["energy", "chi_sg", "binder", "xi_over_L"]):
            self.assertEqual(len(found), 4)
            for props, data in found:
                self.assertEqual([data.count, len(data.bins), len(data.jackknife)], [7, 7, 8])
                self.assertEqual(data.jackknife[0], data.mean)
                np.testing.assert_allclose(MCScalarData.error_of(data.jackknife), data.error, rtol=1e-6)
                np.testing.assert_allclose(data.variance, data.count * data.error**2)
                # Bins without the i-th give the i-th jackknife entry, but for one constant.
                again = (data.bins.sum() - data.bins) / (len(data.bins) - 1)
                np.testing.assert_allclose(np.ptp(again - data.jackknife[1:]), 0, atol=1e-12 * abs(data.mean))
                if props["observable"] == "energy":  # linear: bins are the realizations
                    np.testing.assert_allclose(data.bins.mean(), data.mean, rtol=1e-12)
                    averages = self.data.averages(int(props["L"]))
                    slot = averages.temperatures.tolist().index(props["T"])
                    np.testing.assert_allclose(data.bins, averages.values[:, slot, averages.column("energy")], rtol=1e-9)

    def test_formulas_keep_correlations(self):
        found = dict((props["observable"], data) for props, data
                     in load_measurements(result_files(self.out, "L4"), ["chi_sg", "chi_sg_kmin"])[0])
        ratio = found["chi_sg"].jackknife / found["chi_sg_kmin"].jackknife
        a = self.data.averages(4)
        zero, kmin = a.modes("overlap_k", 0), a.modes("overlap_k", 1)
        value, error = glassworks.jackknife(a.values[:, 0], lambda mean: mean[zero].mean() / mean[kmin].mean())
        np.testing.assert_allclose(ratio[0], value, rtol=1e-12)
        np.testing.assert_allclose(MCScalarData.error_of(ratio), error, rtol=1e-6)


if __name__ == "__main__":
    support.main()
