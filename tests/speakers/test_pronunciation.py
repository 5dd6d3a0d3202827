"""What a reader says for a token, and the phones of words that no dictionary has."""

import pytest

from svc.engine.models.local.pronounce import phones, spoken

DICTIONARY = {
    "stream": "S T R IY M",
    "live": "L AY V",
    "cook": "K UH K",
    "make": "M EY K",
    "run": "R AH N",
    "nasa": "N AE S AH",
}


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ("Hello,", "hello"),
        ("“Don’t!”", "don't"),
        ("25%", "twenty five percent"),
        ("$3.50", "three point five zero dollars"),
        ("2,500", "two thousand five hundred"),
        ("1999", "nineteen ninety nine"),
        ("1990s", "nineteen nineties"),
        ("3rd", "third"),
        ("007", "zero zero seven"),
        ("10:30", "ten thirty"),
        ("5551234567", "five five five one two three four five six seven"),
        ("3D", "three d"),
        ("U.S.", "u s"),
        ("GPT-4", "g p t four"),
        ("NASA", "nasa"),
        ("rock-and-roll", "rock and roll"),
        ("R&D", "r and d"),
        ("naïve", "naive"),
        ("—", ""),
        ("привет", ""),
        ("ıſ", "s"),
    ],
)
def test_token_is_read_aloud(token, said):
    assert spoken(token, DICTIONARY.get) == said.split()


@pytest.mark.parametrize(
    ("word", "sounds"),
    [
        ("nasa", "N AE S AH"),
        ("nasa's", "N AE S AH Z"),
        ("making", "M EY K IH NG"),
        ("runner", "R AH N ER"),
        ("livestream", "L AY V S T R IY M"),
        ("grawlix", "G R AO L IH K S"),
        ("plake", "P L AE K"),
        ("https", "EY CH T IY T IY P IY EH S"),
    ],
)
def test_word_has_phones(word, sounds):
    assert phones(word, DICTIONARY.get) == sounds


def test_every_latin_word_has_phones():
    assert all(phones(word, lambda _: None) for word in ("a", "i", "xyzzy", "zzz", "'tis", "o'neill's"))
