"""The page of commands tells of every command, every option, and has an example of each."""

import re
from pathlib import Path

import click
import pytest

from cli import main

PAGE = Path(__file__).parents[2].joinpath("docs", "commands.md").read_text("utf-8")
SECTIONS = {title: text for title, text in re.findall(r"^### (.+)\n((?:(?!^##).*\n)*)", PAGE, re.MULTILINE)}
EVERYWHERE = {"--data-dir", "--json", "--help"}


def commands(group, path="svc"):
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


ALL = dict(commands(main))


@pytest.mark.parametrize("path", ALL)
def test_a_command_has_a_section_with_an_example_and_its_options(path):
    text = SECTIONS[path]
    options = {o for p in ALL[path].params if isinstance(p, click.Option) for o in p.opts if o.startswith("--")}
    assert re.search(rf"^    {path}( |$)", text, re.MULTILINE)
    assert [option for option in options - EVERYWHERE if option not in text] == []


def test_the_page_tells_of_no_other_command():
    assert set(SECTIONS) - set(ALL) == set()
