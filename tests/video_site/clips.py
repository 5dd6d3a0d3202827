"""Tiny media made on the spot: a tone and a changing colour, in the containers that the site serves."""

from fractions import Fraction
from pathlib import Path

import av
import numpy as np

RATE = 16_000
FPS = 5
WIDTH, HEIGHT = 64, 48
AES_KEY, AES_IV = b"0123456789abcdef", bytes(16)


def make_clips(folder: Path, seconds: float = 2.0) -> Path:
    """Writes talk.mp4, talk.mp3, talk.wav, silent.mp4, HLS segments (plain and encrypted) and DASH files."""
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "talk.mp4", seconds, audio="aac", video="mpeg4")
    write(folder / "silent.mp4", seconds, video="mpeg4")
    write(folder / "talk.mp3", seconds, audio="mp3")
    write(folder / "talk.wav", seconds, audio="pcm_s16le")
    for number in range(2):
        write(folder / f"segment{number}.ts", seconds / 2, audio="aac", video="mpeg2video", format="mpegts")
        segment = (folder / f"segment{number}.ts").read_bytes()
        (folder / f"encrypted{number}.ts").write_bytes(encrypt(segment))
    (folder / "aes.key").write_bytes(AES_KEY)
    write_dash(folder, seconds)
    return folder


def write(
    path: Path, seconds: float, audio: str = "", video: str = "", format: str | None = None, **flags: str
) -> None:
    with av.open(str(path), "w", format=format, options=flags) as container:
        sound = container.add_stream(audio, rate=RATE) if audio else None
        picture = container.add_stream(video, rate=FPS) if video else None
        if sound:
            sound.codec_context.layout = "mono"
        if picture:
            picture.width, picture.height, picture.pix_fmt = WIDTH, HEIGHT, "yuv420p"
            picture.codec_context.time_base = Fraction(1, FPS)
        for second in range(max(1, round(seconds))):
            if picture:
                add_pictures(container, picture, second)
            if sound:
                add_sound(container, sound, second, min(1.0, seconds))
        for stream in (sound, picture):
            if stream:
                container.mux(stream.encode())


def add_sound(container: av.container.OutputContainer, stream: av.AudioStream, second: int, length: float) -> None:
    times = (second + np.arange(0, length, 1 / RATE)).astype(np.float64)
    samples = (8000 * np.sin(2 * np.pi * 440 * times)).astype(np.int16)
    frame = av.AudioFrame.from_ndarray(samples[None, :], format="s16", layout="mono")
    frame.sample_rate, frame.pts = RATE, second * RATE
    for converted in av.AudioResampler(stream.codec_context.format, "mono", RATE).resample(frame):
        container.mux(stream.encode(converted))


def add_pictures(container: av.container.OutputContainer, stream: av.VideoStream, second: int) -> None:
    for number in range(FPS):
        pixels = np.full((HEIGHT, WIDTH, 3), (second * 40 + number * 8) % 256, np.uint8)
        frame = av.VideoFrame.from_ndarray(pixels, format="rgb24").reformat(format="yuv420p")
        frame.pts = second * FPS + number
        container.mux(stream.encode(frame))


def encrypt(segment: bytes) -> bytes:
    from Cryptodome.Cipher import AES
    from Cryptodome.Util.Padding import pad

    return AES.new(AES_KEY, AES.MODE_CBC, AES_IV).encrypt(pad(segment, 16))


def write_dash(folder: Path, seconds: float) -> None:
    """One fragmented file, cut into its header and its fragments."""
    whole = folder / "dash.mp4"
    write(whole, seconds, audio="aac", format="mp4", movflags="frag_keyframe+empty_moov+default_base_moof")
    data = whole.read_bytes()
    cut = data.index(b"moof") - 4
    (folder / "dash-init.mp4").write_bytes(data[:cut])
    (folder / "dash-1.m4s").write_bytes(data[cut:])
