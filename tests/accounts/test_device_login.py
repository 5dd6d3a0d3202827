"""Device login (RFC 8628): a common OAuth client against a running service, then each case of the standard."""

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from freezegun import freeze_time
from oauthlib.oauth2 import DeviceClient, OAuth2Error
from people import GRANT, Person
from refused import refused
from requests_oauthlib import OAuth2Session
from service import Service

from svc.accounts import device, sessions, users
from svc.core.errors import Refusal

ASKED = {"client_id": "svc-cli"}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with Service(tmp_path_factory.mktemp("devices"), SVC_WORKERS="1") as running:
        yield running


@pytest.fixture(scope="module")
def ada(service):
    return Person(service, "ada@example.org")


class Device(OAuth2Session):
    """A device with a common OAuth client, which speaks forms and by itself insists on https."""

    def __init__(self, service):
        super().__init__(client=DeviceClient(ASKED["client_id"]))
        self.base, self.trust_env = service.base, False
        self.login = self.post(f"{self.base}/api/auth/device/code", data=ASKED, withhold_token=True).json()

    def collect(self):
        return self.fetch_token(
            f"{self.base}/api/auth/device/token", device_code=self.login["device_code"], include_client_id=True
        )


@pytest.fixture
def common_client(service, monkeypatch):
    monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")
    return Device(service)


def test_a_common_client_signs_in(common_client, ada):
    with pytest.raises(OAuth2Error) as waiting:
        common_client.collect()
    assert waiting.value.error == "authorization_pending"
    assert ada.browser.get(common_client.login["verification_uri_complete"]).status_code == 200
    ada.answer_device(common_client.login["user_code"])
    common_client.collect()
    me = common_client.get(f"{common_client.base}/api/v1/me").json()
    assert (me["user"]["email"], me["auth"]["via"]) == ("ada@example.org", "bearer")


def test_a_common_client_is_told_that_the_person_said_no(common_client, ada):
    ada.answer_device(common_client.login["user_code"], "deny")
    with pytest.raises(OAuth2Error) as told:
        common_client.collect()
    assert told.value.error == "access_denied"


def test_of_many_requests_at_once_one_collects_the_token(service, ada):
    login = service.post("/auth/device/code", json=ASKED).json()
    ada.answer_device(login["user_code"])
    grant = ASKED | {"grant_type": GRANT, "device_code": login["device_code"]}
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: service.post("/auth/device/token", json=grant), range(8)))
    assert Counter(answer.status_code for answer in answers) == {200: 1, 400: 7}


def exchange(service, token, **body):
    return service.post("/v1/cli/exchange", json=body, headers={"Authorization": f"Bearer {token}"})


@pytest.mark.parametrize("scopes", ["all", "mcp"])
def test_the_session_is_exchanged_for_a_key(service, ada, scopes):
    token = ada.device_token()
    answer = exchange(service, token, deviceLabel="Ada's laptop", scopes=scopes)
    made = answer.json()
    assert answer.status_code == 201
    assert (made["deviceLabel"], made["createdVia"], made["scopes"]) == ("Ada's laptop", "device", scopes)
    me = service.get("/v1/me", headers={"X-API-Key": made["key"]}).json()
    assert (me["user"]["email"], me["auth"]["keyId"]) == ("ada@example.org", made["id"])
    refused(exchange(service, token), 401, "invalid_token")


def test_of_many_exchanges_at_once_one_gets_a_key(service, ada):
    token = ada.device_token()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: exchange(service, token), range(8)))
    assert Counter(answer.status_code for answer in answers) == {201: 1, 401: 7}


def test_a_device_gets_no_eleventh_key_and_keeps_its_session(service):
    bob = Person(service, "bob@example.org")
    made = [bob.make_key() for _ in range(10)]
    token = bob.device_token()
    refused(exchange(service, token), 409, "key_limit_reached")
    bob.revoke(made[0])
    assert exchange(service, token).status_code == 201


@pytest.fixture
def time(client):
    with freeze_time("2026-11-20 12:00:00") as time:
        yield time


@pytest.fixture
def login(time, client):
    return begin(client).json


@pytest.fixture
def user(client):
    return users.create("grace@example.org")


def begin(client, **sent):
    return client.post("/api/auth/device/code", **(sent or {"json": ASKED}))


def collect(client, login, **changes):
    grant = ASKED | {"grant_type": GRANT, "device_code": login["device_code"]}
    return client.post("/api/auth/device/token", json=grant | changes)


def decide(login, user, allow=True):
    device.decide(device.waiting(login["user_code"], "guesser"), user, allow)


def error_of(answer):
    """OAuth's code, from an answer of OAuth's shape."""
    assert (answer.status_code, set(answer.json)) == (400, {"error", "error_description"}), answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.json["error"]


