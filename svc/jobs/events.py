"""A job's events are rows with ids from 1 without gaps; streams replay them, and a reconnect misses nothing."""

import json
from functools import cache
from typing import Any

from svc.core import clock
from svc.core.database import db
from svc.core.limits import ServiceLimits
from svc.jobs import watch
from svc.jobs.models import Event, Job

TERMINAL = ("done", "error")
THINNED = ("progress", "partial")
BATCH = 500


def append(job_id: str, type: str, **fields: Any) -> None:
    """Adds one event; call it inside the transaction of the change that it tells of."""
    add(job_id, {"type": type, "runId": job_id, "t": clock.now_ms(), **fields})


def add(job_id: str, event: dict[str, Any]) -> None:
    """Adds an event that the engine made."""
    count, insert = sql_of_add()
    data = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    with db.atomic():
        ((seq,),) = db.execute_sql(count, (1, job_id)).fetchall()
        db.execute_sql(insert, (job_id, seq, event["type"], data))
    db.obj.after_commit(lambda: watch.notify(job_id))


@cache
def sql_of_add() -> tuple[str, str]:
    """Written once, as `sql_of_after`: for each event that takes longer than the rest. Values stand in this order."""
    count = Job.update(events=Job.events + 1).where(Job.id == "").returning(Job.events)
    return count.sql()[0], Event.insert(job_id="", seq=0, type="", data="").sql()[0]


def take_back_end(job_id: str) -> None:
    """Removes the event that told of the job's end; the next one gets its number, and streams go on over it."""
    end = (Event.job_id == job_id) & Event.type.in_(TERMINAL)
    with db.atomic():
        taken = Event.delete().where(end).execute()
        Job.update(events=Job.events - taken).where(Job.id == job_id).execute()


def after(job_id: str, seq: int, limit: int = BATCH) -> list[tuple[int, str, str]]:
    """The events that follow `seq`: (seq, type, data), in order."""
    return db.execute_sql(sql_of_after(), (job_id, seq, limit)).fetchall()


@cache
def sql_of_after() -> str:
    """Written once, for every stream asks this at every event."""
    rows = Event.select(Event.seq, Event.type, Event.data).where((Event.job_id == "") & (Event.seq > 0))
    return rows.order_by(Event.seq).limit(1).sql()[0]


class Thinning:
    """Decides which events of one run are kept: about one progress a step in so many ms, and no more than a cap.

    The cap leaves room for what is always kept: the begin and the end of each attempt.
    """

    def __init__(self, limits: ServiceLimits, already: int):
        self.limits, self.kept = limits, already
        self.most = limits.events_per_job - 2 * limits.job_attempts
        self.last: dict[tuple[str, str | None], int] = {}

    def keeps(self, event: dict[str, Any]) -> bool:
        if self.kept >= self.most:
            return False
        if event["type"] in THINNED and not self._due(event):
            return False
        self.kept += 1
        return True

    def _due(self, event: dict[str, Any]) -> bool:
        step = (event["type"], event.get("stage"))
        if step in self.last and event["t"] - self.last[step] < self.limits.event_thinning_ms:
            return False
        self.last[step] = event["t"]
        return True
