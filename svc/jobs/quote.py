"""What a job would cost. A pure function of what is asked, what is known of the source and what is stored."""

from typing import Any

from svc.core import prices
from svc.engine.facts import Facts

MEDIA_LAYERS = ("captions", "audio", "visual")


def quote(
    mode: str, layers: tuple[str, ...], stored: set[str], facts: Facts, max_seconds: float, proofread: bool = False
) -> dict[str, Any]:
    """The contract's Quote. `layers` is the plan; those in `stored` cost nothing and are not named in `tiers`.

    An `auto` job may find the captions unreadable and go on to audio, so it is quoted at the larger of the two.
    """
    to_run = [layer for layer in layers if layer not in stored]
    seconds = facts.duration if facts.duration is not None else max_seconds
    minutes = prices.charge(to_run, seconds, proofread and "audio" in to_run)
    if mode == "auto" and "captions" in to_run and facts.has_audio is not False:
        minutes = max(minutes, prices.charge(["audio"], seconds))
    quoted: dict[str, Any] = {
        "minutes": prices.shown(minutes),
        "media_seconds": facts.duration,
        "tiers": to_run,
        "cached": not to_run,
        "charges_as": charges_as([layer for layer in to_run if layer in MEDIA_LAYERS] or list(layers)),
    }
    if facts.duration is None and to_run:
        quoted |= {"length_known": False, "max_media_seconds": max_seconds}
    return quoted


def charges_as(layers: list[str]) -> str:
    if "audio" in layers and "visual" in layers:
        return "full"
    return next(layer for layer in MEDIA_LAYERS if layer in layers)
