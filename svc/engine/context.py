"""Puts the parts of a run together to the contract's Context."""

from typing import Any

from svc import __version__
from svc.core import clock
from svc.engine.facts import Facts
from svc.engine.request import Request
from svc.engine.seen import Seen
from svc.engine.transcript import Coverage, Segment, Transcript, Word

SCHEMA = 1
PROMPT_VERSION = 1


def seconds(value: float) -> float:
    """Times of a Context are rounded to milliseconds."""
    return round(max(0.0, value), 3)


def build(
    request: Request,
    facts: Facts,
    transcript: Transcript | None,
    coverage: Coverage,
    seen: Seen | None,
    synthesis: dict[str, Any] | None,
    tiers: list[dict[str, Any]],
    warnings: list[dict[str, Any]],
    usage: dict[str, Any],
    models: dict[str, str],
) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "id": facts.content_id,
        "source": facts.source,
        "meta": facts.meta,
        "transcript": transcript_json(transcript, request.options.include_words) if transcript else None,
        "visual": visual_json(seen) if seen else None,
        "synthesis": synthesis,
        "coverage": coverage_json(coverage),
        "tiers": tiers,
        "warnings": warnings,
        "usage": usage,
        "produced": {
            "at": clock.iso_now(),
            "engine": __version__,
            "models": models,
            "promptVersion": PROMPT_VERSION,
            "mode": request.mode,
        },
    }


def transcript_json(transcript: Transcript, include_words: bool) -> dict[str, Any]:
    with_words = include_words and transcript.timing == "word"
    segments: list[dict[str, Any]] = []
    words: list[Word] = []
    for segment in transcript.segments:
        first = len(words)
        words += segment.words
        span = {"wordRange": [first, len(words)]} if with_words else {}
        segments.append({**segment_json(segment), **span})
    optional = {
        "model": transcript.model,
        "language": transcript.language,
        "translatedFrom": transcript.translated_from,
        "words": [word_json(word) for word in words] if with_words else None,
    }
    return {
        "origin": transcript.origin,
        "timing": transcript.timing,
        "diarized": transcript.diarized,
        "speakers": speakers_json(transcript),
        "segments": segments,
        "proofread": transcript.proofread,
        "text": transcript.text,
        **{name: value for name, value in optional.items() if value is not None},
    }


def segment_json(segment: Segment) -> dict[str, Any]:
    speaker = {"speaker": segment.speaker} if segment.speaker else {}
    return {"start": seconds(segment.start), "end": seconds(segment.end), "text": segment.text, **speaker}


def word_json(word: Word) -> dict[str, Any]:
    value: dict[str, Any] = {"text": word.text, "start": seconds(word.start), "end": seconds(word.end)}
    if word.speaker:
        value["speaker"] = word.speaker
    if word.confidence is not None:
        value["confidence"] = round(min(1.0, max(0.0, word.confidence)), 3)
    if word.synthetic:
        value["synthetic"] = True
    return value


def speakers_json(transcript: Transcript) -> list[dict[str, Any]]:
    """Every speaker with the seconds and words of their segments, in order of appearance."""
    speakers: dict[str, dict[str, Any]] = {}
    for segment in transcript.segments:
        if not segment.speaker:
            continue
        entry = speakers.setdefault(segment.speaker, {"id": segment.speaker, "seconds": 0.0, "wordCount": 0})
        if label := transcript.speaker_labels.get(segment.speaker):
            entry["label"] = label
        entry["seconds"] = seconds(entry["seconds"] + segment.end - segment.start)
        entry["wordCount"] += len(segment.words) or len(segment.text.split())
    return list(speakers.values())


def visual_json(seen: Seen) -> dict[str, Any]:
    """The contract's `visual`; its times are approximate, for the picture is looked at a few times a second at most."""
    return {
        "model": seen.model,
        "source": "youtube-url" if seen.by_link else "proxy-upload",
        "fps": seen.fps,
        "value": seen.value,
        "overview": seen.overview,
        "scenes": [
            {
                "start": seconds(scene.start),
                "end": seconds(scene.end),
                "description": scene.description,
                "onScreenText": scene.text,
                "timingApprox": True,
            }
            for scene in seen.scenes
        ],
        "onScreenText": [
            {"text": text, "first": seconds(first), "last": seconds(last)} for text, first, last in seen.lines
        ],
    }


def coverage_json(coverage: Coverage) -> dict[str, Any]:
    speech = coverage.speech_seconds
    return {
        "speechSeconds": None if speech is None else seconds(speech),
        "transcribedSeconds": seconds(coverage.transcribed_seconds),
        "ratio": round(min(1.0, coverage.transcribed_seconds / speech), 3) if speech else None,
        "repairedWindows": coverage.repaired_windows,
        "unrepairedWindows": coverage.unrepaired_windows,
        "gaps": [{"start": seconds(start), "end": seconds(end)} for start, end in coverage.gaps],
    }
