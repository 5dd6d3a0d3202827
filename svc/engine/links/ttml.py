"""Timed Text Markup Language (W3C TTML 1): the paragraphs with their times."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass

PARAMETER = "{http://www.w3.org/ns/ttml#parameter}"
CLOCK_TIME = re.compile(r"(\d+):(\d\d):(\d\d(?:\.\d+)?)(?::(\d+))?")
OFFSET_TIME = re.compile(r"(\d+(?:\.\d+)?)(h|m|s|ms|f|t)")
FRAME_RATE = 30.0


@dataclass(frozen=True)
class Rates:
    frames: float
    ticks: float

    def seconds(self, expression: str | None) -> float | None:
        """A time expression (TTML 1 section 10.3.1) in seconds; None when there is none."""
        if match := CLOCK_TIME.fullmatch(expression or ""):
            hours, minutes, seconds, frames = match.groups()
            return int(hours) * 3600 + int(minutes) * 60 + float(seconds) + int(frames or 0) / self.frames
        if match := OFFSET_TIME.fullmatch(expression or ""):
            units = {"h": 3600, "m": 60, "s": 1, "ms": 0.001, "f": 1 / self.frames, "t": 1 / self.ticks}
            return float(match[1]) * units[match[2]]
        return None


def read_ttml(text: str) -> Iterator[tuple[float, float, list[str]]]:
    """Start, end (seconds) and lines of each paragraph. Raises ValueError or ParseError; declarations are refused."""
    if "<!" in text.replace("<!--", ""):
        raise ValueError("TTML with declarations is not read")
    root = ET.fromstring(text.encode())
    yield from paragraphs(root, rates(root))


def rates(root: ET.Element) -> Rates:
    frames = positive(root.get(f"{PARAMETER}frameRate")) or FRAME_RATE
    return Rates(frames, positive(root.get(f"{PARAMETER}tickRate")) or frames)


def positive(value: str | None) -> float | None:
    return float(value) if value and re.fullmatch(r"0*[1-9]\d*", value) else None


def paragraphs(root: ET.Element, rate: Rates) -> Iterator[tuple[float, float, list[str]]]:
    """The paragraphs in document order; their times count from the begin of what contains them."""
    waiting = [(root, 0.0)]
    while waiting:
        element, offset = waiting.pop()
        begin = offset + (rate.seconds(element.get("begin")) or 0.0)
        if element.tag.rpartition("}")[2] == "p":
            end, length = rate.seconds(element.get("end")), rate.seconds(element.get("dur"))
            yield begin, begin + length if length else offset + (end or 0.0), lines(element)
        else:
            waiting += [(child, begin) for child in reversed(element)]


def lines(paragraph: ET.Element) -> list[str]:
    for element in paragraph.iter():
        if element.tag.rpartition("}")[2] == "br":
            element.tail = "\n" + (element.tail or "")
    return "".join(paragraph.itertext()).split("\n")
