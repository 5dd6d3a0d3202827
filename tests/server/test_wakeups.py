"""Wake-ups between processes: the bell, the queue on it, and the watcher of event streams."""

import subprocess
import sys
import threading

import pytest

from svc.core.settings import Settings
from svc.jobs import queue
from svc.jobs.bell import Bell
from svc.jobs.queue import Queue
from svc.jobs.watch import Watcher

FOR_EVER = 3600


def in_another_process(code, *arguments):
    subprocess.run([sys.executable, "-c", code, *map(str, arguments)], check=True, timeout=60)


RING = "import sys; from pathlib import Path; from svc.jobs.bell import Bell; Bell(Path(sys.argv[1])).ring(sys.argv[2])"


@pytest.fixture(params=["short", "deep" * 30], ids=["short_path", "long_path"])
def bell(request, tmp_path):
    bell = Bell(tmp_path / request.param)
    yield bell
    bell.stop_listening()
    bell.out.close()


def test_a_ring_is_heard_from_another_process(bell, tmp_path, request):
    bell.listen()
    in_another_process(RING, tmp_path / request.node.callspec.params["bell"], "job_1")
    assert bell.wait(FOR_EVER)
    assert bell.messages() == {"job_1"}


def test_nobody_needs_to_listen(bell):
    bell.ring("job_1")
    assert not bell.wait(0)


def test_a_full_bell_does_not_block(bell):
    bell.listen()
    for number in range(1000):
        bell.ring(str(number))
    assert "0" in bell.messages()


def test_a_bell_left_by_a_dead_process_is_taken_over(tmp_path):
    Bell(tmp_path / "bell").listen()
    second = Bell(tmp_path / "bell")
    second.listen()
    second.ring("hello")
    assert second.messages() == {"hello"}


def test_a_bell_that_cannot_hang_leaves_the_time_out(tmp_path):
    bell = Bell(tmp_path / "missing" / "bell")
    bell.listen()
    assert not bell.wait(0)


WAKE = """
import sys
from pathlib import Path
from svc.core.settings import Settings
from svc.jobs import queue
queue.wake(Settings(data_dir=Path(sys.argv[1])))
"""


def test_a_waiting_worker_is_woken_from_another_process(tmp_path):
    worker = Queue(Settings(data_dir=tmp_path))
    worker.huey.storage.look_seconds = FOR_EVER
    worker.listen()
    found = []
    waiting = threading.Thread(target=lambda: found.append(worker.huey.dequeue()), daemon=True)
    waiting.start()
    in_another_process(WAKE, tmp_path)
    waiting.join(60)
    assert found[0].name == "nudge"


def test_the_message_makes_a_worker_look_for_work(tmp_path):
    looks = []
    worker = Queue(Settings(data_dir=tmp_path), lambda: looks.append("looked"))
    queue.wake(Settings(data_dir=tmp_path))
    worker.huey.execute(worker.huey.dequeue())
    assert looks == ["looked"]


def test_waking_never_fails_the_caller(tmp_path):
    settings = Settings(data_dir=tmp_path)
    ours = Queue(settings)
    ours.huey.storage.sql("drop table task", commit=True)
    ours.wake()


class Table:
    """Stands for the events table: the highest event of each job, and who asked for it."""

    def __init__(self):
        self.latest, self.asked = {}, []

    def __call__(self, job_ids):
        self.asked.append(set(job_ids))
        return {job_id: self.latest[job_id] for job_id in job_ids if job_id in self.latest}


@pytest.fixture
def table():
    return Table()


@pytest.fixture
def watcher(tmp_path, table):
    watcher = Watcher(Bell(tmp_path / "bell"), table, look_seconds=FOR_EVER)
    yield watcher
    watcher.close()
    watcher.bell.ring()


def test_a_subscriber_is_woken_from_another_process(watcher, table, tmp_path):
    subscription = watcher.subscribe("job_1")
    table.latest["job_1"] = 1
    in_another_process(RING, tmp_path / "bell", "job_1")
    assert subscription.wait(0, FOR_EVER)


def test_an_event_already_seen_wakes_nobody(watcher, table):
    subscription = watcher.subscribe("job_1")
    table.latest["job_1"] = 1
    watcher.bell.ring("job_1")
    assert subscription.wait(0, FOR_EVER)
    assert not subscription.wait(1, 0.01)


def test_every_reader_of_a_job_is_woken(watcher, table):
    readers = [watcher.subscribe("job_1") for _ in range(3)]
    table.latest["job_1"] = 5
    watcher.bell.ring("job_1")
    assert all(reader.wait(4, FOR_EVER) for reader in readers)


def test_a_lost_ring_is_made_up_for_by_looking(tmp_path, table):
    watcher = Watcher(Bell(tmp_path / "bell"), table, look_seconds=0.01)
    subscription = watcher.subscribe("job_1")
    table.latest["job_1"] = 1
    assert subscription.wait(0, FOR_EVER)
    watcher.close()


def test_a_failing_look_does_not_end_the_watcher(tmp_path):
    answers = iter([{"job_1": 1}])

    def latest(job_ids):
        if not failed.is_set():
            failed.set()
            raise OSError("disk")
        return next(answers, {})

    failed = threading.Event()
    watcher = Watcher(Bell(tmp_path / "bell"), latest, look_seconds=0.01)
    assert watcher.subscribe("job_1").wait(0, FOR_EVER)
    watcher.close()


def test_waiting_for_a_condition_asks_again_at_each_event(watcher, table):
    state = iter(["running", "running", "canceled"])
    subscription = watcher.subscribe("job_1")

    def is_canceled():
        table.latest["job_1"] = table.latest.get("job_1", 0) + 1
        watcher.bell.ring("job_1")
        return next(state) == "canceled"

    assert subscription.wait_until(is_canceled, FOR_EVER)


def test_closing_ends_every_wait(watcher):
    subscription = watcher.subscribe("job_1")
    threading.Timer(0.05, watcher.close).start()
    assert not subscription.wait(0, FOR_EVER)
    assert subscription.closed


def test_after_closing_a_wait_ends_at_once(watcher):
    watcher.close()
    assert not watcher.subscribe("job_1").wait(0, FOR_EVER)


def test_nobody_reading_costs_no_thread(tmp_path, table):
    watcher = Watcher(Bell(tmp_path / "bell"), table, look_seconds=0.01)
    with watcher.subscribe("job_1"):
        thread = watcher.thread
    thread.join(60)
    assert watcher.thread is None
    assert watcher.bell.ear is None
