"""What jobs hold and use of their caller's minutes, caption jobs and credits."""

from typing import Any

from svc.accounts import ledger
from svc.accounts.caller import Caller, limits_of
from svc.accounts.ledger import CAPTION_CREDITS, CAPTION_JOBS, MINUTES, Purses
from svc.core import clock, prices
from svc.core.errors import Refusal
from svc.core.settings import Settings
from svc.jobs.models import Job
from svc.jobs.quote import Means, Quote


def means_of(caller: Caller) -> Means:
    purses = caller.purses
    credits = 0 if caller.anonymous else purses.available(CAPTION_CREDITS)
    return Means(caller.limits.max_video_seconds, purses.available(), caller.anonymous, credits)


def refuse_unaffordable(caller: Caller, quote: Quote) -> None:
    """402 `quota_exceeded` for an account, 429 `anonymous_limit` without one, when less is left than is quoted."""
    purses = caller.purses
    for unit, amount in quote.holds.items():
        left = purses.available(unit)
        if amount > left:
            raise shortage(caller, unit, amount, left)


def shortage(caller: Caller, unit: str, needed: int, left: int) -> Refusal:
    numbers: dict[str, Any] = {}
    if unit == MINUTES:
        numbers = {"minutesNeeded": prices.shown(needed), "minutesRemaining": prices.shown(left)}
        message = f"This needs {numbers['minutesNeeded']:g} minutes and {numbers['minutesRemaining']:g} are left."
    else:
        message = f"Today's {unit.replace('_', ' ')} are used up."
    if not caller.anonymous:
        return Refusal("quota_exceeded", message, hint="Add minutes or wait for the next period.", **numbers)
    wait = (clock.next_day_ms() - clock.now_ms()) // 1000 + 1
    return Refusal("anonymous_limit", message, retry_after=wait, hint="Sign in, or come back tomorrow.", **numbers)


def hold(caller: Caller, quote: Quote, job_id: str) -> None:
    """Sets aside what the quote needs, if it is still there; in the transaction that makes the job."""
    refuse_unaffordable(caller, quote)
    for unit, amount in quote.holds.items():
        ledger.hold(caller.owner, amount, job_id, unit)


def settle(settings: Settings, job: Job, context: dict[str, Any]) -> int:
    """Charges the owner for what ran and lets the hold go; the minutes charged, in micro-minutes.

    A layer that the quote named is paid for even when another job's run of it came first; one that was stored
    already when the job was made costs nothing. The charge is never above the quote: it is made from layers and
    seconds that the quote counted.
    """
    ledger.release(job.id)
    ran = [tier["tier"] for tier in context["tiers"] if ran_for(job, tier)]
    if job.estimate["charges_as"] == "caption-item" and "captions" in ran:
        purses_of(settings, job).charge(1, job.id, CAPTION_CREDITS)
        return 0
    seconds = min(context["meta"].get("durationSeconds") or 0, quoted_seconds(job))
    minutes = prices.charge(ran, seconds, job_proofreads(job) and "audio" in ran and was_proofread(context))
    if "captions" in ran and is_anonymous(job):
        purses_of(settings, job).charge(1, job.id, CAPTION_JOBS)
    else:
        purses_of(settings, job).charge(minutes, job.id)
    return minutes


def ran_for(job: Job, tier: dict[str, Any]) -> bool:
    """Whether a layer of the result is one that the quote counted."""
    quoted = [*job.estimate["tiers"], "audio"] if job.may_listen else job.estimate["tiers"]
    return tier["status"] in ("ok", "cached") and tier["tier"] in quoted


def quoted_seconds(job: Job) -> float:
    """The media's length as it was known at the quote, or the longest stretch that was quoted for."""
    known = job.facts["duration"]
    return job.max_seconds if known is None else known


def is_anonymous(job: Job) -> bool:
    return job.owner.startswith("anon:")


def was_proofread(context: dict[str, Any]) -> bool:
    return (context["transcript"] or {}).get("proofread") == "full"


def job_proofreads(job: Job) -> bool:
    return proofreads(job.options)


def proofreads(options: dict[str, Any]) -> bool:
    """Whether a full proofread is part of the job, which costs half a minute per media minute."""
    return options.get("proofread") in (True, "full") or bool(options.get("vocabulary"))


def purses_of(settings: Settings, job: Job) -> Purses:
    return Purses.of(job.owner, limits_of(job.owner, settings))
