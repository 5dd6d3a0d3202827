"""What one run of the engine is asked to do, and with what means: plain values that cross a process boundary."""

from dataclasses import asdict, dataclass, field
from typing import Any

MODES = ("auto", "captions", "audio", "visual", "full")
ALIASES = {"listen": "audio", "watch": "visual", "both": "full"}


def canonical_mode(mode: str) -> str:
    return ALIASES.get(mode, mode)


@dataclass(frozen=True)
class Options:
    """The request's options, under their contract names. `fps` and `max_scenes` are the `visual` object's."""

    detail: str = "full"
    diarize: bool | str = "auto"
    proofread: bool | str = "auto"
    include_words: bool = False
    quality: str = "standard"
    fps: float | None = None
    max_scenes: int | None = None
    vocabulary: tuple[str, ...] = ()


@dataclass(frozen=True)
class Request:
    """One source (a link, or the path of a local file), a canonical mode, hints and options.

    `content_key` is the file's fingerprint when it is known already; `max_seconds` the longest media allowed;
    `may_listen`: in mode auto, captions that cannot be read give way to the sound.
    """

    kind: str
    location: str
    mode: str = "auto"
    languages: tuple[str, ...] = ()
    options: Options = field(default_factory=Options)
    file_name: str | None = None
    content_key: str | None = None
    max_seconds: float | None = None
    may_listen: bool = True
    run_id: str = "run"

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> "Request":
        options = value["options"]
        options = Options(**{**options, "vocabulary": tuple(options["vocabulary"])})
        return cls(**{**value, "options": options, "languages": tuple(value["languages"])})


@dataclass(frozen=True)
class GeminiAccess:
    """How to reach Google's Gemini, and which of its models to use."""

    api_key: str = field(default="", repr=False)
    base_url: str = ""
    model: str = ""


@dataclass(frozen=True)
class OpenAIAccess:
    """How to reach an OpenAI-compatible server. Speech to text may have a server of its own."""

    api_key: str = field(default="", repr=False)
    base_url: str = ""
    model: str = ""
    stt_base_url: str = ""
    stt_model: str = ""


@dataclass(frozen=True)
class Config:
    """The operator's side of a run: where models live, what the network may do, which limits hold.

    `allow_hosts` are `CIDR:PORT` strings that a link may reach although the address is not public. Each role (speech
    to text, the picture, summaries and answers) names its provider, a package of `svc/engine/models/`.
    """

    models_dir: str
    work_dir: str
    allow_hosts: tuple[str, ...] = ()
    asr_provider: str = "local"
    visual_provider: str = "local"
    synthesis_provider: str = "local"
    gemini: GeminiAccess = field(default_factory=GeminiAccess)
    openai: OpenAIAccess = field(default_factory=OpenAIAccess)
    whisper_model: str | None = None
    extractor_plugins: bool = False
    max_page_bytes: int = 8 << 20
    max_media_bytes: int = 4 << 30
    resolve_seconds: float = 45
    download_seconds: float = 3600

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> "Config":
        access = {"gemini": GeminiAccess(**value["gemini"]), "openai": OpenAIAccess(**value["openai"])}
        return cls(**{**value, **access, "allow_hosts": tuple(value["allow_hosts"])})
