"""The sound of a media file as 16 kHz mono samples, on the same clock as the file's picture."""

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import av
from av.container import InputContainer

from svc.core.errors import EngineError
from svc.engine.language import short_code, short_codes
from svc.engine.media.audio import RATE, Audio
from svc.engine.media.container import open_media
from svc.engine.media.probe import MAX_SECONDS, duration_of, sane_sound
from svc.engine.run import Run

MIN_GAP = 0.25  # seconds; shorter jumps of the timestamps are jitter
MAX_BLIND_GAP = 60.0  # seconds of silence believed when the file does not say how long it is
PROGRESS_EVERY = 60.0  # seconds of sound
LOST_SECONDS, LOST_SHARE = 2.0, 0.95  # less than this lost is not worth a word; more than this share is nothing left

# Containers whose header counts the samples; elsewhere a length is an estimate that proves no damage.
EXACT_LENGTH = {"mov,mp4,m4a,3gp,3g2,mj2", "wav", "w64", "flac", "aiff", "caf"}


def decode_audio(run: Run, path: Path, out: Path) -> Audio:
    """Decodes the best audio stream of `path` into `out`, a stretch at a time.

    What is damaged in the middle becomes silence of the same length and a warning. Raises NO_AUDIO_STREAM,
    INPUT_CORRUPT when (nearly) nothing can be decoded, SOURCE_TOO_LONG beyond the request's limit.
    """
    with open_media(path) as container:
        stream = sound_stream(container, run.request.languages)
        with out.open("wb") as file:
            decoding = Decoding(run, container, stream, file)
            decoding.run_through()
        audio = Audio(out, out.stat().st_size // 2)
        decoding.judge(audio)
        return audio


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
        self.origin = (container.start_time or 0) / av.time_base
        self.declared = duration_of(container)
        self.limit = min(run.request.max_seconds or MAX_SECONDS, MAX_SECONDS)
        self.position = 0.0  # seconds of the recording written so far
        self.errors = 0
        self.lost = 0.0

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
        packets = self.container.demux(self.stream)
        while True:
            try:
                packet = next(packets, None)
            except av.error.FFmpegError:
                self.errors += 1
                return
            except IndexError:  # PyAV, at the end of a file in which another stream turned up on the way
                return
            if packet is None:
                return
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
        gap = frame.time - self.origin - self.position
        end = self.declared + 1 if self.declared else self.position + MAX_BLIND_GAP
        if gap > MIN_GAP and self.position + gap <= end:
            self.file.seek(round(gap * RATE) * 2, 1)
            self.position += gap
            if self.errors:
                self.lost += gap

    def write(self, resampler: av.AudioResampler | None, frame: av.AudioFrame | None) -> None:
        for piece in resampler.resample(frame) if resampler else ():
            self.file.write(piece.to_ndarray().tobytes())

    def judge(self, audio: Audio) -> None:
        """Refuses a file with (nearly) nothing left in it, and warns about one with a part missing."""
        expected = self.expected_seconds()
        lost = self.lost + max(0.0, expected - audio.seconds)
        if audio.samples == 0 or (lost > LOST_SECONDS and lost > LOST_SHARE * expected):
            raise EngineError("INPUT_CORRUPT", "The sound in this file cannot be decoded.")
        if lost > LOST_SECONDS:
            self.run.warn(
                "INCOMPLETE_COVERAGE",
                f"The file is damaged: about {lost:.0f} seconds of sound could not be read.",
                lostSeconds=round(lost, 1),
            )

    def expected_seconds(self) -> float:
        if self.errors and self.declared:
            return self.declared
        if self.container.format.name in EXACT_LENGTH and self.stream.duration and self.stream.time_base:
            return float(self.stream.duration * self.stream.time_base)
        return 0.0
