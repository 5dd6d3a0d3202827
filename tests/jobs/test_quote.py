import pytest

from svc.core.errors import EngineError
from svc.engine.facts import Facts, Track
from svc.engine.plan import plan
from svc.jobs.quote import quote

MAX = 900


def facts(seconds=600.0, captions=False, **known):
    tracks = [Track("en", "manual")] if captions else []
    return Facts({}, {}, "generic:x", seconds, **{"has_audio": True, "has_video": True, **known}, tracks=tracks)


def quoted(mode, source, stored=(), detail="full"):
    return quote(mode, plan(mode, source, detail), set(stored), source, MAX)


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
    found = quoted(mode, facts(captions=captions))
    assert found == {
        "minutes": minutes,
        "media_seconds": 600.0,
        "tiers": tiers,
        "cached": False,
        "charges_as": charges_as,
    }


def test_a_stored_layer_costs_nothing_and_is_not_named():
    found = quoted("audio", facts(), stored={"audio"})
    assert (found["minutes"], found["tiers"], found["cached"]) == (0, ["synthesis"], False)


def test_with_everything_stored_it_is_cached():
    found = quoted("audio", facts(), stored={"audio", "synthesis"})
    assert (found["minutes"], found["tiers"], found["cached"], found["charges_as"]) == (0, [], True, "audio")


def test_an_unknown_length_is_quoted_at_the_most_it_can_use():
    found = quoted("audio", facts(seconds=None))
    assert found["media_seconds"] is None and found["length_known"] is False
    assert (found["minutes"], found["max_media_seconds"]) == (15, MAX)


def test_detail_transcript_runs_no_synthesis():
    assert quoted("audio", facts(), detail="transcript")["tiers"] == ["audio"]


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
