"""Which addresses a link may reach: judged on the address actually connected to, never on a host name."""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# Not public, although some versions of `ipaddress` call them global
# (IANA special-purpose registries, RFC 6890 and its successors).
NOT_PUBLIC = tuple(
    ip_network(text)
    for text in (
        "100.64.0.0/10",  # carrier-grade NAT
        "168.63.129.16/32",  # a cloud's host services
        "192.0.0.0/24",
        "192.88.99.0/24",  # 6to4 relays
        "::/96",  # IPv4-compatible
        "::ffff:0:0:0/96",  # IPv4-translated
        "64:ff9b:1::/48",  # local NAT64
        "100::/64",
        "2001::/23",  # Teredo, ORCHID and other protocol assignments
        "2002::/16",  # 6to4
        "3fff::/20",  # documentation
        "5f00::/16",  # segment routing
        "fec0::/10",  # site-local
    )
)
NAT64 = IPv6Network("64:ff9b::/96")


class AddressPolicy:
    """Public addresses are allowed, others only where the operator's list names address and port."""

    def __init__(self, allow: Iterable[str] = ()):
        self._exceptions = [parse_exception(entry) for entry in allow]

    def allows(self, address: str, port: int) -> bool:
        """Whether a connection to this numeric address (as a socket sees it) may be made."""
        ip = unwrap(ip_address(address.partition("%")[0]))
        return is_public(ip) or any(port == open_port and ip in network for network, open_port in self._exceptions)


def parse_exception(entry: str) -> tuple[Network, int]:
    """`CIDR:PORT` or `IP:PORT`, an IPv6 one with or without brackets. Raises ValueError with a sentence."""
    network, _, port = entry.strip().rpartition(":")
    try:
        parsed = ip_network(network.replace("[", "").replace("]", ""))
    except ValueError as error:
        raise ValueError(f"'{entry}' is not CIDR:PORT or IP:PORT: {error}.") from None
    if not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
        raise ValueError(f"'{entry}' is not CIDR:PORT or IP:PORT: the port must be a number from 1 to 65535.")
    return parsed, int(port)


def unwrap(ip: Address) -> Address:
    """The IPv4 address inside an IPv4-mapped or NAT64 one, where the connection really ends."""
    if isinstance(ip, IPv6Address):
        if ip.ipv4_mapped:
            return ip.ipv4_mapped
        if ip in NAT64:
            return IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip


def is_public(ip: Address) -> bool:
    special = ip.is_multicast or ip.is_reserved or any(ip in network for network in NOT_PUBLIC)
    return ip.is_global and not special
