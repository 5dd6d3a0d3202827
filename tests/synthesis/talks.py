"""Small transcripts for the tests of the synthesis."""

import re
import tempfile
import weakref

from svc.engine.request import Config, Options, Request
from svc.engine.run import Run
from svc.engine.seen import Scene, Seen
from svc.engine.synthesize import synthesize
from svc.engine.transcript import Segment, Transcript

BREAD = """
Today we're going to talk about two things I love, bread and telescopes. A sourdough starter is only flour and water.
You feed the starter every day, and wild yeast grows in the flour. The dough needs 500 grams of bread flour and
350 grams of water. Let me show you how to fold the dough without tearing it. Fold the dough four times, and let the
dough rest for an hour. The longest step is the second rise, because cold dough rises slowly in the fridge. A hot oven
makes a good crust, so heat the oven to 250 degrees. Steam in the oven keeps the crust soft until the bread has risen.
Bake the bread for forty minutes until the crust is dark. We decided to use rye flour for half of the loaves. Cut the
bread only when it is cold, or the crumb of the bread will be wet.
"""
STARS = """
A telescope collects light with a mirror or a lens. The mirror of a large telescope must be smooth to a fraction of the
wavelength of light. Galileo Galilei pointed a small telescope at Jupiter in 1610 and saw four moons. Galilei drew the
moons of Jupiter every night. The Hubble Space Telescope was launched by NASA and flies above the air that makes stars
twinkle. As Carl Sagan said, "somewhere, something incredible is waiting to be known." A space telescope sees the light
of galaxies that is older than the Earth. The James Webb telescope unfolds a golden mirror of six metres. Astronomers
in Chile choose dry mountains, where the night sky is dark and the stars are clear. Point the telescope at the Moon
first, because the Moon is bright and easy to find in the sky. Subscribe to this channel for more nights under the
stars.
"""
GERMAN = """
Heute geht es um den Garten im Herbst. Die Apfelbäume brauchen im Oktober einen kräftigen Schnitt. Herr Schmidt aus
Hamburg pflanzt seine Apfelbäume am 3. Mai. Ein guter Boden enthält viel Kompost und wenig Sand. Wer im Herbst Kompost
verteilt, spart im Frühling viel Arbeit. Die Rosen bekommen erst nach dem Frost ihren Schnitt. Äh, und dann gießen wir
die Rosen nur noch einmal in der Woche.
"""
CHINESE = """
人工智能正在改变医院的工作方式。医生使用人工智能分析医学图像。医学图像的分析速度提高了三倍。医院的病人因此得到更快的诊断。
然而,数据安全仍然是医院面临的最大问题。许多医院开始培训医生使用人工智能。
"""
THAI = "ปัญญาประดิษฐ์กำลังเปลี่ยนการทำงานของโรงพยาบาล แพทย์ใช้ปัญญาประดิษฐ์วิเคราะห์ภาพทางการแพทย์ โรงพยาบาลต้องดูแลข้อมูลของผู้ป่วย"
JAPANESE = """
人工知能は病院の仕事を変えています。医師は人工知能を使って医療画像を分析します。画像の分析は三倍速くなりました。
しかし、病院にとってデータの安全は最大の課題です。
"""

WORDS_A_SECOND = 2.5


def run(detail: str = "full") -> Run:
    """A run of its own folder, which goes when nobody holds the run any more."""
    folder = tempfile.TemporaryDirectory()
    request = Request("file", "talk.mp4", options=Options(detail=detail))
    made = Run(request, Config("models", folder.name), lambda event: None)
    weakref.finalize(made, folder.cleanup)
    return made


def sentences_of(text: str) -> list[str]:
    return re.split(r"(?<=[.!?。])\s*(?=\S)", " ".join(text.split()))


def timed(lines: list[str], pause: float = 0.1, speakers: list[str] | None = None) -> list[Segment]:
    """One segment a line, as long as speaking it takes."""
    segments, now = [], 0.0
    for number, line in enumerate(lines):
        length = max(1, len(line.split())) / WORDS_A_SECOND
        segments.append(Segment(round(now, 3), round(now + length, 3), line, speakers[number] if speakers else None))
        now += length + pause
    return segments


def caption_lines(text: str, words: int = 7) -> list[str]:
    """The text as automatic captions have it: lines of a few lower-case words without punctuation."""
    plain = re.sub(r"[^\w\s']", "", text).lower().split()
    return [" ".join(plain[at : at + words]) for at in range(0, len(plain), words)]


def transcript(segments: list[Segment], language: str | None = "en") -> Transcript:
    return Transcript("asr", "word", segments, language)


def seen(*scenes: Scene, overview: str = "") -> Seen:
    lines = [(text, scene.start, scene.end) for scene in scenes for text in scene.text]
    end = max((scene.end for scene in scenes), default=0.0)
    return Seen("local-screen", 1.0, "high" if scenes else "none", overview, list(scenes), lines, end)


def digest(lines: list[str], language: str | None = "en", detail: str = "full", meta=None, shown: Seen | None = None):
    return synthesize(run(detail), transcript(timed(lines), language), meta or {}, shown)
