from talks import BREAD, STARS, digest, run, seen, sentences_of, timed, transcript

from svc.engine.seen import Scene
from svc.engine.synthesis.chapters import MIN_SECONDS
from svc.engine.synthesize import synthesize

LINES = sentences_of(BREAD) + sentences_of(STARS)
BORDER = len(sentences_of(BREAD))


def test_a_new_topic_begins_a_chapter():
    chapters = digest(LINES)["chapters"]
    assert [chapter["anchor"] for chapter in chapters] == [0, BORDER]


def test_a_chapter_starts_with_its_segment_and_ends_with_the_next():
    segments, chapters = timed(LINES), digest(LINES)["chapters"]
    assert [chapter["start"] for chapter in chapters] == [segments[chapter["anchor"]].start for chapter in chapters]
    assert [chapter["end"] for chapter in chapters] == [chapters[1]["start"], segments[-1].end]


def test_titles_are_made_of_words_of_the_chapter():
    for chapter, text in zip(digest(LINES)["chapters"], (BREAD, STARS), strict=True):
        assert set(chapter["title"].lower().split()) <= {*text.lower().replace(".", "").replace(",", "").split(), "and"}


def test_titles_tell_chapters_apart():
    titles = [chapter["title"].lower() for chapter in digest(LINES)["chapters"]]
    assert "dough" in titles[0] or "bread" in titles[0]
    assert "telescope" in titles[1]


def test_chapters_are_not_shorter_than_a_minute():
    chapters = digest([*LINES] * 3)["chapters"]
    assert all(chapter["end"] - chapter["start"] >= MIN_SECONDS for chapter in chapters)


def test_a_short_text_is_one_chapter():
    assert len(digest(sentences_of(BREAD)[:5])["chapters"]) == 1


def test_a_few_words_are_no_chapter():
    assert digest(["Hello my dear friend."])["chapters"] == []


def test_the_uploaders_chapters_are_kept():
    given = [
        {"start": 0, "end": 30, "title": "Intro"},
        {"start": 30, "end": 70, "title": "Dough"},
        {"start": 70, "end": 150, "title": "Stars"},
    ]
    segments, chapters = timed(LINES), digest(LINES, meta={"chapters": given})["chapters"]
    assert [chapter["title"] for chapter in chapters] == ["Intro", "Dough", "Stars"]
    assert all(chapter["start"] == segments[chapter["anchor"]].start for chapter in chapters)


def test_an_uploaders_chapter_without_speech_is_left_out():
    given = [{"start": 0, "title": "Talk"}, {"start": 40, "title": "More"}, {"start": 9000, "title": "Music"}]
    assert [chapter["title"] for chapter in digest(LINES, meta={"chapters": given})["chapters"]] == ["Talk", "More"]


def test_a_slide_gives_its_chapter_the_title():
    end = timed(LINES)[-1].end
    border = timed(LINES)[BORDER].start
    shown = seen(Scene(0, border, "", ["Sourdough at home"]), Scene(border, end, "", ["Seeing the stars"]))
    chapters = digest(LINES, meta={"title": "A talk"}, shown=shown)["chapters"]
    assert [chapter["title"] for chapter in chapters] == ["Sourdough at home", "Seeing the stars"]


def test_one_endless_segment_is_one_chapter():
    text = " ".join(LINES)
    assert len(digest([text])["chapters"]) == 1


def test_repeated_words_are_no_topics():
    assert len(digest(["Thank you."] * 300)["chapters"]) == 1


def test_overlapping_segments_keep_their_anchors():
    segments = timed(LINES, pause=-1.5)
    assert [segment.start for segment in segments] == sorted(segment.start for segment in segments)
    chapters = synthesize(run(), transcript(segments), {})["chapters"]
    assert all(chapter["start"] == segments[chapter["anchor"]].start for chapter in chapters)
