"""The fixture `openai_server`: one fake for the session, as new for every test. A conftest imports both."""

import pytest

from openai_fake import OpenAIFake
from svc.engine.models.openai import language, speech


@pytest.fixture(scope="session")
def openai_process():
    with OpenAIFake() as fake:
        yield fake


@pytest.fixture
def openai_server(openai_process):
    """A server that speaks OpenAI's protocol: `base_url`, `key`, `knows`, `script`, `fail_next`, `requests`.

    What the provider has learnt of it is forgotten too.
    """
    openai_process.reset()
    language.manners_of.cache_clear()
    speech.manners_of.cache_clear()
    return openai_process
