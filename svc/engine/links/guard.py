"""yt-dlp behind the network guard: one request handler, judged sockets, bounded pages, and never ffmpeg or a browser.

Everything an extractor or native downloader fetches goes through `YoutubeDL.urlopen`, so one handler sees pages,
redirects, manifests, segments, keys and captions. The handler rests on private names of yt-dlp's `_urllib` module;
the attack tests show whether an upgrade still honours them.
"""

import functools
import http.client
import io
import logging
import urllib.request
import urllib.response
import zlib
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import yt_dlp.globals
from yt_dlp import YoutubeDL
from yt_dlp.downloader import DashSegmentsFD, HlsFD, get_suitable_downloader
from yt_dlp.downloader.http import HttpFD
from yt_dlp.extractor import openload
from yt_dlp.networking import RequestDirector
from yt_dlp.networking._helper import create_connection
from yt_dlp.networking._urllib import HTTPHandler, RedirectHandler, UrllibResponseAdapter, UrllibRH
from yt_dlp.networking.exceptions import HTTPError, RequestError
from yt_dlp.postprocessor.ffmpeg import FFmpegPostProcessor
from yt_dlp.utils import DownloadError

from svc.engine.links.network import AddressRefusedError, Network, PageTooLargeError

log = logging.getLogger("svc.links")

SOCKET_SECONDS = 15
NO_PROGRAM = "/nonexistent"
PARAMS = {
    "quiet": True,
    "no_warnings": True,
    "noprogress": True,
    "color": "never",
    "cachedir": False,
    "proxy": "",
    "geo_bypass": False,
    "socket_timeout": SOCKET_SECONDS,
    "noplaylist": True,
    "playlist_items": "1",
    "format": "b*",
    "writesubtitles": True,
    "extractor_retries": 0,
    "retries": 2,
    "fragment_retries": 3,
    "skip_unavailable_fragments": False,
    "concurrent_fragment_downloads": 4,
    "external_downloader": {"default": "native"},
    "ffmpeg_location": NO_PROGRAM,
    "fixup": "never",
    "updatetime": False,
}
NATIVE_DOWNLOADERS = (HttpFD, HlsFD, DashSegmentsFD)
ANY_ZLIB_HEADER = zlib.MAX_WBITS | 32


class GuardedYoutubeDL(YoutubeDL):
    """One per session and thread. `without_formats` keeps what was known of a video that has none."""

    def __init__(self, network: Network, plugins: bool = False):
        self.network = network
        self.without_formats: dict[str, Any] | None = None
        self.failure: DownloadError | None = None
        forbid_programs()
        if not plugins:
            yt_dlp.globals.plugin_dirs.value = []
        super().__init__({**PARAMS, "logger": QuietLogger()})
        self.add_progress_hook(lambda status: network.check())

    def build_request_director(self, handlers: Any, preferences: Any = None) -> RequestDirector:
        return super().build_request_director([functools.partial(GuardedRH, network=self.network)])

    def urlopen(self, req: Any) -> Any:
        self.network.check()
        try:
            return super().urlopen(req)
        finally:
            self.network.check()

    def dl(self, name: str, info: dict[str, Any], subtitle: bool = False, test: bool = False) -> Any:
        """Downloads one format. Raises RequestError for a protocol that would need another program."""
        if get_suitable_downloader(info, self.params) not in NATIVE_DOWNLOADERS:
            raise RequestError(f"the protocol {info.get('protocol')} is not supported")
        self.failure = None
        try:
            return super().dl(name, info, subtitle, test)
        except ValueError as error:
            # A segment's thread that fails closes the file under the others; its own failure tells why.
            raise self.failure or error from error

    def trouble(self, message: str | None = None, tb: str | None = None, is_error: bool = True) -> None:
        try:
            super().trouble(message, tb, is_error)
        except DownloadError as error:
            self.failure = self.failure or error
            raise

    def process_subtitles(self, *_: Any) -> None:
        """Nothing: the session chooses captions itself, and yt-dlp's choice fails on a track without a language."""

    def raise_no_formats(self, info: dict[str, Any], forced: bool = False, *, msg: str | None = None) -> None:
        self.without_formats = info
        super().raise_no_formats(info, forced, msg=msg)


def forbid_programs() -> None:
    """Hides the programs that would fetch past the guard: ffmpeg, and PhantomJS, which three extractors start."""
    FFmpegPostProcessor._ffmpeg_location.set(NO_PROGRAM)
    openload.check_executable = lambda *command: False


class QuietLogger:
    """yt-dlp's messages may hold signed addresses, so they are for debugging only."""

    def debug(self, message: str) -> None:
        log.debug(message)

    info = warning = error = debug


