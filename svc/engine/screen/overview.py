"""What the scenes show, in words for a person: made of what was seen and of nothing else."""

import re
import textwrap
from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import Literal

from svc.engine.screen.scenes import Stretch
from svc.engine.screen.sight import Sight
from svc.engine.screen.tracks import Track

QUOTED = 80  # letters
NAMED = 4  # headings in an overview
LARGER = 1.2  # letters of a heading than those of the lines below it
SLIDE_LINES = 20
CODE_SHARE = 0.4  # of the lines
CODE = re.compile(
    r"[;{}]$|[=!<>+|&:-]=|[\w)\]]\(.*\)|^(?://|/\*|#!|#include)"
    r"|^(?:def|class|import|from|return|const|let|var|if|for|while)\b.*[:;{(=]"
)

ENOUGH_WORDS = 5  # on screen at once
ENOUGH_SHARE, ENOUGH_SECONDS = 0.25, 60.0
WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")  # scripts without blanks; two letters are about a word


def kind_of(stretch: Stretch) -> Literal["black", "still", "film", "captioned", "code", "slide", "text"]:
    if not stretch.tracks:
        if all(sight.dark for sight in stretch.sights):
            return "black"
        return "film" if changes(stretch.sights) else "still"
    if stretch.moving:
        return "captioned"
    lines = [track.text for track in stretch.tracks]
    if len(lines) > 2 and sum(bool(CODE.search(line)) for line in lines) >= CODE_SHARE * len(lines):
        return "code"
    return "slide" if has_heading(stretch.screens[0]) else "text"


def changes(sights: Sequence[Sight]) -> bool:
    return any(sight.busy for sight in sights) or sum(sight.new for sight in sights) > 1


def has_heading(tracks: list[Track]) -> bool:
    """Whether the first line stands over the others as a title."""
    first, *rest = [track.line.letter_width for track in tracks]
    return len(tracks) <= SLIDE_LINES and (not rest or first >= LARGER * median(rest))


def describe(stretch: Stretch) -> str:
    """One sentence."""
    kind, texts = kind_of(stretch), [quoted(track) for track in stretch.tracks]
    if kind == "black":
        return "A black screen."
    if kind == "still":
        return "A still picture without text."
    if kind == "film":
        return "Moving picture without text."
    if len(stretch.screens) > 1:
        return f"{len(stretch.screens)} screens in a row: {listed(headings([stretch]))}."
    more = len(texts) - 1
    if kind == "captioned":
        return f"Moving picture with the text {texts[0]}" + (f" and {lines(more, 'more')}." if more else ".")
    if kind == "slide":
        return f"Slide {texts[0]}" + (f" with {lines(more)} below it." if more else ".")
    name = "Code" if kind == "code" else "Text"
    return f"{name}: {len(texts)} lines, beginning with {texts[0]}." if more else f"The text {texts[0]}."


def lines(count: int, word: str = "") -> str:
    return " ".join(filter(None, [str(count), word, "line" if count == 1 else "lines"])) + ("" if word else " of text")


def quoted(track: Track) -> str:
    return f"“{textwrap.shorten(track.text, QUOTED, placeholder='…')}”"


def headings(scenes: Sequence[Stretch]) -> list[str]:
    """The first line of every screen with text, each once."""
    return list(dict.fromkeys(quoted(tracks[0]) for scene in scenes for tracks in scene.screens))


def listed(items: list[str]) -> str:
    """The first few, and how many more there are."""
    if len(items) > NAMED:
        items = [*items[: NAMED - 1], f"{len(items) - NAMED + 1} more"]
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


NAMES = {
    "slide": ("a slide", "{} slides"),
    "code": ("a screen of code", "{} screens of code"),
    "text": ("a screen of text", "{} screens of text"),
    "captioned": ("a moving picture with text", "a moving picture with {} texts"),
    "film": ("a moving picture without text",) * 2,
    "still": ("a still picture without text",) * 2,
    "black": ("a black screen",) * 2,
}


def overview(scenes: Sequence[Stretch], furniture: list[Track]) -> str:
    """Two or three sentences: what is shown, most of the time first; which texts; what stands there throughout."""
    times: Counter[str] = Counter()
    firsts: dict[str, set[int]] = {}
    for scene in scenes:
        times[kind_of(scene)] += round(1000 * scene.seconds)
        firsts.setdefault(kind_of(scene), set()).update(id(tracks[0]) for tracks in scene.screens)
    if "captioned" in times:
        del times["film"]
    kinds = [NAMES[kind][len(firsts[kind]) > 1].format(len(firsts[kind])) for kind, _ in times.most_common()]
    sentences = [f"The video shows {listed(kinds)}."]
    if named := headings(scenes):
        sentences.append(f"On screen {'appears' if len(named) == 1 else 'appear'} {listed(named)}.")
    if furniture:
        throughout = list(map(quoted, furniture))
        sentences.append(f"{listed(throughout)} {'stands' if len(throughout) == 1 else 'stand'} there throughout.")
    return " ".join(sentences)


def value_of(scenes: Sequence[Stretch], tracks: Sequence[Track]) -> Literal["none", "low", "high"]:
    """none: no text, and nothing changes or all is black; high: for long enough there is text to read."""
    sights = [sight for scene in scenes for sight in scene.sights]
    if not tracks and (not changes(sights) or all(sight.dark for sight in sights)):
        return "none"
    wordy = [scene for scene in scenes if words(scene) >= ENOUGH_WORDS]
    seconds = sum(scene.seconds for scene in wordy)
    still = sum(scene.seconds for scene in wordy if not scene.moving)
    whole = sum(scene.seconds for scene in scenes)
    return "high" if seconds >= ENOUGH_SHARE * whole and seconds or still >= ENOUGH_SECONDS else "low"


def words(scene: Stretch) -> int:
    """About how many words a screen of this scene has."""
    texts = " ".join(track.text for track in scene.tracks)
    wide = len(WIDE.findall(texts))
    return (len(re.findall(r"\w+", WIDE.sub(" ", texts))) + wide // 2) // max(1, len(scene.screens))
