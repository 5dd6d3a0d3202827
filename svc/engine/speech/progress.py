"""The progress of work that goes on side by side, told as seconds of the recording."""

import threading
from collections.abc import Iterable
from concurrent.futures import CancelledError

from svc.engine.run import Run

# The weight of each step: about the time it takes with the embedded models.
WEIGHTS = {"speech": 1, "words": 14, "speakers": 5}


class Meter:
    """Threads tell it how far they are. Once `stopped`, telling it more raises CancelledError: the work is in vain."""

    def __init__(self, run: Run, seconds: float, steps: Iterable[str]):
        self.run, self.seconds, self.stopped = run, seconds, False
        self.done = dict.fromkeys(steps, 0.0)
        self.lock = threading.Lock()

    def tell(self, step: str, moment: float) -> None:
        """That a step has come as far as this moment (seconds) of the recording."""
        with self.lock:
            if self.stopped:
                raise CancelledError
            self.done[step] = max(self.done[step], moment)
            total = sum(WEIGHTS[name] for name in self.done)
            reached = sum(WEIGHTS[name] * moment for name, moment in self.done.items()) / total
            self.run.progress(reached, self.seconds, "seconds")

    def stop(self) -> None:
        self.stopped = True
