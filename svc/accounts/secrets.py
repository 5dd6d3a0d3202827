"""API keys as text: a prefix, 32 random letters and digits (190 bits), and a check part against mistyping."""

import hashlib
import secrets
import zlib

from svc.core.ids import ALPHABET

PREFIX = "svc_live_"
RANDOM_LENGTH, CHECK_LENGTH = 32, 6
SHOWN_LENGTH = len(PREFIX) + 4


def make_key() -> str:
    body = "".join(secrets.choice(ALPHABET) for _ in range(RANDOM_LENGTH))
    return PREFIX + body + check_part(body)


def check_part(body: str) -> str:
    """Six letters and digits of the body's CRC-32."""
    number, letters = zlib.crc32(body.encode()), ""
    for _ in range(CHECK_LENGTH):
        number, place = divmod(number, len(ALPHABET))
        letters += ALPHABET[place]
    return letters


def is_well_formed(key: str) -> bool:
    """Whether this can be a key at all; a mistyped one is refused without a look-up."""
    body, check = key[len(PREFIX) : -CHECK_LENGTH], key[-CHECK_LENGTH:]
    return key.startswith(PREFIX) and len(body) == RANDOM_LENGTH and body.isascii() and check == check_part(body)


def hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
