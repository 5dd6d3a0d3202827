"""A finished job's page: what is shown, found, copied, taken along and deleted."""

import json
from pathlib import Path

from standin import JOB, make_context

PAGE = f"/jobs/{JOB}"


def open_result(page, state, **changes):
    state.add_job("succeeded", result=make_context(**changes))
    page.goto(PAGE)
    page.wait_for_selector("#result:not([hidden])")


def test_summary_chapters_and_facts_are_shown(page, state):
    open_result(page, state)
    assert page.inner_text("#title") == "Harbour report"
    assert page.inner_text("#tldr") == "A new lighthouse is ready."
    assert page.locator("#chapters li").all_inner_texts()[1].split() == ["0:20", "The", "cost"]
    assert "2 speakers" in page.inner_text("#facts")


def test_the_transcript_is_in_passages_with_speakers_and_times(page, state):
    open_result(page, state)
    passage = page.locator(".passage").nth(1)
    assert passage.locator("a").inner_text() == "0:10"
    assert passage.locator(".speaker").inner_text() == "Speaker 2"
    assert passage.inner_text().endswith("It was finished last week. The lamp reaches twenty nautical miles.")


def test_a_chapter_jumps_to_its_place_even_when_a_search_hides_it(page, state):
    open_result(page, state)
    page.fill("#search", "lamp")
    page.click("#chapters li:nth-child(2) a")
    page.wait_for_selector("#s4:target")
    assert page.is_visible("#s4")
    assert page.input_value("#search") == ""


def test_search_keeps_only_what_matches(page, state):
    open_result(page, state)
    page.fill("#search", "TWENTY nautical")
    assert page.inner_text("#found") == "1 passage"
    assert page.locator(".passage:visible").count() == 1


def test_search_takes_signs_literally(page, state):
    open_result(page, state)
    page.fill("#search", "cost?")
    assert page.inner_text("#found") == "1 passage"
    page.fill("#search", "(")
    assert page.inner_text("#found") == "0 passages"


def test_the_text_can_be_copied(page, state):
    open_result(page, state)
    page.click("#copy")
    page.wait_for_selector("#copied:has-text('Copied')")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("[0:00] Speaker 1: Welcome back")


def test_the_context_can_be_saved_as_json(page, state):
    open_result(page, state)
    with page.expect_download() as download:
        page.click("#downloads a:has-text('JSON')")
    assert download.value.suggested_filename == "Harbour report.json"
    assert json.loads(Path(download.value.path()).read_text("utf-8")) == make_context()


def test_other_formats_are_links_to_the_service(page, state):
    open_result(page, state)
    links = page.eval_on_selector_all("#downloads a", "all => all.map(a => a.getAttribute('href'))")
    assert links[:4] == [f"/api/v1{PAGE}/export?format={name}" for name in ("md", "txt", "srt", "vtt")]


def test_missing_speech_and_warnings_are_said_in_words(page, state):
    coverage = {"speechSeconds": 100, "transcribedSeconds": 80, "ratio": 0.8, "gaps": [{"start": 60, "end": 80}]}
    warning = {"code": "INCOMPLETE_COVERAGE", "message": "Some speech may be missing.", "data": {}}
    open_result(page, state, coverage=coverage, warnings=[warning])
    notes = page.inner_text("#notes")
    for words in ("may be missing", "80 %", "1:00 to 1:20"):
        assert words in notes


def test_a_recording_without_speech_says_so(page, state):
    open_result(page, state, transcript=None, synthesis=None)
    assert page.inner_text("#transcript") == "No speech was found."
    assert page.is_hidden("#summary")
    assert page.is_hidden("#copy")


def seen(**changes):
    scene = {"start": 0.0, "end": 75.0, "description": "Slide “Costs”.", "onScreenText": ["Costs", "Two million"]}
    lines = [{"text": "Two million", "first": 12.0, "last": 75.0}]
    notes = {"value": "high", "overview": "The video shows a slide.", "scenes": [scene], "onScreenText": lines}
    return {"model": "m", "source": "proxy-upload", "fps": 1.0, **notes, **changes}


def test_what_was_on_screen_is_shown_scene_by_scene(page, state):
    open_result(page, state, visual=seen())
    assert page.inner_text("#screen-overview") == "The video shows a slide."
    assert page.inner_text("#scenes li").split() == ["0:00–1:15", "Slide", "“Costs”.", "Costs", "Two", "million"]
    page.click("#screen-lines-box summary")
    assert page.inner_text("#screen-lines li").split() == ["0:12–1:15", "Two", "million"]


def test_without_notes_on_the_picture_there_is_no_such_part(page, state):
    open_result(page, state)
    assert page.is_hidden("#screen")


def test_a_picture_without_anything_to_note_says_so(page, state):
    open_result(page, state, visual=seen(overview="The video shows a black screen.", scenes=[], onScreenText=[]))
    assert page.inner_text("#screen-overview") == "The video shows a black screen."
    assert page.is_hidden("#scenes") and page.is_hidden("#screen-lines-box")


def test_what_was_only_watched_has_no_transcript_part(page, state):
    open_result(page, state, transcript=None, visual=seen())
    assert page.is_hidden("#transcript-section")


def test_markup_from_media_stays_text(page, state):
    evil = "<img src=x onerror=alert(1)>"
    context = make_context()
    context["synthesis"]["title"] = context["transcript"]["segments"][0]["text"] = evil
    context["synthesis"]["chapters"][0]["title"] = context["synthesis"]["summary"]["tldr"] = evil
    scene = {"start": 0.0, "end": 9.0, "description": evil, "onScreenText": [evil]}
    context["visual"] = seen(overview=evil, scenes=[scene])
    state.add_job("succeeded", result=context)
    page.goto(PAGE)
    page.wait_for_selector(f"#title:has-text('{evil}')")
    assert page.locator("main img").count() == 0


def test_a_source_that_is_no_web_address_is_no_link(page, state):
    source = {"kind": "url", "provider": "generic", "url": "javascript:alert(1)"}
    open_result(page, state, source=source)
    assert page.locator("#facts a").count() == 0


def test_a_result_is_deleted_after_a_question(page, state):
    open_result(page, state)
    page.click("#delete")
    page.click("dialog >> text=Keep")
    assert JOB in state.jobs
    page.click("#delete")
    page.click("dialog >> button:has-text('Delete')")
    page.wait_for_selector("#ended-title:has-text('Deleted')")
    assert JOB not in state.jobs
