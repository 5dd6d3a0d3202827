from dataclasses import replace

import numpy as np
import pytest
import recordings
from openai_fake import GPT_TRANSCRIBE, OPENAI, VLLM, faults

from svc.core.errors import EngineError
from svc.engine.models.local import whisper
from svc.engine.models.openai.language_names import CODES, code_of
from svc.engine.speech.text import spell

RATE = 16_000


def text_of(passages):
    return " ".join(spell(passage.words) for passage in passages)


def letters(text):
    return "".join(char for char in text.lower() if char.isalnum())


def all_words(passages):
    return [word for passage in passages for word in passage.words]


def test_speech_becomes_words_with_times(ears, heard):
    passages = list(ears.recognize(heard("jfk.wav"), "en"))
    assert letters(text_of(passages)) == letters(recordings.text("jfk.wav"))
    words = all_words(passages)
    assert not any(word.synthetic for word in words)
    assert all(a.end <= b.end and a.start <= b.start for a, b in zip(words, words[1:], strict=False))
    assert words[-1].text == "country."


def test_what_the_server_tells_of_its_doubts_is_kept(ears, heard):
    (passage, *_) = ears.recognize(heard("jfk.wav"), "en")
    assert passage.logprob < 0 and 0 <= passage.no_speech < 1 and passage.compression > 0.5
    assert 0 < passage.words[0].confidence < 1


def test_the_question_is_put_as_openai_wants_it(ears, heard, openai_server):
    list(ears.recognize(heard("jfk.wav"), "en", ("Ted Kennedy", "Peace Corps")))
    (form,) = openai_server.asked("transcription")
    assert form["timestamp_granularities[]"] == ["word", "segment"]
    assert form["prompt"] == ["Ted Kennedy, Peace Corps"]
    assert form["language"] == ["en"] and form["model"] == ["whisper-fake"]


def test_a_long_vocabulary_is_cut_between_words(ears, heard, openai_server):
    list(ears.recognize(heard("jfk.wav"), "en", ("x" * 90,) * 50))
    (prompt,) = openai_server.asked("transcription")[0]["prompt"]
    assert {len(word) for word in prompt.split(", ")} == {90} and len(prompt) <= 400


def test_words_may_come_with_punctuation(ears, heard, openai_server):
    openai_server.knows = replace(OPENAI, punctuated_words=True)
    words = all_words(ears.recognize(heard("jfk.wav"), "en"))
    assert letters(spell(words)) == letters(recordings.text("jfk.wav")) and words[-1].text == "country."


def test_without_words_the_segments_times_are_shared_out(ears, heard, openai_server):
    openai_server.knows = VLLM
    words = all_words(ears.recognize(heard("jfk.wav"), "en"))
    assert letters(spell(words)) == letters(recordings.text("jfk.wav"))
    assert all(word.synthetic and 0 <= word.start < word.end <= 11 for word in words)


def test_a_server_without_granularities_is_asked_without(ears, heard, openai_server):
    openai_server.knows = replace(OPENAI, granularities=False, words=False)
    assert "country" in text_of(ears.recognize(heard("jfk.wav"), "en"))
    assert "timestamp_granularities[]" not in openai_server.asked("transcription")[-1]


def test_a_server_with_text_alone_hears_half_a_minute_at_once(ears, heard, openai_server):
    openai_server.knows = GPT_TRANSCRIBE
    samples = heard("two_cities.wav", 0, 32)
    first = list(ears.recognize(samples, "en"))
    words = all_words(first)
    assert len(first) > 1 and "the winter of despair" in spell(words)
    assert all(word.synthetic for word in words)
    asked = len(openai_server.asked("transcription"))
    list(ears.recognize(samples, "en"))
    assert len(openai_server.asked("transcription")) == asked + len(first)


@pytest.mark.parametrize("status", [400, 413])
def test_what_is_too_long_is_heard_in_two(ears, heard, openai_server, status):
    openai_server.fail_next("transcription", faults.error(status, "Maximum clip duration (5s) exceeded."))
    passages = list(ears.recognize(heard("jfk.wav"), "en"))
    assert len(openai_server.asked("transcription")) == 3
    assert letters("ask what you can do for your country") in letters(text_of(passages))
    assert 9 < passages[-1].end <= 11


