"""A real service whose processes are killed at random instants while clients use it, and what that has broken.

`with Rampage(folder, media, seed) as rampage: rampage.run(kills=200, seconds=400); print(rampage.faults())`
"""

import itertools
import json
import os
import random
import signal
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import httpx
import recordings
from service import Service, parse_stream
from video_site import VideoSite

OPEN_JOBS = 6
MEAN_WAIT, LONGEST_WAIT = 0.7, 2.0  # seconds that the killer waits for its moment
VICTIMS = {"engine": 5, "worker": 3, "group": 2, "web": 1}  # how often, in proportion
QUIET_SECONDS = 180  # for all jobs to end once the killing is over
ATTEMPTS = 3
KILLED_ENGINE = "The engine process ended unexpectedly."
SPEECH = "austen_0880.wav"
LIMITS = """
[limits.free]
requests_per_minute = 1000000
minutes_per_period = 1000000
running_jobs = 2
waiting_jobs = 20
uploads_in_flight = 100
uploads_waiting = 100000
"""


class Rampage:
    """`accepted` are the jobs that a client got an answer for: id to the headers of its account."""

    def __init__(self, folder: Path, site: VideoSite, seed: int):
        self.random, self.site, self.seed = random.Random(seed), site, seed
        self.data_dir = folder / "data"
        self.data_dir.mkdir()
        self.data_dir.joinpath("svc.toml").write_text(LIMITS)
        environ = {"SVC_ALLOW_HOSTS": site.allow, "SVC_EXTRACTOR_PLUGINS": "true", "SVC_WORKERS": "2"}
        self.service = Service(self.data_dir, site.plugin_path, **environ)
        self.accepted: dict[str, dict[str, str]] = {}
        self.unwanted: set[str] = set()
        self.erased: set[str] = set()
        self.kills: Counter[str] = Counter()
        self.engine_lives: list[float] = []
        self.over = threading.Event()
        self.failures: list[str] = []

    def __enter__(self) -> "Rampage":
        self.service.start()
        self.accounts = [self.account(f"user{number}@example.com") for number in range(2)]
        return self

    def __exit__(self, *_: object) -> None:
        self.service.stop()

    def account(self, email: str) -> dict[str, str]:
        self.service.command("users", "create", email)
        return {"X-API-Key": self.service.command("keys", "create", email)["key"]}

    def run(self, kills: int, seconds: float) -> None:
        """Kills so many times, or until the time is over; then waits until every job has ended."""
        client = threading.Thread(target=self.use, name="client")
        client.start()
        end = time.monotonic() + seconds
        while self.kills.total() < kills and time.monotonic() < end and client.is_alive():
            self.await_moment()
            self.kill()
        self.over.set()
        client.join()
        end = time.monotonic() + QUIET_SECONDS
        while self.open_jobs() and time.monotonic() < end:
            time.sleep(0.2)

    # The client

    def use(self) -> None:
        """Keeps a few jobs open: captions of links, some asked for twice, and speech; some are canceled again."""
        for number in itertools.count():
            while self.open_jobs() >= OPEN_JOBS and not self.over.is_set():
                time.sleep(0.05)
            if self.over.is_set():
                return
            self.ask(number)

    def ask(self, number: int) -> None:
        job_id, who = self.make_job(number)
        if number % 9 == 8:
            self.cancel(job_id, who)

    def cancel(self, job_id: str, who: dict[str, str]) -> None:
        """Asks once. A job that had ended by then is erased, which may have happened although no answer came."""
        self.unwanted.add(job_id)
        self.erased.add(job_id)
        with suppress(httpx.HTTPError), self.client() as http:
            if http.delete(f"/v1/jobs/{job_id}", headers=who).json().get("status") != "deleted":
                self.erased.remove(job_id)

    def make_job(self, number: int) -> tuple[str, dict[str, str]]:
        """A job that was accepted, and the headers of its account."""
        who = self.accounts[number % 2]
        body = self.speech(number, who) if number % 4 == 3 else self.captions(number)
        job_id = self.insist(
            lambda http: http.post("/v1/context", json=body, headers={**who, "Idempotency-Key": f"key-{number}"}), 202
        )["job_id"]
        if job_id in self.accepted:
            self.failures.append(f"{job_id} was given for two keys")
        self.accepted[job_id] = who
        return job_id, who

    def captions(self, number: int) -> dict[str, Any]:
        track = [{"url": "/captions/manual.en.vtt", "ext": "vtt"}]
        return {"url": self.site.video(f"talk{number // 2}", subtitles={"en": track}), "mode": "captions"}

    def speech(self, number: int, who: dict[str, str]) -> dict[str, Any]:
        recording = recordings.path(SPEECH).read_bytes()
        changed = recording[:-4] + number.to_bytes(4, "little")  # a file of its own, so that nothing is stored of it
        upload = self.insist(lambda http: http.put("/v1/uploads", content=changed, headers=who), 201)
        return {"upload_id": upload["upload_id"], "mode": "audio", "options": {"diarize": False}}

    def insist(self, request: Callable[[httpx.Client], httpx.Response], expected: int) -> dict[str, Any]:
        """As a good client does: the same request again until there is an answer."""
        while True:
            with suppress(httpx.TransportError), self.client() as http:
                answer = request(http)
                if answer.status_code == expected:
                    return answer.json()
                if answer.status_code < 500 and answer.json()["error"]["code"] != "too_many_in_flight":
                    raise AssertionError(answer.text)
            time.sleep(0.05)

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.service.base + "/api", timeout=30, trust_env=False)

    # The killer

    def await_moment(self) -> None:
        """Some time, or the instant at which a client got its answer, or at which a result was written."""
        moment = self.random.choice(("any", "any", "answer", "result"))
        wait = min(self.random.expovariate(1 / MEAN_WAIT), LONGEST_WAIT)
        if moment == "any":
            time.sleep(wait)
            return
        results = self.data_dir / "results"
        look = (lambda: len(self.accepted)) if moment == "answer" else (lambda: modified(results))
        before, end = look(), time.monotonic() + LONGEST_WAIT
        while look() == before and time.monotonic() < end:
            time.sleep(0.001)

    def kill(self) -> None:
        (victim,) = self.random.choices(list(VICTIMS), VICTIMS.values())
        worker, engines = processes(self.web)
        if victim in ("web", "group"):
            self.kill_web(with_all=victim == "group")
        elif victim == "worker" and worker:
            orphans = children(worker)
            end_at_once([worker])
            self.watch_die(orphans)
        elif victim == "engine" and engines:
            end_at_once([self.random.choice(engines)])
        else:
            return
        self.kills[victim] += 1

    @property
    def web(self) -> int:
        return self.service.process.pid

    def kill_web(self, with_all: bool) -> None:
        """Ends the web process, or everything at one instant as a power cut does, and starts the service again."""
        worker, engines = processes(self.web)
        others = [*filter(None, [worker]), *engines] if with_all else []
        end_at_once([self.web, *others])
        self.service.process.wait()
        self.service.process.stdout.close()
        self.service.http.close()
        self.service.start()

    def watch_die(self, engines: list[int]) -> None:
        """Notes how long engine processes outlive their worker."""
        began = time.monotonic()
        while any(is_alive(engine) for engine in engines) and time.monotonic() - began < QUIET_SECONDS:
            time.sleep(0.002)
        self.engine_lives.append(time.monotonic() - began)

    # What is left

    def rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        with closing(sqlite3.connect(f"file:{self.data_dir / 'svc.db'}?mode=ro", uri=True, timeout=20)) as database:
            database.row_factory = sqlite3.Row
            return list(database.execute(query, values))

    def open_jobs(self) -> int:
        return self.rows("select count(*) from job where status in ('queued', 'running')")[0][0]

    def ends(self) -> dict[str, int]:
        """How many jobs ended how, after how many attempts."""
        return dict(Counter(f"{job['status']} {job['attempt']}" for job in self.rows("select * from job")))

    def faults(self) -> list[str]:
        """Everything that is not as it must be, in words."""
        jobs = self.rows("select * from job")
        found = [*self.failures, *self.lost(jobs)]
        for job in jobs:
            found += [f"{job['id']} ({job['status']}, attempt {job['attempt']}): {fault}" for fault in self.judge(job)]
        found += [f"{hold['cause']} still holds {hold['amount']}" for hold in self.rows("select * from hold")]
        found += [f"{path} is gone" for path in self.missing_files()]
        return found + list(self.fresh())

    def lost(self, jobs: list[sqlite3.Row]) -> Iterator[str]:
        known = {job["id"] for job in jobs}
        gone = self.accepted.keys() - known - self.erased
        yield from (f"{job_id} was accepted and is gone" for job_id in gone)
        yield from (f"{job_id} was made and no client knows it" for job_id in known if job_id not in self.accepted)

    def judge(self, job: sqlite3.Row) -> Iterator[str]:
        error = json.loads(job["error"] or "{}")
        if job["status"] in ("queued", "running"):
            yield "has not ended"
        if job["status"] == "canceled" and job["id"] not in self.unwanted:
            yield "nobody canceled it"
        if job["status"] == "failed" and (error["code"] != "INTERNAL" or not self.gave_up(job, error)):
            yield f"should not have failed: {error}"
        yield from self.judge_charge(job)
        yield from self.judge_events(job)
        if job["status"] == "succeeded":
            yield from self.judge_success(job)

    def gave_up(self, job: sqlite3.Row, error: dict[str, Any]) -> bool:
        return job["attempt"] == ATTEMPTS or (error["message"] == KILLED_ENGINE and self.kills["engine"] > 0)

    def judge_charge(self, job: sqlite3.Row) -> Iterator[str]:
        lines = [
            -line["amount"] for line in self.rows("select * from entry where cause = ? and unit = 'minutes'", job["id"])
        ]
        expected = [job["charged_micro"]] if job["charged_micro"] else []
        if lines != expected:
            yield f"charged {lines} and not {expected}"
        if (job["status"] == "succeeded") != (job["charged_micro"] is not None):
            yield f"minutes charged are {job['charged_micro']}"

    def judge_events(self, job: sqlite3.Row) -> Iterator[str]:
        events = self.rows("select seq, type from event where job_id = ? order by seq", job["id"])
        kinds = [event["type"] for event in events]
        if [event["seq"] for event in events] != list(range(1, job["events"] + 1)):
            yield f"event ids have gaps: {[event['seq'] for event in events]}"
        if sum(kind in ("done", "error") for kind in kinds) != 1 or kinds[-1] not in ("done", "error"):
            yield f"does not end with its one last event: {kinds}"
        if kinds.count("started") != job["attempt"] or kinds.count("queued") != 1:
            yield f"has other beginnings than attempts: {kinds}"
        with (
            self.client() as http,
            http.stream("GET", f"/v1/jobs/{job['id']}/events", headers=self.owner(job)) as answer,
        ):
            if [event["event"] for event in parse_stream(answer.iter_lines())] != kinds:
                yield "the stream shows other events"

    def judge_success(self, job: sqlite3.Row) -> Iterator[str]:
        with self.client() as http:
            shown = http.get(f"/v1/jobs/{job['id']}", headers=self.owner(job)).json()
        if not (shown["result"] or {}).get("transcript"):
            yield "has no result"
        if self.rows("select id from upload where job_id = ?", job["id"]):
            yield "still has its upload"
        if job["upload_id"] and (self.data_dir / "uploads" / job["upload_id"]).exists():
            yield "still has the file of its upload"
        others = "select id from job where work_key = ? and status = 'failed'"
        if (self.data_dir / "work" / job["work_key"]).exists() and not self.rows(others, job["work_key"]):
            yield "still has its work folder"

    def owner(self, job: sqlite3.Row) -> dict[str, str]:
        return self.accepted.get(job["id"], {})

    def missing_files(self) -> Iterator[Path]:
        """Rows of uploads and stored layers whose file is gone."""
        uploads = [self.data_dir / "uploads" / row["id"] for row in self.rows("select id from upload")]
        layers = [self.data_dir / "layers" / f"{row['key']}.json" for row in self.rows("select key from stored_layer")]
        yield from (path for path in (*uploads, *layers) if not path.exists())

    def fresh(self) -> Iterator[str]:
        """A captions job and a speech job, now that all is quiet."""
        for number in (10**6, 10**6 + 3):
            end = self.service.finished(*self.make_job(number))
            if end["status"] != "succeeded" or end["attempt"] != 1:
                yield f"a fresh job ended as {end['status']}: {end['error']}"

    def report(self) -> str:
        charged = self.rows("select -sum(amount) from entry where unit = 'minutes'")[0][0] or 0
        longest = max(self.engine_lives, default=0)
        return (
            f"seed {self.seed}: {self.kills.total()} kills {dict(self.kills)}\n"
            f"{len(self.accepted)} jobs, and their attempts: {self.ends()}\n"
            f"charged {charged} micro-minutes; no engine outlived its worker by more than {longest * 1000:.0f} ms"
        )


def processes(web: int) -> tuple[int | None, list[int]]:
    """The worker of a web process, and the engine processes of both."""
    below = children(web)
    worker = next((child for child in below if "svc.server.worker" in command(child)), None)
    engines = [child for child in [*below, *(children(worker) if worker else [])] if "svc.engine" in command(child)]
    return worker, engines


def modified(folder: Path) -> int:
    return folder.stat().st_mtime_ns if folder.exists() else 0


def children(process: int) -> list[int]:
    with suppress(FileNotFoundError, ProcessLookupError):
        lists = [thread / "children" for thread in Path(f"/proc/{process}/task").iterdir()]
        return [int(child) for found in lists if found.exists() for child in found.read_text().split()]
    return []


def command(process: int) -> str:
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{process}/cmdline").read_text()
    return ""


def is_alive(process: int) -> bool:
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    return False


def end_at_once(processes: list[int]) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
