import recordings
import slides
from clips import tone, write_media, write_wav

from svc.engine.media.probe import probe


def test_a_video_with_sound(tmp_path):
    found = probe(write_media(tmp_path / "clip.mp4", seconds=2))
    assert (found.has_video, found.has_audio, found.container, found.mime) == (True, True, "mp4", "video/mp4")
    assert (found.width, found.height, found.fps) == (64, 48, 10)
    assert abs(found.duration - 2) < 0.1


def test_a_video_from_a_phone_held_upright_is_as_high_as_it_is_shown(tmp_path):
    path = slides.write_video(tmp_path / "a.mp4", [(slides.blank(), 1)])
    assert (probe(path).width, probe(path).height) == (640, 360)
    found = probe(slides.turned(path, 1))
    assert (found.width, found.height) == (360, 640)


def test_a_video_without_sound():
    found = probe(recordings.path("silent_video.mp4"))
    assert found.has_video
    assert not found.has_audio


def test_sound_alone_is_not_video():
    found = probe(recordings.path("jfk.mp3"))
    assert (found.has_video, found.has_audio, found.mime, found.width) == (False, True, "audio/mpeg", None)


def test_cover_art_is_not_video(tmp_path):
    import av
    import numpy as np

    path = tmp_path / "song.mp3"
    with av.open(str(path), "w") as container:
        audio, cover = container.add_stream("mp3", rate=16000), container.add_stream("png", rate=1)
        cover.width, cover.height, cover.pix_fmt = 64, 64, "rgb24"
        cover.disposition = av.stream.Disposition.attached_pic
        container.mux(cover.encode(av.VideoFrame.from_ndarray(np.zeros((64, 64, 3), np.uint8))))
        frame = av.AudioFrame.from_ndarray(tone(1), "s16", "mono")
        frame.rate = 16000
        container.mux(audio.encode(frame))
        container.mux(audio.encode())
    assert not probe(path).has_video


def test_webm_is_told_from_matroska(tmp_path):
    assert probe(write_media(tmp_path / "a.webm", picture=None, sound="libopus", rate=48000)).mime == "audio/webm"
    assert probe(write_media(tmp_path / "a.mkv")).mime == "video/x-matroska"


def test_tags_are_read_as_one_clean_line(tmp_path):
    tags = {"title": "A\ttitle\n of two  lines", "artist": "Somebody"}
    found = probe(write_media(tmp_path / "clip.mp4", tags=tags))
    assert (found.title, found.artist) == ("A title of two lines", "Somebody")


def test_text_subtitles_are_listed(tmp_path):
    path = write_media(tmp_path / "clip.mp4", subtitles=("mov_text", [(0.5, 1, "Hello")]))
    (track,) = probe(path).subtitles
    assert (track.codec, track.language) == ("mov_text", "eng")


def test_the_name_says_nothing(tmp_path):
    path = write_wav(tmp_path / "holiday.txt", tone(1))
    assert probe(path).container == "wav"
