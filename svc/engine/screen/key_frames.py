"""The frames of a video worth showing to a model that takes still pictures."""

from dataclasses import dataclass
from pathlib import Path

from svc.engine.media.frames import Frame, Pictures
from svc.engine.screen.changes import changed_blocks, looks
from svc.engine.screen.scenes import MAX_SCENES


@dataclass(frozen=True)
class KeyFrames:
    """The frames in order, and the second up to which the picture could be read."""

    frames: list[Frame]
    until: float


def key_frames(path: Path, fps: float | None = None, max_scenes: int | None = None) -> KeyFrames:
    """The last picture of every still stretch, and some of what moves: `max_scenes` at most.

    Looks `fps` times a second. Of too many, those stay that lie farthest apart. Raises the INPUT_ errors.
    """
    most = max_scenes or MAX_SCENES
    frames: list[Frame] = []
    before = None
    with Pictures(path, fps) as pictures:
        for look in looks(pictures.samples(), pictures.fps):
            gray = look.sample.gray
            if before is not None and before.shape == gray.shape and not changed_blocks(before, gray).any():
                continue
            before = gray
            frames.append(look.sample.frame())
            if len(frames) > most:
                del frames[closest_to_another(frames)]
        return KeyFrames(frames, pictures.until)


def closest_to_another(frames: list[Frame]) -> int:
    """The index of the frame that follows its predecessor soonest; never the first."""
    return min(range(1, len(frames)), key=lambda at: frames[at].time - frames[at - 1].time, default=0)
