"""A running `svc serve`: how soon a stored result is there, how it sends results, streams, its memory, its queue.

Run `python bench/live.py` in a checkout. What there is a simple counterpart for stands beside it, measured in turns
in the same run (`bare_live.py`). The limits of the service are widened so that none of them is what is measured.
"""

import http.client
import json
import os
import re
import resource
import selectors
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "tests")]

from bare_live import bare_flask, huey_tasks_per_second  # noqa: E402
from captions import caption_file  # noqa: E402
from figures import Figure, memory_mb, pss_mb, show  # noqa: E402
from service import Service  # noqa: E402
from video_site import VideoSite  # noqa: E402
from video_site.clips import make_clips  # noqa: E402

from svc.core import clock, database  # noqa: E402
from svc.core.settings import load  # noqa: E402
from svc.jobs import events, watch  # noqa: E402

WIDE = """
[limits.anonymous]
requests_per_minute = 1000000
caption_jobs_per_day = 1000000
minutes_per_day = 1000000
max_video_seconds = 7200
running_jobs = 8
waiting_jobs = 100000
event_streams = 10000
[limits.service]
waiting_jobs = 100000
"""
WIDE_STREAMS = "event_streams = 1200\n"
HOUR, TALK = 3600, 600

STORED_TRIES, QUICK_TRIES = 100, 30
MAX_STORED_MS = 30
SENDING_SECONDS, SENDING_TURNS, SENDERS = 3.0, 5, 8
MIN_SENDING = 0.7
STREAMS, STREAMED_JOBS, EVENTS_A_SECOND, EVENT_SECONDS = 1000, 200, 20, 15
MAX_WEB_MB, MAX_EVENT_MS, MAX_SLOWER = 150, 100, 2.0
PLAIN_PAUSE = 0.005
STARTS, IDLE_SECONDS = 5, 5
MAX_START_SECONDS, MAX_IDLE_MB = 0.7, 110
JOBS, JOB_VIDEOS, CLIENTS = 300, 8, 8

SENT = re.compile(rb'"sent":(\d+)}')


@contextmanager
def running(site: VideoSite, workers: int, limits: str = WIDE) -> Iterator[Service]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "svc.toml").write_text(limits)
        environ = {"SVC_ALLOW_HOSTS": site.allow, "SVC_EXTRACTOR_PLUGINS": "true", "SVC_WORKERS": str(workers)}
        with Service(Path(folder), site.plugin_path, **environ) as service:
            yield service


def video(site: VideoSite, name: str, seconds: int) -> str:
    """A page of the known site with so many seconds of captions."""
    path = site.serve(f"/captions/{name}.vtt", caption_file(seconds), "text/vtt; charset=utf-8")
    track = [{"url": path, "ext": "vtt"}]
    return site.video(name, subtitles={"en": track}, language="en", duration=seconds)


def percentile(values: list[float], share: float) -> float:
    return statistics.quantiles(values, n=1000, method="inclusive")[round(share * 1000) - 1]


# A result that is stored


def stored_result(service: Service, url: str, tries: int, folder: Path) -> list[Figure]:
    """From sending the request to having read `done` in the job's stream."""
    result = json.dumps(service.run(url=url, mode="captions")["result"]).encode()
    ours, bare = [], []
    with bare_flask(b"", folder / "bodies.db") as port:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        for _ in range(tries):
            began = time.perf_counter()
            job = service.create(url=url, mode="captions")
            last = list(service.events(job["job_id"]))[-1]
            ours.append(1000 * (time.perf_counter() - began))
            if last["event"] != "done":
                raise RuntimeError(last["data"])
            began = time.perf_counter()
            connection.request("POST", "/insert", result)
            connection.getresponse().read()
            bare.append(1000 * (time.perf_counter() - began))
    of = f"p95 {percentile(ours, 0.95):.1f} ms; bare Flask + SQLite insert of {len(result) >> 10} KB:"
    return [
        Figure(
            "stored result, request to done, p50",
            statistics.median(ours),
            "ms",
            MAX_STORED_MS,
            beside=f"{of} p50 {statistics.median(bare):.1f} ms",
        )
    ]


# A long result


