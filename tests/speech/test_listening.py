"""The stage on real recordings with the embedded model."""

from itertools import count, pairwise

import numpy as np
import pytest
import recordings
from stagehand import MODELS, codes, decoded, new_run

from svc.engine.media.audio import RATE, Audio
from svc.engine.models.local.whisper import load_whisper
from svc.engine.request import Config
from svc.engine.speech.glossary import Glossary
from svc.engine.speech.spoken import listen_for_language
from svc.engine.speech.text import spell
from svc.engine.transcribe import transcribe


@pytest.fixture(scope="module")
def whisper():
    return load_whisper(Config(models_dir=MODELS, work_dir=""))


@pytest.fixture
def listen(whisper, tmp_path):
    """Transcribes a recording by name, or samples; answers with transcript, coverage, run and events."""

    numbers = count()

    def listen(sound, **asked):
        audio = decoded(recordings.path(sound), tmp_path) if isinstance(sound, str) else keep(sound, tmp_path)
        run, events = new_run(tmp_path / str(next(numbers)), **asked)
        return *transcribe(run, audio, whisper), run, events

    return listen


def keep(samples: np.ndarray, folder) -> Audio:
    path = folder / "made.pcm"
    (np.clip(samples, -1, 1) * 32767).astype("<i2").tofile(path)
    return Audio(path, len(samples))


def plain(text):
    return "".join(char for char in text.lower() if char.isalnum() or char == " ")


def test_speech_becomes_text(listen):
    transcript, coverage, run, _ = listen("jfk.wav")
    assert plain(transcript.text) == plain(recordings.text("jfk.wav"))
    assert (transcript.origin, transcript.timing, transcript.language) == ("asr", "word", "en")
    assert coverage.transcribed_seconds == coverage.speech_seconds > 7
    assert run.warnings == []


def test_a_chunk_progress_and_how_far_it_got_are_told(listen):
    _, _, _, events = listen("jfk.wav")
    (chunk,) = [event for event in events if event["type"] == "chunk"]
    assert (chunk["index"], chunk["count"], chunk["start"], chunk["end"]) == (0, 1, 0, 11)
    partials = [event["ratio"] for event in events if event["type"] == "partial"]
    assert partials[-1] == 1
    assert {event["unit"] for event in events if event["type"] == "progress"} == {"seconds"}


def test_word_times_are_close_to_hand_checked_ones(listen):
    transcript, _, _, _ = listen("acoustic_corpus.wav")
    heard = [(plain(w.text), w.start) for segment in transcript.segments for w in segment.words]
    said = {word: start for word, start, _ in recordings.words("acoustic_corpus.wav")}
    once = [(word, start) for word, start in heard if [w for w, _ in heard].count(word) == 1 and word in said]
    assert len(once) > 20
    assert np.mean([abs(start - said[word]) <= 0.2 for word, start in once]) > 0.9


def test_words_are_in_order_with_confidence(listen):
    transcript, _, _, _ = listen("call.wav")
    words = [word for segment in transcript.segments for word in segment.words]
    assert all(a.start <= b.start for a, b in pairwise(words))
    assert all(word.start <= word.end and 0 <= word.confidence <= 1 for word in words)


def test_speakers_on_a_bad_line_come_with_a_warning(listen):
    transcript, _, run, _ = listen("call.wav", diarize=True)
    assert transcript.diarized
    assert {segment.speaker for segment in transcript.segments} == {"S1", "S2"}
    assert codes(run) == ["SPEAKER_LABELS_APPROX"]


def test_the_same_sound_gives_the_same_words(listen):
    assert listen("wizard.flac")[0] == listen("wizard.flac")[0]


@pytest.mark.parametrize(("name", "language"), [("spanish.opus", "es"), ("japanese.mp3", "ja")])
def test_other_languages_are_recognised(listen, name, language):
    transcript, _, run, _ = listen(name)
    assert transcript.language == language
    assert run.warnings == []


