"""One block of speech to words: recognised, judged, and tried again where words are missing."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from svc.engine.media.audio import Audio
from svc.engine.models.protocol import SpeechToText
from svc.engine.speech.blocks import MARGIN, MAX_SILENCE, Packed, pack
from svc.engine.speech.cleaning import garbled, nothing_said, without_loops
from svc.engine.speech.coverage import MIN_GAP, holes, wordless
from svc.engine.speech.proofreading import proofread
from svc.engine.speech.spans import Span, overlap, widen, within
from svc.engine.transcript import Word

log = logging.getLogger(__name__)

LONGEST_WINDOW = 25.0  # seconds that are tried again at once, within the half minute a model hears
SLACK = 0.3  # seconds by which words and detected speech may miss each other


@dataclass
class Heard:
    """A block's words in order; how many holes were filled and left; what proved to be no speech.

    `late` is by how many seconds a time had to be pulled back from behind the end.
    """

    words: list[Word] = field(default_factory=list)
    repaired: int = 0
    unrepaired: int = 0
    silent: list[Span] = field(default_factory=list)
    late: float = 0.0

    def add(self, other: "Heard") -> None:
        self.words += other.words
        self.silent += other.silent
        self.repaired += other.repaired
        self.unrepaired += other.unrepaired
        self.late = max(self.late, other.late)

    def to_part(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_part(cls, part: dict[str, Any]) -> "Heard":
        words, silent = [Word(**word) for word in part["words"]], [(start, end) for start, end in part["silent"]]
        return cls(**{**part, "words": words, "silent": silent})


@dataclass
class Listener:
    """Recognises blocks of one recording. `report` is told the moment (seconds) reached."""

    recognizer: SpeechToText
    audio: Audio
    speech: list[Span]
    vocabulary: tuple[str, ...]
    proofread: bool
    report: Callable[[float], None]

    def hear(self, block: Span, language: str | None) -> Heard:
        heard = Heard()
        speech = within(self.speech, *block)
        if not speech:
            return heard
        self.listen(pack(self.audio, speech, block), widen(speech, SLACK), language, heard)
        for window in windows(wordless(speech, heard.words)):
            self.try_again(window, language, heard)
        heard.words.sort(key=lambda word: word.start)
        if self.proofread:
            heard.words = proofread(self.recognizer, self.audio, heard.words, language, self.vocabulary)
        return heard

    def listen(self, packed: Packed, speech: list[Span], language: str | None, heard: Heard) -> None:
        """The first try. What it leaves out is a hole, whatever the reason."""
        try:
            for passage in self.recognizer.recognize(packed.samples, language, self.vocabulary):
                heard.late = max(heard.late, packed.restore(passage.words) - self.audio.seconds)
                if not passage.words:
                    continue
                self.report(passage.words[-1].end)
                if not nothing_said(passage, speech) and not garbled(passage, second_try=False):
                    heard.words += without_loops(passage.words)
        except RuntimeError:  # what ctranslate2 raises
            log.exception("recognition failed between %.1f and %.1f s", packed.spans[0][0], packed.spans[-1][1])

    def try_again(self, window: Span, language: str | None, heard: Heard) -> None:
        """A second try at speech without words: alone, without hints, decoded another way."""
        start, end = max(0.0, window[0] - MARGIN), min(self.audio.seconds, window[1] + MARGIN)
        packed = Packed(self.audio.read(start, end), [(start, end)], [0.0])
        speech = widen(within(self.speech, start, end), SLACK)
        found: list[Word] = []
        doubtful = False
        try:
            for passage in self.recognizer.recognize(packed.samples, language, effort="again"):
                packed.restore(passage.words)
                if nothing_said(passage, speech):
                    continue
                if garbled(passage, second_try=True):
                    doubtful = True
                else:
                    found += [word for word in without_loops(passage.words) if inside(word, window)]
        except RuntimeError:
            log.exception("second try failed between %.1f and %.1f s", start, end)
            doubtful = True
        heard.words += found
        if not found and not doubtful:
            heard.silent.append(window)
        elif holes(within(self.speech, *window), found):
            heard.unrepaired += 1
        else:
            heard.repaired += 1


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
