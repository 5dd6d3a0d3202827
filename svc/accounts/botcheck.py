"""The bot check for anonymous callers (Turnstile's siteverify protocol). Off while no secret is set."""

import json
import logging
import urllib.parse
import urllib.request

from svc.core.errors import Refusal
from svc.core.settings import Settings

log = logging.getLogger(__name__)

ANSWER_SECONDS = 10
ANSWER_BYTES = 1 << 16


def require_person(settings: Settings, token: str | None, address: str) -> None:
    """403 `turnstile_required` without a token, `turnstile_failed` for a bad one; 503 when the check has no answer."""
    if not settings.turnstile_secret:
        return
    if not token:
        raise Refusal("turnstile_required", "This needs a bot check.", hint="Send turnstile_token, or use an account.")
    if not verifies(settings, token, address):
        raise Refusal("turnstile_failed", "The bot check did not verify.", hint="Solve it again.")


def verifies(settings: Settings, token: str, address: str) -> bool:
    form = {"secret": settings.turnstile_secret, "response": token, "remoteip": address}
    request = urllib.request.Request(settings.turnstile_verify_url, urllib.parse.urlencode(form).encode())
    try:
        with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:
            return json.loads(answer.read(ANSWER_BYTES)).get("success") is True
    except (OSError, ValueError, AttributeError) as error:
        log.warning("the bot check could not be asked: %s", error)
        raise Refusal("busy", "The bot check cannot be reached just now.") from error
