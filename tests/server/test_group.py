"""The process group of `svc serve`, as real processes: start, refusals, deaths of either side, and stops."""

import os
import signal
import socket
import stat
import subprocess
import sys
import time
import urllib.request

import pytest

from svc.core import running
from svc.server.lock import LockTakenError, held

SERVE = "import sys; from svc.server.serve import serve; from svc.core.settings import load; sys.exit(serve(load()))"
WORK = "import sys; from svc.server.worker import work; from svc.core.settings import load; sys.exit(work(load()))"


def start(code, data_dir, **settings):
    environ = {name: value for name, value in os.environ.items() if not name.startswith("SVC_")}
    given = {"SVC_DATA_DIR": str(data_dir), "SVC_PORT": "0", "SVC_WORKERS": "1", **settings}
    return subprocess.Popen(
        [sys.executable, "-c", code],
        env={**environ, **given},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def refused(code, data_dir, **settings):
    """The one sentence of a start that is refused."""
    process = start(code, data_dir, **settings)
    output, sentence = process.communicate(timeout=60)
    assert (process.returncode, output) == (1, "")
    assert sentence.count("\n") == 1
    return sentence


def eventually(holds):
    end = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def holder(lock):
    """The process that holds a lock file, or None."""
    try:
        with held(lock):
            return None
    except LockTakenError as error:
        process = str(error).split()[-1]
        return int(process) if process.isdigit() else None
    except FileNotFoundError:
        return None


@pytest.fixture
def data_dir(tmp_path):
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


@pytest.fixture
def group(data_dir):
    """A running service: `process`, its `address`, and `worker()`, the process id of its worker."""
    process = start(SERVE, data_dir)
    process.address = process.stdout.readline().removeprefix("svc serving on ").strip()
    assert process.address, process.communicate(timeout=60)
    process.worker = lambda: holder(data_dir / "worker.lock")
    yield process
    process.terminate()
    process.communicate(timeout=60)


def test_the_service_answers_at_the_address_that_it_prints(group):
    with urllib.request.urlopen(f"{group.address}/api/health") as answer:
        assert answer.status == 200


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_the_group_cleanly(group, number, data_dir):
    eventually(group.worker)
    group.send_signal(number)
    output, errors = group.communicate(timeout=60)
    assert (group.returncode, output) == (0, "")
    assert "Traceback" not in errors
    assert group.worker() is None


def test_what_the_service_keeps_is_for_its_user_only(group, data_dir):
    assert (data_dir / "svc.db").stat().st_mode & 0o077 == 0


def test_the_service_tells_where_it_is_while_it_runs(group, data_dir):
    assert running.site_root(data_dir) == group.address
    group.kill()
    group.wait(60)
    assert running.site_root(data_dir) is None


@pytest.mark.parametrize("name", ["serve.lock", "serve.address"])
def test_lock_files_are_for_their_user_only(group, data_dir, name):
    assert stat.S_IMODE((data_dir / name).stat().st_mode) == 0o600


def test_a_second_service_on_the_same_data_is_refused(group, data_dir):
    assert f"process {group.pid}" in refused(SERVE, data_dir)


def test_a_second_worker_on_the_same_data_is_refused(group, data_dir):
    eventually(group.worker)
    assert f"process {group.worker()}" in refused(WORK, data_dir)


def test_a_port_in_use_is_refused(data_dir):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert port in refused(SERVE, data_dir, SVC_PORT=port)


@pytest.mark.parametrize(
    ("name", "value"),
    [("SVC_TRUSTED_PROXIES", "proxy.example"), ("SVC_LOG_LEVEL", "loud"), ("SVC_HOST", "no such host")],
)
def test_a_malformed_setting_is_refused_by_name(data_dir, name, value):
    sentence = refused(SERVE, data_dir, **{name: value})
    assert name in sentence or value in sentence


def test_a_killed_worker_is_replaced(group):
    eventually(group.worker)
    first = group.worker()
    os.kill(first, signal.SIGKILL)
    eventually(lambda: group.worker() not in (None, first))


def test_the_worker_leaves_when_its_parent_is_killed(group):
    eventually(group.worker)
    group.kill()
    eventually(lambda: group.worker() is None)


def test_the_web_process_loads_no_model_library():
    code = "import sys, svc.server.serve; print({'numpy', 'yt_dlp', 'av', 'onnxruntime', 'scipy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


RUNNING_JOB = """
import sys
from types import SimpleNamespace
from svc.core.settings import load
from svc.server import worker

jobs = iter([SimpleNamespace(id="broken"), SimpleNamespace(id="long")])
def run_job(settings, job, stopping):
    if job.id == "broken":
        raise ValueError("a job that breaks its thread")
    print("running", flush=True)
    print("told to stop", stopping.wait(30), flush=True)

worker.claim_next, worker.run_job = lambda: next(jobs, None), run_job
worker.NUDGE_SECONDS = 0.05
sys.exit(worker.work(load()))
"""


def test_a_broken_job_ends_no_worker_and_a_running_one_is_told_to_stop(data_dir):
    process = start(RUNNING_JOB, data_dir)
    assert process.stdout.readline() == "running\n"
    process.terminate()
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (0, "told to stop True\n")
    broken = [line for line in errors.splitlines() if "a job that breaks its thread" in line]
    assert len(broken) == 1
    assert "Traceback" in broken[0]


CHORES = """
import os, signal
from svc.core.settings import load
from svc.server import worker

def broken(settings):
    raise ValueError("a chore that breaks")
def last(settings):
    print("done", flush=True)
    os.kill(os.getpid(), signal.SIGTERM)

worker.Worker(load(), [broken, worker.sweep, last]).run()
"""


def test_a_broken_chore_does_not_keep_the_others_from_being_done(data_dir):
    process = start(CHORES, data_dir)
    assert process.communicate(timeout=60)[0] == "done\n"
