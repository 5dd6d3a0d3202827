"""How much is proofread, by what the caller asked for."""

from svc.engine.request import Options


def level(options: Options) -> str:
    """`full` when asked for or when a vocabulary is given, `terms` for the vocabulary alone, or `none`."""
    if options.proofread in (True, "full") or (options.proofread == "auto" and options.vocabulary):
        return "full"
    return "terms" if options.proofread == "terms" and options.vocabulary else "none"
