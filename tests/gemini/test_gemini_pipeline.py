"""A whole run with every model at the provider."""

import av
import numpy as np
import pytest
import recordings
from gemini_fake import faults

from svc.core.errors import EngineError
from svc.engine.models.gemini import files
from svc.engine.pipeline import Pipeline
from svc.engine.request import Options, Request
from svc.engine.run import Run

SPOKEN = "acoustic_corpus.wav"


@pytest.fixture
def context_of(gemini, config, events, monkeypatch):
    """The Context of a recording (which has no sound, or is known to the provider) in a mode."""
    monkeypatch.setattr(files, "POLL_SECONDS", 0.01)

    def make(path, mode, **options):
        request = Request("file", str(path), mode, options=Options(diarize=False, **options))
        return Pipeline(Run(request, config, events.append)).run()

    gemini.teach_recording(SPOKEN)
    return make


@pytest.fixture
def talk(tmp_path):
    """The recording with a changing picture, its sound as it is."""
    with av.open(str(recordings.path(SPOKEN))) as source, av.open(str(tmp_path / "talk.mkv"), "w") as container:
        sound = container.add_stream_from_template(source.streams.audio[0])
        picture = container.add_stream("mpeg4", rate=1)
        picture.width, picture.height, picture.pix_fmt = 64, 48, "yuv420p"
        for second in range(26):
            frame = av.VideoFrame.from_ndarray(np.full((48, 64, 3), second * 9, np.uint8), format="rgb24")
            container.mux(picture.encode(frame.reformat(format="yuv420p")))
        container.mux(picture.encode())
        for packet in source.demux(audio=0):
            if packet.size:
                packet.stream = sound
                container.mux(packet)
    return tmp_path / "talk.mkv"


def test_speech_becomes_a_transcript_and_a_summary(context_of, gemini):
    context = context_of(recordings.path(SPOKEN), "audio", include_words=True)
    said = [word["text"] for word in context["transcript"]["words"]]
    truth = [text for text, _, _ in recordings.words(SPOKEN)]
    assert context["transcript"]["timing"] == "word" and len(set(truth) - set(said)) <= 1
    assert context["produced"]["models"]["asr"] == "gemini-3.5-transcribe"
    assert context["synthesis"]["model"] == "gemini-3.5-flash-lite"
    assert context["usage"]["tokens"]["audioIn"] > 25 * 20 and context["usage"]["usdEstimate"] > 0


def test_a_picture_becomes_scenes(context_of, gemini):
    context = context_of(recordings.path("silent_video.mp4"), "visual", fps=1.0)
    assert context["visual"]["source"] == "proxy-upload" and context["visual"]["scenes"]
    assert context["usage"]["tokens"]["videoIn"] > 0 and gemini.files.files == {}


def test_all_models_at_once(context_of, talk):
    context = context_of(talk, "full")
    assert context["transcript"]["text"] and context["visual"]["scenes"] and context["synthesis"]["summary"]["tldr"]
    assert set(context["produced"]["models"]) == {"asr", "visual", "synthesis"}
    assert all(tier["status"] == "ok" and tier["usd"] > 0 for tier in context["tiers"])


def test_a_run_goes_on_after_trouble_that_passes(context_of, gemini, pauses, events):
    gemini.fail_next("interactions", faults.BUSY, faults.RESET)
    assert context_of(recordings.path(SPOKEN), "audio", detail="transcript")["transcript"]["text"]
    assert [event["type"] for event in events].count("retry") == 2


def test_a_rejected_key_ends_the_run(context_of, gemini, config, events, monkeypatch):
    monkeypatch.setattr(gemini, "key", "another")
    with pytest.raises(EngineError, match="AUTH"):
        context_of(recordings.path(SPOKEN), "audio")


def test_finished_work_is_not_paid_for_again(context_of, gemini, config):
    context_of(recordings.path(SPOKEN), "audio")
    asked = len(gemini.asked())
    context_of(recordings.path(SPOKEN), "audio")
    assert len(gemini.asked()) == asked
