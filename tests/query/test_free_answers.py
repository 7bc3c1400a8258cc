"""What costs nothing tells nothing of the rows: refusals, answers shown again, and files that answers are saved to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workbench.cli.main import main
from workbench.core.schema import PrivacyUnit
from workbench.query.catalogue import QUERIES, QueryDraft
from workbench.session import Session
from workbench.session.answer_files import as_csv

OTHERS = [f"q{i},{3000 + i}" for i in range(50)]
PUBLISHED = [
    (kind.identifier, tool)
    for kind in QUERIES
    for tool in kind.tools
    if tool not in ("quantile", "percentile", "median", "histogram2d")  # never released; needs two columns
]


def table(place: Path, rows: list[str]) -> Path:
    place.mkdir(exist_ok=True)
    path = place / "people.csv"
    path.write_text("name,pay\n" + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize(("kind", "tool"), PUBLISHED)
@pytest.mark.parametrize("budget", ["3", "0.5"])
def test_whether_a_row_matches_is_not_told_before_it_is_charged(
    kind: str, tool: str, budget: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two tables that differ in the one row that matches, with a budget that suffices and one that does not."""
    told = []
    for rows in (OTHERS, [*OTHERS, "Ada,48213"]):
        path = table(tmp_path / str(len(rows)), rows)
        ledger = path.with_name("ledger.jsonl")
        words = ["query", str(path), "--query", kind, "--tool", tool, "--noise", "diffprivlib", "--epsilon", "1"]
        words += [] if kind == "count" else ["--column", "pay", "--bounds", "0,100000"]
        words += ["--kind", "name=text", "--kind", "pay=integer", "--ledger", str(ledger), "--budget", budget]
        code = main([*words, "--where", "name = 'Ada'", "--json"])
        out, err = capsys.readouterr()
        spent = len(ledger.read_text(encoding="utf-8").splitlines()) if ledger.exists() else 0
        told.append((code, err.replace(str(path.parent), ""), sorted(json.loads(out)) if out else [], spent))
    assert told[0] == told[1] and told[0][0] == (0 if budget == "3" else 2)


def test_where_a_column_names_persons_an_answer_says_that_rows_are_left_out(tmp_path: Path) -> None:
    """1,000 rows of a person each and 500 of nobody: by the column only the former count, and that is what is asked."""
    path = table(tmp_path, [*(f"p{i},5" for i in range(1000)), *(",7" for _ in range(500))])
    session = Session()
    session.data.open(path)
    session.data.set_unit(PrivacyUnit())
    count = QueryDraft("count", "20")
    everybody = session.queries.ask(count)
    assert everybody.released.value == pytest.approx(1500, abs=3)
    session.data.set_unit(PrivacyUnit(1, "name"))
    assert session.queries.stored(count) is None, "it is a question about other rows"
    persons = session.queries.ask(count)
    assert persons.released.value == pytest.approx(1000, abs=3)
    assert persons.what.endswith("(at most one row of each “name”)") and persons.told.unit == "people"
    assert "All rows of a person have the same value in “name”." in persons.asserted
    assert session.queries.otherwise(everybody).brief == "other rows"
    session.data.set_unit(PrivacyUnit())
    again = session.queries.stored(count)
    assert again is not None and again.entry.id == everybody.entry.id


def test_a_heading_is_run_by_no_spreadsheet_that_opens_a_saved_answer(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    heading = '"pay,=HYPERLINK(""x"")"'  # as a file and a filter write it
    path.write_text(f"{heading},town\n" + "5,A\n" * 50, encoding="utf-8")
    session = Session()
    session.data.open(path)
    session.data.set_unit(PrivacyUnit())
    saved = as_csv(session.queries.ask(QueryDraft("count", "1", where=f"{heading} > 3")))
    assert "HYPERLINK" in saved
    cells = [cell for line in saved.splitlines() for cell in line.replace(";", ",").split(",")]
    assert not [cell for cell in cells if cell.lstrip('"').startswith("=")]
