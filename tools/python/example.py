"""An export in Python: the figure xi_L/L against T, and one of its numbers recomputed from the raw bins.

    build/glassworks export campaigns/first --out export
    python3 tools/python/example.py export [FIGURE]       # writes FIGURE.png and FIGURE.pdf, default: xi_over_L

The cells (`# %%`) also run one by one in editors and notebooks that know them (Spyder, VS Code, Jupyter with jupytext).
"""

# %% Open the export. The package lies beside this file; where it is installed, the line with sys.path is not needed.
import pathlib
import sys

import matplotlib
import numpy as np

matplotlib.use("Agg")  # draws into files, without a screen
import matplotlib.pyplot as plt

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "src"))
import glassworks

directory = sys.argv[1] if len(sys.argv) > 1 else "export"
figure_name = sys.argv[2] if len(sys.argv) > 2 else "xi_over_L"
glassworks.verify(directory)  # files and raw bins against their digests
data = glassworks.open(directory)
for L in data.sizes:
    print(f"L = {L}: {len(data.realizations(L))} realizations, {len(data.temperatures(L))} temperatures")

# %% The second-moment correlation length over L, with jackknife errors.
figure, axes = plt.subplots(figsize=(5, 3.6), layout="constrained")
for L in data.sizes:
    T, value, error = data.observable(L, "xi_over_L")
    axes.errorbar(T, value, error, marker="o", markersize=3, linewidth=1, capsize=2, label=f"$L = {L}$")
axes.set_xlabel("$T/J$")
axes.set_ylabel(r"$\xi_L/L$")
axes.legend(frameon=False)
for suffix in ("png", "pdf"):
    figure.savefig(f"{figure_name}.{suffix}", dpi=200)
print(f"Figure: {figure_name}.png, {figure_name}.pdf")

# %% The same from the raw bins: averages of each realization over its equilibrated rounds, then over realizations.
L = data.sizes[-1]
bins = [data.bins(L, r) for r in data.realizations(L)]
thermal = np.array([b.average() for b in bins])  # [realization][slot][column]
names = data.averages(L)  # with the places of the columns
assert np.allclose(thermal, names.values, rtol=1e-12, atol=1e-12), "averages differ from those of the export"
zero, kmin = names.modes("overlap_k", 0), names.modes("overlap_k", 1)

T, value, error = data.observable(L, "xi_over_L")
worst = 0.0
for slot in range(len(T)):
    mine, my_error = glassworks.jackknife(
        thermal[:, slot], lambda mean: glassworks.xi_over_L(mean[zero].mean(), mean[kmin].mean(), L)
    )
    print(f"T = {T[slot]:.5g}: xi_L/L = {mine:.6f} +- {my_error:.6f} (export: {value[slot]:.6f} +- {error[slot]:.6f})")
    assert np.isclose(mine, value[slot], rtol=1e-12, atol=0, equal_nan=True), "the value differs from the export"
    if np.isfinite(mine):
        worst = max(worst, abs(mine / value[slot] - 1))
print(f"Recomputed from raw bins: largest relative difference {worst:.1e}")

# %% Energy along the history of one realization at the lowest temperature: equilibration at a glance.
b = bins[0]
print("Energy of the first rounds:", np.round(b.means[:5, 0, b.column("energy")], 4))
