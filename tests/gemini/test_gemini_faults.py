"""What the provider refuses, in the engine's codes; what passes is tried again, nothing else."""

import pytest
from gemini_fake import faults

from svc.core.errors import EngineError
from svc.engine.models.gemini import language_model
from svc.engine.models.gemini.api import Api

MODEL = "gemini-3.5-flash-lite"
TEXT = [{"type": "text", "text": "Hello."}]


def ask(run, model=MODEL, **more):
    return Api(run).ask(model, TEXT, **more)


def refused(run, gemini, *wanted):
    gemini.fail_next("interactions", *wanted)
    with pytest.raises(EngineError) as caught:
        ask(run)
    return caught.value


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (faults.BAD_KEY, "AUTH"),
        (faults.named(401, "authentication"), "AUTH"),
        (faults.front(403, "PERMISSION_DENIED", "Denied."), "AUTH"),
        (faults.PAYMENT, "QUOTA"),
        (faults.PER_DAY, "QUOTA"),
        (faults.DAILY, "QUOTA"),
        (faults.OVER_BUDGET, "QUOTA"),
        (faults.INVALID, "PROVIDER_PROTOCOL"),
        (faults.named(501, "not_implemented"), "PROVIDER_PROTOCOL"),
        (faults.named(413, "request_too_large"), "TOO_LARGE"),
        (faults.SAFETY, "CONTENT_BLOCKED"),
        (faults.failed("prohibited_content"), "CONTENT_BLOCKED"),
        (faults.failed("malformed_tool_call"), "PROVIDER_PROTOCOL"),
        (faults.Fault(ending="requires_action"), "PROVIDER_PROTOCOL"),
        (faults.Fault(ending="something_new"), "PROVIDER_PROTOCOL"),
    ],
)
def test_what_will_not_pass_fails_at_once(run, gemini, fault, code):
    error = refused(run, gemini, fault)
    assert error.code == code and len(gemini.asked()) == 1


@pytest.mark.parametrize(
    "fault",
    [
        faults.RATE_LIMIT,
        faults.RATE_LIMIT_HEADER,
        faults.RATE_LIMIT_WORDS,
        faults.SERVER,
        faults.BUSY,
        faults.GATEWAY,
        faults.ABORTED,
        faults.RESET,
        faults.RESET_MID_BODY,
        faults.CUT_STREAM,
        faults.STREAM_ERROR,
        faults.CANCELLED,
        faults.failed("api_error"),
        faults.Fault(503),
    ],
)
def test_what_passes_is_tried_again(run, gemini, pauses, events, fault):
    gemini.fail_next("interactions", fault)
    assert ask(run).text
    assert [event["type"] for event in events if event["type"] != "usage"] == ["retry"] and len(pauses) == 1


def test_the_pauses_grow_and_end(run, gemini, pauses):
    error = refused(run, gemini, *[faults.BUSY] * 5)
    assert error.code == "SERVER" and len(gemini.asked()) == 5
    assert all(wait <= pause <= 1.2 * wait for wait, pause in zip((1, 2, 4, 8), pauses, strict=True))


@pytest.mark.parametrize(
    ("fault", "seconds"),
    [
        (faults.RATE_LIMIT_HEADER, 2),
        (faults.front(429, "RESOURCE_EXHAUSTED", "Later.", faults.retry_info(45.8)), 45.8),
        (faults.RATE_LIMIT_WORDS, 26.66),
    ],
)
def test_the_server_says_how_long_to_wait(run, gemini, pauses, fault, seconds):
    gemini.fail_next("interactions", fault)
    ask(run)
    assert pauses == [pytest.approx(seconds)]


def test_a_pause_that_is_too_long_ends_the_run(run, gemini, pauses):
    error = refused(run, gemini, faults.front(429, "RESOURCE_EXHAUSTED", "Later.", faults.retry_info(600)))
    assert (error.code, error.retry_after_ms, pauses) == ("RATE_LIMIT", 600_000, [])


def test_an_unknown_model_is_named(run):
    with pytest.raises(EngineError, match="gemini-9-argon") as caught:
        ask(run, "gemini-9-argon")
    assert "SVC_GEMINI_MODEL" in caught.value.operator


def test_a_server_out_of_reach_is_a_network_error(run, pauses, gemini):
    api = Api(run)
    api.client.base_url = "http://127.0.0.1:9"
    with pytest.raises(EngineError, match="NETWORK"):
        api.ask(MODEL, TEXT)


def test_a_stream_that_never_ends_is_cut(run, gemini, pauses, monkeypatch):
    monkeypatch.setattr("svc.engine.models.gemini.api.CALL_SECONDS", -1)
    with pytest.raises(EngineError, match="TIMEOUT"):
        ask(run)


def test_a_server_that_does_not_stream_is_understood(run, gemini):
    gemini.script(lambda question: "Hi.")
    assert ask(run, stream=False).text == "Hi."


@pytest.mark.parametrize("auth_shape", [False, True])
def test_a_wrong_key_is_the_operators_business(gemini, run, monkeypatch, auth_shape):
    gemini.auth_shape = auth_shape
    monkeypatch.setattr(gemini, "key", "another")
    with pytest.raises(EngineError) as caught:
        ask(run)
    assert caught.value.code == "AUTH" and "SVC_GEMINI_API_KEY" in caught.value.operator


def test_the_key_is_in_the_header_and_nowhere_else(run, gemini, events, caplog, tmp_path, pauses):
    gemini.fail_next("interactions", faults.BUSY, faults.named(400, "invalid_request", f"Key {gemini.key} is odd"))
    with pytest.raises(EngineError) as caught:
        ask(run)
    written = "".join(path.read_text("utf-8", "replace") for path in tmp_path.rglob("*") if path.is_file())
    asked = [(request.path, request.query, request.headers, request.body) for request in gemini.requests]
    assert gemini.key not in f"{caught.value} {caught.value.info()} {events} {caplog.text} {written} {asked}"


def test_a_schema_answer_that_was_blocked_is_not_asked_for_again(run, gemini):
    gemini.fail_next("interactions", faults.failed("safety"))
    with pytest.raises(EngineError, match="CONTENT_BLOCKED"):
        language_model(run).complete("Sum up.", ["x"], {"type": "object"}, 100)
    assert len(gemini.asked()) == 1
