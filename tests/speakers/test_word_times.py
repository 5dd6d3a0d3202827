"""Word times by forced alignment, against the times that another aligner marked."""

import numpy as np
import pytest
import recordings
import sounds

from svc.engine.models.local.align import align, split
from svc.engine.transcript import Segment, Word


@pytest.fixture
def marked():
    return recordings.words("cold_corpus3.wav")


@pytest.fixture
def talk(tmp_path):
    return sounds.audio(tmp_path, sounds.pcm("cold_corpus3.wav"))


def rough(marked, off=0.15, size=12):
    """Segments of the marked words, each word's times wrong by `off` seconds this way and that."""
    words = [Word(w, start + off * (-1) ** i, end + off * (-1) ** i) for i, (w, start, end) in enumerate(marked)]
    return [segment(words[i : i + size]) for i in range(0, len(words), size)]


def segment(words):
    return Segment(words[0].start, words[-1].end, " ".join(word.text for word in words), words=words)


def words_of(segments):
    return [word for segment in segments for word in segment.words]


def errors(segments, marked):
    words = words_of(segments)
    return np.array([abs(word.start - start) for word, (_, start, _) in zip(words, marked, strict=True)])


def test_words_are_found_in_the_sound(talk, marked):
    segments = rough(marked)
    assert align(talk, segments) == 1.0
    wrong = errors(segments, marked)
    assert wrong.mean() < 0.08
    assert (wrong < 0.2).mean() > 0.9


def test_times_never_run_backwards(talk, marked):
    segments = rough(marked, off=0.4)
    align(talk, segments)
    words = words_of(segments)
    assert all(word.start <= word.end for word in words)
    assert all(one.end <= other.start + 1e-6 for one, other in zip(words, words[1:], strict=False))


def test_segment_spans_its_words(talk, marked):
    segments = rough(marked)
    align(talk, segments)
    assert all((s.start, s.end) == (s.words[0].start, s.words[-1].end) for s in segments)


def test_segment_without_words_gets_them(tmp_path):
    talk = sounds.audio(tmp_path, sounds.pcm("jfk.wav"))
    spoken = Segment(0.2, 10.6, recordings.text("jfk.wav"))
    assert align(talk, [spoken]) == 1.0
    assert [word.text for word in spoken.words] == spoken.text.split()
    assert not any(word.synthetic for word in spoken.words)


def test_numbers_and_unknown_words_have_times(tmp_path):
    talk = sounds.audio(tmp_path, sounds.pcm("austen_0890.wav"))
    unknown = Segment(0.0, 5.3, "Unless 2 be rather kold-hartid & rather sellfish is 2 be ill-disspozed")
    assert align(talk, [unknown]) == 1.0
    assert all(word.end > word.start for word in unknown.words)


SPOKEN_NUMBERS = {
    "Today": ["today"],
    "1999,": ["19", "90", "9"],
    "$250": ["2", "hundred", "50", "dollars"],
    "tomorrow": ["tomorrow"],
    "3rd": ["h-3"],
    "2,500": ["2", "thousand", "5", "hundred"],
    "4242": ["4", "2", "4", "2"],
    "today.": ["today"],
}


def test_numbers_years_and_amounts_are_found_in_the_sound(tmp_path):
    prompts = {name: sounds.prompt(f"number_{name}.wav", tmp_path) for said in SPOKEN_NUMBERS.values() for name in said}
    pieces = [np.concatenate([prompts[name] for name in said]) for said in SPOKEN_NUMBERS.values()]
    talk = sounds.audio(tmp_path, *pieces)
    spoken = Segment(0.0, talk.seconds, " ".join(SPOKEN_NUMBERS))
    assert align(talk, [spoken]) == 1.0
    assert [word.start for word in spoken.words] == pytest.approx(sounds.starts(*pieces), abs=0.2)


def test_a_model_that_only_guessed_the_times_is_put_right(talk, marked):
    guessed = Segment(2.0, talk.seconds, " ".join(word for word, _, _ in marked))
    assert align(talk, [guessed]) == 1.0
    assert (errors([guessed], marked) < 0.2).mean() > 0.85


def test_dash_has_no_time_of_its_own(tmp_path):
    talk = sounds.audio(tmp_path, sounds.pcm("austen_0880.wav"))
    spoken = Segment(0.0, 2.9, "He was not — an ill disposed young man")
    align(talk, [spoken])
    dash = spoken.words[3]
    assert dash.synthetic
    assert spoken.words[2].end == dash.start == dash.end <= spoken.words[4].start


def test_words_that_cannot_be_aligned_keep_their_times(talk):
    foreign = [Word("こんにちは", 1.0, 1.5), Word("世界", 1.5, 2.0)]
    assert align(talk, [segment(foreign)]) == 0.0
    assert [(word.start, word.end, word.synthetic) for word in foreign] == [(1.0, 1.5, False), (1.5, 2.0, False)]


def test_text_longer_than_its_sound_is_interpolated(talk):
    crowded = Segment(1.0, 1.2, "far too many words for so short a moment of sound")
    assert align(talk, [crowded]) == 0.0
    assert all(word.synthetic and 1.0 <= word.start <= word.end <= 1.2 + 1e-6 for word in crowded.words)


def test_words_past_the_end_are_left_alone(talk):
    late = [Word("late", talk.seconds + 5, talk.seconds + 6)]
    assert align(talk, [segment(late)]) == 0.0


def test_nothing_to_align(talk):
    assert align(talk, []) == 0.0
    assert align(talk, [Segment(0.0, 1.0, "")]) == 0.0


def test_long_speech_is_cut_at_its_widest_pauses():
    words = [Word("word", start, start + 0.5) for start in [*range(14), *range(16, 30)]]
    assert [len(stretch) for stretch in split(words)] == [14, 14]
