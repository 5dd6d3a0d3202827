import stat

import pytest

from svc.core.settings import SettingError, load


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


def test_a_list_is_written_with_commas(data_dir):
    assert read(data_dir, {"SVC_ALLOW_HOSTS": "10.0.0.1:80, ::1:81"}).allow_hosts == ("10.0.0.1:80", "::1:81")


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
