"""How much of the detected speech has text, and where it has none."""

from dataclasses import replace

from svc.engine.speech.spans import Span, total, union, widen, without
from svc.engine.transcript import Coverage, Word

REACH = 0.5  # seconds around a word that it accounts for: breaths, and times that are a little off
MIN_GAP = 1.5  # seconds; less speech than this without a word is a cough or an "mhm"


def holes(speech: list[Span], words: list[Word]) -> list[Span]:
    """Stretches of speech that should have words and do not."""
    return [span for span in wordless(speech, words) if span[1] - span[0] >= MIN_GAP]


def wordless(speech: list[Span], words: list[Word]) -> list[Span]:
    return without(speech, widen(((word.start, word.end) for word in words), REACH))


def measure(speech: list[Span], words: list[Word]) -> Coverage:
    """What is shorter than a gap is not held against the transcript: it does not count as speech."""
    gaps = holes(speech, words)
    covered = total(speech) - total(wordless(speech, words))
    return Coverage(
        transcribed_seconds=round(covered, 3),
        speech_seconds=round(covered + total(gaps), 3),
        gaps=[(round(start, 3), round(end, 3)) for start, end in gaps],
    )


def with_lost(coverage: Coverage, lost: list[Span]) -> Coverage:
    """What could not be read of the file has no words either; for all one knows, somebody spoke there."""
    speech = (coverage.speech_seconds or 0) + total(lost)
    return replace(coverage, speech_seconds=round(speech, 3), gaps=union([*coverage.gaps, *lost]))
