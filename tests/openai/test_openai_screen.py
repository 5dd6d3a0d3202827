from dataclasses import replace

import pytest
import slides
from openai_fake import LLAMA_CPP, faults

from svc.core.errors import EngineError
from svc.engine.media.frames import Frame
from svc.engine.models.openai import watcher
from svc.engine.models.openai.screen import PICTURES, scenes_of, spans
from svc.engine.seen import Scene, lines_of

SLIDE_SECONDS = 6
COUNT = 10


@pytest.fixture(scope="module")
def deck(tmp_path_factory):
    """A video of ten slides."""
    shown = [
        (slides.slide(f"Slide {number}", ["One line", "Another"]), SLIDE_SECONDS) for number in range(1, COUNT + 1)
    ]
    return slides.write_video(tmp_path_factory.mktemp("deck") / "deck.mp4", shown)


@pytest.fixture
def watch(run, deck):
    run.current = "visual"
    return lambda: watcher(run).watch(deck, None, None)


def note(first, last, description="A slide.", text=()):
    return {"first": first, "last": last, "description": description, "text": list(text)}


def one_scene_each(question):
    """The notes of a model that sees every picture by itself."""
    if not question.images:
        return None
    scenes = [note(n, n, f"Slide {n}.", [f"Line {n}", "Footer"]) for n in range(1, len(question.images) + 1)]
    return {"overview": f"{len(question.images)} slides.", "value": "high", "scenes": scenes}


def test_every_picture_is_shown_once_and_in_order(watch, openai_server):
    openai_server.script(one_scene_each)
    seen = watch()
    assert (seen.value, len(seen.scenes), seen.model) == ("high", COUNT, "gpt-fake")
    assert seen.scenes[0].start == 0 and seen.until == COUNT * SLIDE_SECONDS
    assert all(a.end == b.start for a, b in zip(seen.scenes, seen.scenes[1:], strict=False))
    assert all(abs(scene.end - SLIDE_SECONDS * n) <= 1.5 for n, scene in enumerate(seen.scenes, 1))


def test_lines_are_known_from_first_to_last(watch, openai_server):
    openai_server.script(one_scene_each)
    lines = {text: (first, last) for text, first, last in watch().lines}
    assert lines["Footer"] == (0, COUNT * SLIDE_SECONDS)
    assert lines["Line 3"][0] > 0


def test_several_questions_make_one_overview(watch, openai_server):
    openai_server.script(one_scene_each)
    openai_server.script(lambda question: None if question.images else {"overview": "Ten slides."})
    assert watch().overview == "Ten slides."
    assert len(openai_server.asked()) == -(-COUNT // PICTURES) + 1


def test_what_has_been_looked_at_is_not_looked_at_again(watch, openai_server):
    watch()
    asked = len(openai_server.asked())
    watch()
    assert len(openai_server.asked()) == asked + 1  # the overview alone


def test_too_many_pictures_at_once_are_shown_in_halves(watch, openai_server):
    openai_server.knows = replace(openai_server.knows, most_images=3)
    openai_server.script(one_scene_each)
    assert len(watch().scenes) == COUNT


def test_notes_that_are_cut_off_are_taken_in_halves(watch, openai_server):
    openai_server.script(one_scene_each)
    openai_server.fail_next("chat", faults.CUT_OFF)
    assert len(watch().scenes) == COUNT


def test_a_picture_that_says_nothing_has_no_scenes(watch, openai_server):
    openai_server.script(lambda question: {"overview": "A face.", "value": "none", "scenes": [note(1, 1)]})
    openai_server.script(lambda question: None if question.images else {"overview": "A face."})
    seen = watch()
    assert (seen.value, seen.scenes, seen.lines) == ("none", [], [])


def test_a_model_without_eyes_is_named_with_its_setting(watch, openai_server):
    openai_server.knows = LLAMA_CPP
    with pytest.raises(EngineError) as caught:
        watch()
    assert caught.value.code == "TOOL_MISSING" and "SVC_OPENAI_MODEL" in caught.value.operator


SHOWN = spans([Frame(time, b"") for time in (2.0, 4.0, 6.0)], 7.0)


def times(*notes):
    return [(scene.start, scene.end) for scene in scenes_of(list(notes), SHOWN)]


def test_a_frame_stands_for_the_time_before_it():
    assert [(shown.start, shown.end) for shown in SHOWN] == [(0, 2), (2, 4), (4, 7)]


def test_scenes_are_put_in_order():
    assert times(note(3, 3), note(1, 2)) == [(0, 4), (4, 7)]


def test_a_picture_is_in_one_scene():
    assert times(note(1, 2), note(2, 3)) == [(0, 4), (4, 7)]


def test_two_notes_on_one_picture_are_one_scene():
    (scene,) = scenes_of([note(1, 1, "A chart.", ["x"]), note(1, 1, "A legend.", ["x", "y"])], SHOWN)
    assert (scene.description, scene.text) == ("A chart. A legend.", ["x", "y"])


@pytest.mark.parametrize("wrong", [note(0, 0), note(9, 12), note(-3, -1)])
def test_pictures_that_were_not_shown_have_no_scene(wrong):
    assert all(0 <= start <= end <= 7 for start, end in times(wrong))


def test_a_scene_that_ends_before_it_begins_is_one_picture():
    assert times(note(2, 1)) == [(2, 4)]


def test_a_line_that_comes_back_is_one_line():
    scenes = [Scene(0, 1, "", ["a"]), Scene(1, 2, "", ["b"]), Scene(2, 3, "", ["a"])]
    assert lines_of(scenes) == [("a", 0, 3), ("b", 1, 2)]


def test_the_notes_end_where_the_picture_does(run, openai_server, tmp_path):
    openai_server.script(one_scene_each)
    shown = [(slides.slide(f"Slide {number}"), SLIDE_SECONDS) for number in range(1, COUNT + 1)]
    whole, half = slides.write_video(tmp_path / "whole.mkv", shown), tmp_path / "half.mkv"
    half.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    run.current = "visual"
    assert watcher(run).watch(half, None, None).until < 0.8 * COUNT * SLIDE_SECONDS
