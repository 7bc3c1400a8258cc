"""What is told of a release before it is made holds for tables as they are: even, uneven, and with blank cells."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.progress import SILENT
from workbench.project.model import new_project
from workbench.session import Session
from workbench.session.release.assessment import PromiseAssessment, assess
from workbench.session.release.result import Result

ROWS = 3_000
SIZES = {"city": 12, "job": 8, "age": 9, "sex": 2}
COLUMNS = {
    name: Hierarchy.from_rows([(f"{name}{i}", f"{name}s{i // 4}", ANY) for i in range(size)])
    for name, size in SIZES.items()
}


def _table(spread: float, blank: float) -> str:
    """Rows in which the value of rank r is in proportion to r^−spread, and so large a part of the cells is blank."""
    random = Random(7)
    drawn = [
        random.choices([f"{name}{i}" for i in range(size)], [(i + 1) ** -spread for i in range(size)], k=ROWS)
        for name, size in SIZES.items()
    ]
    lines = (",".join("" if random.random() < blank else cell for cell in row) for row in zip(*drawn, strict=True))
    return "\n".join((",".join(SIZES), *lines)) + "\n"


def _drawn(folder: Path, spread: float, blank: float = 0.0) -> tuple[PromiseAssessment, Result]:
    path = folder / "people.csv"
    path.write_text(_table(spread, blank), encoding="utf-8")
    session = Session(new_project())
    session.data.open(path)
    for name, hierarchy in COLUMNS.items():
        session.data.attach_hierarchy(name, hierarchy)
    session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=ROWS))
    session.release.set_seed(3)
    found = assess(session)
    return found, session.release.anonymise(SILENT)


def _told(found: PromiseAssessment) -> str:
    assert found.prospect is not None and found.prospect.outlook is not None
    return found.prospect.outlook.brief


@pytest.mark.parametrize("spread", [0, 0.5, 1, 2, 4])
def test_however_values_are_spread_as_many_rows_come_out_as_was_told(tmp_path: Path, spread: float) -> None:
    found, result = _drawn(tmp_path, spread)
    low, high = (int(part) for part in re.findall(r"(\d+) to (\d+) in 100", _told(found))[0])
    assert low - 1 <= 100 * result.outcome.rows_out / ROWS <= high + 1


@pytest.mark.parametrize("blank", [0.05, 0.5])
@pytest.mark.parametrize("spread", [0, 2])
def test_blank_cells_are_said_to_cost_rows_and_no_more_are_lost_than_is_said(
    tmp_path: Path, spread: float, blank: float
) -> None:
    found, result = _drawn(tmp_path, spread, blank)
    down = re.search(r", (?:down to (\d+)|far fewer) if many cells are blank", _told(found))
    assert down is not None
    assert 100 * result.outcome.rows_out / ROWS >= int(down[1] or 0) - 1


@pytest.mark.parametrize("blank", [0.0, 0.3])
def test_what_turns_out_to_be_a_star_in_most_rows_was_named_as_such(tmp_path: Path, blank: float) -> None:
    found, result = _drawn(tmp_path, 0, blank)
    assert found.prospect is not None and found.prospect.outlook is not None
    outlook = found.prospect.outlook
    by_blanks = re.search(r"If many cells are blank, most rows may have \* in ([^.]*)\.", outlook.words)
    for name, share in result.starred.items():
        said = re.search(
            rf"\* (in every row|in most rows|in many or all rows|perhaps in most rows or all): [^·]*{name}",
            outlook.stars,
        )
        blanks = bool(blank) and by_blanks is not None and name in by_blanks[1]
        assert share <= 0.5 or said is not None or blanks, (name, share, outlook)


def test_what_is_told_of_blank_cells_is_the_same_whether_there_are_any(tmp_path: Path) -> None:
    told = []
    for name, blank in (("none", 0.0), ("many", 0.5)):
        (tmp_path / name).mkdir()
        found, _ = _drawn(tmp_path / name, 1, blank)
        told.append((_told(found), [one.rows for one in found.details]))
    assert told[0] == told[1]
