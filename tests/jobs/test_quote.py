import pytest

from svc.core.errors import EngineError
from svc.core.prices import MICRO
from svc.engine.facts import Facts, Track
from svc.engine.plan import plan
from svc.jobs.quote import Means, quote

MAX = 900


def facts(seconds=600.0, captions=False, **known):
    tracks = [Track("en", "manual")] if captions else []
    return Facts(
        {"provider": "videosite"},
        {},
        "videosite:x",
        seconds,
        **{"has_audio": True, "has_video": True, **known},
        tracks=tracks,
    )


def quoted(mode, source, stored=(), detail="full", **means):
    means = Means(**{"max_seconds": MAX, "minutes": 60 * MICRO, **means})
    return quote(mode, plan(mode, source, detail), set(stored), source, means)


def estimate(*args, **means):
    return quoted(*args, **means).estimate


@pytest.mark.parametrize(
    ("mode", "captions", "minutes", "charges_as", "tiers"),
    [
        ("audio", False, 10, "audio", ["audio", "synthesis"]),
        ("audio", True, 10, "audio", ["audio", "synthesis"]),
        ("captions", True, 1, "captions", ["captions", "synthesis"]),
        ("auto", False, 10, "audio", ["audio", "synthesis"]),
        ("auto", True, 10, "captions", ["captions", "synthesis"]),
    ],
)
def test_a_mode_has_its_price(mode, captions, minutes, charges_as, tiers):
    found = estimate(mode, facts(captions=captions))
    assert found == {
        "minutes": minutes,
        "media_seconds": 600.0,
        "tiers": tiers,
        "cached": False,
        "charges_as": charges_as,
    }


def test_a_stored_layer_costs_nothing_and_is_not_named():
    found = estimate("audio", facts(), stored={"audio"})
    assert (found["minutes"], found["tiers"], found["cached"]) == (0, ["synthesis"], False)


def test_with_everything_stored_it_is_cached():
    found = estimate("audio", facts(), stored={"audio", "synthesis"})
    assert (found["minutes"], found["tiers"], found["cached"], found["charges_as"]) == (0, [], True, "audio")


def test_an_unknown_length_is_quoted_at_the_most_it_can_use():
    found = estimate("audio", facts(seconds=None))
    assert found["media_seconds"] is None and found["length_known"] is False
    assert (found["minutes"], found["max_media_seconds"]) == (15, MAX)


def test_an_unknown_length_is_never_more_than_the_minutes_left():
    found = quoted("audio", facts(seconds=None), minutes=2 * MICRO)
    assert (found.estimate["minutes"], found.estimate["max_media_seconds"], found.max_seconds) == (2, 120, 120)


def test_a_caption_credit_pays_for_captions_of_a_video_site():
    found = quoted("captions", facts(captions=True), anonymous=False, caption_credits=3)
    assert (found.estimate["charges_as"], found.estimate["minutes"]) == ("caption-item", 0)
    assert (found.estimate["caption_credits"], found.holds) == (1, {"caption_credits": 1})


def test_captions_of_an_anonymous_caller_take_a_caption_job_and_no_minutes():
    assert quoted("captions", facts(captions=True)).holds == {"caption_jobs": 1}


def test_auto_does_not_go_on_to_the_sound_without_the_minutes_for_it():
    poor = quoted("auto", facts(captions=True), minutes=MICRO)
    assert (poor.may_listen, poor.estimate["minutes"], poor.holds) == (False, 1, {"caption_jobs": 1})


def test_a_proofread_adds_half_a_minute_a_minute():
    means = Means(MAX, 60 * MICRO)
    found = quote("audio", ("audio", "synthesis"), set(), facts(), means, proofread=True)
    assert found.estimate["minutes"] == 15


def test_detail_transcript_runs_no_synthesis():
    assert estimate("audio", facts(), detail="transcript")["tiers"] == ["audio"]


@pytest.mark.parametrize(
    ("mode", "source", "code"),
    [
        ("captions", facts(), "SOURCE_UNAVAILABLE"),
        ("audio", facts(has_audio=False), "NO_AUDIO_STREAM"),
        ("visual", facts(has_video=False), "INPUT_UNSUPPORTED"),
        ("full", facts(has_audio=False), "NO_AUDIO_STREAM"),
    ],
)
def test_what_the_source_does_not_have_is_refused(mode, source, code):
    with pytest.raises(EngineError) as refused:
        plan(mode, source)
    assert refused.value.code == code
