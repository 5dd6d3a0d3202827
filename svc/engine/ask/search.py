"""Finds the sentences of a transcript that answer a question best, by the words they share.

BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009) over sentences. What a sentence lacks, the
sentences beside it may have; the kind of answer that is wanted, and words in the question's order, count on top.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from svc.engine.ask.question import DIGITS, Question, answers
from svc.engine.synthesis.language import Language
from svc.engine.synthesis.rank import Vector, cosine, unit
from svc.engine.synthesis.sentences import Sentence
from svc.engine.synthesis.wording import QUESTION
from svc.engine.writing.snap import bare

SATURATION, LENGTH_SHARE = 0.6, 0.4
BESIDE = {-1: 0.45, 1: 0.25, -2: 0.2, 2: 0.1}
ASKED_BEFORE = 0.8  # what the words of a question count for the sentence after it
PAIR_WORTH = 0.5
WANTED_WORTH, QUESTION_WORTH, BROKEN_WORTH = 1.35, 0.5, 0.8
ALIKE, ALIKE_LETTERS, ALIKE_START = 0.81, 5, 2
SAME = 0.7
REFINED = 200
LEAST_RUN, MOST_WORDS = 4, 24


@dataclass
class Hit:
    """A sentence by its index, and the share of the question (weighted by rarity) that is found in or beside it."""

    at: int
    score: float
    share: float


class Index:
    """The sentences of a transcript by the terms they hold."""

    def __init__(self, sentences: list[Sentence], language: Language):
        self.sentences, self.language = sentences, language
        self.postings: defaultdict[str, dict[int, int]] = defaultdict(dict)
        for at, sentence in enumerate(sentences):
            for term, count in (sentence.terms + Counter(DIGITS.findall(sentence.text))).items():
                self.postings[term][at] = count
        self.mean = sum(sentence.length for sentence in sentences) / max(1, len(sentences)) or 1.0

    def idf(self, term: str) -> float:
        """The weight of a term by its rarity; what nobody says counts like what is said once."""
        return math.log(1 + (len(self.sentences) + 1) / (max(1, len(self.postings.get(term, ()))) + 0.5))

    def known(self, term: str) -> str:
        """The term, or when nobody says it the one most like it: a slip of the asker or of the transcript."""
        if term in self.postings or len(term) < ALIKE_LETTERS:
            return term
        start, lengths = term[:ALIKE_START], range(len(term) - 2, len(term) + 3)
        near = [other for other in self.postings if other.startswith(start) and len(other) in lengths]
        scored = [(SequenceMatcher(None, term, other).ratio(), other) for other in near]
        return max((pair for pair in scored if pair[0] > ALIKE), default=(0.0, term))[1]

    def hits(self, question: Question, among: Iterable[int] | None = None) -> list[Hit]:
        """Sentences that share a term with the question or are beside one, the best first. Others than those of
        `among`, if given, count for nothing, not even beside them."""
        terms = list(dict.fromkeys(self.known(term) for term in question.terms))
        weights = {term: self.idf(term) for term in terms}
        total = sum(weights.values()) or 1.0
        allowed = set(range(len(self.sentences)) if among is None else among)
        here: defaultdict[int, dict[str, float]] = defaultdict(dict)
        for term in terms:
            for at, count in self.postings.get(term, {}).items():
                if at in allowed:
                    here[at][term] = weights[term] * self.saturated(count, self.sentences[at])
        kept = {at + step for at in here for step in (0, 1, -1)} & allowed
        rough = sorted((self.hit(at, here, weights, total) for at in kept), key=lambda hit: (-hit.score, hit.at))
        for hit in rough[:REFINED]:
            pairs = self.pairs(self.sentences[hit.at], here.get(hit.at, {}), question)
            hit.score += hit.share * PAIR_WORTH * sum(min(weights[a], weights[b]) for a, b in pairs)
            hit.score *= self.fitness(self.sentences[hit.at], question)
        return sorted(rough[:REFINED], key=lambda hit: (-hit.score, hit.at))

    def saying(self, phrase: str) -> list[int]:
        """The sentences in which a phrase is said word for word, those first that say nothing else."""
        wanted = [bare(word) for word in phrase.split()][:MOST_WORDS]
        run = f" {' '.join(wanted)} "
        said = [f" {' '.join(map(bare, sentence.text.split()))} " for sentence in self.sentences]
        return sorted(
            (at for at, text in enumerate(said) if any(wanted) and run in text), key=lambda at: said[at] != run
        )

    def verbatim(self, text: str) -> int | None:
        """The sentence that has the longest run of the text's words, at least LEAST_RUN, small words and all."""
        words = [bare(word) for word in self.language.words(text)][:MOST_WORDS]
        said = [f" {' '.join(map(bare, self.language.words(s.text)))} " for s in self.sentences]
        for length in range(len(words), LEAST_RUN - 1, -1):
            for first in range(len(words) - length + 1):
                run = f" {' '.join(words[first : first + length])} "
                found = next((at for at, sentence in enumerate(said) if run in sentence), None)
                if found is not None:
                    return found
        return None

    def saturated(self, count: int, sentence: Sentence) -> float:
        norm = 1 - LENGTH_SHARE + LENGTH_SHARE * sentence.length / self.mean
        return count * (SATURATION + 1) / (count + SATURATION * norm)

    def hit(self, at: int, here: dict[int, dict[str, float]], weights: dict[str, float], total: float) -> Hit:
        own = here.get(at, {})
        score, covered = sum(own.values()), set(own)
        for step, worth in BESIDE.items():
            beside = here.get(at + step, {})
            if step == -1 and beside and QUESTION.search(self.sentences[at - 1].text):
                worth = ASKED_BEFORE
            score += worth * sum(value for term, value in beside.items() if term not in own)
            covered |= set(beside) if abs(step) == 1 else set()
        share = sum(weights[term] for term in covered) / total
        return Hit(at, score * share, share)

    def pairs(self, sentence: Sentence, own: dict[str, float], question: Question) -> Iterable[tuple[str, str]]:
        """Terms that stand beside each other in the question and in the sentence."""
        if len(own) < 2:
            return []
        said = [self.language.stem(word) for word in self.language.words(sentence.text)]
        content = [term for term in said if term in sentence.terms]
        return set(pairwise(content)) & set(pairwise(map(self.known, question.terms)))

    def fitness(self, sentence: Sentence, question: Question) -> float:
        worth = 1.0 if sentence.wholeness == 1 else BROKEN_WORTH
        if QUESTION.search(sentence.text):
            worth *= QUESTION_WORTH
        if question.wants and self.has_wanted(sentence, question.wants):
            worth *= WANTED_WORTH
        return worth

    def has_wanted(self, sentence: Sentence, want: str) -> bool:
        """Whether the sentence shows that it has the kind of answer: a name, for a person, by its capital."""
        if want == "person":
            return any(word[0].isupper() for word in self.language.words(sentence.text)[1:] if word != "I")
        shows = answers(want, self.language.code)
        return bool(shows and shows.search(sentence.text))

    def different(self, hits: list[Hit], most: int) -> list[Hit]:
        """The first hits that don't say nearly the same as one before."""
        kept: list[Hit] = []
        vectors: list[Vector] = []
        for hit in hits:
            vector = unit(dict(self.sentences[hit.at].terms))
            if len(kept) < most and all(cosine(vector, other) < SAME for other in vectors):
                kept.append(hit)
                vectors.append(vector)
        return kept
