"""Who am I, and my keys, over real HTTP."""

import pytest

from svc.core import schema


@pytest.fixture(scope="module")
def key(service):
    service.command("users", "create", "grace@example.org", "--name", "Grace", "--plan", "pro")
    return {"X-API-Key": service.command("keys", "create", "grace@example.org")["key"]}


def test_an_anonymous_caller_sees_the_limits(service):
    me = service.get("/v1/me").json()
    schema.check("me", me)
    assert me["anonymous"] is True and set(me["usage"]) >= {"day", "minutesRemaining", "resetsAt"}


def test_a_key_sees_its_account(service, key):
    me = service.get("/v1/me", headers=key).json()
    schema.check("me", me)
    assert (me["plan"], me["user"]["email"]) == ("pro", "grace@example.org")
    assert (me["auth"]["via"], me["auth"]["scopes"]) == ("api_key", "all")
    assert (me["usage"]["minutesRemaining"], me["limits"]["maxVideoSeconds"]) == (600, 6 * 3600)
    assert me["limits"]["apiKeys"] == {"active": 1, "max": 10}


def test_keys_are_listed_without_their_secrets(service, key):
    listed = service.get("/v1/keys", headers=key).json()
    schema.check("key-list", listed)
    assert [record["last4"] for record in listed] == [key["X-API-Key"][-4:]] and "key" not in listed[0]


def test_a_key_makes_no_keys(service, key):
    answer = service.post("/v1/keys", json={"name": "more"}, headers=key)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "session_required")


def test_the_list_of_keys_needs_an_account(service):
    assert service.get("/v1/keys").json()["error"]["code"] == "unauthorized"


@pytest.mark.parametrize("part", ["limits", "usage", "entitlement"])
def test_every_field_of_the_record_is_described(service, key, part):
    for headers in (key, None):
        me = service.get("/v1/me", headers=headers).json()
        for name in me[part] or ():
            with pytest.raises(schema.Invalid):
                schema.check("me", me | {part: {**me[part], name: "x", "unknown": 1}})
            with pytest.raises(schema.Invalid):
                schema.check("me", me | {part: {k: v for k, v in me[part].items() if k != name}})
