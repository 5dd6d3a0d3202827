import stat

import pytest

from svc.core.settings import SettingError, load

BAD_ROOTS = (
    *(
        "example.org",
        "ftp://example.org",
        "https://",
        "https://:443",
        "https://example.org:x",
        "https://example.org:99999",
    ),
    *("https://example.org/svc", "https://example.org?x", "https://ada@example.org", "https://example.org\n"),
)


@pytest.fixture
def data_dir(tmp_path):
    return tmp_path / "data"


def read(data_dir, environ=None, **flags):
    return load({"data_dir": str(data_dir), **flags}, environ or {})


def toml(data_dir, text):
    data_dir.mkdir()
    (data_dir / "svc.toml").write_text(text)


def test_defaults_need_nothing(data_dir):
    settings = read(data_dir)
    assert (settings.host, settings.port, settings.root) == ("127.0.0.1", 8080, "http://127.0.0.1:8080")


def test_a_flag_beats_the_environment_and_that_beats_the_file(data_dir):
    toml(data_dir, 'port = 1\nhost = "a"\nlog_level = "debug"')
    settings = read(data_dir, {"SVC_PORT": "2", "SVC_HOST": "b"}, port=3)
    assert (settings.port, settings.host, settings.log_level) == (3, "b", "debug")


def test_an_address_of_ipv6_is_written_as_a_link_has_it(data_dir):
    assert read(data_dir, host="::1").root == "http://[::1]:8080"


@pytest.mark.parametrize("url", ["https://example.org/api.js", "http://127.0.0.1:8081/api.js", "http://[::1]/api.js"])
def test_a_script_comes_by_https_or_from_this_machine(data_dir, url):
    assert read(data_dir, {"SVC_TURNSTILE_SCRIPT_URL": url}).turnstile_script_url == url


def test_a_list_is_written_with_commas(data_dir):
    assert read(data_dir, {"SVC_ALLOW_HOSTS": "10.0.0.1:80, ::1:81"}).allow_hosts == ("10.0.0.1:80", "::1:81")


def test_one_provider_plays_every_role(data_dir):
    settings = read(data_dir, {"SVC_PROVIDER": "gemini", "SVC_GEMINI_API_KEY": "k"})
    assert {settings.provider_of(role) for role in ("asr", "visual", "synthesis")} == {"gemini"}


def test_a_role_may_have_a_provider_of_its_own(data_dir):
    settings = read(data_dir, {"SVC_SYNTHESIS_PROVIDER": "gemini", "SVC_GEMINI_API_KEY": "k"})
    assert (settings.provider_of("asr"), settings.provider_of("synthesis")) == ("local", "gemini")


def test_without_a_speech_model_an_openai_server_leaves_listening_to_the_embedded_one(data_dir):
    settings = read(data_dir, {"SVC_PROVIDER": "openai", "SVC_OPENAI_MODEL": "m"})
    assert (settings.provider_of("asr"), settings.provider_of("visual")) == ("local", "openai")


def test_a_provider_key_is_not_shown(data_dir):
    assert "hush" not in repr(read(data_dir, {"SVC_GEMINI_API_KEY": "hush"}))


def test_a_secret_can_be_read_from_a_file(data_dir, tmp_path):
    (tmp_path / "secret").write_text("hush\n")
    assert read(data_dir, {"SVC_SECRET_KEY_FILE": str(tmp_path / "secret")}).secret_key == "hush"


def test_the_first_start_makes_a_secret_that_stays(data_dir):
    first = read(data_dir).secret_key
    assert len(first) == 64 and read(data_dir).secret_key == first
    assert stat.S_IMODE((data_dir / "secret.key").stat().st_mode) == 0o600


def test_limits_can_be_overridden_one_by_one(data_dir):
    toml(data_dir, "[limits.anonymous]\nmax_video_seconds = 60")
    limits = read(data_dir).limits
    assert (limits.anonymous.max_video_seconds, limits.anonymous.running_jobs) == (60, 1)


