"""Contexts for the tests of the exports."""

from typing import Any


def segment(start: float, end: float, text: str, **more: Any) -> dict[str, Any]:
    return {"start": start, "end": end, "text": text, **more}


def context(
    *segments: dict[str, Any], speakers=(), words=None, url="https://media.example/talk", **more: Any
) -> dict[str, Any]:
    """A Context as the engine gives it, with these segments; without any, one in which nobody speaks."""
    transcript = {"segments": list(segments), "speakers": list(speakers), "text": ""}
    if words:
        transcript["words"] = words
    return {
        "schema": 1,
        "id": "generic:talk",
        "source": {"kind": "url", "provider": "generic", "url": url, "canonicalUrl": url},
        "meta": {"title": "A talk", "durationSeconds": 3725.0},
        "transcript": transcript if segments else None,
        "visual": None,
        "synthesis": None,
        "warnings": [],
        **more,
    }


LONG = (
    "The quick brown fox jumps over the lazy dog, and then it runs along the river until it finds a bridge. There it"
    " waits for the night, because nobody crosses the bridge in the dark without a lantern."
)
