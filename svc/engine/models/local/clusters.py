"""Which voice samples belong to the same speaker."""

from collections.abc import Callable

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage

# Cosine distance up to which average linkage joins short samples; the finer ones for when more voices are expected.
SAMPLE_DISTANCE = 0.65
FINER_DISTANCES = (0.6, 0.55, 0.5, 0.45, 0.4, 0.35)

# Cosine similarity from which two groups are one voice: their means are far less noisy than samples.
SAME_VOICE = 0.55

# Linkage takes memory and time by the square, so a long recording is clustered in blocks (25 minutes of speech each).
BLOCK = 2000
# Of each block, so many groups are looked at further, the largest: nobody meets more people in that time.
MOST_GROUPS = 64


def voices(samples: np.ndarray, seconds: np.ndarray, least: float, expected: int | None = None) -> np.ndarray:
    """The voices in unit vectors `samples` [n, d], as unit vectors [speakers, d], at most n of them.

    A voice with less than `least` of the `seconds` that each sample stands for is no speaker, unless there is no
    other. `expected` sets their number, as far as the samples allow.
    """
    sums, sizes = _clusters(samples, seconds, SAMPLE_DISTANCE)
    if expected is None:
        sums, sizes = _join(sums, sizes, lambda alike, _: alike >= SAME_VOICE)
    for finer in FINER_DISTANCES:
        if (sizes >= least).sum() >= (expected or 0):
            break
        sums, sizes = _clusters(samples, seconds, finer)
    largest = np.argsort(-sizes, kind="stable")[: expected or 1]
    kept = (sizes >= least) | np.isin(np.arange(len(sizes)), largest)
    if expected:
        return unit(_join(sums[kept], sizes[kept], lambda _, count: count > expected)[0])
    return unit(sums[kept])


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def similarity(vectors: np.ndarray) -> np.ndarray:
    """Cosine of every pair of unit vectors, and -1 for each with itself: [n, n]."""
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -1)
    return cosines


def _clusters(samples: np.ndarray, seconds: np.ndarray, distance: float) -> tuple[np.ndarray, np.ndarray]:
    """The sum of the samples of each large cluster [clusters, d], and of their seconds [clusters]."""
    sums, sizes = [], []
    for first in range(0, len(samples), BLOCK):
        block, length = samples[first : first + BLOCK], seconds[first : first + BLOCK]
        labels = np.ones(1, int)
        if len(block) > 1:
            labels = fcluster(linkage(block, "average", metric="cosine"), distance, "distance")
        spoken = np.bincount(labels, length)
        for label in sorted(np.argsort(-spoken, kind="stable")[:MOST_GROUPS]):
            if spoken[label]:
                sums.append(block[labels == label].sum(axis=0))
                sizes.append(spoken[label])
    return np.stack(sums), np.array(sizes)


def _join(sums: np.ndarray, sizes: np.ndarray, further: Callable[[float, int], bool]) -> tuple[np.ndarray, np.ndarray]:
    """Joins the two groups most alike as long as `further` wants it, given their cosine and the number of groups."""
    while len(sums) > 1:
        cosines = similarity(unit(sums))
        one, other = np.unravel_index(cosines.argmax(), cosines.shape)
        if not further(float(cosines[one, other]), len(sums)):
            break
        sums[one] += sums[other]
        sizes[one] += sizes[other]
        sums, sizes = np.delete(sums, other, axis=0), np.delete(sizes, other)
    return sums, sizes
