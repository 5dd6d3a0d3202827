"""llama.cpp's own server with a small model, in a process of its own: a real server that speaks OpenAI's protocol.

Run as a command, with a GGUF file and a key, it says its address and serves until its standard input ends.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CONTEXT = 2048  # tokens
MODEL = "smollm2"


@contextmanager
def llama_cpp(weights: Path, key: str) -> Iterator[str]:
    """Its base URL."""
    command = [sys.executable, __file__, str(weights), key]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdin and server.stdout
        try:
            address = next((line for line in server.stdout if line.startswith("http")), "").strip()
            assert address, "llama.cpp's server does not start"
            yield f"{address}/v1"
        finally:
            server.kill()


def main() -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path, key = sys.argv[1:]
    params.model_alias = {MODEL}
    params.api_keys = [key]
    params.n_ctx, params.n_parallel = CONTEXT, 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1  # several wait for each other on a busy machine
    params.sampling.temp = 0.0  # the same answer to the same question
    server = xllamacpp.Server(params)
    sys.stdout.write(f"\n{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
