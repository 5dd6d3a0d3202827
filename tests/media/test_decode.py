import numpy as np
import pytest
import recordings
from clips import tone, write_media, write_wav

from svc.core.errors import EngineError
from svc.engine.extract import extract
from svc.engine.media.audio import RATE
from svc.engine.media.decode import decode_audio
from svc.engine.request import Config, Request
from svc.engine.run import Run


@pytest.fixture
def events():
    return []


@pytest.fixture
def run(tmp_path, events):
    folder = tmp_path / "run"
    folder.mkdir()
    run = Run(Request("file", "clip"), Config(models_dir=str(folder), work_dir=str(folder)), events.append)
    run.current = "extract"
    return run


def decode(run, path):
    return decode_audio(run, path, run.folder / "out.pcm")


@pytest.mark.parametrize(("rate", "channels"), [(8000, 1), (44100, 2), (48000, 6), (96000, 1)])
def test_any_rate_and_channels_become_16_khz_mono(run, tmp_path, rate, channels):
    audio = decode(run, write_wav(tmp_path / "a.wav", tone(2, rate, channels), rate))
    assert abs(audio.seconds - 2) < 0.01
    spectrum = np.abs(np.fft.rfft(audio.read(0.5, 1.5)))
    assert abs(int(spectrum.argmax()) - 440) <= 1


def test_samples_arrive_unchanged(run, tmp_path):
    samples = tone(1)
    audio = decode(run, write_wav(tmp_path / "a.wav", samples))
    assert np.array_equal(audio.pcm(), samples[0])


def test_sound_out_of_a_video(run, tmp_path):
    audio = decode(run, write_media(tmp_path / "clip.mp4", seconds=2))
    assert abs(audio.seconds - 2) < 0.1


def test_sound_that_begins_late_keeps_its_place(run, tmp_path):
    audio = decode(run, write_media(tmp_path / "clip.mkv", seconds=3, delay=1.0))
    assert np.abs(audio.read(0, 0.9)).max() == 0
    assert np.abs(audio.read(1.2, 2.8)).max() > 0.1
    assert abs(audio.seconds - 3) < 0.1


def test_progress_is_told_in_seconds(run, tmp_path, events):
    decode(run, write_wav(tmp_path / "a.wav", tone(150, 8000), 8000))
    done = [event["done"] for event in events if event["type"] == "progress"]
    assert len(done) == 2
    assert done == sorted(done)


def test_damage_in_the_middle_costs_only_its_own_length(run, tmp_path):
    path = write_media(tmp_path / "clip.mkv", seconds=20, picture=None, sound="flac")
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + len(data) // 4] = bytes(len(data) // 4)
    path.write_bytes(data)
    _, audio = extract(run, path)
    assert 18 < audio.seconds < 21
    assert np.abs(audio.read(1, 8)).max() > 0.1
    ((start, end),) = audio.lost
    assert np.abs(audio.read(start + 0.1, end - 0.1)).max() == 0
    assert [warning["code"] for warning in run.warnings] == ["INCOMPLETE_COVERAGE"]


def test_damage_that_the_decoder_does_not_notice_is_lost_all_the_same(run, tmp_path):
    path = write_media(tmp_path / "clip.webm", 20, "libvpx", "libopus", 48000)
    data = bytearray(path.read_bytes())
    begin, end = round(0.45 * len(data)), round(0.6 * len(data))
    data[begin:end] = bytes(end - begin)
    path.write_bytes(data)
    ((start, end),) = extract(run, path)[1].lost
    assert end - start > 2


def test_a_cut_file_is_decoded_as_far_as_it_goes(run, tmp_path):
    path = write_wav(tmp_path / "a.wav", tone(20))
    path.write_bytes(path.read_bytes()[: 10 * RATE * 2])
    assert abs(decode(run, path).seconds - 10) < 0.1


@pytest.mark.parametrize(("name", "sound"), [("clip.mkv", "aac"), ("clip.webm", "libopus")])
def test_what_is_missing_at_the_end_of_a_cut_file_is_told(run, tmp_path, name, sound):
    path = write_media(tmp_path / name, 20, "libvpx" if sound == "libopus" else "mpeg4", sound, 48000)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    _, audio = extract(run, path)
    assert audio.lost == ((pytest.approx(audio.seconds, abs=0.5), pytest.approx(20, abs=0.2)),)
    (warning,) = run.warnings
    assert warning["code"] == "INCOMPLETE_COVERAGE"
    assert warning["data"]["lostSeconds"] == pytest.approx(20 - audio.seconds, abs=0.7)


def test_what_is_missing_of_a_cut_wav_is_told(run, tmp_path):
    path = write_wav(tmp_path / "a.wav", tone(20))
    path.write_bytes(path.read_bytes()[: 10 * RATE * 2])
    assert extract(run, path)[1].lost == ((pytest.approx(10, abs=0.1), pytest.approx(20, abs=0.1)),)


def test_a_recorder_that_knew_no_length_lost_nothing(run, tmp_path):
    path = write_wav(tmp_path / "a.wav", tone(5))
    data = path.read_bytes()
    path.write_bytes(data[:4] + b"\xff" * 4 + data[8:40] + b"\xff" * 4 + data[44:])
    _, audio = extract(run, path)
    assert (audio.seconds, audio.lost) == (5, ())


def test_a_resumed_run_still_tells_what_is_missing(run, tmp_path):
    path = write_media(tmp_path / "clip.mkv", 20)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    first = extract(run, path)
    run.warnings.clear()
    assert extract(run, path) == first
    assert [warning["code"] for warning in run.warnings] == ["INCOMPLETE_COVERAGE"]


@pytest.mark.parametrize("name", ["clip.mkv", "clip.mp4", "clip.avi"])
def test_sound_that_ends_before_the_picture_is_whole(run, tmp_path, name):
    path = write_media(tmp_path / name, 20, sound_seconds=8)
    _, audio = extract(run, path)
    assert audio.seconds == pytest.approx(8, abs=0.2)
    assert (audio.lost, run.warnings) == ((), [])


def test_nothing_left_to_decode_is_corrupt(run):
    with pytest.raises(EngineError, match="INPUT_CORRUPT"):
        decode(run, recordings.path("empty.wav"))


def test_too_long_is_refused_before_decoding(run, tmp_path):
    run.request = Request("file", "clip", max_seconds=5)
    with pytest.raises(EngineError, match="SOURCE_TOO_LONG"):
        extract(run, write_wav(tmp_path / "a.wav", tone(8)))


def test_more_sound_than_the_header_says_is_refused_while_decoding(run, tmp_path):
    run.request = Request("file", "clip", max_seconds=5)
    with pytest.raises(EngineError, match="SOURCE_TOO_LONG"):
        decode(run, write_wav(tmp_path / "a.wav", tone(8)))


def test_sound_asked_of_a_silent_video(run):
    with pytest.raises(EngineError, match="NO_AUDIO_STREAM"):
        extract(run, recordings.path("silent_video.mp4"))


def test_a_silent_video_is_fine_when_no_sound_is_asked(run):
    found, audio = extract(run, recordings.path("silent_video.mp4"), sound=False)
    assert found.has_video
    assert audio is None


def test_a_resumed_run_does_not_decode_again(run, tmp_path):
    path = write_wav(tmp_path / "a.wav", tone(1))
    _, first = extract(run, path)
    stamp = first.path.stat().st_mtime_ns
    _, second = extract(run, path)
    assert second == first
    assert second.path.stat().st_mtime_ns == stamp
