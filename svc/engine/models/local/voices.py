"""Samples of voices: speech cut where the voice changes, and an embedding for each short window of it."""

from bisect import bisect
from collections.abc import Callable, Iterable

import kaldi_native_fbank
import numpy as np
import onnxruntime

from svc.engine.media.audio import RATE, Audio
from svc.engine.models.local.voice_models import EMBEDDING, SEGMENTATION, load
from svc.engine.speech.spans import Span, within

# The segmentation model's fixed input; each view overlaps half of the next, and its middle counts.
VIEW = 10.0
VIEW_STEP = 5.0
VIEW_FRAMES = 589
ACTIVE = 0.5

SHORTEST_PIECE = 0.3
WINDOW = 1.6
HOP = 0.8
SHORTEST_SAMPLE = 0.5
MEL_BINS = 80
SIZE = 256  # of an embedding


def pieces(audio: Audio, speech: list[Span], stretch: Span) -> list[Span]:
    """The spans of speech in a stretch of the recording, cut where another voice begins."""
    moments = changes(audio, speech, stretch)
    return [
        piece
        for start, end in within(speech, *stretch)
        for piece in _cut((start, end), moments[bisect(moments, start) : bisect(moments, end)])
    ]


def changes(audio: Audio, speech: list[Span], stretch: Span) -> list[float]:
    """The moments (seconds) at which another voice goes on alone, in order."""
    model = load(SEGMENTATION)
    found: list[float] = []
    begin, end = stretch
    start, last = begin, max(begin, end - VIEW)
    while True:
        if within(speech, start, start + VIEW):
            margin = (VIEW - VIEW_STEP) / 2
            first = 0.0 if start == begin else margin
            final = VIEW if start >= last else VIEW - margin
            found += [start + moment for moment in _changes_in_view(model, audio, start) if first <= moment < final]
        if start >= last:
            return found
        start += VIEW_STEP


def _changes_in_view(model: onnxruntime.InferenceSession, audio: Audio, start: float) -> list[float]:
    samples = audio.read(start, start + VIEW)
    samples = np.pad(samples, (0, int(VIEW * RATE) - len(samples)))
    active = model.run(None, {"waveforms": samples[None, None]})[0][0] > ACTIVE
    alone = np.flatnonzero(active.sum(axis=1) == 1)
    voice = active[alone].argmax(axis=1)
    return [float(frame) * VIEW / VIEW_FRAMES for frame in alone[1:][voice[1:] != voice[:-1]]]


def _cut(span: Span, moments: Iterable[float]) -> list[Span]:
    start, end = span
    cut: list[Span] = []
    for moment in moments:
        if moment - start >= SHORTEST_PIECE and end - moment >= SHORTEST_PIECE:
            cut.append((start, moment))
            start = moment
    return [*cut, (start, end)]


def windows(piece: Span) -> list[Span]:
    """Overlapping windows that cover the piece; one as long as the piece when that is short."""
    start, end = piece
    if end - start <= WINDOW:
        return [piece]
    starts = np.arange(start, end - WINDOW, HOP)
    return [(float(at), float(at) + WINDOW) for at in starts] + [(end - WINDOW, end)]


def embed(audio: Audio, spans: list[Span], tell: Callable[[float], None]) -> np.ndarray:
    """One unit vector of 256 values a span, which point the same way for the same voice: [spans, 256].

    `tell` is told the moment (seconds) reached.
    """
    model = load(EMBEDDING)
    vectors = np.empty((len(spans), SIZE), np.float32)
    for index, (start, end) in enumerate(spans):
        short = max(0.0, SHORTEST_SAMPLE - (end - start)) / 2
        pcm = audio.pcm(start - short, end + short)
        features = fbank(np.pad(pcm, (0, max(0, int(SHORTEST_SAMPLE * RATE) - len(pcm)))))
        weights = np.ones(len(features), np.float32)
        vector = model.run(None, {"fbank": features[None], "weights": weights[None]})[0][0]
        vectors[index] = vector / np.linalg.norm(vector)
        tell(end)
    return vectors


def fbank(pcm: np.ndarray) -> np.ndarray:
    """Log mel energies as the embedding model was trained on, their mean removed: [frames, 80]."""
    options = kaldi_native_fbank.FbankOptions()
    options.frame_opts.samp_freq = RATE
    options.frame_opts.dither = 0
    options.frame_opts.window_type = "hamming"
    options.mel_opts.num_bins = MEL_BINS
    bank = kaldi_native_fbank.OnlineFbank(options)
    bank.accept_waveform(RATE, pcm.astype(np.float32))
    bank.input_finished()
    features = np.stack([bank.get_frame(frame) for frame in range(bank.num_frames_ready)])
    return features - features.mean(axis=0)
