"""Every way yt-dlp, a site or the network can fail, as an EngineError."""

import contextlib
import errno
import http.client
import logging
import re
import socket
from collections.abc import Iterator

from yt_dlp.networking.exceptions import CertificateVerifyError, HTTPError, RequestError, TransportError
from yt_dlp.utils import (
    ContentTooShortError,
    ExtractorError,
    GeoRestrictedError,
    UnsupportedError,
    UserNotLive,
    YoutubeDLError,
)

from svc.core.errors import EngineError
from svc.engine.links.network import TIME_IS_UP, TOO_MANY_BYTES, AddressRefusedError, Network, PageTooLargeError

log = logging.getLogger("svc.links")

# An extractor that meets an answer it does not expect raises any of the last six.
SOURCE_ERRORS = (
    YoutubeDLError,
    OSError,
    http.client.HTTPException,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)
STOPS = {
    TIME_IS_UP: ("TIMEOUT", "The link took too long to answer."),
    TOO_MANY_BYTES: ("TOO_LARGE", "The media file is larger than allowed."),
}
STATUS_CODES = {
    401: "SOURCE_AUTH_REQUIRED",
    402: "SOURCE_AUTH_REQUIRED",
    403: "SOURCE_BLOCKED",
    406: "SOURCE_BLOCKED",
    408: "TIMEOUT",
    412: "SOURCE_BLOCKED",
    418: "SOURCE_BLOCKED",
    425: "RATE_LIMIT",
    429: "RATE_LIMIT",
    504: "TIMEOUT",
}
# What sites and extractors say, in the order to look: "Sign in to confirm you're not a bot" is no login.
WORDINGS = [
    (re.compile(pattern, re.IGNORECASE), code)
    for pattern, code in (
        (r"rate.?limit|too many requests", "RATE_LIMIT"),
        (r"not a bot|captcha|anti-bot|client challenge|impersonat|\bIP .*block", "SOURCE_BLOCKED"),
        (
            r"live event will begin|premieres? in|not (yet )?started|scheduled for|is offline|not (currently )?live\b",
            "SOURCE_LIVE",
        ),
        (
            r"DRM|private video|video is private|removed|deleted|terminated|no longer|does not exist"
            r"|video (is )?unavailable",
            "SOURCE_UNAVAILABLE",
        ),
        (
            r"--cookies|--username|account credentials|log.?in|sign in|registered users|subscri|members?[- ]only"
            r"|premium|purchase|payment|password|confirm your age|NSFW|not authorized",
            "SOURCE_AUTH_REQUIRED",
        ),
        (r"not a valid URL|unsupported url|blob URL", "URL_UNSUPPORTED"),
        (r"no video formats|not available", "SOURCE_UNAVAILABLE"),
    )
]
DISK_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS}
FRAGMENT_FAILURE = re.compile(r"Got error: (?:HTTP Error (?P<status>\d{3}))?.*Giving up after", re.DOTALL)
OUTDATED_HINT = "Check that the link plays in a private window; the operator may need to update yt-dlp."


@contextlib.contextmanager
def engine_errors(network: Network) -> Iterator[None]:
    """Turns whatever fails inside the block into an EngineError; a stop explains every failure after it."""
    try:
        yield
    except (EngineError, *SOURCE_ERRORS) as error:
        if isinstance(error, EngineError) and not network.stop_reason:
            raise
        raise engine_error(error, network.stop_reason) from error


def engine_error(error: BaseException, stop_reason: str | None = None) -> EngineError:
    """The catalogue's error for an exception and its causes; a stopped session's own reason comes first."""
    if stop_reason:
        code, message = STOPS[stop_reason]
        return EngineError(code, message)
    causes = chain(error)
    found = next((row for reason in REASONS if (row := reason(causes))), None)
    if not found:
        log.warning("a source failed in an unknown way: %s: %s", type(causes[-1]).__name__, causes[-1])
    return found or EngineError("SOURCE_UNAVAILABLE", "The video could not be read.", hint=OUTDATED_HINT)


def chain(error: BaseException) -> list[BaseException]:
    """The exception and everything that led to it, wherever yt-dlp keeps it, outermost first."""
    found: list[BaseException] = []
    waiting: list[object] = [error]
    while waiting:
        one = waiting.pop(0)
        if isinstance(one, BaseException) and one not in found:
            found.append(one)
            exc_info = getattr(one, "exc_info", None) or (None, None)
            waiting += [getattr(one, "cause", None), exc_info[1], one.__cause__, one.__context__]
    return found


