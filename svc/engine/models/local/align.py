"""Word times by forced alignment: pocketsphinx with the English model of its package, a stretch of speech at a time."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from pocketsphinx import Decoder, get_model_path

from svc.engine.media.audio import RATE, Audio
from svc.engine.models.local import pronounce
from svc.engine.speech.spans import Span
from svc.engine.speech.text import spread
from svc.engine.transcript import Segment, Word

FRAME = 0.01
MARGIN, ROUGH_MARGIN = 0.3, 2.0  # seconds by which times may be off; of guessed ones, those of a model that hears
LONGEST_STRETCH = 15.0
SHORTEST_WINDOW = 0.1

# Wide beams: the text is given, so the search is small, and the default ones lose the path in hesitant speech.
BEAMS = {"beam": 1e-120, "wbeam": 1e-100, "pbeam": 1e-120}

# Hesitations that are spoken but seldom written. Allowed between any two words, so that no word is stretched over one.
HESITATIONS = {"[uh]": "AH", "[um]": "AH M"}
HESITATION_PROBABILITY = 0.01


def align(audio: Audio, segments: list[Segment]) -> float:
    """Sets the times of every word, and of its segment, from the sound; answers with the share of words aligned.

    Words keep the times they came with where alignment fails. A segment without words gets its text's, marked
    `synthetic` where their times could only be interpolated. English; times never run backwards.
    """
    for segment in segments:
        segment.words = segment.words or interpolated(segment)
    aligner = Aligner()
    left = list(stretches(segments))
    count, aligned, earliest = sum(map(len, left)), 0, 0.0
    while left:
        words = left.pop(0)
        latest = left[0][0].start if left else audio.seconds
        if aligner.align(audio, *_window(words, earliest, latest), words):
            aligned += len(words)
        elif is_rough(words) and (parts := list(split(words)))[1:]:
            left[:0] = parts
            continue
        else:
            _keep_in_order(words, earliest)
        earliest = words[-1].end
    for segment in segments:
        if segment.words:
            segment.start, segment.end = segment.words[0].start, segment.words[-1].end
    return aligned / count if count else 0.0


def interpolated(segment: Segment) -> list[Word]:
    """The words of a segment's text, spread over its time in proportion to their letters."""
    words = spread(segment.text.split(), segment.start, segment.end)
    return [replace(word, speaker=segment.speaker) for word in words]


def stretches(segments: list[Segment]) -> Iterator[list[Word]]:
    """The words in runs to be aligned at once: those with rough times all together, for the text is all they have."""
    for rough, run in groupby((segment.words for segment in segments), key=is_rough):
        if rough:
            yield [word for words in run for word in words]
        else:
            yield from (stretch for words in run for stretch in split(words))


def is_rough(words: list[Word]) -> bool:
    """Whether most times are guesses."""
    return sum(word.synthetic for word in words) > len(words) / 2


def split(words: list[Word]) -> Iterator[list[Word]]:
    """Cuts words at their widest pauses into stretches short enough to align well."""
    if len(words) < 2 or words[-1].end - words[0].start <= LONGEST_STRETCH:
        if words:
            yield words
        return
    middle = len(words) / 2
    cut = max(range(1, len(words)), key=lambda i: (round(words[i].start - words[i - 1].end, 1), -abs(i - middle)))
    yield from split(words[:cut])
    yield from split(words[cut:])


class Aligner:
    """A decoder with the English acoustic model and dictionary (about 40 MB), used for one utterance after another."""

    def __init__(self) -> None:
        model = Path(get_model_path()) / "en-us"
        self._decoder = Decoder(
            hmm=str(model / "en-us"),
            dict=str(model / "cmudict-en-us.dict"),
            lm=None,
            loglevel="FATAL",
            bestpath=False,
            **BEAMS,
        )
        for name, sound in HESITATIONS.items():
            self._decoder.add_word(name, sound, True)

    def align(self, audio: Audio, begin: float, end: float, words: list[Word]) -> bool:
        """Sets the words' times from the sound from `begin` to `end` seconds. False, and no change, without a fit."""
        tokens = [pronounce.spoken(word.text, self._decoder.lookup_word) for word in words]
        said = [spoken for token in tokens for spoken in token]
        pcm = audio.pcm(begin, end)
        if not said or len(pcm) < SHORTEST_WINDOW * RATE:
            return False
        found = self._times(pcm.tobytes(), said)
        if len(found) != len(said):
            return False
        position, last = 0, begin
        for word, token in zip(words, tokens, strict=True):
            spans = found[position : position + len(token)]
            position += len(token)
            word.start = begin + spans[0][0] if spans else last
            word.end = last = begin + spans[-1][1] if spans else last
            word.synthetic = not spans
        return True

    def _times(self, pcm: bytes, said: list[str]) -> list[tuple[float, float]]:
        """Start and end in seconds of each spoken word, in order; fewer than `said` when there is no full path."""
        decoder = self._decoder
        for word in said:
            if decoder.lookup_word(word) is None:
                decoder.add_word(word, pronounce.phones(word, decoder.lookup_word), True)
        decoder.add_fsg("said", decoder.create_fsg("said", 0, len(said), _grammar(said)))
        decoder.activate_search("said")
        decoder.start_utt()
        decoder.process_raw(pcm, full_utt=True)
        decoder.end_utt()
        if decoder.hyp() is None:
            return []
        heard = [unit for unit in decoder.seg() if unit.word[0] not in "<["]
        return [(unit.start_frame * FRAME, (unit.end_frame + 1) * FRAME) for unit in heard]


def _grammar(said: list[str]) -> list[tuple[int, int, float, str]]:
    """Transitions (from, to, probability, word) of a chain of the words with optional hesitations around each."""
    chain = [(i, i + 1, 1.0, word) for i, word in enumerate(said)]
    return chain + [(i, i, HESITATION_PROBABILITY, name) for i in range(len(said) + 1) for name in HESITATIONS]


def _window(words: list[Word], earliest: float, latest: float) -> Span:
    """Where to look for the words: around their given times, but not inside what lies before and after."""
    margin = ROUGH_MARGIN if is_rough(words) else MARGIN
    end = min(words[-1].end, latest + MARGIN)
    return max(earliest, words[0].start - margin), min(max(latest, end), end + margin)


def _keep_in_order(words: list[Word], earliest: float) -> None:
    for word in words:
        word.start = max(word.start, earliest)
        word.end = earliest = max(word.end, word.start)
