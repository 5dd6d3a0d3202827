"""What work costs, in minutes. Exact: amounts are integers of a millionth of a minute (`micro`)."""

from decimal import ROUND_HALF_UP, Decimal

MICRO = 1_000_000

# Charge per minute of media, by the layer that runs. `full` is audio and visual together.
RATES = {"captions": Decimal("0.1"), "audio": Decimal(1), "visual": Decimal(1), "synthesis": Decimal(0)}
PROOFREAD_RATE = Decimal("0.5")
QUESTION = MICRO // 10
MINUTE_USD = Decimal("0.005")  # what a minute is worth where a charge follows what a model provider charges


def charge(tiers: list[str] | tuple[str, ...], media_seconds: float, proofread: bool = False) -> int:
    """The charge for running these layers over so many seconds of media, in micro-minutes."""
    rate = sum((RATES[tier] for tier in tiers), Decimal(0))
    if proofread:
        rate += PROOFREAD_RATE
    minutes = Decimal(str(media_seconds)) / 60 * rate
    return int((minutes * MICRO).to_integral_value(ROUND_HALF_UP))


def question(usd: float | None) -> int:
    """The charge for a question whose answer cost so much, in micro-minutes. An unknown cost is none."""
    return max(QUESTION, worth(usd or 0))


def worth(usd: float) -> int:
    """US dollars as micro-minutes."""
    return int((Decimal(str(usd)) / MINUTE_USD * MICRO).to_integral_value(ROUND_HALF_UP))


def micro(minutes: float) -> int:
    """Shown minutes as micro-minutes."""
    return int((Decimal(str(minutes)) * MICRO).to_integral_value(ROUND_HALF_UP))


def shown(micro: int) -> float:
    """Minutes as the API shows them, rounded to 3 decimals."""
    return float((Decimal(micro) / MICRO).quantize(Decimal("0.001"), ROUND_HALF_UP))
