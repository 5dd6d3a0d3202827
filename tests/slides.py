"""Videos of slides, drawn with known text: what a reader of the screen has to find in them."""

import struct
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from PIL import Image, ImageDraw, ImageFont

RATE = 5  # frames a second
SIZE = 640, 360
MATRIX_AFTER_TKHD = 44  # bytes, in a header of version 0
WHITE, BLACK, BLUE = (255, 255, 255), (0, 0, 0), (20, 40, 90)

Picture = Image.Image | Callable[[float], Image.Image]
"""What is on screen: a still picture, or one for each second since it came up."""

DECK = (
    ("Quarterly Results", ["Revenue grew by 12 percent", "Costs stayed flat", "Margins improved again"]),
    ("Our New Products", ["A faster database engine", "Mobile application for drivers", "Support around the clock"]),
    ("Plans For Next Year", ["Open an office in Lisbon", "Hire twenty engineers", "Reach one million users"]),
)


def blank(size=SIZE, color=WHITE) -> Image.Image:
    return Image.new("RGB", size, color)


def font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.load_default(size)


def write(picture: Image.Image, text: str, left: float, top: float, size: int, color=BLACK) -> Image.Image:
    """Text at a place given in shares of the picture's width and height."""
    wide, high = picture.size
    ImageDraw.Draw(picture).text((left * wide, top * high), text, font=font(size), fill=color)
    return picture


def slide(title: str, lines: Sequence[str] = (), size=SIZE, paper=WHITE, ink=BLACK) -> Image.Image:
    picture = blank(size, paper)
    unit = min(size) / 360
    write(picture, title, 0.06, 0.06, round(34 * unit), ink)
    for number, line in enumerate(lines):
        write(picture, line, 0.08, 0.26 + 0.12 * number, round(20 * unit), ink)
    return picture


def deck(size=SIZE) -> list[Image.Image]:
    return [slide(title, lines, size) for title, lines in DECK]


def builds(title: str, lines: Sequence[str], size=SIZE) -> list[Image.Image]:
    """A slide whose lines come up one by one."""
    return [slide(title, lines[:count], size) for count in range(1, len(lines) + 1)]


def noise(size=SIZE, seed=1) -> Callable[[float], Image.Image]:
    """A picture that moves everywhere, all the time, in coarse patches."""
    chance = np.random.default_rng(seed)
    wide, high = size[0] // 20, size[1] // 20

    def at(_: float) -> Image.Image:
        patches = chance.integers(0, 255, (high, wide, 3), np.uint8)
        return Image.fromarray(patches).resize(size, Image.Resampling.BILINEAR)

    return at


def with_speaker(picture: Image.Image, seed=1, share=0.22) -> Callable[[float], Image.Image]:
    """The picture with somebody moving about in a box at the lower right."""
    wide, high = (round(share * side) for side in picture.size)
    moving = noise((max(40, wide), max(40, high)), seed)

    def at(second: float) -> Image.Image:
        shown = picture.copy()
        shown.paste(moving(second), (picture.width - wide - 4, picture.height - high - 4))
        return shown

    return at


def write_video(
    path: Path,
    shown: Iterable[tuple[Picture, float]],
    rate: int = RATE,
    codec: str = "libx264",
    first: float = 0.0,
    aspect: Fraction | None = None,
    options: dict[str, str] | None = None,
) -> Path:
    """A video of pictures, each for so many seconds, the first one coming up at `first`."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=rate, options=options or {"preset": "ultrafast", "crf": "20"})
        stream.pix_fmt = "yuv420p"
        count = round(first * rate)
        for picture, seconds in shown:
            for index in range(max(1, round(seconds * rate))):
                image = picture(index / rate) if callable(picture) else picture
                if not stream.codec_context.is_open:
                    stream.width, stream.height = image.size
                    if aspect:
                        stream.sample_aspect_ratio = aspect
                frame = av.VideoFrame.from_image(image)
                frame.pts, frame.time_base = count, Fraction(1, rate)
                container.mux(stream.encode(frame))
                count += 1
        container.mux(stream.encode())
    return path


def turned(path: Path, quarters: int) -> Path:
    """Has players turn an MP4 file clockwise by so many quarters, as a phone does that was held another way."""
    a, b, c, d = ((1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0))[quarters]
    content = bytearray(path.read_bytes())
    at = content.index(b"tkhd") + MATRIX_AFTER_TKHD
    content[at : at + 36] = struct.pack(">9i", a << 16, b << 16, 0, c << 16, d << 16, 0, 0, 0, 1 << 30)
    path.write_bytes(content)
    return path


def damaged(path: Path, begin: float, end: float) -> Path:
    """Overwrites a stretch of a file's bytes, given in shares of its length."""
    content = bytearray(path.read_bytes())
    first, last = round(begin * len(content)), round(end * len(content))
    content[first:last] = b"\x55" * (last - first)
    path.write_bytes(content)
    return path
