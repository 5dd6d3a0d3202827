"""Which provider plays which role in a run. A provider's package is loaded only when it is asked for something."""

from importlib import import_module
from typing import cast

from svc.engine.models.protocol import LanguageModel, LinkReader, Provider, SpeechToText, Watcher
from svc.engine.request import Config
from svc.engine.run import Run


def provider(name: str) -> Provider:
    return cast(Provider, import_module(f"svc.engine.models.{name}"))


def speech_to_text(run: Run) -> SpeechToText:
    return provider(run.config.asr_provider).speech_to_text(run)


def watcher(run: Run) -> Watcher:
    return provider(run.config.visual_provider).watcher(run)


def language_model(run: Run) -> LanguageModel | None:
    """The model that writes summaries and answers; None where sentences are chosen, not written."""
    return provider(run.config.synthesis_provider).language_model(run)


def link_reader(run: Run) -> LinkReader | None:
    """A model that may read the run's link, of whichever role's provider has one."""
    return next((reader for name in named(run.config) if (reader := provider(name).link_reader(run))), None)


def forget_uploads(config: Config) -> None:
    """Deletes what a run of this work folder that was killed left with its providers. Never raises."""
    for name in named(config):
        provider(name).forget_uploads(config)


def named(config: Config) -> list[str]:
    """The providers in use, each once."""
    return list(dict.fromkeys((config.asr_provider, config.visual_provider, config.synthesis_provider)))
