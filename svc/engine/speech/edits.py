"""A corrected text laid over the words it came from, so that they keep their times."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from svc.engine.speech.text import bare, spread
from svc.engine.transcript import Word


@dataclass
class Edit:
    """Some neighbouring words, the texts to stand in their place, and the span of time there is for these."""

    words: list[Word]
    texts: list[str]
    start: float
    end: float

    @property
    def same(self) -> bool:
        """Whether nothing but punctuation and capitals differs."""
        return [bare(word.text) for word in self.words] == [bare(text) for text in self.texts]

    @property
    def size(self) -> int:
        """How many words it changes."""
        return 0 if self.same else max(len(self.words), len(self.texts))

    def __add__(self, following: "Edit") -> "Edit":
        return Edit(self.words + following.words, self.texts + following.texts, self.start, following.end)

    def made(self) -> list[Word]:
        """As many words as before keep their times; others share the span, one alone fills it."""
        if len(self.words) == len(self.texts):
            pairs = zip(self.words, self.texts, strict=True)
            return [replace(word, text=text, confidence=word.confidence if self.same else None) for word, text in pairs]
        made = spread(self.texts, self.start, self.end)
        if len(made) == 1 and self.words:
            made[0].synthetic = any(word.synthetic for word in self.words)
        return made


def edits(words: list[Word], texts: Sequence[str]) -> Iterator[Edit]:
    """The way from the words to the texts, as edits that together hold all of both: one for each word that stays."""
    matcher = SequenceMatcher(None, [bare(word.text) for word in words], [bare(text) for text in texts], False)
    for tag, first, last, begin, end in matcher.get_opcodes():
        old = words[first:last]
        if tag == "equal":
            pairs = zip(old, texts[begin:end], strict=True)
            yield from (Edit([word], [text], word.start, word.end) for word, text in pairs)
            continue
        after = words[first - 1].end if first else words[0].start
        before = max(after, words[last].start if last < len(words) else words[-1].end)
        span = (old[0].start, old[-1].end) if old else (after, before)
        yield Edit(old, list(texts[begin:end]), *span)
