import pytest
from contexts import context, segment

from svc.engine.export import to_markdown

SYNTHESIS = {
    "title": "Bread and stars",
    "language": "en",
    "model": "extractive-1",
    "summary": {
        "tldr": "Bread is easy.",
        "bullets": ["Feed the starter.", "Fold the dough."],
        "long": "It all takes time.",
    },
    "chapters": [{"start": 65.0, "end": 90.0, "title": "Dough", "summary": "Fold it.", "anchor": 0}],
    "keyMoments": [{"time": 70.0, "label": "We use rye.", "kind": "decision", "segmentIndex": 0}],
    "entities": [],
    "topics": [],
    "glossaryFixes": [],
}
SAID = segment(65.0, 66.0, "Fold the dough.")


def test_a_whole_context():
    assert to_markdown(context(SAID, synthesis=SYNTHESIS)) == (
        "# Bread and stars\n\nSource: <https://media.example/talk>\n\n1:02:05\n\n"
        "## Summary\n\nBread is easy.\n\n- Feed the starter.\n- Fold the dough.\n\nIt all takes time.\n\n"
        "## Chapters\n\n- 1:05 **Dough**  \n  Fold it.\n\n"
        "## Key moments\n\n- 1:10 We use rye. (decision)\n\n"
        "## Transcript\n\n1:05  \nFold the dough.\n"
    )


@pytest.mark.parametrize(
    ("url", "link"),
    [
        ("https://www.youtube.com/watch?v=abc&t=9", "[1:05](<https://www.youtube.com/watch?v=abc&t=65s>)"),
        ("https://youtu.be/abc", "[1:05](<https://youtu.be/abc?t=65s>)"),
        ("https://www.youtube.com.evil.example/watch?v=abc", "- 1:05 "),
        ("https://media.example/talk", "- 1:05 "),
    ],
)
def test_times_are_links_only_where_the_site_takes_them(url, link):
    assert link in to_markdown(context(SAID, synthesis=SYNTHESIS, url=url))


def test_speakers_stand_before_their_paragraphs():
    said = [
        segment(0, 1, "Hi.", speaker="S1"),
        segment(1, 2, "Well.", speaker="S1"),
        segment(2, 3, "Yes?", speaker="S2"),
    ]
    text = to_markdown(context(*said, speakers=[{"id": "S1", "label": "Ann"}]))
    assert "**Ann** 0:00  \nHi. Well.\n\n**S2** 0:02  \nYes?\n" in text


def test_on_screen_text_has_a_section():
    scenes = [
        {"start": 3.0, "end": 9.0, "description": "A slide", "onScreenText": ["Dough", "Flour"], "timingApprox": True}
    ]
    assert "## On screen\n\n- 0:03 A slide: Dough / Flour" in to_markdown(context(SAID, visual={"scenes": scenes}))


@pytest.mark.parametrize(
    ("description", "written"),
    [
        ("A chart, and a title below it.", "A chart, and a title below it: Dough"),
        ("Slide “Costs”.", "Slide “Costs”: Dough"),
        ("面团。", "面团: Dough"),
        ("Who is it?", "Who is it? Dough"),
        ("", "Dough"),
    ],
)
def test_a_description_leads_up_to_the_text(description, written):
    scenes = [{"start": 3.0, "end": 9.0, "description": description, "onScreenText": ["Dough"], "timingApprox": True}]
    assert f"- 0:03 {written}\n" in to_markdown(context(SAID, visual={"scenes": scenes}))


def test_a_description_without_text_stays_a_sentence():
    scenes = [{"start": 3.0, "end": 9.0, "description": "A black screen.", "onScreenText": [], "timingApprox": True}]
    assert "- 0:03 A black screen.\n" in to_markdown(context(SAID, visual={"scenes": scenes}))


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("<script>alert(1)</script>", r"\<script\>alert(1)\</script\>"),
        ("# no heading", r"\# no heading"),
        ("1. no list", r"1\. no list"),
        ("- no list", r"\- no list"),
        ("a *b* _c_ `d` [e](f)", r"a \*b\* \_c\_ \`d\` \[e\](f)"),
        ("x | y ~z~ \\", r"x \| y \~z\~" + " \\\\"),
        ("---", r"\---"),
        ("=", r"\="),
        ("&lt;b&gt;", r"\&lt;b\&gt;"),
    ],
)
def test_what_was_said_is_never_markup(said, written):
    assert to_markdown(context(segment(0, 1, said))).endswith(f"  \n{written}\n")


def test_only_web_addresses_are_linked():
    assert "javascript" not in to_markdown(context(SAID, url="javascript:alert(1)"))


def test_a_file_is_named():
    source = {"kind": "file", "provider": "local", "fileName": "my_talk.mp4"}
    assert "Source: my\\_talk.mp4" in to_markdown(context(SAID, source=source))


def test_no_speech_has_no_transcript():
    assert to_markdown(context()) == "# A talk\n\nSource: <https://media.example/talk>\n\n1:02:05\n"
