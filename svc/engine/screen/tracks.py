"""The lines of a whole video: each once, however often and however differently it was read."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from svc.engine.screen.lines import Line, nearly_same, same_place
from svc.engine.screen.sight import Sight

RECENT = 100  # lines among which a reading that is new may be a slip of an older one
GROWN_FROM = 3  # letters of a line that is still being typed
PAUSE = 5.0  # seconds after which it is another line


@dataclass
class Track:
    """A line over time, seconds; `readings` are its spellings with the scores they got, added up.

    `rested`: it was seen where the picture is at rest; `moved`: it was seen in more than one place.
    """

    line: Line
    first: float
    last: float
    readings: dict[str, float] = field(default_factory=dict)
    rested: bool = False
    moved: bool = False

    @property
    def real(self) -> bool:
        """Whether it is more than a clock or the pattern of a shirt: it stood still, or it scrolled."""
        return self.rested or self.moved

    @property
    def text(self) -> str:
        """The spelling that was seen best; of equals, the longest."""
        return max(self.readings, key=lambda text: (round(self.readings[text], 2), len(text)))

    def add(self, line: Line, end: float) -> None:
        self.rested = self.rested or not line.busy
        self.moved = self.moved or not same_place(self.line, line)
        self.line, self.last = line, end
        self.readings[line.text] = self.readings.get(line.text, 0.0) + line.score

    def grow(self, line: Line, end: float) -> None:
        self.readings.clear()
        self.add(line, end)


class Tracks:
    """The tracks of sights in a row; `of(sight)` are those of its lines that are real."""

    def __init__(self, sights: Iterable[Sight] = ()):
        self.all: list[Track] = []
        self.by_key: dict[str, Track] = {}
        self.recent: deque[Track] = deque(maxlen=RECENT)
        for sight in sights:
            self.add(sight)

    @property
    def real(self) -> list[Track]:
        return [track for track in self.all if track.real]

    def of(self, sight: Sight) -> list[Track]:
        tracks = {id(track): track for line in sight.lines if (track := self.by_key[line.key]).real}
        return list(tracks.values())

    def add(self, sight: Sight) -> None:
        for line in sight.lines:
            track = self.by_key.get(line.key) or self.slip_of(line)
            if track:
                track.add(line, sight.end)
            elif track := self.growing(line, sight.start):
                track.grow(line, sight.end)
            else:
                track = Track(line, sight.start, sight.end)
                track.add(line, sight.end)
                self.all.append(track)
                self.recent.append(track)
            self.by_key[line.key] = track

    def slip_of(self, line: Line) -> Track | None:
        """The line that was read at this place a little differently."""
        near = (track for track in reversed(self.recent) if same_place(track.line, line))
        return next((track for track in near if nearly_same(track.line, line)), None)

    def growing(self, line: Line, now: float) -> Track | None:
        """The line that stood there until now, if this one is a longer version of it; page 1 does not grow to 11."""
        for track in reversed(self.recent):
            begun = len(track.line.key) >= GROWN_FROM and line.key.startswith(track.line.key)
            begun = begun and line.numbers[: len(track.line.numbers)] == track.line.numbers
            if begun and track.last >= now - PAUSE and same_place(track.line, line):
                return track
        return None
