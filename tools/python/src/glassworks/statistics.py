"""Averages over realizations with standard errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import checks
from .errors import GlassworksError


def jackknife(values: npt.ArrayLike, f: Callable[[Any], Any], blocks: int = 200) -> tuple[Any, Any]:
    """A function of averages over realizations with its standard error.

    With m blocks, f the value of all realizations and f_s that without block s:

        value = f,    error = sqrt((m - 1)/m sum_s (f_s - mean(f_s))^2)

    Args:
        values: array [realization] or [realization][column].
        f: takes the average over realizations, a number or an array [column]; returns a number or an array.
        blocks: at most so many sets of consecutive realizations are left out, one after the other.

    Returns:
        Value and error, in the units of f. The error of one realization is nan.

    Raises:
        GlassworksError: there is no realization, or the values are no real numbers.
    """
    data = checks.real_array("The values are", values)
    blocks = checks.whole_number("blocks", blocks, 1)
    if data.ndim == 0:
        raise GlassworksError("The values cannot be a single number (an average needs those of realizations). Give an array "
                              "[realization] or [realization][column].")
    n = len(data)
    if n == 0:
        raise GlassworksError("There is no realization to average (the campaign has no data). Run the campaign first.")
    total = data.sum(axis=0)
    m = min(blocks, n)
    if m == 1:
        return f(total / n), np.nan
    samples = []
    for s in range(m):
        first, last = s * n // m, (s + 1) * n // m
        samples.append(f((total - data[first:last].sum(axis=0)) / (n - last + first)))
    spread = np.array(samples)
    return f(total / n), np.sqrt((m - 1) * ((spread - spread.mean(axis=0)) ** 2).mean(axis=0))


def xi_over_L(chi_zero: float, chi_kmin: float, L: int) -> float:
    """Second-moment correlation length over L, without unit:

        xi_L/L = sqrt(chi(0)/chi(k_min) - 1) / (2 L sin(pi/L)),    k_min = 2 pi/L

    nan where it is not defined: chi(k_min) <= 0 or chi(0) < chi(k_min).
    """
    chi_zero, chi_kmin = checks.real_number("chi_zero", chi_zero), checks.real_number("chi_kmin", chi_kmin)
    L = checks.whole_number("L", L, 2)
    if not (chi_kmin > 0 and chi_zero >= chi_kmin):
        return float("nan")
    return float(np.sqrt(chi_zero / chi_kmin - 1) / (2 * L * np.sin(np.pi / L)))
