"""A text subtitle track inside a media file, as a transcript with the track's own times."""

import re
from collections.abc import Iterator
from pathlib import Path

import av
from av.container import InputContainer
from av.subtitles.stream import SubtitleStream
from av.subtitles.subtitle import AssSubtitle

from svc.engine.language import short_code, short_codes
from svc.engine.media.container import open_media
from svc.engine.media.probe import MAX_SECONDS, SubtitleTrack, text_subtitles
from svc.engine.transcript import Segment, Transcript

DEFAULT_SECONDS = 4.0  # how long a line without a length stays
MIN_SECONDS = 0.1
STYLING, BREAKS = re.compile(r"\{\\[^}]*\}"), re.compile(r"\\[Nnh]")  # ASS, which FFmpeg makes of every format


def read_subtitles(path: Path | str, languages: tuple[str, ...] = ()) -> Transcript | None:
    """The lines of the best text subtitle track, or None when the file has none with text."""
    with open_media(Path(path)) as container:
        track = choose_track(text_subtitles(container), short_codes(languages))
        if track is None:
            return None
        segments = in_order(list(lines(container, track)))
    if not segments:
        return None
    return Transcript(
        origin="captions-manual", timing="caption", segments=segments, language=short_code(track.language)
    )


def choose_track(tracks: list[SubtitleTrack], wanted: tuple[str, ...]) -> SubtitleTrack | None:
    """In the order of the wanted languages, then the container's default, then the first."""

    def rank(track: SubtitleTrack) -> tuple[int, bool, int]:
        code = short_code(track.language)
        return (wanted.index(code) if code in wanted else len(wanted), not track.default, track.index)

    return min(tracks, key=rank, default=None)


def lines(container: InputContainer, track: SubtitleTrack) -> Iterator[Segment]:
    stream = next(stream for stream in container.streams.subtitles if stream.index == track.index)
    origin = (container.start_time or 0) / av.time_base
    for packet in container.demux(stream):
        if not packet.size or packet.pts is None or packet.time_base is None:
            continue
        start = float(packet.pts * packet.time_base) - origin
        length = float((packet.duration or 0) * packet.time_base)
        text = " ".join(plain(packet_text(stream, packet)).split())
        if text and 0 <= start < MAX_SECONDS:
            end = start + max(length or DEFAULT_SECONDS, MIN_SECONDS)
            yield Segment(round(start, 3), round(end, 3), text, open=not length)


def packet_text(stream: SubtitleStream, packet: av.Packet) -> str:
    try:
        pieces = stream.decode(packet)
    except av.error.FFmpegError:
        return ""
    texts = [piece.dialogue or piece.text for piece in pieces if isinstance(piece, AssSubtitle)]
    return " ".join(text.decode("utf-8", "replace") for text in texts)


def plain(text: str) -> str:
    return BREAKS.sub(" ", STYLING.sub("", text))


def in_order(segments: list[Segment]) -> list[Segment]:
    """By time, without a line that is written twice."""
    segments = sorted(segments, key=lambda segment: segment.start)
    kept: list[Segment] = []
    for segment in segments:
        last = kept[-1] if kept else None
        if last and (last.text, last.start) == (segment.text, segment.start):
            continue
        kept.append(segment)
    return kept
