"""Which layers a request runs, from what is known about its source. One pure function for quote and run alike."""

from svc.core.errors import EngineError
from svc.engine.facts import Facts


def plan(mode: str, facts: Facts, detail: str = "full") -> tuple[str, ...]:
    """The layers for a canonical mode: of captions, audio, visual, and synthesis. Raises EngineError."""
    layers = {"auto": automatic, "captions": captions, "audio": audio, "visual": visual, "full": full}[mode](facts)
    return layers if detail == "transcript" else (*layers, "synthesis")


def automatic(facts: Facts) -> tuple[str, ...]:
    if facts.tracks:
        return ("captions",)
    return visual(facts) if facts.has_audio is False else audio(facts)


def captions(facts: Facts) -> tuple[str, ...]:
    if not facts.tracks:
        raise EngineError("SOURCE_UNAVAILABLE", "This source has no captions.", hint="Use mode audio.")
    return ("captions",)


def audio(facts: Facts) -> tuple[str, ...]:
    if facts.has_audio is False:
        raise EngineError("NO_AUDIO_STREAM")
    return ("audio",)


def visual(facts: Facts) -> tuple[str, ...]:
    if facts.has_video is False:
        raise EngineError("INPUT_UNSUPPORTED", "There is no picture in this media.", hint="Use mode audio.")
    return ("visual",)


def full(facts: Facts) -> tuple[str, ...]:
    return (*audio(facts), *visual(facts))
