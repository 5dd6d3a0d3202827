"""The same engine with each provider in every role: the embedded models, and the two on loopback."""

from functools import cache
from pathlib import Path

import av
import numpy as np
import pytest
import recordings
import slides
from gemini_fake.fixture import gemini_server  # noqa: F401
from gemini_fake.speech import spoken
from openai_fake.fixture import openai_process  # noqa: F401

from svc.core import schema
from svc.engine.ask.answer import answer
from svc.engine.pipeline import Pipeline
from svc.engine.request import Config, GeminiAccess, OpenAIAccess, Options, Request
from svc.engine.run import Run

RATE = 16_000
MARKED = "acoustic_corpus.wav", "cold_corpus.wav"  # one voice, with the time of every word
OTHER_VOICE = "jfk.wav"
PAUSE = 1.0  # seconds between recordings
FPS = 5


@pytest.fixture(scope="session", params=["local", "gemini", "openai"])
def engine(request, talk, dialogue, tmp_path_factory):
    """Makes Contexts with one provider in every role."""
    return Engine(request.param, access(request, [talk, dialogue]), tmp_path_factory.mktemp(request.param))


def access(request, known):
    """How the provider is reached; Gemini's stand-in is told what is said in the recordings."""
    if request.param == "gemini":
        fake = request.getfixturevalue("gemini_server")
        for sound in known:
            fake.teach(sound.path, sound.words)
        return {"gemini": GeminiAccess(fake.key, fake.base_url, "gemini-3.5-flash-lite")}
    if request.param == "openai":
        fake = request.getfixturevalue("openai_process")
        return {"openai": OpenAIAccess(fake.key, fake.base_url, fake.model, fake.base_url, fake.ears)}
    return {}


class Engine:
    def __init__(self, provider: str, access: dict, folder: Path):
        self.provider, self.access, self.folder = provider, access, folder
        self.context = cache(self.context)
        self.events: list[dict] = []

    def config(self, name: str) -> Config:
        roles = dict.fromkeys(("asr_provider", "visual_provider", "synthesis_provider"), self.provider)
        work_dir = self.folder / name
        work_dir.mkdir(exist_ok=True)
        return Config(models_dir=str(recordings.FOLDER / "models"), work_dir=str(work_dir), **roles, **self.access)

    def context(self, path: Path, mode: str, languages: tuple[str, ...] = (), **options) -> dict:
        """The Context of a file; the same one again is not made anew."""
        name = f"{path.stem}-{mode}-{abs(hash((languages, *options.items())))}"
        return self.run(path, mode, name, languages, **options)

    def run(self, path: Path, mode: str, name: str, languages: tuple[str, ...] = (), **options) -> dict:
        """The Context, made in the work folder of that name, and in `events` what was told on the way."""
        self.events = []
        request = Request("file", str(path), mode, languages, Options(**options), file_name=path.name)
        context = Pipeline(Run(request, self.config(name), self.events.append)).run()
        schema.check_large("context", context)
        return context

    def ask(self, question: str, context: dict) -> dict:
        return answer(Run(Request("file", "ask.json"), self.config("ask"), self.events.append), question, context)


class Joined:
    """Two recordings with a pause between them: a WAV file, and its words with their times in seconds.

    `turn` is where the second one begins.
    """

    def __init__(self, path: Path, first: str, second: str):
        pause = np.zeros(round(PAUSE * RATE), np.int16)
        self.path, sound = path, samples(first)
        write_wav(path, np.concatenate([sound, pause, samples(second)]))
        self.turn = len(sound) / RATE + PAUSE
        later = [(text, start + self.turn, end + self.turn) for text, start, end in words(second)]
        self.words = [*words(first), *later]


def words(name: str) -> list[tuple[str, float, float]]:
    """A recording's words at their marked times, or where the sound is loud."""
    return recordings.words(name) if name in MARKED else spoken(recordings.text(name), samples(name))


@pytest.fixture(scope="session")
def talk(tmp_path_factory):
    """One voice for a minute."""
    return Joined(tmp_path_factory.mktemp("talk") / "talk.wav", *MARKED)


@pytest.fixture(scope="session")
def dialogue(tmp_path_factory):
    """Two people, one after the other."""
    return Joined(tmp_path_factory.mktemp("dialogue") / "dialogue.wav", MARKED[0], OTHER_VOICE)


@pytest.fixture(scope="session")
def lecture(talk, tmp_path_factory):
    """The talk with slides, its sound untouched."""
    folder = tmp_path_factory.mktemp("lecture")
    seconds = talk.words[-1][2] / len(slides.DECK)
    silent = slides.write_video(folder / "silent.mp4", [(picture, seconds) for picture in slides.deck()], FPS)
    with (
        av.open(str(silent)) as pictures,
        av.open(str(talk.path)) as voice,
        av.open(str(folder / "lecture.mkv"), "w") as both,
    ):
        sources = (pictures.streams.video[0], voice.streams.audio[0])
        streams = [both.add_stream_from_template(source) for source in sources]
        for container, stream in zip((pictures, voice), streams, strict=True):
            for packet in container.demux():
                if packet.dts is not None:
                    packet.stream = stream
                    both.mux(packet)
    return folder / "lecture.mkv"


@pytest.fixture(scope="session")
def silence(tmp_path_factory):
    path = tmp_path_factory.mktemp("silence") / "silence.wav"
    write_wav(path, np.zeros(20 * RATE, np.int16))
    return path


def samples(name: str) -> np.ndarray:
    resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
    with av.open(str(recordings.path(name))) as container:
        return np.concatenate([p.to_ndarray()[0] for f in container.decode(audio=0) for p in resampler.resample(f)])


def write_wav(path: Path, sound: np.ndarray) -> None:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("pcm_s16le", rate=RATE, layout="mono")
        frame = av.AudioFrame.from_ndarray(sound[None], format="s16", layout="mono")
        frame.sample_rate = RATE
        container.mux(stream.encode(frame))
        container.mux(stream.encode())
