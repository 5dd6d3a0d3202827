"""What an admin command says where there is nothing to work on: one sentence, and exit 1."""

import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from cli import main

WORDS = {
    "users create": ["ada@example.org"],
    "users show": ["ada@example.org"],
    "users grant": ["ada@example.org", "--captions", "1"],
    "users set-plan": ["ada@example.org", "pro"],
    "users delete": ["ada@example.org"],
    "login-link": ["ada@example.org"],
    "keys create": ["ada@example.org"],
    "keys revoke": ["key_x"],
    "jobs show": ["job_x"],
    "jobs cancel": ["job_x"],
    "jobs requeue": ["job_x"],
    "takedown add": ["http://x/"],
    "takedown remove": ["http://x/"],
    "contact show": ["msg_x"],
    "contact done": ["msg_x"],
}
NOT_ADMIN = {"serve", "worker", "run", "openapi"}
NEW = {"users create", "login-link"}  # these make the data directory


def commands(group, path=""):
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, f"{path}{name} ")
        elif path + name not in NOT_ADMIN:
            yield path + name


ADMIN = list(commands(main))


def told(command, data_dir, **environ):
    """The exit code, and what a fresh process writes to standard error."""
    words = [sys.executable, "-m", "cli", *command.split(), *WORDS.get(command, []), "--data-dir", str(data_dir)]
    done = subprocess.run(words, capture_output=True, text=True, env={"PYTHONPATH": ":".join(sys.path), **environ})
    return done.returncode, done.stderr


def one_sentence(error):
    return error.startswith("Error: ") and error.count("\n") == 1


@pytest.mark.parametrize("command", ["users list", "keys create", "takedown list", "cleanup"])
def test_a_directory_without_data_is_told(command, tmp_path):
    code, error = told(command, tmp_path / "nothing")
    assert code == 1 and one_sentence(error) and "There is no service's data" in error, error
    assert not (tmp_path / "nothing").exists()


@pytest.mark.parametrize("command", ["users list", "login-link"])
def test_a_malformed_setting_is_told(command, tmp_path):
    code, error = told(command, tmp_path, SVC_PORT="abc")
    assert code == 1 and one_sentence(error) and "SVC_PORT" in error, error


def test_a_file_that_is_no_database_is_told(tmp_path):
    (tmp_path / "svc.db").write_text("not a database, but long enough to be looked at as if it were one" * 20)
    code, error = told("users list", tmp_path)
    assert code == 1 and one_sentence(error) and "svc.db" in error, error


@pytest.mark.parametrize("command", [command for command in ADMIN if command not in NEW])
def test_every_command_is_told_in_this_process_too(command, tmp_path, monkeypatch):
    monkeypatch.setattr("svc.core.database.db.obj", None)
    result = CliRunner().invoke(main, [*command.split(), *WORDS.get(command, []), "--data-dir", str(tmp_path)])
    assert (result.exit_code, one_sentence(result.stderr)) == (1, True), result.stderr
