"""Proofreading by a language model that answers as it is told."""

import pytest
from stagehand import Writer, words

from svc.core.errors import EngineError
from svc.engine.speech.editor import Editor
from svc.engine.speech.text import spell

HEARD = "We met at the digital office. They sell as to risk servers. That was a very good day for all."


def correct(*answers, text=HEARD, level="full", vocabulary=("Asterisk",), reads=10_000):
    writer = Writer(*({"corrections": answer} if isinstance(answer, list) else answer for answer in answers))
    writer.reads = reads
    return Editor(writer, level, vocabulary).correct(words(text), "en"), writer


def change(number, text):
    return {"number": number, "text": text}


def test_a_small_correction_is_taken_over():
    corrected, _ = correct([change(1, "We met at the Digium office.")])
    assert spell(corrected.words).startswith("We met at the Digium office. They sell as to risk")
    assert corrected.rejected == 0


def test_sentences_are_numbered_and_the_vocabulary_is_given():
    _, writer = correct([])
    instructions, (sentences,) = writer.asked[0]
    assert "Asterisk" in instructions
    assert sentences.splitlines()[1] == "2. They sell as to risk servers."


def test_a_term_put_right_is_counted_and_has_the_time_of_what_was_heard():
    corrected, _ = correct([change(2, "They sell Asterisk servers.")])
    assert corrected.fixes == [("as to risk", "Asterisk")]
    term = next(word for word in corrected.words if word.text == "Asterisk")
    heard = words(HEARD)
    assert (term.start, term.end) == (heard[8].start, heard[10].end)


def test_the_number_may_be_repeated_in_the_text():
    corrected, _ = correct([change(2, "2. They sell Asterisk servers.")])
    assert "office. They sell Asterisk servers. That" in spell(corrected.words)


@pytest.mark.parametrize(
    "answer",
    [
        [change(1, "Wir trafen uns im digitalen Büro.")],
        [change(2, "They sell. " + "And much more was said by them. " * 3)],
        [change(1, "")],
        [change(9, "Another sentence.")],
        [change(1, "We met at the digital office!"), change(1, "We met at a digital office.")],
        [change(1, "We saw one digital office."), change(3, "It was some very nice day for us.")],
    ],
    ids=["translated", "added to", "emptied", "made up", "twice", "too much in all"],
)
def test_a_batch_that_changes_too_much_is_rejected(answer):
    corrected, _ = correct(answer)
    assert spell(corrected.words) == HEARD
    assert corrected.rejected == 1


def test_a_short_sentence_is_not_translated_either():
    corrected, _ = correct([change(1, "Das ist gut.")], text="That is good.")
    assert (spell(corrected.words), corrected.rejected) == ("That is good.", 1)


def test_an_answer_that_cannot_be_used_is_rejected():
    corrected, _ = correct(EngineError("PROVIDER_PROTOCOL"))
    assert (spell(corrected.words), corrected.rejected) == (HEARD, 1)


@pytest.mark.parametrize("code", ["NETWORK", "AUTH"])
def test_a_model_that_cannot_be_asked_is_an_error(code):
    with pytest.raises(EngineError, match=code):
        correct(EngineError(code))


def test_a_rejected_batch_leaves_the_others_corrected():
    corrected, writer = correct(
        [change(1, "Nothing of the kind was ever said!")], [change(1, "They sell Asterisk servers.")], [], reads=60
    )
    assert len(writer.asked) == 3
    assert spell(corrected.words).startswith("We met at the digital office. They sell Asterisk servers.")
    assert corrected.rejected == 1


def test_for_terms_nothing_but_terms_is_taken_over():
    answer = [change(1, "We met in the digital office."), change(2, "They sell Asterisk servers.")]
    corrected, _ = correct(answer, level="terms")
    assert spell(corrected.words).startswith("We met at the digital office. They sell Asterisk servers.")


def test_a_term_that_sounds_like_nothing_that_was_heard_is_not_taken_over():
    corrected, _ = correct([change(3, "That was a very Asterisk day for all.")], level="terms")
    assert (spell(corrected.words), corrected.fixes) == (HEARD, [])


@pytest.mark.parametrize(
    ("heard", "right", "term"),
    [
        ("the hug in face hub", "the Hugging Face hub", "Hugging Face"),
        ("ask asterisk now", "ask Asterisk now", "Asterisk"),
        ("sense in sensibility is old", "Sense and Sensibility is old", "Sense and Sensibility"),
    ],
)
def test_terms_of_several_words_and_capitals_are_put_right(heard, right, term):
    corrected, _ = correct([change(1, right)], text=heard, level="terms", vocabulary=(term,))
    assert spell(corrected.words) == right
    assert [to for _, to in corrected.fixes] == [term]
