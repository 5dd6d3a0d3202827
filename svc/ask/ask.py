"""One question about a Context: priced, answered by the engine in a process of its own, then charged."""

import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from svc.accounts import ledger
from svc.accounts.caller import Caller
from svc.accounts.ledger import MINUTES, QUESTIONS
from svc.core import database, prices
from svc.core.database import db
from svc.core.errors import EngineError, Refusal, as_told_callers
from svc.core.http import dump
from svc.core.ids import make_id
from svc.core.settings import Settings
from svc.core.slots import Slots
from svc.engine.ask.cost import ask_cost
from svc.engine.config import config_for
from svc.engine.process import EngineProcess, final_event
from svc.engine.request import Request
from svc.jobs import budget, funds

PREFIX = "ask"
QUESTION_FILE = "ask.json"

log = logging.getLogger("svc.ask")

under_way = Slots()


@dataclass(frozen=True)
class Price:
    """What a question may use at most, of the caller's `unit`; `usd` is what it costs the operator at most."""

    unit: str
    amount: int
    usd: float


def ask(settings: Settings, caller: Caller, question: str, context: bytes) -> dict[str, Any]:
    """The contract's Ask response. `context` is the JSON of a Context. Raises Refusal and EngineError.

    Nothing is charged for a question that gets no answer.
    """
    price = price_of(settings, caller, len(context))
    budget.refuse_spent(settings, caller, price.usd)
    with one_at_a_time(settings, caller), held(caller, price) as cause:
        with database.lent():
            answered = answer(settings, question, context)
        minutes = charge(caller, cause, answered["usage"]["usdEstimate"])
    notes = {"notes": answered["notes"]} if answered["notes"] else {}
    return {
        "answer": answered["answer"],
        "citations": answered["citations"],
        "minutes_charged": prices.shown(minutes),
        **notes,
    }


def price_of(settings: Settings, caller: Caller, context_bytes: int) -> Price:
    usd = ask_cost(config_for(settings, settings.data_dir), context_bytes)
    return Price(QUESTIONS, 1, usd) if caller.anonymous else Price(MINUTES, prices.question(usd), usd)


@contextmanager
def one_at_a_time(settings: Settings, caller: Caller) -> Iterator[None]:
    """An owner has as many questions under way as it may run jobs; all owners together have a number of them."""
    limits = settings.limits.service
    give_back = under_way.take(caller.owner, caller.limits.running_jobs, limits.asks_at_once)
    if give_back is None:
        raise Refusal(
            "too_many_in_flight", "Too many questions are being answered just now.", hint="Wait for an answer."
        )
    try:
        yield
    finally:
        give_back()


@contextmanager
def held(caller: Caller, price: Price) -> Iterator[str]:
    """Sets aside what the question may use, and lets it go at the end; gives the cause of its ledger lines."""
    cause = make_id(PREFIX)
    with db.atomic():
        left = caller.purses.available(price.unit)
        if price.amount > left:
            raise funds.shortage(caller, price.unit, price.amount, left)
        ledger.hold(caller.owner, price.amount, cause, price.unit)
    try:
        yield cause
    finally:
        with db.atomic():
            ledger.release(cause)


def answer(settings: Settings, question: str, context: bytes) -> dict[str, Any]:
    """The engine's `answered` event: answer, citations, notes, usage."""
    with tempfile.TemporaryDirectory(dir=settings.folder("work")) as folder:
        task = b"".join((b'{"question":', dump(question), b',"context":', context, b"}"))
        Path(folder, QUESTION_FILE).write_bytes(task)
        request = Request(kind="file", location=QUESTION_FILE, run_id=PREFIX)
        with EngineProcess("ask", request, config_for(settings, Path(folder))) as process:
            try:
                return final_event(process, settings.limits.service.ask_seconds)
            except EngineError as error:
                if error.operator:
                    log.error("a question: %s", error)
                raise as_told_callers(error) from error


def charge(caller: Caller, cause: str, usd: float | None) -> int:
    """Charges a tenth of a minute, or what the answer cost when that is more; the charge in micro-minutes.

    Anonymous callers have so many questions a day instead.
    """
    minutes = 0 if caller.anonymous else prices.question(usd)
    with db.atomic():
        ledger.release(cause)
        if caller.anonymous:
            caller.purses.charge(1, cause, QUESTIONS)
        else:
            caller.purses.charge(minutes, cause)
        budget.spend(caller.owner, usd, cause)
    return minutes


def forget_interrupted() -> None:
    """Lets go of what questions held that a stop of the server cut off. For the server's start."""
    with db.atomic():
        ledger.release_all(f"{PREFIX}_")
