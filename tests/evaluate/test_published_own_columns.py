"""What published figures say of one's own column, and of what the document itself mixed up."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evaluate.figure_runs import few
from tests.evaluate.published_words_helpers import captions
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT
from workbench.evaluate.published.catalogue import figure_named
from workbench.evaluate.published.entry import FigureOutcome
from workbench.project.model import new_project
from workbench.session import Session
from workbench.session.published_figures import figure_runner

pytestmark = pytest.mark.timeout(300)


def of_amounts(folder: Path, number: str, different: int, rows: int = 1_200) -> FigureOutcome:
    """A figure of so many rows with so many different amounts, at which may be looked."""
    file = folder / "amounts.csv"
    file.write_text("amount\n" + "".join(f"{100 + 10 * (one % different)}\n" for one in range(rows)))
    made = Session(new_project())
    made.ledger.use_file(folder / "ledger.jsonl")
    made.data.open(file)
    made.data.set_bounds("amount", (0, 10_000))
    made.comparison.look()
    return figure_runner(made.comparison, figure_named(number), "amount", repetitions=3)(SILENT)


def test_a_row_too_many_is_not_said_to_cost_seventeen_bars_where_there_are_nineteen(tmp_path: Path) -> None:
    outcome = of_amounts(tmp_path, "3.6", 40)
    said = captions(outcome).values()
    assert not any("17 bars" in one for one in (*said, *map(str, outcome.settings)))
    assert any("each row too many or too few moved from the first bar to the last" in one for one in said)
    assert "each row too many or too few counts as moved by 17 bars" in few(figure_named("3.6")).caption, "of 18"


def test_the_printed_table_of_salaries_is_said_to_mix_rows() -> None:
    (said,) = (line for line in few(figure_named("table 3.3")).differs if "figure 3.7 (p. 32)" in line)
    assert "only the first is as in figure 3.7" in said
    assert "a police officer has $53,640 and a council technician $64,823" in said


def test_the_sample_of_charges_is_as_long_as_the_author_s_data_and_not_those() -> None:
    said = " ".join(few(figure_named("table 3.1")).differs)
    assert "as many rows as in the author's code, 202,655" in said
    assert "has the 202,655 rows of the author's code" not in said


@pytest.mark.parametrize("number", ["table 3.1", "table 3.3"])
def test_beside_ones_own_column_nothing_is_said_of_the_rows_of_the_sample(tmp_path: Path, number: str) -> None:
    own = " ".join(of_amounts(tmp_path, number, 3, 20).differs)
    assert "sample" not in own
    assert "entries (p. 2" in own, "what is said of the print stays"
    assert "No printed row is in the sample" in " ".join(few(figure_named("table 3.1")).differs)


def test_no_label_is_the_mean_of_more_amounts_than_there_are(tmp_path: Path) -> None:
    table = of_amounts(tmp_path, "table 3.6", 100)
    rows = [row[0] for row in table.published.panels[0].rows[1:]]
    assert rows == ["here, mean of all 100 amounts", "here, means of 64 amounts", "here, means of 32 amounts"]
    (tmp_path / "few").mkdir()
    few_amounts = of_amounts(tmp_path / "few", "table 3.6", 20)
    assert [row[0] for row in few_amounts.published.panels[0].rows[1:]] == ["here, mean of all 20 amounts"]


def test_of_ones_own_column_every_level_that_is_named_is_drawn(tmp_path: Path) -> None:
    panel = of_amounts(tmp_path, "3.9", 400).published.panels[0]
    assert [one.name for one in panel.curves] == [f"Means of {many} amounts" for many in (32, 64, 128, 256)]
    sample = few(figure_named("3.9"))
    assert next(one.name for one in sample.published.panels[0].curves) == "Means of 64 amounts"
    assert "those of 7 levels, all beyond, left out" in captions(sample)[sample.published.panels[0].title]


@pytest.mark.parametrize(
    ("number", "printed"),
    [
        ("table 3.1", "rows: 200,000 (text); 202,655 (author's code); data: payments to hospitals."),
        ("table 3.2", "bounds: $0 to $1,000,000 (p. 22); none for the mean (p. 23); rows: all for the mean"),
        ("table 3.3", "rows: 13,000 (text); 154,648 (author's code); 13,811 (figure 3.7); data: named employees."),
    ],
)
def test_below_what_is_printed_no_setting_is_of_ones_own_column(tmp_path: Path, number: str, printed: str) -> None:
    first, *others = captions(of_amounts(tmp_path, number, 40)).values()
    assert printed in first and "your column" not in first and "amounts.csv" not in first
    assert all("rows: of your column" in one and "Data: amounts.csv, amount" in one for one in others)


def test_of_as_many_people_as_there_are_it_is_said_that_they_are_people(tmp_path: Path) -> None:
    said = " ".join(of_amounts(tmp_path, "beyond-theta", 40, rows=7).differs)
    assert said.count(" errs least with 7 people (") == 2
    assert " with 7 people: not clearly less than a guess, " in said, "which may err more, only not clearly"


def of_colours(folder: Path, number: str) -> FigureOutcome:
    """A figure of 300 words, at which may be looked."""
    file = folder / "colours.csv"
    file.write_text("colour\n" + "red\nblue\nred\n" * 99 + "green\n" * 3)
    made = Session(new_project())
    made.ledger.use_file(folder / "ledger.jsonl")
    made.data.open(file)
    made.comparison.look()
    return figure_runner(made.comparison, figure_named(number), "colour", repetitions=3)(SILENT)


def test_fair_coins_are_not_said_to_be_people_of_ones_own_column(tmp_path: Path) -> None:
    published, mended = captions(of_colours(tmp_path, "4.1")).values()
    assert "Settings: people: 100 to 9,900, fair coins; protocol" in published and "colours.csv" not in published
    assert "Settings: people: of your column; protocol" in mended and "Data: colours.csv, colour." in mended


def test_people_of_ones_own_column_are_not_said_to_be_those_of_the_chapter(tmp_path: Path) -> None:
    outcome = of_colours(tmp_path, "chapter-randomised-response")
    published, mended = captions(outcome).values()
    assert "Settings: people: of your column; ε" in published and "32,561" not in published
    assert "people: 1,000 to 1,000,000, with the same share of true yeses" in mended
    people = next(there for name, there, _ in outcome.settings if name == "people")
    assert people == "32,561, of whom 3,650 in sales", "beside ours it is said what was published"
    unary = captions(of_colours(tmp_path, "chapter-unary-encoding")).values()
    assert all("Data: colours.csv, colour." in one for one in (published, mended, *unary))


def test_a_caption_of_ones_own_column_has_no_delta_and_no_axis_of_the_print(tmp_path: Path) -> None:
    outcome = of_amounts(tmp_path, "3.9", 400)
    said = captions(outcome)[outcome.published.panels[0].title]
    assert "12,377" not in said and "440,000" not in said
    assert "; δ: 1/n;" in said
    assert "δ: 1/n = 1/12,377" in captions(few(figure_named("3.9")))[outcome.published.panels[0].title]


def test_a_column_with_one_value_has_no_bits_and_nothing_is_advised_that_a_figure_has_not(tmp_path: Path) -> None:
    with pytest.raises(WorkbenchError) as refused:
        of_amounts(tmp_path, "chapter-unary-encoding", 1, 20)
    assert "All values of “amount” are the same" in refused.value.message
    assert refused.value.hint == "Choose a column with two or more values."
