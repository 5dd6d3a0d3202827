"""Ids and fingerprints."""

import hashlib
import re
import secrets
import string

ALPHABET = string.ascii_letters + string.digits
JOB_ID = re.compile(r"job_[A-Za-z0-9]{22}")
UPLOAD_ID = re.compile(r"upl_[A-Za-z0-9]{22}")


def make_id(prefix: str) -> str:
    """`prefix_` and 22 random letters and digits (131 bits)."""
    return f"{prefix}_" + "".join(secrets.choice(ALPHABET) for _ in range(22))


def fingerprint(*parts: object) -> str:
    """A short stable hash of values that print the same everywhere (strings, numbers, sorted tuples)."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]
