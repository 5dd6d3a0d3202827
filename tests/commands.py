"""The `svc` command in this process, on a data directory of its own."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from cli import main


class Svc:
    """`svc("users", "list")` is the value that `--json` prints; `run` and `refused` tell of the rest."""

    def __init__(self, data_dir: Path):
        self.data_dir = data_dir

    def run(self, *words: str) -> Result:
        return CliRunner().invoke(main, [*words, "--data-dir", str(self.data_dir)])

    def __call__(self, *words: str) -> Any:
        result = self.run(*words, "--json")
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    def refused(self, *words: str, code: int = 1) -> str:
        """The last line of an error that must end with this exit code."""
        result = self.run(*words)
        assert result.exit_code == code, (result.exit_code, result.output, result.exception)
        return result.stderr.splitlines()[-1].removeprefix("Error: ")
