"""Whose pages may act for the person signed in: those of the public address, however the operator wrote it."""

import pytest

from app import create_app
from svc.accounts import device, mail_link
from svc.core import database
from svc.core.settings import load


@pytest.fixture
def client_at(tmp_path):
    def make(site_root):
        settings = load({"data_dir": str(tmp_path)}, {"SVC_SITE_ROOT": site_root})
        database.connect(settings)
        database.migrate(settings)
        return create_app(settings).test_client()

    for limit in (mail_link.links, mail_link.visits, device.new_codes):
        limit.hits.clear()
    yield make
    database.release()


@pytest.mark.parametrize(
    ("site_root", "origin"),
    [
        ("https://Video.Example.org/", "https://video.example.org"),
        ("https://video.example.org:443", "https://video.example.org"),
        ("http://video.example.org:80", "http://video.example.org"),
        ("http://b\u00fccher.example:8080", "http://xn--bcher-kva.example:8080"),
        ("", "http://localhost"),
    ],
)
def test_the_sites_own_pages_sign_in(client_at, site_root, origin):
    answer = client_at(site_root).post("/sign-in", data={"email": "ada@example.org"}, headers={"Origin": origin})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://video.example.org", "https://video.example.org:8443", "https://x.org", "null"]
)
def test_pages_of_other_sites_do_not(client_at, origin):
    client = client_at("https://Video.Example.org")
    answer = client.post("/sign-in", data={"email": "ada@example.org"}, headers={"Origin": origin})
    assert answer.status_code == 403
