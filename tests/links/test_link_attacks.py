"""Every way a link has been made to reach where it may not. The internal server's hits must stay empty."""

import socket
import stat

import pytest
from video_site import Answer
from video_site.site import DASH, HLS, manifest, page, playlist
from yt_dlp.postprocessor.ffmpeg import FFmpegPostProcessor

from svc.core.errors import EngineError

MANY = 2000
STATUSES = (301, 302, 303, 307, 308)


def follow(links, link):
    """Does all that a run could do with a link, and gives the code of the first refusal."""
    with links.open(link) as session:
        for step in (session.resolve, session.captions, lambda: session.download(links.folder)):
            try:
                step()
            except EngineError as error:
                return error.code
    return None


def hls(site, text):
    return site.serve("/attack.m3u8", text, HLS)


def html(site, body, head=""):
    return site.serve("/attack.html", page("A page", body, head))


def video(source):
    return f'<video src="{source}"></video>'


def json_ld(site, target):
    return html(
        site,
        "",
        f'<script type="application/ld+json">{{"@context":"https://schema.org","@type":"VideoObject","name":"x","contentUrl":"{target}"}}</script>',
    )


def chain(site, target):
    site.serve("/second", status=302, headers={"Location": target})
    return site.serve("/first", status=301, headers={"Location": "/second"})


def segment_redirect(site, target):
    site.serve("/segment.ts", status=302, headers={"Location": target})
    return hls(site, playlist("segment").replace("/media/segment0.ts", "/segment.ts"))


def media_redirect(site, target):
    site.serve("/moved.mp4", status=302, headers={"Location": target})
    return html(site, video("/moved.mp4"))


def aes_key(site, target):
    return hls(site, playlist("encrypted", head=f'#EXT-X-KEY:METHOD=AES-128,URI="{target}"'))


def master(site, target):
    return hls(site, f"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n{target}\n")


def init_section(site, target):
    return hls(site, playlist("segment", head=f'#EXT-X-MAP:URI="{target}"'))


def dash(site, target):
    return site.serve("/attack.mpd", manifest().replace("/media/dash-1.m4s", target), DASH)


def dash_base(site, target):
    return site.serve("/attack.mpd", manifest().replace("<Period>", f"<BaseURL>{target}</BaseURL><Period>"), DASH)


def known_site(site, **info):
    return site.video("attack", **info)


FROM_WITHIN = {
    "chain of redirects": chain,
    "meta refresh": lambda s, t: html(s, "", f'<meta http-equiv="refresh" content="0; url={t}">'),
    "video": lambda s, t: html(s, video(t)),
    "video that redirects": media_redirect,
    "playlist in a page": lambda s, t: html(s, f'<video><source src="{t}" type="application/x-mpegurl"></video>'),
    "manifest in a page": lambda s, t: html(s, f'<video><source src="{t}" type="application/dash+xml"></video>'),
    "open graph": lambda s, t: html(s, "", f'<meta property="og:video" content="{t}">'),
    "json-ld": json_ld,
    "iframe": lambda s, t: html(s, f'<iframe src="{t}"></iframe>'),
    "hls variant": master,
    "hls segment": lambda s, t: hls(s, playlist("segment").replace("/media/segment0.ts", t)),
    "hls segment that redirects": segment_redirect,
    "hls key": aes_key,
    "hls init section": init_section,
    "dash segment": dash,
    "dash base": dash_base,
    "media of a known site": lambda s, t: known_site(s, formats=[{"url": t, "ext": "mp4"}]),
    "fragments of a known site": lambda s, t: known_site(
        s, formats=[{"url": t, "ext": "mp4", "protocol": "http_dash_segments", "fragments": [{"url": t}]}]
    ),
    "feed": lambda s, t: s.serve(
        "/attack.xml",
        f'<rss version="2.0"><channel><item><title>x</title><enclosure url="{t}"/></item></channel></rss>',
    ),
    "smil": lambda s, t: s.serve("/attack.smil", f'<smil><head/><body><video src="{t}"/></body></smil>'),
    "xspf": lambda s, t: s.serve(
        "/attack.xspf",
        '<playlist xmlns="http://xspf.org/ns/0/"><trackList><track>'
        f"<location>{t}</location></track></trackList></playlist>",
    ),
}


@pytest.mark.parametrize("status", STATUSES)
def test_a_redirect_inside_is_not_followed(links, site, internal, status):
    site.serve("/go", status=status, headers={"Location": internal.url("/secret.html")})
    assert follow(links, "/go") == "URL_UNSUPPORTED"
    assert not internal.hits


@pytest.mark.parametrize("name", FROM_WITHIN)
def test_what_a_page_names_inside_is_not_fetched(links, site, internal, name):
    assert follow(links, FROM_WITHIN[name](site, internal.url("/secret.mp4")))
    assert not internal.hits


