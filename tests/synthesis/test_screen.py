import pytest
from talks import run, seen

from svc.engine.seen import Scene
from svc.engine.synthesize import synthesize

SLIDES = seen(
    Scene(0, 20, "", ["Budget of the city", "Roads and bridges", "Ann Lee"]),
    Scene(20, 60, "", ["Roads and bridges", "Berlin pays 30 million"]),
    Scene(60, 90, "A dog runs on a beach.", []),
    overview="Two slides about roads, then a dog.",
)


def shown(scenes=SLIDES, detail="full", **meta):
    return synthesize(run(detail), None, meta, scenes)


def test_the_first_heading_gives_the_title():
    assert shown()["title"] == "Budget of the city"


def test_the_sources_own_title_comes_first():
    assert shown(title="City council, May")["title"] == "City council, May"


def test_the_overview_is_the_short_answer():
    assert shown()["summary"]["tldr"] == "Two slides about roads, then a dog."


def test_without_an_overview_the_headings_are():
    slides = seen(Scene(0, 9, "", ["Budget of the city"]), Scene(9, 20, "", ["Roads and bridges"]))
    assert shown(slides)["summary"]["tldr"] == "Roads and bridges"


def test_every_scene_has_its_bullet():
    assert shown()["summary"]["bullets"] == [
        "Budget of the city: Roads and bridges",
        "Roads and bridges: Berlin pays 30 million",
        "A dog runs on a beach.",
    ]


def test_what_is_said_of_several_scenes_is_no_bullet():
    film = [Scene(start, start + 9, "Moving picture without text.", []) for start in (0, 20)]
    between = Scene(9, 20, "", ["An unlucky bird."])
    value = shown(seen(film[0], between, film[1], overview="A film."), title="Big Buck Bunny")
    assert value["summary"]["bullets"] == ["An unlucky bird."]


def test_what_comes_up_again_is_a_topic():
    assert "Roads and bridges" in shown()["topics"] or "Roads" in shown()["topics"]


def test_names_on_screen_are_entities():
    assert {"name": "Berlin", "kind": "places", "mentions": 1} in shown()["entities"]


def test_there_is_nothing_to_lay_chapters_on():
    assert (shown()["chapters"], shown()["keyMoments"]) == ([], [])


def test_brief_leaves_entities_out():
    assert shown(detail="brief")["entities"] == []


@pytest.mark.parametrize("scenes", [seen(), seen(Scene(0, 1, "", [""])), seen(Scene(0, 1, "", ["?"]))])
def test_a_screen_that_shows_nothing_has_an_empty_synthesis(scenes):
    assert shown(scenes)["title"] == "Untitled"
