"""What a language model pointed at, put where it really is: on segments that exist, at the times these have."""

import math
import re
from collections.abc import Iterable
from typing import Any

from svc.engine.context import seconds
from svc.engine.synthesis.language import Language
from svc.engine.synthesis.wording import clipped
from svc.engine.transcript import Segment
from svc.engine.writing.plain import plain

TITLE_LETTERS, SUMMARY_LETTERS, LABEL_LETTERS, NAME_LETTERS = 100, 500, 160, 80
SHORTEST_SECONDS, SHORTEST_SHARE = 20.0, 0.1
MOST_CHAPTERS, MOST_MOMENTS, MOST_ENTITIES = 100, 60, 25
SURE_IN_ANY_CASE = 4  # letters from which a name counts however its capitals are set
QUOTED = re.compile(r"[\"“„«「]([^\"”“»」]{3,})[\"”“»」]")

Answer = dict[str, Any]


def chapters(answers: Iterable[Answer], segments: list[Segment], source: str) -> list[dict[str, Any]]:
    """Chapters on real segments, in order, the first at the first segment; those without a title, too short or named
    like the one before are left out."""
    end = max((segment.end for segment in segments), default=0.0)
    duration = end - segments[0].start if segments else 0.0
    shortest = min(SHORTEST_SHARE * duration, max(SHORTEST_SECONDS, duration / MOST_CHAPTERS))
    found: list[dict[str, Any]] = []
    for answer in sorted((a for a in answers if a["segment"] in range(len(segments))), key=lambda a: a["segment"]):
        anchor = answer["segment"] if found else 0
        start, title = seconds(segments[anchor].start), plain(answer["title"], TITLE_LETTERS, source)
        summary = plain(answer["summary"], SUMMARY_LETTERS, source)
        new = not found or (start > found[-1]["start"] + shortest and title.casefold() != found[-1]["title"].casefold())
        if title and new and end - start > shortest:
            found.append({"start": start, "end": seconds(end), "title": title, "anchor": anchor})
            found[-1] |= {"summary": summary} if summary else {}
    for chapter, following in zip(found, found[1:], strict=False):
        chapter["end"] = following["start"]
    return found


def key_moments(answers: Iterable[Answer], segments: list[Segment], source: str) -> list[dict[str, Any]]:
    """Moments on real segments, one a segment, in order."""
    found: dict[int, dict[str, Any]] = {}
    for answer in answers:
        index, label = answer["segment"], plain(answer["label"], LABEL_LETTERS, source)
        if index in range(len(segments)) and index not in found and label:
            if not is_honest(label, answer["kind"], nearby(segments, index)):
                label = clipped(" ".join(segments[index].text.split()), LABEL_LETTERS)
            time = seconds(segments[index].start)
            found[index] = {"time": time, "label": label, "kind": answer["kind"], "segmentIndex": index}
    moments = [found[index] for index in sorted(found) if found[index]["label"]]
    return moments[:: math.ceil(len(moments) / MOST_MOMENTS) or 1]


def nearby(segments: list[Segment], index: int) -> str:
    return " ".join(segment.text for segment in segments[max(0, index - 1) : index + 3])


def is_honest(label: str, kind: str, said: str) -> bool:
    """Whether what the label gives as somebody's words was said there."""
    quoted = QUOTED.findall(label) or ([label.rstrip("…")] if kind == "quote" else [])
    return all(bare(words) in bare(said) for words in quoted)


def bare(text: str) -> str:
    """The letters and digits of a text, by which a quotation is compared with what was said."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def entities(answers: Iterable[Answer], text: str, language: Language) -> list[dict[str, Any]]:
    """Names that the text has, with how often it has them, the most frequent first."""
    found: dict[str, dict[str, Any]] = {}
    for answer in answers:
        name = plain(answer["name"], NAME_LETTERS, text)
        if name and name.casefold() not in found and (count := mentions(name, text, language)):
            found[name.casefold()] = {"name": name, "kind": answer["kind"], "mentions": count}
    return sorted(found.values(), key=lambda entity: (-entity["mentions"], entity["name"]))[:MOST_ENTITIES]


def mentions(name: str, text: str, language: Language) -> int:
    """How often the text has the name, as whole words where words are parted."""
    if not language.spaced:
        return text.count(name)
    pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    count = len(pattern.findall(text))
    if count or len(name) < SURE_IN_ANY_CASE:
        return count
    return len(re.findall(pattern.pattern, text, re.IGNORECASE))
