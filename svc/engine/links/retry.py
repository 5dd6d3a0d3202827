"""Trying again when the network, not the link, was at fault."""

import random
from collections.abc import Callable
from typing import TypeVar

from svc.core.errors import EngineError
from svc.engine.links.errors import engine_errors
from svc.engine.links.network import Network
from svc.engine.run import Run

WAIT_SECONDS = (1.0, 2.0, 4.0)
JITTER = 0.2
# A site that asks for a longer pause is asked again by the caller, not by this run.
LONGEST_WAIT_SECONDS = 10.0

Result = TypeVar("Result")


def retrying(run: Run, network: Network, waits: tuple[float, ...], attempt: Callable[[], Result]) -> Result:
    """Calls `attempt` until it succeeds, fails for good, or the waits are used up. Raises EngineError."""
    for number, wait in enumerate(waits, 1):
        try:
            with engine_errors(network):
                return attempt()
        except EngineError as error:
            delay = max(wait * random.uniform(1, 1 + JITTER), (error.retry_after_ms or 0) / 1000)
            if not error.row.retryable or network.stop_reason or delay > LONGEST_WAIT_SECONDS:
                raise
            run.tell_retry(number, delay, error.code, error.message)
            network.sleep(delay)
    with engine_errors(network):
        return attempt()
