"""Looking at a file's picture: when, which way up, and past what is damaged."""

from fractions import Fraction

import av
import numpy as np
import pytest
import slides
from recordings import path as recording

from svc.core.errors import EngineError
from svc.engine.media import frames
from svc.engine.media.frames import Pictures

WHITE_ABOVE = slides.blank()
WHITE_ABOVE.paste(slides.BLACK, (0, 180, 640, 360))
EVERY_SECOND = {"preset": "ultrafast", "g": str(slides.RATE)}


def looked(path, fps=None, start=0.0):
    with Pictures(path, fps) as pictures:
        return list(pictures.samples(start)), pictures


def brightness(path):
    """Of the four sides of the first picture: above, right, below, left."""
    gray = looked(path)[0][0].gray
    return [round(float(part.mean())) for part in (gray[:20], gray[:, -20:], gray[-20:], gray[:, :20])]


def test_one_look_a_second_and_one_at_the_end(tmp_path):
    samples, pictures = looked(slides.write_video(tmp_path / "a.mp4", [(slides.blank(), 3)]))
    assert [sample.time for sample in samples] == [0.0, 1.0, 2.0, pytest.approx(2.8)]
    assert (pictures.fps, pictures.until) == (1.0, 3.0)


@pytest.mark.parametrize(("fps", "count"), [(0.1, 2), (0.5, 3), (2, 9)])
def test_as_often_as_asked(tmp_path, fps, count):
    samples, pictures = looked(slides.write_video(tmp_path / "a.mp4", [(slides.blank(), 4)]), fps)
    assert (len(samples), pictures.fps) == (count, fps)


def test_a_video_of_one_frame_is_seen(tmp_path):
    samples, _ = looked(slides.write_video(tmp_path / "a.mp4", [(slides.blank(), 0)]))
    assert [sample.gray.shape for sample in samples] == [(180, 320)]


@pytest.mark.parametrize(("quarters", "bright"), [(0, 0), (1, 1), (2, 2), (3, 3)])
def test_the_picture_is_turned_upright(tmp_path, quarters, bright):
    path = slides.turned(slides.write_video(tmp_path / "a.mp4", [(WHITE_ABOVE, 1)]), quarters)
    sides = brightness(path)
    assert sides[bright] > 250 and sides[(bright + 2) % 4] < 5


def test_pixels_become_square(tmp_path):
    path = slides.write_video(tmp_path / "a.mp4", [(slides.blank((320, 360)), 1)], aspect=Fraction(2, 1))
    sample = looked(path)[0][0]
    assert sample.pixels().shape == (360, 640, 3)


def test_a_huge_picture_is_made_smaller(tmp_path):
    sample = looked(slides.write_video(tmp_path / "a.mp4", [(slides.blank((3840, 2160)), 0)]))[0][0]
    assert sample.pixels().shape == (1080, 1920, 3)


def test_a_jpeg_can_be_had(tmp_path):
    frame = looked(slides.write_video(tmp_path / "a.mp4", [(slides.blank(), 1)]))[0][0].frame()
    assert frame.time == 0.0 and frame.jpeg.startswith(b"\xff\xd8\xff")


