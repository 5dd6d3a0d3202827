"""What the benchmarks share: a figure beside its target, the table of them, and what a process has used."""

import os
import resource
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

MB = 1 << 20
PAGE = os.sysconf("SC_PAGESIZE")


@dataclass(frozen=True)
class Figure:
    """A measured value in `unit` with its target, if there is one; `beside` tells what it was made of."""

    name: str
    value: float
    unit: str = ""
    at_most: float | None = None
    at_least: float | None = None
    beside: str = ""

    @property
    def holds(self) -> bool:
        return (self.at_most is None or self.value <= self.at_most) and (
            self.at_least is None or self.value >= self.at_least
        )

    @property
    def target(self) -> str:
        if self.at_most is not None:
            return f"<= {self.at_most:g}"
        return f">= {self.at_least:g}" if self.at_least is not None else ""

    @property
    def verdict(self) -> str:
        return ("holds" if self.holds else "MISSED") if self.target else ""


def show(figures: Iterable[Figure]) -> None:
    print(f"{'':44} {'measured':>10} {'':5} {'target':>8} {'':6}  made of")
    for figure in figures:
        print(
            f"{figure.name:44} {figure.value:10.{places(figure.value)}f} {figure.unit:5} {figure.target:>8} "
            f"{figure.verdict:6}  {figure.beside}"
        )
    sys.stdout.flush()


def places(value: float) -> int:
    return 0 if value >= 1000 else 1 if value >= 20 else 2


def peak_mb(pid: int) -> float:
    """The most memory that a live process has had at once, in MB; zero once it has ended."""
    return status_mb(pid, "VmHWM")


def memory_mb(pid: int) -> float:
    return status_mb(pid, "VmRSS")


def status_mb(pid: int, name: str) -> float:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(name)), 0.0)


def pss_mb(pid: int) -> float:
    """Resident memory in which a page that several processes share counts for its part (PSS)."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def children_cpu() -> float:
    """Processor seconds of all children that have ended and were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
