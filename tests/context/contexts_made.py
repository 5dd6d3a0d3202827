"""The sources that the Contexts of these tests are made of. Together they show every field and every warning."""

import json
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import av
import recordings
import slides
from clips import write_media
from gemini_fake import GeminiFake, faults, spread
from gemini_fake.question import Media
from openai_fake import OpenAIFake
from talk_captions import CHAPTERS, SECONDS, TALK, TTML_WITHOUT_ENDS
from video_site import VideoSite, captions

from svc.core import schema
from svc.engine.pipeline import Pipeline
from svc.engine.request import Config, GeminiAccess, OpenAIAccess, Options, Request
from svc.engine.run import Run

Context = dict[str, Any]

SPOKEN, SPOKEN_SECONDS = "jfk.wav", 11.0
SPANISH_SECONDS = 15.0
REFUSED_VIDEO = "refused0001"  # the site's extractor in tests/video_site/plugins refuses it
ROLES = ("asr", "visual", "synthesis")


class Maker:
    """Makes Contexts; a file's or link's work folder has the Context's name."""

    def __init__(self, folder: Path, site: VideoSite, gemini: GeminiFake, openai: OpenAIFake):
        self.folder, self.site, self.gemini, self.openai = folder, site, gemini, openai

    def make(
        self, name: str, source: Path | str, mode: str, languages=(), model="gemini-3.5-flash-lite", **more: Any
    ) -> Context:
        """The Context of a path or link. `more`: a provider for each role (`asr="gemini"`), and the request's options.

        It is checked against its schema.
        """
        roles = {f"{role}_provider": more.pop(role, "local") for role in ROLES}
        config = Config(
            models_dir=str(recordings.FOLDER / "models"),
            work_dir=str(self.work_folder(name)),
            allow_hosts=(self.site.allow,),
            extractor_plugins=True,
            gemini=GeminiAccess(self.gemini.key, self.gemini.base_url, model),
            openai=OpenAIAccess(self.openai.key, self.openai.base_url, self.openai.model),
            **roles,
        )
        options = Options(**{"diarize": False, "detail": "transcript"} | more)
        kind = "file" if isinstance(source, Path) else "url"
        context = Pipeline(Run(Request(kind, str(source), mode, languages, options), config, lambda event: None)).run()
        schema.check_large("context", context)
        return json.loads(json.dumps(context))

    def work_folder(self, name: str) -> Path:
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        return folder

    def teach_gemini(self) -> None:
        """Gemini, as new, knows what is said in the recording."""
        self.gemini.reset()
        self.gemini.teach_recording(SPOKEN)


MAKERS: dict[str, Callable[[Maker], Context]] = {}


def source(make: Callable[[Maker], Context]) -> Callable[[Maker], Context]:
    MAKERS[make.__name__] = make
    return make


class Sources:
    """Contexts by name. A source's function runs when it is first asked for."""

    def __init__(self, maker: Maker):
        self.maker = maker
        self.made = cache(lambda name: MAKERS[name](maker))

    def __call__(self, name: str) -> Context:
        return self.made(name)

    @staticmethod
    def names() -> list[str]:
        return list(MAKERS)


# Links with captions.


@source
def captioned_link(maker: Maker) -> Context:
    """Everything that a site tells of a video, and its captions with the names of who speaks."""
    maker.site.serve("/captions/talk.vtt", TALK)
    tracks = {
        "en": [{"url": "/captions/talk.vtt", "ext": "vtt"}],
        "de": [{"url": "/captions/manual.de.vtt", "ext": "vtt"}],
    }
    picture = {"vcodec": "mp4v", "acodec": "mp4a", "width": 640, "height": 360, "fps": 25}
    link = maker.site.video(
        "talk",
        duration=SECONDS,
        description="Two people on bread and stars.",
        channel="Kitchen and Sky",
        channel_id="UC1",
        channel_url="https://media.example/kitchen",
        upload_date="20260304",
        language="en",
        chapters=CHAPTERS,
        tags=["bread", "telescopes"],
        view_count=1234,
        thumbnail="/poster.jpg",
        live_status="was_live",
        subtitles=tracks,
        formats=[{"url": "/media/talk.mp4", "format_id": "18", "ext": "mp4", **picture}],
    )
    return maker.make("captioned_link", link, "captions", detail="full")


@source
def recognised_link(maker: Maker) -> Context:
    """Automatic captions whose lines roll, in another language than asked for."""
    tracks = {"en": [{"url": "/captions/rolling.vtt", "ext": "vtt"}]}
    link = maker.site.video("rolling", automatic_captions=tracks, language="en")
    return maker.make("recognised_link", link, "captions", ("ja",))


