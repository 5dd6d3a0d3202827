"""Links as text: checked before anything is fetched, brought to one form, and shown without secrets."""

import hashlib
import re
from urllib.parse import SplitResult, parse_qsl, unquote, urlencode, urlsplit

from svc.core.errors import EngineError

MAX_LENGTH = 2048
DEFAULT_PORTS = {"http": 80, "https": 443}
# The only query parameters that are shown: those that name a video. Signed ones have too many names to list.
SHOWN_PARAMETERS = {"v", "list", "id", "video", "video_id"}
SHOWN_VALUE = re.compile(r"[\w.-]{1,64}")
SMUGGLE = "__youtubedl_smuggle"  # how yt-dlp passes hidden options to itself
NOT_IN_A_LINK = re.compile(r"[\s\\\x00-\x1f\x7f-\x9f\ud800-\udfff]")
HASH_LETTERS = 20


def check_url(text: str) -> str:
    """The link without surrounding blanks. Raises URL_UNSUPPORTED with the reason.

    Says nothing about safety: two parsers can see two hosts in one text, so only connections are judged.
    """
    url = text.strip()
    if reason := fault(url):
        raise EngineError("URL_UNSUPPORTED", reason)
    return url


def fault(url: str) -> str | None:
    """What is wrong with a link, as a sentence, or None."""
    if len(url) > MAX_LENGTH:
        return f"The link is longer than {MAX_LENGTH} characters."
    if NOT_IN_A_LINK.search(url):
        return "The link contains a blank, a backslash or a control character."
    if SMUGGLE in unquote(url):
        return "The link carries hidden options."
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "The link is malformed."
    return fault_of_parts(parts, port)


def fault_of_parts(parts: SplitResult, port: int | None) -> str | None:
    if parts.scheme not in DEFAULT_PORTS:
        return "Only http and https links are supported."
    if "@" in parts.netloc:
        return "The link contains a user name or password."
    if not parts.hostname or port == 0:
        return "The link is malformed."
    return None


def canonical_url(url: str) -> str:
    """One form for links that mean the same: lower-case host, no default port, no credentials, no fragment."""
    parts = urlsplit(url)
    return parts._replace(netloc=plain_host(parts), path=parts.path or "/", fragment="").geturl()


def display_url(url: str) -> str:
    """The link as it may be shown and logged: no credentials, no fragment, no query but the video's id."""
    parts = urlsplit(url)
    query = [(k, v) for k, v in parse_qsl(parts.query) if k in SHOWN_PARAMETERS and SHOWN_VALUE.fullmatch(v)]
    return parts._replace(netloc=plain_host(parts), query=urlencode(query), fragment="").geturl()


def plain_host(parts: SplitResult) -> str:
    host = parts.hostname or ""
    if ":" in host:
        host = f"[{host}]"
    port = parts.port
    return host if port in (None, DEFAULT_PORTS.get(parts.scheme)) else f"{host}:{port}"


def url_hash(url: str) -> str:
    """A short name for the whole canonical address."""
    return hashlib.sha256(canonical_url(url).encode()).hexdigest()[:HASH_LETTERS]
