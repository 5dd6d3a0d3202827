"""What a call cost: the usage that the API reports, and the dated prices of `prices.toml`."""

import tomllib
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from svc.core import clock
from svc.engine.models.usage import Usage

MILLION = 1_000_000
UNKNOWN = "unknown"  # the modality of tokens that the API does not assign to one
CHARACTERS_PER_TOKEN = 4
ANSWER_TOKENS = 500  # supposed of a question whose answer is not there yet


@cache
def table() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("prices.toml").read_text("utf-8"), parse_float=Decimal)


def price_of(model: str) -> dict[str, Any] | None:
    """The row that holds today, or None for a model that has none."""
    name = table()["aliases"].get(model, model)
    rows = [row for row in table()["price"] if name in row["models"] and row["valid_from"] <= clock.now().date()]
    return max(rows, key=lambda row: row["valid_from"], default=None)


def usage_of(model: str, reported: dict[str, Any], text: str) -> Usage:
    """The usage of one call from its `usage` object. `text` is the answer: some models do not count it."""
    by_modality = modalities(reported.get("input_tokens_by_modality"))
    out = reported.get("total_output_tokens") or tokens_of(len(text))
    return Usage(
        tokens_in=reported.get("total_input_tokens", 0) + reported.get("total_tool_use_tokens", 0),
        tokens_out=out,
        thought=reported.get("total_thought_tokens", 0),
        audio_in=by_modality.get("audio", 0),
        video_in=by_modality.get("video", 0),
        usd=dollars(model, reported, out) if reported else None,
    )


def dollars(model: str, reported: dict[str, Any], out: int) -> Decimal | None:
    """Input by modality, less what was cached, plus the cached part, tool use, the answer and what was thought."""
    row = price_of(model)
    if row is None:
        return None
    price = Price(row, reported.get("total_input_tokens", 0))
    cached = by_price(reported, "cached_tokens_by_modality", "total_cached_tokens")
    total = price.output * (out + reported.get("total_thought_tokens", 0))
    total += price.input("text") * reported.get("total_tool_use_tokens", 0)
    for modality, tokens in by_price(reported, "input_tokens_by_modality", "total_input_tokens").items():
        total += price.input(modality) * max(0, tokens - cached.get(modality, 0))
    for modality, tokens in cached.items():
        total += price.cached(modality) * tokens
    return total / MILLION


class Price:
    """One row of the table, for a question of so many tokens: long ones may have prices of their own."""

    def __init__(self, row: dict[str, Any], tokens: int):
        is_long = tokens > row.get("long_from", tokens)
        self.row = row | {name: row[f"long_{name}"] for name in ("input", "output", "cached") if is_long}
        self.output: Decimal = self.row["output"]

    def input(self, modality: str) -> Decimal:
        """A modality that is not known counts as the dearest."""
        dearest = max(self.row["input"], self.row.get("audio", self.row["input"]))
        return dearest if modality == UNKNOWN else self.row.get(modality, self.row["input"])

    def cached(self, modality: str) -> Decimal:
        return self.row.get(f"cached_{modality}") or self.row.get("cached") or self.input(modality)


def by_price(reported: dict[str, Any], split: str, total: str) -> dict[str, int]:
    """Tokens by modality; what the split leaves out of the total is of an unknown one."""
    found = modalities(reported.get(split))
    rest = (reported.get(total) or 0) - sum(found.values())
    return found | ({UNKNOWN: rest} if rest > 0 else {})


def modalities(entries: list[dict[str, Any]] | None) -> dict[str, int]:
    return {entry["modality"]: entry.get("tokens", 0) for entry in entries or ()}


def tokens_of(characters: int) -> int:
    return -(-characters // CHARACTERS_PER_TOKEN)


def cost_of_text(model: str, characters: int) -> float:
    """About what a question of that many characters costs, in US dollars; 0 without a known price."""
    row = price_of(model)
    if row is None:
        return 0.0
    return float((row["input"] * tokens_of(characters) + row["output"] * ANSWER_TOKENS) / MILLION)
