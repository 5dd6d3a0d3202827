"""Google's Gemini: speech to text, notes on the picture, summaries and answers, and links that it opens itself."""

from svc.engine.models.protocol import LanguageModel, LinkReader, SpeechToText, Watcher
from svc.engine.request import Config
from svc.engine.run import Run


def speech_to_text(run: Run) -> SpeechToText:
    from svc.engine.models.gemini.speech import Transcriber

    return Transcriber(run)


def watcher(run: Run) -> Watcher:
    from svc.engine.models.gemini.screen import ScreenReader

    return ScreenReader(run)


def language_model(run: Run) -> LanguageModel:
    from svc.engine.models.gemini.api import Api
    from svc.engine.models.gemini.language import Gemini

    return Gemini(Api(run))


def link_reader(run: Run) -> LinkReader:
    from svc.engine.models.gemini.link import VideoLinks

    return VideoLinks(run)


def forget_uploads(config: Config) -> None:
    """Deletes what an ended run left at the provider, as far as it can be reached. Never raises."""
    from svc.engine.models.gemini import files

    if files.ledger(config.work_dir).is_dir():
        files.forget(config)
