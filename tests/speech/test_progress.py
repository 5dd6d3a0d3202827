from concurrent.futures import CancelledError

import pytest
from stagehand import new_run

from svc.engine.speech.progress import Meter


@pytest.fixture
def told(tmp_path):
    """A meter of a recording of 100 seconds, and the seconds it has told of."""
    run, events = new_run(tmp_path)
    return Meter(run, 100, ("speech", "words", "speakers")), events


def test_steps_side_by_side_add_up_to_the_whole(told):
    meter, events = told
    for step in ("speech", "words", "speakers"):
        meter.tell(step, 50)
        meter.tell(step, 100)
    done = [event["done"] for event in events]
    assert done == sorted(done)
    assert (done[-1], events[-1]["total"], events[-1]["unit"]) == (100, 100, "seconds")


def test_a_step_never_falls_back(told):
    meter, events = told
    meter.tell("words", 80)
    meter.tell("words", 20)
    assert events[0]["done"] == events[1]["done"]


def test_work_in_vain_is_stopped(told):
    meter, _ = told
    meter.stop()
    with pytest.raises(CancelledError):
        meter.tell("speakers", 10)
