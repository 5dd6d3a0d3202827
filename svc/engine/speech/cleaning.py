"""What a recogniser should not have written: loops, and words where nobody spoke."""

import re

from svc.engine.models.protocol import Passage
from svc.engine.speech.spans import Span, overlap, total
from svc.engine.speech.text import spaceless, spell
from svc.engine.transcript import Word

# Whisper's own limits for a decode that went wrong (openai/whisper, transcribe.py); a second try may be less sure.
MAX_COMPRESSION = 2.4
MIN_LOGPROB, MIN_LOGPROB_AGAIN = -1.0, -1.3
MAX_NO_SPEECH = 0.6

LONGEST_LOOP = 12  # words in one round
PHRASE_ROUNDS, WORD_ROUNDS = 4, 8  # more often nobody says the same phrase, the same word on end

MIN_OVER_SPEECH = 0.3  # share of a passage's words that must lie where there is speech

# What Whisper learnt from subtitles, and writes over music and noise. Believed only when it is sure of it.
CREDITS = re.compile(
    r"^(you|bye|thank you( (so|very) much)?|thanks|(thank you|thanks) for (watching|listening|viewing).*"
    r"|.*\b(subscribe|amara\.org)\b.*|(subtitle[sd]|caption(s|ed)|transcription|transcribed|translated) by.*"
    r"|.*(sous-titr|untertitel(ung)? (im|von|der)|sottotitoli|subtítulos|legendas? (por|pela)|napisy|altyazı).*"
    r"|.*(субтитр|продолжение следует|спасибо за просмотр|ご視聴|字幕|点赞|시청해).*"
    r"|merci( d'avoir regardé.*)?|danke( fürs zuschauen)?|gracias( por ver.*)?|obrigad[oa]|grazie( a tutti)?)$"
)
SURE_LOGPROB, SURE_NO_SPEECH = -0.5, 0.3


def nothing_said(passage: Passage, speech: list[Span]) -> bool:
    """Whether the passage was made up over something that is not speech. Its words and `speech` are on one clock."""
    text = spell(passage.words)
    if not any(char.isalnum() for char in text) or is_noise_label(text):
        return True
    spoken = total((word.start, word.end) for word in passage.words)
    if sum(overlap(speech, word.start, word.end) for word in passage.words) < MIN_OVER_SPEECH * spoken:
        return True
    unsure = passage.logprob < SURE_LOGPROB
    if passage.no_speech > MAX_NO_SPEECH and (unsure or passage.compression > MAX_COMPRESSION):
        return True
    return is_credit(text) and (unsure or passage.no_speech > SURE_NO_SPEECH)


def is_credit(text: str) -> bool:
    return CREDITS.match(text.lower().strip(" .!?。！♪-")) is not None


def is_noise_label(text: str) -> bool:
    """`[Music]`, `(applause)`, `♪ …`: a description of sound, not speech."""
    return re.fullmatch(r"[\[(*♪].*[\])*♪]?", text.strip(), re.DOTALL) is not None and not re.search(r"[\])] +\w", text)


def garbled(passage: Passage, second_try: bool) -> bool:
    """Whether the decode went wrong. What a second try repeats, `without_loops` shortens."""
    if second_try:
        return passage.logprob < MIN_LOGPROB_AGAIN
    return passage.logprob < MIN_LOGPROB or passage.compression > MAX_COMPRESSION


def without_loops(words: list[Word]) -> list[Word]:
    """The words without the further rounds of a loop; the first round stays."""
    owners = [index for index, word in enumerate(words) for _ in tokens_of(word)]
    tokens = [token for word in words for token in tokens_of(word)]
    dropped: set[int] = set()
    begin = 0
    while begin < len(tokens):
        length, rounds = loop_at(tokens, begin)
        dropped |= {*owners[begin : begin + length * rounds]} - {*owners[begin : begin + length]}
        begin += max(1, length * rounds)
    return [word for index, word in enumerate(words) if index not in dropped]


def loop_at(tokens: list[str], begin: int) -> tuple[int, int]:
    """The length and number of rounds of the loop that begins there; (0, 0) without one."""
    for length in range(1, LONGEST_LOOP + 1):
        rounds, phrase = 1, tokens[begin : begin + length]
        while tokens[begin + rounds * length : begin + (rounds + 1) * length] == phrase:
            rounds += 1
        if rounds >= (WORD_ROUNDS if length == 1 else PHRASE_ROUNDS):
            return length, rounds
    return 0, 0


def tokens_of(word: Word) -> list[str]:
    """What is compared: the runs of letters and digits, or single characters of a script without spaces."""
    found: list[str] = []
    for run in re.findall(r"\w+", word.text.lower()):
        found += list(run) if spaceless(run[0]) else [run]
    return found
