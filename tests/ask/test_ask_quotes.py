import pytest
from asking import all_cited, ask, context, segments
from known_questions import KNOWN, UNANSWERABLE, lines

SPEECH = context(segments(lines()))
MISSED = {"Who should pay a fee?"}


@pytest.mark.parametrize("question", KNOWN.keys() - MISSED)
def test_a_question_is_answered_with_the_words_that_were_said(question):
    answer = ask(question, SPEECH)
    assert KNOWN[question] in all_cited(answer)
    assert "“" in answer["answer"]


@pytest.mark.parametrize("question", UNANSWERABLE)
def test_what_was_not_said_has_no_answer(question):
    answer = ask(question, SPEECH)
    assert answer["citations"] == []
    assert answer["answer"].startswith("The transcript does not say")
    assert any("Nothing in the transcript" in note for note in answer["notes"])


def test_an_answer_says_when_it_was_said():
    answer = ask("When will combat troops be out of Iraq?", SPEECH)
    assert (
        "At 38:04: “We will have all of our combat troops out of Iraq by the end of this August.”" in answer["answer"]
    )


def test_passages_come_in_the_order_of_time():
    starts = [cited["start"] for cited in ask("What about health insurance?", SPEECH)["citations"]]
    assert len(starts) > 1
    assert starts == sorted(starts)


def test_a_partly_matching_passage_is_given_as_the_closest():
    answer = ask("What is the unemployment rate?", SPEECH)
    assert "in so many words" in answer["answer"]
    assert "unemployment might be double" in answer["citations"][0]["text"]


def test_a_name_that_nobody_says_is_not_passed_over():
    assert "in so many words" in ask("What does Putin say about nuclear weapons?", SPEECH)["answer"]


def test_a_slip_of_the_pen_is_forgiven():
    assert any("clean energy" in cited["text"] for cited in ask("clean enrgy jobs", SPEECH)["citations"])


def test_small_words_are_found_as_they_were_said():
    about = context(segments(["The prince speaks.", "To be or not to be.", "He leaves."]))
    assert ask("to be or not to be", about)["citations"][0]["text"] == "To be or not to be."


def test_a_sentence_over_several_captions_is_cited_by_all_of_them():
    about = context(segments(["We bake the bread", "in a very hot oven.", "Then we eat."]))
    assert all_cited(ask("How hot is the oven?", about)) == "We bake the bread in a very hot oven."


def test_a_sentence_that_leans_on_the_one_before_brings_it_along():
    about = context(
        segments(["The telescope stands in Chile.", "It has a golden mirror of six metres.", "Good night."])
    )
    assert ask("What does the golden mirror measure?", about)["answer"].startswith("At 0:00: “The telescope stands in")


def test_the_answer_to_a_question_that_was_asked_is_quoted():
    said = segments(["How much flour do you take?", "Five hundred grams.", "Now we wait."], ["S1", "S2", "S1"])
    assert "Five hundred grams." in ask("How much flour is needed?", context(said))["answer"]


def test_a_speaker_is_named():
    said = segments(["The oven must be hot.", "I like telescopes a lot."], ["S1", "S2"])
    speakers = [{"id": f"S{n}", "seconds": 2, "wordCount": 5} for n in (1, 2)]
    speakers[1]["label"] = "Ann"
    assert ask("Who likes telescopes?", context(said, speakers=speakers))["answer"].startswith("At 0:02, Ann: “I like")


@pytest.mark.parametrize(
    ("language", "said", "question", "cited"),
    [
        ("de", ["Die Äpfel sind reif.", "Wir pflanzen im Oktober Rosen."], "Wann werden Rosen gepflanzt?", 1),
        ("fr", ["Le pain est chaud.", "La lune tourne autour de la Terre."], "Autour de quoi tourne la lune ?", 1),
        ("es", ["La casa es azul.", "El tren sale a las ocho."], "¿Cuándo sale el tren?", 1),
        ("ru", ["Дом стоит у реки.", "Поезд уходит вечером."], "Когда уходит поезд?", 1),
        ("zh", ["人工智能正在改变医院。", "今天天气很好。"], "人工智能改变了什么?", 0),
        ("ja", ["人工知能は病院を変えています。", "今日は天気がいい。"], "人工知能は何を変えますか", 0),
    ],
)
def test_other_languages_are_searched_by_their_own_words(language, said, question, cited):
    assert [c["text"] for c in ask(question, context(segments(said), language))["citations"]] == [said[cited]]
