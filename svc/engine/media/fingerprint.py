"""A file's content key: the same bytes have the same key, wherever they came from."""

import base64
import hashlib
from pathlib import Path

KEY_BYTES = 20  # 160 bits: no two files meet by chance, and no one can aim at another's


def content_key(path: Path | str) -> str:
    """32 lower-case letters and digits made from the SHA-256 of the file's bytes."""
    with Path(path).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").digest()
    return base64.b32encode(digest[:KEY_BYTES]).decode().lower()
