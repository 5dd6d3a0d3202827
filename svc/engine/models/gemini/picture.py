"""A small copy of a media file's picture: no sound, no names, few frames."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from pathlib import Path

import av

from svc.engine.media.frames import Pictures, Sample

MIME = "video/mp4"
SHORT_SIDE = 480  # pixels; the model itself sees a frame in 70 tokens
QUALITY = {"preset": "veryfast", "crf": "30"}
TICKS = 1000  # a second


@dataclass(frozen=True)
class Copy:
    """`fps`: how often the picture was taken; `seconds`: up to where there was something to see."""

    path: Path
    fps: float
    seconds: float


def small_copy(path: Path, out: Path, fps: float) -> Copy:
    """Writes the copy, on the clock of the file. Raises the INPUT_ errors of `Pictures`."""
    with Pictures(path, fps) as pictures, av.open(str(out), "w", format="mp4") as container:
        samples = pictures.samples()
        first = next(samples)
        stream = new_stream(container, first, pictures.fps)
        for sample in chain([first], samples):
            last = sample
            container.mux(stream.encode(frame_of(sample, stream, sample.time)))
        if pictures.until > last.time:
            container.mux(stream.encode(frame_of(last, stream, pictures.until)))
        container.mux(stream.encode())
        return Copy(out, pictures.fps, max(pictures.until, last.time))


def new_stream(container: av.container.OutputContainer, sample: Sample, fps: float) -> av.VideoStream:
    """A stream of pictures of the sample's shape."""
    height, width, _ = sample.pixels().shape
    shrink = min(1.0, SHORT_SIDE / min(width, height))
    stream = container.add_stream("libx264", rate=max(1, round(fps)), options=QUALITY)
    stream.width, stream.height, stream.pix_fmt = even(width * shrink), even(height * shrink), "yuv420p"
    stream.codec_context.time_base = Fraction(1, TICKS)
    stream.codec_context.thread_count = 1
    return stream


def frame_of(sample: Sample, stream: av.VideoStream, time: float) -> av.VideoFrame:
    """The sample as a frame of the stream, to be shown at `time` seconds."""
    picture = av.VideoFrame.from_ndarray(sample.pixels(), format="rgb24")
    frame = picture.reformat(stream.width, stream.height, format="yuv420p")
    frame.pts = round(time * TICKS)
    return frame


def even(pixels: float) -> int:
    return max(2, round(pixels / 2) * 2)
