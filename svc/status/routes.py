"""The door to the service's status."""

from threading import Lock
from typing import Any

from flask import Blueprint, Response, current_app

from svc.core import clock
from svc.core.describe import describes
from svc.core.http import answer
from svc.status.report import report

blueprint = Blueprint("status", __name__)


class Cache:
    """The last report, made again when it is older than the limit."""

    def __init__(self) -> None:
        self.lock, self.made, self.at = Lock(), dict[str, Any](), 0

    def get(self) -> dict[str, Any]:
        settings = current_app.config["SETTINGS"]
        with self.lock:
            if not self.made or clock.now_ms() - self.at >= settings.limits.service.status_cache_seconds * 1000:
                self.made, self.at = report(settings), clock.now_ms()
            return self.made


@blueprint.record_once
def make_cache(state: Any) -> None:
    state.app.extensions["status"] = Cache()


@blueprint.get("/v1/status")
@describes("How well the service works", answers={200: "status"})
def status() -> Response:
    return answer(current_app.extensions["status"].get())
