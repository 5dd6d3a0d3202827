"""The stages in order: resolve, download, extract, transcribe, visual, synthesize; at the end a checked Context."""

import json
import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from svc.core import prices, schema
from svc.core.errors import EngineError, as_told_callers
from svc.engine import context
from svc.engine.facts import Facts
from svc.engine.keys import layer_key
from svc.engine.layers import Layer, Layers
from svc.engine.links.url import display_url
from svc.engine.models.roles import forget_uploads
from svc.engine.models.usage import dollars
from svc.engine.plan import plan
from svc.engine.resolve import Source
from svc.engine.run import Run, elapsed_ms
from svc.engine.seen import Seen
from svc.engine.transcript import Coverage, Transcript

log = logging.getLogger(__name__)

HEARD = ("captions", "audio")
NOTHING_TO_SUM_UP = "There is nothing to sum up."


class Pipeline:
    """One run from source to Context. A layer whose part is there already is not made again."""

    def __init__(self, run: Run):
        self.run_, self.request = run, run.request
        self.tiers: list[dict[str, Any]] = []
        self.models: dict[str, str] = {}
        self.began = time.monotonic()

    def run(self) -> dict[str, Any]:
        """The Context, also written to `context.json` in the run's folder. Raises EngineError."""
        forget_uploads(self.run_.config)
        self.run_.emit("start", input=self.shown_input(), mode=self.request.mode)
        with Source(self.run_) as source:
            with self.run_.stage("resolve"):
                facts = source.facts()
                layers = plan(self.request.mode, facts, self.request.options.detail)
            self.emit_plan(layers, facts)
            self.make = Layers(self.run_, source, facts)
            transcript, coverage = None, Coverage(transcribed_seconds=0)
            if any(layer in HEARD for layer in layers):
                transcript, coverage = self.transcript(layers, facts)
            seen = self.seen(layers, facts) if "visual" in layers else None
        synthesis = self.synthesis(transcript, seen, facts) if "synthesis" in layers else None
        return self.finish(facts, transcript, coverage, seen, synthesis)

    def shown_input(self) -> str:
        """The link or file as it may be shown: no credentials, no signed query, no path of this machine."""
        if self.request.kind == "url":
            return display_url(self.request.location)
        return self.request.file_name or Path(self.request.location).name

    def emit_plan(self, layers: tuple[str, ...], facts: Facts) -> None:
        minutes = prices.shown(prices.charge(layers, facts.duration or 0))
        self.run_.emit(
            "plan",
            mode=self.request.mode,
            tiers=list(layers),
            mediaSeconds=facts.duration,
            minutes=minutes,
            cached=all(self.run_.is_stored(layer) for layer in layers),
        )

    def transcript(self, layers: tuple[str, ...], facts: Facts) -> tuple[Transcript | None, Coverage]:
        """Captions when they are planned and readable, else speech to text where the mode allows it."""
        if "captions" in layers:
            try:
                return unpack(self.layer("captions", facts, self.make.captions), facts)
            except EngineError as error:
                if not self.may_listen(facts) or error.code != "SOURCE_UNAVAILABLE":
                    raise
                self.tiers.append({"tier": "captions", "status": "failed", "reason": error.message})
        return unpack(self.layer("audio", facts, self.make.audio), facts)

    def may_listen(self, facts: Facts) -> bool:
        return self.request.mode == "auto" and self.request.may_listen and facts.has_audio is not False

    def layer(self, name: str, facts: Facts, make: Callable[[], Layer]) -> Layer:
        """A layer made now or by an earlier run, with its warnings and models noted either way."""
        began, hit, before = time.monotonic(), self.run_.is_stored(name), self.run_.usage()
        key = layer_key(name, facts.content_id, self.request, self.run_.config)
        self.run_.emit("cache", tier=name, hit=hit, key=key[:12])
        made, _ = self.run_.part(name, lambda: self.with_warnings(make))
        for warning in made["warnings"]:
            self.run_.warn(warning["code"], warning["message"], **warning["data"])
        self.models |= made["models"]
        tier = {"tier": name, "status": "cached" if hit else "ok", "ms": elapsed_ms(began), **made.get("counts", {})}
        if (usd := dollars(self.run_.usage().since(before).usd)) is not None:
            tier["usd"] = usd
        self.tiers.append(tier)
        return made

    def with_warnings(self, make: Callable[[], Layer]) -> Layer:
        """A new layer with the warnings raised on the way, also those that an earlier layer raised before."""
        before = len(self.run_.raised)
        made = make()
        return {**made, "warnings": self.run_.raised[before:]}

    def seen(self, layers: tuple[str, ...], facts: Facts) -> Seen | None:
        """What was on screen. Beside a transcript, a picture that cannot be read is no reason to fail."""
        try:
            made = self.layer("visual", facts, self.make.visual)
        except EngineError as error:
            if not any(layer in HEARD for layer in layers):
                raise
            log.warning("run %s: no visual layer: %s", self.request.run_id, error)
            self.tiers.append({"tier": "visual", "status": "failed", "reason": as_told_callers(error).message})
            return None
        return Seen.from_part(made["value"])

    def synthesis(self, transcript: Transcript | None, seen: Seen | None, facts: Facts) -> dict[str, Any] | None:
        if transcript is None and (seen is None or seen.value == "none"):
            self.run_.part("synthesis", lambda: {"value": None, "warnings": [], "models": {}})
            self.run_.skip("synthesize", NOTHING_TO_SUM_UP)
            self.tiers.append({"tier": "synthesis", "status": "skipped", "reason": NOTHING_TO_SUM_UP})
            return None
        made = self.layer("synthesis", facts, lambda: self.make.synthesis(transcript, seen))
        if reason := made.get("stoodIn"):
            self.tiers[-1] |= {"status": "failed", "reason": reason}
        return made["value"]

    def finish(
        self,
        facts: Facts,
        transcript: Transcript | None,
        coverage: Coverage,
        seen: Seen | None,
        synthesis: dict[str, Any] | None,
    ) -> dict[str, Any]:
        """Builds, checks and writes the Context, then tells of the end."""
        usage, warnings = self.run_.usage_so_far(), self.run_.warnings
        built = context.build(
            self.request, facts, transcript, coverage, seen, synthesis, self.tiers, warnings, usage, self.models
        )
        schema.check_large("context", built)
        write(built, self.run_)
        self.run_.emit("usage", **usage)
        words = len(transcript.text.split()) if transcript else 0
        summary = {
            "durationSeconds": facts.meta.get("durationSeconds"),
            "ms": elapsed_ms(self.began),
            "usd": usage["usdEstimate"],
            "words": words,
        }
        self.run_.emit("done", summary=summary)
        return built


def unpack(layer: Layer, facts: Facts) -> tuple[Transcript | None, Coverage]:
    """A stored layer's transcript; the length it measured counts where the source named none."""
    facts.meta.setdefault("durationSeconds", context.seconds(layer["seconds"]))
    transcript = Transcript.from_part(layer["value"]) if layer["value"] else None
    return transcript, Coverage.from_part(layer["coverage"])


def write(built: dict[str, Any], run: Run) -> None:
    half = run.folder / "context.half"
    half.write_text(json.dumps(built, ensure_ascii=False), "utf-8")
    half.replace(run.folder / "context.json")
