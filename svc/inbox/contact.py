"""The contact form: a message is stored for the operator, and nothing is sent back."""

from math import ceil
from typing import Any

from svc.core import clock
from svc.core.errors import Refusal
from svc.core.ids import make_id
from svc.core.ratelimit import RateLimit
from svc.core.settings import Settings
from svc.inbox.models import ContactMessage

HOUR_SECONDS = 3600
SITE = "site"
TOPICS = {
    "question": "A question",
    "privacy": "Privacy",
    "copyright": "Copyright",
    "abuse": "Abuse",
    "security": "A security problem",
}

visits, site = RateLimit(HOUR_SECONDS), RateLimit(HOUR_SECONDS)


def receive(settings: Settings, body: dict[str, Any], visitor: str) -> None:
    """Stores what fits `schemas/contact.json`. Raises 429.

    A filled decoy counts for its visitor only: bots must not use up what is left for people.
    """
    limits = settings.limits.service
    slow_down(visits.wait(visitor, limits.contact_messages_per_hour))
    if body.get("website"):
        return
    slow_down(site.wait(SITE, limits.contact_messages_per_hour_site))
    ContactMessage.create(
        id=make_id("msg"),
        topic=body["topic"],
        email=body["email"].lower(),
        message=body["message"],
        created_at=clock.now_ms(),
    )


def slow_down(wait: float) -> None:
    if wait:
        raise Refusal("rate_limited", "Too many messages just now.", retry_after=ceil(wait))
