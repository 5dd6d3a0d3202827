"""Questions to a Gemini model by the Interactions API.

Every question is streamed, for a request without bytes is dropped after a minute, and none is stored (`store: false`).
"""

import time
from collections.abc import Iterable, Iterator
from typing import Any

import httpx

from svc.core.errors import EngineError
from svc.engine.models import upstream
from svc.engine.models.gemini import sse
from svc.engine.models.gemini.answer import Answer, no_end, well_formed
from svc.engine.models.gemini.faults import KEY_HEADER, Refused, error_of
from svc.engine.models.gemini.pricing import usage_of
from svc.engine.request import GeminiAccess
from svc.engine.run import Run

VERSION = "v1beta"
REVISION = "2026-05-20"  # the first with `steps`
SILENCE_SECONDS = 180.0  # a stream that says nothing for longer, not even a comment, is dead
CALL_SECONDS = 1200.0  # the longest one question may take, with all its tries and continuations

Content = dict[str, Any]


class Api:
    """The server, as one run asks it. `key` is the header with the credential, which no other place ever holds."""

    def __init__(self, run: Run):
        self.run, self.access = run, run.config.gemini
        self.client, self.key = connect(self.access)

    def ask(self, model: str, content: list[Content], **more: Any) -> Answer:
        """The model's answer, whole or cut short (`answer.whole`); `more` are other fields of the request.

        Raises EngineError; what a call used is noted either way.
        """
        body = {
            "model": model,
            "store": False,
            "stream": True,
            "input": [{"type": "user_input", "content": content}],
            **more,
        }
        try:
            return self.continued(body)
        except Refused as error:
            if error.status == 404:
                raise unknown_model(model) from error
            raise

    def continued(self, body: dict[str, Any]) -> Answer:
        """The answer with its continuations: long ones come in several calls (with `store: false`, input and all)."""
        deadline = time.monotonic() + CALL_SECONDS
        answer = self.once(body, deadline)
        while answer.status == "requires_continuation" and answer.token:
            more = self.once({**body, "continuation_token": answer.token}, deadline)
            stuck = more.token == answer.token
            answer = answer.followed_by(more)
            if stuck:
                break
        return answer

    def once(self, body: dict[str, Any], deadline: float) -> Answer:
        return upstream.retrying(self.run, lambda: self.attempt(body, deadline))

    def attempt(self, body: dict[str, Any], deadline: float) -> Answer:
        answer = Answer()
        headers = self.key | {"Api-Revision": REVISION, "Accept": "text/event-stream"}
        timeout = httpx.Timeout(SILENCE_SECONDS, connect=upstream.CONNECT_SECONDS)
        path = f"/{VERSION}/interactions"
        with self.client.stream("POST", path, json=body, headers=headers, timeout=timeout) as response:
            if response.is_success:
                with well_formed():
                    read(before(deadline, response.iter_bytes()), is_stream(response), answer)
            else:
                response.read()
                raise error_of(response)
        with well_formed():
            if answer.usage:
                self.run.spend(usage_of(body["model"], answer.usage, answer.text))
            answer.check()
        return answer


def connect(access: GeminiAccess) -> tuple[httpx.Client, dict[str, str]]:
    """A client without the key, for the server names addresses itself, and the header with it."""
    return upstream.new_client(access.base_url, {}), {KEY_HEADER: access.api_key}


def is_stream(response: httpx.Response) -> bool:
    return "event-stream" in response.headers.get("content-type", "")


def read(chunks: Iterator[bytes], in_events: bool, answer: Answer) -> None:
    """The events of a stream, or the one object of a server that does not stream."""
    if in_events:
        for event in sse.events(chunks):
            answer.take(event)
    else:
        answer.take_whole(sse.decoded(b"".join(chunks).decode("utf-8", "replace")))
    if not answer.status:
        raise no_end()


def before(deadline: float, chunks: Iterable[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        if time.monotonic() > deadline:
            raise EngineError("TIMEOUT", "The model took too long to answer.")
        yield chunk


def unknown_model(model: str) -> EngineError:
    told = f"The model provider has no model {model}: check SVC_GEMINI_MODEL."
    return EngineError("PROVIDER_PROTOCOL", operator=told, status=404)