@pytest.mark.parametrize(
    ("environ", "named"),
    [
        ({"SVC_PROT": "1"}, "SVC_PROT"),
        ({"SVC_PORT": "eighty"}, "SVC_PORT"),
        ({"SVC_PORT": "-1"}, "SVC_PORT"),
        ({"SVC_EXTRACTOR_PLUGINS": "perhaps"}, "SVC_EXTRACTOR_PLUGINS"),
        ({"SVC_SECRET_KEY_FILE": "/nowhere"}, "SVC_SECRET_KEY_FILE"),
        ({"SVC_TURNSTILE_SCRIPT_URL": "http://example.org/api.js"}, "SVC_TURNSTILE_SCRIPT_URL"),
        ({"SVC_TURNSTILE_SCRIPT_URL": "https://x; script-src *"}, "SVC_TURNSTILE_SCRIPT_URL"),
        ({"SVC_TURNSTILE_SCRIPT_URL": "http://localhost.example.org/"}, "SVC_TURNSTILE_SCRIPT_URL"),
        ({"SVC_TURNSTILE_VERIFY_URL": "http://example.org/verify"}, "SVC_TURNSTILE_VERIFY_URL"),
        ({"SVC_PROVIDER": "oracle"}, "SVC_PROVIDER"),
        ({"SVC_VISUAL_PROVIDER": "oracle"}, "SVC_VISUAL_PROVIDER"),
        ({"SVC_PROVIDER": "gemini"}, "SVC_GEMINI_API_KEY"),
        ({"SVC_SYNTHESIS_PROVIDER": "openai"}, "SVC_OPENAI_MODEL"),
        ({"SVC_ASR_PROVIDER": "openai"}, "SVC_OPENAI_STT_MODEL"),
        ({"SVC_OPENAI_BASE_URL": "models.example.org"}, "SVC_OPENAI_BASE_URL"),
        *(({"SVC_SITE_ROOT": root}, "SVC_SITE_ROOT") for root in BAD_ROOTS),
        *(({"SVC_SMTP_URL": f"smtp://mail.example.org{end}"}, "SVC_SMTP_URL") for end in ("\n", ":x", ":99999", "/x")),
    ],
)
def test_a_bad_variable_is_named(data_dir, environ, named):
    with pytest.raises(SettingError, match=named):
        read(data_dir, environ)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("prot = 1", "prot"),
        ("port = ", "svc.toml"),
        ("port = 'x'", "SVC_PORT"),
        ("data_dir = '/x'", "data_dir"),
        ("[limits.gold]\nrunning_jobs = 1", "limits.gold"),
        ("[limits.free]\nrunning = 1", "limits.free.running"),
        ("[limits.free]\nrunning_jobs = 1.5", "limits.free.running_jobs"),
        ("[limits.free]\nrunning_jobs = -1", "limits.free.running_jobs"),
    ],
)
def test_a_bad_line_of_the_file_is_named(data_dir, text, named):
    toml(data_dir, text)
    with pytest.raises(SettingError, match=named):
        read(data_dir)


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("https://Video.Example.org", "https://video.example.org"),
        ("HTTPS://video.example.org/", "https://video.example.org"),
        ("https://video.example.org:443", "https://video.example.org"),
        ("http://video.example.org:80/", "http://video.example.org"),
        ("https://video.example.org:80", "https://video.example.org:80"),
        ("http://b\u00fccher.example:8080", "http://xn--bcher-kva.example:8080"),
        ("https://stra\u00dfe.example", "https://xn--strae-oqa.example"),
        ("http://[0:0::1]:8080", "http://[::1]:8080"),
        ("", ""),
    ],
)
def test_the_public_address_is_kept_as_browsers_write_it(data_dir, given, meant):
    assert read(data_dir, {"SVC_SITE_ROOT": given}).site_root == meant


@pytest.mark.parametrize("url", ["smtp://mail.example.org", "smtps://ada:p%40ss@mail.example.org:465/"])
def test_a_mail_server_is_named(data_dir, url):
    assert read(data_dir, {"SVC_SMTP_URL": url}).smtp_url == url