@source
def translated_link(maker: Maker) -> Context:
    """Captions in a language that a machine put them into, summed up by a model whose price is not known."""
    maker.openai.reset()
    link = maker.site.url("/watch/translated")
    return maker.make("translated_link", link, "captions", ("fr",), synthesis="openai", detail="full")


@source
def open_captions_link(maker: Maker) -> Context:
    """Captions that say when a line begins and not when it ends."""
    maker.site.serve("/captions/open.ttml", TTML_WITHOUT_ENDS)
    link = maker.site.video("open", subtitles={"en": [{"url": "/captions/open.ttml", "ext": "ttml"}]})
    return maker.make("open_captions_link", link, "captions")


@source
def late_captions_link(maker: Maker) -> Context:
    """Captions of a longer cut of the video."""
    late = f"{captions.MANUAL_EN}\n00:00:02.500 --> 00:00:09.000\nThis was cut.\n"
    maker.site.serve("/captions/late.vtt", late)
    link = maker.site.video("late", subtitles={"en": [{"url": "/captions/late.vtt", "ext": "vtt"}]})
    return maker.make("late_captions_link", link, "captions")


@source
def stored_link(maker: Maker) -> Context:
    """The captions of an earlier job, which are stored."""
    captioned_link(maker)
    parts = maker.work_folder("captioned_link") / "parts"
    shutil.copytree(parts, maker.work_folder("stored_link") / "stored", dirs_exist_ok=True)
    return maker.make("stored_link", maker.site.url("/watch/talk"), "captions", detail="full")


# Links that are heard, by the service or by a model.


@source
def uncaptioned_link(maker: Maker) -> Context:
    """Captions that cannot be read, so that the sound is heard."""
    maker.teach_gemini()
    shutil.copyfile(recordings.path(SPOKEN), maker.site.media / SPOKEN)
    sound = {"url": f"/media/{SPOKEN}", "format_id": "0", "ext": "wav", "vcodec": "none", "acodec": "pcm_s16le"}
    tracks = {"en": [{"url": "/captions/broken.vtt", "ext": "vtt"}]}
    link = maker.site.video("uncaptioned", subtitles=tracks, formats=[sound], duration=SPOKEN_SECONDS)
    return maker.make("uncaptioned_link", link, "auto", asr="gemini")


@source
def refused_link(maker: Maker) -> Context:
    """A public video that its site does not give to this machine: a model listens to and watches the link."""
    maker.gemini.reset()
    maker.gemini.script(little_to_see)
    link = maker.gemini.publish(REFUSED_VIDEO, 20, spread("This is a talk about owls, and it is short.", 20))
    return maker.make("refused_link", link, "full", ("de",), asr="gemini", visual="gemini")


# Files.


@source
def subtitled_file(maker: Maker) -> Context:
    """A file with subtitles inside."""
    lines = [(0.2, 0.9, "Good morning and welcome."), (1.0, 1.8, "This is the talk.")]
    path = write_media(maker.folder / "subtitled.mkv", subtitles=("subrip", lines))
    return maker.make("subtitled_file", path, "auto", ("de",), detail="brief")


@source
def heard_file(maker: Maker) -> Context:
    """A recording, heard by the embedded models with word times and speakers."""
    path = recordings.path(SPOKEN)
    options = {"include_words": True, "diarize": True, "vocabulary": ("Amerikans",)}
    return maker.make("heard_file", path, "audio", ("en",), **options)


@source
def lecture_file(maker: Maker) -> Context:
    """A voice with slides: heard, watched and summed up by a model, which also rewrites what was said."""
    maker.teach_gemini()
    maker.gemini.script(rewritten)
    maker.gemini.script(slides_to_see)
    path = write_lecture(maker.folder)
    models = dict.fromkeys(ROLES, "gemini") | {"model": "gemini-3.5-flash"}
    return maker.make("lecture_file", path, "full", ("en",), proofread="full", detail="full", **models)


@source
def spanish_file(maker: Maker) -> Context:
    """A recording whose words come without times here and there, with a term to be put right."""
    maker.gemini.reset()
    path = write_wav(recordings.path("spanish.opus"), maker.folder / "spanish.wav")
    maker.gemini.teach(path, spread(recordings.text("spanish.opus"), SPANISH_SECONDS))
    maker.gemini.script(corrected("wentworth", "Wenworth"))
    options = {"include_words": True, "proofread": "terms", "vocabulary": ("Wenworth",), "detail": "full"}
    return maker.make("spanish_file", path, "audio", ("es",), asr="gemini", synthesis="gemini", **options)


