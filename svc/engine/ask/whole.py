"""Answers about a whole: what it is about, its chapters, who speaks; from the synthesis and the transcript's facts."""

from collections.abc import Callable
from functools import partial
from itertools import islice

from svc.engine.ask.quoting import Passage, Quoter
from svc.engine.ask.reading import LAST_SECOND, Citation
from svc.engine.ask.told import Told
from svc.engine.export import clock
from svc.engine.synthesis.summary import Ranking
from svc.engine.synthesis.wording import clipped, trimmed
from svc.engine.writing.material import readable
from svc.engine.writing.snap import bare

LINE_LETTERS, BULLET_LETTERS, SUMMARY_LETTERS = 200, 400, 2000
MOST_LISTED, MOST_CITED, MOST_PASSAGES, MOST_TOPICS = 20, 12, 3, 6
LEAST_WORDS = 5  # a sentence that short is no sign of being the one that a summary quotes
UNLABELLED = "The transcript does not tell the speakers apart."
NOTHING_NAMED = "The question names nothing that could be looked for. In short:"
NONE_NOTED = "This Context notes none."


def shown(text: str, letters: int = LINE_LETTERS) -> str:
    """A text of the Context, which may hold anything, as one line."""
    return clipped(readable(text), letters)


def of_the_whole(quoter: Quoter) -> Told:
    """For a question that names nothing to look for: what of the whole it asks for, else what that is about."""
    if quoter.question.screen and not quoter.question.general:
        return quoter.of_the_screen()
    if quoter.question.general:
        return TELL[quoter.question.general](quoter)
    if (at := quoter.index.verbatim(quoter.question.text)) is not None:
        told = Told()
        quoter.quote(told, [Passage(at, at)])
        return told
    told = tell_summary(quoter)
    return Told([NOTHING_NAMED, *told.texts], told.citations, told.notes)


def tell_summary(quoter: Quoter) -> Told:
    summary = quoter.reading.synthesis.get("summary") or {}
    if tldr := shown(summary.get("tldr") or "", SUMMARY_LETTERS):
        cited = said_in(quoter, tldr) or anchors(quoter)[:MOST_PASSAGES]
        topics = [shown(topic) for topic in quoter.reading.synthesis.get("topics", [])[:MOST_TOPICS]]
        return Told([tldr, *([f"Topics: {', '.join(topics)}."] if topics else [])], cited)
    if not quoter.sentences:
        return quoter.of_the_screen()
    told = Told()
    ranking = Ranking(quoter.sentences, quoter.reading.language)
    quoter.quote(told, [Passage(at, at) for at in ranking.tldr()])
    return told


def tell_points(quoter: Quoter) -> Told:
    bullets = [
        shown(text, BULLET_LETTERS) for text in (quoter.reading.synthesis.get("summary") or {}).get("bullets", [])
    ]
    if not any(bullets):
        return tell_summary(quoter)
    told = Told([" ".join(f"({number}) {text}" for number, text in enumerate(bullets[:MOST_LISTED], 1))])
    told.citations = [cited for text in bullets for cited in said_in(quoter, text)][:MOST_CITED]
    told.citations = told.citations or anchors(quoter)[:MOST_PASSAGES]
    return told


def said_in(quoter: Quoter, text: str) -> list[Citation]:
    """Where the sentences of a text were said, if they were said like that."""
    wanted, language = bare(text), quoter.reading.language
    found = [s for s in quoter.sentences if s.length >= LEAST_WORDS and bare(trimmed(s.text, language)) in wanted]
    return [cited for s in found[:MOST_PASSAGES] for cited in quoter.cite(s.segment, s.last)]


def anchors(quoter: Quoter) -> list[Citation]:
    """The segments at which the chapters begin."""
    places = [quoter.reading.at(chapter["anchor"]) for chapter in quoter.reading.synthesis.get("chapters", [])]
    return [cited for place in places if place is not None for cited in quoter.cite(place, place)]


