"""What a thousand guesses from one address meet: how many are looked at, and what the rest is told."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from freezegun import freeze_time
from people import GRANT, token_of

from svc.accounts import device, keys, mail_link, secrets, sessions, users
from svc.accounts.caller import COOKIE
from svc.core import database
from svc.core.database import db
from svc.core.errors import Refusal

GUESSES, GUESSES_AT_ONCE = 1000, 40
ELSEWHERE = {"REMOTE_ADDR": "192.0.2.7"}


def statuses(guess):
    """How often each status is the answer."""
    return Counter(guess(number).status_code for number in range(GUESSES))


@pytest.fixture
def user(client):
    return users.create("grace@example.org")


@pytest.fixture
def signed_in(client, user):
    client.set_cookie(COOKIE, sessions.start(user))
    return client


@pytest.fixture
def queries(client):
    """The SQL of every query, as it is made."""
    made = []
    db.query_hooks.append(lambda event: made.append(event.sql))
    return made


def type_code(client, code):
    return client.post("/device", data={"user_code": code})


def open_link(client, token, **where):
    return client.post("/sign-in/confirm", data={"token": token}, **where)


def ask_me(client, key):
    return client.get("/api/v1/me", headers={"X-API-Key": key})


def test_nobody_guesses_user_codes_without_signing_in(client, queries):
    assert statuses(lambda n: type_code(client, f"BCDF{n:04}")) == {303: GUESSES}
    assert not queries


def test_ten_user_codes_are_looked_at(signed_in, settings):
    code = device.begin(settings, "svc-cli", "visitor")["user_code"]
    assert statuses(lambda n: type_code(signed_in, f"BCDF{n:04}")) == {404: 10, 429: 990}
    assert type_code(signed_in, code).status_code == 429


def test_user_codes_are_looked_at_again_after_ten_minutes(signed_in, settings):
    with freeze_time() as time:
        statuses(lambda n: type_code(signed_in, f"BCDF{n:04}"))
        time.tick(device.TEN_MINUTES)
        code = device.begin(settings, "svc-cli", "visitor")["user_code"]
        assert type_code(signed_in, code).status_code == 200


def test_a_person_who_types_right_codes_is_not_refused(signed_in, settings):
    code = device.begin(settings, "svc-cli", "visitor")["user_code"]
    assert {type_code(signed_in, code).status_code for _ in range(device.GUESSES + 1)} == {200}


def test_somebody_elses_wrong_codes_do_not_count(client, signed_in, settings):
    statuses(lambda n: type_code(signed_in, f"BCDF{n:04}"))
    client.set_cookie(COOKIE, sessions.start(users.create("ada@example.org")))
    code = device.begin(settings, "svc-cli", "visitor")["user_code"]
    assert type_code(client, code).status_code == 200


def test_thirty_link_tokens_are_looked_at(client, settings):
    token = token_of(mail_link.make(settings, "grace@example.org"))
    assert statuses(lambda n: open_link(client, f"{n:043}")) == {401: 30, 429: 970}
    assert open_link(client, token).status_code == 429
    assert open_link(client, token, environ_base=ELSEWHERE).status_code == 303


def test_device_codes_are_not_counted_for_each_is_256_bits(client, settings, user):
    login = device.begin(settings, "svc-cli", "visitor")
    device.decide(device.waiting(login["user_code"], "visitor"), user, allow=True)
    grant = {"client_id": "svc-cli", "grant_type": GRANT}

    def collect(code):
        return client.post("/api/auth/device/token", data=grant | {"device_code": code})

    assert statuses(lambda n: collect(f"{n:043}")) == {400: GUESSES}
    assert collect(login["device_code"]).status_code == 200


def test_twenty_device_logins_are_begun(client):
    asked = {"client_id": "svc-cli"}
    assert statuses(lambda n: client.post("/api/auth/device/code", data=asked)) == {200: 20, 429: 980}


def test_mistyped_keys_are_refused_without_a_query(client, queries):
    key = secrets.make_key()
    assert statuses(lambda n: ask_me(client, f"{key[:-4]}{n:04}")) == {401: GUESSES}
    assert not queries
    assert ask_me(client, key).status_code == 401 and len(queries) == 1


def test_a_well_formed_key_costs_one_query_and_the_right_one_works_beside(client, user, queries):
    _, right = keys.create(user, "test", most=1)
    queries.clear()
    assert statuses(lambda n: ask_me(client, secrets.make_key())) == {401: GUESSES}
    assert len(queries) == GUESSES
    assert ask_me(client, right).status_code == 200


def test_mails_to_one_address_are_counted_whoever_asks(client, settings):
    def ask(number):
        where = {"REMOTE_ADDR": f"198.51.{number // 250}.{number % 250}"}
        body = {"email": "grace@example.org"}
        return client.post("/api/auth/sign-in/magic-link", json=body, environ_base=where)

    assert statuses(ask) == {200: 5, 429: 995}
    assert len(list(settings.folder("outbox").glob("*.eml"))) == 5


def test_mails_by_one_visitor_are_counted_whoever_they_go_to(client):
    def ask(number):
        return client.post("/api/auth/sign-in/magic-link", json={"email": f"grace{number}@example.org"})

    assert statuses(ask) == {200: 20, 429: 980}


def test_of_many_guesses_at_once_ten_are_looked_at(client, user):
    begun = Barrier(GUESSES_AT_ONCE)

    def guess(number):
        begun.wait()
        with pytest.raises(Refusal) as told:
            device.waiting(f"BCDF{number:04}", "guesser")
        database.release()
        return told.value.code

    with ThreadPoolExecutor(GUESSES_AT_ONCE) as pool:
        told = Counter(pool.map(guess, range(GUESSES_AT_ONCE)))
    assert told == {"not_found": device.GUESSES, "rate_limited": GUESSES_AT_ONCE - device.GUESSES}
