"""How good the speech stage is beside the bare library: words that are wrong, and by how much word times are off.

Run `python bench/quality.py` in a checkout. Both use the same model, one thread, and the same recordings. The time is
that of the stage without speakers; beside it, what the bare libraries need for the same work: the speech detector,
Whisper with its own language detection, and the aligner.
"""

import difflib
import re
import sys
import tempfile
import time
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "tests")]

import recordings  # noqa: E402

from svc.engine.extract import extract  # noqa: E402
from svc.engine.media.audio import Audio  # noqa: E402
from svc.engine.models.local.align import align  # noqa: E402
from svc.engine.models.local.vad import map_speech  # noqa: E402
from svc.engine.models.local.whisper import Whisper, load_whisper  # noqa: E402
from svc.engine.request import Config, Options, Request  # noqa: E402
from svc.engine.run import Run  # noqa: E402
from svc.engine.speech.sentences import sentences  # noqa: E402
from svc.engine.speech.text import spaceless  # noqa: E402
from svc.engine.transcribe import transcribe  # noqa: E402
from svc.engine.transcript import Word  # noqa: E402

FILLERS = {"uh", "um", "uhm", "hmm", "mm"}
SAME = {"alright": "all right", "okay": "ok", "mister": "mr", "yknow": "you know", "gonna": "going to", "ll": "will"}


@dataclass
class Score:
    """Word errors, reference words, seconds by which word starts are off, and processor seconds."""

    errors: int = 0
    words: int = 0
    off: list[float] = field(default_factory=list)
    seconds: float = 0.0

    def row(self, name: str) -> str:
        rate = f"{100 * self.errors / max(1, self.words):6.1f} %"
        mean = f"{sum(self.off) / len(self.off):7.3f}" if self.off else "      -"
        near = f"{100 * sum(o <= 0.2 for o in self.off) / len(self.off):6.1f} %" if self.off else "       -"
        return f"{name:24} {self.words:6} {rate} {mean} s {near} {self.seconds:8.1f}"


def tokens(text: str) -> list[str]:
    """Words to compare: lower case, no punctuation or fillers; characters in scripts without spaces."""
    found: list[str] = []
    for word in re.findall(r"\w+", text.lower().replace("'", "").replace("’", "")):
        found += list(word) if spaceless(word[0]) else SAME.get(word, word).split()
    return [word for word in found if word not in FILLERS]


def errors(reference: list[str], heard: list[str]) -> int:
    """The least number of words inserted, left out or changed (Levenshtein's distance)."""
    row = list(range(len(heard) + 1))
    for i, word in enumerate(reference, 1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(heard, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (word != other))
    return row[-1]


def time_errors(reference: list[tuple[str, float, float]], heard: list[Word]) -> list[float]:
    """How far each word that both have is off, in seconds."""
    said = [(token, start) for word, start, _ in reference for token in tokens(word)[:1]]
    found = [(token, word.start) for word in heard for token in tokens(word.text)[:1]]
    matcher = difflib.SequenceMatcher(None, [t for t, _ in said], [t for t, _ in found], autojunk=False)
    pairs = [(b.a + i, b.b + i) for b in matcher.get_matching_blocks() for i in range(b.size)]
    return [abs(said[i][1] - found[j][1]) for i, j in pairs]


def bare(whisper: Whisper, audio: Audio) -> tuple[list[Word], float]:
    began = time.process_time()
    map_speech(audio)
    segments, info = whisper.model.transcribe(
        audio.read(), vad_filter=True, word_timestamps=True, condition_on_previous_text=False, beam_size=5
    )
    words = [Word(w.word.strip(), w.start, w.end) for segment in segments for w in segment.words or ()]
    if info.language == "en":
        align(audio, sentences(deepcopy(words)))
    return words, time.process_time() - began


def stage(whisper: Whisper, name: str, folder: str) -> tuple[list[Word], float, Audio]:
    request = Request("file", name, options=Options(diarize=False))
    run = Run(request, Config(models_dir=models(), work_dir=folder), lambda event: None)
    with run.stage("extract"):
        _, audio = extract(run, recordings.path(name))
    assert audio is not None
    began = time.process_time()
    with run.stage("transcribe"):
        transcript, _ = transcribe(run, audio, whisper)
    words = [word for segment in transcript.segments for word in segment.words] if transcript else []
    return words, time.process_time() - began, audio


def models() -> str:
    return str(recordings.FOLDER / "models")


def add(score: Score, name: str, words: list[Word], seconds: float) -> None:
    reference = tokens(recordings.text(name))
    score.errors += errors(reference, tokens(" ".join(word.text for word in words)))
    score.words += len(reference)
    score.seconds += seconds
    if f"{name.removesuffix('.wav')}.TextGrid" in recordings.RECORDINGS:
        score.off += time_errors(recordings.words(name), words)


def main() -> None:
    whisper = load_whisper(Config(models_dir=models(), work_dir=""))
    ours, theirs = Score(), Score()
    print(f"{'':24} {'words':>6} {'WER':>8} {'times off':>9} {'<= 0.2 s':>8} {'CPU s':>8}")
    for name, recording in recordings.RECORDINGS.items():
        if not recording.said or not recording.language:
            continue
        with tempfile.TemporaryDirectory() as folder:
            words, seconds, audio = stage(whisper, name, folder)
            plain, libraries = bare(whisper, audio)
        for kind, score, found, spent in (("stage", ours, words, seconds), ("bare", theirs, plain, libraries)):
            one = Score()
            add(one, name, found, spent)
            add(score, name, found, spent)
            print(one.row(f"{name:18} {kind}"))
    print(ours.row("all, stage"))
    print(theirs.row("all, bare"))
    wrong, off = ours.errors / theirs.errors, fmean(ours.off) / fmean(theirs.off)
    print(f"stage / bare: word errors {wrong:.2f}, times off {off:.2f}, CPU {ours.seconds / theirs.seconds:.2f}")


if __name__ == "__main__":
    main()
