"""The Account record of `GET /v1/me`: who is calling, what they may use, what they have used."""

from typing import Any

from svc.accounts import keys, ledger, users
from svc.accounts.caller import Caller
from svc.accounts.models import User
from svc.core import clock, prices
from svc.core.settings import Settings


def profile(settings: Settings, caller: Caller) -> dict[str, Any]:
    """The contract's Account, or the limits of anonymous callers."""
    if caller.user is None:
        return {
            "anonymous": True,
            "plan": caller.plan,
            "auth": None,
            "entitlement": None,
            "limits": anonymous_limits(caller),
            "usage": anonymous_usage(caller),
            "user": None,
        }
    return {
        "anonymous": False,
        "plan": caller.plan,
        "auth": auth(caller),
        "entitlement": entitlement(caller, caller.user),
        "limits": limits(settings, caller, caller.user),
        "usage": usage(caller),
        "user": {"id": caller.user.id, "email": caller.user.email, "name": caller.user.name},
    }


def auth(caller: Caller) -> dict[str, Any]:
    return {"via": caller.via} | ({"scopes": caller.scope, "keyId": caller.key_id} if caller.key_id else {})


def entitlement(caller: Caller, user: User) -> dict[str, Any]:
    start, end = clock.month_bounds()
    return {
        "lifetimeMac": user.lifetime,
        "minutesIncluded": caller.limits.minutes_per_period,
        "minutesTopup": prices.shown(caller.purses.topup()),
        "captionCredits": caller.purses.topup(ledger.CAPTION_CREDITS),
        "period": {"start": start, "end": end, "key": clock.month_key()},
        "plan": caller.plan,
        "planUntil": users.plan_until(user),
        "source": "default" if caller.plan == "free" else "operator",
    }


def limits(settings: Settings, caller: Caller, user: User) -> dict[str, Any]:
    plan = caller.limits
    return {
        "apiKeys": {"active": keys.active(user).count(), "max": settings.limits.service.api_keys},
        "maxConcurrentJobs": plan.running_jobs,
        "maxVideoSeconds": plan.max_video_seconds,
        "minutesPerPeriod": plan.minutes_per_period,
        "proxy": {
            "maxInflightCalls": plan.proxy_calls_in_flight,
            "requestsPerMinute": plan.proxy_requests_per_minute,
            "uploadBytesPerDay": plan.proxy_upload_bytes_per_day,
        },
    }


def usage(caller: Caller) -> dict[str, Any]:
    purses, (start, end) = caller.purses, clock.month_bounds()
    included, topup = purses.included_left(), purses.topup()
    return {
        "audioSeconds": -ledger.total_in_month(caller.owner, purses.period, ledger.AUDIO) / 1000,
        "costMicros": -ledger.total_in_month(caller.owner, purses.period, ledger.SPENT),
        "includedRemaining": prices.shown(included),
        "minutesRemaining": prices.shown(included + topup),
        "minutesTopup": prices.shown(topup),
        "minutesUsed": prices.shown(purses.used() + topup_used(caller)),
        "period": purses.period,
        "periodStart": start,
        "periodEnd": end,
    }


def topup_used(caller: Caller) -> int:
    """What was charged to bought minutes since the period began."""
    start, _ = clock.month_bounds()
    return ledger.charged_since(caller.owner, ledger.TOPUP, start)


def anonymous_limits(caller: Caller) -> dict[str, Any]:
    plan = caller.limits
    return {
        "minutesPerDay": plan.minutes_per_day,
        "captionJobsPerDay": plan.caption_jobs_per_day,
        "asksPerDay": plan.asks_per_day,
        "maxVideoSeconds": plan.max_video_seconds,
        "maxConcurrentJobs": plan.running_jobs,
        "resultTtlHours": plan.result_ttl_hours,
    }


def anonymous_usage(caller: Caller) -> dict[str, Any]:
    purses = caller.purses
    return {
        "day": purses.period,
        "minutesUsed": prices.shown(purses.used()),
        "minutesRemaining": prices.shown(purses.included_left()),
        "captionJobsUsed": purses.used(ledger.CAPTION_JOBS),
        "captionJobsRemaining": purses.included_left(ledger.CAPTION_JOBS),
        "resetsAt": clock.next_day_ms(),
    }
