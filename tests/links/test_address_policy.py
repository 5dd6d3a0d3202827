import pytest

from svc.engine.links.address import AddressPolicy

PUBLIC = ["93.184.216.34", "1.1.1.1", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
INNER = """127.0.0.1 127.255.255.254 0.0.0.0 10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 192.0.0.1
    192.0.0.192 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 168.63.129.16
    192.88.99.1 :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 100::1 2001::1
    2001:db8::1 2002:7f00:1:: 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%lo fec0::1 ff02::1"""


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_allowed(address):
    assert AddressPolicy().allows(address, 80)


@pytest.mark.parametrize("address", INNER.split())
def test_other_addresses_are_not(address):
    assert not AddressPolicy().allows(address, 80)


@pytest.mark.parametrize(
    ("entry", "address"),
    [
        ("127.0.0.2:8000", "127.0.0.2"),
        ("10.0.0.0/8:8000", "10.9.8.7"),
        ("127.0.0.2:8000", "::ffff:127.0.0.2"),
        ("[::1]:8000", "::1"),
        ("::1:8000", "::1"),
        ("[fd00::/8]:8000", "fd00::5"),
        (" 127.0.0.2:8000 ", "127.0.0.2"),
    ],
)
def test_an_exception_opens_one_address_range_and_port(entry, address):
    policy = AddressPolicy([entry])
    assert policy.allows(address, 8000)
    assert not policy.allows(address, 8001)
    assert not policy.allows("127.0.0.1", 8000)


@pytest.mark.parametrize(
    "entry", ["", "127.0.0.1", "localhost:80", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "10.0.0.1/8:80", "x:٣"]
)
def test_a_malformed_exception_is_named(entry):
    with pytest.raises(ValueError, match="is not CIDR:PORT or IP:PORT"):
        AddressPolicy([entry])
