"""Opens a media file so that only its own bytes are read, and only as real audio or video."""

import struct
from pathlib import Path

import av
from av.container import InputContainer

from svc.core.errors import EngineError

# FFmpeg would also "play" playlists, subtitles, pictures and scripts; those name other files or are no media.
FORMATS = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,flv,asf,ogg,wav,w64,mp3,flac,aac,ac3,aiff,amr,caf"
READ_TIMEOUT = (10, 30)  # seconds to open, seconds to read

# Still pictures that the mov demuxer takes for video, by their major brand.
PICTURE_BRANDS = {"avif", "avis", "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "crx "}

# What the containers above begin with: a file that does but cannot be opened is damaged, not foreign.
SIGNATURES = (
    (4, b"ftyp"),
    (4, b"moov"),
    (4, b"mdat"),
    (4, b"wide"),
    (0, b"\x1aE\xdf\xa3"),
    (8, b"WAVE"),
    (8, b"AVI "),
    (0, b"OggS"),
    (0, b"fLaC"),
    (0, b"ID3"),
    (0, b"\xff\xfb"),
    (0, b"FLV\x01"),
    (8, b"AIFF"),
    (8, b"AIFC"),
    (0, b"caff"),
    (0, b"\x30\x26\xb2\x75\x8e\x66\xcf\x11"),
    (0, b"#!AMR"),
    (0, b"\x00\x00\x01\xba"),
    (0, b"riff\x2e\x91\xcf\x11"),
)

UNKNOWN_SIZE = 0x7F000000  # bytes; from here on RIFF headers hold what a recorder writes that cannot go back


def open_media(path: Path) -> InputContainer:
    """The opened container; the caller closes it. Raises INPUT_NOT_FOUND, INPUT_UNSUPPORTED or INPUT_CORRUPT."""
    if not path.is_file():
        raise EngineError("INPUT_NOT_FOUND")
    try:
        container = av.open(
            str(path.resolve()),
            metadata_errors="replace",
            timeout=READ_TIMEOUT,
            options={"protocol_whitelist": "file", "format_whitelist": FORMATS},
        )
    except (av.error.FFmpegError, ValueError) as error:
        raise EngineError("INPUT_CORRUPT" if looks_like_media(path) else "INPUT_UNSUPPORTED") from error
    if container.metadata.get("major_brand") in PICTURE_BRANDS:
        container.close()
        raise EngineError("INPUT_UNSUPPORTED", "This is a picture, not audio or video.")
    return container


def looks_like_media(path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(64)
    return any(head[offset : offset + len(mark)] == mark for offset, mark in SIGNATURES)


def whole_size(path: Path) -> int:
    """The bytes a RIFF file (WAV, AVI) should have by its header; 0 where that says nothing."""
    with path.open("rb") as file:
        mark, size = struct.unpack("<4sI", file.read(8).ljust(8, b"\0"))
    return size + 8 if mark == b"RIFF" and size < UNKNOWN_SIZE else 0
