"""Stage `transcribe`: sound to a transcript with word times and speakers, block by block."""

import logging
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

from svc.core.errors import EngineError
from svc.engine.language import short_codes
from svc.engine.media.audio import Audio
from svc.engine.models.local.vad import map_speech
from svc.engine.models.protocol import SpeechToText
from svc.engine.models.roles import speech_to_text
from svc.engine.request import Options
from svc.engine.run import Run, elapsed_ms
from svc.engine.speech.blocks import blocks
from svc.engine.speech.coverage import measure
from svc.engine.speech.recognition import Heard, Listener
from svc.engine.speech.sentences import sentences
from svc.engine.speech.spans import Span, union, without
from svc.engine.speech.spoken import Spoken, listen_for_language
from svc.engine.transcript import Coverage, Transcript, Word

if TYPE_CHECKING:
    from svc.engine.models.local.speakers import Diarization

log = logging.getLogger(__name__)

ENOUGH = 0.9  # a smaller share of speech with text comes with a warning
NOTICEABLE = 0.5  # seconds past the end that are worth a warning


def transcribe(run: Run, audio: Audio, recognizer: SpeechToText | None = None) -> tuple[Transcript | None, Coverage]:
    """What is said in `audio`; None, with a warning, when nobody speaks.

    Finished blocks are parts of the run and are not recognised again. Without a `recognizer` it is that of the run's provider.
    """
    speech = map_speech(audio)
    heard, transcript = Heard(), None
    if speech.spans:
        recognizer = recognizer or speech_to_text(run)
        spoken = spoken_language(run, recognizer, audio, speech.spans)
        with ThreadPoolExecutor(1) as beside:
            speakers = beside.submit(who_speaks, run, audio, speech.spans)
            heard = hear_all(run, recognizer, audio, speech.spans, blocks(speech, audio.seconds), spoken)
            transcript = put_together(run, heard.words, speakers.result(), spoken.language, recognizer.name)
    coverage = measure(without(speech.spans, union(heard.silent)), heard.words, heard.repaired, heard.unrepaired)
    warn_of_gaps(run, audio, transcript, coverage, heard.late)
    return transcript, coverage


def spoken_language(run: Run, recognizer: SpeechToText, audio: Audio, speech: list[Span]) -> Spoken:
    wanted = short_codes(run.request.languages)
    found, _ = run.part("transcribe/language", lambda: asdict(listen_for_language(recognizer, audio, speech, wanted)))
    spoken = Spoken(**found)
    if wanted and spoken.language not in wanted:
        run.warn(
            "LANGUAGE_MISMATCH",
            f"Asked for {' or '.join(wanted)}, but the language spoken seems to be {spoken.language}.",
            requested=list(wanted),
            detected=spoken.language,
        )
    return spoken


def hear_all(
    run: Run, recognizer: SpeechToText, audio: Audio, speech: list[Span], pieces: list[Span], spoken: Spoken
) -> Heard:
    """Every block in turn, each kept as a part of the run."""
    listener = Listener(
        recognizer,
        audio,
        speech,
        run.request.options.vocabulary,
        proofread=proofreading(run.request.options) == "full",
        report=lambda moment: run.progress(moment, audio.seconds, "seconds"),
    )
    whole = Heard()
    for index, block in enumerate(pieces):
        began, language = time.monotonic(), spoken.within(block)
        part, cached = run.part(f"transcribe/{index:04}", partial(hear, listener, block, language))
        whole.add(Heard.from_part(part))
        run.progress(block[1], audio.seconds, "seconds")
        run.emit(
            "chunk",
            stage="transcribe",
            index=index,
            count=len(pieces),
            start=round(block[0], 3),
            end=round(block[1], 3),
            ms=elapsed_ms(began),
            cached=cached,
        )
        tell_reach(run, block[1], audio.seconds)
    return whole


def hear(listener: Listener, block: Span, language: str | None) -> dict[str, Any]:
    """One block's words, as a part; their times are set by the sound itself where there is a model for that."""
    heard = listener.hear(block, language)
    if language == "en" and heard.words:
        from svc.engine.models.local.align import align

        align(listener.audio, sentences(heard.words))
    return heard.to_part()


def tell_reach(run: Run, covered: float, seconds: float) -> None:
    ratio = covered / seconds if seconds else 1.0
    run.emit("partial", coveredSeconds=round(covered, 3), totalSeconds=round(seconds, 3), ratio=round(ratio, 4))


def who_speaks(run: Run, audio: Audio, speech: list[Span]) -> "Diarization | None":
    """None when the caller does not want to know, or leaves it to us and the model for it is missing."""
    if not run.request.options.diarize:
        return None
    from svc.engine.models.local.speakers import Diarization, diarize

    try:
        found, _ = run.part("transcribe/speakers", lambda: asdict(diarize(audio, speech)))
    except EngineError as error:
        if run.request.options.diarize is True or error.code != "TOOL_MISSING":
            raise
        log.warning("no speaker labels: %s", error.message)
        return None
    return Diarization.from_part(found)


def put_together(
    run: Run, words: list[Word], speakers: "Diarization | None", language: str, model: str
) -> Transcript | None:
    if not words:
        return None
    segments = sentences(words)
    if speakers:
        from svc.engine.speech.speakers import assign_speakers

        segments = assign_speakers(segments, speakers.turns)
        if speakers.doubtful:
            run.warn("SPEAKER_LABELS_APPROX", "Voices are alike or talk at once: some speaker labels may be wrong.")
    return Transcript(
        origin="asr",
        timing="word",
        segments=segments,
        language=language,
        model=model,
        diarized=speakers is not None,
        proofread=proofreading(run.request.options),
    )


def proofreading(options: Options) -> str:
    """`full`, a second look at what is doubtful, when asked for or when a vocabulary is given; `terms`: hints alone."""
    if options.proofread in (True, "full") or (options.proofread == "auto" and options.vocabulary):
        return "full"
    return "terms" if options.proofread == "terms" and options.vocabulary else "none"


def warn_of_gaps(run: Run, audio: Audio, transcript: Transcript | None, coverage: Coverage, late: float) -> None:
    if transcript is None:
        run.warn("NO_SPEECH_DETECTED", "Nobody seems to speak in this recording.")
        tell_reach(run, audio.seconds, audio.seconds)
    if coverage.transcribed_seconds < ENOUGH * (coverage.speech_seconds or 0):
        run.warn(
            "INCOMPLETE_COVERAGE",
            f"Some speech may be missing, in {len(coverage.gaps)} places.",
            gaps=[{"start": start, "end": end} for start, end in coverage.gaps],
        )
    if late > NOTICEABLE:
        run.warn("DURATION_CLAMPED", "Some times lay past the end and were pulled back to it.", seconds=round(late, 2))
