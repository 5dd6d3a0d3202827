"""A real `svc serve` in a process of its own, and the small client that the tests talk to it with."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
from described import Described

START_SECONDS = 30
JOB_SECONDS = 120
ENDED = ("succeeded", "failed", "canceled")


class Service:
    """`with Service(data_dir, SVC_ALLOW_HOSTS=...) as service: service.post("/v1/context", json=...)`"""

    def __init__(self, data_dir: Path, python_path: str = "", **environ: str):
        self.data_dir = data_dir
        clean = {k: v for k, v in os.environ.items() if not k.startswith("SVC_")}
        self.environ = {**clean, **environ, "PYTHONPATH": os.pathsep.join(filter(None, [python_path, *sys.path]))}
        self.process: subprocess.Popen | None = None
        self.base = ""

    def __enter__(self) -> "Service":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        command = [sys.executable, "-m", "cli", "serve", "--port", "0", "--data-dir", str(self.data_dir)]
        self.process = subprocess.Popen(command, env=self.environ, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        assert line.startswith("svc serving on "), line
        self.base = line.split()[-1]
        self.http = httpx.Client(base_url=self.base, timeout=60, trust_env=False)
        self.http.event_hooks = {"response": [Described(self.get("/v1/openapi.json").json()).check]}

    def stop(self, how: int = signal.SIGTERM) -> int:
        """Ends the service; its exit code."""
        self.http.close()
        self.process.send_signal(how)
        code = self.process.wait(15)
        self.process.stdout.close()
        return code

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.http.get("/api" + path, **options)

    def post(self, path: str, **options: Any) -> httpx.Response:
        return self.http.post("/api" + path, **options)

    def delete(self, path: str, **options: Any) -> httpx.Response:
        return self.http.delete("/api" + path, **options)

    def upload(self, body: Path | bytes, name: str = "talk.wav", **headers: str) -> httpx.Response:
        data = body.read_bytes() if isinstance(body, Path) else body
        return self.http.put("/api/v1/uploads", content=data, headers={"X-File-Name": name, **headers})

    def command(self, *words: str) -> Any:
        """What an admin command prints for this service's data, as JSON."""
        command = [sys.executable, "-m", "cli", *words, "--data-dir", str(self.data_dir), "--json"]
        return json.loads(subprocess.run(command, env=self.environ, check=True, capture_output=True).stdout)

    def create(self, headers: dict[str, str] | None = None, **body: Any) -> dict[str, Any]:
        """Creates a job that must be accepted."""
        answer = self.post("/v1/context", json=body, headers=headers)
        assert answer.status_code == 202, answer.text
        return answer.json()

    def job(self, job_id: str, headers: dict[str, str] | None = None) -> dict[str, Any]:
        return self.get(f"/v1/jobs/{job_id}", headers=headers).json()

    def finished(self, job_id: str, headers: dict[str, str] | None = None) -> dict[str, Any]:
        """The job once its stream has ended."""
        list(self.events(job_id, headers=headers))
        return self.job(job_id, headers)

    def run(self, headers: dict[str, str] | None = None, **body: Any) -> dict[str, Any]:
        """Creates a job and waits for its end."""
        return self.finished(self.create(headers, **body)["job_id"], headers)

    def events(self, job_id: str, after: int = 0, headers: dict[str, str] | None = None) -> Iterator[dict[str, Any]]:
        """The job's events as they come: `id`, `event` and the parsed `data`."""
        headers = {**(headers or {}), **({"Last-Event-ID": str(after)} if after else {})}
        with self.http.stream("GET", f"/api/v1/jobs/{job_id}/events", headers=headers, timeout=JOB_SECONDS) as answer:
            assert answer.status_code == 200, answer.read()
            yield from parse_stream(answer.iter_lines())

    def wait_for(self, job_id: str, condition: Any) -> dict[str, Any]:
        """The first event of the job's stream that meets the condition."""
        return next(event for event in self.events(job_id) if condition(event))

    def worker_pid(self) -> int:
        return int((self.data_dir / "worker.lock").read_text())

    def wait_for_new_worker(self, old: int) -> int:
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            text = (self.data_dir / "worker.lock").read_text()
            if text and int(text) != old:
                return int(text)
            time.sleep(0.05)
        raise AssertionError("no new worker started")


def parse_stream(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    """Server-sent events from the lines of a stream; comments are left out."""
    event: dict[str, Any] = {}
    for line in lines:
        name, _, value = line.partition(": ")
        if not line and event:
            yield event
            event = {}
        elif name == "data":
            event["data"] = json.loads(value)
        elif name == "id":
            event["id"] = int(value)
        elif name == "event":
            event["event"] = value
