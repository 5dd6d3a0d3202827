"""What holds for text that comes with its times, captions or a model's: it lies within the media, and is as wished."""

from svc.engine.language import short_code
from svc.engine.run import Run
from svc.engine.transcript import Transcript

NOTICEABLE = 1.0  # seconds past the end that are worth a warning: pages tell lengths in whole seconds
FEW = 0.1  # a larger share of lines without an end of their own is worth a warning


def check(run: Run, transcript: Transcript, duration: float | None, wishes: tuple[str, ...]) -> None:
    """Keeps the lines within the media, `duration` seconds long if that is known; warns of what is not as wished."""
    if duration:
        keep_within(run, transcript, duration)
    warn_of_open_lines(run, transcript)
    warn_of_language(run, transcript, wishes)


def keep_within(run: Run, transcript: Transcript, duration: float) -> None:
    """Pulls times past the end back to it. Recognised lines, and those without an end, usually end later."""
    loose = transcript.origin == "captions-auto"
    late = max(line.start if loose or line.open else line.end for line in transcript.segments) - duration
    for line in transcript.segments:
        line.start, line.end = min(line.start, duration), min(line.end, duration)
    if late > NOTICEABLE:
        run.warn("DURATION_CLAMPED", "Some times lay past the end and were pulled back to it.", seconds=round(late, 2))


def warn_of_open_lines(run: Run, transcript: Transcript) -> None:
    count = sum(line.open for line in transcript.segments)
    if count > FEW * len(transcript.segments):
        run.warn("TIMING_APPROX", "The captions do not say when lines end; those times are estimates.", lines=count)


def warn_of_language(run: Run, transcript: Transcript, wishes: tuple[str, ...]) -> None:
    found = transcript.language
    if wishes and short_code(found) not in {short_code(wish) for wish in wishes}:
        run.warn(
            "LANGUAGE_MISMATCH",
            f"Asked for {' or '.join(wishes)}; the text is in {found or 'a language that is not named'}.",
            requested=list(wishes),
            detected=found,
        )
