"""What an asker should know about the Context that an answer was taken from."""

from typing import Any

from svc.engine.writing.material import readable

TAG_LETTERS = 35
LEAST_COVERAGE = 0.9  # of the speech; below, the contract has a warning
NO_SCREEN = "The on-screen layer is absent from this Context; the answer rests on what is said."
NO_SCREEN_NOR_WORDS = "The on-screen layer is absent from this Context."
NOTHING_NOTED = "Nothing worth noting was on screen."
NO_TRANSCRIPT = "This Context has no transcript, so no words can be cited."
APPROXIMATE = "The times of this transcript are estimates, off by about two seconds or more."
TRANSLATED = "The transcript is a translation from {language}."
INCOMPLETE = "The transcript covers about {share} % of the speech; the answer may lie in what is missing."
SCREEN_TIMES = "Times of what was on screen are approximate."


def notes_on(context: dict[str, Any]) -> list[str]:
    transcript, visual, coverage = context["transcript"], context["visual"], context.get("coverage") or {}
    said = bool(transcript and transcript["segments"])
    found = [] if said else [NO_TRANSCRIPT]
    if not visual:
        found.append(NO_SCREEN if said else NO_SCREEN_NOR_WORDS)
    elif visual["value"] == "none":
        found.append(NOTHING_NOTED)
    if said and transcript["timing"] == "segment-approx":
        found.append(APPROXIMATE)
    if said and transcript.get("translatedFrom"):
        found.append(TRANSLATED.format(language=readable(transcript["translatedFrom"])[:TAG_LETTERS]))
    ratio = coverage.get("ratio")
    if said and ratio is not None and 0 <= ratio < LEAST_COVERAGE:
        found.append(INCOMPLETE.format(share=int(ratio * 100)))
    return found
