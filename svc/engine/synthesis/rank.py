"""LexRank, and the choice of a few sentences that say different things.

Erkan and Radev, "LexRank: Graph-based Lexical Centrality as Salience in Text Summarization" (2004);
Carbonell and Goldstein, "The Use of MMR, Diversity-Based Reranking" (1998).
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable

Vector = dict[str, float]

SIMILAR, SAME = 0.1, 0.75
DAMPING = 0.15
ROUNDS = 30


def vectors(bags: list[Counter[str]]) -> list[Vector]:
    """One tf-idf vector of length 1 for each bag of terms."""
    seen = Counter(term for bag in bags for term in bag)
    idf = {term: math.log(1 + len(bags) / count) for term, count in seen.items()}
    return [unit({term: count * idf[term] for term, count in bag.items()}) for bag in bags]


def unit(vector: Vector) -> Vector:
    norm = math.sqrt(sum(value * value for value in vector.values()))
    return {term: value / norm for term, value in vector.items()} if norm else {}


def cosine(one: Vector, other: Vector) -> float:
    if len(one) > len(other):
        one, other = other, one
    return sum(value * other.get(term, 0.0) for term, value in one.items())


def centrality(rows: list[Vector]) -> list[float]:
    """The similarity of each vector to all of them together: LexRank's first step, without a matrix."""
    total: Counter[str] = Counter()
    for row in rows:
        total.update(row)
    return [sum(value * total[term] for term, value in row.items()) for row in rows]


def lexrank(rows: list[Vector]) -> list[float]:
    """A random walk over sentences that are alike; scores are scaled to a mean of 1."""
    links = neighbours(rows)
    scores = [1.0] * len(rows)
    degrees = [sum(near.values()) for near in links]
    for _ in range(ROUNDS):
        shares = [score / degree if degree else 0.0 for score, degree in zip(scores, degrees, strict=True)]
        scores = [DAMPING + (1 - DAMPING) * sum(shares[at] * w for at, w in near.items()) for near in links]
    return scores


def neighbours(rows: list[Vector]) -> list[dict[int, float]]:
    """For each row the rows more alike than SIMILAR, found through the terms they share."""
    postings: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    links: list[dict[int, float]] = [{} for _ in rows]
    for at, row in enumerate(rows):
        products: defaultdict[int, float] = defaultdict(float)
        for term, value in row.items():
            for other, weight in postings[term]:
                products[other] += value * weight
            postings[term].append((at, value))
        for other, product in products.items():
            if product > SIMILAR:
                links[at][other] = links[other][at] = product
    return links


def diverse(
    pool: Iterable[int],
    scores: list[float],
    rows: list[Vector],
    count: int,
    relevance: float,
    given: Iterable[int] = (),
) -> list[int]:
    """Up to `count` of the pool by maximal marginal relevance: high in score, unlike each other and the given ones,
    none nearly the same as another.

    `relevance` (0 to 1) is what the score weighs against being new.
    """
    left = list(pool)
    taken: list[int] = []
    top = max((scores[at] for at in left), default=0.0) or 1.0
    likeness = {at: max((cosine(rows[at], rows[g]) for g in given), default=0.0) for at in left}
    while len(taken) < count:
        left = [at for at in left if likeness[at] < SAME]
        if not left:
            break
        best = max(left, key=lambda at: relevance * scores[at] / top - (1 - relevance) * likeness[at])
        left.remove(best)
        taken.append(best)
        for at in left:
            likeness[at] = max(likeness[at], cosine(rows[at], rows[best]))
    return taken
