"""A server on loopback that speaks OpenAI's protocol, for tests: chat with pictures, transcription, list of models.

    with OpenAIFake() as server:
        access = OpenAIAccess(server.key, server.base_url, server.model, server.base_url, server.ears)
        server.knows = replace(server.knows, words=False)   # what it can do: Abilities, or a server of the field
        server.script(lambda question: ...)                 # answers of the test's own: text, or a value sent as JSON
        server.fail_next("chat", faults.RATE_LIMIT)         # or "transcription", "models"
        server.requests                                     # what came in, the key left out

It refuses what OpenAI refuses, with its words. Chat answers without a script are made by rule, the same for the same
question; speech is heard by the embedded Whisper model. Whoever finds a real server behaving otherwise should mend it
here first.
"""

from openai_fake import faults
from openai_fake.abilities import GPT_TRANSCRIBE, LLAMA_CPP, OPENAI, REASONING, VLLM, Abilities
from openai_fake.server import OpenAIFake

__all__ = ["GPT_TRANSCRIBE", "LLAMA_CPP", "OPENAI", "REASONING", "VLLM", "Abilities", "OpenAIFake", "faults"]
