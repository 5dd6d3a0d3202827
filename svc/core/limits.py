"""Every number of the contract's limit and price tables. Nothing else repeats one.

Sizes are bytes, lengths seconds. `svc.toml` may override any number of the tables (`Limits.with_overrides`).
"""

from dataclasses import dataclass, field, fields, replace
from typing import Any

KB, MB = 1024, 1024 * 1024

URL_CHARACTERS = 2048
LIFETIME_MINUTES = 300
EVENT_RETRY_MS = 3000


@dataclass(frozen=True)
class PlanLimits:
    """What a caller of one plan may use. Numbers that a plan does not have are None."""

    requests_per_minute: int
    max_video_seconds: int
    running_jobs: int
    waiting_jobs: int
    result_ttl_hours: int
    uploads_in_flight: int
    uploads_waiting: int
    event_streams: int = 8
    minutes_per_day: int | None = None
    caption_jobs_per_day: int | None = None
    asks_per_day: int | None = None
    minutes_per_period: int | None = None
    proxy_calls_in_flight: int = 4
    proxy_requests_per_minute: int = 60
    proxy_upload_bytes_per_day: int = 1 << 30


ACCOUNT = {
    "requests_per_minute": 30,
    "running_jobs": 2,
    "waiting_jobs": 3,
    "result_ttl_hours": 30 * 24,
    "uploads_in_flight": 2,
    "uploads_waiting": 10,
}
ANONYMOUS = PlanLimits(
    requests_per_minute=6,
    max_video_seconds=900,
    running_jobs=1,
    waiting_jobs=1,
    result_ttl_hours=24,
    uploads_in_flight=1,
    uploads_waiting=3,
    minutes_per_day=10,
    caption_jobs_per_day=30,
    asks_per_day=5,
)
FREE = PlanLimits(**ACCOUNT, max_video_seconds=2 * 3600, minutes_per_period=30)
PRO = PlanLimits(
    **ACCOUNT,
    max_video_seconds=6 * 3600,
    minutes_per_period=600,
    proxy_calls_in_flight=8,
    proxy_requests_per_minute=120,
    proxy_upload_bytes_per_day=5 << 30,
)


@dataclass(frozen=True)
class ServiceLimits:
    """Limits that are the same for everyone."""

    waiting_jobs: int = 200
    upload_bytes: int = 100 * MB
    upload_ttl_seconds: int = 3600
    request_body_bytes: int = 64 * KB
    ask_context_bytes: int = MB
    asks_at_once: int = 8
    ask_seconds: int = 120
    events_per_job: int = 2000
    event_thinning_ms: int = 400
    event_streams: int = 160
    stream_ping_seconds: int = 15
    cancel_wait_seconds: int = 10
    job_attempts: int = 3
    api_keys: int = 10
    idempotency_hours: int = 24
    status_cache_seconds: int = 10
    contact_messages_per_hour: int = 3
    contact_messages_per_hour_site: int = 60
    waitlist_calls_per_hour: int = 10
    resolve_seconds: int = 45

    @property
    def ask_body_bytes(self) -> int:
        """A Context, and room for the longest question, however it is written."""
        return self.ask_context_bytes + 2 * self.request_body_bytes


@dataclass(frozen=True)
class Limits:
    anonymous: PlanLimits = ANONYMOUS
    free: PlanLimits = FREE
    pro: PlanLimits = PRO
    lifetime: PlanLimits = FREE
    service: ServiceLimits = field(default_factory=ServiceLimits)

    def plan(self, name: str) -> PlanLimits:
        return getattr(self, name)

    def with_overrides(self, tables: dict[str, Any]) -> "Limits":
        """These limits with `[limits.<plan>]` tables laid over them. Raises ValueError that names what is wrong."""
        changed = {}
        for table, numbers in tables.items():
            if table not in {f.name for f in fields(self)}:
                raise ValueError(f"unknown table [limits.{table}]")
            changed[table] = overlay(f"limits.{table}", getattr(self, table), numbers)
        return replace(self, **changed)


def overlay(name: str, table: Any, numbers: Any) -> Any:
    if not isinstance(numbers, dict):
        raise ValueError(f"[{name}] must be a table")
    known = {f.name for f in fields(table) if getattr(table, f.name) is not None}
    for key, value in numbers.items():
        if key not in known:
            raise ValueError(f"unknown limit {name}.{key}")
        if type(value) is not int or value < 0:
            raise ValueError(f"{name}.{key} must be a whole number, not {value!r}")
    return replace(table, **numbers)
