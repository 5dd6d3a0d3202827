"""The running service against its own document: schemathesis makes requests, right and wrong ones."""

import subprocess
import sys

import pytest

# A request may fit the schema and still ask for what is not there, cannot be read, or was asked for too often.
CONFIG = """
[checks]
positive_data_acceptance.expected-statuses = ["2xx", 401, 402, 403, 404, 409, 410, 413, 415, 422, 429, 451, "5xx"]
not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", 502, 503, 504]

[[operations]]
include-path-regex = "/auth/(device/token|sign-in/magic-link)"
checks.positive_data_acceptance.expected-statuses = [400, 200, 429, 503]
"""
REAL_JOB = """
[[operations]]
include-method = "GET"
include-path-regex = "/v1/jobs/.*"
parameters = {{ "path.id" = "{}" }}
"""
SECONDS = 300


@pytest.fixture
def key(service):
    email = "schemathesis@example.org"
    service.command("users", "create", email)
    return service.command("keys", "create", email)["key"]


@pytest.fixture
def schemathesis(service, tmp_path):
    def run(config="", *options):
        (tmp_path / "schemathesis.toml").write_text(CONFIG + config)
        command = [sys.executable, "-m", "schemathesis.cli", "run", f"{service.base}/api/v1/openapi.json", *options]
        bounds = ["--phases", "examples,coverage,fuzzing", "--max-examples", "8", "--generation-deterministic"]
        return subprocess.run([*command, *bounds], cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS)

    return run


def test_every_answer_to_anyone_is_as_described(schemathesis, service, video_site):
    job = service.run(url=video_site.url("/captioned.html"), mode="captions")
    done = schemathesis(REAL_JOB.format(job["job_id"]))
    assert done.returncode == 0, done.stdout.partition("FAILURES")[2].partition("WARNINGS")[0] or done.stderr


def test_every_answer_to_an_account_is_as_described(schemathesis, key):
    done = schemathesis("", "--header", f"X-API-Key: {key}", "--exclude-path-regex", "/v1/(uploads|transcribe)")
    assert done.returncode == 0, done.stdout.partition("FAILURES")[2].partition("WARNINGS")[0] or done.stderr
