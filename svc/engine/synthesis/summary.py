"""Which sentences stand for the whole: the short answer, the bullets, and one sentence for each chapter."""

import math
from collections.abc import Sequence

from svc.engine.synthesis import rank
from svc.engine.synthesis.language import Language
from svc.engine.synthesis.sentences import Sentence
from svc.engine.synthesis.wording import fitness

MAX_RANKED = 900
TLDR_WORDS, LONE_TLDR_WORDS, LONE_TLDR_SENTENCES = 45, 22, 6
MAX_BULLETS, WORDS_SCALE = 8, 50
CHAPTER_POOL = 4
# Below this share of the best score a sentence says too little on its own to be shown.
LEAST_SHARE = 0.2
TLDR_RELEVANCE, RELEVANCE = 0.85, 0.6


class Ranking:
    """Sentences with their scores: how central they are, times how well they stand alone."""

    def __init__(self, sentences: list[Sentence], language: Language):
        self.sentences, self.language = sentences, language
        self.rows = rank.vectors([sentence.terms for sentence in sentences])
        fit = [fitness(sentence, len(sentences), language) for sentence in sentences]
        self.scores = [value * factor for value, factor in zip(self.central(fit), fit, strict=True)]
        self.least = LEAST_SHARE * max(self.scores, default=0.0)

    def central(self, fit: list[float]) -> list[float]:
        """LexRank of the sentences; of very many, only of the most promising, the rest get nothing."""
        if len(self.rows) <= MAX_RANKED:
            return rank.lexrank(self.rows)
        rough = [value * factor for value, factor in zip(rank.centrality(self.rows), fit, strict=True)]
        kept = sorted(sorted(range(len(rough)), key=lambda at: -rough[at])[:MAX_RANKED])
        scores = [0.0] * len(rough)
        for at, score in zip(kept, rank.lexrank([self.rows[at] for at in kept]), strict=True):
            scores[at] = score
        return scores

    def best(
        self, first: int, last: int, count: int, given: Sequence[int] = (), relevance: float = RELEVANCE
    ) -> list[int]:
        """Up to `count` sentences of [first, last) that say different things, in order of choice."""
        pool = [at for at in range(first, last) if self.scores[at] >= self.least and at not in given]
        pool = sorted(pool, key=lambda at: -self.scores[at])[: max(40, 4 * count)]
        return rank.diverse(pool, self.scores, self.rows, count, relevance, given)

    def tldr(self) -> list[int]:
        """One or two sentences; when none stands out, the first."""
        if not self.sentences:
            return []
        chosen = self.best(0, len(self.sentences), 2, relevance=TLDR_RELEVANCE) or [0]
        lengths = [self.sentences[at].length for at in chosen]
        alone = len(self.sentences) < LONE_TLDR_SENTENCES or lengths[0] > LONE_TLDR_WORDS or sum(lengths) > TLDR_WORDS
        return chosen[:1] if alone else sorted(chosen)

    def bullets(self, starts: list[int], tldr: list[int]) -> list[int]:
        """Sentences that add to the short answer, drawn from every chapter, in order."""
        words = sum(sentence.length for sentence in self.sentences)
        count = min(MAX_BULLETS, 1 + int(math.sqrt(words / WORDS_SCALE)))
        ends = [*starts, len(self.sentences)][1:]
        pools = [self.best(start, end, CHAPTER_POOL, tldr) for start, end in zip(starts, ends, strict=True)]
        pool = [at for chapter in pools for at in chapter]
        return self.few(pool, count, tldr)

    def few(self, pool: list[int], count: int, given: Sequence[int] = ()) -> list[int]:
        """Up to `count` of the pool in order of time."""
        return sorted(rank.diverse(pool, self.scores, self.rows, count, RELEVANCE, given))
