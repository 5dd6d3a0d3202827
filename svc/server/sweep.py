"""What has expired, of all rooms together."""

from itertools import chain

from svc.accounts import expire as accounts
from svc.core import cleanup, clock
from svc.core.cleanup import Report
from svc.core.settings import Settings
from svc.inbox import expire as inbox
from svc.jobs import expire as jobs

ROOMS = (accounts, jobs, inbox)


def sweep(settings: Settings, dry_run: bool = False) -> Report:
    """Erases what has expired, or only counts it. Safe to run at any time and more than once."""
    now = clock.now_ms()
    return cleanup.sweep(chain.from_iterable(room.waste(settings, now) for room in ROOMS), dry_run)