def tell_chapters(quoter: Quoter) -> Told:
    chapters = quoter.reading.synthesis.get("chapters", [])[:MOST_LISTED]
    named = [f"{clock(c['start'])} {shown(c['title'])}" for c in chapters if 0 <= c["start"] <= LAST_SECOND]
    if named:
        return Told([f"{'; '.join(named)}."], anchors(quoter)[:MOST_CITED])
    topics = [shown(topic) for topic in quoter.reading.synthesis.get("topics", [])[:MOST_LISTED]]
    return Told([f"{', '.join(topics)}."]) if topics else Told([NONE_NOTED])


def tell_speakers(quoter: Quoter) -> Told:
    speakers = quoter.reading.transcript.get("speakers", [])
    if not speakers:
        return Told([UNLABELLED])
    told = Told()
    named = []
    for speaker in speakers[:MOST_LISTED]:
        name = quoter.reading.speakers[speaker["id"]]
        lasting = f" ({clock(speaker['seconds'])})" if 0 <= speaker["seconds"] <= LAST_SECOND else ""
        named.append(f"{name}{lasting}")
        own = [at for at, segment in enumerate(quoter.reading.segments) if segment.speaker == speaker["id"]]
        told.citations += [cited for at in own[:1] for cited in quoter.cite(at, at)]
    count = "One speaker" if len(speakers) == 1 else f"{len(speakers)} speakers"
    told.texts.append(f"{count}: {', '.join(named)}.")
    told.citations = told.citations[:MOST_CITED]
    return told


def tell_length(quoter: Quoter) -> Told:
    end = max((segment.end for segment in quoter.reading.segments), default=0.0)
    seconds = quoter.reading.meta.get("durationSeconds", end)
    return Told([f"{clock(seconds if 0 <= seconds <= LAST_SECOND else end)}."])


def tell_title(quoter: Quoter) -> Told:
    title = quoter.reading.meta.get("title") or quoter.reading.synthesis.get("title") or ""
    return Told([f"“{shown(title)}”" if shown(title) else NONE_NOTED])


def tell_decisions(quoter: Quoter) -> Told:
    return moments(quoter, "decision") or Told([NONE_NOTED])


def tell_highlights(quoter: Quoter) -> Told:
    return moments(quoter) or tell_summary(quoter)


def moments(quoter: Quoter, kind: str | None = None) -> Told | None:
    """Key moments of a kind, or all of them."""
    told = Told()
    for moment in quoter.reading.synthesis.get("keyMoments", []):
        place = quoter.reading.at(moment["segmentIndex"])
        if place is not None and kind in (None, moment["kind"]) and len(told.texts) < MOST_CITED:
            start = clock(quoter.reading.segments[place].start)
            told.texts.append(f"At {start}: {ended(shown(moment['label']))}")
            told.citations += quoter.cite(place, place)
    return told if told.texts else None


def ended(text: str) -> str:
    """A text with a mark at its end."""
    return text if text[-1:] in ".!?…。" else f"{text}."


def names(quoter: Quoter, kind: str) -> Told:
    entities = [e for e in quoter.reading.synthesis.get("entities", []) if e["kind"] == kind][:MOST_LISTED]
    if not entities:
        return Told([NONE_NOTED])
    told = Told([f"{', '.join(shown(entity['name']) for entity in entities)}."])
    for entity in entities:
        saying = (at for at, segment in enumerate(quoter.reading.segments) if entity["name"] in segment.text)
        told.citations += [cited for at in islice(saying, 1) for cited in quoter.cite(at, at)]
    told.citations = told.citations[:MOST_CITED]
    return told


TELL: dict[str, Callable[[Quoter], Told]] = {
    "summary": tell_summary,
    "points": tell_points,
    "chapters": tell_chapters,
    "speakers": tell_speakers,
    "length": tell_length,
    "title": tell_title,
    "decisions": tell_decisions,
    "highlights": tell_highlights,
    **{kind: partial(names, kind=kind) for kind in ("people", "organizations", "products", "places")},
}
