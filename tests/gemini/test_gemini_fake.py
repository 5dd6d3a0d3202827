"""The fake itself, as Google's own client finds it."""

import json
from datetime import timedelta

import httpx
import pytest
import recordings
from gemini_fake import GeminiFake, faults

genai = pytest.importorskip("google.genai")

LITE, FLASH, TRANSCRIBE = "gemini-3.5-flash-lite", "gemini-3.8-flash", "gemini-3.5-transcribe"
NAME = "acoustic_corpus.wav"
SCHEMA = {
    "type": "object",
    "properties": {"notes": {"type": "array", "items": {"type": "string"}}},
    "required": ["notes"],
}
FORM = {"type": "text", "mime_type": "application/json", "schema": SCHEMA}


def client_of(fake, version=None, key=None):
    options = {"base_url": fake.base_url, "retry_options": {"attempts": 1}}
    return genai.Client(api_key=key or fake.key, http_options=options | ({"api_version": version} if version else {}))


@pytest.fixture
def client(gemini):
    return client_of(gemini)


@pytest.fixture
def upload(client, tmp_path):
    def send(data=b"RIFF" * 1000, mime="audio/wav", name=None):
        path = tmp_path / "upload.bin"
        path.write_bytes(data)
        return client.files.upload(file=str(path), config={"mime_type": mime, "display_name": name})

    return send


def error_of(call):
    with pytest.raises(Exception) as caught:
        call()
    return caught.value


@pytest.mark.parametrize("version", [None, "v1beta"])
def test_a_question_is_answered(gemini, version):
    client = client_of(gemini, version)
    answer = client.interactions.create(model=LITE, input="Hello", store=False)
    assert answer.output_text == "You said: Hello" and answer.status == "completed"
    assert gemini.requests[0].path == f"/{version or 'v1'}/interactions"


def test_the_server_may_lie_behind_a_prefix():
    with GeminiFake(prefix="/api/v1/gemini") as fake:
        client = client_of(fake)
        assert client.interactions.create(model=LITE, input="Hello").output_text


def test_usage_follows_the_rules(client):
    usage = client.interactions.create(model=FLASH, input="x" * 40).usage
    assert usage.total_input_tokens == 10 and usage.total_thought_tokens > 0
    assert usage.total_tokens == usage.total_input_tokens + usage.total_output_tokens + usage.total_thought_tokens


def test_a_schema_is_followed(client):
    answer = client.interactions.create(model=LITE, input="One. Two.", response_format=FORM)
    assert json.loads(answer.output_text) == {"notes": ["One.", "Two."]}


def test_a_stream_comes_in_events(gemini, client):
    gemini.script(lambda question: "Grüße, 世界!")
    events = list(client.interactions.create(model=LITE, input="Hello", stream=True))
    kinds = [event.event_type for event in events]
    text = "".join(e.delta.text for e in events if e.event_type == "step.delta" and e.delta.type == "text")
    assert kinds[0] == "interaction.created" and kinds[-1] == "interaction.completed" and text == "Grüße, 世界!"


def test_a_stream_is_resumed_behind_an_event(gemini, client):
    whole = list(client.interactions.create(model=LITE, input="Hello", stream=True))
    first = whole[0].interaction.id
    rest = list(client.interactions.get(first, stream=True, last_event_id=whole[2].event_id))
    assert [event.event_id for event in rest] == [event.event_id for event in whole[3:]]


def test_an_error_in_a_stream_is_an_event(gemini, client):
    gemini.fail_next("interactions", faults.STREAM_ERROR)
    events = list(client.interactions.create(model=LITE, input="Hello", stream=True))
    assert events[-1].event_type == "error" and events[-1].error.code == "gateway_timeout"


def test_a_stream_may_break_off(gemini, client):
    gemini.fail_next("interactions", faults.CUT_STREAM)
    events = list(client.interactions.create(model=LITE, input="Hello", stream=True))
    assert "interaction.completed" not in [event.event_type for event in events]


def test_a_long_answer_is_continued_by_the_client(gemini, client):
    gemini.fail_next("interactions", faults.CONTINUED)
    assert client.interactions.create(model=LITE, input="Hello there").output_text == "You said: Hello there"
    assert len(gemini.asked()) == 2


def test_words_come_with_times_and_speakers(gemini, client, upload):
    gemini.teach_recording(NAME)
    file = upload(recordings.path(NAME).read_bytes())
    mode = {"type": "verbatim", "timestamp_granularities": ["word"], "diarization_mode": "speaker"}
    answer = client.interactions.create(
        model=TRANSCRIBE,
        input=[{"type": "audio", "uri": file.uri, "mime_type": "audio/wav"}],
        generation_config={"transcription_config": {"mode": mode}},
    )
    notes = answer.steps[-1].content[0].annotations
    assert [note.text for note in notes] == [text for text, _, _ in recordings.words(NAME)]
    assert notes[0].start_offset and notes[0].speaker and not notes[4].start_offset
    assert answer.usage.total_output_tokens == 0


