"""Lines of text on a picture: their order for a reader, and whether two readings are of the same line."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from itertools import pairwise
from statistics import median

GUTTER = 1.5  # line heights between two columns
WORD_GAP = 2.0  # line heights; farther apart on the same level is not the same line
OVERLAP = 0.3  # of a line's height; boxes are drawn with some air, so neighbours may share so much
CELL = 14  # letters; longer ones are columns of text, not cells of a table
FILLED = 0.7  # of a table's cells

LOOKALIKES = str.maketrans("o|li", "0111")
FUZZY_FROM = 8  # letters; shorter readings are the same only when all letters are
ALIKE = 0.9


@dataclass(frozen=True)
class Line:
    """A line of text, how sure the reading is (0 to 1), and its box in units of the picture's height.

    `busy`: it lies where the picture never rests.
    """

    text: str
    score: float
    left: float
    top: float
    right: float
    bottom: float
    busy: bool = False

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def letter_width(self) -> float:
        return (self.right - self.left) / len(self.text)

    @cached_property
    def key(self) -> str:
        return key(self.text)

    @cached_property
    def numbers(self) -> list[str]:
        return re.findall(r"\d+", unicodedata.normalize("NFKC", self.text))

    def beside(self, other: "Line") -> "Line":
        """The two as one line, this one first."""
        return Line(
            f"{self.text} {other.text}",
            min(self.score, other.score),
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
            self.busy or other.busy,
        )


@lru_cache(4096)
def key(text: str) -> str:
    """What stays of a text when blanks, marks and letters that look alike make no difference."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(letter for letter in plain if letter.isalnum() or letter == "|").translate(LOOKALIKES) or plain


def nearly_same(one: Line, other: Line) -> bool:
    """Whether two texts differ by no more than slips of the reader. Other numbers are no slips."""
    shorter, longer = sorted((len(one.key), len(other.key)))
    if shorter < FUZZY_FROM or 2 * shorter < ALIKE * (shorter + longer):
        return False
    if len(one.numbers) == len(other.numbers) and one.numbers != other.numbers:
        return False
    match = SequenceMatcher(None, one.key, other.key, autojunk=False)
    return match.quick_ratio() >= ALIKE and match.ratio() >= ALIKE


def same_place(one: Line, other: Line) -> bool:
    """Whether both begin at about the same point."""
    near = max(one.height, other.height) / 2
    return abs(one.left - other.left) <= near and abs(one.top - other.top) <= near


def in_reading_order(pieces: Sequence[Line]) -> list[Line]:
    """Whole lines from top to bottom, one column after the other; the cells of a table row by row."""
    rows = levels(pieces)
    first, last, gutter = widest_band(rows)
    if gutter is None:
        return [line for row in rows for line in joined(row)]
    band = [piece for row in rows[first:last] for piece in row]
    if is_table(rows[first:last], band):
        middle = [whole(row) for row in rows[first:last]]
    else:
        left = [piece for piece in band if piece.right <= gutter]
        right = [piece for piece in band if piece.right > gutter]
        middle = ([] if is_numbering(left) else in_reading_order(left)) + in_reading_order(right)
    above = [piece for row in rows[:first] for piece in row]
    below = [piece for row in rows[last:] for piece in row]
    return in_reading_order(above) + middle + in_reading_order(below)


def levels(pieces: Sequence[Line]) -> list[list[Line]]:
    """The pieces in rows with nothing but paper between them, each row from left to right."""
    rows: list[list[Line]] = []
    bottom = 0.0
    for piece in sorted(pieces, key=lambda piece: piece.top):
        if rows and piece.top < bottom - OVERLAP * piece.height:
            rows[-1].append(piece)
            bottom = max(bottom, piece.bottom)
        else:
            rows.append([piece])
            bottom = piece.bottom
    return [sorted(row, key=lambda piece: piece.left) for row in rows]


def widest_band(rows: list[list[Line]]) -> tuple[int, int, float | None]:
    """The most rows in a row that a gutter divides into columns, and the gutter's place; none: None."""
    for count in range(len(rows), 0, -1):
        for first in range(len(rows) - count + 1):
            gutter = gutter_of([piece for row in rows[first : first + count] for piece in row])
            if gutter is not None:
                return first, first + count, gutter
    return 0, 0, None


def gutter_of(pieces: list[Line]) -> float | None:
    """Where the widest empty strip begins that has at least two rows of text on either side."""
    gaps = gaps_of(pieces)
    wide = [(width, at) for width, at in gaps if divides(pieces, at)]
    return max(wide)[1] if wide else None


def gaps_of(pieces: Sequence[Line]) -> list[tuple[float, float]]:
    """Width and left edge of every upright strip without text that is wide enough for a gutter."""
    least = GUTTER * median(piece.height for piece in pieces)
    gaps, right = [], None
    for piece in sorted(pieces, key=lambda piece: piece.left):
        if right is not None and piece.left - right >= least:
            gaps.append((piece.left - right, right))
        right = piece.right if right is None else max(right, piece.right)
    return gaps


def divides(pieces: list[Line], at: float) -> bool:
    left = [piece for piece in pieces if piece.right <= at]
    right = [piece for piece in pieces if piece.right > at]
    return len(levels(left)) > 1 and len(levels(right)) > 1


def is_table(rows: list[list[Line]], band: list[Line]) -> bool:
    """Short cells in line with each other: three columns or more, or numbers beside their names."""
    columns = len(gaps_of(band)) + 1
    short = median(len(piece.text) for piece in band) <= CELL
    filled = len(band) >= FILLED * columns * len(rows) and all(len(row) <= columns for row in rows)
    figures = [any(letter.isdigit() for letter in row[-1].text) for row in rows]
    return short and filled and not is_numbering([row[0] for row in rows]) and (columns > 2 or all(figures))


def is_numbering(pieces: list[Line]) -> bool:
    """Whether these are the line numbers of an editor."""
    if len(pieces) < 3 or not all(piece.text.isdecimal() for piece in pieces):
        return False
    numbers = [int(piece.text) for piece in sorted(pieces, key=lambda piece: piece.top)]
    return all(after == before + 1 for before, after in pairwise(numbers))


def joined(row: list[Line]) -> list[Line]:
    """Pieces on one level as lines: what stands close together is one."""
    lines: list[Line] = []
    for piece in row:
        if lines and piece.left - lines[-1].right <= WORD_GAP * min(piece.height, lines[-1].height):
            lines[-1] = lines[-1].beside(piece)
        else:
            lines.append(piece)
    return lines


def whole(row: list[Line]) -> Line:
    line = row[0]
    for piece in row[1:]:
        line = line.beside(piece)
    return line
