"""Language tags: BCP-47 hints and the three-letter codes of containers, brought to one short code each."""

from collections.abc import Iterable

from yt_dlp.utils import ISO639Utils

# Codes that mean the same spoken language: old codes, bibliographic ISO 639-2 codes, and members of a macrolanguage.
SAME = {
    "iw": "he",
    "in": "id",
    "ji": "yi",
    "jw": "jv",
    "nb": "no",
    "nob": "no",
    "fil": "tl",
    "cmn": "zh",
    "alb": "sq",
    "arm": "hy",
    "baq": "eu",
    "bur": "my",
    "chi": "zh",
    "cze": "cs",
    "dut": "nl",
    "fre": "fr",
    "geo": "ka",
    "ger": "de",
    "gre": "el",
    "ice": "is",
    "mac": "mk",
    "mao": "mi",
    "may": "ms",
    "per": "fa",
    "rum": "ro",
    "slo": "sk",
    "tib": "bo",
    "wel": "cy",
}
UNKNOWN = {"", "und", "mul", "mis", "zxx"}


def short_code(tag: str | None) -> str | None:
    """The shortest code of a tag's language (`en-GB`, `eng` and `EN` are `en`), or None when it names none."""
    code = (tag or "").strip().lower().replace("_", "-").split("-")[0]
    if code in UNKNOWN:
        return None
    code = SAME.get(code, code)
    return (ISO639Utils.long2short(code) or code) if len(code) == 3 else code


def short_codes(tags: Iterable[str]) -> tuple[str, ...]:
    """The languages of several tags, in their order and each once."""
    return tuple(dict.fromkeys(code for code in map(short_code, tags) if code))
