"""A Matroska file with a picture and subtitles."""

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av.subtitles.subtitle import SubtitleSet

HEADER = (
    b"[Script Info]\nScriptType: v4.00+\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\nStyle: Default,Arial,16\n"
    b"[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
)
