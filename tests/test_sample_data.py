"""The samples are what their description says, and the generator still makes exactly them."""

from __future__ import annotations

import csv
import gzip
import json
import re
import statistics
import subprocess
import sys
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Hierarchy, Provenance

SAMPLES = Path(__file__).resolve().parents[1] / "sample_data"
FILES = {
    "nba": "nba_salaries.csv",
    "baltimore": "baltimore_salaries.csv",
    "surgery": "surgery_charges.csv.gz",
    "ages": "ages.csv",
}
PUBLISHED = {
    "spiky ages": "spiky_ages.csv",
    "surgery with its tail": "surgery_tail.csv.gz",
    "NBA since 1990": "nba_salaries_1990.csv",
}
"""Samples that have the character of published tables; they come without hierarchies."""
PAIRS_OF_MEANS = "nba_hierarchy_salary_pairs_of_means"
MONEY = re.compile(r"\$\d{1,3}(,\d{3})*\.\d\d")
INTERVAL = re.compile(r"\[(\d+), (\d+)\[")
HIERARCHIES = sorted(path.stem for path in SAMPLES.glob("*_hierarchy_*.csv"))


def content(path: Path) -> bytes:
    """What a file says, whatever zlib packed it with."""
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


@cache
def columns(name: str) -> dict[str, list[str]]:
    rows = list(csv.reader(content(SAMPLES / {**FILES, **PUBLISHED}[name]).decode("utf-8").splitlines()))
    return {cells[0]: list(cells[1:]) for cells in zip(*rows, strict=True)}


