"""Refusals on paths of pages are pages, whoever refuses: the application, or the web server by the headers alone."""

import socket

import pytest

TOO_LARGE = b"x" * 70_000


def talk(service, request):
    with socket.create_connection((service.http.base_url.host, service.http.base_url.port), timeout=20) as client:
        client.sendall(request)
        return client.makefile("rb").read()


def is_page(answer, status):
    """Whether the answer is the site's own page, fit for a browser, and told not to be kept."""
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "text/html; charset=utf-8")
    assert answer.headers["Cache-Control"] == "no-store" and "default-src" in answer.headers["Content-Security-Policy"]
    return "This was refused" in answer.text and "Video Context" in answer.text


@pytest.mark.parametrize(
    ("method", "path", "allowed"), [("POST", "/", {"GET"}), ("DELETE", "/sign-in", {"GET", "POST"})]
)
def test_a_page_names_its_methods(service, method, path, allowed):
    answer = service.http.request(method, path)
    assert is_page(answer, 405)
    assert {name.strip() for name in answer.headers["Allow"].split(",")} - {"HEAD", "OPTIONS"} == allowed


def test_a_form_that_is_too_large_is_told_by_a_page(service):
    assert is_page(service.http.post("/sign-in", content=TOO_LARGE), 413)


def test_a_malformed_request_for_a_page_is_told_by_a_page(service):
    answer = talk(service, b"GET /sign-in HTTP/1.1\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"Content-Type: text/html" in answer and b"The Host header is missing" in answer


def test_a_head_request_gets_the_headers_of_the_page(service):
    answer = talk(service, b"HEAD /sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 413 ") and answer.endswith(b"\r\n\r\n")


@pytest.mark.parametrize("path", ["/api/nowhere", "/api", "/api/v1/context"])
def test_programs_get_json(service, path):
    answer = service.http.post(path, content=TOO_LARGE)
    assert (answer.status_code, answer.headers["Content-Type"]) == (413, "application/json")


@pytest.mark.parametrize(("path", "allowed"), [("/api/v1/context", "POST"), ("/api/v1/jobs", "GET"), ("/", "GET")])
def test_options_are_told_without_content(service, path, allowed):
    answer = service.http.request("OPTIONS", path)
    assert (answer.status_code, answer.content) == (204, b"")
    assert "Content-Type" not in answer.headers and allowed in answer.headers["Allow"]
