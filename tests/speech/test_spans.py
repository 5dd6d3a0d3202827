from svc.engine.speech.spans import overlap, union, widen, within, without


def test_overlapping_and_near_spans_become_one():
    assert union([(5, 6), (0, 2), (1, 3), (3.5, 4)], gap=0.5) == [(0, 4), (5, 6)]


def test_widened_spans_may_meet():
    assert widen([(1, 2), (3, 4)], 0.5) == [(0.5, 4.5)]


def test_a_part_of_spans():
    assert within([(0, 2), (3, 5), (6, 7)], 1, 4) == [(1, 2), (3, 4)]


def test_holes_are_taken_out():
    assert without([(0, 10)], [(2, 3), (5, 6), (9, 12)]) == [(0, 2), (3, 5), (6, 9)]
    assert without([(0, 1)], [(0, 1)]) == []
    assert without([(0, 2), (3, 5)], [(1, 4)]) == [(0, 1), (4, 5)]


def test_seconds_in_common():
    assert overlap([(0, 2), (3, 5)], 1, 4) == 2