def of_kind(causes: list[BaseException]) -> EngineError | None:
    """Exceptions whose class says it all."""
    for kind, code, message in (
        (AddressRefusedError, "URL_UNSUPPORTED", "The link leads to an address that may not be reached."),
        (PageTooLargeError, "URL_UNSUPPORTED", "The page is larger than a page with a video should be."),
        (GeoRestrictedError, "SOURCE_UNAVAILABLE", "The video is not available in this server's country."),
        (UserNotLive, "SOURCE_LIVE", "The channel is a live stream, and not live at the moment."),
        (CertificateVerifyError, "SOURCE_UNAVAILABLE", "The site's certificate is not valid."),
        (UnsupportedError, "URL_UNSUPPORTED", "No video or audio was found at this link."),
    ):
        if any(isinstance(cause, kind) for cause in causes):
            return EngineError(code, message)
    return None


def of_wording(causes: list[BaseException]) -> EngineError | None:
    """What an extractor expected to happen, told in words."""
    for cause in causes:
        if isinstance(cause, ExtractorError) and (cause.expected or is_no_formats(cause)) and not by_network(cause):
            for pattern, code in WORDINGS:
                if pattern.search(cause.orig_msg):
                    return EngineError(code)
    return None


def of_fragment(causes: list[BaseException]) -> EngineError | None:
    """A segment that failed: yt-dlp passes on nothing but its message."""
    match = FRAGMENT_FAILURE.search(str(causes[0]))
    if not match:
        return None
    if not match["status"]:
        return EngineError("NETWORK", "A part of the video could not be fetched.")
    code = status_code(int(match["status"]))
    return EngineError(code, "A part of the video is missing.", status=int(match["status"]))


def is_no_formats(error: ExtractorError) -> bool:
    """yt-dlp reports a video without formats as unexpected, although it is the usual end of a deleted one."""
    return error.orig_msg.startswith("No video formats")


def by_network(error: ExtractorError) -> bool:
    """yt-dlp also calls an extractor's failed request expected; that one's status tells more than its text."""
    return isinstance(error.cause, HTTPError | TransportError)


def of_status(causes: list[BaseException]) -> EngineError | None:
    failed = next((cause for cause in causes if isinstance(cause, HTTPError)), None)
    if failed is None:
        return None
    wait = failed.response.headers.get("Retry-After") or ""
    return EngineError(
        status_code(failed.status),
        f"The site answered with HTTP status {failed.status}.",
        status=failed.status,
        retry_after_ms=int(wait) * 1000 if wait.isascii() and wait.isdigit() else None,
    )


def status_code(status: int) -> str:
    if status < 400:
        return "URL_UNSUPPORTED"  # a redirect that leads nowhere
    return STATUS_CODES.get(status) or ("SOURCE_UNAVAILABLE" if status < 500 else "NETWORK")


def of_disk(causes: list[BaseException]) -> EngineError | None:
    if any(isinstance(cause, OSError) and cause.errno in DISK_ERRORS for cause in causes):
        return EngineError("INTERNAL", "The download could not be written to disk.")
    return None


def of_connection(causes: list[BaseException]) -> EngineError | None:
    if any(isinstance(cause, socket.gaierror) and cause.errno == socket.EAI_NONAME for cause in causes):
        return EngineError("SOURCE_UNAVAILABLE", "There is no site of this name.", hint="Check the link's spelling.")
    if any(isinstance(cause, TimeoutError) for cause in causes):
        return EngineError("TIMEOUT", "The site did not answer in time.")
    if any(isinstance(c, TransportError | OSError | ContentTooShortError | http.client.HTTPException) for c in causes):
        return EngineError("NETWORK", "The connection to the site failed.")
    return None


def of_request(causes: list[BaseException]) -> EngineError | None:
    """A request that the guard's handler cannot make."""
    for cause in causes:
        if isinstance(cause, RequestError):
            blocked = "impersonat" in str(cause).lower()
            return EngineError("SOURCE_BLOCKED" if blocked else "URL_UNSUPPORTED")
    return None


# In the order to ask: what is certain before what is guessed.
REASONS = (of_kind, of_wording, of_status, of_disk, of_connection, of_request, of_fragment)
