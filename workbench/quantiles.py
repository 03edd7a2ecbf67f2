"""Quantiles of measured values."""
import math
from collections.abc import Sequence


def quantile(values: Sequence[float], share: float) -> float:
    """Returns the smallest value that at least `share` of all do not exceed (nearest rank).

    The result is always a measured value: the 0.99 quantile of few values is their maximum.
    """
    # 9 digits: 0.95 of 20 values is 19 of them, although 0.95 * 20 may be slightly above 19 in binary.
    return sorted(values)[max(0, math.ceil(round(len(values) * share, 9)) - 1)]
