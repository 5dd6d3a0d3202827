"""Stage `visual`: notes on what is on screen, checked and kept within the video."""

from dataclasses import replace
from pathlib import Path

from svc.core.errors import EngineError
from svc.engine.media.probe import probe
from svc.engine.models.roles import watcher
from svc.engine.run import Run
from svc.engine.seen import Scene, Seen

CUT_SHORT = 5.0  # seconds, or two looks, that may be missing at the end
NOTICEABLE = 0.5  # seconds past the end that are worth a warning


def watch(run: Run, path: Path) -> Seen:
    """What the run's watcher saw, its times within the video, no more scenes than wanted.

    Raises INPUT_UNSUPPORTED where there is no picture, SOURCE_TOO_LONG beyond the request's limit, and what the
    watcher raises.
    """
    found = probe(path)
    if not found.has_video:
        raise EngineError("INPUT_UNSUPPORTED", "There is no picture in this media.", hint="Use mode audio.")
    if run.request.max_seconds and found.duration and found.duration > run.request.max_seconds:
        raise EngineError("SOURCE_TOO_LONG")
    options = run.request.options
    return checked(run, watcher(run).watch(path, options.fps, options.max_scenes), found.duration)


def checked(run: Run, seen: Seen, duration: float | None) -> Seen:
    """The notes kept within the video and the wanted number of scenes; warns where they stop before the end."""
    end = duration or seen.until
    run.watched_seconds = min(seen.until, end)
    run.progress(end, end, "seconds")
    if end - seen.until > max(CUT_SHORT, 2 / seen.fps):
        run.warn(
            "VISUAL_TRUNCATED",
            f"The notes on what is on screen stop after {seen.until:.0f} of {end:.0f} seconds.",
            until=round(seen.until, 3),
        )
    return tidied(clamped(run, seen, end), run.request.options.max_scenes)


def clamped(run: Run, seen: Seen, end: float) -> Seen:
    """Times past the end are pulled back to it; a scene that lies past it altogether goes."""
    late = max([scene.end for scene in seen.scenes] + [last for _, _, last in seen.lines], default=end) - end
    if late > NOTICEABLE:
        run.warn("DURATION_CLAMPED", "Some times lay past the end and were pulled back to it.", seconds=round(late, 2))
    scenes = [
        replace(s, start=max(0.0, s.start), end=min(s.end, end)) for s in seen.scenes if s.start < end or s.start == 0
    ]
    lines = [(text, min(first, end), min(last, end)) for text, first, last in seen.lines]
    return replace(seen, scenes=scenes, lines=lines)


def tidied(seen: Seen, most: int | None) -> Seen:
    """Scenes and lines in order; nothing of value has no scenes; too many scenes become fewer."""
    scenes = [] if seen.value == "none" else sorted(seen.scenes, key=lambda scene: scene.start)
    while most and len(scenes) > most:
        at = min(range(1, len(scenes)), key=lambda index: scenes[index].end - scenes[index].start)
        scenes[at - 1 : at + 1] = [together(scenes[at - 1], scenes[at])]
    return replace(seen, scenes=scenes, lines=sorted(seen.lines, key=lambda line: line[1]))


def together(one: Scene, other: Scene) -> Scene:
    text = one.text + [line for line in other.text if line not in one.text]
    return Scene(one.start, max(one.end, other.end), f"{one.description} {other.description}", text)
