"""A whole run with every role played by a server that speaks OpenAI's protocol."""

import av
import pytest
import recordings
import slides

from svc.core import schema
from svc.core.errors import EngineError
from svc.engine.pipeline import Pipeline
from svc.engine.request import Options, Request
from svc.engine.run import Run


@pytest.fixture(scope="module")
def talk(tmp_path_factory):
    """Slides with a voice: eleven seconds."""
    folder = tmp_path_factory.mktemp("talk")
    silent = slides.write_video(folder / "silent.mp4", [(picture, 11 / 3) for picture in slides.deck()])
    with (
        av.open(str(silent)) as pictures,
        av.open(str(recordings.path("jfk.wav"))) as voice,
        av.open(str(folder / "talk.mp4"), "w") as both,
    ):
        picture = both.add_stream_from_template(pictures.streams.video[0])
        sound = both.add_stream("aac", rate=16_000, layout="mono")
        for packet in pictures.demux(video=0):
            if packet.dts is not None:
                packet.stream = picture
                both.mux(packet)
        for frame in voice.decode(audio=0):
            both.mux(sound.encode(frame))
        both.mux(sound.encode())
    return folder / "talk.mp4"


@pytest.fixture
def context(config, talk, events):
    """The Context of the talk, in a mode."""

    def make(mode, **options):
        request = Request("file", str(talk), mode, options=Options(diarize=False, **options), file_name="talk.mp4")
        return Pipeline(Run(request, config, events.append)).run()

    return make


def test_a_full_run_gives_a_whole_context(context, openai_server):
    made = context("full", include_words=True)
    schema.check_large("context", made)
    assert "ask what you can do for your country" in made["transcript"]["text"]
    assert made["transcript"]["timing"] == "word"
    assert made["visual"]["scenes"] and made["synthesis"]["title"]
    assert made["produced"]["models"] == {"asr": "whisper-fake", "visual": "gpt-fake", "synthesis": "gpt-fake"}
    assert [tier["status"] for tier in made["tiers"]] == ["ok", "ok", "ok"]


def test_its_tokens_are_counted_and_its_price_is_not_known(context):
    usage = context("audio")["usage"]
    assert usage["tokens"]["in"] > 0 and usage["usdEstimate"] is None


def test_a_rejected_key_ends_the_run(context, openai_server, config):
    openai_server.key = "another"
    with pytest.raises(EngineError, match="AUTH"):
        context("audio")
    openai_server.key = config.openai.api_key
