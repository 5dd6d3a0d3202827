"""What is no audio or video, or hostile, is refused from its first bytes."""

import struct

import pytest
import recordings
from clips import tone, write_media, write_wav

from svc.core.errors import EngineError
from svc.engine.media.probe import probe

NOT_MEDIA = {
    "empty.mp4": b"",
    "notes.mp3": b"Dear diary, nothing happened today.\n" * 50,
    "random.mp4": bytes((i * 7919 + i * i) % 251 for i in range(20_000)),
    "list.mp4": b"#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n",
    "list.m3u": b"#EXTM3U\n#EXTINF:1,x\nhttp://127.0.0.1/secret\n",
    "concat.mp4": b"ffconcat version 1.0\nfile /etc/passwd\n",
    "list.mpd": b'<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period/></MPD>',
    "call.sdp": b"v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 5004 RTP/AVP 0\n",
    "drawing.svg": b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
    "dot.gif": b"GIF89a\x01\x00\x01\x00\x80\x00\x00"
    + bytes(6)
    + b",\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;",
    "captions.srt": b"1\n00:00:01,000 --> 00:00:02,000\nHello\n",
    "archive.zip": b"PK\x03\x04" + bytes(200),
}


def code_of(path):
    with pytest.raises(EngineError) as caught:
        probe(path)
    return caught.value.code


@pytest.mark.parametrize("name", NOT_MEDIA)
def test_what_is_no_media_is_unsupported(name, tmp_path):
    (tmp_path / name).write_bytes(NOT_MEDIA[name])
    assert code_of(tmp_path / name) == "INPUT_UNSUPPORTED"


def test_a_missing_file(tmp_path):
    assert code_of(tmp_path / "nowhere.mp4") == "INPUT_NOT_FOUND"


def test_a_folder_is_no_file(tmp_path):
    assert code_of(tmp_path) == "INPUT_NOT_FOUND"


def test_a_link_is_not_followed():
    assert code_of("http://127.0.0.1/clip.mp4") == "INPUT_NOT_FOUND"


@pytest.mark.parametrize("name", ["broken_header.wav", "broken_size.wav"])
def test_a_broken_header_is_corrupt(name):
    assert code_of(recordings.path(name)) == "INPUT_CORRUPT"


def test_an_mp4_cut_before_its_index_is_corrupt(tmp_path):
    path = write_media(tmp_path / "clip.mp4")
    path.write_bytes(path.read_bytes()[:2000])
    assert code_of(path) == "INPUT_CORRUPT"


def test_an_absurd_sample_rate(tmp_path):
    path = write_wav(tmp_path / "fast.wav", tone(1))
    data = bytearray(path.read_bytes())
    data[24:28] = struct.pack("<I", 2_000_000_000)
    path.write_bytes(data)
    assert code_of(path) == "INPUT_UNSUPPORTED"


def test_an_absurd_length(tmp_path):
    path = write_media(tmp_path / "clip.mkv", picture=None)
    duration = b"\x44\x89\x88"  # the element's number, and its size of eight bytes
    at = path.read_bytes().index(duration) + len(duration)
    data = bytearray(path.read_bytes())
    data[at : at + 8] = struct.pack(">d", 1e12)
    path.write_bytes(data)
    assert code_of(path) == "INPUT_UNSUPPORTED"


def test_an_absurd_picture_size(tmp_path):
    path = write_media(tmp_path / "clip.avi", sound=None, picture="rawvideo")
    path.write_bytes(path.read_bytes().replace(struct.pack("<II", 64, 48), struct.pack("<II", 60_000, 60_000)))
    assert code_of(path) == "INPUT_UNSUPPORTED"
