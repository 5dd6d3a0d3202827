"""Captions of a talk: two voices, eight minutes, and sentences of every kind that is a key moment."""

SECONDS_A_LINE = 20
ANN, BOB = "Ann Lee", "Bob"
LINES = [
    (ANN, "Today we talk about two things that I love, bread and telescopes."),
    (ANN, "A sourdough starter is only flour and water, and wild yeast grows in the flour."),
    (BOB, "Let me show you how to fold the dough without tearing it."),
    (BOB, "Fold the dough four times, and let the dough rest in the bowl."),
    (ANN, "The most important step is the second rise, because cold dough rises slowly."),
    (ANN, "Bread dough needs 500 grams of flour and 350 grams of water."),
    (BOB, "We decided to use rye flour for half of the bread that we bake."),
    (BOB, "A hot oven makes a good crust on the bread."),
    (ANN, "Steam in the oven keeps the crust soft until the bread has risen."),
    (ANN, "The crumb of the bread is wet when the bread is still hot."),
    (BOB, "Bake the bread until the crust is dark and the oven smells of bread."),
    (BOB, "That was bread, and now the night sky is waiting for us."),
    (ANN, "A telescope collects light with a mirror or with a lens."),
    (ANN, "Galileo Galilei pointed a small telescope at Jupiter and saw four moons."),
    (BOB, "As Carl Sagan said, \"somewhere, something incredible is waiting to be known.\""),
    (BOB, "The Hubble Space Telescope was launched by NASA and flies above the air."),
    (ANN, "A large telescope needs a mirror that is smooth, and Galileo Galilei had only a lens."),
    (ANN, "Astronomers in Chile choose dry mountains for a telescope, where the sky is dark."),
    (BOB, "A space telescope sees the light of galaxies that is older than the Earth."),
    (BOB, "Point the telescope at the Moon first, because the Moon is bright."),
    (ANN, "The moons of Jupiter move every night, and a small telescope shows them."),
    (ANN, "The light of the Moon hides the weak stars from the telescope."),
    (BOB, "Subscribe to this channel for more nights under the stars."),
    (BOB, "Thank you for being with us, and good night."),
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
