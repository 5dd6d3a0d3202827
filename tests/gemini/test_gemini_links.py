"""Links that the model opens itself."""

import pytest
from gemini_fake import faults, spread

from svc.core.errors import EngineError
from svc.engine.models.gemini import link_reader
from svc.engine.models.gemini.link import video_id

ID = "dQw4w9WgXcQ"
WORDS = [(f"word{number}", number * 2.0, number * 2.0 + 1) for number in range(1000)]


def test_what_is_said_comes_with_approximate_times(run, gemini):
    link = gemini.publish(ID, 20, spread("This is a talk about owls. " * 4, 20))
    found = link_reader(run).transcribe(link, ("en",))
    assert (found.origin, found.timing, found.language, found.diarized) == ("llm-url", "segment-approx", "en", False)
    assert found.text == ("This is a talk about owls. " * 4).strip() and not any(s.speaker for s in found.segments)


@pytest.mark.parametrize("absolute", [False, True])
def test_a_long_video_is_read_to_its_end(run, gemini, absolute):
    gemini.absolute_times = absolute
    found = link_reader(run).transcribe(gemini.publish(ID, 2000, WORDS), ())
    assert found.text.split() == [word for word, _, _ in WORDS]
    assert all(abs(s.start - 2 * int(s.text.split()[0][4:])) < 1.1 for s in found.segments)
    assert len(gemini.asked()) == 3


def test_a_video_of_whole_windows_ends_there(run, gemini):
    assert link_reader(run).transcribe(gemini.publish(ID, 1800, WORDS), ()).segments[-1].end <= 1800
    assert len(gemini.asked()) == 3


def test_a_silent_video_has_no_segments(run, gemini):
    gemini.script(lambda question: {"language": "", "segments": []})
    found = link_reader(run).transcribe(gemini.publish(ID, 20, audible=False), ())
    assert (found.segments, found.language) == ([], None)


def test_what_is_on_screen_of_a_link(run, gemini):
    seen = link_reader(run).watch(gemini.publish(ID, 1000), 1.0, None)
    assert seen.by_link and seen.until == 1000 and seen.scenes


def test_a_window_is_not_paid_for_twice(run, gemini):
    link = gemini.publish(ID, 1000, WORDS)
    gemini.fail_next("interactions", None, faults.PAYMENT)
    with pytest.raises(EngineError, match="QUOTA"):
        link_reader(run).transcribe(link, ())
    link_reader(run).transcribe(link, ())
    assert len(gemini.asked()) == 3


def test_a_video_that_is_not_public_is_unavailable(run, gemini):
    with pytest.raises(EngineError, match="SOURCE_UNAVAILABLE"):
        link_reader(run).transcribe(f"https://youtu.be/{ID}", ())


@pytest.mark.parametrize(
    "link",
    [
        f"https://www.youtube.com/watch?v={ID}&t=10s",
        f"http://m.youtube.com/watch?list=x&v={ID}",
        f"https://youtu.be/{ID}?si=abc",
        f"https://www.youtube.com/shorts/{ID}",
        f"https://youtube.com/live/{ID}",
    ],
)
def test_links_of_videos_are_read(run, link):
    assert link_reader(run).reads(link) and video_id(link) == ID


@pytest.mark.parametrize(
    "link",
    [
        "https://www.youtube.com/",
        "https://www.youtube.com/playlist?list=PLx",
        "https://www.youtube.com/watch?v=short",
        f"https://youtube.com.example.org/watch?v={ID}",
        f"https://example.org/watch?v={ID}",
        "https://youtu.be/",
        f"https://user@evil.example/youtube.com/watch?v={ID}",
    ],
)
def test_other_links_are_not(run, link):
    assert not link_reader(run).reads(link)
