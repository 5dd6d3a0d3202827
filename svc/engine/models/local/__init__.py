"""The embedded models: nothing leaves this machine, and nothing costs money."""

from svc.engine.models.protocol import SpeechToText, Watcher
from svc.engine.request import Config
from svc.engine.run import Run


def speech_to_text(run: Run) -> SpeechToText:
    from svc.engine.models.local.whisper import load_whisper

    return load_whisper(run.config)


def watcher(run: Run) -> Watcher:
    from svc.engine.models.local.screen import ScreenReader

    return ScreenReader(run)


def language_model(run: Run) -> None:
    """None: summaries are made of the sentences that were said."""


def link_reader(run: Run) -> None:
    """None: a link is only read by fetching it."""


def forget_uploads(config: Config) -> None:
    """Nothing ever left this machine."""
