"""Server-sent events, as far as a model's answer needs them."""

from collections.abc import Iterable, Iterator
from typing import Any

from svc.core.errors import EngineError
from svc.engine.models.upstream import strict_json

END = "[DONE]"


def events(chunks: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """The JSON object of each event; ends at the mark of the end, or where the bytes do.

    Comments and fields other than `data` are passed over. Raises PROVIDER_PROTOCOL for data that is no object.
    """
    data: list[bytes] = []
    for line in lines(chunks):
        if line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
        elif not line and data:
            text, data = b"\n".join(data).decode("utf-8", "replace"), []
            if text == END:
                return
            yield decoded(text)


def lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Whole lines out of chunks that end anywhere. JSON may hold what Unicode calls a line end; only LF is one."""
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        yield from (line.removesuffix(b"\r") for line in whole)


def decoded(text: str) -> dict[str, Any]:
    try:
        value = strict_json(text)
    except ValueError as error:
        raise EngineError("PROVIDER_PROTOCOL", "The model provider's stream cannot be read.") from error
    if not isinstance(value, dict):
        raise EngineError("PROVIDER_PROTOCOL", "The model provider's stream cannot be read.")
    return value
