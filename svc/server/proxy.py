"""Who really calls, when a reverse proxy of ours stands in front: believed from its address only."""

from collections.abc import Callable, Iterable
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

from svc.core.settings import SettingError

Network = IPv4Network | IPv6Network
FORWARDED_HEADERS = [
    "HTTP_FORWARDED",
    "HTTP_X_FORWARDED_BY",
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PORT",
    "HTTP_X_FORWARDED_PREFIX",
    "HTTP_X_FORWARDED_PROTO",
]


def networks(addresses: Iterable[str]) -> list[Network]:
    """Addresses and networks in CIDR notation. Raises SettingError on anything else."""
    try:
        return [ip_network(address, strict=False) for address in addresses]
    except ValueError as error:
        raise SettingError(f"SVC_TRUSTED_PROXIES is malformed: {error}.") from error


class TrustedProxies:
    """WSGI middleware: REMOTE_ADDR and the scheme from `X-Forwarded-For/Proto` of trusted peers.

    The application sees none of the forwarding headers, so that it can't believe one by mistake.
    """

    def __init__(self, application: Callable[..., Any], trusted: list[Network]):
        self.application, self.trusted = application, trusted

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        headers = {name: environ.pop(name, "") for name in FORWARDED_HEADERS}
        if self.trusts(environ["REMOTE_ADDR"]):
            environ["REMOTE_ADDR"] = self.client(environ["REMOTE_ADDR"], headers["HTTP_X_FORWARDED_FOR"])
            scheme = last(headers["HTTP_X_FORWARDED_PROTO"]).lower()
            if scheme in ("http", "https"):
                environ["wsgi.url_scheme"] = scheme
        return self.application(environ, start_response)

    def client(self, peer: str, forwarded_for: str) -> str:
        """The last hop that is not one of ours. What stands left of a hop nobody vouches for is worth nothing."""
        for hop in reversed(forwarded_for.split(",")):
            address = plain_address(hop)
            if address is None:
                break
            peer = address
            if not self.trusts(address):
                break
        return peer

    def trusts(self, address: str) -> bool:
        plain = plain_address(address)
        return plain is not None and any(ip_address(plain) in network for network in self.trusted)


def last(values: str) -> str:
    return values.rpartition(",")[2].strip()


def plain_address(text: str) -> str | None:
    """An IP address without the port, brackets and quotes of `"[2001:db8::1]:80"`, or None."""
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return str(address)
