"""A finished Context as a file to read or to play: Markdown, SRT, WebVTT, plain text or JSON.

Each function takes the contract's Context and gives the whole file; `FORMATS` names them with their media types.
"""

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from svc.engine.subtitles import Cue, cues, joined, speaker_names, tidy

PARAGRAPH_SECONDS = 45.0
SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)\]」』]*$")
# The site of which it is known that a link may begin in mid-video, and how.
YOUTUBE_HOSTS = ("youtube.com", "www.youtube.com", "m.youtube.com", "youtu.be")
# Punctuation that is markup anywhere, or at the start of a line; and the number of a list.
MARKUP = re.compile(r"[\\`*_\[\]<>|~&]|^[#+\-=]")
LIST_NUMBER = re.compile(r"^(\d+)([.)](?:\s|$))")


def to_json(context: dict[str, Any]) -> str:
    return json.dumps(context, ensure_ascii=False, indent=2) + "\n"


def to_srt(context: dict[str, Any]) -> str:
    """SubRip. A speaker's name stands where they begin to speak; SRT knows no escapes, only `-->` is reserved.

    Without speech it is an empty file, which is SubRip without a cue: a line of ours would be shown in the video.
    """
    blocks = [
        f"{number}\n{span(cue, ',')}\n{text.replace('-->', '->')}\n"
        for number, cue in enumerate(cues(context, named=True), 1)
        for text in ["\n".join(cue.lines)]
    ]
    return "\n".join(blocks)


def to_vtt(context: dict[str, Any]) -> str:
    """WebVTT, with a voice tag on every cue whose speaker is known. Without speech it is the header alone."""
    names = speaker_names(context)
    blocks = ["WEBVTT\n"]
    for cue in cues(context):
        text = escaped("\n".join(cue.lines))
        voiced = f"<v {escaped(names[cue.speaker])}>{text}</v>" if cue.speaker else text
        blocks.append(f"{span(cue, '.')}\n{voiced}\n")
    return "\n".join(blocks)


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def span(cue: Cue, point: str) -> str:
    return f"{timestamp(cue.start, point)} --> {timestamp(cue.end, point)}"


def timestamp(seconds: float, point: str) -> str:
    """HH:MM:SS and milliseconds after the point, which is a comma in SRT."""
    whole, ms = divmod(round(seconds * 1000), 1000)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}{point}{ms:03}"


