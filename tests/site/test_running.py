"""A job's page while the job waits, runs, fails or is gone."""

from standin import JOB, make_error

PAGE = f"/jobs/{JOB}"


def open_running(page, state):
    state.add_job("running")
    page.goto(PAGE)
    page.wait_for_selector("#running:not([hidden])")


def test_events_move_stages_and_bar(page, state):
    open_running(page, state)
    state.emit("stage", stage="download", status="start", detail="", ms=0)
    page.wait_for_selector('#stages [data-state="start"]:has-text("Fetching")')
    state.emit("stage", stage="download", status="done", detail="3 MB", ms=9)
    state.emit("progress", stage="transcribe", progress=0.42, done=1, total=2, unit="s")
    page.wait_for_selector('#stages [data-state="done"]:has-text("3 MB")')
    page.wait_for_selector("#percent:has-text('42 %')")


def test_partial_coverage_and_warnings_are_shown(page, state):
    open_running(page, state)
    state.emit("partial", coveredSeconds=63, totalSeconds=3723, ratio=0.02)
    state.emit("warning", code="LANGUAGE_MISMATCH", message="Asked for de, but it seems to be en.", data={})
    page.wait_for_selector("#partial:has-text('1:03 of 1:02:03')")
    page.wait_for_selector("#running-warnings:has-text('seems to be en')")


def test_a_finished_job_turns_into_its_result(page, state):
    open_running(page, state)
    state.finish("done", "succeeded")
    page.wait_for_selector("#result:not([hidden])")
    assert page.is_hidden("#running")


def test_a_broken_stream_goes_on_where_it_was(page, state):
    open_running(page, state)
    state.emit("stage", stage="resolve", status="done", detail="", ms=0)
    page.wait_for_selector('#stages [data-state="done"]')
    state.break_streams()
    page.wait_for_selector("#connection:not(:empty)")
    state.emit("stage", stage="download", status="start", detail="", ms=0)
    page.wait_for_selector('#stages [data-state="start"]')
    streams = [headers for call, headers, _ in state.calls if call.endswith("/events")]
    assert streams[-1]["Last-Event-Id"] == "1"


def test_without_a_stream_the_job_is_read_instead(page, state):
    state.refuse(f"GET {PAGE}/events", 429, "too_many_streams", "Too many streams are open.")
    open_running(page, state)
    state.finish("done", "succeeded")
    page.wait_for_selector("#result:not([hidden])")


def test_cancel_stops_the_job(page, state):
    open_running(page, state)
    page.click("#cancel")
    page.wait_for_selector("#ended:not([hidden])")
    assert page.inner_text("#ended-title") == "Canceled"


def test_a_refused_cancel_says_why(page, state):
    open_running(page, state)
    state.refuse(f"DELETE {PAGE}", 403, "not_owner", "Only the creator may do this.")
    page.click("#cancel")
    page.wait_for_selector("#trouble:not([hidden])")
    assert "Only the creator" in page.inner_text("#trouble")
    assert page.is_visible("#running")


def test_a_failed_job_shows_message_and_hint_and_can_be_retried(page, state):
    open_running(page, state)
    error = make_error("SOURCE_BLOCKED", "The site refused this server.", hint="Upload the file.")
    state.finish("error", "failed", error=error)
    page.wait_for_selector("#ended:not([hidden])")
    assert page.inner_text("#ended-message") == "The site refused this server."
    assert "Upload the file." in page.inner_text("#ended-hint")
    page.click("#retry")
    page.wait_for_selector("#running:not([hidden])")
    [body] = [body for call, _, body in state.calls if call == "POST /context"]
    assert body == {"url": "https://example.org/harbour.mp3", "mode": "auto"}


def test_a_retry_sends_the_link_as_it_was_given(page, state):
    page.goto("/")
    page.fill("#link", "https://example.org/a.mp3?signature=1")
    page.click("#start")
    page.wait_for_selector("#running:not([hidden])")
    error = make_error("NETWORK", "The connection failed.")
    state.finish("error", "failed", error=error, input={"kind": "url", "url": "https://example.org/a.mp3"})
    page.click("#retry")
    page.wait_for_selector("#running:not([hidden])")
    bodies = [body for call, _, body in state.calls if call == "POST /context"]
    assert [body["url"] for body in bodies] == ["https://example.org/a.mp3?signature=1"] * 2


def test_an_unknown_job_gets_a_friendly_page(page):
    page.goto(PAGE)
    page.wait_for_selector("#ended:not([hidden])")
    assert page.inner_text("#ended-title") == "There is no such job"


def test_an_expired_job_gets_a_friendly_page(page, state):
    state.refuse(f"GET {PAGE}", 410, "job_expired", "The job has expired.")
    page.goto(PAGE)
    page.wait_for_selector("#ended:not([hidden])")
    assert page.inner_text("#ended-title") == "This result has expired"
