"""The languages of Whisper, under the names that OpenAI's API gives them (openai/whisper, tokenizer.py)."""

from svc.engine.language import short_code

# A short code and its names; the most spoken first, as in the original.
NAMES = """
en english|zh chinese mandarin|de german|es spanish castilian|ru russian|ko korean|fr french|ja japanese|pt portuguese
tr turkish|pl polish|ca catalan valencian|nl dutch flemish|ar arabic|sv swedish|it italian|id indonesian|hi hindi
fi finnish|vi vietnamese|he hebrew|uk ukrainian|el greek|ms malay|cs czech|ro romanian moldavian moldovan|da danish
hu hungarian|ta tamil|no norwegian|th thai|ur urdu|hr croatian|bg bulgarian|lt lithuanian|la latin|mi maori
ml malayalam|cy welsh|sk slovak|te telugu|fa persian|lv latvian|bn bengali|sr serbian|az azerbaijani|sl slovenian
kn kannada|et estonian|mk macedonian|br breton|eu basque|is icelandic|hy armenian|ne nepali|mn mongolian|bs bosnian
kk kazakh|sq albanian|sw swahili|gl galician|mr marathi|pa punjabi panjabi|si sinhala sinhalese|km khmer|sn shona
yo yoruba|so somali|af afrikaans|oc occitan|ka georgian|be belarusian|tg tajik|sd sindhi|gu gujarati|am amharic
yi yiddish|lo lao|uz uzbek|fo faroese|ht haitian|ps pashto pushto|tk turkmen|nn nynorsk|mt maltese|sa sanskrit
lb luxembourgish letzeburgesch|my myanmar burmese|bo tibetan|tl tagalog|mg malagasy|as assamese|tt tatar|haw hawaiian
ln lingala|ha hausa|ba bashkir|jv javanese|su sundanese|yue cantonese
"""
LANGUAGES = {name: row.split()[0] for row in NAMES.replace("\n", "|").split("|") for name in row.split()[1:]}
CODES = tuple(dict.fromkeys(LANGUAGES.values()))


def code_of(name: str) -> str | None:
    """The short code of a language that a server named (`english`, `Haitian Creole`, `en`, `en-US`), if it is known."""
    words = name.strip().lower().split() or [""]
    code = LANGUAGES.get(words[0]) or short_code(words[0])
    return code if code in CODES else None
