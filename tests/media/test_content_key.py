from svc.engine.media.fingerprint import content_key


def test_the_same_bytes_have_the_same_key_under_any_name(tmp_path):
    for name in ("a.mp3", "b.wav"):
        (tmp_path / name).write_bytes(b"sound")
    assert content_key(tmp_path / "a.mp3") == content_key(tmp_path / "b.wav")


def test_one_byte_more_is_another_key(tmp_path):
    (tmp_path / "a").write_bytes(b"sound")
    (tmp_path / "b").write_bytes(b"sound ")
    assert content_key(tmp_path / "a") != content_key(tmp_path / "b")


def test_a_key_is_short_and_printable(tmp_path):
    (tmp_path / "a").write_bytes(b"")
    key = content_key(tmp_path / "a")
    assert len(key) == 32
    assert key.isalnum()
