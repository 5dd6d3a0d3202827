"""Files at the provider: uploaded in pieces, awaited, and never left behind."""

from datetime import timedelta

import pytest
from gemini_fake import faults

from svc.core.errors import EngineError
from svc.engine.models.gemini import files, forget_uploads
from svc.engine.models.gemini.api import Api
from svc.engine.request import Config, GeminiAccess

PIECE = 262_144


@pytest.fixture
def clip(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "PIECE_BYTES", PIECE)
    monkeypatch.setattr(files, "POLL_SECONDS", 0.01)
    path = tmp_path / "clip.flac"
    path.write_bytes(bytes(range(256)) * 4000)
    return path


def upload(run, path, mime="audio/flac"):
    return files.Upload(Api(run), path, mime)


def sent(gemini):
    return [r for r in gemini.requests if r.headers.get("x-goog-upload-command", "").startswith("upload")]


def noted(run):
    return [path.name for path in files.ledger(run.folder).iterdir()]


def test_a_file_arrives_whole_in_pieces(run, gemini, clip):
    with upload(run, clip) as up:
        uri = up.use(lambda uri: uri)
        assert gemini.files.files[uri.rsplit("/", 1)[-1]].data == clip.read_bytes()
    assert len(sent(gemini)) == 4 and max(len(request.body) for request in sent(gemini)) == PIECE


def test_the_bytes_go_without_the_key(run, gemini, clip, monkeypatch):
    seen = []
    monkeypatch.setattr(gemini.files, "take", lambda *a, take=gemini.files.take: seen.append(a[1]) or take(*a))
    with upload(run, clip) as up:
        up.use(len)
    assert seen and not any("x-goog-api-key" in headers for headers in seen)


@pytest.mark.parametrize("fault", [faults.BUSY, faults.RESET])
def test_a_broken_upload_goes_on_where_it_stopped(run, gemini, clip, pauses, fault):
    gemini.fail_next("bytes", None, fault)
    with upload(run, clip) as up:
        uri = up.use(lambda uri: uri)
        assert gemini.files.files[uri.rsplit("/", 1)[-1]].data == clip.read_bytes()
    assert len(sent(gemini)) == 5 if fault is faults.BUSY else 4


def test_an_upload_that_finished_unheard_is_looked_up(run, gemini, clip, pauses):
    gemini.fail_next("bytes", None, None, None, faults.RESET)
    with upload(run, clip) as up:
        assert up.use(lambda uri: uri)
    assert gemini.files.files == {}


def test_nothing_is_left_behind(run, gemini, clip):
    with pytest.raises(ZeroDivisionError), upload(run, clip) as up:
        up.use(lambda uri: 1 / 0)
    assert gemini.files.files == {} and noted(run) == []


def test_nothing_is_uploaded_that_nobody_uses(run, gemini, clip):
    with upload(run, clip):
        pass
    assert gemini.requests == []


def test_a_file_is_uploaded_once_for_many_questions(run, gemini, clip):
    with upload(run, clip) as up:
        assert up.use(lambda uri: uri) == up.use(lambda uri: uri)


def test_an_expired_file_is_uploaded_again(run, gemini, clip):
    def ask(uri):
        part = {"type": "document", "uri": uri, "mime_type": "text/plain"}
        return Api(run).ask("gemini-3.5-flash-lite", [part, {"type": "text", "text": "What is it?"}]).text

    with upload(run, clip) as up:
        assert up.use(ask)
        gemini.files.ahead += timedelta(hours=49)
        assert up.use(ask)
    assert len({request.path for request in gemini.requests if request.method == "DELETE"}) == 2


def test_a_video_is_used_when_it_is_ready(run, gemini, video_clip, monkeypatch):
    monkeypatch.setattr(files, "POLL_SECONDS", 0.01)
    gemini.files.polls = 3
    with upload(run, video_clip, "video/mp4") as up:
        uri = up.use(lambda uri: uri)
        assert gemini.files.active(uri)


def test_a_file_that_the_provider_cannot_read_is_an_error(run, gemini, clip, monkeypatch):
    def fail(session, keep=gemini.files.keep):
        file = keep(session)
        file.record["state"] = "FAILED"
        return file

    monkeypatch.setattr(gemini.files, "keep", fail)
    with pytest.raises(EngineError, match="PROVIDER_PROTOCOL"), upload(run, clip) as up:
        up.use(len)
    assert gemini.files.files == {}


def test_a_file_that_never_gets_ready_is_a_timeout(run, gemini, video_clip, monkeypatch):
    monkeypatch.setattr(files, "READY_SECONDS", 0)
    with pytest.raises(EngineError, match="TIMEOUT"), upload(run, video_clip, "video/mp4") as up:
        up.use(len)


def test_a_file_that_cannot_be_deleted_is_no_error(run, gemini, clip, pauses):
    gemini.fail_next("files", faults.BUSY, faults.BUSY)
    with upload(run, clip) as up:
        up.use(len)
    assert noted(run) == list(gemini.files.files)


def test_what_a_killed_run_left_behind_is_deleted(run, gemini, clip, config):
    up = upload(run, clip)
    up.use(len)
    assert noted(run) == list(gemini.files.files)
    forget_uploads(config)
    assert gemini.files.files == {} and noted(run) == []


def test_files_are_noted_before_they_are_sent(run, gemini, clip):
    gemini.fail_next("bytes", faults.INVALID)
    up = upload(run, clip)
    with pytest.raises(EngineError):
        up.use(len)
    assert len(noted(run)) == 1


def test_a_name_of_the_servers_own_is_noted(run, gemini, clip, monkeypatch):
    def rename(headers, body, start=gemini.files.start):
        return start(headers, {"file": {**body["file"], "name": "files/own-name"}})

    monkeypatch.setattr(gemini.files, "start", rename)
    with upload(run, clip) as up:
        up.use(len)
        assert noted(run) == ["own-name"]
    assert gemini.files.files == {}


def test_what_is_gone_already_is_forgotten(run, gemini, config):
    files.ledger(run.folder).mkdir()
    (files.ledger(run.folder) / "svc-gone").touch()
    forget_uploads(config)
    assert noted(run) == []


def test_what_cannot_be_reached_is_kept_for_next_time(run, config):
    files.ledger(run.folder).mkdir()
    (files.ledger(run.folder) / "svc-far").touch()
    forget_uploads(Config(models_dir="", work_dir=config.work_dir, gemini=GeminiAccess("k", "http://127.0.0.1:9", "m")))
    assert noted(run) == ["svc-far"]


def test_a_run_without_uploads_has_nothing_to_forget(config, gemini):
    forget_uploads(config)
    assert gemini.requests == []
