"""The stage around the watcher: times within the video, warnings, no more scenes than wanted."""

import pytest
import slides
from notes import make_run
from recordings import path as recording

from svc.core.errors import EngineError
from svc.engine import visual
from svc.engine.seen import Scene, Seen


@pytest.fixture(scope="module")
def video(tmp_path_factory):
    return slides.write_video(tmp_path_factory.mktemp("video") / "a.mp4", [(slides.blank((64, 64)), 20)])


@pytest.fixture
def watched(monkeypatch, tmp_path, video):
    """The stage's notes when the watcher sees so much of a video of 20 seconds, and the run's warnings."""

    def watch(scenes=(), lines=(), until=20.0, value="high", max_scenes=None):
        class Watcher:
            def watch(self, path, fps, most):
                return Seen("model", 1.0, value, "", list(scenes), list(lines), until)

        monkeypatch.setattr(visual, "watcher", lambda run: Watcher())
        run, _ = make_run(tmp_path, max_scenes=max_scenes)
        return visual.watch(run, video), {warning["code"]: warning["data"] for warning in run.warnings}

    return watch


def scene(start, end, text=()):
    return Scene(start, end, "A scene.", list(text))


def test_times_past_the_end_are_pulled_back(watched):
    seen, warnings = watched([scene(0, 15), scene(15, 30), scene(31, 40)], [("late", 10, 50)])
    assert seen.scenes == [scene(0, 15), scene(15, 20)] and seen.lines == [("late", 10, 20)]
    assert warnings == {"DURATION_CLAMPED": {"seconds": 30.0}}


def test_notes_that_stop_early_come_with_a_warning(watched):
    assert watched([scene(0, 9)], until=9.0)[1] == {"VISUAL_TRUNCATED": {"until": 9.0}}


def test_notes_to_the_end_come_without(watched):
    assert watched([scene(0, 20)], until=19.0)[1] == {}


def test_more_scenes_than_wanted_are_put_together(watched):
    seen, _ = watched([scene(0, 9, ["a"]), scene(9, 10, ["a", "b"]), scene(10, 20)], max_scenes=2)
    assert seen.scenes == [Scene(0, 10, "A scene. A scene.", ["a", "b"]), scene(10, 20)]


def test_what_is_worth_nothing_has_no_scenes(watched):
    assert watched([scene(0, 20)], value="none")[0].scenes == []


def test_sound_alone_is_refused(tmp_path):
    with pytest.raises(EngineError, match="There is no picture in this media") as refused:
        visual.watch(make_run(tmp_path)[0], recording("jfk.wav"))
    assert refused.value.code == "INPUT_UNSUPPORTED"


def test_a_video_longer_than_wanted_is_refused(tmp_path, video):
    with pytest.raises(EngineError) as refused:
        visual.watch(make_run(tmp_path, max_seconds=10)[0], video)
    assert refused.value.code == "SOURCE_TOO_LONG"
