from freezegun import freeze_time

from svc.jobs.deprecated import without_effort

BODY = {"url": "http://x/", "options": {"effort": ["any", 1], "detail": "brief"}}


def test_effort_is_ignored_until_its_day():
    with freeze_time("2026-10-08 23:59:59"):
        assert without_effort(BODY) == {"url": "http://x/", "options": {"detail": "brief"}}


def test_effort_is_an_unknown_field_from_then_on():
    with freeze_time("2026-10-09"):
        assert without_effort(BODY) == BODY


def test_a_body_of_another_form_passes_as_it_is():
    with freeze_time("2026-10-08"):
        assert [without_effort(body) for body in ([], None, {"options": 3})] == [[], None, {"options": 3}]
