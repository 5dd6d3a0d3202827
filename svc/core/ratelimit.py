"""Moving-window rate limits in memory: so many hits in so many seconds for each key."""

import time
from collections import OrderedDict, deque
from threading import Lock

MAX_KEYS = 50_000


class RateLimit:
    """`wait("who", 6)` counts a hit, or says how long until the next one is allowed."""

    def __init__(self, seconds: float, max_keys: int = MAX_KEYS):
        self.seconds, self.max_keys = seconds, max_keys
        self.hits: OrderedDict[str, deque[float]] = OrderedDict()
        self.lock = Lock()

    def take_back(self, key: str) -> None:
        """Uncounts a hit."""
        with self.lock:
            if recent := self._recent(key, time.time()):
                recent.pop()

    def _recent(self, key: str, now: float) -> deque[float]:
        recent = self.hits.setdefault(key, deque())
        self.hits.move_to_end(key)
        while recent and recent[0] <= now - self.seconds:
            recent.popleft()
        return recent

    def wait(self, key: str, most: int) -> float:
        """Zero when the hit was counted, else the seconds until there is room for one."""
        now = time.time()
        with self.lock:
            recent = self._recent(key, now)
            if len(recent) >= most:
                return recent[0] + self.seconds - now if recent else self.seconds
            recent.append(now)
            if len(self.hits) > self.max_keys:
                self.hits.popitem(last=False)
            return 0.0
