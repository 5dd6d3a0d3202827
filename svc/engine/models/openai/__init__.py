"""Any server that speaks OpenAI's protocol: OpenAI itself, Ollama, vLLM, LM Studio, llama.cpp, speaches, a gateway."""

from svc.engine.models.protocol import LanguageModel, SpeechToText, Watcher
from svc.engine.request import Config
from svc.engine.run import Run


def speech_to_text(run: Run) -> SpeechToText:
    from svc.engine.models.openai.speech import ServerEars

    return ServerEars(run)


def watcher(run: Run) -> Watcher:
    from svc.engine.models.openai.screen import FrameWatcher

    return FrameWatcher(run)


def language_model(run: Run) -> LanguageModel:
    from svc.engine.models.openai.language import ChatModel

    return ChatModel(run)


def link_reader(run: Run) -> None:
    """None: these models take text and pictures, no links."""


def forget_uploads(config: Config) -> None:
    """Nothing is kept there: pictures and sound go along with each question."""
