"""Speech to text: words with times out of what the transcribing model notes."""

import numpy as np
import pytest
import recordings
from gemini_fake import faults

from svc.engine.models.gemini.answer import Block
from svc.engine.models.gemini.speech import LONGEST_SECONDS, Transcriber
from svc.engine.models.gemini.words import words_of

NAME = "acoustic_corpus.wav"


@pytest.fixture
def audio(gemini, decoded):
    """A recording that the fake knows, as the engine decodes it."""
    audio = decoded(recordings.path(NAME))
    gemini.teach_recording(NAME)
    return audio


def heard(run, samples, language=None, **how):
    return [word for passage in Transcriber(run).recognize(samples, language, **how) for word in passage.words]


def note(text, at, start=None, end=None):
    times = {"start_offset": f"{start}s", "end_offset": f"{end}s"} if start is not None else {}
    return {"type": "word_info", "text": text, "start_index": at, "end_index": at + len(text.encode()), **times}


def test_every_word_has_its_time(run, audio):
    truth = recordings.words(NAME)
    words = heard(run, audio.read())
    assert [word.text for word in words] == [text for text, _, _ in truth]
    known = [(word, true) for word, true in zip(words, truth, strict=True) if not word.synthetic]
    assert all(abs(word.start - true[1]) < 0.01 for word, true in known)


def test_a_missing_time_is_put_between_its_neighbours(run, audio):
    words = heard(run, audio.read())
    guessed = [at for at, word in enumerate(words) if word.synthetic]
    assert guessed
    assert all(words[at - 1].end <= words[at].start <= words[at].end <= words[at + 1].start for at in guessed[:-1])


def test_a_cutting_has_times_of_its_own(run, audio):
    words = heard(run, audio.read(10, 20))
    inside = [text for text, start, end in recordings.words(NAME) if 10 <= (start + end) / 2 < 20]
    assert [word.text for word in words] == inside and words[-1].end <= 10


def test_silence_is_no_words(run, gemini):
    assert heard(run, np.zeros(16_000 * 3, np.float32)) == []


def test_the_vocabulary_is_not_sent_beside_word_times(run, gemini, audio):
    assert heard(run, audio.read(), vocabulary=("acoustic",))
    assert "custom_vocabulary" not in gemini.asked()[0]["generation_config"]["transcription_config"]


def test_the_language_is_a_hint_in_the_callers_own_words(run, gemini, audio, monkeypatch):
    monkeypatch.setattr(run, "request", type(run.request)("file", "clip", languages=("en-GB",)))
    heard(run, audio.read(), "en")
    assert gemini.asked()[0]["generation_config"]["transcription_config"]["language_codes"] == ["en-GB"]


def test_the_language_is_judged_by_the_text(run, gemini, decoded):
    audio = decoded(recordings.path("spanish.opus"))
    gemini.teach_recording("spanish.opus")
    scores = Transcriber(run).languages(audio.read())
    assert max(scores, key=lambda code: scores[code]) == "es" and sum(scores.values()) == pytest.approx(1, abs=0.01)


def test_silence_is_in_no_language(run):
    assert Transcriber(run).languages(np.zeros(16_000, np.float32)) == {}


def test_long_sound_is_heard_in_pieces(run, gemini, audio):
    samples = np.concatenate([np.zeros(16_000 * LONGEST_SECONDS, np.float32), audio.read(0, 5)])
    assert heard(run, samples)[0].start >= LONGEST_SECONDS
    assert len(gemini.asked()) == 2


def test_sound_that_cannot_be_compressed_fits_into_a_request(run, gemini):
    noise = np.random.default_rng(1).uniform(-1, 1, 16_000 * LONGEST_SECONDS).astype(np.float32)
    heard(run, noise)
    assert int(gemini.requests[0].headers["content-length"]) < 20_000_000


def test_what_the_model_does_not_count_is_estimated(run, audio):
    heard(run, audio.read())
    used = run.usage()
    assert used.audio_in == used.tokens_in == pytest.approx(audio.seconds * 25, abs=1)
    assert used.tokens_out > 50 and float(used.usd) == pytest.approx((used.tokens_in * 2 + used.tokens_out * 12) / 1e6)


def test_an_answer_cut_short_keeps_its_words(run, gemini, audio):
    gemini.fail_next("interactions", faults.INCOMPLETE)
    assert heard(run, audio.read())


def test_punctuation_stays_with_its_word():
    text = "„Ja“, sagte er — nein."
    places = {word: len(text[: text.index(word)].encode()) for word in ("Ja", "sagte", "er", "nein")}
    words = words_of(Block(text, [note(word, at, i, i + 0.5) for i, (word, at) in enumerate(places.items())]), 5)
    assert [word.text for word in words] == ["„Ja“,", "sagte", "er —", "nein."]


def test_words_whose_places_do_not_fit_are_taken_bare():
    words = words_of(Block("Good day.", [note("Good", 3, 0, 1), note("night", 5, 1, 2)]), 5)
    assert [word.text for word in words] == ["Good", "night"]


def test_times_out_of_order_are_guessed_anew():
    times = [(0, 1), (90, 91), (2, 3), (3, 4)]
    words = words_of(
        Block("a b c d", [note(w, 2 * i, *t) for i, (w, t) in enumerate(zip("abcd", times, strict=True))]), 100
    )
    assert [word.synthetic for word in words] == [False, True, False, False]
    assert words[0].end <= words[1].start <= words[1].end <= words[2].start


def test_times_past_the_end_are_pulled_back():
    words = words_of(Block("a b", [note("a", 0, 1, 2), note("b", 2, 5.5, 9)]), 5)
    assert (words[1].start, words[1].end) == (5, 5)


def test_text_without_notes_is_spread_over_the_sound():
    words = words_of(Block("Good day."), 4)
    assert words[0].start == 0 and words[-1].end == 4 and all(word.synthetic for word in words)
