"""Captions of a talk: two voices, eight minutes, and sentences of every kind that is a key moment."""

SECONDS_A_LINE = 20
ANN, BOB = "Ann Lee", "Bob"
LINES = [
    (ANN, "The most important thing about bread dough is time, because cold dough rises slowly."),
    (ANN, "Bread dough needs 500 grams of flour and 350 grams of water."),
    (BOB, "Let me show you how to fold the bread dough without tearing the dough."),
    (BOB, "As you can see here, the bread dough is folded four times."),
    (ANN, "We decided to use rye flour for half of the bread dough."),
    (ANN, "We agreed to bake the bread dough in a hot oven."),
    (BOB, 'Our baker said, "the bread dough tells you when the bread is ready."'),
    (BOB, 'My mother said, "never hurry the bread dough, and never open the oven."'),
    (ANN, "Please send me a picture of your bread dough and of your bread."),
    (ANN, "Leave a comment about your bread dough and your oven."),
    (BOB, "Let me show you how the bread dough looks in the oven, and how the bread comes out of the oven."),
    (BOB, "As you can see here, the bread is dark and the oven is hot."),
    (ANN, 'The old bakers said, "the bread dough, the oven and the baker make the bread."'),
    (BOB, "The best telescope is the telescope that you use at night."),
    (BOB, "A telescope of 200 millimetres shows the moons of Jupiter at night."),
    (ANN, "Let me show you how to point the telescope at the Moon at night."),
    (ANN, "As you can see here, the telescope shows the moons of Jupiter."),
    (BOB, "We decided to buy a telescope with a mirror for the night."),
    (BOB, "We agreed to point the telescope at the Moon every night."),
    (ANN, 'Galileo Galilei said, "the telescope shows four moons of Jupiter at night."'),
    (ANN, 'Carl Sagan said, "somewhere, something incredible is waiting to be known."'),
    (BOB, "Let me show you the telescope and the Moon, and the moons of Jupiter at night."),
    (ANN, 'The astronomers said, "a telescope, a clear night and the Moon are enough."'),
    (BOB, "Please send me a picture that your telescope took of the Moon at night."),
    (BOB, "Subscribe to this channel for more nights with the telescope."),
]
SECONDS = SECONDS_A_LINE * len(LINES)
CHAPTERS = [
    {"start_time": 0, "end_time": SECONDS // 2, "title": "Bread"},
    {"start_time": SECONDS // 2, "end_time": SECONDS, "title": "Telescopes"},
]


def clock(seconds: int) -> str:
    return f"00:{seconds // 60:02}:{seconds % 60:02}.000"


TALK = "WEBVTT\n\n" + "\n".join(
    f"{clock(number * SECONDS_A_LINE)} --> {clock((number + 1) * SECONDS_A_LINE)}\n<v {voice}>{text}</v>\n"
    for number, (voice, text) in enumerate(LINES)
)

TTML_WITHOUT_ENDS = (
    '<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="0s">Good morning.</p>'
    '<p begin="00:00:01.000">This is it.</p></div></body></tt>'
)
