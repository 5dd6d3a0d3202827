"""Which captions a video offers, and in which order to try them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

from svc.engine.facts import Track
from svc.engine.links.language import language_tag, same_language

NOT_CAPTIONS = {"live_chat", "danmaku", "comments", "rechat"}
# Best first. json3 has one event for each line, without the rolling repeats of automatic VTT.
EXTENSIONS = ("json3", "vtt", "srt", "ttml", "dfxp", "xml", "unknown_video")
SPOKEN_SUFFIX = "-orig"


@dataclass(frozen=True)
class Offer:
    """A caption track and where it can be fetched: yt-dlp's format dictionaries, best first.

    `spoken`: the site marks it as the recognised speech. `translated_from`: the language of the speech, when the
    text is in another one.
    """

    track: Track
    formats: list[dict[str, Any]]
    spoken: bool = False
    translated_from: str | None = None


def offered(info: dict[str, Any]) -> list[Offer]:
    """Every readable track: manual ones, then automatic ones, each in the page's order."""
    return [*offers(info, "subtitles"), *offers(info, "automatic_captions")]


def offers(info: dict[str, Any], field: str) -> Iterator[Offer]:
    automatic = field == "automatic_captions"
    for key, formats in (info.get(field) or {}).items():
        readable = [f for f in formats if f.get("ext") in EXTENSIONS and (f.get("url") or f.get("data"))]
        if key in NOT_CAPTIONS or not readable:
            continue
        readable.sort(key=lambda f: EXTENSIONS.index(f["ext"]))
        yield offer(info, str(key or ""), readable, automatic)


def offer(info: dict[str, Any], key: str, formats: list[dict[str, Any]], automatic: bool) -> Offer:
    query = parse_qs(urlsplit(formats[0].get("url") or "").query)
    name = next((f["name"] for f in formats if isinstance(f.get("name"), str)), None)
    if automatic and "tlang" in query:
        origin = language_tag(query.get("lang", [""])[0]) or spoken_language(info) or "und"
        return Offer(Track(language_tag(query["tlang"][0]), "translated", name), formats, translated_from=origin)
    language, spoken = language_tag(key.removesuffix(SPOKEN_SUFFIX)), spoken_language(info)
    if automatic:
        return Offer(Track(language, "auto", name), formats, spoken=key.endswith(SPOKEN_SUFFIX))
    is_translation = language and spoken and not same_language(language, spoken)
    return Offer(Track(language, "manual", name), formats, translated_from=spoken if is_translation else None)


def spoken_language(info: dict[str, Any]) -> str | None:
    """The language the site says is spoken."""
    keys = info.get("automatic_captions") or {}
    recognised = next((key.removesuffix(SPOKEN_SUFFIX) for key in keys if str(key).endswith(SPOKEN_SUFFIX)), None)
    return language_tag(info.get("language")) or language_tag(recognised)


def preferred(info: dict[str, Any], wishes: tuple[str, ...]) -> list[Offer]:
    """All offers, the best first: manual in a wanted language, then recognised speech, then the rest.

    Without a wish the spoken language is the wanted one. People's captions in another language come before
    recognised speech in another, and machine translations last.
    """
    spoken = spoken_language(info)
    wanted = [tag for wish in wishes if (tag := language_tag(wish))] or [tag for tag in [spoken] if tag]
    return sorted(offered(info), key=lambda entry: rank(entry, wanted, spoken))


def rank(entry: Offer, wanted: list[str], spoken: str | None) -> tuple[int, int, int]:
    """The sort key of an offer: its class, its language's place among the wanted, how sure it is the speech itself."""
    match = language_place(entry.track.language, wanted)
    is_wanted = match < len(wanted) * 2 or not wanted
    classes = {("manual", True): 0, ("auto", True): 1, ("manual", False): 2, ("auto", False): 3}
    group = classes.get((entry.track.kind, is_wanted), 4)
    speech = 0 if entry.spoken else 1 if same_language(entry.track.language, spoken) else 2
    return group, match, speech


def language_place(language: str | None, wanted: list[str]) -> int:
    """Twice the index of the wish it meets, one more when only the base language agrees; past the end for none."""
    for place, wish in enumerate(wanted):
        if language == wish:
            return place * 2
        if same_language(language, wish):
            return place * 2 + 1
    return len(wanted) * 2
