"""A link or a file becomes a Context, over real HTTP."""

import difflib

import recordings

from svc.core import schema


def words(text):
    return "".join(c for c in text.lower() if c.isalnum() or c == " ").split()


def likeness(text, name):
    """The share of the known words of a recording that stand in the text in their order."""
    said = words(recordings.text(name))
    blocks = difflib.SequenceMatcher(a=said, b=words(text), autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) / len(said)


def uploaded(service, name):
    return service.upload(recordings.path(name), name).json()["upload_id"]


def test_an_uploaded_recording_becomes_a_transcript_with_speakers_and_a_summary(service):
    job = service.run(upload_id=uploaded(service, "two_cities.wav"), mode="audio")
    context = job["result"]
    schema.check("job", job)
    assert likeness(context["transcript"]["text"], "two_cities.wav") > 0.95
    assert [speaker["id"] for speaker in context["transcript"]["speakers"]] == ["S1"]
    assert context["synthesis"]["summary"]["tldr"]
    assert job["minutes_charged"] == job["estimate"]["minutes"] == 0.74


def test_a_link_with_captions_is_answered_from_them(service, video_site):
    job = service.run(url=video_site.url("/captioned.html"), language="de")
    transcript = job["result"]["transcript"]
    assert (transcript["origin"], transcript["language"]) == ("captions-manual", "de")
    assert job["result"]["tiers"][0] == {**job["result"]["tiers"][0], "tier": "captions", "status": "ok"}


def test_a_link_to_a_sound_file_is_listened_to(service, video_site):
    job = service.run(url=video_site.url("/media/jfk.mp3"), mode="listen")
    assert likeness(job["result"]["transcript"]["text"], "jfk.wav") > 0.95
    assert (job["mode"], job["result"]["produced"]["mode"]) == ("listen", "audio")


def test_automatic_captions_and_their_language_are_named(service, video_site):
    job = service.run(url=video_site.url("/watch/auto"), mode="captions")
    assert job["result"]["transcript"]["origin"] == "captions-auto"
    assert job["result"]["source"]["provider"] == "fixture"


def test_unreadable_captions_give_way_to_the_sound_in_auto(service, video_site):
    video_site.serve("/captions/empty.vtt", "", "text/vtt")
    link = video_site.video(
        "unreadable",
        subtitles={"en": [{"url": "/captions/empty.vtt", "ext": "vtt"}]},
        formats=[{"url": "/media/jfk.mp3", "format_id": "a", "ext": "mp3", "vcodec": "none"}],
    )
    job = service.run(url=link)
    assert job["result"]["transcript"]["origin"] == "asr"
    assert [(t["tier"], t["status"]) for t in job["result"]["tiers"]][:2] == [("captions", "failed"), ("audio", "ok")]


def test_a_tone_gives_no_transcript_and_says_so(service):
    job = service.run(upload_id=service.upload(tone()).json()["upload_id"])
    assert job["status"] == "succeeded" and job["result"]["transcript"] is None
    assert [w["code"] for w in job["result"]["warnings"]] == ["NO_SPEECH_DETECTED"]


def test_the_same_content_again_costs_nothing(service, video_site):
    link = video_site.url("/media/two_cities.wav")
    service.run(url=link, mode="audio")
    again = service.run(url=link, mode="audio")
    assert (again["cache_hit"], again["minutes_charged"]) == (True, 0)
    assert again["estimate"]["cached"] is True and again["estimate"]["tiers"] == []


def test_detail_transcript_has_no_synthesis(service, video_site):
    job = service.run(url=video_site.url("/captioned.html"), mode="captions", options={"detail": "transcript"})
    assert job["result"]["synthesis"] is None


def tone():
    import io
    import math
    import struct
    import wave

    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setparams((1, 2, 16000, 0, "NONE", ""))
        sound.writeframes(b"".join(struct.pack("<h", int(9000 * math.sin(n / 6))) for n in range(32000)))
    return file.getvalue()
