"""A second look at what was recognised with little confidence: heard again by itself, and more widely."""

import logging
from statistics import fmean

from svc.engine.media.audio import Audio
from svc.engine.models.protocol import SpeechToText
from svc.engine.speech.blocks import Packed
from svc.engine.speech.cleaning import nothing_said, without_loops
from svc.engine.speech.sentences import sentences
from svc.engine.speech.spans import Span
from svc.engine.transcript import Segment, Word

log = logging.getLogger(__name__)

DOUBTFUL = 0.6  # a sentence whose words have less confidence than this, on average, is heard again
GAIN = 0.1  # by how much more confidence the new words must have to take the place of the old
MARGIN = 0.2  # seconds of sound on either side


def proofread(
    recognizer: SpeechToText, audio: Audio, words: list[Word], language: str | None, vocabulary: tuple[str, ...]
) -> list[Word]:
    """The words, with those of doubtful sentences replaced where the second look is clearly surer."""
    checked: list[Word] = []
    for sentence in sentences(words):
        if confidence(sentence.words) < DOUBTFUL:
            again = hear_again(recognizer, audio, sentence, language, vocabulary)
            better = confidence(again) >= confidence(sentence.words) + GAIN
            checked += again if better else sentence.words
        else:
            checked += sentence.words
    return checked


def hear_again(
    recognizer: SpeechToText, audio: Audio, sentence: Segment, language: str | None, vocabulary: tuple[str, ...]
) -> list[Word]:
    span: Span = max(0.0, sentence.start - MARGIN), min(audio.seconds, sentence.end + MARGIN)
    packed = Packed(audio.read(*span), [span], [0.0])
    found: list[Word] = []
    try:
        for passage in recognizer.recognize(packed.samples, language, vocabulary, effort="wide"):
            packed.restore(passage.words)
            if not nothing_said(passage, [span]):
                found += without_loops(passage.words)
    except RuntimeError:  # what ctranslate2 raises
        log.exception("second look failed between %.1f and %.1f s", *span)
    return [word for word in found if sentence.start <= (word.start + word.end) / 2 <= sentence.end]


def confidence(words: list[Word]) -> float:
    return fmean(word.confidence or 0.0 for word in words) if words else 0.0
