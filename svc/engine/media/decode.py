"""The sound of a media file as 16 kHz mono samples, on the same clock as the file's picture."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import av
from av.container import InputContainer

from svc.core.errors import EngineError
from svc.engine.language import short_code, short_codes
from svc.engine.media.audio import RATE, Audio
from svc.engine.media.container import open_media, whole_size
from svc.engine.media.packets import Packets
from svc.engine.media.probe import MAX_SECONDS, duration_of, sane_sound
from svc.engine.run import Run

MIN_GAP = 0.25  # seconds; shorter jumps of the timestamps are jitter
MAX_BLIND_GAP = 60.0  # seconds of silence believed when the file does not say how long it is
PROGRESS_EVERY = 60.0  # seconds of sound
LOST_SECONDS, LOST_SHARE = 2.0, 0.95  # less than this lost is not worth a word; more than this share is nothing left

# Containers whose header counts the samples, or tells when the last stream ends; other lengths are mere estimates.
EXACT_LENGTH = {"mov,mp4,m4a,3gp,3g2,mj2", "wav", "w64", "flac", "aiff", "caf"}
DECLARED_LENGTH = {"matroska,webm", "avi", "flv", "asf"}
TAGGED = re.compile(r"(\d+):(\d+):(\d+(?:\.\d+)?)")


def decode_audio(run: Run, path: Path, out: Path) -> Audio:
    """Decodes the best audio stream of `path` into `out`, a stretch at a time.

    What is damaged in the middle becomes silence of the same length; that and a missing end are `lost`. Raises
    NO_AUDIO_STREAM, INPUT_CORRUPT when (nearly) nothing can be decoded, SOURCE_TOO_LONG beyond the request's limit.
    """
    with open_media(path) as container:
        stream = sound_stream(container, run.request.languages)
        with out.open("wb") as file:
            decoding = Decoding(run, container, stream, file)
            decoding.run_through()
        return decoding.result(path, out)


def warn_of_lost(run: Run, audio: Audio) -> None:
    lost = sum(end - start for start, end in audio.lost)
    if lost > LOST_SECONDS:
        run.warn(
            "INCOMPLETE_COVERAGE",
            f"The file is damaged or cut short: about {lost:.0f} seconds of sound could not be read.",
            lostSeconds=round(lost, 1),
            gaps=[{"start": start, "end": end} for start, end in audio.lost],
        )


def sound_stream(container: InputContainer, languages: tuple[str, ...]) -> av.AudioStream:
    """The stream in a wanted language if the file names one, else the one a player would choose."""
    streams = [stream for stream in container.streams.audio if sane_sound(stream)]
    if not streams:
        raise EngineError("NO_AUDIO_STREAM")
    wanted = short_codes(languages)
    spoken = [stream for stream in streams if short_code(stream.metadata.get("language")) in wanted]
    best = container.streams.best("audio")
    return spoken[0] if spoken else next((stream for stream in streams if stream is best), streams[0])


class Decoding:
    """One pass through a stream, keeping count of what was written and what could not be read."""

    def __init__(self, run: Run, container: InputContainer, stream: av.AudioStream, file: BinaryIO):
        self.run, self.container, self.stream, self.file = run, container, stream, file
        self.packets = Packets(container)
        self.declared = duration_of(container)
        self.limit = min(run.request.max_seconds or MAX_SECONDS, MAX_SECONDS)
        self.position = 0.0  # seconds of the recording written so far
        self.sound_end = 0.0  # seconds, of the packets
        self.errors = 0
        self.lost: list[tuple[float, float]] = []

    def run_through(self) -> None:
        resampler, shape, reported = None, None, 0.0
        for frame in self.frames():
            if shape != (frame.format.name, frame.layout.name, frame.sample_rate):
                self.write(resampler, None)
                shape = (frame.format.name, frame.layout.name, frame.sample_rate)
                resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
            self.fill_gap(frame)
            frame.pts = None
            self.write(resampler, frame)
            self.position += frame.samples / frame.sample_rate
            if self.position > self.limit + 1:
                raise EngineError("SOURCE_TOO_LONG")
            if self.position - reported >= PROGRESS_EVERY:
                reported = self.position
                self.run.progress(self.position, self.declared, "seconds")
        self.write(resampler, None)

    def frames(self) -> Iterator[av.AudioFrame]:
        """Every frame that can be decoded; packets that can't are counted and passed over."""
        for packet in self.packets:
            if packet.stream_index != self.stream.index:
                continue
            self.sound_end = max(self.sound_end, self.packets.end_of(packet))
            try:
                yield from self.stream.codec_context.decode(packet if packet.size else None)
            except av.error.EOFError:
                return
            except av.error.FFmpegError:
                self.errors += 1

    def fill_gap(self, frame: av.AudioFrame) -> None:
        """Silence where the timestamps jump ahead, so that later words keep their place."""
        if frame.time is None:
            return
        gap = frame.time - self.packets.origin - self.position
        end = self.declared + 1 if self.declared else self.position + MAX_BLIND_GAP
        if gap > MIN_GAP and self.position + gap <= end:
            self.file.seek(round(gap * RATE) * 2, 1)
            if self.errors or self.packets.holes:
                self.lost.append((self.position, self.position + gap))
            self.position += gap

    def write(self, resampler: av.AudioResampler | None, frame: av.AudioFrame | None) -> None:
        for piece in resampler.resample(frame) if resampler else ():
            self.file.write(piece.to_ndarray().tobytes())

    def result(self, path: Path, out: Path) -> Audio:
        """The sound of `path`, in `out`, and what is missing of it; refuses a file with (nearly) nothing left."""
        samples = out.stat().st_size // 2
        seconds = samples / RATE
        expected = max(self.expected_end(), seconds * whole_size(path) / path.stat().st_size)
        if expected - seconds > LOST_SECONDS:
            self.lost.append((max(seconds, min(self.packets.reached, expected)), expected))
        lost = sum(end - start for start, end in self.lost)
        if samples == 0 or (lost > LOST_SECONDS and lost > LOST_SHARE * max(seconds, expected)):
            raise EngineError("INPUT_CORRUPT", "The sound in this file cannot be decoded.")
        return Audio(out, samples, tuple((round(start, 3), round(end, 3)) for start, end in self.lost))

    def expected_end(self) -> float:
        """Seconds until which there should be sound; 0 when nothing tells that any is missing."""
        if self.container.format.name in EXACT_LENGTH and self.stream.duration and self.stream.time_base:
            return float(self.stream.duration * self.stream.time_base)
        if self.is_cut and self.declared:
            return min(tagged_seconds(self.stream) or self.declared, self.declared)
        return self.sound_end if self.errors or self.packets.failed else 0.0

    @property
    def is_cut(self) -> bool:
        """Whether the file ends before the length it declares; sound may well end before the picture does."""
        declares = self.container.format.name in DECLARED_LENGTH
        return declares and self.packets.reached < (self.declared or 0.0) - LOST_SECONDS


def tagged_seconds(stream: av.AudioStream) -> float | None:
    """The length Matroska's tags give a stream, as in 00:00:44.394000000."""
    match = TAGGED.fullmatch(stream.metadata.get("DURATION", ""))
    return int(match[1]) * 3600 + int(match[2]) * 60 + float(match[3]) if match else None
