"""Daily money limits: when anonymous use has spent the day's budget, only captions and stored results are left."""

from dataclasses import replace
from decimal import Decimal

from svc.accounts import ledger
from svc.accounts.caller import Caller
from svc.core import clock
from svc.core.errors import Refusal
from svc.core.settings import Settings
from svc.engine.facts import Facts
from svc.engine.request import Request

MICRO_USD = 1_000_000
EVERY_ANONYMOUS = "anonymous"

Degraded = dict[str, str]


def within(settings: Settings, caller: Caller, request: Request, facts: Facts) -> tuple[Request, Degraded | None]:
    """The request as the budget allows it: `auto` may become captions. Raises 503 `busy` or 429 `daily_spend_limit`."""
    if not caller.anonymous:
        if is_spent(settings.account_spend_usd, caller.owner):
            raise Refusal(
                "daily_spend_limit", "This account has reached its limit for today.", retry_after=until_tomorrow()
            )
        return request, None
    if not is_paused(settings) or request.mode == "captions":
        return request, None
    if request.mode == "auto" and facts.tracks:
        return replace(request, mode="captions"), {"from": "auto", "to": "captions", "reason": "busy"}
    hint = "Sign in, or use mode captions."
    raise Refusal("busy", "Audio and visual are paused for anonymous use.", hint=hint, retry_after=until_tomorrow())


def is_paused(settings: Settings) -> bool:
    """Whether anonymous callers have spent the day's money for audio and visual."""
    return is_spent(settings.anonymous_budget_usd, EVERY_ANONYMOUS)


def is_spent(limit_usd: Decimal | None, owner: str) -> bool:
    if limit_usd is None:
        return False
    return -ledger.total(owner, clock.day_key(), ledger.SPENT) >= limit_usd * MICRO_USD


def spend(owner: str, usd: float, cause: str) -> None:
    """Counts what a job cost the operator, for its account or for all anonymous callers together."""
    who = EVERY_ANONYMOUS if owner.startswith("anon:") else owner
    ledger.enter(who, clock.day_key(), ledger.SPENT, -round(usd * MICRO_USD), cause)


def until_tomorrow() -> int:
    return (clock.next_day_ms() - clock.now_ms()) // 1000 + 1
