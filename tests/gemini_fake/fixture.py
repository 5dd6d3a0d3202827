"""The fixture `gemini`: one fake for the session, as new for every test. A conftest imports it."""

import pytest

from gemini_fake import GeminiFake


@pytest.fixture(scope="session")
def gemini_server():
    with GeminiFake() as fake:
        yield fake


@pytest.fixture
def gemini(gemini_server):
    """Google's Gemini on loopback: `base_url`, `key`, `requests`, `teach`, `script`, `fail_next`."""
    gemini_server.reset()
    return gemini_server
