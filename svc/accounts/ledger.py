"""Minutes, caption jobs and questions: granted, held and charged, exactly. A ledger, not a counter.

Amounts are integers: millionths of a minute, or pieces. Every function that writes belongs into the transaction of
what it is about, so that neither can happen without the other.
"""

from dataclasses import dataclass

import peewee

from svc.accounts.models import Entry, Hold
from svc.core import clock
from svc.core.limits import PlanLimits
from svc.core.prices import MICRO

# What was used of the operator's side, told but not charged.
SPENT, AUDIO = "micro_usd", "audio_ms"
MINUTES, CAPTION_JOBS, CAPTION_CREDITS, QUESTIONS = "minutes", "caption_jobs", "caption_credits", "questions"
TOPUP = "topup"


@dataclass(frozen=True)
class Purses:
    """Where an owner's amounts come from: what the plan includes in the running period, and what was bought."""

    owner: str
    period: str
    included: dict[str, int]

    @classmethod
    def of(cls, owner: str, limits: PlanLimits) -> "Purses":
        if limits.minutes_per_day is None:
            return cls(owner, clock.month_key(), {MINUTES: (limits.minutes_per_period or 0) * MICRO})
        included = {
            MINUTES: limits.minutes_per_day * MICRO,
            CAPTION_JOBS: limits.caption_jobs_per_day or 0,
            QUESTIONS: limits.asks_per_day or 0,
        }
        return cls(owner, clock.day_key(), included)

    def used(self, unit: str = MINUTES) -> int:
        """What was charged to the running period."""
        return -total(self.owner, self.period, unit)

    def included_left(self, unit: str = MINUTES) -> int:
        return max(0, self.included.get(unit, 0) - self.used(unit))

    def topup(self, unit: str = MINUTES) -> int:
        return total(self.owner, TOPUP, unit)

    def available(self, unit: str = MINUTES) -> int:
        """What new work may use: everything left, less what waiting and running work holds."""
        return max(0, self.included_left(unit) + self.topup(unit) - held(self.owner, unit))

    def charge(self, amount: int, cause: str, unit: str = MINUTES) -> None:
        """Uses what the plan includes first, then what was bought. Once for each cause; zero leaves no line.

        What neither covers, since the plan became smaller meanwhile, counts in the period: nobody gets into debt.
        """
        bought = min(max(0, amount - self.included_left(unit)), max(0, self.topup(unit)))
        enter(self.owner, self.period, unit, bought - amount, cause)
        enter(self.owner, TOPUP, unit, -bought, cause)


def total(owner: str, purse: str, unit: str) -> int:
    mine = (Entry.owner == owner) & (Entry.purse == purse) & (Entry.unit == unit)
    return Entry.select(peewee.fn.COALESCE(peewee.fn.SUM(Entry.amount), 0)).where(mine).scalar()


def total_in_month(owner: str, month: str, unit: str) -> int:
    """The sum over the days of a month."""
    mine = (Entry.owner == owner) & Entry.purse.startswith(f"{month}-") & (Entry.unit == unit)
    return Entry.select(peewee.fn.COALESCE(peewee.fn.SUM(Entry.amount), 0)).where(mine).scalar()


def charged_since(owner: str, purse: str, since: int, unit: str = MINUTES) -> int:
    """What was charged to a purse from that time on."""
    mine = (Entry.owner == owner) & (Entry.purse == purse) & (Entry.unit == unit)
    charges = mine & (Entry.amount < 0) & (Entry.created_at >= since)
    return -Entry.select(peewee.fn.COALESCE(peewee.fn.SUM(Entry.amount), 0)).where(charges).scalar()


def held(owner: str, unit: str = MINUTES) -> int:
    mine = (Hold.owner == owner) & (Hold.unit == unit)
    return Hold.select(peewee.fn.COALESCE(peewee.fn.SUM(Hold.amount), 0)).where(mine).scalar()


def enter(owner: str, purse: str, unit: str, amount: int, cause: str) -> None:
    if amount:
        Entry.insert(
            owner=owner, purse=purse, unit=unit, amount=amount, cause=cause, created_at=clock.now_ms()
        ).on_conflict_ignore().execute()


def grant(owner: str, amount: int, cause: str, unit: str = MINUTES) -> None:
    """Adds to what the owner has bought or was given. The same cause counts once."""
    enter(owner, TOPUP, unit, amount, cause)


def hold(owner: str, amount: int, cause: str, unit: str = MINUTES) -> None:
    if amount:
        Hold.create(cause=cause, owner=owner, unit=unit, amount=amount)


def release(cause: str) -> None:
    """Lets go of everything that the cause held."""
    Hold.delete().where(Hold.cause == cause).execute()


def release_all(prefix: str) -> None:
    """Lets go of everything held by causes whose names begin so."""
    Hold.delete().where(Hold.cause.startswith(prefix)).execute()


def forget(owner: str) -> None:
    """Deletes every line of an owner who is gone."""
    Entry.delete().where(Entry.owner == owner).execute()
    Hold.delete().where(Hold.owner == owner).execute()
