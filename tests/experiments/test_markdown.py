"""Parts of reports as Markdown has them."""

from pathlib import Path

from brickbybrick.experiments.markdown import markdown_parts, markdown_picture, markdown_table


def test_what_says_nothing_is_left_out() -> None:
    assert markdown_parts(["a", "", "b"]) == "a\n\nb"


def test_tables_have_a_rule_below_their_head() -> None:
    assert markdown_table(("x", "y"), [("1", "2")]).splitlines() == ["| x | y |", "|---|---|", "| 1 | 2 |"]


def test_pictures_are_named_from_the_reports_folder() -> None:
    assert markdown_picture(Path("out/figures/a.png"), Path("out/REPORT.md")) == "![a](figures/a.png)"