class GuardedRH(UrllibRH):
    """yt-dlp's urllib handler with only http and https, whose sockets the network opens."""

    RH_NAME = "guarded"
    _SUPPORTED_URL_SCHEMES = ("http", "https")

    def __init__(self, *, network: Network, **options: Any):
        super().__init__(**{**options, "enable_file_urls": False})
        self.network = network

    def _prepare_headers(self, _: Any, headers: Any) -> None:
        headers.setdefault("Accept-Encoding", "gzip")

    def _create_instance(self, proxies: Any, cookiejar: Any, legacy_ssl_support: Any = None) -> Any:
        opener = urllib.request.OpenerDirector()
        make_context = functools.partial(self._make_sslcontext, legacy_ssl_support=legacy_ssl_support)
        for handler in (
            GuardedHTTPHandler(self.network, make_context),
            urllib.request.HTTPCookieProcessor(cookiejar),
            urllib.request.UnknownHandler(),
            urllib.request.HTTPDefaultErrorHandler(),
            urllib.request.HTTPErrorProcessor(),
            GuardedRedirectHandler(),
        ):
            opener.add_handler(handler)
        opener.addheaders = []
        return opener

    def _send(self, request: Any) -> Any:
        try:
            return self._capped(super()._send(request))
        except HTTPError as error:
            self._capped(error.response)
            raise

    def _capped(self, response: Any) -> Any:
        # The same object changes its class, because an adapter that is dropped closes its connection.
        response.__class__, response.max_bytes = CappedResponse, self.network.max_page_bytes
        return response


class CappedResponse(UrllibResponseAdapter):
    """A response whose `read()` without an amount is bounded."""

    max_bytes: int

    def read(self, amt: int | None = None) -> bytes:
        if amt is not None:
            return super().read(amt)
        data = super().read(self.max_bytes + 1) or b""
        self.close()
        if len(data) > self.max_bytes:
            raise PageTooLargeError(f"the page has more than {self.max_bytes} bytes")
        return data


class GuardedHTTPHandler(HTTPHandler):
    """Connections through the network, and compressed bodies unpacked only as far as a page may go."""

    _context: Any

    def __init__(self, network: Network, make_context: Callable[[], Any]):
        super().__init__()
        self.network, self._make_context = network, make_context

    def _make_conn_class(self, base: type, req: Any) -> type:
        return guarded_connection(base, self.network)

    def https_open(self, req: Any) -> Any:
        self._context = self._context or self._make_context()  # loads all certificates, so only when needed
        return super().https_open(req)

    def http_response(self, req: Any, resp: Any) -> Any:
        if (resp.headers.get("Content-Encoding") or "identity").lower() == "identity":
            return resp
        body = unpack(resp.read(self.network.max_page_bytes + 1), self.network.max_page_bytes)
        unpacked: Any = urllib.response.addinfourl(io.BytesIO(body), resp.headers, resp.url, resp.code)
        unpacked.msg = resp.msg
        return unpacked

    https_response = http_response


def unpack(packed: bytes, max_bytes: int) -> bytes:
    """A gzip or deflate body. Raises PageTooLargeError, or RequestError for any other coding."""
    try:
        body = zlib.decompressobj(ANY_ZLIB_HEADER).decompress(packed, max_bytes + 1)
    except zlib.error as error:
        raise RequestError(cause=error) from error
    if max(len(packed), len(body)) > max_bytes:
        raise PageTooLargeError(f"the page has more than {max_bytes} bytes")
    return body


def guarded_connection(base: Callable[..., http.client.HTTPConnection], network: Network) -> type:
    """The connection class whose socket the network opens, after each address of the host was judged."""

    class GuardedConnection(base):  # type: ignore[valid-type,misc]
        def connect(self) -> None:
            connect = functools.partial(network.connect, self.host)
            self._create_connection = functools.partial(create_connection, _create_socket_func=connect)
            super().connect()
            network.watch(self.sock)  # once more: TLS put a new socket object around the first

    return GuardedConnection


class GuardedRedirectHandler(RedirectHandler):
    """Follows redirects to http and https only, without reading their bodies or passing credentials on."""

    def http_error_302(self, req: Any, fp: Any, code: int, msg: str, headers: Any) -> Any:
        fp.read = lambda *amount: b""
        return super().http_error_302(req, fp, code, msg, headers)

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        if urlsplit(newurl).scheme not in ("http", "https"):
            raise AddressRefusedError("the link redirects to something that is not http or https")
        request = super().redirect_request(req, fp, code, msg, headers, newurl)
        if request and urlsplit(newurl).netloc != urlsplit(req.full_url).netloc:
            request.headers.pop("Authorization", None)
        return request
