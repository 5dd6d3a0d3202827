"""What was recognised with little confidence is heard again: by itself, and more widely."""

import logging
from statistics import fmean

from svc.core.errors import EngineError
from svc.engine.media.audio import Audio
from svc.engine.models.protocol import SpeechToText
from svc.engine.speech.blocks import Packed
from svc.engine.speech.cleaning import nothing_said, without_loops
from svc.engine.speech.sentences import sentences
from svc.engine.speech.spans import Span
from svc.engine.speech.trouble import leaves_a_hole
from svc.engine.transcript import Segment, Word

log = logging.getLogger(__name__)

DOUBTFUL = 0.6  # a sentence whose words have less confidence than this, on average, is heard again
GAIN = 0.1  # by how much more confidence the new words must have to take the place of the old
MOST_CHANGED = 0.25  # by what share of the words their number may change, or by one: none are lost, none made up
MARGIN = 0.2  # seconds of sound on either side


def look_again(recognizer: SpeechToText, audio: Audio, words: list[Word], language: str | None) -> list[Word]:
    """The words, with those of doubtful sentences replaced where the second look is clearly surer."""
    checked: list[Word] = []
    for sentence in sentences(words):
        sure = confidence(sentence.words)
        if sure is not None and sure < DOUBTFUL:
            again = hear_again(recognizer, audio, sentence, language)
            alike = abs(len(again) - len(sentence.words)) <= max(1, MOST_CHANGED * len(sentence.words))
            better = (confidence(again) or 0.0) >= sure + GAIN
            checked += again if alike and better else sentence.words
        else:
            checked += sentence.words
    return checked


def hear_again(recognizer: SpeechToText, audio: Audio, sentence: Segment, language: str | None) -> list[Word]:
    span: Span = max(0.0, sentence.start - MARGIN), min(audio.seconds, sentence.end + MARGIN)
    packed = Packed(audio.read(*span), [span], [0.0])
    found: list[Word] = []
    try:
        for passage in recognizer.recognize(packed.samples, language, effort="wide"):
            packed.restore(passage.words)
            if not nothing_said(passage, [span]):
                found += without_loops(passage.words)
    except EngineError as error:
        if not leaves_a_hole(error):
            raise
        log.warning("second look between %.1f and %.1f s: %s", *span, error)
    return [word for word in found if sentence.start <= (word.start + word.end) / 2 <= sentence.end]


def confidence(words: list[Word]) -> float | None:
    """The mean confidence of the words that came with one; None where none did."""
    known = [word.confidence for word in words if word.confidence is not None]
    return fmean(known) if known else None
