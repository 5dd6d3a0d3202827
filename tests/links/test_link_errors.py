import errno
import socket

import pytest
from yt_dlp.networking.exceptions import RequestError, TransportError
from yt_dlp.utils import DownloadError, ExtractorError

from svc.engine.links.errors import engine_error


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("Sign in to confirm you’re not a bot. Use --cookies for the authentication", "SOURCE_BLOCKED"),
        ("Private video. Sign in if you've been granted access", "SOURCE_UNAVAILABLE"),
        ("Video unavailable. This video is no longer available", "SOURCE_UNAVAILABLE"),
        ("This live event will begin in 2 hours.", "SOURCE_LIVE"),
        ("The channel is not currently live", "SOURCE_LIVE"),
        ("This video is only available for registered users. Use --username and --password", "SOURCE_AUTH_REQUIRED"),
        ("This video is only available to Premium subscribers", "SOURCE_AUTH_REQUIRED"),
        ("HTTP Error 429: Too Many Requests", "RATE_LIMIT"),
        ("This video is DRM protected", "SOURCE_UNAVAILABLE"),
        ("'x' is not a valid URL", "URL_UNSUPPORTED"),
        ("something nobody has heard of", "SOURCE_UNAVAILABLE"),
    ],
)
def test_what_sites_say(words, code):
    assert engine_error(ExtractorError(words, expected=True)).code == code


def test_a_segment_that_failed_is_told_from_the_message():
    gone = "ERROR: [download] Got error: HTTP Error 503: Service Unavailable. Giving up after 3 retries"
    assert engine_error(DownloadError(gone)).code == "NETWORK"
    assert engine_error(DownloadError(gone.replace("503", "404"))).code == "SOURCE_UNAVAILABLE"
    assert engine_error(DownloadError("ERROR: Got error: timed out. Giving up after 3 retries")).code == "NETWORK"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (TransportError(cause=TimeoutError()), "TIMEOUT"),
        (TransportError(cause=ConnectionResetError()), "NETWORK"),
        (ConnectionRefusedError(), "NETWORK"),
        (socket.gaierror(socket.EAI_NONAME, "no name"), "SOURCE_UNAVAILABLE"),
        (socket.gaierror(socket.EAI_AGAIN, "later"), "NETWORK"),
        (RequestError("Impersonate target is not available"), "SOURCE_BLOCKED"),
        (RequestError("no handler"), "URL_UNSUPPORTED"),
        (OSError(errno.ENOSPC, "no space"), "INTERNAL"),
        (KeyError("streams"), "SOURCE_UNAVAILABLE"),
    ],
)
def test_what_the_network_does(error, code):
    assert engine_error(error).code == code
