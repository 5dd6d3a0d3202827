"""A short reading with slides, and a conversation: what is asked of an edge, a slide, a moment, a speaker."""

import pytest
from asking import all_cited, ask, context, scene, segments, synthesis

PAIRS = [
    ("It was the best of times,", "it was the worst of times."),
    ("It was the age of wisdom,", "it was the age of foolishness."),
    ("It was the epoch of belief,", "it was the epoch of incredulity."),
    ("It was the season of light,", "it was the season of darkness."),
    ("It was the spring of hope,", "it was the winter of despair."),
    ("We had everything before us,", "we had nothing before us."),
    ("We were all going direct to heaven,", "we were all going direct the other way."),
]
SAID = segments([" ".join(pair) for pair in PAIRS])
SLIDES = [
    scene(0, 10, "The Best of Times", "Wisdom and foolishness"),
    scene(10, 20, "Light and Darkness", "Hope and despair"),
    scene(20, 32, "The Other Way", "Everything and nothing"),
]
LECTURE = context(SAID, scenes=SLIDES, synthesis=synthesis(summary={"tldr": "Times.", "bullets": []}))
TALK = context(
    segments(
        ["We could drive to New Jersey.", "Yes.", "New Jersey is cold.", "I would rather read."]
        + ["The sea is wide."] * 20,
        ["S1", "S2", "S1", "S2"] + ["S2"] * 20,
    ),
    speakers=[{"id": f"S{number}", "seconds": 9, "wordCount": 20} for number in (1, 2)],
)


@pytest.mark.parametrize("question", ["What is the last thing said?", "How does it end?", "What are the last words?"])
def test_the_end_of_a_short_recording_is_its_last_sentence(question):
    assert SAID[-1]["text"] in all_cited(ask(question, LECTURE))
    assert SAID[3]["text"] not in all_cited(ask(question, LECTURE))


@pytest.mark.parametrize("question", ["What is said first?", "What is said at the beginning?"])
def test_the_beginning_of_a_short_recording_is_its_first_sentence(question):
    assert ask(question, LECTURE)["citations"][0]["text"] == SAID[0]["text"]
    assert SAID[3]["text"] not in all_cited(ask(question, LECTURE))


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("What is the third slide about?", "The Other Way"),
        ("Show me slide 2", "Light and Darkness"),
        ("What is on slide two?", "Light and Darkness"),
        ("What does the second slide say?", "Light and Darkness"),
        ("What is on the last slide?", "The Other Way"),
        ("Was steht auf der zweiten Folie?", "Light and Darkness"),
        ("Que montre la diapositive 1 ?", "The Best of Times"),
        ("第二张幻灯片讲了什么?", "Light and Darkness"),
    ],
)
def test_a_slide_is_answered_from_its_scene_alone(question, heading):
    answer = ask(question, LECTURE)
    assert answer["answer"].split(": ")[1].startswith(heading)
    assert answer["answer"].count("On screen") == 1
    assert answer["citations"] == []


def test_a_slide_that_is_not_there_is_not_invented():
    assert ask("What is on slide 9?", LECTURE)["answer"].startswith("Slide 9 is not among the 3")


def test_a_moment_on_screen_is_the_scene_that_covers_it():
    answer = ask("What is on screen at 0:15?", LECTURE)
    assert answer["answer"] == "On screen at about 0:10: Light and Darkness · Hope and despair."
    assert answer["citations"] == []


def test_what_is_said_beside_a_slide_is_quoted():
    answer = ask("What is said while slide 2 is shown?", LECTURE)
    assert all(5 < cited["start"] < 20 for cited in answer["citations"])
    assert answer["citations"]


def test_what_is_shown_at_the_end_is_the_last_scene():
    assert ask("What is on screen at the end?", LECTURE)["answer"].startswith("On screen at about 0:20: The Other Way")


def test_what_happens_at_a_moment_is_what_is_said_and_shown_then():
    answer = ask("What happens at 0:23?", LECTURE)
    assert all(abs(cited["start"] - 23) < 6 for cited in answer["citations"])
    assert answer["answer"].count("On screen") == 1


def test_what_a_speaker_says_about_something_is_theirs():
    assert (
        all_cited(ask("What did S1 say about New Jersey?", TALK)) == "We could drive to New Jersey. New Jersey is cold."
    )


def test_a_speaker_who_says_nothing_of_it_is_said_to():
    assert ask("What did S2 say about New Jersey?", TALK)["answer"].startswith("S2 does not say anything about this.")


def test_who_says_a_word_is_found_by_the_word():
    assert ask("Who says yes?", TALK)["answer"] == "At 0:02, S2: “Yes.”"


def test_a_selection_of_what_a_speaker_says_is_called_one():
    assert ask("What does S2 say?", TALK)["answer"].startswith("A selection of what S2 says")
    assert ask("What does S1 say?", TALK)["answer"].startswith("At 0:00, S1: “We could")


@pytest.mark.parametrize(
    "question",
    [
        "О чём речь?",
        "О чём этот текст?",
        "De quoi ça parle ?",
        "Quel est le sujet de cette vidéo ?",
        "¿De qué trata el vídeo?",
        "Resume la charla",
        "Worum geht es?",
        "Di cosa parla questo video?",
        "Qual é o assunto?",
        "这段视频讲了什么?",
        "この動画は何についてですか?",
    ],
)
def test_a_summary_can_be_asked_for_in_other_languages(question):
    assert ask(question, LECTURE)["answer"] == "Times."