@source
def dictated_file(maker: Maker) -> Context:
    """A recording that the transcriber declines, so that a model writes down what is said."""
    maker.teach_gemini()
    maker.gemini.fail_next("interactions", None, faults.SAFETY, faults.SAFETY)
    maker.gemini.script(dictated)
    return maker.make("dictated_file", recordings.path(SPOKEN), "audio", ("en",), asr="gemini", synthesis="gemini")


@source
def half_heard_file(maker: Maker) -> Context:
    """A recording whose end the transcriber leaves out, and then declines."""
    maker.gemini.reset()
    maker.gemini.teach(recordings.path(SPOKEN), spread("And so my fellow Americans", 4.0))
    maker.gemini.fail_next("interactions", None, None, faults.SAFETY)
    return maker.make("half_heard_file", recordings.path(SPOKEN), "audio", ("en",), asr="gemini")


@source
def call_file(maker: Maker) -> Context:
    """A telephone call on a bad line."""
    maker.gemini.reset()
    maker.gemini.teach_recording("call.wav")
    options = {"diarize": True, "include_words": True}
    return maker.make("call_file", recordings.path("call.wav"), "audio", ("en",), asr="gemini", **options)


@source
def silent_file(maker: Maker) -> Context:
    """A picture of nothing, without sound."""
    black = slides.write_video(maker.folder / "black.mp4", [(slides.blank(color=slides.BLACK), 4)])
    return maker.make("silent_file", black, "visual", detail="full")


@source
def wordless_file(maker: Maker) -> Context:
    """A tone."""
    return maker.make("wordless_file", maker.site.media / "talk.mp3", "audio", detail="full")


@source
def cut_file(maker: Maker) -> Context:
    """A video that was not written to its end."""
    whole = slides.write_video(maker.folder / "whole.mkv", [(slides.noise((160, 120)), 20)]).read_bytes()
    path = maker.folder / "cut.mkv"
    path.write_bytes(whole[: len(whole) // 2])
    return maker.make("cut_file", path, "visual")


# What the models answer.


def asks_for(question: Any, name: str) -> bool:
    return name in (question.schema or {}).get("properties", {})


def rewritten(question: Any) -> Any:
    """To a proofreader's question: another text altogether."""
    if not asks_for(question, "corrections"):
        return None
    return {"corrections": [{"number": 1, "text": "Something that nobody said stands here in place of it all."}]}


def corrected(heard: str, term: str) -> Callable[[Any], Any]:
    """To a proofreader's question: the first sentence with a term in place of what was heard."""

    def answer(question: Any) -> Any:
        if not asks_for(question, "corrections"):
            return None
        first = question.text.splitlines()[0].partition(". ")[2]
        return {"corrections": [{"number": 1, "text": first.replace(heard, term)}]}

    return answer


def dictated(question: Any) -> Any:
    return {"text": recordings.text(SPOKEN)} if asks_for(question, "text") else None


def slides_to_see(question: Any) -> Any:
    if not asks_for(question, "scenes"):
        return None
    spans = (("00:00", "00:04"), ("00:04", "00:07"), ("00:07", "00:11"))
    scenes = [
        {"start": start, "end": end, "description": f"A slide on {title}.", "text": [title, *lines]}
        for (start, end), (title, lines) in zip(spans, slides.DECK, strict=True)
    ]
    return {"overview": "Three slides.", "value": "high", "scenes": scenes}


def little_to_see(question: Any) -> Any:
    scene = {"start": "00:00", "end": "00:09", "description": "Moving colours.", "text": []}
    return {"overview": "Colours.", "value": "low", "scenes": [scene]} if asks_for(question, "scenes") else None


# Media.


def write_lecture(folder: Path) -> Path:
    """The recording with slides, its sound untouched."""
    each = SPOKEN_SECONDS / len(slides.DECK)
    silent = slides.write_video(folder / "slides.mp4", [(picture, each) for picture in slides.deck()])
    with (
        av.open(str(silent)) as pictures,
        av.open(str(recordings.path(SPOKEN))) as voice,
        av.open(str(folder / "lecture.mkv"), "w") as both,
    ):
        sources = (pictures.streams.video[0], voice.streams.audio[0])
        streams = [both.add_stream_from_template(stream) for stream in sources]
        for container, stream in zip((pictures, voice), streams, strict=True):
            for packet in container.demux():
                if packet.dts is not None:
                    packet.stream = stream
                    both.mux(packet)
    return folder / "lecture.mkv"


def write_wav(recording: Path, path: Path) -> Path:
    """The recording as mono sound of 16 kHz."""
    samples = Media("audio", recording.read_bytes()).samples()
    with av.open(str(path), "w") as container:
        stream = container.add_stream("pcm_s16le", rate=16_000, layout="mono")
        frame = av.AudioFrame.from_ndarray(samples[None], format="s16", layout="mono")
        frame.sample_rate = 16_000
        container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path
