"""The stage that turns what was said and shown into title, summary, chapters, key moments, entities and topics."""

import logging
from typing import Any

from svc.core.errors import EngineError
from svc.engine.models import roles
from svc.engine.run import Run
from svc.engine.seen import Seen
from svc.engine.synthesis.digest import MODEL, Digest
from svc.engine.synthesis.screen import ScreenDigest
from svc.engine.transcript import Transcript

log = logging.getLogger("svc.engine")

STOOD_IN = "The language model could not be used; sentences of the recording stand in."


def synthesize(
    run: Run,
    transcript: Transcript | None,
    meta: dict[str, Any],
    seen: Seen | None = None,
) -> dict[str, Any]:
    """The contract's `synthesis` object. With `detail: brief` only title, tldr, bullets and topics are filled.

    A language model writes it where the operator has one. When that fails, sentences are chosen instead: what has
    been transcribed is not lost over its summary (`stood_in` tells).
    """
    full = run.request.options.detail != "brief"
    said = transcript or Transcript(origin="asr", timing="word", segments=[])
    digest = ScreenDigest(seen, meta) if seen and not said.segments else Digest(said, meta, seen)
    model = roles.language_model(run)
    value = None
    if model and (said.segments or (seen and seen.scenes)):
        from svc.engine.writing.write import write

        try:
            value = write(run, model, digest, seen, full)
        except EngineError as error:
            log.warning("run %s: synthesis by %s failed: %s", run.request.run_id, model.name, error)
    value = value or digest.synthesis(full)
    return {**value, "glossaryFixes": said.glossary_fixes}


def stood_in(run: Run, value: dict[str, Any]) -> str | None:
    """The reason for the synthesis tier when sentences were chosen although a language model was to write."""
    return STOOD_IN if value["model"] == MODEL and roles.language_model(run) else None
