"""The log: one line a record on standard error."""

import logging
import sys
import time

from svc.core.settings import SettingError

FORMAT = "%(asctime)s.%(msecs)03dZ %(levelname)s %(process)d %(name)s: %(message)s"
LEVELS = ("debug", "info", "warning", "error")
QUIET = {"waitress.queue": logging.ERROR, "waitress": logging.WARNING, "huey": logging.WARNING}


class OneLineFormatter(logging.Formatter):
    """Line ends become `\\n`: neither a traceback nor a caller's text can pass for a record of its own."""

    converter = staticmethod(time.gmtime)

    def format(self, record: logging.LogRecord) -> str:
        return super().format(record).replace("\r", "\\r").replace("\n", "\\n")


def set_up(level: str) -> None:
    """`level`: debug, info, warning or error. Raises SettingError on any other."""
    if level.lower() not in LEVELS:
        raise SettingError(f"SVC_LOG_LEVEL is malformed: {level!r}.")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(OneLineFormatter(FORMAT, "%Y-%m-%dT%H:%M:%S"))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for name, least in QUIET.items():
        logging.getLogger(name).setLevel(max(least, logging.getLogger().level))
