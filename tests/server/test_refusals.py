"""Requests that are refused before the application sees them, each on a real socket."""

import socket

import pytest
from rawhttp import parse, read_all, refusal


def head(line, *fields):
    return b"\r\n".join([line + b" HTTP/1.1", b"Host: test", *fields, b"", b""])


def test_a_body_of_exactly_the_limit_is_taken(web):
    answer = web.talk(head(b"POST /json", b"Content-Length: 1000", b"Connection: close"), b"x" * 1000)
    assert parse(answer) == (200, {"bytes": 1000})


def test_one_byte_more_is_refused_by_the_headers_alone(web):
    answer = web.talk(head(b"POST /json", b"Content-Length: 1001"))
    assert refusal(answer) == (413, "body_too_large")


def test_a_view_has_its_own_limit(web):
    answer = web.talk(head(b"PUT /upload", b"Content-Length: 5000", b"Connection: close"), b"x" * 5000)
    assert parse(answer) == (200, {"bytes": 5000})
    assert refusal(web.talk(head(b"PUT /upload", b"Content-Length: 5001"))) == (413, "body_too_large")


def test_extra_slashes_lead_to_the_same_limit_as_in_the_application(web):
    answer = web.talk(head(b"PUT //upload", b"Content-Length: 5000", b"Connection: close"), b"x" * 5000)
    assert parse(answer) == (200, {"bytes": 5000})


def test_a_refused_body_is_not_invited(web):
    answer = web.talk(head(b"POST /json", b"Content-Length: 1001", b"Expect: 100-continue"))
    assert b"100 Continue" not in answer
    assert refusal(answer) == (413, "body_too_large")


def test_a_welcome_body_is_invited(web):
    with web.connect() as client:
        client.sendall(head(b"POST /json", b"Content-Length: 3", b"Expect: 100-continue", b"Connection: close"))
        assert client.recv(100).startswith(b"HTTP/1.1 100 Continue")
        client.sendall(b"abc")
        assert parse(read_all(client)) == (200, {"bytes": 3})


def test_expect_without_a_body_is_answered(web):
    answer = web.talk(head(b"GET /who", b"Expect: 100-continue", b"Connection: close"))
    assert answer.startswith(b"HTTP/1.1 200")


def test_a_client_that_sends_everything_first_reads_the_refusal(web):
    with web.connect() as client:
        client.sendall(head(b"PUT /upload", b"Content-Length: 20000000"))
        for _ in range(20):
            client.sendall(b"x" * 1_000_000)
        assert refusal(read_all(client)) == (413, "body_too_large")


def test_an_upload_without_length_is_refused(web):
    assert refusal(web.talk(head(b"PUT /upload", b"Transfer-Encoding: chunked"))) == (411, "length_required")
    assert refusal(web.talk(head(b"PUT /upload"))) == (411, "length_required")


def test_chunks_are_taken_where_no_length_is_needed(web):
    request = head(b"POST /json", b"Transfer-Encoding: chunked", b"Connection: close")
    assert parse(web.talk(request, b"3\r\nabc\r\n", b"0\r\n\r\n")) == (200, {"bytes": 3})


def test_chunks_above_the_limit_are_refused_before_they_end(web):
    chunk = b"1f4\r\n" + b"x" * 500 + b"\r\n"
    answer = web.talk(head(b"POST /json", b"Transfer-Encoding: chunked"), chunk * 3)
    assert refusal(answer) == (413, "body_too_large")


def test_a_chunk_header_without_end_is_refused(web):
    answer = web.talk(head(b"POST /json", b"Transfer-Encoding: chunked"), b"1;" + b"x" * 10_000)
    assert refusal(answer) == (400, "invalid_request")


def test_a_short_body_is_told_so(web):
    answer = web.talk(head(b"PUT /upload", b"Content-Length: 100"), b"x" * 60, half_close=True)
    assert refusal(answer) == (400, "length_mismatch")


def test_a_complete_request_is_answered_after_a_half_close(web):
    answer = web.talk(head(b"POST /json", b"Content-Length: 3"), b"abc", half_close=True)
    assert parse(answer) == (200, {"bytes": 3})


def test_headers_that_end_early_are_told_so(web):
    assert refusal(web.talk(b"GET /who HTTP/1.1\r\nHos", half_close=True)) == (400, "invalid_request")


