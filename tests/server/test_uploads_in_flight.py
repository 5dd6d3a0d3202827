"""How many uploads one client may have on their way, counted from the moment their headers are there."""

import pytest
from rawhttp import parse, refusal

HEAD = b"PUT /upload HTTP/1.1\r\nHost: test\r\nContent-Length: 4\r\nConnection: close\r\n\r\n"


@pytest.fixture
def arriving(web):
    """Two uploads that have begun: as many as one client may have."""
    clients = [web.connect() for _ in range(2)]
    for client in clients:
        client.sendall(HEAD + b"x")
    web.wait_for(lambda: web.intake.uploads.open.total() == 2)
    yield clients
    for client in clients:
        client.close()


def test_one_more_is_refused_while_the_others_arrive(web, arriving):
    assert refusal(web.talk(HEAD, b"xxxx")) == (429, "too_many_in_flight")


def test_a_slot_is_free_again_when_an_upload_has_ended(web, arriving):
    arriving[0].sendall(b"xxx")
    while arriving[0].recv(4096):
        pass
    assert parse(web.talk(HEAD, b"xxxx")) == (200, {"bytes": 4})


def test_a_slot_is_free_again_when_a_client_has_gone(web, arriving):
    arriving[0].close()
    web.wait_for(lambda: web.intake.uploads.open.total() == 1)
    assert parse(web.talk(HEAD, b"xxxx")) == (200, {"bytes": 4})
