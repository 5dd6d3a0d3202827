import pytest
import recordings
from clips import write_media

from svc.engine.media.subtitles import read_subtitles

LINES = [(0.5, 1.2, "Hello {\\i1}there{\\i0},\\Nfriend"), (1.3, 1.9, "General Kenobi.")]


@pytest.mark.parametrize(
    ("name", "codec"), [("a.mp4", "mov_text"), ("a.mkv", "subrip"), ("b.mkv", "ass"), ("c.mkv", "webvtt")]
)
def test_every_text_format_is_read_with_its_times(name, codec, tmp_path):
    transcript = read_subtitles(write_media(tmp_path / name, subtitles=(codec, LINES)))
    assert [segment.text for segment in transcript.segments] == ["Hello there, friend", "General Kenobi."]
    assert [(segment.start, segment.end) for segment in transcript.segments] == [(0.5, 1.2), (1.3, 1.9)]


def test_they_count_as_manual_captions(tmp_path):
    transcript = read_subtitles(write_media(tmp_path / "a.mp4", subtitles=("mov_text", LINES)))
    assert (transcript.origin, transcript.timing, transcript.language) == ("captions-manual", "caption", "en")


def test_a_file_without_subtitles_has_none():
    assert read_subtitles(recordings.path("bunny.mp4")) is None


def test_a_line_without_a_length_has_an_estimated_end(tmp_path):
    (line,) = read_subtitles(write_media(tmp_path / "a.mkv", subtitles=("subrip", [(0.5, 0.5, "Hi.")]))).segments
    assert line.open and line.end > line.start


def test_an_empty_track_is_none(tmp_path):
    assert read_subtitles(write_media(tmp_path / "a.mkv", subtitles=("subrip", []))) is None
