"""The caption files of the site, two short sentences in every form."""

import json

MANUAL_EN = """WEBVTT

NOTE written by hand

1
00:00:00.000 --> 00:00:01.000 line:80%
<i>Good morning</i> &amp; welcome.

2
00:00:01.000 --> 00:00:02.000
This is the talk.
"""
MANUAL_DE = """WEBVTT

00:00:00.000 --> 00:00:01.000
Guten Morgen und willkommen.

00:00:01.000 --> 00:00:02.000
Das ist der Vortrag.
"""
VOICES = """WEBVTT

00:00:00.000 --> 00:00:01.000
<v Ann Lee>Are you there?

00:00:01.000 --> 00:00:02.000
<v Bob>Yes, I am.</v>
"""
SRT = "1\r\n00:00:00,000 --> 00:00:01,000\r\nGood morning.\r\n\r\n2\r\n00:00:01,000 --> 00:00:02,000\r\nThis is it.\r\n"
# What a site's speech recognition writes: every line is shown twice, with a time on each word.
ROLLING = """WEBVTT
Kind: captions
Language: en

00:00:00.000 --> 00:00:00.990 align:start position:0%
\x20
good<00:00:00.300><c> morning</c><00:00:00.600><c> and</c>

00:00:00.990 --> 00:00:01.000 align:start position:0%
good morning and
\x20

00:00:01.000 --> 00:00:01.990 align:start position:0%
good morning and
welcome<00:00:01.300><c> to</c><00:00:01.600><c> this</c>

00:00:01.990 --> 00:00:02.000 align:start position:0%
welcome to this
\x20
"""
TTML = (
    '<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="0s" end="1s">Good<br/>morning.</p>'
    '<p begin="00:00:01.000" end="00:00:02.000">This is <span>it</span>.</p></div></body></tt>'
)


def json3(*lines: str) -> str:
    """Timed text of one line a second, each line broken into words, with the appended breaks in between."""
    events: list[dict] = [{"tStartMs": 0, "dDurationMs": len(lines) * 1000, "id": 1, "wpWinPosId": 1}]
    for number, line in enumerate(lines):
        parts = [{"utf8": word + " ", "tOffsetMs": 100 * place} for place, word in enumerate(line.split())]
        events.append({"tStartMs": number * 1000, "dDurationMs": 1900, "wWinId": 1, "segs": parts})
        events.append({"tStartMs": number * 1000 + 900, "wWinId": 1, "aAppend": 1, "segs": [{"utf8": "\n"}]})
    return json.dumps({"wireMagic": "pb3", "events": events})


FILES = {
    "/captions/manual.en.vtt": MANUAL_EN,
    "/captions/manual.de.vtt": MANUAL_DE,
    "/captions/voices.vtt": VOICES,
    "/captions/rolling.vtt": ROLLING,
    "/captions/lines.srt": SRT,
    "/captions/lines.ttml": TTML,
    "/captions/auto.en.json3": json3("good morning and welcome", "this is the talk"),
    "/captions/translated.fr.json3": json3("bonjour et bienvenue", "voici la conférence"),
    "/captions/empty.vtt": "",
    "/captions/broken.vtt": "<html>sorry</html>",
}
