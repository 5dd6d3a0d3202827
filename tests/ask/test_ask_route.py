import copy
import json
import sqlite3

import pytest
from people import Person
from refused import refused
from service import Service

from svc.core import clock

QUESTION = "What is said first?"
TENTH = 0.1


@pytest.fixture(scope="module")
def asked(video_site, tmp_path_factory):
    """A service with few questions a day for anonymous callers, a job with a result, and an account."""
    data_dir = tmp_path_factory.mktemp("ask")
    wide = "requests_per_minute = 10000\n"
    data_dir.joinpath("svc.toml").write_text(f"[limits.anonymous]\n{wide}[limits.free]\n{wide}[limits.pro]\n{wide}")
    environ = {"SVC_ALLOW_HOSTS": video_site.allow, "SVC_EXTRACTOR_PLUGINS": "true", "SVC_WORKERS": "1"}
    with Service(data_dir, video_site.plugin_path, **environ) as service:
        service.job_id = service.create(url=video_site.url("/captioned.html"))["job_id"]
        service.context = service.finished(service.job_id)["result"]
        service.key = {"X-API-Key": Person(service, "asker@example.org").make_key()["key"]}
        yield service


def ask(service, headers=None, **body):
    return service.post("/v1/ask", json=body, headers=headers)


def test_an_answer_cites_segments_of_the_job(asked):
    answer = ask(asked, asked.key, question=QUESTION, job_id=asked.job_id).json()
    spans = {(s["start"], s["end"], s["text"]) for s in asked.context["transcript"]["segments"]}
    assert answer["answer"] and answer["citations"]
    assert {(c["start"], c["end"], c["text"]) for c in answer["citations"]} <= spans


def test_a_context_can_be_sent_along(asked):
    answer = ask(asked, asked.key, question=QUESTION, context=asked.context)
    assert answer.status_code == 200 and answer.json()["citations"]


def test_a_question_costs_a_tenth_of_a_minute(asked):
    before = asked.get("/v1/me", headers=asked.key).json()["usage"]["minutesRemaining"]
    assert ask(asked, asked.key, question=QUESTION, job_id=asked.job_id).json()["minutes_charged"] == TENTH
    after = asked.get("/v1/me", headers=asked.key).json()["usage"]["minutesRemaining"]
    assert round(before - after, 3) == TENTH


def test_anonymous_callers_have_five_questions_a_day(asked):
    answers = [ask(asked, question=QUESTION, job_id=asked.job_id) for _ in range(6)]
    assert [answer.status_code for answer in answers[:5]] == [200] * 5
    assert answers[0].json()["minutes_charged"] == 0
    refused(answers[5], 429, "anonymous_limit")


def test_an_account_without_minutes_is_told_what_is_needed(asked):
    poor = Person(asked, "poor@example.org")
    with sqlite3.connect(asked.data_dir / "svc.db") as database:
        owner = database.execute("select id from user where email = 'poor@example.org'").fetchone()[0]
        spent = (f"user:{owner}", clock.month_key(), "minutes", -29_950_000, "spent", 0)
        database.execute(
            "insert into entry (owner, purse, unit, amount, cause, created_at) values (?,?,?,?,?,?)", spent
        )
    error = refused(ask(asked, poor.cookie, question=QUESTION, job_id=asked.job_id), 402, "quota_exceeded")
    assert (error["minutesNeeded"], error["minutesRemaining"]) == (TENTH, 0.05)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "question"),
        ({"question": QUESTION}, None),
        ({"question": "", "job_id": "job_" + "a" * 22}, "question"),
        ({"question": " \t\n\u00a0", "job_id": "job_" + "a" * 22}, "question"),
        ({"question": "x" * 8001, "job_id": "job_" + "a" * 22}, "question"),
        ({"question": QUESTION, "job_id": "job_" + "a" * 22, "context": {}}, None),
        ({"question": QUESTION, "job_id": "nine"}, "job_id"),
        ({"question": QUESTION, "job_id": "job_" + "a" * 22, "model": "best"}, "model"),
        ({"question": QUESTION, "context": "https://example.org/video"}, "context"),
        ({"question": QUESTION, "context": {"url": "https://example.org/video"}}, "context"),
        (
            {"question": QUESTION, "context": {"source": {"kind": "url", "provider": "x", "url": "https://e.org"}}},
            "context",
        ),
    ],
)
def test_a_body_that_is_no_question_is_refused(asked, body, field):
    error = refused(ask(asked, asked.key, **body), 400, "invalid_request")
    assert field is None or error["field"].startswith(field)


def test_an_unknown_job_is_not_found(asked):
    refused(ask(asked, asked.key, question=QUESTION, job_id="job_" + "a" * 22), 404, "not_found")


def test_a_job_of_another_account_is_not_found(asked, video_site):
    job = asked.create(asked.key, url=video_site.url("/captioned.html"))
    asked.finished(job["job_id"], asked.key)
    refused(ask(asked, question=QUESTION, job_id=job["job_id"]), 404, "not_found")


def test_a_job_without_a_result_is_not_ready(asked, video_site):
    job = asked.create(asked.key, url=video_site.url("/captioned.html"))
    asked.finished(job["job_id"], asked.key)
    with sqlite3.connect(asked.data_dir / "svc.db") as database:
        database.execute("update job set status = 'failed', error = '{}' where id = ?", (job["job_id"],))
    refused(ask(asked, asked.key, question=QUESTION, job_id=job["job_id"]), 409, "job_not_ready")


def test_a_context_above_a_megabyte_is_too_large(asked):
    long = asked.context | {"meta": asked.context["meta"] | {"description": "x" * (1 << 20)}}
    refused(ask(asked, asked.key, question=QUESTION, context=long), 413, "body_too_large")


def test_a_context_of_exactly_a_megabyte_is_answered(asked):
    size = len(json.dumps(asked.context, ensure_ascii=False, separators=(",", ":")).encode())
    exact = copy.deepcopy(asked.context)
    exact["meta"]["title"] += "x" * ((1 << 20) - size)
    assert len(json.dumps(exact, ensure_ascii=False, separators=(",", ":")).encode()) == 1 << 20
    assert ask(asked, asked.key, question=QUESTION, context=exact).status_code == 200


def test_content_that_was_taken_down_is_not_asked_about(asked):
    other = asked.context | {"id": "generic:gone"}
    asked.command("takedown", "add", "generic:gone")
    refused(ask(asked, asked.key, question=QUESTION, context=other), 451, "blocked_content")


def test_nothing_is_held_after_an_answer(asked):
    ask(asked, asked.key, question=QUESTION, job_id=asked.job_id)
    with sqlite3.connect(asked.data_dir / "svc.db") as database:
        assert database.execute("select count(*) from hold").fetchone() == (0,)