def test_the_codes_are_the_standards(login):
    assert re.fullmatch("[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}", login["user_code"])
    assert login["verification_uri_complete"] == f"{login['verification_uri']}?user_code={login['user_code']}"
    assert (login["expires_in"], login["interval"]) == (900, 5)


def test_a_device_waits_for_its_person(client, login):
    assert error_of(collect(client, login)) == "authorization_pending"


def test_each_hasty_request_adds_five_seconds(client, login, time):
    told = []
    for seconds in (0, 4, 9, 14, 20):
        time.tick(seconds)
        told.append(error_of(collect(client, login)))
    assert told == ["authorization_pending", "slow_down", "slow_down", "slow_down", "authorization_pending"]


def test_a_device_that_keeps_the_interval_is_not_slowed_down(client, login, time):
    for _ in range(3):
        assert error_of(collect(client, login)) == "authorization_pending"
        time.tick(login["interval"])


def test_a_confirmed_device_gets_a_session(client, login, user):
    decide(login, user)
    answer = collect(client, login)
    token = answer.json
    assert answer.headers["Cache-Control"] == "no-store"
    assert (token["token_type"], token["expires_in"], token["scope"]) == ("Bearer", 30 * 24 * 3600, "all")
    assert sessions.find(token["access_token"]).user == user


def test_the_token_is_collected_once(client, login, user):
    decide(login, user)
    assert collect(client, login).status_code == 200
    assert error_of(collect(client, login)) == "invalid_grant"


@pytest.mark.parametrize("confirmed", [True, False])
def test_a_code_expires(client, login, user, time, confirmed):
    if confirmed:
        decide(login, user)
    time.tick(login["expires_in"])
    assert error_of(collect(client, login)) == "expired_token"


def test_an_expired_code_cannot_be_confirmed(client, login, user, time):
    time.tick(login["expires_in"])
    with pytest.raises(Refusal, match="may have expired"):
        decide(login, user)


def test_a_no_is_told(client, login, user):
    decide(login, user, allow=False)
    assert error_of(collect(client, login)) == "access_denied"


def test_an_unknown_device_code_is_an_invalid_grant(client, login):
    assert error_of(collect(client, login, device_code="x" * 43)) == "invalid_grant"


def test_a_code_belongs_to_the_client_that_asked_for_it(client, login, user):
    decide(login, user)
    assert error_of(collect(client, login, client_id="svc-mcp")) == "invalid_grant"
    assert collect(client, login).status_code == 200


def test_an_unknown_client_is_told_so(client, login):
    assert error_of(collect(client, login, client_id="somebody")) == "invalid_client"


def test_another_grant_is_not_supported(client, login):
    assert error_of(collect(client, login, grant_type="password")) == "unsupported_grant_type"


@pytest.mark.parametrize("encoding", ["json", "data"])
@pytest.mark.parametrize("more", [{}, {"scope": "all"}])
def test_json_and_forms_are_taken(client, user, encoding, more):
    login = begin(client, **{encoding: ASKED | more}).json
    decide(login, user)
    grant = ASKED | {"grant_type": GRANT, "device_code": login["device_code"]} | more
    assert client.post("/api/auth/device/token", **{encoding: grant}).status_code == 200


@pytest.mark.parametrize("encoding", ["json", "data"])
@pytest.mark.parametrize("missing", ["grant_type", "device_code", "client_id"])
def test_a_field_that_is_missing_is_told_in_oauths_shape(client, login, encoding, missing):
    grant = ASKED | {"grant_type": GRANT, "device_code": login["device_code"]}
    del grant[missing]
    answer = client.post("/api/auth/device/token", **{encoding: grant})
    assert error_of(answer) == "invalid_request" and missing in answer.json["error_description"]


def test_a_field_given_twice_is_refused(client, login):
    grant = ASKED | {"grant_type": GRANT, "device_code": [login["device_code"]] * 2}
    assert error_of(client.post("/api/auth/device/token", data=grant)) == "invalid_request"


@pytest.mark.parametrize("encoding", ["json", "data"])
@pytest.mark.parametrize("body", [{}, {"client_id": "somebody"}])
def test_an_unknown_client_gets_no_codes(client, encoding, body):
    answer = begin(client, **{encoding: body})
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "invalid_request")


@pytest.mark.parametrize("between", ["", " ", "-", ". "])
def test_a_code_may_be_typed_as_people_type(login, between):
    typed = login["user_code"].lower().replace("-", between)
    assert device.waiting(typed, "guesser").client_id == "svc-cli"


def test_an_answer_is_given_once(client, login, user):
    decide(login, user, allow=False)
    with pytest.raises(Refusal, match="No device shows this code"):
        decide(login, user)
