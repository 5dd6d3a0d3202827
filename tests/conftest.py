"""Fixtures for tests of the whole service: a video site and a real `svc serve`, each started once."""

import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import browsing
import recordings
from service import Service
from video_site import VideoSite
from video_site.clips import make_clips


@pytest.fixture(scope="session")
def video_site(tmp_path_factory):
    """The loopback video site, with real speech beside its tiny clips."""
    folder = make_clips(tmp_path_factory.mktemp("media"))
    for name in ("jfk.mp3", "two_cities.wav"):
        shutil.copyfile(recordings.path(name), folder / name)
    with VideoSite(folder) as site:
        yield site


@pytest.fixture(scope="session")
def service(video_site, tmp_path_factory):
    """A running service that may reach the video site, with limits wide enough for a whole suite."""
    data_dir = tmp_path_factory.mktemp("data")
    data_dir.joinpath("svc.toml").write_text(
        "[limits.anonymous]\nuploads_waiting = 100\nwaiting_jobs = 50\nrunning_jobs = 2\nrequests_per_minute = 1000\n"
        "minutes_per_day = 1000\ncaption_jobs_per_day = 1000\n"
    )
    environ = {"SVC_ALLOW_HOSTS": video_site.allow, "SVC_EXTRACTOR_PLUGINS": "true", "SVC_WORKERS": "2"}
    with Service(data_dir, video_site.plugin_path, **environ) as running:
        yield running


@pytest.fixture(scope="session")
def chromium():
    with browsing.chromium() as running:
        yield running
