"""How large and of what form a request may be: exactly the limit is taken, one more is refused."""

import socket

import pytest
from refused import refused

UPLOAD_BYTES = 100 * 1024 * 1024
UNKNOWN = {"upload_id": "upl_none"}
FITS = (404, "upload_not_found")
"""What a body that fits gets, since its upload is unknown."""


@pytest.fixture(scope="module")
def key(service):
    service.command("users", "create", "bodies@example.org")
    return {"X-API-Key": service.command("keys", "create", "bodies@example.org")["key"]}


def words(count, length=1):
    return ["x" * length] * count


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({**UNKNOWN, "language": words(5, 2)}, "language"),
        ({**UNKNOWN, "options": {"vocabulary": words(50)}}, "options.vocabulary"),
        ({**UNKNOWN, "options": {"vocabulary": words(1, 100)}}, "options.vocabulary.0"),
        ({**UNKNOWN, "options": {"visual": {"fps": 0.1}}}, "options.visual.fps"),
        ({**UNKNOWN, "options": {"visual": {"fps": 2}}}, "options.visual.fps"),
        ({**UNKNOWN, "options": {"visual": {"max_scenes": 1}}}, "options.visual.max_scenes"),
        ({**UNKNOWN, "options": {"visual": {"max_scenes": 200}}}, "options.visual.max_scenes"),
    ],
)
def test_the_last_value_of_a_range_is_taken(service, key, body, field):
    refused(service.post("/v1/context", json=body, headers=key), *FITS)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"url": "http://x/" + "y" * 2040}, "url"),
        ({**UNKNOWN, "language": words(6, 2)}, "language"),
        ({**UNKNOWN, "options": {"vocabulary": words(51)}}, "options.vocabulary"),
        ({**UNKNOWN, "options": {"vocabulary": words(1, 101)}}, "options.vocabulary.0"),
        ({**UNKNOWN, "options": {"visual": {"fps": 0.09}}}, "options.visual.fps"),
        ({**UNKNOWN, "options": {"visual": {"fps": 2.1}}}, "options.visual.fps"),
        ({**UNKNOWN, "options": {"visual": {"max_scenes": 0}}}, "options.visual.max_scenes"),
        ({**UNKNOWN, "options": {"visual": {"max_scenes": 201}}}, "options.visual.max_scenes"),
        ({**UNKNOWN, "options": {"visual": {"max_scenes": 1.5}}}, "options.visual.max_scenes"),
        ({**UNKNOWN, "options": {"detail": "long"}}, "options.detail"),
        ({**UNKNOWN, "options": {"diarize": "yes"}}, "options.diarize"),
        ({**UNKNOWN, "options": {"proofread": "all"}}, "options.proofread"),
        ({**UNKNOWN, "options": {"include_words": 1}}, "options.include_words"),
        ({**UNKNOWN, "options": {"quality": "best"}}, "options.quality"),
        ({**UNKNOWN, "options": []}, "options"),
        ({"upload_id": 5}, "upload_id"),
    ],
)
def test_a_value_out_of_its_range_is_named(service, key, body, field):
    error = refused(service.post("/v1/context", json=body, headers=key), 400, "invalid_request")
    assert error["field"] == field


def test_a_url_of_2048_characters_is_taken(service):
    answer = service.post("/v1/context", json={"url": "ftp://x/" + "y" * 2040})
    refused(answer, 422, "url_unsupported")


def test_neither_a_url_nor_an_upload_is_refused(service):
    error = refused(service.post("/v1/context", json={"mode": "auto"}), 400, "invalid_request")
    assert error["message"] == "Send exactly one of url and upload_id."


def test_a_body_of_another_type_is_refused(service):
    answer = service.post("/v1/context", content=b"{}", headers={"Content-Type": "text/plain"})
    refused(answer, 400, "invalid_request")


def padded(size):
    body = b'{"upload_id": "upl_none"}'
    return body + b" " * (size - len(body))


def test_a_body_of_64_kb_is_taken(service):
    refused(service.post("/v1/context", content=padded(65_536)), *FITS)


def test_one_byte_more_is_refused(service):
    refused(service.post("/v1/context", content=padded(65_537)), 413, "body_too_large")


def talk(service, line, length, body=b""):
    """All that is answered to a request whose body ends there."""
    with socket.create_connection((service.http.base_url.host, service.http.base_url.port), timeout=20) as client:
        client.sendall(f"{line} HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n".encode() + body)
        if body:
            client.shutdown(socket.SHUT_WR)
        return client.makefile("rb").read()


@pytest.mark.parametrize("line", ["PUT /api/v1/uploads", "POST /api/v1/transcribe"])
def test_a_file_of_more_than_100_mb_is_refused_by_its_headers(service, line):
    answer = talk(service, line, UPLOAD_BYTES + 1)
    assert answer.startswith(b"HTTP/1.1 413 ") and b'"body_too_large"' in answer


@pytest.mark.parametrize("line", ["PUT /api/v1/uploads", "POST /api/v1/transcribe"])
def test_a_file_that_ends_early_is_told_so(service, line):
    answer = talk(service, line, 10, b"half")
    assert answer.startswith(b"HTTP/1.1 400 ") and b'"length_mismatch"' in answer


def test_a_form_without_its_length_is_refused(service):
    answer = service.post("/v1/transcribe", content=iter([b"--x"]), headers={"Content-Type": "multipart/form-data"})
    refused(answer, 411, "length_required")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/v1/context", {"POST"}),
        ("POST", "/v1/uploads", {"PUT"}),
        ("GET", "/v1/transcribe", {"POST"}),
        ("POST", "/v1/jobs", {"GET"}),
        ("PATCH", "/v1/jobs/job_1", {"GET", "DELETE"}),
        ("POST", "/v1/jobs/job_1/events", {"GET"}),
        ("DELETE", "/v1/status", {"GET"}),
        ("POST", "/v1/openapi.json", {"GET"}),
        ("POST", "/health", {"GET"}),
    ],
)
def test_a_known_path_names_its_methods(service, method, path, allowed):
    answer = service.http.request(method, "/api" + path)
    refused(answer, 405, "method_not_allowed")
    assert {name.strip() for name in answer.headers["Allow"].split(",")} - {"HEAD", "OPTIONS"} == allowed
