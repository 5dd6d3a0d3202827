"""One block of speech to words: recognised, judged, and tried again where words are missing."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from svc.core.errors import EngineError
from svc.engine.media.audio import RATE, Audio
from svc.engine.models.protocol import Passage, SpeechToText
from svc.engine.run import Run
from svc.engine.speech.blocks import MARGIN, MAX_SILENCE, Packed, pack
from svc.engine.speech.cleaning import garbled, nothing_said, without_loops
from svc.engine.speech.coverage import MIN_GAP, holes, wordless
from svc.engine.speech.dictation import Dictation
from svc.engine.speech.glossary import Fix
from svc.engine.speech.proofreading import Proofreader
from svc.engine.speech.spans import Span, overlap, widen, within
from svc.engine.speech.text import spread, tokens
from svc.engine.speech.trouble import is_away, leaves_a_hole
from svc.engine.transcript import Word

log = logging.getLogger(__name__)

LONGEST_WINDOW = 25.0  # seconds that are tried again at once, within the half minute a model hears
SLACK = 0.3  # seconds by which words and detected speech may miss each other
CLEAR_SECONDS = 3.0  # of clear speech; so much is not silence because a model gave no answer

LEVELS = ("none", "terms", "full")  # of proofreading, the least first


class Unanswered(EngineError):
    """The recogniser answered nothing, twice, where somebody clearly speaks."""

    def __init__(self) -> None:
        super().__init__("INCOMPLETE_OUTPUT", "The speech model heard nothing where somebody clearly speaks.")


@dataclass
class Heard:
    """A block's words in order, and what it took to get them.

    How many stretches were tried again, how many of those were filled and left; what proved to be no speech; how many
    words a language model wrote down; the terms put right, how many batches of corrections were rejected, and what
    proofreading there was. `late` is by how many seconds a time had to be pulled back from behind the end.
    """

    words: list[Word] = field(default_factory=list)
    retries: int = 0
    repaired: int = 0
    unrepaired: int = 0
    silent: list[Span] = field(default_factory=list)
    dictated: int = 0
    fixes: list[Fix] = field(default_factory=list)
    rejected: int = 0
    proofread: str = "none"
    late: float = 0.0

    def add(self, other: "Heard") -> None:
        self.late = max(self.late, other.late)
        self.proofread = max(self.proofread, other.proofread, key=LEVELS.index)
        for name in ("words", "retries", "repaired", "unrepaired", "silent", "dictated", "fixes", "rejected"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def to_part(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_part(cls, part: dict[str, Any]) -> "Heard":
        words = [Word(**word) for word in part["words"]]
        pairs = {name: [(one, other) for one, other in part.get(name, ())] for name in ("silent", "fixes")}
        return cls(**{**part, **pairs, "words": words})


@dataclass
class Listener:
    """Recognises blocks of one recording, without hints.

    `clear` is the speech that is nothing else for sure; `tell` is told the moment (seconds) reached.
    """

    run: Run
    recognizer: SpeechToText
    audio: Audio
    speech: list[Span]
    clear: list[Span]
    proofreader: Proofreader
    dictation: Dictation
    tell: Callable[[float], None]

    def hear(self, block: Span, language: str | None) -> Heard:
        """Raises EngineError when the recogniser answered nothing at all, or for what concerns every block.

        To speech that is clear, an empty answer is none.
        """
        heard = Heard()
        speech = within(self.speech, *block)
        if not speech:
            return heard
        failures = [self.listen(pack(self.audio, speech, block), widen(speech, SLACK), language, heard)]
        for window in self.wordless(block, heard.words):
            failures.append(self.try_again(window, language, heard, failures[0]))
            if not heard.words and all(failure and is_away(failure) for failure in failures):
                break
        if not heard.words and (failure := failures[-1]) and all(failures):
            raise failure
        if not heard.words and (unanswered := [one for one in failures if isinstance(one, Unanswered)]):
            raise unanswered[0]
        heard.words.sort(key=lambda word: word.start)
        read = self.proofreader.read(heard.words, language)
        heard.words, heard.fixes, heard.rejected, heard.proofread = read.words, read.fixes, read.rejected, read.level
        return heard

    def wordless(self, block: Span, words: list[Word]) -> list[Span]:
        """The stretches of a block's speech that should have words and do not."""
        return windows(wordless(within(self.speech, *block), words))

    def listen(self, packed: Packed, speech: list[Span], language: str | None, heard: Heard) -> EngineError | None:
        """The first try. What it leaves out is a hole, whatever the reason."""
        try:
            for passage in self.recognizer.recognize(packed.samples, language):
                heard.late = max(heard.late, packed.restore(passage.words) - self.audio.seconds)
                if not passage.words:
                    continue
                self.tell(passage.words[-1].end)
                if not nothing_said(passage, speech) and not garbled(passage, second_try=False):
                    heard.words += without_loops(passage.words)
        except EngineError as error:
            return self.missed(error, packed)
        return None

    def try_again(
        self, window: Span, language: str | None, heard: Heard, failure: EngineError | None
    ) -> EngineError | None:
        """A second try at speech without words: alone, decoded another way; then by the other model.

        It is silence when the model heard something that is not speech, or nothing where speech is not clear either.
        """
        start, end = max(0.0, window[0] - MARGIN), min(self.audio.seconds, window[1] + MARGIN)
        packed = Packed(self.audio.read(start, end), [(start, end)], [0.0])
        speech = widen(within(self.speech, start, end), SLACK)
        heard.retries += 1
        self.tell_of_retry(window, failure)
        found: list[Word] = []
        doubtful, answered, failure = False, False, None
        try:
            for passage in self.recognizer.recognize(packed.samples, language, effort="again"):
                packed.restore(passage.words)
                answered = True
                if nothing_said(passage, speech):
                    continue
                if garbled(passage, second_try=True):
                    doubtful = True
                else:
                    found += [word for word in without_loops(passage.words) if inside(word, window)]
        except EngineError as error:
            failure = self.missed(error, packed)
        if not answered and not failure and overlap(self.clear, *window) >= CLEAR_SECONDS:
            failure = Unanswered()
        if not found and not doubtful and not failure:
            heard.silent.append(window)
            return None
        written = [] if failure and is_away(failure) else self.dictated(window, found)
        heard.words += found + written
        heard.dictated += len(written)
        if holes(within(self.speech, *window), found + written):
            heard.unrepaired += 1
        else:
            heard.repaired += 1
        return failure

    def dictated(self, window: Span, found: list[Word]) -> list[Word]:
        """What a language model makes of speech that is still without words; its times are spread over the speech."""
        written: list[Word] = []
        for hole in self.wordless(window, found):
            packed = pack(self.audio, within(self.speech, *hole), hole)
            seconds = len(packed.samples) / RATE
            words = spread(tokens(self.dictation.write(packed.samples)), 0.0, seconds)
            packed.restore(words)
            if words and not nothing_said(Passage(*hole, words), widen(within(self.speech, *hole), SLACK)):
                written += without_loops(words)
        return written

    def tell_of_retry(self, window: Span, failure: EngineError | None) -> None:
        where = f"Between {window[0]:.1f} and {window[1]:.1f} s"
        code = failure.code if failure else "INCOMPLETE_OUTPUT"
        message = f"{where}: {failure.message}" if failure else f"{where} there is speech without words."
        self.run.tell_retry(1, 0, code, message)

    def missed(self, error: EngineError, packed: Packed) -> EngineError:
        """The error of a stretch that stays a hole. Raises one that concerns every stretch."""
        if not leaves_a_hole(error):
            raise error
        log.warning("recognition failed between %.1f and %.1f s: %s", packed.spans[0][0], packed.spans[-1][1], error)
        return error


def windows(missing: list[Span]) -> list[Span]:
    """The speech without words in stretches worth another try: neighbours together, for each is the other's context."""
    groups: list[Span] = []
    for start, end in (part for span in missing for part in equal_parts(span)):
        if groups and end - groups[-1][0] <= LONGEST_WINDOW and start - groups[-1][1] <= MAX_SILENCE:
            groups[-1] = (groups[-1][0], end)
        else:
            groups.append((start, end))
    return [group for group in groups if overlap(missing, *group) >= MIN_GAP]


def equal_parts(span: Span) -> Iterator[Span]:
    """The span in as few parts as are short enough for one try."""
    count = int((span[1] - span[0]) // LONGEST_WINDOW) + 1
    length = (span[1] - span[0]) / count
    for index in range(count):
        yield span[0] + index * length, span[0] + (index + 1) * length


def inside(word: Word, window: Span) -> bool:
    return window[0] - SLACK <= (word.start + word.end) / 2 <= window[1] + SLACK
