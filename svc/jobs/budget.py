"""Daily money limits: when anonymous use has spent the day's budget, only captions and stored results are left."""

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from svc.accounts import ledger
from svc.accounts.caller import Caller
from svc.core import clock
from svc.core.errors import Refusal
from svc.core.settings import Settings
from svc.engine.facts import Facts
from svc.engine.models.usage import dollars, noted, notes
from svc.engine.request import Request
from svc.jobs.models import Job

MICRO_USD = 1_000_000
EVERY_ANONYMOUS = "anonymous"

Degraded = dict[str, str]


def within(settings: Settings, caller: Caller, request: Request, facts: Facts) -> tuple[Request, Degraded | None]:
    """The request as the budget allows it: `auto` may become captions. Raises 503 `busy` or 429 `daily_spend_limit`."""
    if not caller.anonymous:
        refuse_spent_account(settings, caller)
        return request, None
    if not is_paused(settings) or request.mode == "captions":
        return request, None
    if request.mode == "auto" and facts.tracks:
        return replace(request, mode="captions"), {"from": "auto", "to": "captions", "reason": "busy"}
    hint = "Sign in, or use mode captions."
    raise Refusal("busy", "Audio and visual are paused for anonymous use.", hint=hint, retry_after=until_tomorrow())


def refuse_spent(settings: Settings, caller: Caller, usd: float) -> None:
    """For work that costs the operator about so much. Raises 429 `daily_spend_limit`, or 503 `busy` without account."""
    if not caller.anonymous:
        refuse_spent_account(settings, caller)
    elif usd and is_paused(settings):
        message = "Questions are paused for anonymous use."
        raise Refusal("busy", message, hint="Sign in.", retry_after=until_tomorrow())


def refuse_spent_account(settings: Settings, caller: Caller) -> None:
    if is_spent(settings.account_spend_usd, caller.owner):
        message = "This account has reached its limit for today."
        raise Refusal("daily_spend_limit", message, retry_after=until_tomorrow())


def is_paused(settings: Settings) -> bool:
    """Whether anonymous callers have spent the day's money for audio and visual."""
    return is_spent(settings.anonymous_budget_usd, EVERY_ANONYMOUS)


def is_spent(limit_usd: Decimal | None, owner: str) -> bool:
    if limit_usd is None:
        return False
    return -ledger.total(owner, clock.day_key(), ledger.SPENT) >= limit_usd * MICRO_USD


def spend_unfinished(job: Job, folder: Path) -> None:
    """Counts what a failed run cost. A later run that goes on from its folder does not count it again."""
    spend(job.owner, dollars(noted(folder).usd), f"{job.id}.{job.attempt}")
    notes(folder).unlink(missing_ok=True)


def spend(owner: str, usd: float | None, cause: str) -> None:
    """Counts what work cost the operator, for its account or for all anonymous callers together.

    A price that is not known counts nothing.
    """
    who = EVERY_ANONYMOUS if owner.startswith("anon:") else owner
    ledger.enter(who, clock.day_key(), ledger.SPENT, -round((usd or 0) * MICRO_USD), cause)


def until_tomorrow() -> int:
    return (clock.next_day_ms() - clock.now_ms()) // 1000 + 1