@pytest.mark.parametrize(
    "name", ["file:///etc/passwd", "ftp://127.0.0.1/x.mp4", "data:video/mp4;base64,AAAA", "//127.0.0.1:1/x"]
)
@pytest.mark.parametrize(
    "place", ["video", "open graph", "hls variant", "hls segment", "hls key", "media of a known site"]
)
def test_other_schemes_are_not_fetched(links, site, place, name):
    assert follow(links, FROM_WITHIN[place](site, name))


def test_captions_inside_are_not_fetched(links, site, internal):
    captions = {"en": [{"url": internal.url("/secret.vtt"), "ext": "vtt"}]}
    hls_captions = {"de": [{"url": internal.url("/secret.m3u8"), "ext": "vtt", "protocol": "m3u8_native"}]}
    assert links.captions(known_site(site, subtitles=captions | hls_captions)) is None
    assert not internal.hits


def test_captions_in_hls_segments_inside_are_not_fetched(links, site, internal):
    hls(site, f"#EXTM3U\n#EXTINF:2,\n{internal.url('/secret.vtt')}\n#EXT-X-ENDLIST\n")
    track = {"url": "/attack.m3u8", "ext": "vtt", "protocol": "m3u8_native"}
    assert links.captions(known_site(site, subtitles={"en": [track]})) is None
    assert not internal.hits


def test_a_thumbnail_inside_is_not_fetched(links, site, internal):
    assert follow(links, known_site(site, thumbnail=internal.url("/secret.jpg"))) is None
    assert not internal.hits


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "2130706433",
        "0177.0.0.1",
        "0x7f.1",
        "127.1",
        "0",
        "0.0.0.0",
        "①②⑦.⓪.⓪.①",
        "127。0。0。1",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "[fe80::1%25lo]",
        "[fd00:ec2::254]",
        "169.254.169.254",
    ],
)
def test_no_spelling_of_an_inner_address_is_reached(links, internal, host):
    assert follow(links, f"http://{host}:{internal.port}/secret.html") in (
        "URL_UNSUPPORTED",
        "NETWORK",
        "SOURCE_UNAVAILABLE",
    )
    assert not internal.hits


