"""Google's Gemini on loopback for tests: the Interactions API and the Files API, with their traps and faults.

    with GeminiFake() as gemini:
        config = Config(..., gemini=GeminiAccess(gemini.key, gemini.base_url, "gemini-3.5-flash-lite"))
        gemini.teach_recording("jfk.wav")      # it then recognises any cutting of it by its samples
        gemini.teach(path, words)              # so for recordings of one's own
        gemini.publish("dQw4w9WgXcQ", 60)      # a public video that a link leads to
        gemini.script(lambda question: ...)    # answers of the test's own: text, or a value that is sent as JSON
        gemini.fail_next("interactions", faults.RATE_LIMIT)
        gemini.requests                        # what came in, the key left out

`gemini_fake.fixture` has it as a fixture; `python -m gemini_fake` (with `tests` on the path) serves it for a person.

Answers without a script are made by rule, the same for the same question. Prices, tokens and refusals follow what is
known of the real service; whoever finds it behaving otherwise should mend it here first.
"""

from gemini_fake import faults
from gemini_fake.service import GeminiFake
from gemini_fake.speech import spread

__all__ = ["GeminiFake", "faults", "spread"]
