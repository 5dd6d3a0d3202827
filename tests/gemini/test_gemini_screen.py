"""Notes on the picture: a small copy goes to the provider, and its notes come back in order."""

import av
import pytest
import recordings
from gemini_fake import faults

from svc.core.errors import EngineError
from svc.engine.models.gemini import files, picture, times, watcher
from svc.engine.models.gemini.picture import small_copy
from svc.engine.models.gemini.times import seconds_of, spans_in, windows


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(files, "POLL_SECONDS", 0.01)


def scene(start, end, description="A slide.", *text):
    return {"start": start, "end": end, "description": description, "text": list(text)}


def notes(*scenes, value="high", overview="A talk."):
    return lambda question: {"overview": overview, "value": value, "scenes": list(scenes)}


def videos(gemini):
    return [body["input"][0]["content"][0] for body in gemini.asked()]


def test_the_notes_are_what_the_model_saw(run, gemini, video_clip):
    gemini.script(notes(scene("00:00", "00:01", "A slide.", " Title ", ""), scene("00:01", "00:03")))
    seen = watcher(run).watch(video_clip, None, None)
    assert (seen.value, seen.overview, seen.fps, seen.by_link) == ("high", "A talk.", 0.5, False)
    assert [(s.start, s.end, s.text) for s in seen.scenes] == [(0, 1, ["Title"]), (1, 3, [])]
    assert seen.lines == [("Title", 0, 1)] and seen.until == pytest.approx(3, abs=0.1)


def test_nothing_stays_behind(run, gemini, video_clip, tmp_path):
    watcher(run).watch(video_clip, None, None)
    assert gemini.files.files == {} and not list(tmp_path.glob("picture*"))


def test_the_text_comes_after_the_video(run, gemini, video_clip):
    watcher(run).watch(video_clip, 1.0, None)
    parts = gemini.asked()[0]["input"][0]["content"]
    assert [part["type"] for part in parts] == ["video", "text"] and parts[0]["processing"]["fps"] == 1.0


def test_a_long_video_is_seen_in_windows(run, gemini, video_clip, monkeypatch):
    monkeypatch.setattr(times, "WINDOW", 1.0)
    seen = watcher(run).watch(video_clip, 2.0, None)
    assert [video["processing"]["start_offset"] for video in videos(gemini)] == ["0s", "1s", "2s"]
    assert len({video["uri"] for video in videos(gemini)}) == 1 and seen.until == pytest.approx(3, abs=0.1)
    assert [s.start for s in seen.scenes] == sorted(s.start for s in seen.scenes)


@pytest.mark.parametrize("absolute", [False, True])
def test_times_count_from_the_window_or_the_video(run, gemini, video_clip, monkeypatch, absolute):
    monkeypatch.setattr(times, "WINDOW", 2.0)
    gemini.absolute_times = absolute
    starts = [s.start for s in watcher(run).watch(video_clip, 2.0, None).scenes]
    assert starts == [0, 1, 2, 2]


def test_a_finished_window_is_not_paid_for_again(run, gemini, video_clip, monkeypatch):
    monkeypatch.setattr(times, "WINDOW", 1.0)
    gemini.fail_next("interactions", None, faults.PAYMENT)
    with pytest.raises(EngineError, match="QUOTA"):
        watcher(run).watch(video_clip, 2.0, None)
    watcher(run).watch(video_clip, 2.0, None)
    assert [video["processing"]["start_offset"] for video in videos(gemini)] == ["0s", "1s", "1s", "2s"]


def test_notes_end_where_the_model_declines(run, gemini, video_clip, monkeypatch):
    monkeypatch.setattr(times, "WINDOW", 1.0)
    gemini.fail_next("interactions", None, faults.SAFETY)
    assert watcher(run).watch(video_clip, 2.0, None).until == 1


def test_a_video_that_the_model_declines_is_an_error(run, gemini, video_clip):
    gemini.fail_next("interactions", faults.SAFETY)
    with pytest.raises(EngineError, match="CONTENT_BLOCKED"):
        watcher(run).watch(video_clip, None, None)


def test_a_picture_that_tells_nothing_has_no_scenes(run, gemini, video_clip):
    gemini.script(notes(scene("00:00", "00:02"), value="none"))
    seen = watcher(run).watch(video_clip, None, None)
    assert (seen.value, seen.scenes, seen.lines) == ("none", [], [])


def test_no_more_scenes_are_asked_for_than_wanted(run, gemini, video_clip):
    watcher(run).watch(video_clip, None, 1)
    assert "At most 1 scenes" in gemini.asked()[0]["input"][0]["content"][1]["text"]


def test_times_that_make_no_sense_are_put_right(run, gemini, video_clip):
    gemini.script(notes(scene("soon", "later"), scene("00:02", "00:01"), scene("00:01", "99:00", "To the end.")))
    seen = watcher(run).watch(video_clip, None, None)
    assert [(s.start, round(s.end)) for s in seen.scenes] == [(1, 3), (2, 2)]


def test_sound_without_a_picture_is_refused(run, gemini):
    with pytest.raises(EngineError, match="INPUT_UNSUPPORTED"):
        watcher(run).watch(recordings.path("jfk.wav"), None, None)


def test_the_copy_is_small_silent_and_nameless(tmp_path):
    source, out = recordings.path("bunny_trailer.mp4"), tmp_path / "copy.mp4"
    copied = small_copy(source, out, 1.0)
    with av.open(str(out)) as container, av.open(str(source)) as original:
        stream = container.streams.video[0]
        assert not container.streams.audio and "title" not in container.metadata
        assert min(stream.width, stream.height) <= picture.SHORT_SIDE
        assert copied.seconds == pytest.approx(original.duration / av.time_base, abs=1)
        assert container.duration / av.time_base == pytest.approx(copied.seconds, abs=1.5)
    assert out.stat().st_size < source.stat().st_size / 2


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("01:05", 65), ("1:00:05", 3605), ("75:30.5", 4530.5), ("12s", 12), ("12.5", 12.5), ("x", None)],
)
def test_written_times(text, seconds):
    assert seconds_of(text) == seconds


def test_windows_cover_everything_once():
    assert windows(2700) == [(0, 900), (900, 1800), (1800, 2700)] and windows(1000) == [(0, 500), (500, 1000)]


@pytest.mark.parametrize(
    ("written", "spans"),
    [
        ([("00:00", "10:00"), ("10:00", "15:00")], [(900, 1500), (1500, 1800)]),
        ([("00:00", "15:00")], [(900, 1800)]),
        ([("14:59", "30:00")], [(900, 1800)]),
        ([("14:59", "25:00"), ("25:00", "30:00")], [(900, 1500), (1500, 1800)]),
        ([("00:30", "99:00"), ("00:40", "never"), ("soon", "00:50")], [(930, 1800), (940, 940), None]),
    ],
)
def test_times_lie_in_their_window(written, spans):
    assert spans_in((900, 1800), written) == spans
