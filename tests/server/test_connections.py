"""What happens to connections over time: clients that leave, servers that stop, and addresses behind a proxy."""

import socket

import pytest
from rawhttp import TRUSTED, Running, parse, read_all, refusal

from svc.server import channel, http
from svc.server.proxy import TrustedProxies


def get(path, *fields):
    lines = [f"GET {path} HTTP/1.1", "Host: test", *fields, "Connection: close", "", ""]
    return "\r\n".join(lines).encode()


def test_an_application_learns_that_its_client_left(web):
    client = web.connect()
    client.sendall(get("/stream"))
    assert client.recv(20)
    assert web.stage.started.wait(20)
    client.close()
    assert web.stage.gone.wait(20)


def test_a_callback_that_comes_too_late_is_called_at_once(web):
    with web.connect() as client:
        client.sendall(get("/stream"))
        client.shutdown(socket.SHUT_WR)
        assert b"data: end" in read_all(client)
    assert web.stage.gone.is_set()


def test_a_flood_of_idle_connections_pushes_out_its_own(web, monkeypatch):
    monkeypatch.setattr(http, "CONNECTIONS", 5)
    flood = [web.connect() for _ in range(8)]
    assert web.talk(get("/who")).startswith(b"HTTP/1.1 200")
    assert flood[0].recv(10) == b""
    for client in flood:
        client.close()


def test_a_client_that_stops_reading_is_dropped(web, monkeypatch):
    monkeypatch.setattr(channel, "STALL_SECONDS", 0)
    with web.connect() as client:
        client.sendall(get("/endless"))
        assert web.stage.gone.wait(20)


def test_a_client_that_never_ends_its_headers_is_dropped(web, monkeypatch):
    monkeypatch.setattr(channel, "HEADER_SECONDS", 0)
    assert web.talk(b"GET /who HTTP/1.1\r\n") == b""


@pytest.fixture
def stoppable():
    running = Running()
    yield running
    running.stage.release.set()
    running.server.stop()


def test_a_stream_is_ended_when_the_server_stops(stoppable):
    with stoppable.connect() as client:
        client.sendall(get("/stream"))
        assert stoppable.stage.started.wait(20)
        stoppable.stop()
        assert read_all(client).endswith(b"data: end\n\n\r\n0\r\n\r\n")


def test_a_running_request_is_answered_when_the_server_stops(stoppable):
    with stoppable.connect() as client:
        client.sendall(get("/slow").replace(b"Connection: close\r\n", b""))
        assert stoppable.stage.started.wait(20)
        stoppable.stop()
        answer = read_all(client)
    assert parse(answer) == (200, {"slow": True})
    assert b"Connection: close" in answer


def test_a_request_that_is_still_arriving_is_refused_when_the_server_stops(stoppable):
    with stoppable.connect() as client:
        client.sendall(b"PUT /upload HTTP/1.1\r\nHost: test\r\nContent-Length: 100\r\n\r\nx")
        stoppable.talk(get("/who"))
        stoppable.stop()
        answer = read_all(client)
    assert refusal(answer) == (503, "busy")
    assert b"Retry-After: " in answer


def test_an_idle_connection_is_closed_when_the_server_stops(stoppable):
    with stoppable.connect() as client:
        stoppable.stop()
        assert client.recv(10) == b""


def test_a_stopped_server_takes_no_connection(stoppable):
    stoppable.stop()
    with pytest.raises(ConnectionRefusedError):
        stoppable.connect()


def seen_by_application(application_environ, **headers):
    seen = {}
    proxies = TrustedProxies(lambda environ, start_response: seen.update(environ), TRUSTED)
    proxies({"wsgi.url_scheme": "http", **application_environ, **headers}, None)
    return seen


def test_a_trusted_proxy_is_believed(web):
    answer = web.talk(get("/who", "X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: https"))
    assert parse(answer)[1] == {"address": "203.0.113.9", "scheme": "https", "forwarded": []}


def test_anyone_else_is_not_believed():
    seen = seen_by_application({"REMOTE_ADDR": "192.0.2.7"}, HTTP_X_FORWARDED_FOR="203.0.113.9")
    assert seen == {"REMOTE_ADDR": "192.0.2.7", "wsgi.url_scheme": "http"}


def test_a_client_cannot_add_hops_of_its_own():
    hops = "198.51.100.1, 203.0.113.9, 10.0.0.4"
    assert seen_by_application({"REMOTE_ADDR": "::1"}, HTTP_X_FORWARDED_FOR=hops)["REMOTE_ADDR"] == "203.0.113.9"


@pytest.mark.parametrize(
    ("hops", "address"),
    [
        ("203.0.113.9:4711", "203.0.113.9"),
        ('"[2001:db8::1]:80"', "2001:db8::1"),
        ("2001:db8::1", "2001:db8::1"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("", "127.0.0.1"),
        (",,", "127.0.0.1"),
        ("[", "127.0.0.1"),
        ("<script>", "127.0.0.1"),
        ("203.0.113.9, nonsense", "127.0.0.1"),
    ],
)
def test_a_hop_is_an_address_or_is_not_believed(hops, address):
    seen = seen_by_application({"REMOTE_ADDR": "127.0.0.1"}, HTTP_X_FORWARDED_FOR=hops)
    assert seen["REMOTE_ADDR"] == address


def test_a_scheme_that_is_none_is_not_believed():
    seen = seen_by_application({"REMOTE_ADDR": "127.0.0.1"}, HTTP_X_FORWARDED_PROTO="javascript")
    assert seen["wsgi.url_scheme"] == "http"
