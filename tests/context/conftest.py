"""Contexts from real sources, each made once: the loopback video site, files, and the providers on loopback."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "media"))

from contexts_made import Maker, Sources
from gemini_fake.fixture import gemini_server  # noqa: F401
from openai_fake.fixture import openai_process  # noqa: F401
from video_site import VideoSite
from video_site.clips import make_clips
from yt_dlp.plugins import load_all_plugins

sys.path.append(VideoSite.plugin_path)
load_all_plugins()  # before a session turns plugins off for this process


@pytest.fixture(scope="session")
def made(gemini_server, openai_process, tmp_path_factory):  # noqa: F811
    """Contexts by the name of their source in contexts_made.py."""
    folder = tmp_path_factory.mktemp("contexts")
    with VideoSite(make_clips(folder / "site")) as site:
        yield Sources(Maker(folder, site, gemini_server, openai_process))


@pytest.fixture(scope="session")
def every_context(made):
    """All of them by name."""
    return {name: made(name) for name in Sources.names()}


@pytest.fixture(scope="session")
def root():
    return Path(__file__).parents[2]
