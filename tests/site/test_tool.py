"""The start page in a browser: what goes in, what is sent, and what a refusal looks like."""

import pytest
from standin import JOB, UPLOAD

from svc.core.limits import MB


def sent(state, call):
    return [(headers, body) for name, headers, body in state.calls if name == call]


def choose_file(page, name="café talk.mp3", size=200_000):
    page.set_input_files("#file", {"name": name, "mimeType": "audio/mpeg", "buffer": b"x" * size})


def refuse_link(page, state, *refusal, **fields):
    state.refuse("POST /context", *refusal, **fields)
    page.goto("/")
    page.fill("#link", "https://example.org/a.mp3")
    page.click("#start")
    page.wait_for_selector("#refusal:not([hidden])")
    return page.inner_text("#refusal")


def test_a_link_leads_to_its_job(page, state):
    page.goto("/")
    page.fill("#link", "example.org/talk.mp3")
    page.check("input[value=audio]")
    page.select_option("#language", "de")
    page.press("#link", "Enter")
    page.wait_for_url(f"**/jobs/{JOB}")
    [(headers, body)] = sent(state, "POST /context")
    assert body == {"url": "https://example.org/talk.mp3", "mode": "audio", "language": "de"}
    assert headers["Idempotency-Key"]


@pytest.mark.parametrize("mode", ["visual", "full"])
def test_the_picture_can_be_asked_for(page, state, mode):
    page.goto("/")
    page.fill("#link", "https://example.org/talk.mp4")
    page.check(f"input[value={mode}]")
    page.click("#start")
    page.wait_for_url(f"**/jobs/{JOB}")
    [(_, body)] = sent(state, "POST /context")
    assert body["mode"] == mode


def test_a_file_is_uploaded_and_leads_to_its_job(page, state):
    page.goto("/")
    choose_file(page)
    page.click("#start")
    page.wait_for_url(f"**/jobs/{JOB}")
    [(headers, size)] = sent(state, "PUT /uploads")
    assert (headers["X-File-Name"], size) == ("caf%C3%A9%20talk.mp3", 200_000)
    assert sent(state, "POST /context")[0][1] == {"upload_id": UPLOAD, "mode": "auto"}


def test_a_dropped_file_is_taken(page):
    page.goto("/")
    data = page.evaluate_handle("() => new DataTransfer()")
    data.evaluate("data => data.items.add(new File(['x'], 'talk.wav'))")
    page.dispatch_event("#drop", "drop", {"dataTransfer": data})
    assert page.inner_text("#file-name") == "talk.wav"


def test_the_last_of_link_and_file_counts(page):
    page.goto("/")
    page.fill("#link", "https://example.org/a.mp3")
    choose_file(page)
    assert page.input_value("#link") == ""
    page.fill("#link", "https://example.org/b.mp3")
    assert page.is_hidden("#file-chosen")


def test_nothing_given_is_said_without_asking_the_server(page, state):
    page.goto("/")
    page.click("#start")
    assert "Give a link or choose a file" in page.inner_text("#refusal")
    assert not sent(state, "POST /context")


def test_a_file_over_the_limit_is_not_sent(page, state):
    page.goto("/")
    choose_file(page, size=MB + 1)
    page.click("#start")
    assert "at most 1 MB" in page.inner_text("#refusal")
    assert not sent(state, "PUT /uploads")


def test_a_refused_link_shows_message_hint_and_engine_code(page, state):
    hint = "Download the file yourself and upload it."
    fields = {"engineCode": "SOURCE_AUTH_REQUIRED", "hint": hint}
    text = refuse_link(page, state, 422, "source_auth_required", "The site needs a login.", **fields)
    assert "The site needs a login." in text
    assert hint in text
    assert "SOURCE_AUTH_REQUIRED" in text
    assert page.get_attribute("#link", "aria-invalid") == "true"
    assert page.is_enabled("#start")


def test_a_quota_refusal_shows_the_minutes(page, state):
    fields = {"minutesNeeded": 12.5, "minutesRemaining": 3}
    text = refuse_link(page, state, 402, "quota_exceeded", "Not enough minutes.", **fields)
    assert "needs 12.5 minutes; you have 3 minutes left" in text


def test_markup_in_a_refusal_stays_text(page, state):
    text = refuse_link(page, state, 422, "url_unsupported", "No <img src=x onerror=alert(1)> here.")
    assert "<img src=x" in text


def test_a_refused_upload_says_why_and_keeps_the_file(page, state):
    state.refuse("PUT /uploads", 415, "unsupported_media", "This is not readable media.")
    page.goto("/")
    choose_file(page)
    page.click("#start")
    page.wait_for_selector("#refusal:not([hidden])")
    assert "not readable media" in page.inner_text("#refusal")
    assert page.is_visible("#file-chosen")


def test_a_second_try_does_not_upload_again(page, state):
    state.refuse("POST /context", 429, "too_many_in_flight", "A job is running.")
    page.goto("/")
    choose_file(page)
    page.click("#start")
    page.wait_for_selector("#refusal:not([hidden])")
    state.refusals.clear()
    page.click("#start")
    page.wait_for_url(f"**/jobs/{JOB}")
    assert len(sent(state, "PUT /uploads")) == 1


def test_a_lost_answer_is_tried_again_with_the_same_key(page, state):
    page.goto("/")
    page.fill("#link", "https://example.org/a.mp3")
    keys = []
    page.route("**/context", lambda route: (keys.append(route.request.headers["idempotency-key"]), route.abort()))
    page.click("#start")
    page.wait_for_selector("#refusal:not([hidden])")
    assert "could not be reached" in page.inner_text("#refusal")
    page.unroute("**/context")
    page.click("#start")
    page.wait_for_url(f"**/jobs/{JOB}")
    assert sent(state, "POST /context")[0][0]["Idempotency-Key"] == keys[0]


def test_an_upload_can_be_stopped(page):
    page.goto("/")
    choose_file(page)
    page.route("**/uploads", lambda route: None)
    page.click("#start")
    page.click("#stop")
    page.wait_for_selector("#refusal:not([hidden])")
    assert "stopped" in page.inner_text("#refusal")
    assert page.is_hidden("#upload")
