"""What is told of a release before it is made holds for tables as they are: even, uneven, with blanks and misspelt."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from math import comb
from pathlib import Path
from random import Random
from types import MappingProxyType

import pytest

from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.progress import SILENT
from workbench.project.model import new_project
from workbench.session import Session
from workbench.session.release.assessment import PromiseAssessment, assess
from workbench.session.release.result import Result

ROWS = 3_000
SIZES = {"city": 12, "job": 8, "age": 9, "sex": 2}
FEW = {"city": 3, "job": 8, "age": 9, "sex": 2}


def _hierarchy(name: str, size: int) -> Hierarchy:
    return Hierarchy.from_rows([(f"{name}{i}", f"{name}s{i // 4}", ANY) for i in range(size)])


def _table(
    spread: float,
    blank: float,
    sizes: Mapping[str, int] = MappingProxyType(SIZES),
    otherwise: Callable[[str], str] = lambda cell: "",
    seed: int = 7,
) -> str:
    """Rows in which the value of rank r is in proportion to r^−spread, and a part of the cells is written otherwise."""
    random = Random(seed)
    drawn = [
        random.choices([f"{name}{i}" for i in range(size)], [(i + 1) ** -spread for i in range(size)], k=ROWS)
        for name, size in sizes.items()
    ]
    lines = (
        ",".join(otherwise(cell) if random.random() < blank else cell for cell in row)
        for row in zip(*drawn, strict=True)
    )
    return "\n".join((",".join(sizes), *lines)) + "\n"


def _opened(folder: Path, table: str, columns: Mapping[str, Hierarchy]) -> Session:
    path = folder / "people.csv"
    path.write_text(table, encoding="utf-8")
    session = Session(new_project())
    session.data.open(path)
    for name, hierarchy in columns.items():
        session.data.attach_hierarchy(name, hierarchy)
    session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=ROWS))
    return session


def _drawn(folder: Path, spread: float, blank: float = 0.0) -> tuple[PromiseAssessment, Result]:
    columns = {name: _hierarchy(name, size) for name, size in SIZES.items()}
    session = _opened(folder, _table(spread, blank), columns)
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
    down = re.search(r", (?:down to (\d+)|far fewer) if columns have blank cells", _told(found))
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
            rf"(in every row|in most rows|in many or all rows|perhaps in many rows): [^;.]*{name}",
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


@pytest.mark.parametrize("spread", [0, 1])
@pytest.mark.parametrize("otherwise", [str.upper, lambda cell: ""], ids=["spelling", "blank"])
@pytest.mark.parametrize("names", [("city", "job"), ("city", "age"), ("city", "sex"), ("city", "job", "age", "sex")])
def test_a_few_cells_that_are_blank_or_in_no_list_cost_no_more_than_is_told(
    tmp_path: Path, names: tuple[str, ...], otherwise: Callable[[str], str], spread: float
) -> None:
    """What comes out is within what is told; its standard error is below 1 in 100, twice that is added."""
    sizes = {name: SIZES[name] for name in names}
    columns = {name: _hierarchy(name, size) for name, size in sizes.items()}
    session = _opened(tmp_path, _table(spread, 0.03, sizes, otherwise), columns)
    told = _told(assess(session))
    low = re.search(r", down to (\d+)(?: in 100)? if columns have blank cells or another value", told)
    low = low or re.search(r"(\d+) to \d+ in 100|nearly all", told)
    assert low is not None
    least = int(low[1] or 97) if "far fewer" not in told else 0
    for name in names:
        session.data.cover(name)
    session.release.set_seed(3)
    assert 100 * session.release.anonymise(SILENT).outcome.rows_out / ROWS >= least - 2, told


def _ruled(folder: Path, otherwise: Callable[[str], str]) -> Session:
    """A table of codes and of 25 diagnoses, of which no list says what can occur."""
    random = Random(5)
    ills = random.choices([f"ill{i}" for i in range(25)], [1 / (i + 1) for i in range(25)], k=ROWS)
    codes = (f"{random.choice('ABCDE')}{random.randrange(10)}{random.randrange(100):02d}" for _ in ills)
    lines = (
        f"{otherwise(code) if i < 80 else code},{ill}\n" for i, (code, ill) in enumerate(zip(codes, ills, strict=True))
    )
    session = _opened(folder, "postcode,diagnosis\n" + "".join(lines), {})
    session.data.attach_hierarchies(session.data.hierarchy_suggester(("postcode", "diagnosis"))(SILENT))
    return session


@pytest.mark.parametrize("otherwise", [str, str.lower], ids=["tidy", "spelt in two ways"])
def test_as_many_values_as_somebody_says_occur_count_though_a_rule_is_taken_to_have_fewer(
    tmp_path: Path, otherwise: Callable[[str], str]
) -> None:
    session = _ruled(tmp_path, otherwise)
    assert "fewer if more values or spellings occur than guessed (8 in diagnosis, 10 in postcode)." in _told(
        assess(session)
    )
    session.release.steps.set_said("postcode", "A, B, C, D, E")
    session.release.steps.set_said("diagnosis", ", ".join(f"ill{i}" for i in range(25)))
    told = _told(assess(session))
    assert told.endswith("; fewer if more values or spellings occur than you said.")
    low, high = (int(part) for part in re.findall(r"(\d+) to (\d+) in 100", told)[0])
    session.release.set_seed(3)
    out = 100 * session.release.anonymise(SILENT).outcome.rows_out / ROWS
    assert out <= high + 1 and (out >= low - 1 or otherwise is str.lower), told


def _labels(hierarchy: Hierarchy, level: int) -> list[str]:
    return [hierarchy.labels[level][code] for code in hierarchy.maps[level].tolist()]


def _unlikely(found: int, of: int) -> bool:
    """Whether so few of so many are less likely than one in a million, if each is there as often as not."""
    return sum(comb(of, some) for some in range(found + 1)) < 2**of / 1e6


@pytest.mark.parametrize("blank", [0.0, 0.03])
@pytest.mark.parametrize("spread", [0, 1, 2])
@pytest.mark.parametrize("sizes", [SIZES, FEW], ids=["many", "few"])
def test_of_as_many_people_as_are_enough_a_value_comes_out_and_of_fewer_than_are_needed_it_is_missing(
    tmp_path: Path, sizes: dict[str, int], spread: float, blank: float
) -> None:
    """Groups are drawn apart, so values of a column are: a false alarm is less likely than one in a million."""
    columns = {name: _hierarchy(name, size) for name, size in sizes.items()}
    table = _table(spread, blank, sizes)
    cells = list(zip(*(line.split(",") for line in table.splitlines()[1:]), strict=True))
    session = _opened(tmp_path, table, columns)
    finest = {one.column: one for one in reversed(assess(session).details) if one.needs}
    for name in sizes:
        session.data.cover(name)
    there: dict[str, list[bool]] = {name: [] for name in finest}
    rare: dict[str, list[bool]] = {name: [] for name in finest}
    for seed in range(8):
        session.release.set_seed(seed)
        release = session.release.anonymise(SILENT).outcome.release
        for (name, hierarchy), column in zip(columns.items(), cells, strict=True):
            if name not in finest:
                continue
            low, enough = finest[name].needs[0], finest[name].needs[-1]
            label = dict(zip(hierarchy.values, _labels(hierarchy, finest[name].level), strict=True))
            out = {one for one, rows in zip(release[name].values, release[name].counts.tolist(), strict=True) if rows}
            for one, people in Counter(label[cell] for cell in column if cell).items():
                if enough is not None and people >= enough:
                    there[name].append(one in out)
                if low is None or people < low:
                    rare[name].append(one not in out)
    for name in finest:
        for some in (there[name], rare[name]):
            assert not _unlikely(sum(some), len(some)), (name, finest[name].needs, sum(some), len(some))


def test_the_sentence_on_values_has_the_numbers_of_the_table_and_each_means_the_same(tmp_path: Path) -> None:
    found, _ = _drawn(tmp_path, 1)
    finest = {one.column: one for one in reversed(found.details) if one.needs}
    said = [int(one.replace(",", "")) for one in re.findall(r"\d[\d,]*", found.rare)]
    table = [[int(end.replace(",", "")) for end in re.findall(r"\d[\d,]*", one.needs_told)] for one in finest.values()]
    assert said == [min(low for low, *_ in table), max(more[0] for _, *more in table if more)]
    assert re.fullmatch(
        r"A value of fewer than \d+ people is likely to be missing, one of [\d,]+ or more to come out"
        r"( in some columns)?; in between it may be either\.",
        found.rare,
    )