@pytest.fixture
def names(monkeypatch):
    """Host names and their addresses, one list for each lookup; the last one stays."""
    table, real = {}, socket.getaddrinfo

    def lookup(host, port, *options, **more):
        if host not in table:
            return real(host, port, *options, **more)
        addresses = table[host].pop(0) if len(table[host]) > 1 else table[host][0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    return table


def test_a_name_that_leads_inside_is_refused(links, internal, names):
    names["video.test"] = [["127.0.0.1"]]
    assert follow(links, f"http://video.test:{internal.port}/secret.html") == "URL_UNSUPPORTED"
    assert not internal.hits


def test_a_name_that_changes_its_address_is_judged_each_time(links, site, internal, names):
    names["video.test"] = [["127.0.0.2"], ["127.0.0.1"]]
    host = f"video.test:{internal.port}"
    html(site, video(f"http://{host}/secret.mp4"))
    assert follow(links, f"http://video.test:{site.port}/attack.html") == "URL_UNSUPPORTED"
    assert not internal.hits


def test_mixed_answers_never_reach_inside(links, internal, names):
    names["video.test"] = [["127.0.0.1", "127.0.0.2"]]
    assert follow(links, f"http://video.test:{internal.port}/secret.html") == "URL_UNSUPPORTED"
    assert not internal.hits


def test_an_allowed_name_is_reached(links, site, names):
    names["video.test"] = [["127.0.0.2"]]
    assert links.resolve(f"http://video.test:{site.port}/talk.html").duration == 2


@pytest.mark.parametrize(
    "target", ["file:///etc/passwd", "ftp://127.0.0.1:1/x", "data:text/html,x", "gopher://127.0.0.1/"]
)
@pytest.mark.parametrize("status", [302, 307])
def test_redirects_to_other_schemes_are_refused(links, site, status, target):
    site.serve("/go", status=status, headers={"Location": target})
    assert follow(links, "/go") == "URL_UNSUPPORTED"


@pytest.mark.parametrize(
    "link",
    [
        "file:///etc/passwd",
        "ftp://127.0.0.1/x",
        "data:text/html,<video>",
        "rtmp://127.0.0.1/x",
        "ws://127.0.0.1/x",
        "ytsearch:x",
        "http://user:pass@127.0.0.2/",
        "http://127.0.0.2/#__youtubedl_smuggle=%7B%22referer%22%3A%22x%22%7D",
        "http://good.test\\@127.0.0.1/",
    ],
)
def test_such_a_link_opens_no_session(links, link):
    with pytest.raises(EngineError) as caught, links.open(link):
        pass
    assert caught.value.code == "URL_UNSUPPORTED"


@pytest.mark.parametrize("path", ["/endless.html", "/bomb.html"])
def test_an_endless_page_is_read_no_further_than_a_page_goes(links, path):
    assert follow(links, path) == "URL_UNSUPPORTED"


@pytest.mark.parametrize("status", [200, 302])
def test_an_endless_body_is_soon_left(links, site, status):
    """Neither a page nor a redirect's body is read past the limit."""
    sent = []

    def chunks():
        for _ in range(MANY):
            sent.append(1)
            yield b"<p>more</p>" * 6000

    site.answers["/endless"] = Answer(status=status, headers={"Location": "/talk.html"}, chunks=chunks)
    follow(links, "/endless")
    assert 0 < len(sent) < MANY


def test_credentials_do_not_follow_a_redirect_to_another_host(links, site, names):
    names["other.test"] = [["127.0.0.2"]]
    site.serve("/moved.mp4", status=302, headers={"Location": f"http://other.test:{site.port}/media/talk.mp4"})
    html(site, video(f"http://user:secret@{site.allow}/moved.mp4"))
    assert follow(links, "/attack.html") is None
    assert any("Authorization" in headers for _, path, headers in site.requests if path == "/moved.mp4")
    assert not any("Authorization" in headers for _, path, headers in site.requests if path == "/media/talk.mp4")


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """Stand-ins for the programs that yt-dlp would start, first on PATH; the file lists their calls."""
    monkeypatch.setattr(FFmpegPostProcessor, "_version_cache", {None: None})  # what is forgotten is asked again
    folder, calls = tmp_path / "bin", tmp_path / "calls"
    folder.mkdir()
    for name in ("ffmpeg", "ffprobe", "avconv", "rtmpdump", "curl", "wget", "aria2c", "phantomjs"):
        program = folder / name
        program.write_text(f'#!/bin/sh\necho "{name} $*" >> {calls}\necho "{name} version 7.1"\n')
        program.chmod(program.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    return calls


@pytest.mark.parametrize(
    "make",
    [
        lambda site: "/hls/aes.m3u8",
        lambda site: "/hls/live.m3u8",
        lambda site: hls(site, playlist("segment", head='#EXT-X-KEY:METHOD=SAMPLE-AES,URI="/media/aes.key"')),
        lambda site: known_site(site, formats=[{"url": "/hls/live.m3u8", "ext": "mp4", "protocol": "m3u8"}]),
        lambda site: known_site(site, formats=[{"url": "/hls/vod.m3u8", "ext": "mp4", "protocol": "m3u8"}]),
        lambda site: known_site(site, formats=[{"url": "rtmp://127.0.0.1/x", "ext": "flv"}]),
        lambda site: known_site(site, formats=[{"url": "mms://127.0.0.1/x", "ext": "mp4"}]),
        lambda site: known_site(site, formats=[{"url": "/media/talk.mp4", "protocol": "rtmp_ffmpeg"}]),
        lambda site: known_site(site, formats=[{"url": "/media/talk.mp4", "protocol": "websocket_frag"}]),
        lambda site: known_site(site, section_start=0, section_end=1),
        lambda site: "/dash.mpd",
        lambda site: "/talk.html",
    ],
)
def test_no_program_is_started(links, site, programs, make):
    follow(links, make(site))
    assert not programs.exists()


def test_captions_start_no_program(links, site, programs):
    hls(site, playlist("x", head='#EXT-X-KEY:METHOD=SAMPLE-AES,URI="/media/aes.key"'))
    track = {"url": "/attack.m3u8", "ext": "vtt", "protocol": "m3u8"}
    assert links.captions(known_site(site, subtitles={"en": [track]})) is None
    assert not programs.exists()


def test_no_browser_is_started(links, programs):
    from yt_dlp.extractor.openload import PhantomJSwrapper
    from yt_dlp.utils import ExtractorError

    with links.open("/talk.html"), pytest.raises(ExtractorError, match="not found"):
        PhantomJSwrapper(None)
    assert not programs.exists()


def test_proxies_of_the_environment_are_not_used(links, internal, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, internal.url())
    assert links.resolve("/talk.html").duration == 2
    assert not internal.hits


def test_a_netrc_and_a_configuration_file_are_not_read(links, site, tmp_path, monkeypatch):
    (tmp_path / ".netrc").write_text("machine 127.0.0.2 login a password b\n")
    (tmp_path / "yt-dlp.conf").write_text("--add-header X-Mine:1\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    links.resolve("/watch/plain")
    assert not any({"Authorization", "X-Mine"} & set(headers) for _, _, headers in site.requests)
