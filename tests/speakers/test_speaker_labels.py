"""Speakers of words and segments, from turns."""

import copy

from svc.engine.models.local.speakers import Turn
from svc.engine.speech.speakers import assign_speakers
from svc.engine.transcript import Segment, Word

TURNS = [Turn(0, 10, 0), Turn(10, 20, 1), Turn(22, 30, 0)]


def sentence(text, start, each=1.0):
    words = [Word(word, start + i * each, start + (i + 1) * each) for i, word in enumerate(text.split())]
    return Segment(words[0].start, words[-1].end, text, words=words)


def said(segments):
    return [(segment.speaker, segment.text) for segment in segments]


def test_sentence_of_one_speaker():
    assert said(assign_speakers([sentence("How are you?", 2)], TURNS)) == [("S1", "How are you?")]


def test_sentence_is_split_where_the_speaker_changes():
    segments = assign_speakers([sentence("we were going to leave early", 7)], TURNS)
    assert said(segments) == [("S1", "we were going"), ("S2", "to leave early")]
    assert [(s.start, s.end) for s in segments] == [(7, 10), (10, 13)]


def test_words_carry_their_speaker():
    segments = assign_speakers([sentence("we were going to leave early", 7)], TURNS)
    assert [word.speaker for s in segments for word in s.words] == ["S1"] * 3 + ["S2"] * 3


def test_word_belongs_to_who_speaks_longest_during_it():
    assert said(assign_speakers([sentence("long", 9.8, each=3)], TURNS)) == [("S1", "long")]
    assert assign_speakers([sentence("first", 1), sentence("long", 9.4, each=3)], TURNS)[1].speaker == "S2"


def test_lone_short_word_joins_its_neighbours():
    turns = [Turn(0, 2, 0), Turn(2, 2.4, 1), Turn(2.4, 10, 0)]
    assert said(assign_speakers([sentence("a b c d e f g h", 0.4, each=0.4)], turns)) == [("S1", "a b c d e f g h")]


def test_interjection_between_sentences_stays():
    turns = [Turn(0, 2, 0), Turn(2, 2.4, 1), Turn(2.4, 10, 0)]
    segments = [sentence("and so", 1, 0.5), sentence("Yes.", 2, 0.4), sentence("we went", 2.4, 0.5)]
    assert [s.speaker for s in assign_speakers(segments, turns)] == ["S1", "S2", "S1"]


def test_word_outside_all_turns_goes_to_the_nearest():
    segments = [sentence("early", 1), sentence("between", 20.2, 0.3), sentence("later", 40)]
    assert [s.speaker for s in assign_speakers(segments, TURNS)] == ["S1", "S2", "S1"]


def test_speakers_are_numbered_as_they_appear():
    assert [s.speaker for s in assign_speakers([sentence("x", 12), sentence("y", 2)], TURNS)] == ["S1", "S2"]


def test_segment_without_words_gets_its_main_speaker():
    segments = [Segment(0, 1, "one"), Segment(8, 14, "two")]
    assert [s.speaker for s in assign_speakers(segments, TURNS)] == ["S1", "S2"]


def test_text_without_spaces_is_split_without_them():
    assert said(assign_speakers([sentence("今日 は 寒い ね", 8)], TURNS)) == [("S1", "今日は"), ("S2", "寒いね")]


def test_nothing_is_labelled_without_turns():
    segments = [sentence("who knows", 0)]
    assert assign_speakers(segments, []) == segments


def test_given_segments_are_not_changed():
    given = [sentence("we were going to leave early", 7)]
    before = copy.deepcopy(given)
    assign_speakers(given, TURNS)
    assert given == before
