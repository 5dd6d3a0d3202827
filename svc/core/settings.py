"""The operator's settings: command-line flag, then environment, then `svc.toml`, then the default. Read strictly."""

import ipaddress
import os
import re
import secrets
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from svc.core.limits import Limits

PREFIX = "SVC_"
SMTP_URL = r"(smtps?://[^/\s]+/?)?"
SITE_ROOT = r"(?i:https?)://[^/\s?#@\\]+/?"
DEFAULT_PORTS = {"http": 80, "https": 443}
# Whom we trust with a secret, or with running a script in our pages: over https, or on this very machine.
TRUSTED_URL = r"(https://[^/\s?#;,']+|http://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?)(/[^\s]*)?"
MAX_PORT = 65_535
BASE_URL = r"(https?://[^\s?#]+)?"
PROVIDERS = ("local", "gemini", "openai")


class SettingError(Exception):
    """A setting that is unknown or malformed; the message is one sentence that names it."""


@dataclass(frozen=True)
class Settings:
    """One process group's settings. A field `host` is the flag `--host`, `SVC_HOST`, and `host` in `svc.toml`."""

    data_dir: Path = Path("data")
    host: str = "127.0.0.1"
    port: int = 8080
    site_root: str = ""
    secret_key: str = ""
    trusted_proxies: tuple[str, ...] = ()
    allow_hosts: tuple[str, ...] = ()
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    provider: str = "local"
    asr_provider: str = ""
    visual_provider: str = ""
    synthesis_provider: str = ""
    gemini_api_key: str = field(default="", repr=False)
    gemini_base_url: str = "https://generativelanguage.googleapis.com"
    gemini_model: str = "gemini-3.5-flash-lite"
    openai_api_key: str = field(default="", repr=False)
    openai_base_url: str = "https://api.openai.com/v1"
    openai_model: str = ""
    openai_stt_base_url: str = ""
    openai_stt_model: str = ""
    whisper_model: str = ""
    extractor_plugins: bool = False
    disk_reserve_mb: int = 500
    anonymous_budget_usd: Decimal | None = None
    account_spend_usd: Decimal | None = None
    smtp_url: str = ""
    mail_from: str = ""
    turnstile_site_key: str = ""
    turnstile_secret: str = ""
    turnstile_verify_url: str = "https://challenges.cloudflare.com/turnstile/v0/siteverify"
    turnstile_script_url: str = "https://challenges.cloudflare.com/turnstile/v0/api.js"
    log_level: str = "info"
    limits: Limits = field(default_factory=Limits)

    @property
    def root(self) -> str:
        """The public address, without a slash at the end."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return self.site_root.rstrip("/") or f"http://{host}:{self.port}"

    def provider_of(self, role: str) -> str:
        """Who plays a role: `asr`, `visual` or `synthesis`. An OpenAI-compatible server without a speech model
        leaves listening to the embedded one, unless it is named for it."""
        if role == "asr" and self.provider == "openai" and not self.openai_stt_model:
            return self.asr_provider or "local"
        return getattr(self, f"{role}_provider") or self.provider

    def folder(self, name: str) -> Path:
        """A folder of the data directory, made when missing."""
        path = self.data_dir / name
        path.mkdir(parents=True, exist_ok=True)
        return path


NAMES = {f.name: f.type for f in fields(Settings) if f.name != "limits"}


def load(
    flags: Mapping[str, Any] | None = None, environ: Mapping[str, str] = os.environ, make: bool = True
) -> Settings:
    """The settings in force. Raises SettingError.

    Makes the data directory and, at first start, the secret key; without `make` they must be there.
    """
    given = from_environment(environ)
    given.update({name: value for name, value in (flags or {}).items() if value is not None})
    data_dir = Path(given.get("data_dir", "data")).expanduser().resolve()
    values = {**from_file(data_dir / "svc.toml"), **given, "data_dir": data_dir}
    limits = values.pop("limits", Limits())
    settings = {name: parse(name, value) for name, value in values.items()}
    check_meaning(settings)
    settings["site_root"] = origin(settings.get("site_root", ""))
    if not make and not (data_dir / "svc.db").exists():
        raise SettingError(f"There is no service's data in {data_dir}: check --data-dir, or start svc serve first.")
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise SettingError(f"SVC_DATA_DIR cannot be made: {error}.") from error
    if not settings.get("secret_key"):
        settings["secret_key"] = own_secret(data_dir / "secret.key")
    return Settings(**settings, limits=limits)


def from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    found = {}
    for key in sorted(k for k in environ if k.startswith(PREFIX)):
        name = key.removeprefix(PREFIX).lower()
        if name in NAMES:
            found[name] = environ[key]
        elif name.removesuffix("_file") in NAMES:
            found[name.removesuffix("_file")] = read_secret(key, environ[key])
        else:
            raise SettingError(f"Unknown setting {key}.")
    return found


def read_secret(key: str, path: str) -> str:
    try:
        return Path(path).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingError(f"{key} names a file that cannot be read: {path}.") from error


def from_file(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingError(f"svc.toml cannot be read: {error}.") from error
    try:
        limits = Limits().with_overrides(table.pop("limits", {}))
    except ValueError as error:
        raise SettingError(f"svc.toml: {error}.") from error
    if unknown := sorted(set(table) - set(NAMES) | {"data_dir"} & set(table)):
        raise SettingError(f"svc.toml: unknown setting {unknown[0]}.")
    return {**table, "limits": limits}


def parse(name: str, value: Any) -> Any:
    """A value from any source in the type of its field."""
    kind: Any = NAMES[name]
    try:
        if kind is int:
            return whole_number(value)
        if kind is bool:
            return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}[str(value).lower()]
        if kind == Decimal | None:
            return amount_of_money(value)
        if kind is str or kind is Path:
            return kind(value)
        items = value if isinstance(value, list | tuple) else str(value).split(",")
        return tuple(item.strip() for item in items if item.strip())
    except (ValueError, ArithmeticError, KeyError, TypeError, AttributeError) as error:
        raise SettingError(f"{PREFIX}{name.upper()} is malformed: {value!r}.") from error


def amount_of_money(value: Any) -> Decimal | None:
    """US dollars; an empty setting is no limit."""
    if value in (None, ""):
        return None
    amount = Decimal(str(value))
    if not amount.is_finite() or amount < 0:
        raise ValueError(value)
    return amount


def check_meaning(settings: dict[str, Any]) -> None:
    """What has the right type but cannot work."""
    if not is_smtp_url(settings.get("smtp_url", "")):
        raise SettingError("SVC_SMTP_URL must look like smtp://user:pass@host:port or smtps://host.")
    if settings.get("port", 0) > MAX_PORT:
        raise SettingError(f"SVC_PORT may be at most {MAX_PORT}.")
    check_providers(settings)
    for name in ("turnstile_verify_url", "turnstile_script_url"):
        if name in settings and not re.fullmatch(TRUSTED_URL, settings[name]):
            raise SettingError(f"{PREFIX}{name.upper()} must be an https address, or one of this machine.")
    model = settings.get("whisper_model", "")
    if model.startswith((".", "/", "~")) and not Path(model).is_dir():
        raise SettingError(f"SVC_WHISPER_MODEL names a folder that is not there: {model}.")


def is_smtp_url(url: str) -> bool:
    try:
        return re.fullmatch(SMTP_URL, url) is not None and urlsplit(url).port != 0
    except ValueError:  # a port that is no number, or too high
        return False


def origin(site_root: str) -> str:
    """The public address as browsers write it in `Origin`: in lower case, without the port that goes without saying,
    other letters in their ASCII form. Empty stays empty. Raises SettingError for what is no such address.
    """
    if not site_root:
        return ""
    try:
        if not re.fullmatch(SITE_ROOT, site_root):
            raise ValueError(site_root)
        parts = urlsplit(site_root)
        host, port = ascii_host(parts.hostname or ""), parts.port
    except ValueError as error:
        raise SettingError("SVC_SITE_ROOT must look like https://video.example.org.") from error
    shown_port = "" if port in (None, DEFAULT_PORTS[parts.scheme]) else f":{port}"
    return f"{parts.scheme}://{host}{shown_port}"


def ascii_host(host: str) -> str:
    """A host name as it goes over the wire. Raises ValueError."""
    if not host:
        raise ValueError("there is no host")
    if ":" in host:
        return f"[{ipaddress.ip_address(host)}]"
    if host.isascii():
        return host
    import idna  # knows the rules that browsers follow; rarely needed, and 2 MB of tables

    return idna.encode(host, uts46=True).decode()


def check_providers(settings: dict[str, Any]) -> None:
    """Every named provider is one we know, and has what it needs."""
    named = {f"{role}provider": settings.get(f"{role}provider", "") for role in ("", "asr_", "visual_", "synthesis_")}
    for name, provider in named.items():
        if provider and provider not in PROVIDERS:
            raise SettingError(f"SVC_{name.upper()} must be one of {', '.join(PROVIDERS)}, not {provider!r}.")
    for name in ("gemini_base_url", "openai_base_url", "openai_stt_base_url"):
        if not re.fullmatch(BASE_URL, settings.get(name, "")):
            raise SettingError(f"SVC_{name.upper()} must look like https://models.example.org/v1.")
    if "gemini" in named.values() and not settings.get("gemini_api_key"):
        raise SettingError("SVC_GEMINI_API_KEY is needed for the provider gemini.")
    speaks = [named[role] or named["provider"] for role in ("visual_provider", "synthesis_provider")]
    if "openai" in speaks and not settings.get("openai_model"):
        raise SettingError("SVC_OPENAI_MODEL is needed for the provider openai.")
    if named["asr_provider"] == "openai" and not settings.get("openai_stt_model"):
        raise SettingError("SVC_OPENAI_STT_MODEL is needed to recognise speech with the provider openai.")


def whole_number(value: Any) -> int:
    number = int(str(value))
    if number < 0:
        raise ValueError(value)
    return number


def own_secret(path: Path) -> str:
    """The key kept in the data directory, made at first start and readable by its owner only."""
    if not path.exists():
        try:
            with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
                file.write(secrets.token_hex(32))
        except FileExistsError:
            pass
    return path.read_text("utf-8").strip()
