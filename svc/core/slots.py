"""How many of something each owner has open at once, and all owners together."""

from collections import Counter
from collections.abc import Callable
from threading import Lock


class Slots:
    """`take` answers with a function that gives the slot back, once; or with None when there is none left.

    `most` is how many the owner may have, `total` how many all may have together.
    """

    def __init__(self) -> None:
        self.open, self.lock = Counter[str](), Lock()

    def take(self, owner: str, most: int, total: int) -> Callable[[], None] | None:
        with self.lock:
            if self.open[owner] >= most or self.open.total() >= total:
                return None
            self.open[owner] += 1
        given_back = iter([True])

        def give_back() -> None:
            with self.lock:
                if next(given_back, False):
                    self.open[owner] -= 1
                    self.open += Counter()

        return give_back
