"""Uploads of jobs that failed or were canceled: kept for a retry, in nobody's way, gone with the last such job."""

import pytest
from made_jobs import anonymous, failed, queued, running, uploaded

from svc.core.errors import Refusal
from svc.jobs import cancel
from svc.jobs.models import Job, Upload
from svc.jobs.uploads import check_room, make_room, upload_path, usable


@pytest.fixture
def caller(settings):
    return anonymous(settings)


def canceled(settings, caller, upload):
    job = queued(settings, caller, upload)
    cancel.request(job.id)
    return Job.get_by_id(job.id)


def kept(settings):
    on_disk = {path.name for path in settings.folder("uploads").iterdir()}
    assert on_disk == {upload.id for upload in Upload.select()}
    return on_disk


@pytest.mark.parametrize("ended", [failed, canceled])
def test_an_upload_that_was_tried_waits_for_nothing(settings, caller, ended):
    uploads = [uploaded(settings, caller) for _ in range(3)]
    with pytest.raises(Refusal, match="too_many_uploads"):
        check_room(caller)
    for upload in uploads:
        ended(settings, caller, upload)
    check_room(caller)
    assert all(usable(caller, upload.id) for upload in uploads)


def test_the_oldest_that_was_tried_makes_room(settings, caller):
    first, second, untried = [uploaded(settings, caller) for _ in range(3)]
    for age, upload in enumerate([untried, second, first]):
        Upload.update(created_at=upload.created_at - age).where(Upload.id == upload.id).execute()
    failed(settings, caller, second)
    failed(settings, caller, first)
    make_room(settings, caller)
    assert kept(settings) == {second.id, untried.id}


def test_room_costs_nothing_while_there_is_some(settings, caller):
    upload = uploaded(settings, caller)
    failed(settings, caller, upload)
    make_room(settings, caller)
    assert kept(settings) == {upload.id}


@pytest.mark.parametrize("ended", [failed, canceled])
def test_an_erased_job_takes_its_upload_along(settings, caller, ended):
    cancel.erase(settings, ended(settings, caller, uploaded(settings, caller)))
    assert kept(settings) == set()


def test_the_upload_of_another_job_stays(settings, caller):
    upload = uploaded(settings, caller)
    first, second = failed(settings, caller, upload), failed(settings, caller, upload)
    cancel.erase(settings, first)
    assert kept(settings) == {upload.id}
    retry = running(settings, caller, upload)
    cancel.erase(settings, second)
    assert upload_path(settings, retry.upload_id).exists() and Upload.get_by_id(upload.id).job_id == retry.id
