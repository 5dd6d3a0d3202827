import pytest
from asking import ask, context, scene, segments, synthesis

SAID = segments(
    ["Today we bake a good loaf.", "Flour and water make the dough.", "We chose rye flour from Berlin.", "Goodbye."]
    * 6,
    ["S1", "S1", "S2", "S1"] * 6,
)
SPEAKERS = [{"id": "S1", "seconds": 40, "wordCount": 90, "label": "Ann"}, {"id": "S2", "seconds": 12, "wordCount": 36}]
CHAPTERS = [
    {"start": 0, "end": 20, "title": "The loaf", "anchor": 0},
    {"start": SAID[8]["start"], "end": 46, "title": "More of it", "anchor": 8},
]
MOMENTS = [{"time": SAID[2]["start"], "label": "We chose rye flour", "kind": "decision", "segmentIndex": 2}]
ENTITIES = [{"name": "Berlin", "kind": "places", "mentions": 6}]
ABOUT = context(
    SAID,
    speakers=SPEAKERS,
    synthesis=synthesis(chapters=CHAPTERS, keyMoments=MOMENTS, entities=ENTITIES, topics=["Bread", "Flour"]),
    title="How to bake",
    durationSeconds=45.0,
)


@pytest.mark.parametrize(
    "question", ["What is this about?", "Summarize the video", "tl;dr", "Give me a short overview"]
)
def test_what_it_is_about_comes_from_the_summary(question):
    answer = ask(question, ABOUT)
    assert answer["answer"].startswith("It is about bread.")
    assert [c["start"] for c in answer["citations"]] == [chapter["start"] for chapter in CHAPTERS]


def test_a_summary_that_quotes_is_cited_where_it_was_said():
    summary = {"tldr": "Flour and water make the dough.", "bullets": []}
    answer = ask("What is this about?", context(SAID, synthesis=synthesis(summary=summary)))
    assert {c["text"] for c in answer["citations"]} == {"Flour and water make the dough."}


def test_without_a_synthesis_the_central_sentences_are_quoted():
    assert ask("What is this about?", context(SAID))["citations"]


def test_chapters_are_listed_and_cited_at_their_beginnings():
    answer = ask("Which chapters are there?", ABOUT)
    assert answer["answer"] == "0:00 The loaf; 0:15 More of it."
    assert [c["start"] for c in answer["citations"]] == [0, CHAPTERS[1]["start"]]


def test_who_speaks():
    answer = ask("Who is speaking?", ABOUT)
    assert answer["answer"] == "2 speakers: Ann (0:40), S2 (0:12)."
    assert [c["text"] for c in answer["citations"]] == [SAID[0]["text"], SAID[2]["text"]]


def test_speakers_that_were_not_told_apart_are_not_invented():
    assert ask("Who speaks?", context(SAID[:1]))["answer"] == "The transcript does not tell the speakers apart."


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How long is the video?", "0:45."),
        ("What is the title?", "“How to bake”"),
        ("What was decided?", "At 0:04: We chose rye flour."),
        ("What are the highlights?", "At 0:04: We chose rye flour."),
        ("Which cities are mentioned?", "Berlin."),
        ("Which people are mentioned?", "This Context notes none."),
    ],
)
def test_other_questions_about_the_whole(question, answer):
    assert ask(question, ABOUT)["answer"] == answer


def test_a_question_about_something_in_it_is_searched_for_though_it_sounds_general():
    assert ask("What was decided about rye?", ABOUT)["citations"][0]["text"] == "We chose rye flour from Berlin."


def test_a_question_that_names_nothing_is_told_what_it_is_about():
    assert ask("Why so?", ABOUT)["answer"].startswith("The question names nothing that could be looked for. In short:")


def test_a_chapter_without_its_segment_is_not_cited():
    lost = [{"start": 3, "end": 9, "title": "Lost", "anchor": 900}]
    assert ask("Which chapters are there?", context(SAID, synthesis=synthesis(chapters=lost)))["citations"] == []


@pytest.mark.parametrize(
    ("question", "starts"),
    [
        ("What is said at 0:16?", range(3, 27)),
        ("What happens in the first 5 seconds?", range(6)),
        ("What is said between 0:10 and 0:12?", range(7, 13)),
        ("What is said in the last five seconds?", range(35, 46)),
        ("What is said at second 30?", range(14, 46)),
    ],
)
def test_a_time_is_answered_with_what_was_said_then(question, starts):
    cited = ask(question, ABOUT)["citations"]
    assert cited
    assert all(int(c["start"]) in starts for c in cited)


@pytest.mark.parametrize("question", ["What did S2 say about the loaf?", "What does Ann say about rye?"])
def test_what_one_speaker_never_said_is_looked_for_with_the_others(question):
    assert ask(question, ABOUT)["citations"]


@pytest.mark.parametrize(("name", "speaker"), [("Ann", "S1"), ("S2", "S2")])
def test_what_a_speaker_says_is_quoted_from_that_speaker(name, speaker):
    cited = ask(f"What does {name} say?", ABOUT)["citations"]
    own = {segment["text"] for segment in SAID if segment["speaker"] == speaker}
    assert cited
    assert {c["text"] for c in cited} <= own


def test_a_time_after_the_end_has_no_words():
    answer = ask("What is said at 2:00:00?", ABOUT)
    assert "ends at" in answer["answer"]
    assert answer["citations"] == []


def test_a_subject_is_looked_for_at_its_time():
    starts = [c["start"] for c in ask("What does she say about flour in the first 10 seconds?", ABOUT)["citations"]]
    assert starts
    assert all(start < 10 for start in starts)


def test_what_was_on_screen_is_told_with_its_time():
    about = context(SAID, scenes=[scene(0, 8, "Welcome"), scene(8, 40, "Ingredients", "500 g spelt")])
    answer = ask("What is on the slide about spelt?", about)
    assert "On screen at about 0:08: Ingredients · 500 g spelt." in answer["answer"]
    assert any("approximate" in note for note in answer["notes"])


def test_what_nobody_says_is_looked_for_on_screen():
    about = context(SAID, scenes=[scene(8, 40, "500 g spelt")])
    assert ask("How much spelt?", about)["answer"] == "On screen at about 0:08: 500 g spelt."


def test_a_picture_without_words_is_answered_from():
    answer = ask("What can be seen?", context(None, scenes=[scene(0, 8, "Ingredients", "500 g spelt")]))
    assert "Ingredients · 500 g spelt" in answer["answer"]
    assert "This Context has no transcript, so no words can be cited." in answer["notes"]


def test_an_empty_context_says_so():
    assert "nothing to answer from" in ask("What is this about?", context(None))["answer"]


def test_the_missing_screen_is_noted():
    assert any("on-screen layer is absent" in note for note in ask("What is said about flour?", ABOUT)["notes"])
    seen = context(SAID, scenes=[scene(0, 9, "Hello")])
    assert not any("absent" in note for note in ask("What is said about flour?", seen)["notes"])


def test_doubtful_transcripts_are_noted():
    about = context(SAID)
    about["transcript"] |= {"timing": "segment-approx", "translatedFrom": "fr"}
    about["coverage"]["ratio"] = 0.734
    notes = " ".join(ask("What is said about flour?", about)["notes"])
    assert "estimates" in notes
    assert "translation from fr" in notes
    assert "73 %" in notes
