import pytest
from talks import BREAD, digest, seen, sentences_of

from svc.engine.seen import Scene
from svc.engine.synthesis.titles import own_title


@pytest.mark.parametrize(
    "name",
    [
        "VID_2023.mp4",
        "IMG_1234",
        "WhatsApp Video 2024-01-02 at 10.11.12",
        "Screen Recording 2024-05-05",
        "output.mp4",
        "GOPR0001.MP4",
        "2024-11-20 12-33-01.mkv",
        "New Recording 5.m4a",
        "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
        "1984.mp3",
        "",
        None,
    ],
)
def test_a_bare_file_name_is_no_title(name):
    assert own_title({"title": name}) is None


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("How to bake bread", "How to bake bread"),
        ("how-to-bake-bread.mp4", "How to bake bread"),
        ("two_cities.wav", "Two cities"),
        ("team-sync_2024-05-01.m4a", "Team sync"),
        ("Dune: Part Two", "Dune: Part Two"),
        ("Node.js", "Node.js"),
        ("会议记录.mp4", "会议记录"),
    ],
)
def test_a_real_title_is_kept(name, title):
    assert own_title({"title": name}) == title


def test_a_word_in_small_letters_gives_way_to_the_first_slide():
    shown = seen(Scene(0, 60, "", ["Baking at home", "by Ann"]))
    assert digest(sentences_of(BREAD), meta={"title": "deck"}, shown=shown)["title"] == "Baking at home"


def test_without_anything_better_a_word_is_the_title():
    assert digest(["We went there."], meta={"title": "trip"})["title"] == "Trip"


def test_without_a_title_the_text_gives_one():
    title = digest(sentences_of(BREAD), meta={"title": "VID_2023.mp4"})["title"]
    assert set(title.lower().replace(" and ", " ").split()) <= set(
        BREAD.lower().replace(".", "").replace(",", "").split()
    )


def test_the_first_slide_gives_the_title_when_the_source_does_not():
    shown = seen(Scene(0, 60, "", ["Baking at home", "by Ann"]))
    assert digest(sentences_of(BREAD), shown=shown)["title"] == "Baking at home"
