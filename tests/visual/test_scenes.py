"""Sights to scenes, and lines over time; the sights are made by hand."""

from svc.engine.screen.lines import Line
from svc.engine.screen.overview import describe, overview, value_of
from svc.engine.screen.scenes import at_most, stretches, without_gaps
from svc.engine.screen.sight import Sight
from svc.engine.screen.tracks import Tracks


def line(text, top, left=0.1, height=0.05, busy=False):
    return Line(text, 1.0, left, top, left + 0.5 * height * len(text), top + height, busy)


def page(title, *rest):
    return [line(title, 0.1, height=0.1), *(line(text, 0.3 + 0.1 * n) for n, text in enumerate(rest))]


def sights(*screens, seconds=10.0, busy=0.0):
    """One after the other; None is a screen without text."""
    return [
        Sight(n * seconds, (n + 1) * seconds, lines or [], 0.9 if lines is None else busy)
        for n, lines in enumerate(screens)
    ]


def scenes_of(found):
    return stretches(found, Tracks(found))[0]


def texts(found):
    return [[track.text for track in scene.tracks] for scene in scenes_of(found)]


def test_a_slide_that_is_built_up_is_one_scene():
    assert texts(sights(page("Plan", "one"), page("Plan", "one", "two"))) == [["Plan", "one", "two"]]


def test_other_lines_below_the_same_title_are_another_scene():
    found = sights(page("Plan", "first point", "second point"), page("Plan", "third point", "fourth point"))
    assert len(scenes_of(found)) == 2


def test_text_that_is_missed_for_a_moment_splits_no_scene():
    found = sights(page("Plan", "one"), None, page("Plan", "one"), seconds=3)
    assert texts(found) == [["Plan", "one"]]


def test_a_film_between_slides_is_a_scene():
    assert texts(sights(page("Plan"), None, page("Plan"), seconds=20)) == [["Plan"], [], ["Plan"]]


def test_a_logo_is_in_no_scene():
    logo = line("ACME", 0.9)
    found = sights(*([*page(title, "and a point"), logo] for title in ("Plan", "Costs", "Profit")))
    assert [scene[0] for scene in texts(found)] == ["Plan", "Costs", "Profit"]
    assert not any("ACME" in scene for scene in texts(found))
    assert Tracks(found).real[2].text == "ACME"


def test_a_slide_that_comes_back_keeps_its_text():
    found = sights(page("Plan", "one"), None, page("Plan", "one"), None, page("Plan", "one"), seconds=20)
    assert texts(found) == [["Plan", "one"], [], ["Plan", "one"], [], ["Plan", "one"]]


def test_a_scrolling_text_is_one_scene():
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    screens = [[line(word, 0.1 + 0.1 * n) for n, word in enumerate(words[first : first + 6])] for first in (0, 2, 4)]
    assert texts(sights(*screens, busy=0.3)) == [words]


def test_a_clock_is_no_text():
    found = sights(*([*page("Plan"), line(f"12:00:0{n}", 0.9, busy=True)] for n in range(3)))
    assert texts(found) == [["Plan"]]


def test_a_line_is_kept_once_with_its_first_and_last_time():
    found = sights(page("Plan", "a point to make"), page("Costs"), page("Plan", "a pointto make"))
    (plan, point, _) = Tracks(found).real
    assert (plan.first, plan.last) == (0, 30)
    assert (point.text, point.first, point.last) == ("a point to make", 0, 30)


def test_a_line_that_is_being_typed_is_one():
    found = sights(*([line(text, 0.2)] for text in ("$ pip", "$ pip install", "$ pip install av")), seconds=2)
    assert [track.text for track in Tracks(found).real] == ["$ pip install av"]


def test_a_number_that_is_longer_is_another_line():
    found = sights([line("Point of page 1", 0.2)], [line("Point of page 11", 0.2)])
    assert [track.text for track in Tracks(found).real] == ["Point of page 1", "Point of page 11"]


def test_a_scene_does_not_last_through_what_cannot_be_read():
    found = scenes_of([Sight(0, 10, page("Plan")), Sight(25, 30, page("Costs"), after_hole=True)])
    assert without_gaps(found, 30.0) == [(0, 10), (25, 30)]


def test_too_many_scenes_become_fewer_and_lose_no_text():
    found = scenes_of(sights(page("Plan"), page("Costs"), page("Profit")))
    (scene,) = at_most(1, found)
    assert [track.text for track in scene.tracks] == ["Plan", "Costs", "Profit"]
    assert describe(scene) == "3 screens in a row: “Plan”, “Costs” and “Profit”."


def test_scenes_follow_each_other_without_gaps():
    assert without_gaps(scenes_of(sights(page("Plan"), page("Costs"))), 25.0) == [(0, 10), (10, 25)]


def test_descriptions_say_what_was_seen():
    def told(lines, busy=0.0, dark=False):
        (scene,) = scenes_of([Sight(0, 9, lines, busy, dark)])
        return describe(scene)

    assert told(page("Plan", "one", "two")) == "Slide “Plan” with 2 lines of text below it."
    assert told(page("Plan")) == "Slide “Plan”."
    assert told([line("one", 0.1), line("two", 0.2)]) == "Text: 2 lines, beginning with “one”."
    code = [line(text, 0.1 * n) for n, text in enumerate(("import os", "def main():", "print(os.getcwd())"))]
    assert told(code) == "Code: 3 lines, beginning with “import os”."
    assert told(page("Plan"), busy=0.9) == "Moving picture with the text “Plan”."
    assert told([], busy=0.9) == "Moving picture without text."
    assert told([]) == "A still picture without text."
    assert told([], dark=True) == "A black screen."


def test_the_overview_names_what_is_on_screen():
    logo = line("ACME", 0.9)
    screens = [[*page(title, f"a point on {title}"), logo] for title in ("Plan", "Costs", "Profit")]
    found = sights(*screens, None)
    assert overview(*stretches(found, Tracks(found))) == (
        "The video shows 3 slides and a moving picture without text. "
        "On screen appear “Plan”, “Costs” and “Profit”. “ACME” stands there throughout."
    )


def test_value_is_judged_by_what_there_is_to_read():
    def value(*found):
        return value_of(scenes_of(found), Tracks(found).real)

    assert value(Sight(0, 60, [])) == "none"
    assert value(Sight(0, 60, [], dark=True)) == "none"
    assert value(Sight(0, 60, [], busy=0.8)) == "low"
    assert value(*sights(None, None, page("The end"), seconds=60)) == "low"
    assert value(Sight(0, 60, page("Plan", "a point of several words"))) == "high"
    assert value(Sight(0, 60, [line("今日は天気がとても良いです", 0.2)])) == "high"
