"""What a job would cost: pure functions of what is asked, what is known of the source, what is stored, what is left."""

from dataclasses import dataclass
from typing import Any

from svc.accounts.ledger import CAPTION_CREDITS, CAPTION_JOBS, MINUTES
from svc.core import prices
from svc.engine.facts import Facts

MEDIA_LAYERS = ("captions", "audio", "visual")
NOT_VIDEO_SITES = ("generic", "local")


@dataclass(frozen=True)
class Means:
    """What the caller may use: the plan's longest video in seconds, and what is left of each unit."""

    max_seconds: float
    minutes: int
    anonymous: bool = True
    caption_credits: int = 0


@dataclass(frozen=True)
class Quote:
    """`estimate` is the contract's Quote; `holds` what the job may use of each of the caller's units.

    `max_seconds` is the longest media the job reads; `may_listen`: unreadable captions may give way to the sound.
    """

    estimate: dict[str, Any]
    holds: dict[str, int]
    max_seconds: float
    may_listen: bool = False


def quote(
    mode: str, layers: tuple[str, ...], stored: set[str], facts: Facts, means: Means, proofread: bool = False
) -> Quote:
    """The price of a plan's `layers`; those in `stored` cost nothing and are not named in `tiers`."""
    to_run = [layer for layer in layers if layer not in stored]
    if "captions" in to_run:
        return quote_captions(mode, to_run, facts, means, proofread)
    return quote_minutes(to_run, layers, facts, means, proofread)


def quote_captions(mode: str, to_run: list[str], facts: Facts, means: Means, proofread: bool) -> Quote:
    """Captions cost a credit, a caption job or a tenth of the minutes, whichever the caller has.

    An `auto` job that finds them unreadable goes on to the sound, so it is quoted at the larger of the two, as long
    as the caller has the minutes for it.
    """
    if mode == "captions" and means.caption_credits and facts.source["provider"] not in NOT_VIDEO_SITES:
        estimate = described(0, to_run, "caption-item", facts) | {"caption_credits": 1}
        return Quote(estimate, {CAPTION_CREDITS: 1}, means.max_seconds)
    seconds = longest(to_run, facts, means, proofread)
    minutes = prices.charge(to_run, seconds)
    holds = {CAPTION_JOBS: 1} if means.anonymous else {MINUTES: minutes}
    listening = prices.charge(["audio"], seconds, proofread)
    may_listen = mode == "auto" and facts.has_audio is not False and listening <= means.minutes
    if may_listen:
        holds[MINUTES] = minutes = listening
    return Quote(described(minutes, to_run, "captions", facts) | unknown(facts, seconds), holds, seconds, may_listen)


def quote_minutes(to_run: list[str], layers: tuple[str, ...], facts: Facts, means: Means, proofread: bool) -> Quote:
    listens = proofread and "audio" in to_run
    seconds = longest(to_run, facts, means, listens)
    minutes = prices.charge(to_run, seconds, listens)
    shown = [layer for layer in to_run if layer in MEDIA_LAYERS] or list(layers)
    estimate = described(minutes, to_run, charges_as(shown), facts)
    if to_run:
        estimate |= unknown(facts, seconds)
    return Quote(estimate, {MINUTES: minutes}, seconds)


def longest(to_run: list[str], facts: Facts, means: Means, proofread: bool) -> float:
    """The media's length; where it is not known, the most that the plan and the minutes left allow."""
    if facts.duration is not None:
        return facts.duration
    a_minute = prices.charge(to_run, 60, proofread)
    if a_minute == 0 or (means.anonymous and "captions" in to_run):
        return means.max_seconds
    return min(means.max_seconds, means.minutes * 60 // a_minute)


def described(minutes: int, to_run: list[str], charges: str, facts: Facts) -> dict[str, Any]:
    return {
        "minutes": prices.shown(minutes),
        "media_seconds": facts.duration,
        "tiers": to_run,
        "cached": not to_run,
        "charges_as": charges,
    }


def unknown(facts: Facts, seconds: float) -> dict[str, Any]:
    """What the estimate says when the length could not be read."""
    if facts.duration is not None:
        return {}
    on_site = facts.source["provider"] not in NOT_VIDEO_SITES
    return {"length_known": False} | ({"max_media_seconds": seconds} if on_site else {})


def charges_as(layers: list[str]) -> str:
    if "audio" in layers and "visual" in layers:
        return "full"
    return next(layer for layer in MEDIA_LAYERS if layer in layers)