def clock(seconds: float) -> str:
    """A time for people: 1:05, or 1:01:05."""
    whole = int(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def to_text(context: dict[str, Any]) -> str:
    """The transcript alone, a paragraph a turn, with speakers where they are known; a word in brackets for none."""
    names = speaker_names(context)
    texts = []
    for _, speaker, text in paragraphs(context):
        texts.append(f"{names[speaker]}: {text}\n" if speaker else f"{text}\n")
    return "\n".join(texts) or f"{nothing_written(context)}\n"


def nothing_written(context: dict[str, Any]) -> str:
    """What stands for a transcript without words: nobody spoke, or nobody listened, as in mode visual."""
    silent = any(warning["code"] == "NO_SPEECH_DETECTED" for warning in context.get("warnings") or [])
    return "[no speech]" if silent else "[no transcript]"


def paragraphs(context: dict[str, Any]) -> list[tuple[float, str | None, str]]:
    """Start, speaker and text: a new one where the speaker changes, and after a sentence once it is long."""
    found: list[tuple[float, str | None, list[str]]] = []
    for segment in (context.get("transcript") or {}).get("segments", []):
        text, speaker = tidy(segment["text"]), segment.get("speaker")
        if not text:
            continue
        if not found or found[-1][1] != speaker or is_full(found[-1], segment["start"]):
            found.append((segment["start"], speaker, []))
        found[-1][2].append(text)
    return [(start, speaker, joined(texts)) for start, speaker, texts in found]


def is_full(paragraph: tuple[float, str | None, list[str]], now: float) -> bool:
    start, _, texts = paragraph
    limit = PARAGRAPH_SECONDS if SENTENCE_END.search(texts[-1]) else 2 * PARAGRAPH_SECONDS
    return now - start >= limit


def to_markdown(context: dict[str, Any]) -> str:
    """Title and source, summary, chapters, key moments, what was on screen, and the transcript."""
    sections = [head(context)]
    synthesis = context.get("synthesis") or {}
    sections += summary(synthesis.get("summary") or {})
    sections += section("Chapters", [chapter(context, entry) for entry in synthesis.get("chapters") or []])
    sections += section("Key moments", [moment(context, entry) for entry in synthesis.get("keyMoments") or []])
    sections += section(
        "On screen", [scene(context, entry) for entry in (context.get("visual") or {}).get("scenes") or []]
    )
    sections += section("Notes", [f"- {plain(warning['message'])}" for warning in context.get("warnings") or []])
    sections += transcript(context)
    return "\n\n".join(sections) + "\n"


def head(context: dict[str, Any]) -> str:
    meta, source = context.get("meta") or {}, context.get("source") or {}
    title = (
        (context.get("synthesis") or {}).get("title") or meta.get("title") or source.get("fileName") or context["id"]
    )
    lines = [f"# {plain(title)}"]
    if url := web_address(context):
        lines.append(f"Source: <{url}>")
    elif source.get("fileName"):
        lines.append(f"Source: {plain(source['fileName'])}")
    about = [(meta.get("channel") or {}).get("name"), meta.get("uploadDate")]
    about.append(clock(meta["durationSeconds"]) if meta.get("durationSeconds") else None)
    if any(about):
        lines.append(" · ".join(plain(str(value)) for value in about if value))
    return "\n\n".join(lines)


def summary(value: dict[str, Any]) -> list[str]:
    texts = [plain(text) for text in (value.get("tldr"), value.get("long")) if text]
    bullets = "\n".join(f"- {plain(bullet)}" for bullet in value.get("bullets") or [])
    parts = [*texts[:1], *([bullets] if bullets else []), *texts[1:]]
    return ["## Summary", *parts] if parts else []


def section(name: str, items: list[str]) -> list[str]:
    return [f"## {name}", "\n".join(items)] if items else []


def chapter(context: dict[str, Any], entry: dict[str, Any]) -> str:
    said = f"  \n  {plain(entry['summary'])}" if entry.get("summary") else ""
    return f"- {time_link(context, entry['start'])} **{plain(entry['title'])}**{said}"


def moment(context: dict[str, Any], entry: dict[str, Any]) -> str:
    kind = f" ({entry['kind']})" if entry["kind"] != "other" else ""
    return f"- {time_link(context, entry['time'])} {plain(entry['label'])}{kind}"


def scene(context: dict[str, Any], entry: dict[str, Any]) -> str:
    shown = " / ".join(plain(line) for line in entry.get("onScreenText") or [])
    told = plain(entry.get("description") or "")
    return f"- {time_link(context, entry['start'])} {with_text(told, shown) if told and shown else told or shown}"


def with_text(told: str, shown: str) -> str:
    """A description and the text it leads up to: a colon in place of its full stop, or after a question nothing."""
    told = told.rstrip(".。")
    return f"{told} {shown}" if SENTENCE_END.search(told) else f"{told}: {shown}"


def transcript(context: dict[str, Any]) -> list[str]:
    names = speaker_names(context)
    parts = []
    for start, speaker, text in paragraphs(context):
        name = f"**{plain(names[speaker])}** " if speaker else ""
        parts.append(f"{name}{time_link(context, start)}  \n{plain(text)}")
    return ["## Transcript", *parts] if parts else []


def plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return LIST_NUMBER.sub(r"\1\\\2", MARKUP.sub(r"\\\g<0>", tidy(text)))


def web_address(context: dict[str, Any]) -> str | None:
    """The source's address, when it is one of the web."""
    source = context.get("source") or {}
    url = source.get("canonicalUrl") or source.get("url") or ""
    if urlsplit(url).scheme not in ("http", "https"):
        return None
    return re.sub(r"[\s<>]", lambda match: f"%{ord(match.group()):02X}", url)


def time_link(context: dict[str, Any], seconds: float) -> str:
    """The time, as a link into the video where the site is known to take one."""
    url = web_address(context)
    if not url or urlsplit(url).hostname not in YOUTUBE_HOSTS:
        return clock(seconds)
    parts = urlsplit(url)
    query = [(name, value) for name, value in parse_qsl(parts.query) if name not in ("t", "start")]
    at = urlunsplit(parts._replace(query=urlencode([*query, ("t", f"{int(seconds)}s")]), fragment=""))
    return f"[{clock(seconds)}](<{at}>)"


FORMATS: dict[str, tuple[Callable[[dict[str, Any]], str], str]] = {
    "json": (to_json, "application/json"),
    "md": (to_markdown, "text/markdown"),
    "srt": (to_srt, "application/x-subrip"),
    "vtt": (to_vtt, "text/vtt"),
    "txt": (to_text, "text/plain"),
}
