"""Calls to a model provider's server: one HTTP client, errors told apart, and trouble that passes tried again.

What goes wrong is said in the engine's codes. That a credential was rejected (AUTH), money ran out (QUOTA) or a setting
is wrong is the operator's business, and said in an error's `operator` text only; callers are told something else.
"""

import json
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import httpx

from svc import __version__
from svc.core.errors import EngineError
from svc.engine.run import Run

WAIT_SECONDS = (1.0, 2.0, 4.0, 8.0)  # the contract's pauses before another try
JITTER = 0.2
LONGEST_WAIT_SECONDS = 60.0  # a longer pause that the server asks for ends the run instead
CONNECT_SECONDS, READ_SECONDS = 10.0, 600.0

CODES = {
    400: "PROVIDER_PROTOCOL",
    401: "AUTH",
    402: "QUOTA",
    403: "AUTH",
    404: "PROVIDER_PROTOCOL",
    408: "TIMEOUT",
    413: "TOO_LARGE",
    429: "RATE_LIMIT",
    504: "TIMEOUT",
}

Result = TypeVar("Result")


def new_client(base_url: str, headers: dict[str, str]) -> httpx.Client:
    """A client of a provider's server. It follows no redirects and reads no proxy settings but its environment's."""
    timeout = httpx.Timeout(READ_SECONDS, connect=CONNECT_SECONDS)
    agent = {"User-Agent": f"svc/{__version__}"}
    return httpx.Client(base_url=base_url, headers=agent | headers, timeout=timeout)


def code_of(status: int) -> str:
    """The engine's code for an HTTP status without anything more telling in the answer."""
    return CODES.get(status) or ("SERVER" if status >= 500 else "PROVIDER_PROTOCOL")


def wait_of(response: httpx.Response) -> int | None:
    """The pause that a `Retry-After` header in seconds asks for, in milliseconds."""
    seconds = response.headers.get("retry-after", "")
    return int(seconds) * 1000 if seconds.isdecimal() else None


def strict_json(text: str) -> Any:
    """A JSON value that can be stored as such: no NaN, and no halves of surrogate pairs, which models write at times.

    Raises ValueError.
    """
    try:
        value = json.loads(text, parse_constant=no_number)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))


def no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


@contextmanager
def engine_errors() -> Iterator[None]:
    """What httpx raises, as EngineErrors."""
    try:
        yield
    except httpx.TimeoutException as error:
        raise EngineError("TIMEOUT", "The model provider took too long to answer.") from error
    except httpx.HTTPError as error:
        raise EngineError("NETWORK", "The connection to the model provider failed.") from error


def retrying(run: Run, attempt: Callable[[], Result], waits: tuple[float, ...] = WAIT_SECONDS) -> Result:
    """Calls `attempt` until it succeeds, fails for good, or the waits are used up. Raises EngineError."""
    for number, wait in enumerate(waits, 1):
        try:
            with engine_errors():
                return attempt()
        except EngineError as error:
            delay = max(wait * random.uniform(1, 1 + JITTER), (error.retry_after_ms or 0) / 1000)
            if not error.row.retryable or delay > LONGEST_WAIT_SECONDS:
                raise
            run.tell_retry(number, delay, error.code, error.message)
            time.sleep(delay)
    with engine_errors():
        return attempt()