def test_a_picture_that_stays_is_seen_again_until_the_next(tmp_path):
    """Screen recordings hold no frames while nothing changes."""
    path = tmp_path / "a.mkv"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=30)
        stream.width, stream.height, stream.pix_fmt = 64, 64, "yuv420p"
        stream.codec_context.time_base = Fraction(1, 1000)
        for milliseconds, level in ((0, 0), (3300, 100), (3400, 200), (9000, 0)):
            frame = av.VideoFrame.from_ndarray(np.full((64, 64, 3), level, np.uint8))
            frame.pts, frame.time_base = milliseconds, Fraction(1, 1000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    levels = [round(float(sample.gray.mean()), -2) for sample in looked(path)[0]]
    assert levels == [0, 0, 0, 0, 200, 200, 200, 200, 200, 0]


def test_one_can_begin_in_the_middle(tmp_path):
    path = slides.write_video(tmp_path / "a.mp4", [(slide, 4) for slide in slides.deck()], options=EVERY_SECOND)
    whole, later = looked(path)[0], looked(path, start=7.0)[0]
    assert [sample.time for sample in later] == [sample.time for sample in whole[7:]]
    assert all((one.gray == other.gray).all() for one, other in zip(later, whole[7:], strict=True))


def test_one_can_begin_in_the_middle_of_a_file_without_key_frames(tmp_path):
    path = slides.write_video(tmp_path / "a.ts", [(slide, 4) for slide in slides.deck()])
    assert [round(sample.time) for sample in looked(path, start=7.0)[0]] == [7, 8, 9, 10, 11, 12]


def test_what_is_damaged_in_the_middle_is_passed_over(tmp_path):
    path = slides.write_video(tmp_path / "a.mkv", [(slides.noise(), 10)], options=EVERY_SECOND)
    samples, pictures = looked(slides.damaged(path, 0.4, 0.5))
    assert samples[-1].time > 9 and pictures.until == pytest.approx(10)


def test_a_file_that_is_cut_short_is_seen_as_far_as_it_goes(tmp_path):
    path = slides.write_video(tmp_path / "a.mkv", [(slides.noise(), 20)], options=EVERY_SECOND)
    _, pictures = looked(slides.damaged(path, 0.5, 1))
    assert pictures.until == pytest.approx(10, abs=1.5)


@pytest.mark.parametrize(("name", "codec"), [("a.mkv", "libx264"), ("a.webm", "libvpx"), ("a.mp4", "libx264")])
def test_nothing_is_seen_of_damage_until_the_next_key_frame(tmp_path, name, codec):
    """Every picture has a brightness of its own, so garbage and repeats would show."""

    def brighter(second):
        return slides.Image.blend(picture, slides.blank(), (int(second) % 10) / 10)

    picture = slides.noise()(0)
    options = {"g": str(5 * slides.RATE), **({"preset": "ultrafast"} if codec == "libx264" else {})}
    path = slides.write_video(tmp_path / name, [(brighter, 30)], codec=codec, options=options)
    whole = {sample.time: sample.gray for sample in looked(path)[0]}
    found, pictures = looked(slides.damaged(path, 0.45, 0.6))
    (hole,) = [sample for sample in found if sample.lost_since is not None]
    assert hole.time % 5 == 0 and hole.lost_since < hole.time - 1
    assert not [sample for sample in found if hole.lost_since < sample.time < hole.time]
    same = [np.abs(sample.gray.astype(int) - whole[sample.time]).mean() < 2 for sample in found if sample.time in whole]
    assert len(same) > 20 and all(same)
    assert pictures.until == pytest.approx(30, abs=0.1)


def test_a_long_video_is_seen_at_its_key_frames(tmp_path, monkeypatch):
    monkeypatch.setattr(frames, "HEAVY", 0)
    path = slides.write_video(tmp_path / "a.mp4", [(slides.noise(), 12)], options={"preset": "ultrafast", "g": "15"})
    samples, pictures = looked(path)
    assert pictures.fps == pytest.approx(1 / 3, abs=0.01)
    assert [round(sample.time) for sample in samples] == [0, 3, 6, 9]


def test_key_frames_that_are_too_far_apart_will_not_do(tmp_path, monkeypatch):
    monkeypatch.setattr(frames, "HEAVY", 0)
    path = slides.write_video(tmp_path / "a.mp4", [(slides.noise(), 12)], options={"preset": "ultrafast", "g": "100"})
    assert looked(path)[1].fps == 1.0


@pytest.mark.parametrize("name", ["jfk.mp3", "jfk.wav"])
def test_sound_alone_has_no_picture(name):
    with pytest.raises(EngineError, match="There is no picture in this media") as refused:
        Pictures(recording(name))
    assert refused.value.code == "INPUT_UNSUPPORTED"


def test_a_picture_of_which_nothing_can_be_decoded_is_refused(tmp_path):
    path = slides.write_video(tmp_path / "a.mp4", [(slides.noise(), 2)])
    with pytest.raises(EngineError, match="cannot be decoded"):
        looked(slides.damaged(path, 0.01, 0.85))
