"""Which provider plays which role in a run. A provider's package is loaded only when it is asked for something."""

from importlib import import_module
from typing import cast

from svc.engine.models.protocol import LanguageModel, LinkReader, Provider, SpeechToText, Watcher
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
    names = dict.fromkeys((run.config.asr_provider, run.config.visual_provider, run.config.synthesis_provider))
    return next((reader for name in names if (reader := provider(name).link_reader(run))), None)
