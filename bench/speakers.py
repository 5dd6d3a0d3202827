"""How often speakers are mixed up: diarization error rate on real conversations and on mixes of real voices.

Run `python bench/speakers.py` in a checkout. The rate is missed, false and wrongly labelled speech over all speech,
in frames of 10 ms, without a collar; overlapping speech counts for each speaker. Mixes take turns of 2 to 8 seconds.
"""

import random
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "tests")]

import recordings  # noqa: E402

from svc.engine.media.audio import RATE, Audio  # noqa: E402
from svc.engine.media.decode import decode_audio  # noqa: E402
from svc.engine.models.local.speakers import diarize  # noqa: E402
from svc.engine.models.local.vad import map_speech  # noqa: E402
from svc.engine.request import Config, Request  # noqa: E402
from svc.engine.run import Run  # noqa: E402

CONVERSATIONS = ["call.wav", *(f"meeting_{name}.wav" for name in ("dev00", "dev01", "tst00", "trn03"))]
VOICES = {
    "reader": ["two_cities.wav"],
    "talker": ["acoustic_corpus.wav", "cold_corpus.wav"],
    "austen": ["austen_0870.wav", "austen_0890.wav", "austen_0920.wav"],
    "spanish": ["spanish.opus"],
    "french": ["french.wav"],
    "italian": ["italian.wav"],
    "russian": ["russian.wav"],
}
MIXES = [
    ("reader", "talker"),
    ("french", "russian"),
    ("reader", "austen", "italian"),
    ("french", "talker", "spanish"),
    ("reader", "talker", "french", "italian"),
]
MIX_SECONDS = 90
LOUDNESS = 2000
FRAMES = 100  # a second

Turns = list[tuple[float, float, str]]


def sound(name: str, folder: Path) -> np.ndarray:
    path = recordings.path(name)
    run = Run(Request("file", str(path)), Config(models_dir=str(folder), work_dir=str(folder)), lambda event: None)
    return decode_audio(run, path, folder / "one.pcm").pcm()


def stored(samples: np.ndarray, folder: Path) -> Audio:
    path = folder / "mix.pcm"
    samples.astype("<i2").tofile(path)
    return Audio(path, len(samples))


def voice(name: str, folder: Path) -> np.ndarray:
    samples = np.concatenate([sound(part, folder) for part in VOICES[name]]).astype(float)
    return samples * LOUDNESS / np.sqrt(np.mean(samples**2))


def mix(names: tuple[str, ...], folder: Path) -> tuple[np.ndarray, Turns]:
    chance, voices = random.Random(1), {name: voice(name, folder) for name in names}
    parts, turns, at, position, last = [], [], 0.0, dict.fromkeys(names, 0), ""
    while at < MIX_SECONDS:
        last = chance.choice([name for name in names if name != last])
        start, length = position[last], int(chance.uniform(2, 8) * RATE)
        part = voices[last][start : start + length]
        position[last] = 0 if start + length >= len(voices[last]) else start + length
        speech = map_speech(stored(part, folder)).spans
        turns += [(at + first, at + final, last) for first, final in speech]
        parts += [part, np.zeros(RATE // 4)]
        at += len(part) / RATE + 0.25
    return np.concatenate(parts).clip(-32768, 32767), turns


def rates(truth: Turns, told: Turns, seconds: float) -> tuple[float, float]:
    """Diarization error rate, and the part of it that is wrong labels, under the best matching of speakers."""
    true, guess = frames(truth, seconds), frames(told, seconds)
    both = true @ guess.T
    agreed = both[linear_sum_assignment(-both)].sum()
    one, other = true.sum(axis=0), guess.sum(axis=0)
    confused = np.minimum(one, other).sum() - agreed
    return (np.abs(one - other).sum() + confused) / one.sum(), confused / one.sum()


def frames(turns: Turns, seconds: float) -> np.ndarray:
    """Who speaks in each frame: [speakers, frames], 0 or 1."""
    names = sorted({name for *_, name in turns})
    grid = np.zeros((len(names), int(seconds * FRAMES) + 1), int)
    for start, end, name in turns:
        grid[names.index(name), round(start * FRAMES) : round(end * FRAMES)] = 1
    return grid


def judge(name: str, samples: np.ndarray, truth: Turns, folder: Path) -> None:
    audio = stored(samples, folder)
    speech = map_speech(audio).spans
    began = time.process_time()
    found = diarize(audio, speech)
    spent = (time.process_time() - began) / audio.seconds
    told = [(turn.start, turn.end, str(turn.speaker)) for turn in found.turns]
    error, confused = rates(truth, told, audio.seconds)
    counts = f"{len({name for *_, name in told})} of {len({name for *_, name in truth})}"
    print(f"{name:32} {100 * error:6.1f} % {100 * confused:6.1f} %  {counts:8} {spent:5.3f} {found.doubtful}")


def main() -> None:
    print(f"{'recording':32} {'error':>8} {'confused':>8}  speakers   CPU  doubtful")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for talk in CONVERSATIONS:
            judge(talk, sound(talk, folder), recordings.turns(talk), folder)
        for voices in [(name,) for name in VOICES]:
            samples = voice(voices[0], folder).clip(-32768, 32767)
            spans = map_speech(stored(samples, folder)).spans
            judge(voices[0], samples, [(start, end, voices[0]) for start, end in spans], folder)
        for names in MIXES:
            judge("+".join(names), *mix(names, folder), folder)


if __name__ == "__main__":
    main()
