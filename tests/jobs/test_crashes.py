"""Processes killed at random instants while clients work. `python bench/crashes.py` does the same 200 times."""

import os

import pytest
from rampage import Rampage

KILLS = int(os.environ.get("SVC_TEST_KILLS", "15"))
SECONDS = 3 * KILLS


@pytest.fixture(scope="module")
def rampage(video_site, tmp_path_factory):
    with Rampage(tmp_path_factory.mktemp("rampage"), video_site, seed=7) as rampage:
        rampage.run(KILLS, SECONDS)
        yield rampage


def test_nothing_is_lost_or_doubled_when_processes_are_killed(rampage):
    assert rampage.faults() == []
    assert rampage.kills


def test_a_job_survives_the_death_of_the_whole_group_right_after_its_answer(rampage):
    job_id, who = rampage.make_job(10**6 + 4)
    rampage.kill_web(with_all=True)
    assert rampage.service.finished(job_id, who)["status"] == "succeeded"