def cells(stem: str) -> list[list[str]]:
    with (SAMPLES / f"{stem}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream, delimiter=";"))


def column_of(stem: str) -> tuple[str, str]:
    """Data set and column a hierarchy file is for."""
    name, _, slug = stem.partition("_hierarchy_")
    slug = slug.removesuffix("_pairs_of_means")
    return name, next(column for column in columns(name) if column.replace(" ", "_") == slug)


def amount(text: str) -> float:
    return float(text.replace("$", "").replace(",", ""))


def mean(texts: list[str]) -> float:
    values = [amount(text) for text in texts if text]
    return sum(values) / len(values)


@pytest.mark.parametrize(
    ("name", "rows", "header"),
    [
        ("nba", 12_377, "player position year age team salary"),
        ("baltimore", 13_811, "name|job title|annual salary|gross pay"),
        (
            "surgery",
            200_000,
            "surgery type|hospital|city|state|average total payments|average Medicare payments",
        ),
        ("ages", 20_000, "person age"),
    ],
)
def test_rows_and_columns(name: str, rows: int, header: str) -> None:
    table = columns(name)
    assert list(table) == header.split("|" if "|" in header else " ")
    assert {len(texts) for texts in table.values()} == {rows}


@pytest.mark.parametrize(
    ("name", "column", "stated"),
    [("nba", "salary", 2_870_000), ("surgery", "average total payments", 13_168)],
)
def test_stated_means(name: str, column: str, stated: float) -> None:
    assert mean(columns(name)[column]) == pytest.approx(stated, rel=0.01)


def test_nba_has_careers_and_a_heavy_tail() -> None:
    table = columns("nba")
    salaries = sorted(int(text) for text in table["salary"])
    assert 23e6 <= salaries[-1] <= 33.5e6
    assert salaries[len(salaries) // 2] < 0.6 * mean(table["salary"])
    assert {"PG", "SG", "SF", "PF", "C"} <= set(table["position"])
    assert len(set(table["team"])) == 30
    assert all(18 <= int(age) <= 42 for age in table["age"])
    careers: dict[str, list[tuple[int, int]]] = {}
    for player, season, years in zip(table["player"], table["year"], table["age"], strict=True):
        careers.setdefault(player, []).append((int(season), int(years)))
    assert all(re.fullmatch(r"Player \d{4}", player) for player in careers)
    for seasons in careers.values():
        for (year, age), (next_year, next_age) in pairwise(sorted(seasons)):
            assert (next_year, next_age) == (year + 1, age + 1)
    # The description warns how many rows one person can have.
    assert max(len(seasons) for seasons in careers.values()) == 20


def test_nba_salaries_grow_over_the_years_and_gather_at_the_minimum() -> None:
    table = columns("nba")
    by_year: dict[str, list[str]] = {}
    for year, salary in zip(table["year"], table["salary"], strict=True):
        by_year.setdefault(year, []).append(salary)
    assert sorted(by_year) == [str(year) for year in range(1985, 2019)]
    assert mean(by_year["2018"]) > 4 * mean(by_year["1993"]) > 12 * mean(by_year["1985"])
    commonest, count = Counter(by_year["1985"]).most_common(1)[0]
    assert count > 0.1 * len(by_year["1985"])
    assert sum(int(text) < int(commonest) for text in by_year["1985"]) < 0.05 * len(by_year["1985"])


def test_baltimore_titles_and_money() -> None:
    table = columns("baltimore")
    salaries = [amount(text) for text in table["annual salary"]]
    assert min(salaries) >= 10_000
    assert max(salaries) <= 240_000
    assert all(MONEY.fullmatch(text) for text in table["annual salary"])
    assert all(MONEY.fullmatch(text) for text in table["gross pay"] if text)
    assert table["gross pay"].count("") == 137
    assert table["gross pay"].count("$0.00") == 24
    titles = Counter(table["job title"])
    assert len(titles) >= 150
    assert titles.most_common(1)[0][0] == "Police Officer"
    assert len(set(table["name"])) == len(table["name"])


def test_surgery_payments_belong_to_type_and_hospital() -> None:
    table = columns("surgery")
    totals, medicare = table["average total payments"], table["average Medicare payments"]
    assert all(amount(paid) < amount(total) for total, paid in zip(totals, medicare, strict=True))
    assert all(MONEY.fullmatch(text) for text in {*totals, *medicare})
    assert len(set(table["state"])) == 51
    pairs = set(zip(table["surgery type"], table["hospital"], strict=True))
    assert len(pairs) == len(totals)
    places = set(zip(table["hospital"], table["city"], table["state"], strict=True))
    assert len(places) == len(set(table["hospital"]))


def test_ages_have_three_humps() -> None:
    table = columns("ages")
    counts = Counter(int(text) for text in table["age"])
    assert sorted(counts) == list(range(18, 68))
    assert len(set(table["person"])) == len(table["person"])
    peaks = [max(range(low, high), key=counts.__getitem__) for low, high in ((18, 31), (31, 50), (50, 68))]
    valleys = [min(range(low, high), key=counts.__getitem__) for low, high in pairwise(peaks)]
    for valley, (left, right) in zip(valleys, pairwise(peaks), strict=True):
        assert 2 * counts[valley] < min(counts[left], counts[right])


def test_spiky_ages_have_the_published_spikes() -> None:
    table = columns("spiky ages")
    counts = Counter(int(text) for text in table["age"])
    assert sorted(counts) == list(range(18, 68))
    assert len(set(table["person"])) == len(table["person"]) == 20_000
    assert {age for age, _ in counts.most_common(2)} == {29, 60}
    assert counts[29] + counts[60] == pytest.approx(0.38 * 20_000, rel=0.01)


def test_surgery_has_the_published_tail() -> None:
    table = columns("surgery with its tail")
    assert {len(texts) for texts in table.values()} == {202_655}
    assert all(MONEY.fullmatch(text) for text in table["average total payments"])
    paid = [amount(text) for text in table["average total payments"]]
    assert (min(paid), max(paid)) == (2_320.48, 434_396.00)
    assert sum(paid) / len(paid) == pytest.approx(13_167.38, rel=0.01)
    there = [value for state, value in zip(table["state"], paid, strict=True) if state == "CA"]
    assert sum(there) == pytest.approx(262_754_253, rel=0.01)
    assert statistics.pstdev(there) == pytest.approx(18_855, rel=0.1)


def test_nba_since_1990_has_the_published_rows_and_mean() -> None:
    table = columns("NBA since 1990")
    assert {len(texts) for texts in table.values()} == {12_377}
    assert min(table["year"]) == "1990"
    assert mean(table["salary"]) == pytest.approx(2_868_981.32, rel=0.001)


@pytest.mark.parametrize("stem", HIERARCHIES)
def test_hierarchy_is_nested_covers_its_column_and_ends_in_any(stem: str) -> None:
    name, column = column_of(stem)
    hierarchy = Hierarchy.from_rows(cells(stem))  # raises where a level is not nested
    assert hierarchy.uncovered(set(columns(name)[column])) == []
    assert len(hierarchy.values) == len(cells(stem))
    assert hierarchy.labels[-1] == (ANY,)
    groups = hierarchy.groups()
    assert all(finer > coarser for finer, coarser in pairwise(groups))


@pytest.mark.parametrize("stem", HIERARCHIES)
def test_interval_labels_hold_their_values(stem: str) -> None:
    for value, *labels in cells(stem):
        for label in labels:
            if found := INTERVAL.fullmatch(label):
                assert float(found[1]) <= amount(value) < float(found[2])
            elif band := re.fullmatch(r"(\d+)-(\d+)", label):
                assert int(band[1]) <= int(value) <= int(band[2])


@pytest.mark.parametrize("stem", HIERARCHIES)
def test_note_states_the_provenance(stem: str) -> None:
    note = json.loads((SAMPLES / f"{stem}.json").read_text(encoding="utf-8"))
    assert set(note) == {"format", "version", "provenance", "origin"}
    assert (note["format"], note["version"]) == ("workbench-hierarchy-note", 1)
    expected = Provenance.DERIVED if stem == PAIRS_OF_MEANS else Provenance.PUBLIC
    assert Provenance(note["provenance"]) is expected
    assert note["origin"].endswith(".")


def test_no_note_without_hierarchy() -> None:
    assert sorted(path.stem for path in SAMPLES.glob("*.json")) == HIERARCHIES


def test_every_column_but_the_person_has_a_public_hierarchy() -> None:
    covered = {column_of(stem) for stem in HIERARCHIES if stem != PAIRS_OF_MEANS}
    persons = {("nba", "player"), ("baltimore", "name"), ("ages", "person")}
    assert covered == {(name, column) for name in FILES for column in columns(name)} - persons


def test_pairs_of_means_halves_the_groups_and_labels_them_with_their_mean() -> None:
    rows = cells(PAIRS_OF_MEANS)
    values = [int(row[0]) for row in rows]
    assert values == sorted({int(text) for text in columns("nba")["salary"]})
    assert {len(row) for row in rows} == {8}
    for level in range(1, 7):
        size = 2**level
        for start in range(0, len(values), size):
            group = values[start : start + size]
            labels = {row[level] for row in rows[start : start + size]}
            assert len(labels) == 1
            assert float(labels.pop()) == pytest.approx(sum(group) / len(group), abs=0.00501)
        labels_in_order = [float(row[level]) for row in rows]
        assert labels_in_order == sorted(labels_in_order)


def test_a_spoilt_hierarchy_would_be_noticed() -> None:
    rows = cells("nba_hierarchy_team")
    rows[0][2] = "Western"
    with pytest.raises(WorkbenchError):
        Hierarchy.from_rows(rows)


def test_description_names_every_file_and_its_figures() -> None:
    text = (SAMPLES / "README.md").read_text(encoding="utf-8")
    files = {**FILES, **PUBLISHED}
    for file in (*files.values(), *HIERARCHIES, "generate.py"):
        assert f"`{file}`" in text
    lines = text.splitlines()
    for name, file in files.items():
        table = columns(name)
        row = next(line for line in lines if line.startswith(f"| `{file}`"))
        assert f"{len(next(iter(table.values()))):,}" in row
        assert all(f"`{column}`" in row for column in table)
    for stem in HIERARCHIES:
        row = next(line for line in lines if line.startswith(f"| `{stem}`"))
        provenance = "data-derived" if stem == PAIRS_OF_MEANS else "public"
        assert f"| {provenance} |" in row
        for groups in Hierarchy.from_rows(cells(stem)).groups()[:-1]:
            assert re.search(rf"\b{groups:,}\b", row.split("|")[3])
    titles = {"nba": "NBA", "baltimore": "Baltimore", "surgery": "Surgery", "ages": "Ages"}
    titles |= {name: f"{name[:1].upper()}{name[1:]}" for name in PUBLISHED}
    summed = {
        "nba": ("salary", "age"),
        "baltimore": ("annual salary", "gross pay"),
        "surgery": ("average total payments", "average Medicare payments"),
        "ages": ("age",),
        "spiky ages": ("age",),
        "surgery with its tail": ("average total payments",),
        "NBA since 1990": ("salary",),
    }
    for name, picked in summed.items():
        for column in picked:
            values = sorted(amount(cell) for cell in columns(name)[column] if cell)
            row = next(line for line in lines if line.startswith(f"| {titles[name]} `{column}`"))
            middle = (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2
            figures = [sum(values) / len(values), middle, values[0], values[-1]]
            expected = [f"{figure:,.2f}" for figure in figures] + [f"{len(set(values)):,}"]
            assert [cell.strip() for cell in row.split("|")[2:-1]] == expected


def test_generator_makes_the_same_files_again(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-B", str(SAMPLES / "generate.py"), "--out", str(tmp_path)],
        check=True,
        capture_output=True,
    )
    made = {path.name for path in tmp_path.iterdir()}
    kept = {path.name for path in SAMPLES.iterdir() if path.suffix in {".csv", ".gz", ".json"}}
    assert made == kept
    assert [name for name in sorted(made) if content(tmp_path / name) != content(SAMPLES / name)] == []
    # The packed file bears neither a time nor a name: bytes 3 to 7 of a gzip header are flags and time.
    assert (tmp_path / FILES["surgery"]).read_bytes()[3:8] == bytes(5)


def test_samples_stay_small() -> None:
    sizes = {path.name: path.stat().st_size for path in SAMPLES.iterdir() if path.is_file()}
    assert sum(sizes.values()) < 9_000_000
    assert sum(sizes[file] for file in PUBLISHED.values()) < 3_000_000
    assert sum(size for name, size in sizes.items() if "_hierarchy_" in name) < 3_000_000
