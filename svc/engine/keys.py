"""Names of stored layers: a layer's key is made from the content and all that shaped it, and from nothing else."""

from svc.core.ids import fingerprint
from svc.engine.context import PROMPT_VERSION
from svc.engine.request import Config, Request
from svc.engine.speech.level import level

LAYER_VERSION = 3


def layer_key(layer: str, content_id: str, request: Request, config: Config, below: tuple[str, ...] = ()) -> str:
    """The key of one layer. `below` are the keys of the layers that a synthesis was made from."""
    options, proofread = request.options, level(request.options)
    languages = tuple(sorted(request.languages))
    shaped_by: dict[str, tuple] = {
        "captions": (languages,),
        "audio": (
            languages,
            bool(options.diarize),
            proofread,
            () if proofread == "none" else tuple(sorted(options.vocabulary)),
            *speech_model(config),
            *model(config, "synthesis"),  # it proofreads, and writes down what was not recognised
        ),
        "visual": (options.fps, options.max_scenes, PROMPT_VERSION, *model(config, "visual")),
        "synthesis": (below, options.detail, request.file_name or "", PROMPT_VERSION, *model(config, "synthesis")),
    }
    return fingerprint(LAYER_VERSION, layer, content_id, *shaped_by[layer])


def model(config: Config, role: str) -> tuple[str, ...]:
    """What names the model in a role; the embedded ones belong to the version of the engine."""
    name = getattr(config, f"{role}_provider")
    return () if name == "local" else (name, getattr(config, name).base_url, getattr(config, name).model)


def speech_model(config: Config) -> tuple[str, ...]:
    own = {
        "local": (config.whisper_model or "",),
        "gemini": ("gemini", config.gemini.base_url),
        "openai": ("openai", config.openai.stt_base_url, config.openai.stt_model),
    }
    return own[config.asr_provider]


def layer_keys(layers: tuple[str, ...], content_id: str, request: Request, config: Config) -> dict[str, str]:
    """The key of each of a plan's layers, by layer; the synthesis depends on the others."""
    keys = {name: layer_key(name, content_id, request, config) for name in layers if name != "synthesis"}
    if "synthesis" in layers:
        keys["synthesis"] = layer_key("synthesis", content_id, request, config, tuple(sorted(keys.values())))
    return keys
