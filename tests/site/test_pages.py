"""The pages as the server sends them."""

import re

import pytest
from standin import JOB


@pytest.mark.parametrize("path", ["/", f"/jobs/{JOB}"])
def test_pages_are_html(client, path):
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.mimetype == "text/html"


@pytest.mark.parametrize("path", ["/", f"/jobs/{JOB}", "/nowhere"])
def test_pages_load_nothing_from_elsewhere_and_nothing_inline(client, path):
    html = client.get(path).text
    assert not re.search(r"""(src|href|action)=["'](https?:)?//""", html)
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", html)


@pytest.mark.parametrize("path", ["/", "/nowhere", "/static/icon.svg"])
def test_every_answer_carries_the_content_policy(client, path):
    headers = client.get(path).headers
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("path", ["/jobs/job_short", f"/jobs/{JOB}B", f"/jobs/{JOB[:-1]}-", "/jobs/%3Cb", "/nowhere"])
def test_an_address_that_leads_nowhere_is_the_404_page(client, path):
    answer = client.get(path)
    assert answer.status_code == 404
    assert "There is nothing here" in answer.text


def test_pages_say_that_they_need_javascript(client):
    assert "<noscript>" in client.get("/").text


def test_job_pages_are_kept_out_of_search_engines(client):
    assert '<meta name="robots" content="noindex">' in client.get(f"/jobs/{JOB}").text
