"""The service itself: what it knows, what it stores, and what it answers."""

import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import recordings

from gemini_fake import answers, stream
from gemini_fake.checks import TRANSCRIBER, Checker, Video, parts_of
from gemini_fake.faults import Fault
from gemini_fake.files import Files
from gemini_fake.question import Media, Question
from gemini_fake.refusal import Refusal
from gemini_fake.server import Handler, Listener, Received
from gemini_fake.speech import Recording, Word, spoken

POLLS = 2  # of a background interaction before it is done
TOKEN = "checkpoint-1"
WATCH = "https://www.youtube.com/watch?v="


@dataclass
class Stored:
    """A stored interaction: what it will be, and how often it is still asked for in vain."""

    interaction: dict[str, Any]
    events: list[dict[str, Any]]
    polls: int = 0


class GeminiFake:
    """See the package. `auth_shape`: answers a bad key like the front end, as 400. `keeps_deleted`: DELETE is 501."""

    def __init__(self, prefix: str = "", host: str = "127.0.0.1"):
        self.prefix, self.key = prefix, "test-" + secrets.token_hex(16)
        self.files, self.requests = Files(), list[Received]()
        self.videos: dict[str, Video] = {}
        self.auth_shape = self.keeps_deleted = self.absolute_times = False
        self.pace = 0.0
        self._recordings: list[Recording] = []
        self._linked: dict[str, list[Word]] = {}
        self._scripts: list[Callable[[Question], Any]] = []
        self._faults: dict[str, list[Fault | None]] = {}
        self._stored: dict[str, Stored] = {}
        self._halves: dict[str, list[dict[str, Any]]] = {}
        self._lock = threading.Lock()
        self._listener = Listener((host, 0), Handler)
        self._listener.gemini = self
        self._thread = threading.Thread(target=self._listener.serve_forever, args=(0.02,), daemon=True)

    @property
    def base_url(self) -> str:
        host, port = self._listener.server_address[:2]
        return f"http://{host}:{port}{self.prefix}"

    def teach(self, recording: Path | np.ndarray, words: list[Word]) -> None:
        """A recording, as a file or as int16 samples (mono, 16 kHz), and its words with their times in seconds."""
        samples = recording if isinstance(recording, np.ndarray) else Media("audio", recording.read_bytes()).samples()
        self._recordings.append(Recording(samples, words))

    def teach_recording(self, name: str) -> None:
        """One of tests/recordings.py, with its words at their marked times, or where the sound is loud."""
        samples = Media("audio", recordings.path(name).read_bytes()).samples()
        marked = f"{name.removesuffix('.wav')}.TextGrid" in recordings.RECORDINGS
        self.teach(samples, recordings.words(name) if marked else spoken(recordings.text(name), samples))

    def publish(self, video_id: str, seconds: float, words: Sequence[Word] = (), audible: bool = True) -> str:
        """A public video, eleven letters for its id, that models can open; its link."""
        self.videos[video_id] = Video(seconds, audible)
        self._linked[WATCH + video_id] = list(words)
        return WATCH + video_id

    def script(self, answer: Callable[[Question], Any]) -> None:
        """Answers of the test's own; None leaves a question to the rules. The last script is asked first."""
        self._scripts.insert(0, answer)

    def fail_next(self, where: str, *faults: Fault | None) -> None:
        """The next requests of a kind fail so, one each; None lets one pass.

        Kinds: interactions, upload (its start), bytes, files.
        """
        self._faults.setdefault(where, []).extend(faults)

    def reset(self) -> None:
        """Forgets everything that tests did, for the next one."""
        self.__dict__.update({name: type(getattr(self, name))() for name in STATE})
        self.files = Files()
        self.auth_shape = self.keeps_deleted = self.absolute_times = False
        self.pace = 0.0

    def asked(self) -> list[dict[str, Any]]:
        """The bodies of the interactions that were asked for."""
        return [r.body for r in self.requests if r.method == "POST" and r.path.endswith("/interactions")]

    def next_fault(self, where: str) -> Fault:
        with self._lock:
            waiting = self._faults.get(where) or [None]
            return waiting.pop(0) or Fault()

    def create(self, body: dict[str, Any], fault: Fault) -> Stored:
        if "previous_interaction_id" in body:
            self.stored(body["previous_interaction_id"])
        if "continuation_token" in body:
            return self.continued(body, fault)
        question = Checker(self.files, self.videos).question(body)
        if not parts_of(body.get("input", [])):
            raise Refusal(400, "invalid_request", "There is no input.")
        steps = self.steps(question)
        interaction = self.interaction(question.body, steps, answers.usage(question, steps))
        bend(interaction, fault, self._halves)
        return self.keep(body, interaction, fault)

    def steps(self, question: Question) -> list[dict[str, Any]]:
        scripted = next((a for script in self._scripts if (a := script(question)) is not None), None)
        heard = answers.heard_in(question, self._recordings, self._linked)
        if question.model == TRANSCRIBER and scripted is None:
            return answers.transcribed(question, heard)
        return answers.written(question, heard, scripted, self.absolute_times)

    def interaction(self, body: dict[str, Any], steps: list[dict[str, Any]], usage: dict[str, Any]) -> dict[str, Any]:
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        identity = {} if body.get("store") is False else {"id": f"v1_{secrets.token_hex(8)}"}
        return {
            **identity,
            "object": "interaction",
            "model": body["model"],
            "status": "completed",
            "created": now,
            "updated": now,
            "service_tier": "standard",
            "steps": steps,
            "usage": usage,
        }

    def continued(self, body: dict[str, Any], fault: Fault) -> Stored:
        """The other half of an answer that was cut at a checkpoint."""
        if bool(body.get("input")) != (body.get("store") is False):
            raise Refusal(400, "invalid_request", "Input and continuation_token do not go together.")
        if body["continuation_token"] not in self._halves:
            raise Refusal(400, "invalid_request", "The continuation token is not known.")
        steps = self._halves.pop(body["continuation_token"])
        usage = {"total_input_tokens": 10, "total_output_tokens": 10, "total_tokens": 20}
        return self.keep(body, self.interaction(body, steps, usage), fault)

    def keep(self, body: dict[str, Any], interaction: dict[str, Any], fault: Fault) -> Stored:
        background = bool(body.get("background"))
        stored = Stored(interaction, stream.events(interaction, fault), POLLS if background else 0)
        if "id" in interaction:
            self._stored[interaction["id"]] = stored
        return stored

    def stored(self, interaction_id: str) -> Stored:
        if interaction_id not in self._stored:
            raise Refusal(404, "not_found", "The interaction was not found.")
        return self._stored[interaction_id]

    def look(self, stored: Stored) -> dict[str, Any]:
        """The interaction as it is at this poll."""
        with self._lock:
            if stored.polls <= 0:
                return stored.interaction
            status = "queued" if stored.polls == POLLS else "in_progress"
            stored.polls -= 1
        shown = {name: value for name, value in stored.interaction.items() if name not in ("usage", "errors")}
        return {**shown, "status": status, "steps": []}

    def cancel(self, stored: Stored) -> dict[str, Any]:
        if stored.polls > 0:
            stored.polls = 0
            stored.interaction |= {"status": "cancelled", "steps": []}
        return stored.interaction

    def delete(self, interaction_id: str) -> None:
        self.stored(interaction_id)
        if self.keeps_deleted:
            raise Refusal(501, "not_implemented", "Deleting is not implemented.")
        del self._stored[interaction_id]

    def __enter__(self) -> "GeminiFake":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown()
        self._listener.server_close()
        self._thread.join()


STATE = ("requests", "videos", "_recordings", "_linked", "_scripts", "_faults", "_stored", "_halves")


def bend(interaction: dict[str, Any], fault: Fault, halves: dict[str, list[dict[str, Any]]]) -> None:
    """Gives an interaction the ending that a fault asks for."""
    if fault.ending == "incomplete":
        for block in (block for step in interaction["steps"] for block in step.get("content", ())):
            block["text"] = block["text"][: len(block["text"]) // 2]
    elif fault.ending == "failed":
        interaction |= {"steps": [], "errors": [{"code": fault.code, "message": "It failed."}]}
    elif fault.ending == "requires_continuation":
        first, second = [], []
        for step in interaction["steps"]:
            for block in step.get("content", ()):
                half = len(block["text"]) // 2
                second.append({**step, "content": [{"type": "text", "text": block["text"][half:]}]})
                step = {**step, "content": [{"type": "text", "text": block["text"][:half]}]}
            first.append(step)
        halves[TOKEN] = second
        interaction |= {"steps": first, "continuation_token": TOKEN}
    if fault.ending and fault.ending != "cut":
        interaction["status"] = fault.ending
