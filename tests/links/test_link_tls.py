import shutil
import subprocess

import certifi
import pytest
from video_site import VideoSite

from svc.core.errors import EngineError

pytestmark = pytest.mark.skipif(not shutil.which("openssl"), reason="openssl makes the certificate")


@pytest.fixture
def certificate(tmp_path):
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test -addext subjectAltName=IP:127.0.0.2"
    files = ["-keyout", "key.pem", "-out", "certificate.pem"]
    subprocess.run([*command.split(), *files], cwd=tmp_path, check=True, capture_output=True)
    return tmp_path / "certificate.pem"


@pytest.fixture
def site(clips, certificate):
    site = VideoSite(clips)
    site.use_tls(certificate, certificate.with_name("key.pem"))
    with site:
        yield site


def test_https_with_a_trusted_certificate(links, site, certificate, monkeypatch):
    monkeypatch.setattr(certifi, "where", lambda: str(certificate))
    assert links.resolve("/talk.html").duration == 2


def test_an_unknown_certificate_is_not_trusted(links, site):
    with pytest.raises(EngineError) as caught:
        links.resolve("/talk.html")
    assert caught.value.code == "SOURCE_UNAVAILABLE"


def test_https_leads_inside_no_more_than_http(links, site, internal, certificate, monkeypatch):
    monkeypatch.setattr(certifi, "where", lambda: str(certificate))
    site.serve("/go", status=302, headers={"Location": internal.url("/secret.html")})
    with pytest.raises(EngineError) as caught:
        links.resolve("/go")
    assert caught.value.code == "URL_UNSUPPORTED"
    assert not internal.hits


def test_a_stalled_https_site_is_given_up(links, site, certificate, monkeypatch):
    monkeypatch.setattr(certifi, "where", lambda: str(certificate))
    with pytest.raises(EngineError) as caught:
        links.resolve("/stall", resolve_seconds=1)
    assert caught.value.code == "TIMEOUT"
