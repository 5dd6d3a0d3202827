"""The on-screen layer through the whole service, over real HTTP."""

import av
import pytest
import recordings
import slides

from svc.core import schema


@pytest.fixture(scope="module")
def silent(tmp_path_factory):
    """Slides without sound."""
    return slides.write_video(tmp_path_factory.mktemp("slides") / "screen.mp4", [(slide, 4) for slide in slides.deck()])


@pytest.fixture(scope="module")
def talk(silent):
    """The slides, and somebody who speaks."""
    path = silent.with_name("talk.mp4")
    with av.open(str(silent)) as deck, av.open(str(recordings.path("jfk.wav"))) as speech, av.open(path, "w") as out:
        picture, sound = out.add_stream_from_template(deck.streams.video[0]), out.add_stream("aac", rate=16000)
        for packet in deck.demux(video=0):
            if packet.size:
                packet.stream = picture
                out.mux(packet)
        for frame in speech.decode(audio=0):
            out.mux(sound.encode(frame))
        out.mux(sound.encode())
    return path


def run(service, path, **options):
    upload_id = service.upload(path, path.name).json()["upload_id"]
    job = service.run(upload_id=upload_id, **options)
    schema.check("job", job)
    return job


def titles(job):
    return [scene["onScreenText"][0] for scene in job["result"]["visual"]["scenes"]]


TITLES = [title for title, _ in slides.DECK]


@pytest.mark.parametrize("mode", ["visual", "auto"])
def test_a_silent_video_is_watched(service, silent, mode):
    job = run(service, silent, mode=mode)
    assert titles(job) == TITLES
    assert job["result"]["visual"]["value"] == "high" and job["result"]["transcript"] is None
    assert job["result"]["synthesis"]["title"] == TITLES[0]
    assert job["estimate"]["charges_as"] == "visual"


def test_a_talk_is_heard_and_watched(service, talk):
    job = run(service, talk, mode="full")
    assert titles(job) == TITLES
    assert "country" in job["result"]["transcript"]["text"]
    assert [tier["tier"] for tier in job["result"]["tiers"]] == ["audio", "visual", "synthesis"]
    assert job["result"]["usage"]["videoSeconds"] == pytest.approx(12, abs=0.2)
    assert job["estimate"]["charges_as"] == "full"


def test_progress_never_falls(service, talk):
    upload_id = service.upload(talk, talk.name).json()["upload_id"]
    job = service.create(upload_id=upload_id, mode="full", language="en")
    shares = [event["data"]["progress"] for event in service.events(job["job_id"]) if event["event"] == "progress"]
    assert shares == sorted(shares) and shares[-1] == 1
