"""Which failures of a speech model leave a hole in the text, and which end the run."""

from svc.core.errors import EngineError

# The provider is out of reach, whatever it is sent; it was asked several times already.
AWAY = frozenset({"RATE_LIMIT", "SERVER", "NETWORK", "TIMEOUT"})
# It is this stretch: the same speech cut another way may pass.
UNHEARD = frozenset({"INCOMPLETE_OUTPUT", "CONTENT_BLOCKED", "PROVIDER_PROTOCOL", "TOO_LARGE"})


def is_away(error: EngineError) -> bool:
    return error.code in AWAY


def leaves_a_hole(error: EngineError) -> bool:
    """Whether the rest of the recording may still be recognised. Not so with a rejected key or a missing model."""
    return error.code in AWAY | UNHEARD
