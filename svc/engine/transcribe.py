"""Stage `transcribe`: sound to a transcript with word times and speakers, block by block."""

import logging
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

from svc.core.errors import EngineError
from svc.engine.language import short_codes
from svc.engine.media.audio import Audio
from svc.engine.models.local.vad import map_speech
from svc.engine.models.protocol import LanguageModel, SpeechToText
from svc.engine.models.roles import language_model, speech_to_text
from svc.engine.run import Run, elapsed_ms
from svc.engine.speech.blocks import blocks
from svc.engine.speech.coverage import measure
from svc.engine.speech.dictation import Dictation
from svc.engine.speech.editor import Editor
from svc.engine.speech.glossary import counted
from svc.engine.speech.level import level
from svc.engine.speech.progress import Meter
from svc.engine.speech.proofreading import Proofreader
from svc.engine.speech.recognition import Heard, Listener
from svc.engine.speech.sentences import sentences
from svc.engine.speech.spans import Span, union, without
from svc.engine.speech.speechmap import SpeechMap
from svc.engine.speech.spoken import Spoken, UnknownLanguage, listen_for_language
from svc.engine.speech.trouble import is_away, leaves_a_hole
from svc.engine.transcript import Coverage, Transcript

if TYPE_CHECKING:
    from svc.engine.models.local.speakers import Diarization

log = logging.getLogger(__name__)

ENOUGH = 0.9  # a smaller share of speech with text comes with a warning
NOTICEABLE = 0.5  # seconds past the end that are worth a warning
MOST = 0.5  # a larger share of the words makes the whole transcript what they are
FAILED_IN_A_ROW = 2  # blocks of speech; the next ones would fail too


def transcribe(
    run: Run, audio: Audio, recognizer: SpeechToText | None = None, model: LanguageModel | None = None
) -> tuple[Transcript | None, Coverage]:
    """What is said in `audio`; None, with a warning, when nobody speaks.

    Finished blocks are parts of the run and are not recognised again. The `recognizer`, and the language `model` that
    proofreads and fills gaps, are by default those of the run's providers. Raises EngineError when no block at all
    could be recognised.
    """
    diarizes = run.request.options.diarize is not False
    meter = Meter(run, audio.seconds, ("speech", "words", "speakers") if diarizes else ("speech", "words"))
    speech = map_speech(audio, partial(meter.tell, "speech"))
    heard, transcript = Heard(), None
    if speech.spans:
        recognizer = recognizer or speech_to_text(run)
        model = model or language_model(run)
        listener = new_listener(run, audio, speech, recognizer, model, meter)
        spoken = spoken_language(run, recognizer, audio, speech.spans)
        with ThreadPoolExecutor(1) as beside:
            speakers = beside.submit(who_speaks, run, audio, speech.spans, meter)
            try:
                heard = hear_all(listener, blocks(speech, audio.seconds), spoken)
            except EngineError:
                meter.stop()
                raise
            transcript = put_together(run, heard, speakers, spoken.language, recognizer, model)
    coverage = measure(without(speech.spans, union(heard.silent)), heard.words)
    coverage.retries = heard.retries
    coverage.repaired_windows, coverage.unrepaired_windows = heard.repaired, heard.unrepaired
    warn(run, audio, transcript, coverage, heard)
    return transcript, coverage


def new_listener(
    run: Run, audio: Audio, speech: SpeechMap, recognizer: SpeechToText, model: LanguageModel | None, meter: Meter
) -> Listener:
    vocabulary, what = run.request.options.vocabulary, level(run.request.options)
    editor = Editor(model, what, vocabulary) if model and what != "none" else None
    proofreader = Proofreader(what, recognizer, audio, vocabulary, editor)
    tell = partial(meter.tell, "words")
    return Listener(run, recognizer, audio, speech.spans, speech.clear(), proofreader, Dictation(model), tell)


def spoken_language(run: Run, recognizer: SpeechToText, audio: Audio, speech: list[Span]) -> Spoken:
    """Judged once for all attempts of the run, but for a language that stayed unknown."""
    wanted = short_codes(run.request.languages)

    def judge() -> dict[str, Any]:
        return listen_for_language(recognizer, audio, speech, wanted).to_part()

    try:
        found, _ = run.part("transcribe/language", judge)
    except UnknownLanguage:
        return Spoken(None)
    spoken = Spoken(**found)
    if wanted and spoken.language not in wanted:
        run.warn(
            "LANGUAGE_MISMATCH",
            f"Asked for {' or '.join(wanted)}, but the language spoken seems to be {spoken.language}.",
            requested=list(wanted),
            detected=spoken.language,
        )
    return spoken


