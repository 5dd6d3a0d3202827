"""What is done about words that may have been misheard: by a language model, or without one by listening again."""

import logging
from dataclasses import dataclass

from svc.core.errors import EngineError
from svc.engine.media.audio import Audio
from svc.engine.models.protocol import SpeechToText
from svc.engine.speech.editor import Corrected, Editor
from svc.engine.speech.glossary import Fix, Glossary
from svc.engine.speech.hinted import look_for_terms
from svc.engine.speech.second_look import look_again
from svc.engine.transcript import Word

log = logging.getLogger(__name__)


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
        """None without an editor. One that cannot be asked is not asked again: the text is not lost over its polish.

        Where nothing of it could be taken over, the terms are put right by their sound.
        """
        try:
            read = self.editor.correct(words, language) if self.editor else None
        except EngineError as error:
            log.warning("proofreading without the language model: %s", error)
            self.editor = None
            return None
        if read and read.level == "none" and self.vocabulary:
            return Corrected(*self.by_sound(words, language), rejected=read.rejected, level="terms")
        return read

    def checked(self, words: list[Word], language: str | None) -> Corrected:
        if self.level == "full":
            words = look_again(self.recognizer, self.audio, words, language)
        words, fixes = look_for_terms(self.recognizer, self.audio, words, language, self.vocabulary)
        words, more = self.by_sound(words, language)
        return Corrected(words, fixes + more, level=self.level)

    def by_sound(self, words: list[Word], language: str | None) -> tuple[list[Word], list[Fix]]:
        return Glossary(self.vocabulary, language).put_right(words)
