"""Pieces of text on a picture in the order in which one reads them."""

from svc.engine.screen.lines import Line, in_reading_order, nearly_same


def piece(text, left, top, width=0.5, height=0.05):
    return Line(text, 1.0, left, top, left + width, top + height)


def read(*pieces):
    return [line.text for line in in_reading_order(pieces)]


def test_lines_are_read_from_top_to_bottom():
    assert read(piece("two", 0.1, 0.3), piece("three", 0.1, 0.5), piece("one", 0.1, 0.1)) == ["one", "two", "three"]


def test_pieces_of_one_line_are_joined():
    assert read(piece("Hello", 0.1, 0.1, 0.2), piece("world", 0.35, 0.11, 0.2)) == ["Hello world"]


def test_far_apart_on_one_level_is_not_one_line():
    assert read(piece("Logo", 0.1, 0.1, 0.2), piece("Page 3", 1.2, 0.1, 0.2)) == ["Logo", "Page 3"]


def columns(top=0.3):
    left = [piece(f"left column line {n}", 0.1, top + 0.1 * n, 0.6) for n in range(3)]
    return [*left, *(piece(f"right column line {n}", 0.9, top + 0.1 * n, 0.6) for n in range(3))]


def test_one_column_is_read_after_the_other():
    order = read(*columns())
    assert [line[:4] for line in order] == ["left"] * 3 + ["righ"] * 3


def test_a_title_and_a_footer_across_the_columns_stay_where_they_are():
    title, footer = piece("A title over both columns", 0.1, 0.1, 1.4), piece("A footer below them", 0.1, 0.8, 1.4)
    order = read(title, footer, *columns())
    assert (order[0], order[-1]) == ("A title over both columns", "A footer below them")
    assert [line[:4] for line in order[1:-1]] == ["left"] * 3 + ["righ"] * 3


def test_a_table_is_read_row_by_row():
    rows = [("Region", "2023", "2024"), ("North", "12", "14"), ("South", "9", "11")]
    cells = [piece(cell, 0.1 + 0.5 * x, 0.2 + 0.1 * y, 0.2) for y, row in enumerate(rows) for x, cell in enumerate(row)]
    assert read(*cells) == ["Region 2023 2024", "North 12 14", "South 9 11"]


def test_the_line_numbers_of_an_editor_are_left_out():
    code = [piece(line, 0.2, 0.1 * n, 0.6) for n, line in enumerate(("import os", "def main():", "return 1", "main()"))]
    numbers = [piece(str(n + 7), 0.05, 0.1 * n, 0.03) for n in range(4)]
    assert read(*code, *numbers) == ["import os", "def main():", "return 1", "main()"]


def test_a_slip_of_the_reader_is_no_other_line():
    assert nearly_same(piece("Revenue grew by 12 percent", 0, 0), piece("Revenue grevv by 12 percent", 0, 0))
    assert piece("$3,482, 100", 0, 0).key == piece("$3,482,100", 0, 0).key


def test_another_number_is_another_line():
    assert not nearly_same(piece("Progress is now at 10 percent", 0, 0), piece("Progress is now at 11 percent", 0, 0))
