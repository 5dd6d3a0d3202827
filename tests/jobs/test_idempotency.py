import pytest


@pytest.fixture
def body(video_site):
    return {"url": video_site.url("/watch/manual"), "mode": "captions"}


def post(service, body, key):
    return service.post("/v1/context", json=body, headers={"Idempotency-Key": key})


def test_the_same_key_and_body_give_the_same_job(service, body):
    first, again = post(service, body, "once"), post(service, body, "once")
    assert first.json()["job_id"] == again.json()["job_id"]
    assert (first.json()["idempotent_replay"], again.json()["idempotent_replay"]) == (False, True)
    assert "Idempotent-Replayed" not in first.headers and again.headers["Idempotent-Replayed"] == "true"


def test_the_order_of_fields_does_not_matter(service, body):
    first = post(service, body, "order").json()
    assert post(service, dict(reversed(body.items())), "order").json()["job_id"] == first["job_id"]


def test_the_same_key_with_another_body_is_refused(service, body):
    post(service, body, "twice")
    answer = post(service, {**body, "mode": "auto"}, "twice")
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "idempotency_key_reused")


@pytest.mark.parametrize("key", ["", "x" * 201, "with blank", "ümlaut".encode()])
def test_a_key_of_another_form_is_refused(service, body, key):
    answer = post(service, body, key)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_request")
