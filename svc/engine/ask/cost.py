"""What a question costs at most, known before it is asked."""

from svc.engine.request import Config


def ask_cost(config: Config, context_bytes: int) -> float:
    """US dollars for a question about a Context of so many bytes; 0 where no model provider is paid."""
    return 0.0