def hear_all(listener: Listener, pieces: list[Span], spoken: Spoken) -> Heard:
    """Every block in turn, each kept as a part of the run; one that cannot be heard is a gap if others can.

    Such a block is not kept: another attempt of the run hears it. Raises EngineError when there is no end to it.
    """
    run, whole = listener.run, Heard()
    failure, failed = None, 0
    for index, block in enumerate(pieces):
        began, cached = time.monotonic(), False
        try:
            part, cached = run.part(f"transcribe/{index:04}", partial(hear, listener, block, spoken.within(block)))
            heard = Heard.from_part(part)
            failed = 0 if heard.words else failed
            whole.add(heard)
        except EngineError as error:
            failure, failed = error, failed + 1
            hopeless = failed == FAILED_IN_A_ROW and (is_away(error) or not whole.words)
            if hopeless or not leaves_a_hole(error):
                raise
            whole.unrepaired += len(listener.wordless(block, []))
        listener.tell(block[1])
        tell_of_chunk(run, index, len(pieces), block, elapsed_ms(began), cached)
        tell_reach(run, block[1], listener.audio.seconds)
    if failure and not whole.words:
        raise failure
    return whole


def hear(listener: Listener, block: Span, language: str | None) -> dict[str, Any]:
    """One block's words, as a part; their times are set by the sound itself where there is a model for that."""
    heard = listener.hear(block, language)
    if language == "en" and heard.words:
        from svc.engine.models.local.align import align

        align(listener.audio, sentences(heard.words))
    return heard.to_part()


def tell_of_chunk(run: Run, index: int, count: int, block: Span, ms: int, cached: bool) -> None:
    start, end = round(block[0], 3), round(block[1], 3)
    run.emit("chunk", stage="transcribe", index=index, count=count, start=start, end=end, ms=ms, cached=cached)


def tell_reach(run: Run, covered: float, seconds: float) -> None:
    ratio = covered / seconds if seconds else 1.0
    run.emit("partial", coveredSeconds=round(covered, 3), totalSeconds=round(seconds, 3), ratio=round(ratio, 4))


def who_speaks(run: Run, audio: Audio, speech: list[Span], meter: Meter) -> "Diarization | None":
    """None when the caller does not want to know, or leaves it to us and the model for it is missing."""
    if not run.request.options.diarize:
        return None
    from svc.engine.models.local.speakers import Diarization, diarize

    tell = partial(meter.tell, "speakers")
    try:
        found, _ = run.part("transcribe/speakers", lambda: asdict(diarize(audio, speech, part=run.part, tell=tell)))
    except EngineError as error:
        if run.request.options.diarize is True or error.code != "TOOL_MISSING":
            raise
        log.warning("no speaker labels: %s", error)
        return None
    tell(audio.seconds)
    return Diarization.from_part(found)


def put_together(
    run: Run,
    heard: Heard,
    speakers: "Future[Diarization | None]",
    language: str | None,
    recognizer: SpeechToText,
    model: LanguageModel | None,
) -> Transcript | None:
    """The transcript. One whose times are mostly guesses gets no speakers: they would be guesses, too."""
    diarization = speakers.result()
    if not heard.words:
        return None
    segments = sentences(heard.words)
    most = MOST * len(heard.words)
    by_model = model is not None and heard.dictated > most
    guessed = by_model or sum(word.synthetic for word in heard.words) > most
    if diarization and not guessed:
        from svc.engine.speech.speakers import assign_speakers

        segments = assign_speakers(segments, diarization.turns)
        if diarization.doubtful:
            run.warn("SPEAKER_LABELS_APPROX", "Voices are alike or talk at once: some speaker labels may be wrong.")
    return Transcript(
        origin="llm-audio" if by_model else "asr",
        timing="segment-approx" if guessed else "word",
        segments=segments,
        language=language,
        model=model.name if model and by_model else recognizer.name,
        diarized=diarization is not None and not guessed,
        proofread=heard.proofread,
        glossary_fixes=counted(heard.fixes),
    )


def warn(run: Run, audio: Audio, transcript: Transcript | None, coverage: Coverage, heard: Heard) -> None:
    if transcript is None:
        run.warn("NO_SPEECH_DETECTED", "Nobody seems to speak in this recording.")
        tell_reach(run, audio.seconds, audio.seconds)
    elif heard.dictated or transcript.timing != "word":
        run.warn("TIMING_APPROX", "Times of some words are estimates.", words=sum(w.synthetic for w in heard.words))
    if coverage.transcribed_seconds < ENOUGH * (coverage.speech_seconds or 0):
        run.warn(
            "INCOMPLETE_COVERAGE",
            f"Some speech may be missing, in {len(coverage.gaps)} places.",
            gaps=[{"start": start, "end": end} for start, end in coverage.gaps],
        )
    if heard.late > NOTICEABLE:
        late = round(heard.late, 2)
        run.warn("DURATION_CLAMPED", "Some times lay past the end and were pulled back to it.", seconds=late)
    if heard.rejected:
        run.warn(
            "PROOFREAD_BATCH_REJECTED",
            "Some corrections changed too much and were rejected; the original was kept.",
            batches=heard.rejected,
        )