def test_background_work_is_polled(client):
    begun = client.interactions.create(model=LITE, input="Hello", background=True)
    seen = [begun.status]
    while seen[-1] in ("queued", "in_progress"):
        seen.append(client.interactions.get(begun.id).status)
    assert seen == ["queued", "in_progress", "completed"]


def test_background_work_is_cancelled(client):
    begun = client.interactions.create(model=LITE, input="Hello", background=True)
    assert client.interactions.cancel(begun.id).status == "cancelled"


def test_stored_work_is_deleted(gemini, client):
    answer = client.interactions.create(model=LITE, input="Hello")
    gemini.keeps_deleted = True
    assert error_of(lambda: client.interactions.delete(answer.id)).status_code == 501
    gemini.keeps_deleted = False
    client.interactions.delete(answer.id)
    assert error_of(lambda: client.interactions.get(answer.id)).status_code == 404


def test_what_is_not_stored_has_no_id(client):
    assert not client.interactions.create(model=LITE, input="Hello", store=False).id


def test_a_video_is_processed_before_it_is_ready(gemini, client, upload, video_clip):
    file = upload(video_clip.read_bytes(), "video/mp4")
    assert file.state == "PROCESSING"
    assert client.files.get(name=file.name).state == "PROCESSING"
    assert client.files.get(name=file.name).state == "ACTIVE"


def test_a_file_may_end_unreadable(upload):
    assert upload(name="unreadable").state == "FAILED"


def test_files_are_listed_in_pages(client, upload):
    names = {upload().name for _ in range(3)}
    assert {file.name for file in client.files.list(config={"page_size": 2})} == names


def test_files_expire(gemini, client, upload):
    file = upload()
    gemini.files.ahead += timedelta(hours=48, seconds=1)
    assert error_of(lambda: client.files.get(name=file.name)).code == 403


def test_a_deleted_file_is_gone(client, upload):
    file = upload()
    client.files.delete(name=file.name)
    assert error_of(lambda: client.files.get(name=file.name)).code == 403


@pytest.mark.parametrize("auth_shape", [False, True])
def test_a_wrong_key_is_refused(gemini, auth_shape):
    gemini.auth_shape = auth_shape
    client = client_of(gemini, key="wrong")
    error = error_of(lambda: client.interactions.create(model=LITE, input="x"))
    assert error.status_code == (400 if auth_shape else 401)


PART = {"type": "audio", "uri": "https://generativelanguage.googleapis.com/v1beta/files/none", "mime_type": "audio/wav"}
STEP = [{"type": "user_input", "content": [{"type": "text", "text": "Hi."}]}]
WORDS = {"type": "verbatim", "timestamp_granularities": ["word"]}
BOTH = {"transcription_config": {"custom_vocabulary": ["x"], "mode": WORDS}}


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"colour": "red"}, 400, "parameter_unknown"),
        ({"generation_config": {"colour": "red"}}, 400, "parameter_unknown"),
        ({"model": "gemini-9"}, 404, "model_not_found"),
        ({"background": True, "store": False}, 400, "invalid_request"),
        ({"input": [PART | {"processing": {"type": "static"}}]}, 400, "parameter_unknown"),
        ({"input": [{"type": "user_input", "content": [PART]}]}, 403, 403),
        ({"model": TRANSCRIBE, "generation_config": BOTH}, 400, "invalid_request"),
        ({"model": FLASH, "generation_config": {"thinking_level": "minimal"}}, 400, "invalid_request"),
        ({"input": []}, 400, "invalid_request"),
        ({"previous_interaction_id": "v1_none"}, 404, "not_found"),
    ],
)
def test_requests_are_checked(gemini, change, status, code):
    body = {"model": LITE, "input": STEP} | change
    answer = httpx.post(f"{gemini.base_url}/v1beta/interactions", json=body, headers={"x-goog-api-key": gemini.key})
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


@pytest.mark.parametrize(
    ("fault", "status"),
    [(faults.RATE_LIMIT, 429), (faults.PAYMENT, 402), (faults.SERVER, 500), (faults.BUSY, 503), (faults.GATEWAY, 504)],
)
def test_faults_come_once(gemini, client, fault, status):
    gemini.fail_next("interactions", fault)
    assert error_of(lambda: client.interactions.create(model=LITE, input="x")).status_code == status
    assert client.interactions.create(model=LITE, input="x").status == "completed"


def test_an_answer_may_be_slow_to_begin(gemini):
    gemini.fail_next("interactions", faults.slow(0.5))
    body, headers = {"model": LITE, "input": STEP}, {"x-goog-api-key": gemini.key}
    with pytest.raises(httpx.ReadTimeout):
        httpx.post(f"{gemini.base_url}/v1/interactions", json=body, headers=headers, timeout=0.1)


def test_a_stream_may_come_in_drops(gemini, client):
    gemini.pace = 0.001
    events = list(client.interactions.create(model=LITE, input="Hello", stream=True))
    assert events[-1].event_type == "interaction.completed"


def test_the_key_is_not_recorded(gemini, client):
    client.interactions.create(model=LITE, input="x")
    assert gemini.key not in repr(gemini.requests)