def test_a_wrong_hint_does_not_spoil_the_text(listen):
    transcript, _, run, _ = listen("spanish.opus", languages=("en-GB",))
    assert transcript.language == "es"
    assert "disgusto" in transcript.text
    assert codes(run) == ["LANGUAGE_MISMATCH"]
    assert run.warnings[0]["data"] == {"requested": ["en"], "detected": "es"}


def test_one_of_several_hints_is_enough(listen):
    transcript, _, run, _ = listen("spanish.opus", languages=("fr", "es-419"))
    assert transcript.language == "es"
    assert run.warnings == []


def test_a_change_of_language_is_noticed(whisper, tmp_path):
    english = decoded(recordings.path("two_cities.wav"), tmp_path).pcm()
    french = decoded(recordings.path("french.wav"), tmp_path).pcm()
    both = keep(np.concatenate([english, english, french, french]) / 32768, tmp_path)
    spoken = listen_for_language(whisper, both, [(0, both.seconds)], ())
    moments = [0, both.seconds / 2]
    assert {spoken.language, *(spoken.within((moment, moment + 9)) for moment in moments)} in (
        {"en", None},
        {"fr", None},
    )


def test_music_and_film_sound_are_not_speech(listen):
    transcript, coverage, run, events = listen("bunny_trailer.mp4")
    assert transcript is None
    assert codes(run) == ["NO_SPEECH_DETECTED"]
    assert coverage.gaps == []
    assert any(event["type"] == "partial" for event in events)


NOISES = {
    "silence": np.zeros(5 * RATE),
    "hiss": np.random.default_rng(1).normal(0, 0.1, 5 * RATE),
    "hum": 0.2 * np.sin(2 * np.pi * 50 * np.arange(5 * RATE) / RATE),
    "a click": np.eye(1, RATE // 5).ravel(),
    "nothing": np.zeros(0),
}


@pytest.mark.parametrize("kind", NOISES)
def test_where_nobody_speaks_nothing_is_written(listen, kind):
    transcript, coverage, run, _ = listen(NOISES[kind])
    assert transcript is None
    assert coverage.speech_seconds == 0
    assert codes(run) == ["NO_SPEECH_DETECTED"]


def test_nothing_is_written_between_two_utterances(listen, tmp_path):
    speech = decoded(recordings.path("austen_0880.wav"), tmp_path).read()
    hiss = np.random.default_rng(1).normal(0, 0.003, 40 * RATE)
    transcript, _, _, _ = listen(np.concatenate([speech, hiss, speech]))
    assert [plain(segment.text)[:10] for segment in transcript.segments] == ["he was not"] * 2
    assert transcript.segments[1].start > 40


def test_a_very_quiet_recording_is_heard(listen, tmp_path):
    quiet = decoded(recordings.path("jfk.wav"), tmp_path).read() / 200
    assert "ask not" in listen(quiet)[0].text


def test_a_lone_short_word_is_heard(listen):
    transcript, _, _, _ = listen("number_2.wav", languages=("en",))
    (word,) = transcript.segments[0].words
    assert plain(word.text) == "2"
    assert 0 <= word.start < word.end <= 0.75


def test_hints_neither_invent_nor_drop_speech(listen):
    without, _, _, _ = listen("french.wav")
    text = listen("french.wav", vocabulary=("Asterisk", "Digium"))[0].text
    assert text.count("Asterisk") >= 2
    assert text.count("Digium") == without.text.count("Digium") == 1
    assert text.split()[-1] == without.text.split()[-1]


def test_a_misheard_term_is_put_right_by_its_sound(listen):
    heard = listen("prompt.wav")[0].segments[0].words
    assert "Digium" not in spell(heard)
    right, fixes = Glossary(("Digium", "Asterisk"), "en").put_right(heard)
    assert spell(right).endswith("located at Digium.")
    assert [term for _, term in fixes] == ["Digium"]


def test_a_name_of_the_vocabulary_is_spelled_as_given(listen):
    assert "Wentworth" not in listen("spanish.opus")[0].text
    assert "Wentworth" in listen("spanish.opus", vocabulary=("Wentworth",))[0].text
