"""An answer in the making."""

from dataclasses import dataclass, field
from typing import Any

from svc.engine.ask.reading import Citation

Answer = dict[str, Any]
"""`answer`, `citations` and `notes`, as the contract has them."""


@dataclass
class Told:
    """Sentences, citations of what was said, and what to note."""

    texts: list[str] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
