"""The embedded watcher: notes of what can be read on screen, and of whether anything moves."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property, partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from svc.core.errors import EngineError
from svc.engine.media.frames import Pictures
from svc.engine.run import Run
from svc.engine.screen.changes import PROBE, STRETCH, Look, changed_blocks, lead, looks
from svc.engine.screen.lines import Line, in_reading_order
from svc.engine.screen.overview import describe, overview, value_of
from svc.engine.screen.scenes import MAX_SCENES, at_most, stretches, without_gaps
from svc.engine.screen.sight import Sight
from svc.engine.screen.tracks import Tracks
from svc.engine.seen import Scene, Seen

if TYPE_CHECKING:
    from svc.engine.models.local.ocr import Box, TextReader

NAME = "rapidocr-ppocrv6-small"

# Pictures to be read closely: so many at once, and then no more than so many an hour.
BURST, READS_PER_HOUR = 20, 600
BUSY_SHARE = 0.2  # of a line on busy blocks, such as the seconds of a clock
GLANCE = 1.0  # seconds between two glances at a picture that moves
NEAR = 0.02  # of the picture's height; text whose box differs by less stands where it stood
DARK = 24  # of 255, the brightest point of a black screen
PROGRESS_EVERY = 10.0  # seconds of video


class ScreenReader:
    """A Watcher. Every stretch of five minutes is a part of the run and is not looked at twice."""

    name = NAME

    def __init__(self, run: Run):
        self.run = run

    def watch(self, path: Path, fps: float | None = None, max_scenes: int | None = None) -> Seen:
        """Raises the INPUT_ errors, and SOURCE_TOO_LONG beyond the request's limit."""
        sights: list[Sight] = []
        with Pictures(path, fps) as pictures:
            watching = Watching(self.run, pictures)
            for index in count():
                known = sights[-1].lines if sights else []
                part, _ = self.run.part(f"visual/{index:04}", partial(watching.stretch, index, known))
                sights += map(Sight.from_part, part["sights"])
                if part["until"] is not None:
                    return self.notes(sights, pictures.fps, part["until"], max_scenes or MAX_SCENES)
        raise AssertionError("the last part has an end")

    def notes(self, sights: list[Sight], fps: float, until: float, most: int) -> Seen:
        tracks = Tracks(sights)
        found, furniture = stretches(sights, tracks)
        value = value_of(found, tracks.real)
        scenes = [] if value == "none" else at_most(most, found)
        return Seen(
            model=self.name,
            fps=fps,
            value=value,
            overview=overview(found, furniture),
            scenes=[
                Scene(start, end, describe(scene), [track.text for track in scene.tracks])
                for scene, (start, end) in zip(scenes, without_gaps(scenes, until), strict=True)
            ],
            lines=[(track.text, track.first, track.last) for track in tracks.real],
            until=until,
        )