def long_result(service: Service, url: str, turns: int, folder: Path) -> list[Figure]:
    """Requests a second of a job with an hour's Context, and of the same bytes from a bare application."""
    job = service.run(url=url, mode="captions")
    path = f"/api/v1/jobs/{job['job_id']}"
    body = service.http.get(path).content
    own_port = int(service.base.rsplit(":", 1)[1])
    with bare_flask(body, folder / "bodies.db") as port:
        rates = [(rate(own_port, path, len(body)), rate(port, "/body", len(body))) for _ in range(turns)]
    ours, theirs = (statistics.median(pair[side] for pair in rates) for side in (0, 1))
    ratio = statistics.median(one / other for one, other in rates)
    of = f"{ours:.0f} / {theirs:.0f} a second, {len(body) >> 10} KB each"
    return [Figure("GET of an hour's result / bare Flask", ratio, "x", at_least=MIN_SENDING, beside=of)]


def rate(port: int, path: str, length: int) -> float:
    """Requests a second over kept-alive connections, each asking again as soon as it is answered."""
    ask = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    done, end = [0] * SENDERS, time.monotonic() + SENDING_SECONDS

    def client(number: int) -> None:
        buffer = bytearray(1 << 20)
        with socket.create_connection(("127.0.0.1", port)) as connection:
            while time.monotonic() < end:
                connection.sendall(ask)
                got = connection.recv_into(buffer)
                missing = buffer.index(b"\r\n\r\n", 0, got) + 4 + length - got
                while missing > 0:
                    missing -= connection.recv_into(buffer)
                done[number] += 1

    with ThreadPoolExecutor(SENDERS) as pool:
        list(pool.map(client, range(SENDERS)))
    return sum(done) / SENDING_SECONDS


# Event streams


def streams(service: Service, url: str) -> list[Figure]:
    """A thousand readers of jobs to which another process adds events, as the worker does; no worker runs here."""
    with ThreadPoolExecutor(CLIENTS) as pool:
        jobs = list(pool.map(lambda _: service.create(url=url, mode="captions")["job_id"], range(STREAMED_JOBS)))
    settings = load({"data_dir": str(service.data_dir)}, {})
    database.connect(settings)
    watch.connect(settings)
    plain = f"/api/v1/jobs/{jobs[0]}"
    before = plain_delays(service, plain)
    with readers(service, [jobs[number % len(jobs)] for number in range(STREAMS)]) as reader:
        reader.recv()
        adding = threading.Thread(target=add_events, args=(jobs,))
        adding.start()
        beside = plain_delays(service, plain)
        adding.join()
        delays = received(reader)
        memory = memory_mb(service.process.pid)
    after = plain_delays(service, plain)
    crowded = service.create(url=url, mode="captions")["job_id"]
    with readers(service, [crowded] * STREAMS) as reader:
        reader.recv()
        add_event(crowded)
        time.sleep(2)
        slowest = max(received(reader))
    without = statistics.fmean([percentile(before, 0.99), percentile(after, 0.99)])
    slower = percentile(beside, 0.99) / without
    of = f"p50 {percentile(delays, 0.5):.1f} ms of {len(delays)} deliveries"
    plain_of = f"{percentile(beside, 0.99):.1f} / {without:.1f} ms; p50 {statistics.median(beside):.1f} / "
    return [
        Figure("memory of the web process, 1,000 streams", memory, "MB", MAX_WEB_MB),
        Figure("event to client, 1,000 streams, p99", percentile(delays, 0.99), "ms", MAX_EVENT_MS, beside=of),
        Figure(
            "plain request with / without streams, p99",
            slower,
            "x",
            MAX_SLOWER,
            beside=f"{plain_of}{statistics.median(before + after):.1f} ms",
        ),
        Figure("one event to 1,000 readers of one job, last", slowest, "ms"),
    ]


def add_events(jobs: list[str]) -> None:
    began = time.monotonic()
    for number in range(EVENT_SECONDS * EVENTS_A_SECOND):
        time.sleep(max(0.0, began + number / EVENTS_A_SECOND - time.monotonic()))
        add_event(jobs[number % len(jobs)])


def add_event(job_id: str) -> None:
    event = {"type": "progress", "runId": job_id, "t": clock.now_ms(), "stage": "transcribe", "progress": 0.5}
    events.add(job_id, {**event, "sent": time.monotonic_ns()})


def plain_delays(service: Service, path: str) -> list[float]:
    """Milliseconds of each of many plain requests in a row, by a process of its own, for as long as events come."""
    return in_process(ask_plainly, int(service.base.rsplit(":", 1)[1]), path).recv()


def ask_plainly(told: Any, port: int, path: str) -> None:
    connection, delays = http.client.HTTPConnection("127.0.0.1", port), []
    end = time.monotonic() + EVENT_SECONDS
    while time.monotonic() < end:
        began = time.perf_counter()
        connection.request("GET", path)
        connection.getresponse().read()
        delays.append(1000 * (time.perf_counter() - began))
        time.sleep(PLAIN_PAUSE)
    told.send(delays)


