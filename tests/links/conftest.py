"""A video site that links may reach, a server that they may not, and runs against them."""

import contextlib
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from video_site import Server, VideoSite  # noqa: E402
from video_site.clips import make_clips  # noqa: E402
from yt_dlp.plugins import load_all_plugins  # noqa: E402

from svc.engine.links.session import open_link  # noqa: E402
from svc.engine.request import Config, Request  # noqa: E402
from svc.engine.run import Run  # noqa: E402

sys.path.append(VideoSite.plugin_path)
load_all_plugins()  # before a session turns plugins off for this process


@pytest.fixture(scope="session")
def clips(tmp_path_factory):
    return make_clips(tmp_path_factory.mktemp("clips"))


@pytest.fixture
def site(clips):
    with VideoSite(clips) as site:
        yield site


@pytest.fixture
def internal():
    """A server on an address that links may not reach. Its `hits` must stay empty."""
    with Server("127.0.0.1") as server:
        server.serve("/secret.html", "<video src='/secret.mp4'></video>")
        yield server


class Runs:
    """Opens sessions; `events` are those of the last one."""

    def __init__(self, site, folder):
        self.site, self.folder, self.events, self.run = site, folder, [], None

    @contextlib.contextmanager
    def open(self, link, mode="auto", languages=(), max_seconds=None, waits=(), **config):
        """A session on a path of the site or a whole link."""
        url = self.site.url(link) if link.startswith("/") else link
        request = Request("url", url, mode, languages, max_seconds=max_seconds)
        config = {"allow_hosts": (self.site.allow,), "extractor_plugins": True, **config}
        self.events = []
        self.run = Run(request, Config("models", str(self.folder), **config), self.events.append)
        with open_link(self.run, waits) as session:
            yield session

    def resolve(self, link, **options):
        with self.open(link, **options) as session:
            return session.resolve()

    def captions(self, link, **options):
        with self.open(link, **options) as session:
            return session.captions()

    def download(self, link, want="audio", **options):
        with self.open(link, **options) as session:
            return session.download(self.folder, want)

    def warnings(self):
        return [warning["code"] for warning in self.run.warnings]


@pytest.fixture
def links(site, tmp_path):
    return Runs(site, tmp_path)
