from collections import Counter

from svc.engine.synthesis.rank import centrality, diverse, lexrank, vectors

BAGS = [Counter(text.split()) for text in ("sun moon star", "sun moon planet", "sun star planet", "soup bowl spoon")]


def test_what_is_like_the_rest_ranks_first():
    scores = lexrank(vectors(BAGS))
    assert min(scores[:3]) > scores[3]


def test_the_rough_order_without_a_graph_agrees():
    scores = centrality(vectors(BAGS))
    assert min(scores[:3]) > scores[3]


def test_the_second_choice_is_unlike_the_first():
    rows = vectors([Counter(text.split()) for text in ("sun moon star sky", "sun moon star air", "soup bowl")])
    assert diverse(range(3), [1.0, 0.9, 0.7], rows, 2, relevance=0.5) == [0, 2]


def test_the_same_is_never_chosen_twice():
    rows = vectors([BAGS[0], BAGS[0], BAGS[3]])
    assert diverse(range(3), [1.0, 1.0, 0.1], rows, 3, relevance=0.9) == [0, 2]


def test_empty_sentences_rank_without_harm():
    assert len(lexrank(vectors([Counter(), Counter()]))) == 2
