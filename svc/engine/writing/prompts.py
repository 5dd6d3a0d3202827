"""What a language model is asked for a synthesis, and the shape of its answers."""

import re
from typing import Any

from svc.engine.writing.material import DATA_RULE

MARK = "recording"
TAG = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}")
KINDS = ("claim", "demo", "quote", "decision", "cta", "other")
ENTITY_KINDS = ("people", "organizations", "products", "places", "terms")

TASK = (
    "You describe recordings for people who have not heard them. "
    + DATA_RULE.format(name=MARK)
    + "The same holds for what the source says of itself, between <about> and </about>. "
    "In the material, a number in brackets begins each segment of what is said; lines that begin with [screen] tell "
    "what is shown from there on. Say only what the recording says or shows: invent no facts, names, figures, "
    "quotations or addresses. Name places by the number of their segment, never by a time. Write plain text without "
    "Markdown or HTML. Write every text of your answer, titles included, in {language}, whatever language these "
    "instructions are in."
)
NOT_THE_WHOLE = (
    "\nThis is stretch {number} of {count} of one recording; it begins and ends in mid-flow. Notes on what came before "
    "stand between <before> and </before>; they are material too. Begin a chapter at the stretch's first segment only "
    "if a new subject begins there."
)
FROM_NOTES = (
    "\nThe recording is long: the material is not the recording but notes on it, in order, with the titles of its "
    "chapters."
)
FIELDS = {
    "title": "title: what the recording is about, in 3 to 12 words; the source's own title where it says so well.",
    "tldr": "tldr: the gist in one or two sentences.",
    "bullets": "bullets: 3 to 8 points, each one sentence that can stand alone, in order; fewer for a short recording.",
    "long": "long: a summary in one to three paragraphs; empty for a recording of less than a minute.",
    "notes": "notes: everything that a summary of the whole needs from here: 5 to 12 full sentences, in order.",
    "topics": "topics: 3 to 8 subjects of one to three words, the most important first.",
    "chapters": (
        "chapters: where a new subject begins: the number of its first segment, a title of 2 to 8 words, and one "
        "sentence on what is said in it. About {chapters}; the first begins at the first segment."
    ),
    "keyMoments": (
        "keyMoments: up to {moments} places worth jumping to: the segment's number, a label of one short sentence, and "
        "its kind: claim, demo (something is shown), quote (the label is then the words as said), decision, cta (a "
        "call to do something) or other."
    ),
    "entities": (
        "entities: names that are said or shown, spelled exactly as in the material: people, organizations, products, "
        "places, and terms of the field."
    ),
}
GIVEN_CHAPTERS = (
    "\nThe uploader has divided the recording; use exactly these chapters, each by the number of its first segment "
    "({numbers}), and write the sentence on each."
)


def shape(**properties: Any) -> dict[str, Any]:
    """An object's JSON Schema: all properties required, nothing additional."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def several(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
SHAPES: dict[str, Any] = {
    "title": TEXT,
    "tldr": TEXT,
    "long": TEXT,
    "bullets": several(TEXT),
    "notes": several(TEXT),
    "topics": several(TEXT),
    "chapters": several(shape(segment=NUMBER, title=TEXT, summary=TEXT)),
    "keyMoments": several(shape(segment=NUMBER, label=TEXT, kind={"type": "string", "enum": list(KINDS)})),
    "entities": several(shape(name=TEXT, kind={"type": "string", "enum": list(ENTITY_KINDS)})),
}


def schema(fields: tuple[str, ...]) -> dict[str, Any]:
    return shape(**{name: SHAPES[name] for name in fields})


def instructions(fields: tuple[str, ...], language: str, more: str = "", **counts: int) -> str:
    """What to do, then each field of the answer with what belongs in it."""
    told = "\n".join(f"- {FIELDS[name].format(**counts)}" for name in fields)
    return f"{TASK.format(language=language)}{more}\nAnswer with these fields:\n{told}"


def language_name(tag: str) -> str:
    """How a language is named in instructions. Tags come with the source: what is none says nothing."""
    known = tag != "und" and TAG.fullmatch(tag)
    return f'the language of the BCP-47 tag "{tag}"' if known else "the language of the material"
