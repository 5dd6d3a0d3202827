"""Text in pictures by RapidOCR: PP-OCR's small models, which come with the package; one thread, nothing is fetched."""

from typing import Any

import cv2
import numpy as np
from rapidocr import RapidOCR

from svc.engine.screen.lines import Line

NAME = "rapidocr-ppocrv6-small"

DETECT_SIDE = 960  # pixels of the longer side in which text is looked for
GLANCE_SIDE = 480  # enough to tell whether there is any

# What the models can't read, other scripts and textures above all, they read with low scores.
MIN_SCORE = 0.8
SHORT, MIN_SHORT_SCORE = 2, 0.9  # letters; a scratch or a leaf is easily read as one

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

PARAMETERS = {
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
    "Det.limit_side_len": DETECT_SIDE,
    "Det.limit_type": "max",
    "Global.log_level": "critical",
}


class TextReader:
    """Reads pictures given as uint8 values in the order blue, green, red. Places are in units of their height."""

    def __init__(self) -> None:
        cv2.setNumThreads(1)
        self.engine = RapidOCR(params=PARAMETERS)

    def glance(self, picture: np.ndarray) -> list[Box]:
        """Where there is something to read, by a quick look."""
        shrink = GLANCE_SIDE / max(picture.shape[:2])
        height, width = (max(1, round(side * shrink)) for side in picture.shape[:2])
        small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
        found: Any = self.engine(small, use_det=True, use_cls=False, use_rec=False)
        return [] if found.boxes is None else [bounds(box) for box in found.boxes / len(small)]

    def read(self, picture: np.ndarray) -> list[Line]:
        """Pieces of text, in no particular order."""
        found: Any = self.engine(picture, use_det=True, use_cls=False, use_rec=True)
        if found.boxes is None:
            return []
        pieces = zip(found.txts, found.scores, found.boxes / len(picture), strict=True)
        return [
            Line(" ".join(text.split()), round(float(score), 3), *bounds(corners))
            for text, score, corners in pieces
            if is_readable(text, score)
        ]


def is_readable(text: str, score: float) -> bool:
    letters = sum(map(str.isalnum, text))
    return letters > 0 and score >= (MIN_SHORT_SCORE if letters <= SHORT else MIN_SCORE)


def bounds(corners: np.ndarray) -> Box:
    (left, top), (right, bottom) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return round(left, 4), round(top, 4), round(right, 4), round(bottom, 4)
