"""Terms that a recogniser writes once it is told of them: a second look, of which nothing but the terms is kept.

Hints make a recogniser invent speech and leave some out, so they have no say in any other word.
"""

import logging
import re
from collections.abc import Iterator
from functools import reduce
from operator import add

from svc.core.errors import EngineError
from svc.engine.media.audio import Audio
from svc.engine.models.protocol import SpeechToText
from svc.engine.speech.blocks import pack
from svc.engine.speech.edits import Edit, edits
from svc.engine.speech.glossary import Fix, parted
from svc.engine.speech.second_look import confidence
from svc.engine.speech.sentences import sentences
from svc.engine.speech.sound import sounds_of
from svc.engine.speech.text import join, spell
from svc.engine.speech.trouble import leaves_a_hole
from svc.engine.transcript import Word

log = logging.getLogger(__name__)

SURE = 0.8  # words of more confidence were not misheard
ALIKE = 0.4  # how far the new words may be in sound from those they replace, as a share of it


def look_for_terms(
    recognizer: SpeechToText, audio: Audio, words: list[Word], language: str | None, vocabulary: tuple[str, ...]
) -> tuple[list[Word], list[Fix]]:
    """The words with the terms in the place of unsure words that sound like them, and what was replaced."""
    unsure = [sentence for sentence in sentences(words) if any(map(is_unsure, sentence.words))]
    if not unsure or not vocabulary:
        return words, []
    heard = hear_with_hints(
        recognizer, audio, [(sentence.start, sentence.end) for sentence in unsure], language, vocabulary
    )
    right: list[Word] = []
    fixes: list[Fix] = []
    rest = [single for edit in edits(words, heard) for single in singles(edit)]
    while rest:
        size, term = first_term(rest, language, vocabulary)
        edit = reduce(add, rest[:size])
        right += edit.made() if term else edit.words
        fixes += [(parted(edit.words)[1], term)] if term else []
        rest = rest[size:]
    return right, fixes


def is_unsure(word: Word) -> bool:
    return word.confidence is not None and word.confidence < SURE


def hear_with_hints(
    recognizer: SpeechToText,
    audio: Audio,
    spans: list[tuple[float, float]],
    language: str | None,
    vocabulary: tuple[str, ...],
) -> list[str]:
    """The texts of the words; none when the recogniser fails, for the first ones stand."""
    packed = pack(audio, spans, (0.0, audio.seconds))
    try:
        heard = recognizer.recognize(packed.samples, language, vocabulary)
        return [word.text for passage in heard for word in passage.words]
    except EngineError as error:
        if not leaves_a_hole(error):
            raise
        log.warning("no second look for the vocabulary: %s", error)
        return []


def singles(edit: Edit) -> Iterator[Edit]:
    """An edit of as many words as before, word by word; any other as it is."""
    if len(edit.words) != len(edit.texts):
        yield edit
        return
    for word, text in zip(edit.words, edit.texts, strict=True):
        yield Edit([word], [text], word.start, word.end)


def first_term(found: list[Edit], language: str | None, vocabulary: tuple[str, ...]) -> tuple[int, str | None]:
    """How many of the edits together bring a term, and which; one edit and None when the first begins with none."""
    longest = min(len(found), max(len(term.split()) for term in vocabulary))
    for size in range(1, longest + 1):
        edit = reduce(add, found[:size])
        for term in vocabulary:
            if brings(edit, term, language):
                return size, term
    return 1, None


def brings(edit: Edit, term: str, language: str | None) -> bool:
    """Whether an edit writes the term, and nothing that sounds otherwise, instead of words that were unsure."""
    old, new = spell(edit.words), join(edit.texts)
    written = re.compile(rf"(?<!\w){re.escape(term)}(?!\w)", re.IGNORECASE)
    if not edit.words or not written.search(new) or written.search(old):
        return False
    sure, sound = confidence(edit.words), sounds_of(new, language)
    if sure is None or sure >= SURE or not sound.units:
        return False
    return sounds_of(old, language).distance(sound) <= ALIKE
