"""Grouping of voice samples: synthetic unit vectors, spread about a few directions like real ones."""

import numpy as np
import pytest

from svc.engine.models.local import clusters
from svc.engine.models.local.clusters import unit, voices


def samples(*counts: int, spread=0.7):
    """Noisy copies of as many random directions as there are counts, in turn."""
    chance = np.random.default_rng(1)
    centres = chance.normal(size=(len(counts), 256))
    order = [voice for voice, count in enumerate(counts) for _ in range(count)]
    return unit(centres[order] + spread * chance.normal(size=(len(order), 256)))


def found(vectors, **options):
    return len(voices(vectors, np.full(len(vectors), 0.8), 3.0, **options))


@pytest.mark.parametrize("counts", [(1,), (40,), (20, 20), (30, 10, 5), (9, 9, 9, 9, 9)])
def test_voices_are_counted(counts):
    assert found(samples(*counts)) == len(counts)


def test_voice_heard_for_a_moment_is_no_speaker():
    assert found(samples(30, 2)) == 1


def test_expected_number_joins_the_most_alike():
    assert found(samples(20, 20, 20), expected=2) == 2


def test_expected_number_parts_a_voice():
    assert found(samples(40), expected=2) == 2


def test_expected_number_beyond_the_samples():
    assert found(samples(2), expected=5) <= 2


def test_blocks_of_a_long_recording_share_their_voices(monkeypatch):
    monkeypatch.setattr(clusters, "BLOCK", 25)
    assert found(samples(60, 40, 30)) == 3


def test_sounds_that_nobody_shares_make_one_speaker(monkeypatch):
    monkeypatch.setattr(clusters, "BLOCK", 150)
    assert found(unit(np.random.default_rng(1).normal(size=(500, 256)))) == 1
