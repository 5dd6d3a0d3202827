import numpy as np
import pytest

from svc.engine.media.audio import RATE, Audio
from svc.engine.speech.blocks import BLOCK_SECONDS, MARGIN, blocks, pack
from svc.engine.speech.speechmap import SpeechMap
from svc.engine.transcript import Word

FRAME = 0.032  # seconds


def speech_with_pauses(seconds, pauses):
    probabilities = np.ones(int(seconds / FRAME), np.float32)
    for start, end in pauses:
        probabilities[int(start / FRAME) : int(end / FRAME)] = 0
    return SpeechMap(probabilities, FRAME, [])


@pytest.fixture
def minute(tmp_path):
    """A minute of sound whose samples count the seconds."""
    path = tmp_path / "minute.pcm"
    np.repeat(np.arange(60, dtype="<i2"), RATE).tofile(path)
    return Audio(path, 60 * RATE)


def test_a_short_recording_is_one_block():
    assert blocks(speech_with_pauses(120, []), 120) == [(0, 120)]


def test_blocks_are_cut_in_the_pauses():
    (first, second) = blocks(speech_with_pauses(400, [(270, 272)]), 400)
    assert 270 < first[1] < 272
    assert second == (first[1], 400)


def test_blocks_follow_each_other_and_are_never_too_long():
    found = blocks(speech_with_pauses(3600, [(t, t + 1) for t in range(0, 3600, 17)]), 3600)
    assert [start for start, _ in found[1:]] == [end for _, end in found[:-1]]
    assert max(end - start for start, end in found) <= BLOCK_SECONDS


def test_long_silences_are_left_out(minute):
    packed = pack(minute, [(10, 12), (40, 41)], (0, 60))
    assert len(packed.samples) / RATE == pytest.approx(3 + 4 * MARGIN)
    assert packed.samples[RATE] * 32768 == 10


def test_times_are_put_back_where_they_were(minute):
    packed = pack(minute, [(10, 12), (40, 41)], (0, 60))
    found = [Word("one", 0.5, 0.9), Word("two", 3.5, 3.9)]
    packed.restore(found)
    assert found[0].start == pytest.approx(10 - MARGIN + 0.5)
    assert found[1].end == pytest.approx(40 - MARGIN + 3.9 - (2 + 2 * MARGIN))


def test_times_past_the_end_are_pulled_back_and_told(minute):
    packed = pack(minute, [(50, 60)], (0, 60))
    found = [Word("late", 10, 10 + MARGIN + 2)]
    assert packed.restore(found) == pytest.approx(62)
    assert found[0].end == 60


def test_a_word_that_reaches_over_a_silence_stays_with_its_sentence(minute):
    packed = pack(minute, [(10, 12), (40, 41)], (0, 60))
    found = [Word("He", 2.6, 3.0), Word("was", 3.2, 3.4)]
    packed.restore(found)
    assert found[0].start == pytest.approx(40 - MARGIN)
