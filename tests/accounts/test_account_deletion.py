"""An account goes with everything it owns, by a person who is signed in."""

import pytest
from recordings import path as recording


@pytest.fixture
def account(service):
    """Headers of a fresh account: by key, and by the session of a confirmed device."""
    email = "leaving@example.org"
    service.command("users", "create", email)
    key = {"X-API-Key": service.command("keys", "create", email)["key"]}
    yield email, key, {"Authorization": f"Bearer {session_of(service, email)}"}


def session_of(service, email):
    from svc.accounts import sessions, users
    from svc.core import database
    from svc.core.settings import load

    database.connect(load({"data_dir": str(service.data_dir)}, {}))
    try:
        return sessions.start(users.find(email))
    finally:
        database.release()


def test_nothing_of_the_account_is_left(service, video_site, account):
    email, key, session = account
    job = service.run(headers=key, url=video_site.url("/watch/manual"), mode="captions")
    service.upload(recording("jfk.mp3"), **key)
    answer = service.delete("/v1/account", headers=session)
    assert (answer.status_code, answer.json()) == (200, {"ok": True})
    assert service.get(f"/v1/jobs/{job['job_id']}").status_code == 404
    assert service.get("/v1/me", headers=key).status_code == 401
    assert service.get("/v1/me", headers=session).status_code == 401
    assert email not in [user["email"] for user in service.command("users", "list")]


def test_a_key_does_not_delete_its_account(service, account):
    email, key, session = account
    answer = service.delete("/v1/account", headers=key)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "session_required")
    service.delete("/v1/account", headers=session)


def test_nobody_deletes_no_account(service):
    assert service.delete("/v1/account").status_code == 401
