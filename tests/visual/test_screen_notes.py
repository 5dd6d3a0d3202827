"""The embedded watcher over drawn videos: what is there to be read is read, and nothing else is told."""

import pytest
import slides
from notes import make_run, notes, squeezed, texts
from recordings import path as recording

from svc.engine.models.local import screen
from svc.engine.models.local.ocr import is_readable
from svc.engine.screen import changes
from svc.engine.visual import watch

DECK = [squeezed([title, *lines]) for title, lines in slides.DECK]


def seen(folder, shown, fps=None, max_scenes=None, **options):
    return notes(slides.write_video(folder / "a.mp4", shown, **options), fps=fps, max_scenes=max_scenes)


def read(found):
    return [squeezed(scene) for scene in texts(found)]


def test_slides_become_scenes_with_their_text(tmp_path):
    found = seen(tmp_path, [(slide, 5) for slide in slides.deck()])
    assert read(found) == DECK
    assert [(scene.start, scene.end) for scene in found.scenes] == [(0, 5), (5, 10), (10, 15)]
    assert (found.value, found.fps, found.until) == ("high", 1.0, 15.0)
    assert found.scenes[0].description == "Slide “Quarterly Results” with 3 lines of text below it."


def test_somebody_in_a_corner_changes_nothing(tmp_path):
    assert read(seen(tmp_path, [(slides.with_speaker(slide), 6) for slide in slides.deck()])) == DECK


def test_a_portrait_video_is_read(tmp_path):
    assert read(seen(tmp_path, [(slide, 3) for slide in slides.deck((360, 640))])) == DECK


def test_a_video_on_its_side_is_read(tmp_path):
    shown = [(slide.transpose(slides.Image.Transpose.ROTATE_90), 3) for slide in slides.deck()]
    assert read(notes(slides.turned(slides.write_video(tmp_path / "a.mp4", shown), 1))) == DECK


def test_credits_that_scroll_are_read_as_one_text(tmp_path):
    names = [f"{part} {name}" for part in ("Camera", "Sound", "Music", "Light") for name in ("Anna Bell", "Carl Dorn")]

    def scroll(second):
        picture = slides.blank(color=slides.BLACK)
        for number, name in enumerate(names):
            slides.write(picture, name, 0.25, 1 + 0.14 * number - 0.1 * second, 20, slides.WHITE)
        return picture

    found = seen(tmp_path, [(scroll, 20)])
    assert max(read(found), key=len) == squeezed(names)


def test_black_is_worth_nothing(tmp_path):
    found = seen(tmp_path, [(slides.blank(color=slides.BLACK), 4)])
    assert (found.value, found.scenes, found.lines) == ("none", [], [])
    assert found.overview == "The video shows a black screen."


def test_a_film_without_text_is_little_worth():
    found = notes(recording("silent_video.mp4"))
    assert (found.value, found.lines) == ("low", [])
    assert [scene.description for scene in found.scenes] == ["Moving picture without text."]


def test_titles_in_a_film_are_read():
    lines = squeezed([text for text, _, _ in notes(recording("bunny_trailer.mp4")).lines])
    assert {"Anunluckybird", "A(slightlyoverweight)bunny", "Andthreerodentpests"} <= set(lines)


def test_a_title_in_a_film_has_the_time_it_stands(tmp_path):
    shown = [(slides.noise(), 10), (slides.deck()[0], 2), (slides.noise(seed=2), 10)]
    (scene,) = [scene for scene in seen(tmp_path, shown).scenes if scene.text]
    assert (squeezed(scene.text)[0], scene.start, scene.end) == ("QuarterlyResults", 10, 12)


def test_text_is_read_though_every_look_finds_another(tmp_path):
    titles = [f"Chapter {name}" for name in ("one", "two", "three", "four", "five")]
    shown = [(slides.slide(title, [f"What there is to say in {title}"]), 4) for title in titles]
    found = seen(tmp_path, shown, fps=0.25)
    assert [scene[0] for scene in read(found)] == squeezed(titles)
    assert found.value == "high"


def test_somebody_in_a_corner_changes_nothing_when_looked_at_seldom(tmp_path):
    shown = [(slides.with_speaker(slide), 12) for slide in slides.deck()]
    assert read(seen(tmp_path, shown, fps=0.25)) == DECK


def test_what_was_read_with_little_certainty_is_left_out():
    readings = [("Results", 0.95), ("R3su|t5", 0.6), ("ej", 0.85), ("--", 0.99)]
    assert [text for text, score in readings if is_readable(text, score)] == ["Results"]


def test_no_more_scenes_than_wanted_and_all_the_text(tmp_path):
    found = seen(tmp_path, [(slide, 3) for slide in slides.deck()], max_scenes=2)
    assert len(found.scenes) == 2
    assert sum(read(found), []) == sum(DECK, [])


def test_the_same_video_gives_the_same_notes(tmp_path):
    path = slides.write_video(tmp_path / "a.mp4", [(slides.with_speaker(slide), 3) for slide in slides.deck()])
    assert notes(path) == notes(path)


def test_progress_is_told_in_seconds_of_video(tmp_path):
    path = slides.write_video(tmp_path / "a.mp4", [(slide, 12) for slide in slides.deck()])
    run, events = make_run(tmp_path)
    watch(run, path)
    told = [event["done"] for event in events if event["type"] == "progress"]
    assert told == [12, 24, pytest.approx(36, abs=0.5), 36]
    assert run.watched_seconds == 36


def test_a_later_attempt_goes_on_where_the_first_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(changes, "STRETCH", 10.0)
    monkeypatch.setattr(screen, "STRETCH", 10.0)
    path = slides.write_video(tmp_path / "a.mp4", [(slides.with_speaker(slide), 15) for slide in slides.deck()])
    whole = watch(make_run(tmp_path)[0], path)
    for part in sorted((tmp_path / "parts/visual").glob("*.json"))[2:]:
        part.unlink()
    assert watch(make_run(tmp_path)[0], path) == whole


def test_what_was_watched_is_not_watched_again(tmp_path, monkeypatch):
    path = slides.write_video(tmp_path / "a.mp4", [(slide, 3) for slide in slides.deck()])
    whole = watch(make_run(tmp_path)[0], path)
    monkeypatch.setattr(screen.Watching, "sight", pytest.fail)
    assert watch(make_run(tmp_path)[0], path) == whole


def test_only_so_many_pictures_are_read_closely(tmp_path, monkeypatch):
    monkeypatch.setattr(screen, "BURST", 1)
    monkeypatch.setattr(screen, "READS_PER_HOUR", 0)
    assert read(seen(tmp_path, [(slide, 3) for slide in slides.deck()])) == DECK[:1]