@contextmanager
def readers(service: Service, jobs: list[str]) -> Iterator[Any]:
    """A process that reads a stream for each job named; its pipe says when all are open, and gives the delays."""
    pipe = in_process(read_streams, int(service.base.rsplit(":", 1)[1]), jobs)
    yield pipe
    pipe.close()


def received(pipe: Any) -> list[float]:
    """Milliseconds from before each event's transaction to its arrival at each of its readers."""
    pipe.send("enough")
    return pipe.recv()


def read_streams(told: Any, port: int, jobs: list[str]) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    selector, delays = selectors.DefaultSelector(), []
    for job in jobs:
        stream = socket.create_connection(("127.0.0.1", port))
        stream.sendall(f"GET /api/v1/jobs/{job}/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        while b'"type":"queued"' not in stream.recv(65536):
            pass
        selector.register(stream, selectors.EVENT_READ)
    told.send("open")
    while not told.poll():
        for key, _ in selector.select(0.05):
            data = key.fileobj.recv(65536)  # type: ignore[union-attr]
            now = time.monotonic_ns()
            delays += [(now - int(sent)) / 1e6 for sent in SENT.findall(data)]
            if not data:
                raise RuntimeError("a stream was closed")
    told.send(delays)


def in_process(work: Callable[..., None], *given: Any) -> Any:
    """This end of a pipe to a new process that does the work."""
    ours, theirs = get_context("spawn").Pipe()
    get_context("spawn").Process(target=work, args=(theirs, *given), daemon=True).start()
    theirs.close()
    return ours


# At rest


def at_rest(site: VideoSite, starts: int) -> list[Figure]:
    """How soon the service answers, and what its processes hold while nothing is asked of them."""
    seconds, web, worker, fair = [], [], [], []
    for number in range(starts):
        began = time.perf_counter()
        with running(site, workers=os.cpu_count() or 1) as service:
            seconds.append(time.perf_counter() - began)
            if number < starts - 1:
                continue
            time.sleep(IDLE_SECONDS)
            pids = service.process.pid, service.worker_pid()
            web, worker = (memory_mb(pid) for pid in pids)
            fair = sum(map(pss_mb, pids))
    of = f"web {web:.0f}, worker {worker:.0f}; with shared pages counted once {fair:.0f}"
    return [
        Figure("start to first answer", statistics.median(seconds), "s", MAX_START_SECONDS),
        Figure("memory of all processes at rest", web + worker, "MB", MAX_IDLE_MB, beside=of),
    ]


# The queue


def throughput(service: Service, urls: list[str], count: int, folder: Path) -> list[Figure]:
    """Jobs with nothing to do, from the first request to the last end, and bare Huey's empty tasks."""
    for url in urls:
        service.run(url=url, mode="captions")
    began = time.perf_counter()
    with ThreadPoolExecutor(CLIENTS) as pool:
        made = pool.map(lambda n: service.create(url=urls[n % len(urls)], mode="captions")["job_id"], range(count))
        jobs = list(made)
    created = time.perf_counter() - began
    for job_id in jobs:
        list(service.events(job_id))
    ours = count / (time.perf_counter() - began)
    bare = huey_tasks_per_second(folder, count, os.cpu_count() or 1)
    of = f"{ours:.0f} / {bare:.0f} a second; created over HTTP at {count / created:.0f} a second"
    return [Figure("jobs with stored results / bare Huey tasks", ours / bare, "x", beside=of)]


def measure(quick: bool = False) -> list[Figure]:
    with tempfile.TemporaryDirectory() as name, VideoSite(make_clips(Path(name) / "clips")) as site:
        folder = Path(name)
        talk, hour = video(site, "talk", TALK), video(site, "hour", HOUR)
        talks = [video(site, f"talk{number}", TALK) for number in range(JOB_VIDEOS)]
        figures = at_rest(site, 2 if quick else STARTS)
        with running(site, workers=os.cpu_count() or 1) as service:
            figures += stored_result(service, talk, QUICK_TRIES if quick else STORED_TRIES, folder)
            figures += long_result(service, hour, 1 if quick else SENDING_TURNS, folder)
            figures += throughput(service, talks, JOBS // 3 if quick else JOBS, folder)
        with running(site, workers=0, limits=WIDE + WIDE_STREAMS) as service:
            figures += streams(service, talk)
    return figures


if __name__ == "__main__":
    show(measure("--quick" in sys.argv))
