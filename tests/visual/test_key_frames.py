"""The frames worth showing to a model that takes still pictures."""

import io

import slides
from PIL import Image

from svc.engine.screen.key_frames import key_frames


def test_each_slide_is_shown_once(tmp_path):
    path = slides.write_video(tmp_path / "a.mp4", [(slides.with_speaker(slide), 6) for slide in slides.deck()])
    frames = key_frames(path).frames
    assert [round(frame.time) for frame in frames] == [5, 11, 18]
    assert Image.open(io.BytesIO(frames[0].jpeg)).size == slides.SIZE


def test_of_too_many_frames_those_far_apart_stay(tmp_path):
    path = slides.write_video(tmp_path / "a.mp4", [(slide, 3) for slide in slides.deck() * 3])
    frames = key_frames(path, max_scenes=4).frames
    assert len(frames) == 4
    assert min(after.time - before.time for before, after in zip(frames, frames[1:], strict=False)) > 3


def test_a_still_picture_is_shown_once(tmp_path):
    path = slides.write_video(tmp_path / "a.mp4", [(slides.deck()[0], 310)])
    assert len(key_frames(path).frames) == 1
