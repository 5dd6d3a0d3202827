"""One server that speaks OpenAI's protocol: asked with its key, and understood when it declines.

Servers agree on how to be asked, less on how they decline: OpenAI and llama.cpp say `{"error": {"message", "type",
"param", "code"}}`, vLLM also `{"object": "error", "message", ...}`, FastAPI `{"detail": ...}`, Ollama and gateways
`{"error": "..."}`, proxies a page of HTML. Some answer 500 where the request was at fault.
"""

import json
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx

from svc.core.errors import EngineError
from svc.engine.models.upstream import code_of, new_client, retrying, wait_of
from svc.engine.run import Run

log = logging.getLogger(__name__)

SHOWN_LETTERS = 300  # of a server's words, in the log
WORDED = ("error", "detail", "message", "msg", "loc", "type", "param", "code")  # keys that hold a server's words

# What a server's words mean, whatever its status; the first that fits.
MEANINGS = (
    ("QUOTA", re.compile(r"insufficient_quota|exceeded your current quota|billing_hard_limit")),
    ("CONTENT_BLOCKED", re.compile(r"content_filter|content_policy|content management policy")),
    (
        "TOO_LARGE",
        re.compile(r"context.(length|size|window)|exceed_context|too many (tokens|images)|at most \d+ image"),
    ),
    ("TOO_LARGE", re.compile(r"too (long|large)\b|longer than|maximum (clip|file|content|audio|number of images)")),
)
OWN_FAULT = re.compile(r"not support|unsupported|response_format|json.?schema|grammar|image input")
MESSAGES = {
    "RATE_LIMIT": "The model server asks to slow down.",
    "SERVER": "The model server had an error.",
    "TIMEOUT": "The model server took too long to answer.",
    "TOO_LARGE": "This is more than the model takes at once.",
    "CONTENT_BLOCKED": "The model declined this content.",
    "PROVIDER_PROTOCOL": "The model server did not take the request.",
}
FOR_OPERATOR = {
    "AUTH": "The model server rejected the service's key: check SVC_OPENAI_API_KEY.",
    "QUOTA": "The quota at the model server is used up: check the account there.",
}
MISSING = (301, 302, 307, 308, 404, 405, 501)


class Declined(EngineError):
    """A request that the server did not serve; `said` are the server's own words, in lower case."""

    def __init__(self, said: str, code: str, **more: Any):
        super().__init__(code, **more)
        self.said = said


@dataclass(frozen=True)
class Server:
    """A server and one of its models; `address_setting` and `model_setting` are the settings that name them."""

    run: Run
    client: httpx.Client
    model: str
    address_setting: str
    model_setting: str

    def post(self, path: str, **request: Any) -> dict[str, Any]:
        """The JSON object it answers with; trouble that passes is tried again. Raises EngineError, often Declined."""
        return retrying(self.run, lambda: self.answer(self.client.post(path, **request)))

    def answer(self, response: httpx.Response) -> dict[str, Any]:
        body = json_of(response)
        if not response.is_success or (isinstance(body, dict) and body.get("error")):
            raise self.declined(response, body)
        if not isinstance(body, dict):
            told = f"What answers is no model server: check {self.address_setting}."
            raise EngineError("PROVIDER_PROTOCOL", operator=told)
        return body

    def declined(self, response: httpx.Response, body: Any) -> Declined:
        status = response.status_code if not response.is_success else status_within(body)
        said = " ".join(texts(body)).lower()
        log.warning("%s answered %d: %s", response.request.url.path, status, self.without_key(said)[:SHOWN_LETTERS])
        if status in MISSING:
            return Declined(said, "TOOL_MISSING", operator=self.missing(said), status=status)
        code = meaning(status, said)
        told = {"message": MESSAGES.get(code), "operator": FOR_OPERATOR.get(code)}
        return Declined(said, code, **told, status=status, retry_after_ms=wait_of(response))

    def missing(self, said: str) -> str:
        """What is not there: the model, or the address altogether."""
        if "model" in said:
            return f"The model server does not serve {self.model} for this: check {self.model_setting}."
        return f"The model server does not know this request: check {self.address_setting}."

    def without_key(self, said: str) -> str:
        key = self.client.headers.get("authorization", "").removeprefix("Bearer ").lower()
        return said.replace(key, "…") if key else said


def chat_server(run: Run) -> Server:
    access = run.config.openai
    client = new_client(access.base_url, credentials(access.api_key))
    return Server(run, client, access.model, "SVC_OPENAI_BASE_URL", "SVC_OPENAI_MODEL")


def speech_server(run: Run) -> Server:
    access = run.config.openai
    client = new_client(access.stt_base_url, credentials(access.api_key))
    return Server(run, client, access.stt_model, "SVC_OPENAI_STT_BASE_URL", "SVC_OPENAI_STT_MODEL")


def credentials(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"} if key else {}


def json_of(response: httpx.Response) -> Any:
    try:
        return storable(response.json())
    except ValueError:
        return None


def storable(value: Any) -> Any:
    """JSON without halves of surrogate pairs, which models write at times and no file takes."""
    return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))


def status_within(body: dict[str, Any]) -> int:
    """The status inside an error that came with a 200, as gateways send it."""
    code = body["error"].get("code") if isinstance(body["error"], dict) else None
    return code if isinstance(code, int) and 400 <= code < 600 else httpx.codes.BAD_GATEWAY


def texts(body: Any) -> Iterator[str]:
    """A server's words, in whichever of the usual shapes; none of what it quotes from the request."""
    if isinstance(body, str):
        yield body
    elif isinstance(body, dict):
        yield from (text for key in WORDED for text in texts(body.get(key)))
    elif isinstance(body, list):
        yield from (text for item in body for text in texts(item))


def meaning(status: int, said: str) -> str:
    """The engine's code for a refusal."""
    code = code_of(status)
    if code == "AUTH":
        return code
    worded = next((meant for meant, pattern in MEANINGS if pattern.search(said)), None)
    if worded:
        return worded
    return "PROVIDER_PROTOCOL" if code == "SERVER" and OWN_FAULT.search(said) else code


def count(reported: Any, *path: str) -> int:
    """A number of tokens in what a server reports, 0 where it says nothing."""
    for key in path:
        reported = reported.get(key) if isinstance(reported, dict) else None
    return max(0, reported) if isinstance(reported, int) else 0
