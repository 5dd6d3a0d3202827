"""Contexts to ask about, and the asking."""

import tempfile
from typing import Any

from svc.core import schema
from svc.engine.ask import answer as asker
from svc.engine.request import Config, Request
from svc.engine.run import Run

WORDS_A_SECOND = 2.5


def segments(lines: list[str], speakers: list[str] | None = None) -> list[dict[str, Any]]:
    found, now = [], 0.0
    for at, line in enumerate(lines):
        length = max(1, len(line.split())) / WORDS_A_SECOND
        segment = {"start": round(now, 3), "end": round(now + length, 3), "text": line}
        found.append(segment | ({"speaker": speakers[at]} if speakers else {}))
        now += length
    return found


def context(
    said: list[dict[str, Any]] | None,
    language: str = "en",
    speakers: list[dict[str, Any]] | None = None,
    scenes: list[dict[str, Any]] | None = None,
    synthesis: dict[str, Any] | None = None,
    **meta: Any,
) -> dict[str, Any]:
    """A Context that fits its schema."""
    transcript = said is not None and {
        "origin": "asr",
        "timing": "word",
        "language": language,
        "diarized": bool(speakers),
        "speakers": speakers or [],
        "segments": said,
        "proofread": "none",
        "text": " ".join(segment["text"] for segment in said),
    }
    visual = scenes is not None and {
        "model": "screen-1",
        "source": "proxy-upload",
        "fps": 1.0,
        "value": "high" if scenes else "none",
        "overview": "",
        "scenes": scenes,
        "onScreenText": [],
    }
    tokens = dict.fromkeys(("in", "out", "thought", "audioIn", "videoIn"), 0)
    return {
        "schema": 1,
        "id": "local:abc",
        "source": {"kind": "file", "provider": "local"},
        "meta": meta,
        "transcript": transcript or None,
        "visual": visual or None,
        "synthesis": synthesis,
        "coverage": {"transcribedSeconds": 1, "speechSeconds": None, "ratio": None} | NOTHING_MISSING,
        "tiers": [],
        "warnings": [],
        "usage": {"audioSeconds": 0, "videoSeconds": 0, "tokens": tokens, "usdEstimate": 0},
        "produced": {"at": "2026-01-01T00:00:00Z", "engine": "1", "models": {}, "promptVersion": 1, "mode": "audio"},
    }


NOTHING_MISSING = {"repairedWindows": 0, "unrepairedWindows": 0, "gaps": []}


def scene(start: float, end: float, *text: str, description: str = "") -> dict[str, Any]:
    return {"start": start, "end": end, "description": description, "onScreenText": [*text], "timingApprox": True}


def synthesis(**fields: Any) -> dict[str, Any]:
    lists = dict.fromkeys(("chapters", "keyMoments", "entities", "topics", "glossaryFixes"), [])
    summary = {"tldr": "It is about bread.", "bullets": []}
    return {"title": "Bread", "model": "extractive-1", "summary": summary, **lists, **fields}


def ask(question: str, about: dict[str, Any], valid: bool = True) -> dict[str, Any]:
    """The answer, its citations checked against what is stored."""
    if valid:
        schema.check_large("context", about)
    with tempfile.TemporaryDirectory() as folder:
        run = Run(Request("file", "talk.mp4"), Config("models", folder), lambda event: None)
        answer = asker.answer(run, question, about)
    assert all(is_stored(cited, about) for cited in answer["citations"])
    return answer


def is_stored(cited: dict[str, Any], about: dict[str, Any]) -> bool:
    """Whether a citation is a segment of the Context, to the letter."""
    return any(cited.items() <= segment.items() for segment in about["transcript"]["segments"])


def all_cited(answer: dict[str, Any]) -> str:
    """Everything that is cited, in a row."""
    return " ".join(cited["text"] for cited in answer["citations"])
