"""docs/settings.md names every setting and every limit."""

from dataclasses import fields
from pathlib import Path

import pytest

from svc.core.limits import PlanLimits, ServiceLimits
from svc.core.settings import NAMES, PREFIX

PAGE = (Path(__file__).parents[2] / "docs" / "settings.md").read_text("utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_a_setting_is_documented(name):
    assert f"`{PREFIX}{name.upper()}`" in PAGE


@pytest.mark.parametrize("name", [field.name for table in (PlanLimits, ServiceLimits) for field in fields(table)])
def test_a_limit_is_documented(name):
    assert f"`{name}`" in PAGE
