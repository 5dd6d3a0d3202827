"""The HTTP side: paths, the key, faults, and the record of requests."""

import secrets
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from flask import Flask, Response, jsonify, request
from werkzeug.serving import WSGIRequestHandler, make_server

from openai_fake import chat, hearing
from openai_fake.abilities import Abilities
from openai_fake.faults import Fault
from openai_fake.refusal import Refusal

MODEL, EARS = "gpt-fake", "whisper-fake"


@dataclass
class Received:
    """One request: `body` is parsed JSON, or the fields of a form. `headers` are in lower case, the key left out."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


class QuietHandler(WSGIRequestHandler):
    def log_request(self, *args: Any) -> None:
        pass

    def log(self, *args: Any) -> None:
        pass


class OpenAIFake:
    """See the package. `open_to_all`: no key is needed, as on servers of one's own."""

    def __init__(self, host: str = "127.0.0.1"):
        self.key, self.model, self.ears = "sk-test-" + secrets.token_hex(16), MODEL, EARS
        self.reset()
        self._listener = make_server(host, 0, self._app(), threaded=True, request_handler=QuietHandler)
        self._thread = threading.Thread(target=self._listener.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> "OpenAIFake":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._listener.shutdown()
        self._thread.join()
        self._listener.server_close()

    @property
    def base_url(self) -> str:
        return f"http://{self._listener.host}:{self._listener.port}/v1"

    def reset(self) -> None:
        """Forgets everything that tests did, for the next one."""
        self.knows, self.open_to_all = Abilities(), False
        self.requests: list[Received] = []
        self._scripts: list[Callable[[chat.Question], Any]] = []
        self._faults: dict[str, list[Fault]] = {}

    def script(self, answer: Callable[[chat.Question], Any]) -> None:
        """Answers of the test's own to chat; None leaves a question to the rules. The last script is asked first."""
        self._scripts.insert(0, answer)

    def fail_next(self, where: str, *faults: Fault) -> None:
        """The next requests of a kind fail so, one each. Kinds: chat, transcription, models."""
        self._faults.setdefault(where, []).extend(faults)

    def asked(self, where: str = "chat") -> list[Any]:
        """The bodies of the requests of a kind."""
        ends = {"chat": "/chat/completions", "transcription": "/audio/transcriptions", "models": "/models"}
        return [received.body for received in self.requests if received.path.endswith(ends[where])]

    def _app(self) -> Flask:
        app = Flask(__name__)
        app.add_url_rule("/v1/models", view_func=self._served("models", self._models), endpoint="models")
        for path, where, view in (
            ("/v1/chat/completions", "chat", self._chat),
            ("/v1/audio/transcriptions", "transcription", self._transcription),
        ):
            app.add_url_rule(path, view_func=self._served(where, view), endpoint=where, methods=["POST"])
        return app

    def _served(self, where: str, view: Callable[[Fault], dict[str, Any]]) -> Callable[[], Response]:
        def serve() -> Response:
            self._record()
            waiting = self._faults.get(where)
            fault = waiting.pop(0) if waiting else Fault()
            time.sleep(fault.wait)
            if fault.cut:
                return Response(half_an_answer(), content_type="application/json", headers={"Content-Length": "1000"})
            if fault.status:
                return Response(fault.body, fault.status, fault.headers)
            try:
                self._check_key()
                return jsonify(view(fault))
            except Refusal as refusal:
                answer = jsonify(refusal.body(self.knows.shape))
                answer.status_code = refusal.status
                return answer

        return serve

    def _record(self) -> None:
        headers = {name.lower(): value for name, value in request.headers if name.lower() != "authorization"}
        body = request.get_json() if request.is_json else request.form.to_dict(flat=False)
        self.requests.append(Received(request.method, request.path, headers, body))

    def _check_key(self) -> None:
        given = request.headers.get("Authorization", "")
        if not self.open_to_all and given != f"Bearer {self.key}":
            told = f"Incorrect API key provided: {given.removeprefix('Bearer ')}."
            raise Refusal(401, told, "invalid_api_key")

    def _models(self, fault: Fault) -> dict[str, Any]:
        told = {"max_model_len": self.knows.context} if self.knows.lists_context else {}
        names = (self.model, self.ears)
        data = [{"id": name, "object": "model", "created": 0, "owned_by": "tests", **told} for name in names]
        return {"object": "list", "data": data}

    def _chat(self, fault: Fault) -> dict[str, Any]:
        body = request.get_json()
        self._check_model(body.get("model"), self.model)
        question = chat.read(body, self.knows)
        scripted = next((a for script in self._scripts if (a := script(question)) is not None), None)
        text = chat.written(question, scripted, self.knows) if fault.text is None else fault.text
        tokens = chat.usage(question, text)
        cut_off = question.limit is not None and tokens["completion_tokens"] > question.limit
        if cut_off:
            text = text[: question.limit * chat.LETTERS_A_TOKEN]  # type: ignore[operator]
        message = {"role": "assistant", "content": text, "refusal": fault.refusal or None}
        finish = fault.finish or ("length" if cut_off else "stop")
        return {
            "id": f"chatcmpl-{secrets.token_hex(8)}",
            "object": "chat.completion",
            "created": int(time.time()),
            "model": self.model,
            "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish}],
            "usage": tokens,
        }

    def _transcription(self, fault: Fault) -> dict[str, Any]:
        fields = {name: request.form.getlist(name) for name in request.form}
        self._check_model((fields.get("model") or [None])[0], self.ears)
        if "file" not in request.files:
            raise Refusal(400, "Missing required parameter: 'file'.", "missing_required_parameter", "file")
        return hearing.transcribed(hearing.read(fields, request.files["file"].read(), self.knows), self.knows)

    def _check_model(self, named: str | None, served: str) -> None:
        if named != served:
            raise Refusal(
                404, f"The model '{named}' does not exist or you do not have access to it.", "model_not_found"
            )


def half_an_answer() -> Iterator[bytes]:
    yield b'{"choices": ['
