"""One question about a Context: an answer, citations of what was said, and notes on what the answer rests on.

Every citation is text that is stored: this file looks at nothing else before it lets one out.
"""

from typing import Any

from svc.engine.ask.notes import notes_on
from svc.engine.ask.question import Question
from svc.engine.ask.quoting import Quoter
from svc.engine.ask.reading import LAST_SECOND, Reading
from svc.engine.ask.told import Answer, Told
from svc.engine.ask.whole import of_the_whole
from svc.engine.models import roles
from svc.engine.run import Run

MOST_CITED = 60  # three passages of captions of a few words each
EMPTY = "This Context holds neither words nor anything that was on screen, so there is nothing to answer from."


def answer(run: Run, question: str, context: dict[str, Any]) -> Answer:
    """`answer`, `citations` ([{start, end, text}]) and `notes`, for a Context that is valid against its schema.

    Raises EngineError when the language model fails.
    """
    reading = Reading(context)
    asked = Question.of(question, reading.language, duration(reading), reading.speakers)
    told = Told([EMPTY]) if not reading.segments and not reading.shown else told_by(run, reading, asked)
    notes = list(dict.fromkeys([*told.notes, *notes_on(context)]))
    unique = {(cited["start"], cited["end"], cited["text"]): cited for cited in told.citations}
    return {"answer": " ".join(told.texts), "citations": list(unique.values())[:MOST_CITED], "notes": notes}


def told_by(run: Run, reading: Reading, question: Question) -> Told:
    """By the language model where the operator has one, else by quoting."""
    if model := roles.language_model(run):
        from svc.engine.ask.written import written_answer

        return written_answer(reading, question, model)
    quoter = Quoter(reading, question)
    if question.phrase and (told := quoter.of_phrase(question.phrase)):
        return told
    if question.slide:
        return quoter.of_slide(question.slide)
    if question.span:
        return quoter.of_time(question.span)
    if question.speaker:
        return quoter.of_speaker(question.speaker)
    return quoter.of_subject() if question.terms else of_the_whole(quoter)


def duration(reading: Reading) -> float:
    spoken = max((segment.end for segment in reading.segments), default=0.0)
    given = reading.meta.get("durationSeconds", 0.0)
    return float(given) if spoken <= given <= LAST_SECOND else spoken
