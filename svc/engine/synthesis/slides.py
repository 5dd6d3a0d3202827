"""The slides beside a talk: scenes with a heading that stay long enough to be read, where they fill much of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from svc.engine.seen import Scene
from svc.engine.synthesis.sentences import Sentence
from svc.engine.synthesis.titles import heading

HELD_SECONDS = 8.0
SLIDES_SHARE = 0.5  # of the recording, below which headings are captions, signs or the like
LEAST_CHAPTERS = 3
CHAPTERS_AT_ONCE, CHAPTERS_AN_HOUR = 8, 12


@dataclass
class Slide:
    """`line` is its heading with the line below; `seconds` is how long it stood between `start` and `end`."""

    heading: str
    line: str
    start: float
    end: float
    seconds: float


def slides(scenes: Iterable[Scene], until: float) -> list[Slide]:
    """In order, a slide that builds up as one; none where they fill too little of the recording."""
    found: list[Slide] = []
    for scene in sorted(scenes, key=lambda scene: scene.start):
        title = heading(scene)
        if title and found and found[-1].heading == title:
            found[-1].end, found[-1].seconds = scene.end, found[-1].seconds + scene.end - scene.start
            found[-1].line = max(found[-1].line, in_a_line(scene), key=len)
        elif title:
            found.append(Slide(title, in_a_line(scene), scene.start, scene.end, scene.end - scene.start))
    held = [slide for slide in found if slide.seconds >= HELD_SECONDS]
    return held if sum(slide.seconds for slide in held) >= SLIDES_SHARE * until else []


def in_a_line(scene: Scene) -> str:
    """A scene in one line: its heading with the line below, else its longest line, else what it is described as."""
    if title := heading(scene):
        below = f": {scene.text[1]}" if len(scene.text) > 1 else ""
        return f"{title.rstrip('.:') if below else title}{below}"
    return max(scene.text, key=len, default="") or scene.description


def longest(shown: Sequence[Slide], most: int) -> list[Slide]:
    """Those that stood longest, in order, each heading once."""
    once = {slide.heading: slide for slide in reversed(shown)}
    kept = sorted(once.values(), key=lambda slide: (-slide.seconds, slide.start))[:most]
    return sorted(kept, key=lambda slide: slide.start)


def chapters(sentences: Sequence[Sentence], shown: Sequence[Slide]) -> list[tuple[int, str]]:
    """The sentence that begins nearest to each slide beside which something is said, the first for the first, and the
    slide's heading as a title; none where there are too few slides, or too many."""
    found: list[tuple[int, str]] = []
    starts = [at for at, s in enumerate(sentences) if at == 0 or s.segment > sentences[at - 1].segment]
    for slide in shown:
        if found and found[-1][1] == slide.heading:
            continue
        beside = [at for at in starts if sentences[at].start < slide.end and sentences[at].end > slide.start]
        later = [at for at in beside if not found or at > found[-1][0]]
        if later:
            nearest = min(later, key=lambda at: abs(sentences[at].start - slide.start))
            found.append((nearest if found else 0, slide.heading))
    most = CHAPTERS_AT_ONCE + int(CHAPTERS_AN_HOUR * sentences[-1].end / 3600) if sentences else 0
    return found if LEAST_CHAPTERS <= len(found) <= most else []
