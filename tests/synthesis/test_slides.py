from talks import digest, run, seen, sentences_of, timed, transcript

from svc.engine.seen import Scene
from svc.engine.synthesis.slides import slides
from svc.engine.synthesize import synthesize

CITIES = sentences_of("""
It was the best of times, it was the worst of times. It was the age of wisdom, it was the age of foolishness. It was the
epoch of belief, it was the epoch of incredulity. It was the season of light, it was the season of darkness. It was the
spring of hope, it was the winter of despair. We had everything before us, we had nothing before us. We were all going
direct to heaven, we were all going direct the other way. In short, the period was so far like the present period that
some of its noisiest authorities insisted on its being received in the superlative degree of comparison only.
""")
SLIDES = [
    Scene(0, 11, "", ["The Best of Times", "Wisdom and foolishness"]),
    Scene(11, 20, "", ["Light and Darkness", "Hope and despair"]),
    Scene(20, 30, "", ["The Other Way", "Everything and nothing"]),
    Scene(30, 44, "", ["The Present Period", "The superlative degree"]),
]
LECTURE = digest(CITIES, meta={"title": "lecture"}, shown=seen(*SLIDES))


def test_slides_make_chapters_of_a_short_recording():
    assert [chapter["title"] for chapter in LECTURE["chapters"]] == [scene.text[0] for scene in SLIDES]
    segments = timed(CITIES)
    assert all(chapter["start"] == segments[chapter["anchor"]].start for chapter in LECTURE["chapters"])


def test_a_slide_beside_which_nothing_is_said_is_no_chapter():
    silent = [*SLIDES, Scene(60, 80, "", ["Any questions?", "Thank you"])]
    chapters = digest(CITIES, shown=seen(*silent))["chapters"]
    assert [chapter["title"] for chapter in chapters] == [scene.text[0] for scene in SLIDES]


def test_slides_are_the_first_bullets():
    assert LECTURE["summary"]["bullets"][:4] == [": ".join(scene.text) for scene in SLIDES]


def test_the_short_answer_beside_slides_was_said():
    assert LECTURE["summary"]["tldr"].startswith("The period was so far like the present period")


def test_topics_that_are_also_shown_come_first():
    assert {"Present period", "Superlative degree"} <= set(LECTURE["topics"][:2])


def test_slides_that_pass_quickly_or_fill_little_count_for_nothing():
    assert slides([Scene(at, at + 3, "", [f"Slide number {at}"]) for at in range(0, 60, 3)], 60) == []
    assert slides(SLIDES[:1], 60) == []


def test_a_slide_that_builds_up_is_one():
    built = [Scene(0, 5, "", ["The Best of Times"]), Scene(5, 12, "", ["The Best of Times", "Wisdom"])]
    assert [(slide.line, slide.seconds) for slide in slides(built, 12)] == [("The Best of Times: Wisdom", 12)]


def test_two_single_words_are_no_title_of_a_short_recording():
    lines = [
        "Laugh heartily.",
        "They laugh.",
        "So heartily!",
        "Laugh, laugh.",
        "Heartily they go.",
        "We went there to eat.",
    ]
    assert digest(lines, meta={"title": "trip"})["title"] == "Trip"


def told(speakers):
    return synthesize(run(), transcript(timed(CITIES, speakers=speakers)), {})["summary"]["tldr"]


def test_people_who_take_turns_have_a_conversation():
    assert told(["S1", "S2"] * 4).startswith("A conversation between two people. ")
    assert told(["S1", "S2", "S3", "S1"] * 2).startswith("A conversation between several people. ")


def test_one_after_the_other_is_no_conversation():
    assert "conversation" not in told(["S1"] * 4 + ["S2"] * 4)


def test_in_short_is_cut_from_the_front_but_in_short_supply_is_not():
    assert digest(["In short, the loaf of bread was good."])["summary"]["tldr"] == "The loaf of bread was good."
    assert digest(["In short supply were the loaves."])["summary"]["tldr"].startswith("In short supply")
