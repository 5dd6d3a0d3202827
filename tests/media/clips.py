"""Small media files, made as the tests need them."""

import wave
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av.subtitles.subtitle import SubtitleSet

STYLES = (
    b"[Script Info]\nScriptType: v4.00+\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\nStyle: Default,Arial,16\n"
    b"[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
)


def tone(seconds: float, rate: int = 16000, channels: int = 1) -> np.ndarray:
    """int16 samples, one row a channel."""
    wave = np.sin(2 * np.pi * 440 * np.arange(round(seconds * rate)) / rate) * 9000
    return np.tile(wave.astype(np.int16), (channels, 1))


def write_wav(path: Path, samples: np.ndarray, rate: int = 16000) -> Path:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(len(samples))
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.T.tobytes())
    return path


def write_media(
    path, seconds=2.0, picture="mpeg4", sound="aac", rate=16000, tags=(), subtitles=None, delay=0.0, sound_seconds=None
) -> Path:
    """A file with a moving picture, a tone that begins after `delay`, and subtitles: a codec and (start, end, text)s.

    `picture` and `sound` are codecs, or None. The sound ends with the picture, or at `sound_seconds`.
    """
    with av.open(str(path), "w") as container:
        container.metadata.update(tags)
        video = container.add_stream(picture, rate=10) if picture else None
        audio = container.add_stream(sound, rate=rate, layout="mono") if sound else None
        captions = container.add_stream(subtitles[0]) if subtitles else None
        if captions:
            captions.codec_context.subtitle_header = STYLES
            captions.metadata["language"] = "eng"
        if video:
            write_picture(container, video, seconds)
        if audio:
            frame = av.AudioFrame.from_ndarray(tone((sound_seconds or seconds) - delay, rate), "s16", "mono")
            frame.rate, frame.pts = rate, round(delay * rate)
            container.mux(audio.encode(frame))
            container.mux(audio.encode())
        for line in subtitles[1] if subtitles else ():
            container.mux(subtitle_packet(captions, *line))
    return path


def write_picture(container, video, seconds):
    video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
    for index in range(round(10 * seconds)):
        frame = av.VideoFrame.from_ndarray(np.full((48, 64, 3), index, np.uint8))
        frame.pts = index
        container.mux(video.encode(frame))
    container.mux(video.encode())


def subtitle_packet(stream, start, end, text):
    milliseconds = round(1000 * (end - start))
    line = SubtitleSet.create(b"0,0,Default,,0,0,0,," + text.encode(), 0, milliseconds)
    packet = stream.codec_context.encode_subtitle(line)
    packet.stream, packet.time_base = stream, Fraction(1, 1000)
    packet.pts = packet.dts = round(1000 * start)
    packet.duration = milliseconds
    return packet
