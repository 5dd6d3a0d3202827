"""Answers that quote: what was said, or shown, about a subject or at a time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from svc.engine.ask import notes
from svc.engine.ask.question import EDGE_SECONDS, LAST, Question, Span
from svc.engine.ask.reading import Citation, Reading
from svc.engine.ask.search import Hit, Index
from svc.engine.ask.told import Told
from svc.engine.export import clock
from svc.engine.synthesis.summary import Ranking
from svc.engine.synthesis.wording import QUESTION, clipped
from svc.engine.writing.material import readable

# The share of the question that must be found for an answer, and for the closest passage there is: more of it where a
# name that is asked about never comes up.
SURE_SHARE, CLOSE_SHARE, NAMELESS_SHARE = 0.55, 0.4, 0.6
MOST_PASSAGES, NEXT_BEST = 3, 0.6
FACTS = ("number", "date", "place", "person")  # one sentence answers
NEXT_FACT = 0.8
QUOTE_LETTERS = 500
SHORT_WORDS, PASSAGE_WORDS, EDGE_WORDS = 4, 75, 30

NOT_SAID = "The transcript does not say anything that answers this."
NOT_SAID_NOTE = "Nothing in the transcript matches the question."
NOT_SHOWN = "Nothing that was on screen matches this."
NO_WORDS = "There is no transcript, and nothing that was on screen matches this."
CLOSEST = "The transcript does not say this in so many words. The closest it comes:"
CLOSEST_NOTE = "Only part of the question is found in the transcript."
SILENT = "Nothing is said between {start} and {end}."
TOO_LATE = "The transcript ends at {end}."
NOT_SAID_BY = "{who} does not say anything about this."
BY_OTHERS = "Others do:"
SELECTION = "A selection of what {who} says ({count} of {all} sentences):"
NO_SLIDE = "Slide {number} is not among the {count} with text that were on screen."
NOTHING_THEN = "Nothing is noted on screen at that time."


@dataclass(frozen=True)
class Passage:
    """Sentences `first` to `last` (with it)."""

    first: int
    last: int


class Quoter:
    def __init__(self, reading: Reading, question: Question):
        self.reading, self.question = reading, question
        self.sentences = reading.sentences
        self.index = Index(self.sentences, reading.language)

    # What was said about something.

    def of_subject(self, among: Sequence[int] | None = None) -> Told:
        """Passages with the words of the question, in order of time; the screen is asked when the question does, or
        when nobody says it."""
        hits = self.index.hits(self.question, among)
        best = hits[0] if hits else None
        shown = self.shown_matches()
        told = Told()
        within = range(len(self.sentences)) if among is None else among
        said = {term for at in within for term in self.sentences[at].terms}
        unsaid = [name for name in self.question.names if self.index.known(name) not in said]
        if best and best.share >= SURE_SHARE and not unsaid:
            self.quote(told, self.passages(hits))
        elif among is None and best and best.share >= (NAMELESS_SHARE if unsaid else CLOSE_SHARE) and not shown:
            told = Told([CLOSEST], notes=[CLOSEST_NOTE])
            self.quote(told, [self.whole(best.at)])
        elif not shown:
            return self.nothing_found()
        if shown and (self.question.screen or not told.texts):
            self.tell_screen(told, shown)
        elif self.question.screen and self.reading.seen:
            told.texts.append(NOT_SHOWN)
        return told

    def nothing_found(self) -> Told:
        if not self.sentences:
            return Told([NO_WORDS])
        return Told([NOT_SAID], notes=[NOT_SAID_NOTE])

    def passages(self, hits: list[Hit]) -> list[Passage]:
        """The best hits with what they lean on, in order of time, none twice."""
        least = hits[0].score * (NEXT_FACT if self.question.wants in FACTS else NEXT_BEST)
        good = [hit for hit in hits if hit.score >= least and hit.share >= SURE_SHARE]
        if self.question.wants in FACTS:
            good = [hit for hit in good if self.index.has_wanted(self.sentences[hit.at], self.question.wants)] or good
        chosen = [self.whole(hit.at) for hit in self.index.different(good, MOST_PASSAGES)]
        kept: list[Passage] = []
        for passage in sorted(chosen, key=lambda p: p.first):
            if kept and passage.first <= kept[-1].last + 1:
                kept[-1] = Passage(kept[-1].first, max(kept[-1].last, passage.last))
            else:
                kept.append(passage)
        return kept

    def whole(self, at: int) -> Passage:
        """A sentence with the one before where it leans on that, and the one after where it asks or is very short."""
        sentence = self.sentences[at]
        first = last = at
        opening = sentence.text.lower().split()[0].strip(",.’'")
        if (opening in self.reading.language.phrases.dependent or sentence.wholeness < 1) and self.go_on(at - 1, at):
            first = at - 1
        asks = bool(QUESTION.search(sentence.text))
        open_end = asks or sentence.length < SHORT_WORDS or sentence.wholeness < 1
        if open_end and self.go_on(at, at + 1, any_speaker=asks):
            last = at + 1
        return Passage(first, last)

    def go_on(self, one: int, other: int, any_speaker: bool = False) -> bool:
        """Whether two sentences follow each other in one turn and are not too long together."""
        if one < 0 or other >= len(self.sentences):
            return False
        a, b = self.sentences[one], self.sentences[other]
        return (any_speaker or a.speaker == b.speaker) and a.length + b.length <= PASSAGE_WORDS

    def quote(self, told: Told, passages: Iterable[Passage]) -> None:
        for number, passage in enumerate(passages):
            sentences = self.sentences[passage.first : passage.last + 1]
            words = clipped(readable(self.reading.language.joined(s.text for s in sentences)), QUOTE_LETTERS)
            broken = "…" if sentences[-1].wholeness < 1 and not words.endswith("…") else ""
            lead = ("At", "Then at")[number > 0]
            speaker = self.reading.speakers.get(sentences[0].speaker or "", sentences[0].speaker)
            who = f", {speaker}" if speaker and sentences[0].speaker == sentences[-1].speaker else ""
            told.texts.append(f"{lead} {clock(sentences[0].start)}{who}: “{words}{broken}”")
            told.citations += self.cite(sentences[0].segment, max(s.last for s in sentences))

    def cite(self, first: int, last: int) -> list[Citation]:
        return self.reading.cite(first, max(first, last))

    # What was on screen.

    def shown_matches(self) -> list[tuple[str, float]]:
        """What was on screen with most of the question's words, the best three in order of time."""
        language = self.reading.language
        terms = set(self.question.terms)
        counted = [(len(terms & set(language.terms(text))), text, start) for text, start in self.reading.shown]
        best = max((count for count, _, _ in counted), default=0)
        if best < SURE_SHARE * len(terms) or not best:
            return []
        return [(text, start) for count, text, start in counted if count == best][:MOST_PASSAGES]

    def tell_screen(self, told: Told, shown: Iterable[tuple[str, float]]) -> None:
        for text, start in shown:
            told.texts.append(f"On screen at about {clock(start)}: {clipped(text, QUOTE_LETTERS).rstrip('.')}.")
        told.notes.append(notes.SCREEN_TIMES)

    def of_the_screen(self) -> Told:
        told = Told()
        seen = self.reading.seen
        if not self.reading.shown:
            return Told([NOT_SHOWN])
        if seen and seen.overview:
            told.texts.append(seen.overview)
        self.tell_screen(told, self.reading.shown[:MOST_PASSAGES])
        return told

    def of_slide(self, number: int) -> Told:
        """What one slide shows, and what is said meanwhile if that is asked; slides are the scenes with text."""
        slides = [scene for scene in self.reading.seen.scenes if scene.text] if self.reading.seen else []
        if not slides:
            return Told([NOT_SHOWN])
        if number == LAST:
            number = len(slides)
        if not 0 < number <= len(slides):
            return Told([NO_SLIDE.format(number=number, count=len(slides))])
        told, slide = Told(), slides[number - 1]
        self.tell_screen(told, [(" · ".join(slide.text), slide.start)])
        if self.question.spoken:
            within = [at for at, s in enumerate(self.sentences) if s.start < slide.end and s.end > slide.start]
            self.quote(told, self.telling(within, Span(slide.start, slide.end, slide.start)) if within else [])
        return told

    # What somebody said.

    def of_speaker(self, speaker: str) -> Told:
        own = [at for at, sentence in enumerate(self.sentences) if sentence.speaker == speaker]
        if self.question.terms:
            found = self.of_subject(own)
            return found if found.citations else self.of_others(speaker)
        if not own:
            return Told([NOT_SAID])
        if sum(self.sentences[at].length for at in own) <= PASSAGE_WORDS:
            told, chosen = Told(), runs(own)
        else:
            chosen = self.best(own)
            who = self.reading.speakers[speaker]
            told = Told([SELECTION.format(who=who, count=len(chosen), all=len(own))])
        self.quote(told, chosen)
        return told

    def of_others(self, speaker: str) -> Told:
        """What others say about something of which this one says nothing."""
        others = [at for at, sentence in enumerate(self.sentences) if sentence.speaker != speaker]
        found = self.of_subject(others)
        lead = NOT_SAID_BY.format(who=self.reading.speakers[speaker])
        if not found.citations:
            return Told([lead], notes=[NOT_SAID_NOTE])
        return Told([lead, BY_OTHERS, *found.texts], found.citations, found.notes)

    def of_phrase(self, phrase: str) -> Told | None:
        """Who says these very words, and when; None where nobody does, or where they but point ("who says this?")."""
        phrases = self.reading.language.phrases
        if phrase.lower() in phrases.dependent | phrases.pronouns:
            return None
        speaker = self.question.speaker
        said = [at for at in self.index.saying(phrase) if speaker in (None, self.sentences[at].speaker)]
        told = Told()
        self.quote(told, [Passage(at, at) for at in sorted(said[:MOST_PASSAGES])])
        return told if said else None

    # What was said at some time.

    def of_time(self, span: Span) -> Told:
        start, end = max(0.0, span.start), span.end
        shown = self.on_screen_during(span)
        if self.question.screen and self.reading.seen:
            told = Told()
            self.tell_screen(told, shown[:MOST_PASSAGES])
            return told if shown else Told([NOTHING_THEN])
        within = [at for at, s in enumerate(self.sentences) if s.start < end and s.end > start]
        if self.question.terms:
            found = self.of_subject(within)
            return found if found.citations else self.of_subject()
        told = Told()
        if within:
            self.quote(told, self.telling(within, span))
        elif self.sentences:
            over = max(s.end for s in self.sentences)
            late = TOO_LATE.format(end=clock(over)) if start >= over else ""
            told.texts += filter(None, [SILENT.format(start=clock(start), end=clock(end)), late])
        if shown and (self.question.happens or not within):
            self.tell_screen(told, shown[:MOST_PASSAGES])
        return told

    def on_screen_during(self, span: Span) -> list[tuple[str, float]]:
        """What stood on screen then: at a moment the one scene that covers it, at an edge the one that is nearest."""
        scenes = self.reading.seen.scenes if self.reading.seen else []
        if span.is_moment:
            scenes = [scene for scene in scenes if scene.start <= span.near <= scene.end][-1:]
        during = [scene for scene in scenes if scene.start < span.end and scene.end > span.start]
        if span.is_edge:
            during = sorted(during, key=lambda s: max(s.start - span.near, span.near - s.end))[:1]
        return [(text, scene.start) for scene in during if (text := " · ".join(scene.text) or scene.description)]

    def best(self, among: list[int]) -> list[Passage]:
        """The sentences that say most, in order of time."""
        ranking = Ranking([self.sentences[at] for at in among], self.reading.language)
        return [Passage(among[at], among[at]) for at in sorted(ranking.best(0, len(among), MOST_PASSAGES))]

    def telling(self, within: list[int], span: Span) -> list[Passage]:
        """All that is said, if it is short; at a moment or an edge, the sentences there; of a longer stretch, the
        best."""
        covering = [at for at in within if self.sentences[at].start <= span.near < self.sentences[at].end]
        if span.is_moment and covering:
            sentence = self.sentences[covering[-1]]
            alone = sentence.wholeness == 1 and sentence.length >= SHORT_WORDS
            return [Passage(covering[-1], covering[-1]) if alone else self.whole(covering[-1])]
        if span.is_edge:
            return [self.grown(within, span.near, EDGE_WORDS)]
        if sum(self.sentences[at].length for at in within) <= PASSAGE_WORDS:
            return [Passage(within[0], within[-1])]
        first, last = self.sentences[within[0]], self.sentences[within[-1]]
        if last.end - first.start > 2 * EDGE_SECONDS:
            return self.best(within)
        return [self.grown(within, span.near, PASSAGE_WORDS)]

    def grown(self, within: list[int], near: float, most: int) -> Passage:
        """The sentence nearest to a second with those beside it, nearest first, of not too many words together."""
        nearest = sorted(within, key=lambda at: abs((self.sentences[at].start + self.sentences[at].end) / 2 - near))
        chosen, words = [nearest[0]], self.sentences[nearest[0]].length
        for at in nearest[1:]:
            words += self.sentences[at].length
            if words > most or at not in (min(chosen) - 1, max(chosen) + 1):
                break
            chosen.append(at)
        return Passage(min(chosen), max(chosen))


def runs(places: list[int]) -> list[Passage]:
    """Sentences that follow each other as one passage."""
    found: list[Passage] = []
    for at in places:
        if found and at == found[-1].last + 1:
            found[-1] = Passage(found[-1].first, at)
        else:
            found.append(Passage(at, at))
    return found
