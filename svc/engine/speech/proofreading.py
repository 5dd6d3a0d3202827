"""What is done about words that may have been misheard: by a language model, or without one by listening again."""

import logging
from dataclasses import dataclass

from svc.core.errors import EngineError
from svc.engine.media.audio import Audio
from svc.engine.models.protocol import SpeechToText
from svc.engine.request import Options
from svc.engine.speech.editor import Corrected, Editor
from svc.engine.speech.glossary import Glossary
from svc.engine.speech.second_look import look_again
from svc.engine.transcript import Word

log = logging.getLogger(__name__)


def level(options: Options) -> str:
    """`full` when asked for or when a vocabulary is given, `terms` for the vocabulary alone, or `none`."""
    if options.proofread in (True, "full") or (options.proofread == "auto" and options.vocabulary):
        return "full"
    return "terms" if options.proofread == "terms" and options.vocabulary else "none"


@dataclass
class Proofreader:
    """Proofreads what was heard. Without an editor doubtful words are heard again, and terms known by their sound."""

    level: str
    recognizer: SpeechToText
    audio: Audio
    vocabulary: tuple[str, ...]
    editor: Editor | None

    def read(self, words: list[Word], language: str | None) -> Corrected:
        if self.level == "none" or not words:
            return Corrected(words)
        return self.edited(words, language) or self.checked(words, language)

    def edited(self, words: list[Word], language: str | None) -> Corrected | None:
        """None without an editor. One that cannot be asked is not asked again: the text is not lost over its polish."""
        try:
            return self.editor.correct(words, language) if self.editor else None
        except EngineError as error:
            log.warning("proofreading without the language model: %s", error)
            self.editor = None
            return None

    def checked(self, words: list[Word], language: str | None) -> Corrected:
        if self.level == "full":
            words = look_again(self.recognizer, self.audio, words, language, self.vocabulary)
        return Corrected(*Glossary(self.vocabulary, language).put_right(words))
