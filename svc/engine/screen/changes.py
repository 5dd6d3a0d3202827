"""When the screen changes: block by block, leaving out what never rests, such as a speaker's picture in a corner.

A pixel has changed when it differs by more than PIXEL; a block when enough of its pixels have; a block is busy when it
changes in most of the samples around a moment. Any other changed block is a change of the screen.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from svc.engine.media.frames import Sample

BLOCK = 20  # pixels of the grey copy
PIXEL = 18  # levels of 255
MIN_PIXELS = 6  # of a block

AROUND_SECONDS, AROUND_SAMPLES = 20.0, 5  # the wider of the two, before and after
BUSY_SHARE = 0.5  # of the samples around
RESTLESS_SHARE = 0.2  # of the blocks; with so many busy ones something may be going on there, such as text that scrolls
MOVING_SHARE = 0.5  # and with so many the whole picture moves

MIN_STILL = 1.5  # seconds; what stands shorter belongs to a transition
PROBE = 3.0  # seconds after which a restless picture is looked at anyway, at its stillest
SELDOM = 3.0  # seconds between two samples; too many to tell what never rests from what was something else
STRETCH = 300.0  # seconds; every stretch is looked at for itself


@dataclass(frozen=True)
class Look:
    """A picture worth looking at: it stands for `start` to `end`, seconds.

    `busy` are the blocks that never rest around it. `seldom`: samples lie so far apart that busy ones may be slides.
    `after_hole`: what came before could not be read.
    """

    start: float
    end: float
    sample: Sample
    busy: np.ndarray
    seldom: bool = False
    after_hole: bool = False

    @property
    def restless(self) -> bool:
        return share(self.busy) > RESTLESS_SHARE

    @property
    def moving(self) -> bool:
        return share(self.busy) > MOVING_SHARE

    def busy_share(self, left: float, top: float, right: float, bottom: float) -> float:
        """How much of a box is covered by busy blocks; lengths in units of the picture's height."""
        scale = self.sample.gray.shape[0] / BLOCK
        rows = slice(int(top * scale), int(np.ceil(bottom * scale)))
        columns = slice(int(left * scale), int(np.ceil(right * scale)))
        covered = self.busy[rows, columns]
        return float(covered.mean()) if covered.size else 0.0


@dataclass(frozen=True)
class Step:
    """A sample and the blocks that changed since the one before."""

    sample: Sample
    changed: np.ndarray


def lead(fps: float) -> float:
    """Seconds before a moment from which on its surroundings are known."""
    return max(AROUND_SECONDS, AROUND_SAMPLES / fps) + 2 / fps


def changed_blocks(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Two grey copies of the same size to a grid of booleans, one a block."""
    height, width = before.shape
    apart = np.abs(before.astype(np.int16) - after) > PIXEL
    apart = np.pad(apart, ((0, -height % BLOCK), (0, -width % BLOCK)))
    rows, columns = apart.shape[0] // BLOCK, apart.shape[1] // BLOCK
    return apart.reshape(rows, BLOCK, columns, BLOCK).sum(axis=(1, 3)) >= MIN_PIXELS


def looks(samples: Iterable[Sample], fps: float, every: float = PROBE) -> Iterator[Look]:
    """The last picture of every still stretch, and one every so many seconds of what moves as a whole."""
    watching: Watching | None = None
    for step, busy in with_busy(steps(samples), fps):
        if watching is None:
            watching = Watching(step, busy, every, seldom=1 / fps >= SELDOM)
            continue
        yield from watching.go_on(step, busy)
    if watching:
        yield watching.look(watching.last_time)


def steps(samples: Iterable[Sample]) -> Iterator[Step]:
    before = None
    for sample in samples:
        if before is None or before.gray.shape != sample.gray.shape:
            changed = np.full_like(changed_blocks(sample.gray, sample.gray), before is not None)
        elif before.gray is sample.gray:
            changed = np.zeros_like(changed)
        else:
            changed = changed_blocks(before.gray, sample.gray)
        yield Step(sample, changed)
        before = sample


def with_busy(steps: Iterable[Step], fps: float) -> Iterator[tuple[Step, np.ndarray]]:
    """Every step with the blocks that are busy around it."""
    reach = max(AROUND_SAMPLES, round(AROUND_SECONDS * fps))
    around: deque[Step] = deque()
    ahead: deque[Step] = deque()
    total: np.ndarray | None = None
    for step in steps:
        if total is None or total.shape != step.changed.shape:
            while ahead:
                assert total is not None
                yield ahead.popleft(), total > BUSY_SHARE * len(around)
            around.clear()
            total = np.zeros(step.changed.shape, int)
        around.append(step)
        ahead.append(step)
        total += step.changed
        if len(ahead) > reach:
            yield ahead.popleft(), total > BUSY_SHARE * len(around)
        if len(around) > 2 * reach:
            total -= around.popleft().changed
    while ahead:
        assert total is not None
        yield ahead.popleft(), total > BUSY_SHARE * len(around)


class Watching:
    """Goes from sample to sample and tells when a stretch that looks alike has ended."""

    def __init__(self, step: Step, busy: np.ndarray, every: float, seldom: bool):
        self.every, self.seldom, self.after_hole = every, seldom, False
        self.looked = step.sample.time
        self.begin(step, busy)

    def begin(self, step: Step, busy: np.ndarray) -> None:
        self.first, self.best, self.busy = step, step, busy
        self.last_time = step.sample.time

    def go_on(self, step: Step, busy: np.ndarray) -> Iterator[Look]:
        time = step.sample.time
        if step.sample.lost_since is not None:
            yield self.look(step.sample.lost_since)
            self.looked, self.after_hole = time, True
            self.begin(step, busy)
        elif time // STRETCH != self.last_time // STRETCH or self.is_due(time, busy):
            yield self.look(time)
            self.begin(step, busy)
        elif self.has_changed(step, busy):
            if time - self.first.sample.time >= MIN_STILL or time - self.looked >= PROBE:
                yield self.look(time)
            self.begin(step, busy)
        else:
            self.hold(step, busy)

    def hold(self, step: Step, busy: np.ndarray) -> None:
        """Still the same: the last picture is the best, or the stillest of a restless one."""
        if share(busy) <= RESTLESS_SHARE or step.changed.sum() <= self.best.changed.sum():
            self.best = step
        self.busy, self.last_time = busy, step.sample.time

    def is_due(self, time: float, busy: np.ndarray) -> bool:
        wait = self.every if share(busy) > MOVING_SHARE else PROBE
        return share(busy) > RESTLESS_SHARE and time - self.looked >= wait

    def has_changed(self, step: Step, busy: np.ndarray) -> bool:
        """Since the sample before, or little by little since the first; what moves as a whole always does."""
        if self.first.changed.shape != step.changed.shape:
            return True
        if self.seldom:
            return bool(step.changed.any())
        if share(busy) > MOVING_SHARE:
            return False
        if (step.changed & ~busy).any():
            return True
        return bool((changed_blocks(self.first.sample.gray, step.sample.gray) & ~busy & ~self.busy).any())

    def look(self, end: float) -> Look:
        """The time since the last look belongs to this one, so there are no gaps but those in the file."""
        start, self.looked = self.looked, end
        after_hole, self.after_hole = self.after_hole, False
        return Look(start, end, self.best.sample, self.busy, self.seldom, after_hole)


def share(blocks: np.ndarray) -> float:
    return float(blocks.mean())
