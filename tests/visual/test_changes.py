"""When the screen has changed, and when only something in it moves."""

import pytest
import slides

from svc.engine.media.frames import Pictures
from svc.engine.screen.changes import looks

DECK = slides.deck()


def looked(path, shown):
    slides.write_video(path / "a.mp4", shown)
    with Pictures(path / "a.mp4") as pictures:
        return list(looks(pictures.samples(), pictures.fps))


def test_each_slide_is_looked_at_once_at_its_end(tmp_path):
    found = looked(tmp_path, [(slide, 5) for slide in DECK])
    assert [(look.start, look.end) for look in found] == [(0, 5), (5, 10), (10, pytest.approx(14.8))]
    assert [look.sample.time for look in found] == [4, 9, pytest.approx(14.8)]


def test_one_new_line_is_a_change(tmp_path):
    title, lines = slides.DECK[0]
    assert len(looked(tmp_path, [(built, 4) for built in slides.builds(title, lines)])) == 3


def test_somebody_moving_in_a_corner_is_no_change(tmp_path):
    found = looked(tmp_path, [(slides.with_speaker(slide), 8) for slide in DECK])
    assert [look.end for look in found[:-1]] == [8, 16]
    assert all(0 < look.busy.mean() < 0.2 for look in found)


def test_a_moving_picture_is_looked_at_every_few_seconds(tmp_path):
    found = looked(tmp_path, [(slides.noise(), 10)])
    assert [look.end for look in found[:-1]] == [3, 6, 9] and all(look.moving for look in found)


def test_a_moving_picture_can_be_looked_at_more_often(tmp_path):
    slides.write_video(tmp_path / "a.mp4", [(slides.noise(), 5)])
    with Pictures(tmp_path / "a.mp4") as pictures:
        assert [look.end for look in looks(pictures.samples(), pictures.fps, every=1.0)][:-1] == [1, 2, 3, 4]


def test_samples_far_apart_that_differ_are_each_a_look(tmp_path):
    slides.write_video(tmp_path / "a.mp4", [(slide, 5) for slide in DECK])
    with Pictures(tmp_path / "a.mp4", 0.2) as pictures:
        assert [look.start for look in looks(pictures.samples(), pictures.fps)] == [0, 5, 10]


def test_a_look_does_not_last_through_what_cannot_be_read(tmp_path):
    path = slides.write_video(tmp_path / "a.mkv", [(slide, 10) for slide in DECK], options={"g": str(slides.RATE)})
    with Pictures(slides.damaged(path, 0.45, 0.6)) as pictures:
        found = list(looks(pictures.samples(), pictures.fps))
    (after,) = [look for look in found if look.after_hole]
    assert found[found.index(after) - 1].end < after.start


def test_a_title_within_a_film_is_looked_at_while_it_stands(tmp_path):
    found = looked(tmp_path, [(slides.noise(), 10), (DECK[0], 3), (slides.noise(), 10)])
    assert any(10 < look.sample.time < 13 for look in found)


def test_a_transition_is_not_looked_at(tmp_path):
    def fade(second):
        return slides.Image.blend(DECK[0], DECK[1], min(1.0, second))

    found = looked(tmp_path, [(DECK[0], 4), (fade, 1), (DECK[1], 4)])
    assert [look.sample.time for look in found] == [4, pytest.approx(8.8)]


def test_a_still_picture_is_looked_at_once_in_five_minutes(tmp_path):
    found = looked(tmp_path, [(DECK[0], 310)])
    assert [(look.start, look.end) for look in found] == [(0, 300), (300, pytest.approx(309.8))]