def test_what_is_too_long_even_in_pieces_is_refused(ears, heard, openai_server):
    openai_server.knows = replace(OPENAI, longest=1)
    with pytest.raises(EngineError, match="TOO_LARGE"):
        list(ears.recognize(heard("jfk.wav"), "en"))


def test_without_a_language_every_half_minute_is_judged_anew(ears, heard, openai_server):
    list(ears.recognize(heard("two_cities.wav", 0, 32), None))
    assert [form.get("language") for form in openai_server.asked("transcription")] == [None, None]


def test_a_server_that_takes_no_language_is_asked_without(ears, heard, openai_server):
    openai_server.knows = replace(OPENAI, takes_language=False)
    assert "country" in text_of(ears.recognize(heard("jfk.wav"), "en"))


def test_silence_has_no_words(ears, openai_server):
    openai_server.fail_next("transcription", faults.Fault(200, b'{"text": "", "segments": [], "words": []}'))
    assert list(ears.recognize(np.zeros(2 * RATE, np.float32), "en")) == []


def test_a_blink_of_sound_is_not_sent(ears, openai_server):
    assert list(ears.recognize(np.zeros(100, np.float32), "en")) == []
    assert openai_server.asked("transcription") == []


def test_a_server_has_no_wider_way_to_listen(ears, heard, openai_server):
    assert list(ears.recognize(heard("jfk.wav"), "en", effort="wide")) == []


def test_the_language_is_the_one_the_server_names(ears, heard):
    scores = ears.languages(heard("spanish.opus"))
    assert max(scores, key=scores.get) == "es" and scores["en"] == 0


def test_the_text_shows_the_language_where_the_server_says_nothing(ears, heard, openai_server):
    openai_server.knows = GPT_TRANSCRIBE
    scores = ears.languages(heard("spanish.opus"))
    assert max(scores, key=scores.get) == "es" and scores["es"] < 0.7


@pytest.mark.parametrize(
    "name, code",
    [
        ("english", "en"),
        ("Haitian Creole", "ht"),
        ("en", "en"),
        ("pt-BR", "pt"),
        ("castilian", "es"),
        ("javanese", "jv"),
        ("jw", "jv"),
        ("klingon", None),
        ("", None),
    ],
)
def test_languages_are_known_by_name_and_by_code(name, code):
    assert code_of(name) == code


def test_every_language_of_whisper_has_its_name():
    from faster_whisper.tokenizer import _LANGUAGE_CODES

    assert {whisper.short_code(code) for code in _LANGUAGE_CODES} == set(CODES)


def test_trouble_that_passes_is_waited_for(ears, heard, openai_server, pauses):
    openai_server.fail_next("transcription", faults.RATE_LIMIT, faults.RESET)
    assert "country" in text_of(ears.recognize(heard("jfk.wav"), "en"))
    assert len(pauses) == 2


def test_a_rejected_key_ends_the_run(ears, heard, openai_server, config):
    openai_server.fail_next("transcription", faults.error(401, "Incorrect API key provided.", "invalid_api_key"))
    with pytest.raises(EngineError, match="AUTH"):
        list(ears.recognize(heard("jfk.wav"), "en"))


def test_an_unknown_model_is_named_with_its_setting(ears, heard):
    ears.name = "whisper-unknown"
    with pytest.raises(EngineError, match="SVC_OPENAI_STT_MODEL"):
        list(ears.recognize(heard("jfk.wav"), "en"))


def test_tokens_are_counted_where_the_server_counts_them(ears, heard, openai_server, run):
    counted = b'{"text": "Hello.", "usage": {"input_tokens": 14, "output_tokens": 9, "input_token_details": '
    counted += b'{"audio_tokens": 10}}}'
    openai_server.fail_next("transcription", faults.Fault(200, counted, {"Content-Type": "application/json"}))
    list(ears.recognize(heard("jfk.wav"), "en"))
    usage = run.usage()
    assert (usage.tokens_in, usage.tokens_out, usage.audio_in, usage.usd) == (14, 9, 10, None)
