"""What the tests of the speech stage share: runs, decoded recordings, and models that answer what they are told."""

from pathlib import Path

import numpy as np
import recordings
from jsonschema import validate

from svc.engine.media.audio import Audio
from svc.engine.media.decode import decode_audio
from svc.engine.models.protocol import Passage
from svc.engine.request import Config, Options, Request
from svc.engine.run import Run
from svc.engine.transcript import Word

MODELS = str(recordings.FOLDER / "models")


def new_run(folder: Path, languages=(), **options) -> tuple[Run, list]:
    """A run in its transcribe stage, without speakers, and the list its events go to."""
    events: list = []
    folder.mkdir(parents=True, exist_ok=True)
    request = Request("file", "clip", languages=languages, options=Options(**{"diarize": False} | options))
    run = Run(request, Config(models_dir=MODELS, work_dir=str(folder)), events.append)
    run.current = "transcribe"
    return run, events


def decoded(path: Path, folder: Path) -> Audio:
    run, _ = new_run(folder)
    return decode_audio(run, path, folder / "audio.pcm")


def repeated(audio: Audio, times: int, path: Path) -> Audio:
    """The recording over and over."""
    samples = np.tile(audio.pcm(), times)
    samples.tofile(path)
    return Audio(path, len(samples))


def codes(run: Run) -> list[str]:
    return [warning["code"] for warning in run.warnings]


def words(text: str, start=0.0, each=0.3, gap=0.1) -> list[Word]:
    """The words of a text, one after another."""
    return [
        Word(word, start + i * (each + gap), start + i * (each + gap) + each, confidence=0.9)
        for i, word in enumerate(text.split())
    ]


def spread(text: str, seconds=11.0, start=0.0) -> list[Word]:
    """The words of a text, evenly over so many seconds."""
    each = seconds / len(text.split())
    return words(text, start=start, each=0.7 * each, gap=0.3 * each)


class Scripted:
    """Answers each call with the next item of the script: passages, or an exception to raise."""

    name = "scripted"

    def __init__(self, *script, language="en"):
        self.script, self.language, self.calls = list(script), language, []

    def languages(self, samples):
        return {"en": 0.0, "fr": 0.0} | {self.language: 1.0}

    def recognize(self, samples, language, vocabulary=(), effort="usual"):
        self.calls.append({"language": language, "vocabulary": vocabulary, "effort": effort})
        answer = self.script.pop(0)
        if isinstance(answer, Exception):
            raise answer
        yield from answer


class Writer:
    """A language model that answers each question with the next item of the script, or raises it."""

    name, reads = "writer", 10_000

    def __init__(self, *script):
        self.script, self.asked = list(script), []

    def complete(self, instructions, parts, schema, most_tokens):
        self.asked.append((instructions, parts))
        answer = self.script.pop(0)
        if isinstance(answer, Exception):
            raise answer
        validate(answer, schema)
        return answer

    def cost(self, characters):
        return 0.0


def passage(found: list[Word], **judged) -> Passage:
    return Passage(found[0].start, found[-1].end, found, **{"logprob": -0.2} | judged)
