import pytest

from svc.core.errors import EngineError
from svc.engine.links.identity import content_id
from svc.engine.links.url import canonical_url, check_url, display_url, url_hash


def test_blanks_around_a_link_are_dropped():
    assert check_url("  https://a.test/v\n") == "https://a.test/v"


def test_the_longest_link_passes():
    assert check_url("https://a.test/".ljust(2048, "x"))


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ("https://a.test/".ljust(2049, "x"), "longer"),
        ("", "http"),
        ("a.test/v", "http"),
        ("//a.test/v", "http"),
        ("ytsearch5:cats", "http"),
        (":ytsubs", "http"),
        ("file:///etc/passwd", "http"),
        ("ftp://a.test/v.mp4", "http"),
        ("data:text/html,x", "http"),
        ("rtmp://a.test/v", "http"),
        ("ws://a.test/v", "http"),
        ("https://", "malformed"),
        ("https://:80/v", "malformed"),
        ("https://[::1/v", "malformed"),
        ("https://a.test:99999/", "malformed"),
        ("https://a.test:0/", "malformed"),
        ("https://user:pass@a.test/", "password"),
        ("https://user@a.test/", "password"),
        ("https://good.test\\@evil.test/", "backslash"),
        ("https://a.test/a b", "blank"),
        ("https://a.test/\x00", "control"),
        ("https://a.test/a\tb", "blank"),
        ("https://a.test/\ud800", "control"),
        ("https://a.test/#__youtubedl_smuggle=%7B%7D", "hidden"),
        ("https://a.test/#__youtubedl%5Fsmuggle=%7B%7D", "hidden"),
    ],
)
def test_a_link_that_cannot_be_one_is_refused(link, reason):
    with pytest.raises(EngineError, match=reason) as caught:
        check_url(link)
    assert caught.value.code == "URL_UNSUPPORTED"


def test_the_canonical_form_keeps_what_names_the_page():
    assert canonical_url("HTTPS://User@A.Test:443?b=2&a=1#part") == "https://a.test/?b=2&a=1"
    assert canonical_url("http://a.test:8080/A/b?x=1") == "http://a.test:8080/A/b?x=1"
    assert canonical_url("http://[::1]:80/") == "http://[::1]/"


def test_the_shown_form_has_no_secret():
    link = "https://u:p@a.test/watch?v=abc_-1&token=s3cret&Signature=x#frag"
    assert display_url(link) == "https://a.test/watch?v=abc_-1"
    assert display_url("https://a.test/v?id=" + "x" * 65) == "https://a.test/v"


def test_generic_links_differ_by_host_port_path_and_query():
    links = ["http://a.test/t.mp4", "http://b.test/t.mp4", "http://a.test:81/t.mp4", "http://a.test/x/t.mp4"]
    assert len({url_hash(link) for link in [*links, "http://a.test/t.mp4?n=1"]}) == 5
    assert url_hash("HTTP://A.test:80/t.mp4#x") == url_hash("http://a.test/t.mp4")


@pytest.mark.parametrize(
    "link",
    [
        "https://www.youtube.com/watch?v=BaW_jenozKc",
        "https://youtu.be/BaW_jenozKc?si=abc",
        "https://www.youtube.com/shorts/BaW_jenozKc",
        "https://m.youtube.com/watch?v=BaW_jenozKc&t=10s",
    ],
)
def test_a_known_sites_links_are_one_video(link):
    assert content_id(link) == "youtube:BaW_jenozKc"


def test_other_links_are_known_by_their_whole_address():
    assert content_id("http://a.test/t.mp4") == f"generic:{url_hash('http://a.test/t.mp4')}"
