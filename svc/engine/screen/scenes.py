"""Sights to scenes: what is still the same slide, the same film, the same screen is one."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from svc.engine.screen.changes import PROBE
from svc.engine.screen.sight import Sight
from svc.engine.screen.tracks import Track, Tracks

MAX_SCENES = 60  # unless the caller says otherwise
SAME, KEPT, SCROLLED = 0.8, 0.8, 0.5  # of the lines
FLICKER = 2 * PROBE  # seconds; text that is missed for so long was there all the same
FURNITURE_SCENES, FURNITURE_SHARE = 3, 0.8  # of those with text; a line in so many that differ belongs to the frame


@dataclass
class Stretch:
    """Sights in a row that show the same, all of their lines in reading order, and those of the last sight.

    `screens`: the lines of each of the screens that were put together to one scene.
    """

    sights: list[Sight]
    tracks: list[Track]
    shown: list[Track]
    screens: list[list[Track]] = field(default_factory=list)

    @property
    def start(self) -> float:
        return self.sights[0].start

    @property
    def end(self) -> float:
        return self.sights[-1].end

    @property
    def seconds(self) -> float:
        return self.end - self.start

    def share(self, holds: Callable[[Sight], bool]) -> float:
        """Of its time, that of the sights for which this holds."""
        total = sum(sight.seconds for sight in self.sights)
        if not total:
            return float(all(map(holds, self.sights)))
        return sum(sight.seconds for sight in self.sights if holds(sight)) / total

    @property
    def moving(self) -> bool:
        return self.share(lambda sight: sight.moving) > 0.5


def stretches(sights: Sequence[Sight], tracks: Tracks) -> tuple[list[Stretch], list[Track]]:
    """The scenes, as many as there are, and the furniture: lines that stand on screen nearly all the time."""
    found = grouped(Stretch([sight], lines := tracks.of(sight), lines) for sight in sights)
    furniture = furniture_of(found)
    if furniture:
        for stretch in found:
            stretch.tracks = without(stretch.tracks, furniture)
            stretch.shown = without(stretch.shown, furniture)
        found = grouped(found)
    for stretch in found:
        stretch.screens = [stretch.tracks] if stretch.tracks else []
    return found, furniture


def without(tracks: Iterable[Track], others: Iterable[Track]) -> list[Track]:
    left_out = set(map(id, others))
    return [track for track in tracks if id(track) not in left_out]


def grouped(parts: Iterable[Stretch]) -> list[Stretch]:
    """Neighbours that show the same put together, a moment of missed text among them."""
    groups: list[Stretch] = []
    for part in parts:
        if groups and belongs(groups[-1], part):
            join(groups[-1], part)
        else:
            groups.append(part)
        if len(groups) > 2 and is_flicker(*groups[-3:]):
            after, gap = groups.pop(), groups.pop()
            join(groups[-1], gap)
            join(groups[-1], after)
    return groups


def belongs(group: Stretch, part: Stretch) -> bool:
    """The same text, no text on either, one slide that is being built up or cleared, or a text that scrolls."""
    old, new = group.shown, part.tracks
    if not old or not new:
        return not old and not new
    kept = common(old, new)
    if kept >= SAME * max(len(old), len(new)):
        return True
    fewer = min(len(old), len(new))
    if group.sights[-1].restless and part.sights[0].restless:
        return kept >= SCROLLED * fewer and any(track.moved for track in new)
    return old[0] is new[0] and kept >= KEPT * fewer


def is_flicker(before: Stretch, gap: Stretch, after: Stretch) -> bool:
    fewer = common(before.shown, gap.tracks) == len(gap.tracks) < len(before.shown)
    return fewer and gap.seconds <= FLICKER and belongs(before, after)


def common(one: list[Track], other: list[Track]) -> int:
    return len(set(map(id, one)) & set(map(id, other)))


def join(group: Stretch, part: Stretch) -> None:
    group.sights = group.sights + part.sights
    group.tracks = merged(group.tracks, part.tracks)
    group.shown = part.shown


def merged(old: list[Track], new: list[Track]) -> list[Track]:
    """All lines in the order of the new screen; what is gone stays before what it stood before."""
    there = set(map(id, new))
    result = list(new)
    for index, track in enumerate(old):
        if id(track) not in there:
            following = next((other for other in old[index:] if id(other) in there), None)
            at = next((at for at, other in enumerate(result) if other is following), len(result))
            result.insert(at, track)
    return result


def furniture_of(groups: list[Stretch]) -> list[Track]:
    """Logos, running heads, the frame of a window: in nearly all scenes with text, which differ otherwise."""
    texts = [group.tracks for group in groups if group.tracks]
    tracks = {id(track): track for group in texts for track in group}
    counts = Counter(id(track) for group in texts for track in group)
    often = [track for name, track in tracks.items() if counts[name] >= FURNITURE_SHARE * len(texts)]
    found = [track for track in often if not track.moved]
    others = {tuple(map(id, without(group, found))) for group in texts} - {()}
    return found if len(others) >= FURNITURE_SCENES else []


def at_most(most: int, found: list[Stretch]) -> list[Stretch]:
    """So many scenes at most: the shortest goes to the neighbour it has more in common with, else the shorter one."""
    scenes = list(found)
    while len(scenes) > most:
        at = min(range(len(scenes)), key=lambda index: scenes[index].seconds)
        beside = [index for index in (at - 1, at + 1) if 0 <= index < len(scenes)]
        other = max(beside, key=lambda index: (common(scenes[at].tracks, scenes[index].tracks), -scenes[index].seconds))
        first = min(at, other)
        scenes[first : first + 2] = [one_after_the_other(*scenes[first : first + 2])]
    return scenes


def one_after_the_other(one: Stretch, other: Stretch) -> Stretch:
    """Two that show different things."""
    tracks = one.tracks + without(other.tracks, one.tracks)
    return Stretch(one.sights + other.sights, tracks, other.shown, one.screens + other.screens)


def without_gaps(found: list[Stretch], end: float) -> list[tuple[float, float]]:
    """Start and end of each scene: one lasts until the next begins, or until the file cannot be read; or to its end."""
    if not found:
        return []
    ends = [one.end if other.sights[0].after_hole else other.start for one, other in pairwise(found)]
    starts = [stretch.start for stretch in found]
    return list(zip(starts, [*ends, max(end, starts[-1])], strict=True))