BAD_REQUESTS = {
    "garbage": b"\x16\x03\x01 hello\r\n\r\n",
    "lower_case_method": head(b"get /who"),
    "impossible_address": b"GET http://[::1 HTTP/1.1\r\nHost: test\r\n\r\n",
    "length_of_no_number": head(b"POST /json", b"Content-Length: ten"),
    "negative_length": head(b"POST /json", b"Content-Length: -1"),
    "two_lengths": head(b"POST /json", b"Content-Length: 1", b"Content-Length: 1"),
    "length_of_thousands_of_digits": head(b"POST /json", b"Content-Length: " + b"9" * 5000),
    "length_and_chunks": head(b"POST /json", b"Content-Length: 3", b"Transfer-Encoding: chunked"),
    "chunks_in_an_old_version": b"POST /json HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    "no_host": b"GET /who HTTP/1.1\r\n\r\n",
    "two_hosts": head(b"GET /who", b"Host: other"),
    "space_before_colon": head(b"GET /who", b"Bad : x"),
    "bare_line_feed": b"GET /who HTTP/1.1\r\nHost: test\nX: y\r\n\r\n",
    "bad_chunk_size": head(b"POST /json", b"Transfer-Encoding: chunked") + b"zz\r\n",
}


@pytest.mark.parametrize("request_bytes", BAD_REQUESTS.values(), ids=BAD_REQUESTS.keys())
def test_a_malformed_request_is_refused_as_json(web, request_bytes):
    assert refusal(web.talk(request_bytes)) == (400, "invalid_request")


def test_huge_headers_are_refused(web):
    answer = web.talk(head(b"GET /who", *[b"X-%d: %s" % (i, b"y" * 1000) for i in range(40)]))
    assert refusal(answer) == (431, "headers_too_large")


def test_an_unknown_transfer_coding_is_refused(web):
    assert refusal(web.talk(head(b"POST /json", b"Transfer-Encoding: gzip"))) == (501, "not_implemented")


def test_what_follows_a_refusal_is_not_answered(web):
    answer = web.talk(head(b"POST /json", b"Content-Length: 9999") + head(b"GET /who") * 3)
    assert answer.count(b"HTTP/1.") == 1
    assert refusal(answer) == (413, "body_too_large")


def test_requests_before_a_refusal_are_answered_in_order(web):
    answer = web.talk(head(b"GET /who") + head(b"POST /json", b"Content-Length: 9999"))
    assert answer.index(b"HTTP/1.1 200") < answer.index(b"HTTP/1.1 413")


def test_a_refused_head_request_has_no_body(web):
    answer = web.talk(head(b"HEAD /who", b"Content-Length: 9999"))
    assert answer.startswith(b"HTTP/1.1 413")
    assert answer.endswith(b"\r\n\r\n")


def test_an_application_that_breaks_while_it_answers_is_json_too(web):
    assert refusal(web.talk(head(b"GET /broken"))) == (500, "internal_error")


LARGE = head(b"POST /large", b"Content-Length: 1000000", b"Connection: close")


def test_a_large_body_is_counted_until_it_is_answered(web):
    with web.connect() as client:
        client.sendall(LARGE + b"x")
        web.talk(head(b"GET /who", b"Connection: close"))
        assert web.intake.promised == 1_000_000
        client.sendall(b"x" * 999_999)
        assert parse(read_all(client)) == (200, {"bytes": 1_000_000})
    assert web.intake.promised == 0


def test_a_large_body_is_no_longer_counted_when_its_client_leaves(web):
    with web.connect() as client:
        client.sendall(LARGE + b"x")
        client.shutdown(socket.SHUT_WR)
        assert refusal(read_all(client)) == (400, "length_mismatch")
    assert web.intake.promised == 0


@pytest.mark.parametrize("kind", [b"Content-Length: 1000000", b"Transfer-Encoding: chunked"])
def test_a_large_body_is_refused_when_the_disk_has_no_room(web, kind):
    web.intake.reserve_bytes = 1 << 60
    answer = web.talk(head(b"POST /large", kind))
    assert refusal(answer) == (503, "busy")
    assert b"Retry-After: " in answer


def test_slow_uploads_hold_no_thread(web):
    uploads = [web.connect() for _ in range(12)]
    for upload in uploads:
        upload.sendall(head(b"PUT /upload", b"Content-Length: 100") + b"x")
    assert web.talk(head(b"GET /who", b"Connection: close")).startswith(b"HTTP/1.1 200")
    for upload in uploads:
        upload.close()


def test_urgent_data_closes_the_connection(web):
    with web.connect() as client:
        client.send(b"!", socket.MSG_OOB)
        with pytest.raises(ConnectionResetError):
            client.recv(10)
