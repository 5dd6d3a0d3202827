"""Titles: the source's own where it has a real one, else from the screen, else from what was said."""

import re
from collections.abc import Iterable
from typing import Any

from svc.engine.seen import Scene
from svc.engine.synthesis.keyphrases import Phrase
from svc.engine.synthesis.language import Language
from svc.engine.synthesis.wording import capitalised, clipped

MEDIA_FILE = re.compile(
    r"\.(?:mp4|m4v|mov|mkv|webm|avi|mpe?g|ts|flv|3gp|ogv|mp3|m4a|wav|flac|ogg|opus|aac|wma|aiff?)$", re.IGNORECASE
)
SEPARATORS = re.compile(r"[\s_\-.,()\[\]]+")
# Words of which cameras, phones and programs make the names of their files, each perhaps with a number.
GENERIC_WORD = re.compile(
    r"(?:vid|video|img|image|mov|movie|mvi|dscn?|dscf|pxl|gopr|gh|gx|dji|rec|recording|audio|voice|sound|track|clip|screen"
    r"|capture|cast|memo|whatsapp|signal|telegram|zoom|meeting|gmt|output|out|input|download|downloaded|file|media"
    r"|untitled|unnamed|final|copy|new|test|sample|tmp|temp|stream|playlist|index|watch|default|none|null|unknown|title"
    r"|upload|at|of|the|am|pm|no|v)?\d*|\d\w*|(?=\w*\d)[0-9a-f]{6,}",
    re.IGNORECASE,
)
DATE_PART = re.compile(r"\d{2,}")
MIN_NAME_WORDS = 2
LONG_PHRASE = 3
TITLE_LETTERS = 70
SLIDE_WORDS = range(2, 11)
SLIDE_SHARE = 0.4


def own_title(meta: dict[str, Any]) -> str | None:
    """The source's title when it says something: a bare file name counts only when it is made of words."""
    given = " ".join(str(meta.get("title") or "").split())
    name = MEDIA_FILE.sub("", given)
    words = [word for word in SEPARATORS.split(name) if word]
    if not any(letter.isalpha() for letter in name) or all(map(GENERIC_WORD.fullmatch, words)):
        return None
    if name == given and (" " in given or not re.search(r"[_\d]|-.*-", given)):
        return given if not is_word(given) else None
    words = [word for word in words if not DATE_PART.fullmatch(word)]
    real = [word for word in words if len(word) > 1 and any(letter.isalpha() for letter in word)]
    if name.isascii() and len(real) < max(MIN_NAME_WORDS, len(words) / 2):
        return None
    text = " ".join(words)
    return text[0].upper() + text[1:]


def is_word(title: str) -> bool:
    """Whether a title is one word in small letters, as files are called: better than nothing."""
    return " " not in title and title.islower()


def of_word(meta: dict[str, Any]) -> str | None:
    """The source's title where it is but a word, which does when nothing else tells what this is about."""
    title = str(meta.get("title") or "")
    return title[0].upper() + title[1:] if title.isalpha() and is_word(title) else None


def of_phrases(phrases: list[Phrase], language: Language) -> str:
    """Up to two phrases as one title; a long one needs no second."""
    if len(phrases[0].key) == LONG_PHRASE:
        phrases = phrases[:1]
    joint = f" {language.phrases.conjunction} " if language.phrases.conjunction else " · "
    text = joint.join(phrase.text for phrase in phrases[:2])
    return capitalised(text, language)


def of_slide(scenes: Iterable[Scene], start: float, end: float) -> str | None:
    """The heading of the slide that stands on screen for much of this time."""
    shared = [(min(end, scene.end) - max(start, scene.start), scene) for scene in scenes]
    held, scene = max(shared, key=lambda item: item[0], default=(0.0, None))
    if scene is None or held < SLIDE_SHARE * (end - start):
        return None
    return heading(scene)


def heading(scene: Scene) -> str | None:
    """A scene's first line of text, when it can be read as a title."""
    line = " ".join(scene.text[0].split()) if scene.text else ""
    return line if len(line.split()) in SLIDE_WORDS and len(line) <= TITLE_LETTERS else None


def of_sentence(text: str) -> str:
    return clipped(text, TITLE_LETTERS).rstrip(".。")
