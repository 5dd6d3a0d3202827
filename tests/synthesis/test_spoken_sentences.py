import pytest
from talks import BREAD, CHINESE, caption_lines, sentences_of, timed

from svc.engine.synthesis.language import Language
from svc.engine.synthesis.sentences import MAX_PIECE, sentences
from svc.engine.transcript import Segment


def texts(lines, code="en", **options):
    return [sentence.text for sentence in sentences(timed(lines, **options), Language(code))]


def test_a_sentence_goes_on_over_caption_lines():
    assert texts(["We bake bread", "in a hot oven. Then", "we eat it."]) == [
        "We bake bread in a hot oven.",
        "Then we eat it.",
    ]


def test_a_sentence_knows_the_segment_it_begins_in():
    found = sentences(timed(["One is here. Two", "goes on. Three ends."]), Language("en"))
    assert [sentence.segment for sentence in found] == [0, 0, 1]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "We met Dr. Smith in the U.S. Senate at 3.5 degrees."),
        ("en", "J. R. R. Tolkien wrote it."),
        ("de", "Wir treffen uns am 3. Mai, d.h. am Freitag."),
        ("fr", "M. Dupont arrive demain."),
    ],
)
def test_a_point_that_ends_no_sentence(code, text):
    assert texts([text], code) == [text]


def test_speakers_do_not_share_a_sentence():
    assert texts(["I think that", "no way"], speakers=["S1", "S2"]) == ["I think that", "no way"]


def test_sounds_are_not_speech():
    assert texts(["[Music]", ">> Hello there. (applause)", "♪"]) == ["Hello there."]


def test_text_without_full_stops_is_cut_into_pieces_of_sentence_length():
    lengths = [len(text.split()) for text in texts(caption_lines(BREAD))]
    assert max(lengths) <= MAX_PIECE
    assert min(lengths) >= 4


def test_text_without_full_stops_is_cut_at_pauses():
    first, second = (
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu",
        "nu xi omicron pi rho sigma tau",
    )
    lines = [*[f"{first}"], *[second] * 6]
    segments = timed(lines)
    for segment in segments[1:]:
        segment.start, segment.end = segment.start + 3, segment.end + 3
    assert sentences(segments, Language("en"))[0].text == first


def test_no_word_is_lost_when_text_is_cut():
    lines = caption_lines(BREAD)
    assert " ".join(texts(lines)) == " ".join(lines)


def test_chinese_sentences_end_with_their_own_full_stop():
    assert len(texts([CHINESE], "zh")) == len(sentences_of(CHINESE.replace("\n", "")))


def test_a_long_chinese_text_without_punctuation_is_cut():
    lines = ["人工智能正在改变医院的工作方式而且医生很高兴"] * 20
    assert all(len(text) < 80 for text in texts(lines, "zh"))


def test_an_endless_word_is_one_piece():
    assert texts(["x" * 5000]) == ["x" * 5000]


def test_segments_without_words_give_nothing():
    assert sentences([Segment(0, 1, "..."), Segment(1, 2, "  ")], Language("en")) == []
