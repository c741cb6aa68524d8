"""The interval in which a share of independent games lies."""

from math import sqrt

#: Of a normal distribution, 95 % lies within so many standard deviations.
Z = 1.96


def wilson(p: float, n: float) -> tuple[float, float]:
    """The 95 % interval of a share `p` of `n` independent games (Wilson 1927).

    >>> [f"{end:.3f}" for end in wilson(0.3, 100)]
    ['0.219', '0.396']
    """
    centre = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    width = Z * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
    return max(0.0, min(p, centre - width)), min(1.0, max(p, centre + width))  # which holds the share despite rounding


def margin_of(share: float, low: float, high: float) -> float:
    """The number after the ±: the larger of the distances to the ends of an interval."""
    return max(high - share, share - low)
