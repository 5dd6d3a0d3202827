"""API keys: made, listed, revoked, and recognised. The secret is shown once; only its hash is kept."""

from typing import Any

from svc.accounts import secrets
from svc.accounts.models import ApiKey, User
from svc.core import clock
from svc.core.database import db
from svc.core.errors import Refusal
from svc.core.ids import make_id

SCOPES = ("all", "mcp", "read")
DAY_MS = 24 * 3600 * 1000
USED_PRECISION_MS = 60_000


def create(
    user: User,
    name: str,
    most: int,
    scopes: str = "all",
    expires_in_days: float | None = None,
    via: str = "dashboard",
    device_label: str | None = None,
) -> tuple[ApiKey, str]:
    """A new key and its secret. Raises 409 `key_limit_reached` when the account has `most` active ones."""
    secret, now = secrets.make_key(), clock.now_ms()
    with db.atomic():
        if active(user).count() >= most:
            message = f"An account may have {most} active keys."
            raise Refusal("key_limit_reached", message, hint="Revoke one first.")
        key = ApiKey.create(
            id=make_id("key"),
            user=user,
            secret_hash=secrets.hashed(secret),
            prefix=secret[: secrets.SHOWN_LENGTH],
            last4=secret[-4:],
            name=name,
            scopes=scopes,
            created_at=now,
            created_via=via,
            device_label=device_label,
            expires_at=now + int(expires_in_days * DAY_MS) if expires_in_days else None,
        )
    return key, secret


def active(user: User) -> Any:
    """The account's keys that still work."""
    return ApiKey.select().where((ApiKey.user == user) & is_active())


def is_active() -> Any:
    return ApiKey.revoked_at.is_null() & (ApiKey.expires_at.is_null() | (ApiKey.expires_at > clock.now_ms()))


def find(secret: str) -> ApiKey | None:
    """The active key with this secret, with its user."""
    if not secrets.is_well_formed(secret):
        return None
    wanted = (ApiKey.secret_hash == secrets.hashed(secret)) & is_active()
    key = ApiKey.select(ApiKey, User).join(User).where(wanted).first()
    if key:
        note_use(key)
    return key


def note_use(key: ApiKey) -> None:
    """Remembers when a key was last used, to the minute: not a write for every request."""
    now = clock.now_ms()
    if key.last_used_at is None or now - key.last_used_at >= USED_PRECISION_MS:
        ApiKey.update(last_used_at=now).where(ApiKey.id == key.id).execute()


def revoke(key: ApiKey) -> None:
    ApiKey.update(revoked_at=clock.now_ms()).where((ApiKey.id == key.id) & ApiKey.revoked_at.is_null()).execute()


def key_json(key: ApiKey, secret: str | None = None) -> dict[str, Any]:
    """The contract's API key record; the secret only when it was just made."""
    shown = {"key": secret} if secret else {}
    return {
        "id": key.id,
        **shown,
        "prefix": key.prefix,
        "last4": key.last4,
        "name": key.name,
        "scopes": key.scopes,
        "createdAt": key.created_at,
        "createdVia": key.created_via,
        "deviceLabel": key.device_label,
        "expiresAt": key.expires_at,
        "lastUsedAt": key.last_used_at,
    }
