"""What a question may cost, told before it is asked. Light: the web process loads this, and no model."""

from svc.engine.models import roles
from svc.engine.request import Config, Request
from svc.engine.run import Run

MOST_ASKED = 8000 + 4000  # characters of the longest question, and of what the model is told to do with it


def ask_cost(config: Config, context_bytes: int) -> float:
    """US dollars that a question about a Context of that size costs at most; 0 where nothing is paid."""
    model, most = roles.language_model(Run(Request("file", ""), config, lambda event: None)), context_bytes + MOST_ASKED
    return model.cost(min(most, model.reads)) if model and model.cost(most) else 0.0