class Watching:
    """Looks through the pictures, stretch after stretch."""

    def __init__(self, run: Run, pictures: Pictures):
        self.run, self.pictures = run, pictures
        self.looks: Iterator[Look] | None = None
        self.ahead: Look | None = None
        self.last: Look | None = None
        self.lines: list[Line] = []
        self.boxes: list[Box] = []  # a glance found when it was read last
        self.glanced: list[Box] = []  # at the last glance
        self.read_at = 0.0  # seconds
        self.told = 0.0

    @cached_property
    def reader(self) -> "TextReader":
        from svc.engine.models.local.ocr import TextReader

        return TextReader()

    def stretch(self, index: int, known: list[Line]) -> dict[str, Any]:
        """The sights of one stretch; with the last one, the second up to which there was something to see.

        `known` are the lines that were seen last, of an earlier attempt perhaps.
        """
        begin, end = index * STRETCH, (index + 1) * STRETCH
        if self.looks is None:
            self.begin_at(begin, known)
        assert self.looks is not None
        sights: list[Sight] = []
        reads = 0
        while self.ahead and self.ahead.start < end:
            allowed = BURST + READS_PER_HOUR * (self.ahead.start - begin) / 3600
            sight, closely = self.sight(self.ahead, may_read=reads < allowed)
            reads += closely
            sights += [sight] if sight else []
            self.tell(self.ahead.end)
            self.ahead = next(self.looks, None)
        until = None if self.ahead else self.pictures.until
        if until and sights:
            sights[-1] = replace(sights[-1], end=max(until, sights[-1].end))
        return {"sights": [sight.to_part() for sight in sights], "until": until}

    def begin_at(self, begin: float, known: list[Line]) -> None:
        fps = self.pictures.fps
        self.looks = looks(self.pictures.samples(max(0.0, begin - lead(fps))), fps, GLANCE)
        for look in self.looks:
            if look.start >= begin:
                self.ahead = look
                return
            self.last, self.lines = look, known

    def tell(self, seconds: float) -> None:
        longest = self.run.request.max_seconds
        if longest and seconds > longest + 1:
            raise EngineError("SOURCE_TOO_LONG")
        if seconds >= self.told + PROGRESS_EVERY:
            self.told = seconds
            self.run.progress(seconds, self.pictures.declared, "seconds")

    def sight(self, look: Look, may_read: bool) -> tuple[Sight | None, bool]:
        """What the look finds, None where it would have to be read but may not, and whether it was read closely."""
        changed = self.changed(look)
        new = bool((changed if look.moving else changed & ~self.restless(look)).any())
        dark, closely = int(look.sample.gray.max()) <= DARK, False
        if dark:
            self.lines, self.boxes = [], []
        elif changed.any() and (new or look.restless or look.seldom):
            picture = look.sample.pixels("bgr24")
            likely = new and self.lines and not look.moving  # where there was text before
            boxes = [] if likely else self.reader.glance(picture)
            closely = bool(likely) or self.is_worth_reading(look, boxes, new)
            if closely and not may_read:
                return None, False
            if closely:
                self.lines = in_reading_order([marked(line, look) for line in self.reader.read(picture)])
                self.boxes, self.read_at = boxes, look.end
            elif new and not boxes:
                self.lines, self.boxes = [], []
            self.glanced = boxes
        if self.last is None or changed.any():
            self.last = look
        busy = round(float(look.busy.mean()), 3)
        return Sight(look.start, look.end, self.lines, busy, dark, new, look.after_hole), closely

    def changed(self, look: Look) -> np.ndarray:
        """The blocks that are not what they were when the picture was looked at last."""
        if self.last is None or self.last.sample.gray.shape != look.sample.gray.shape:
            return np.ones_like(look.busy)
        return changed_blocks(self.last.sample.gray, look.sample.gray)

    def restless(self, look: Look) -> np.ndarray:
        same = self.last is not None and self.last.busy.shape == look.busy.shape
        return look.busy | self.last.busy if self.last and same else look.busy

    def is_worth_reading(self, look: Look, boxes: list["Box"], new: bool) -> bool:
        """Whether a glance found text there.

        In a picture that is known, only text counts that lies where it never rests. In one that moves, text that stands
        where it stood was just read; and after what turned out to be none, only what stands is likely to be some.
        """
        if look.moving and boxes and look.end - self.read_at < PROBE:
            return not same_boxes(boxes, self.boxes) if self.lines else same_boxes(boxes, self.glanced)
        return bool(boxes) if new or look.moving else any(look.busy_share(*box) > BUSY_SHARE for box in boxes)


def same_boxes(some: list["Box"], others: list["Box"]) -> bool:
    if len(some) != len(others):
        return False
    return bool(np.allclose(sorted(some), sorted(others), rtol=0.0, atol=NEAR))


def marked(line: Line, look: Look) -> Line:
    """Text on blocks that never rest is a clock or a pattern, unless everything moves, or only seems to."""
    on_busy = look.busy_share(line.left, line.top, line.right, line.bottom) > BUSY_SHARE
    all_moves = look.moving or look.seldom and any(map(str.isalpha, line.text))
    return replace(line, busy=on_busy and not all_moves)
