"""What servers of the field can do, as switches."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Abilities:
    """`limits`: the names it takes for the answer's limit. `context`: tokens; `lists_context`: told in its models.

    `status`, `shape`: how it declines what it cannot do. `longest`: seconds of sound. `thinks`: aloud, in the text.
    """

    json_schema: bool = True
    json_object: bool = True
    schema_in_object: bool = False
    images: bool = True
    most_images: int = 500
    limits: tuple[str, ...] = ("max_tokens", "max_completion_tokens")
    context: int = 128_000
    lists_context: bool = False
    thinks: bool = False
    verbose: bool = True
    granularities: bool = True
    words: bool = True
    segments: bool = True
    punctuated_words: bool = False
    names_language: bool = True
    takes_language: bool = True
    longest: float = 1400.0
    status: int = 400
    shape: str = "openai"


OPENAI = Abilities()
REASONING = replace(OPENAI, limits=("max_completion_tokens",))
GPT_TRANSCRIBE = replace(OPENAI, verbose=False, words=False, segments=False, names_language=False)
VLLM = replace(OPENAI, words=False, lists_context=True, context=32_768, shape="vllm", longest=600)
LLAMA_CPP = replace(OPENAI, json_schema=False, schema_in_object=True, images=False, status=500)
