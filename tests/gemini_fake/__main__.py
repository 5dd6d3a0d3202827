"""Serves the fake until interrupted, with every recording of the tests that is at hand: `python -m gemini_fake`."""

import signal
import sys

import recordings

from gemini_fake import GeminiFake

with GeminiFake() as gemini:
    for name, recording in recordings.RECORDINGS.items():
        if recording.said and (recordings.FOLDER / name).exists():
            gemini.teach_recording(name)
    sys.stdout.write(f"SVC_PROVIDER=gemini\nSVC_GEMINI_API_KEY={gemini.key}\nSVC_GEMINI_BASE_URL={gemini.base_url}\n")
    sys.stdout.flush()
    signal.sigwait({signal.SIGINT, signal.SIGTERM})
