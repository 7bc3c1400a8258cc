"""Where a hierarchy made from the data is harmless, nothing that leaves tells anything about it.

Neighbouring tables whose released rows happen to be equal must be told by the same bytes, and by the same verdict.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from workbench.anonymise.dp_search import Degree
from workbench.cli.main import main
from workbench.core.building import build_hierarchy, specification
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.progress import SILENT
from workbench.core.schema import ColumnSpec, Kind
from workbench.io.hierarchy_csv import read_hierarchy, write_hierarchy
from workbench.project.model import GuaranteeSettings, LevelsBy
from workbench.project.names_beside import note_beside, statement_beside
from workbench.project.storage import load_project, save_project
from workbench.report.html_report import html_of
from workbench.session import Session
from workbench.session.release import drawing

COMMON = ["AA"] * 60
NEIGHBOURS = [
    (COMMON, [*COMMON, "SECRETVALUE"]),
    ([*COMMON, "B"], [*COMMON, "B", "CCC"]),
    ([*COMMON, "B"], COMMON),
    ([*COMMON, "Z"], [*COMMON, "Z", "AZ"]),
]


class Known:
    """Numbers that are the same for both tables, as far as they are for rows that both have."""

    secure = True

    def __init__(self) -> None:
        self._bits = np.random.PCG64(4)

    def words(self, count: int) -> NDArray[np.uint64]:
        return self._bits.random_raw(count)


@pytest.fixture(autouse=True)
def known_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "source_for", lambda _seed: Known())


def masked(values: Sequence[str]) -> Hierarchy:
    """As masking does it that takes the length from the data: one more character is hidden at each level."""
    width = max(map(len, values))
    rows = [(v, *(v.ljust(width)[: width - i] + "*" * i for i in range(1, width)), "*") for v in dict.fromkeys(values)]
    return Hierarchy.from_rows(
        rows, provenance=Provenance.DERIVED, origin=f"masks {width} characters of {len(rows)} values of the data"
    )


def flat(values: Sequence[str]) -> Hierarchy:
    """A table of the values that occur."""
    rows = [(v, "*") for v in dict.fromkeys(values)]
    return Hierarchy.from_rows(rows, provenance=Provenance.DERIVED, origin=f"A table of {len(rows)} values")


def level_0(session: Session) -> None:
    session.release.columns.set_level("zip", 0)


def suppressed(session: Session) -> None:
    session.release.columns.suppress("zip")


def by_degree(degree: Degree) -> Callable[[Session], None]:
    def settle(session: Session) -> None:
        session.release.columns.set_degree(degree)
        session.release.columns.set_levels_by(LevelsBy.DEGREE)

    return settle


def suppressed_beside_a_degree(session: Session) -> None:
    by_degree(Degree.MEDIUM)(session)
    suppressed(session)


HARMLESS = [level_0, suppressed, by_degree(Degree.NONE), by_degree(Degree.COMPLETE), suppressed_beside_a_degree]


def opened(
    folder: Path, values: Sequence[str], make: Callable[[Sequence[str]], Hierarchy], settle: Callable[[Session], None]
) -> Session:
    folder.mkdir()
    (folder / "data.csv").write_text("".join(f"{v}\n" for v in ("zip", *values)), encoding="utf-8")
    session = Session()
    session.ledger.use_file(folder / "ledger.jsonl")
    session.data.open(folder / "data.csv")
    session.data.attach_hierarchy("zip", make(values))
    session.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-3, beta="best"))
    settle(session)
    return session


def everything_that_leaves(session: Session) -> dict[str, bytes]:
    folder = session.data.reading.path.parent
    out = folder / "out.csv"
    reports = session.reports
    before = html_of(reports_before(session))
    session.release.export(out, statement_beside(out), note=note_beside(out))
    left = {path.name: path.read_bytes() for path in (out, statement_beside(out), note_beside(out))}
    return {**left, "before": before.encode(), "report": html_of(reports.maker()(SILENT).release).encode()}


def reports_before(session: Session) -> Any:
    """The release report of a result that has not left: it says what a file made in this way would promise."""
    session.release.anonymise()
    return session.reports.maker()(SILENT).release


@pytest.mark.parametrize("settle", HARMLESS)
@pytest.mark.parametrize("make", [masked, flat])
@pytest.mark.parametrize("pair", NEIGHBOURS)
def test_neighbouring_tables_are_told_by_the_same_bytes(
    tmp_path: Path,
    pair: tuple[list[str], list[str]],
    make: Callable[[Sequence[str]], Hierarchy],
    settle: Callable[[Session], None],
) -> None:
    one, other = (opened(tmp_path / str(side), values, make, settle) for side, values in enumerate(pair))
    left, right = everything_that_leaves(one), everything_that_leaves(other)
    assert left["out.csv"] == right["out.csv"]
    assert one.release.current_claim().holds
    for name, content in left.items():
        assert content == right[name], name
        assert b"of the data" not in content and b"A table of" not in content, name


# Rules that are public, and values of which each happens to become * below a top, but not that of one more row.
TENS = {"intervals": [{"from": 0, "to": 10}], "levels": [{"group": 1, "function": "interval"}]}
PUBLIC_RULES: list[tuple[str, dict[str, Any], dict[str, Any], str, str]] = [
    ("redaction", {"top": False}, {"rules": [{"pattern": "[0-9]+"}]}, "12", "12b"),
    ("redaction", {"top": True}, {"rules": [{"pattern": "[0-9]+"}]}, "12", "12b"),
    ("masking", {"length": 3, "align": "none", "top": True}, {}, "A", "BB"),
    ("intervals", {"unlisted": "any", "top": False}, TENS, "unknown", "34"),
    ("intervals", {"unlisted": "any", "top": True}, TENS, "unknown", "34"),
]


@pytest.mark.parametrize(("builder", "parameters", "details", "common", "rare"), PUBLIC_RULES)
def test_that_all_labels_of_a_public_rule_happen_to_be_stars_is_not_told(
    tmp_path: Path, builder: str, parameters: dict[str, Any], details: dict[str, Any], common: str, rare: str
) -> None:
    def make(values: Sequence[str]) -> Hierarchy:
        column = ColumnSpec("zip", Kind.INTEGER if builder == "intervals" else Kind.TEXT)
        return build_hierarchy(specification(builder, parameters, details), tuple(dict.fromkeys(values)), column=column)

    left = []
    for side, values in enumerate(([common] * 60, [*[common] * 60, rare])):
        session = opened(
            tmp_path / str(side), values, make, lambda session: session.release.columns.set_level("zip", 1)
        )
        left.append(everything_that_leaves(session))
        assert session.release.current_claim().holds
    assert left[0] == left[1]
    assert set(left[0]["out.csv"].split()) == {b"zip", b"*"}


@pytest.mark.parametrize("settle", [by_degree(degree) for degree in Degree if degree not in ("none", "complete")])
@pytest.mark.parametrize("pair", NEIGHBOURS)
def test_a_degree_of_a_derived_height_never_carries_a_claim(
    tmp_path: Path, pair: tuple[list[str], list[str]], settle: Callable[[Session], None]
) -> None:
    # Of a height of 1 every degree makes the values themselves or *; of a greater one it does not.
    for side, values in enumerate(pair):
        claim = opened(tmp_path / str(side), values, masked, settle).release.claim()
        assert [reason.code for reason in claim.reasons] == ["data-derived-hierarchy"]
        assert not claim.told_without


@pytest.mark.parametrize("degree", [Degree.NONE, Degree.COMPLETE])
@pytest.mark.parametrize("limits", [(1, 2), (0, 1), (1, 1)])
def test_a_degree_kept_within_levels_of_a_derived_hierarchy_never_does(
    tmp_path: Path, degree: Degree, limits: tuple[int, int]
) -> None:
    session = opened(tmp_path / "one", [*COMMON, "BBBB"], masked, by_degree(degree))
    session.release.columns.limit_levels("zip", limits)
    assert session.release.claim().holds is (degree is Degree.NONE and limits[0] == 0)


def test_a_private_draw_of_the_levels_of_a_derived_hierarchy_never_does(tmp_path: Path) -> None:
    for side, values in enumerate((["A"] * 60, [*["A"] * 60, "BB"])):
        session = opened(
            tmp_path / str(side), values, masked, lambda s: s.release.columns.set_levels_by(LevelsBy.SEARCH)
        )
        assert [reason.code for reason in session.release.claim().reasons] == ["data-derived-hierarchy"]


def test_whether_a_hierarchy_was_found_out_is_not_told_where_it_says_nothing(tmp_path: Path) -> None:
    """Labels that are averages of the data are found out whether the data has all the values they are of or not."""
    pays = [1000 + (i * i * 7919) % 9001 for i in range(12)]
    rows = [(str(v), str((a + b) / 2), "*") for a, b in zip(pays[::2], pays[1::2], strict=True) for v in (a, b)]

    def settle(level: int) -> Callable[[Session], None]:
        return lambda session: session.release.columns.set_level("zip", level)

    for level in (0, 2):
        left: list[dict[str, bytes]] = []
        for side, extra in enumerate(([str(pay) for pay in pays], [str(pay) for pay in pays[:-1]])):
            values = [str(pays[1])] * 61 + extra
            folder = tmp_path / f"{level}{side}"
            session = opened(folder, values, lambda _: Hierarchy.from_rows(rows, origin="pays"), settle(level))
            assert session.project.hierarchies["zip"].provenance is Provenance.DERIVED
            left.append(everything_that_leaves(session))
            assert session.release.current_claim().holds
        assert left[0] == left[1]


def test_the_command_line_tells_nothing_either(tmp_path: Path) -> None:
    for words in (["--level", "zip=0"], ["--suppress", "zip"], ["--degree", "none"], ["--degree", "complete"]):
        said = []
        for side, values in enumerate(NEIGHBOURS[0]):
            folder = tmp_path / f"{side}{'-'.join(words)}"
            folder.mkdir()
            (folder / "data.csv").write_text("".join(f"{v}\n" for v in ("zip", *values)), encoding="utf-8")
            write_hierarchy(masked(values), folder / "zip.csv")
            stream = io.StringIO()
            with redirect_stdout(stream):
                code = main(
                    ["anonymise", str(folder / "data.csv"), "--ledger", str(folder / "ledger.jsonl"),
                     "--hierarchy", f"zip={folder / 'zip.csv'}", *words, "--epsilon", "1", "--delta", "1e-3",
                     "--beta", "best", "--out", str(folder / "out.csv"), "--json"]
                )  # fmt: skip
            answer = json.loads(stream.getvalue())
            assert (code, answer["claim"]) == (0, True)
            assert not {"analyst", "analyst_cautions"} & set(answer)
            answer.pop("out")
            said.append(answer)
        assert said[0] == said[1]
        assert "height" not in json.dumps(said)


@pytest.mark.parametrize(
    ("common", "rare"),
    [
        (["98", "107", "107"], "90+"),  # not numbers any more
        (["1.25", "1.375", "1.375"], "1.250.000"),
        (["20-29", "100-199", "100-199"], "7"),
    ],
)
def test_one_row_that_is_not_released_does_not_turn_the_bars_of_a_report(
    tmp_path: Path, common: list[str], rare: str
) -> None:
    """It changes what a column is taken for."""
    left = []
    for side, values in enumerate((common * 60, [*common * 60, rare])):
        known = Hierarchy.from_rows([(value,) for value in (*common[:2], rare)])
        session = opened(tmp_path / str(side), values, lambda _, known=known: known, level_0)
        left.append(everything_that_leaves(session))
        assert session.release.current_claim().holds
    assert left[0]["out.csv"] == left[1]["out.csv"]
    assert left[0] == left[1]
    drawn = [left[0]["report"].find(f">{value}</text>".encode()) for value in common[:2]]
    assert 0 < drawn[0] < drawn[1], "smaller numbers come first, although they are rarer"


@pytest.mark.parametrize("top", [False, True])
def test_nor_is_it_of_the_file_of_a_built_hierarchy_and_of_a_project_with_it(tmp_path: Path, top: bool) -> None:
    rules = specification("redaction", {"top": top}, {"rules": [{"pattern": "[0-9]+"}]})
    left = []
    for side, values in enumerate((["12"] * 60, [*["12"] * 60, "12b"])):
        spec, file = tmp_path / f"{side}.spec.json", tmp_path / f"{side}" / "zip.csv"
        spec.write_text(json.dumps(rules), encoding="utf-8")

        def read(_: Sequence[str], spec: Path = spec, file: Path = file) -> Hierarchy:
            data = ["--data", str(file.parent / "data.csv"), "--column", "zip"]
            assert main(["hierarchy", "build", str(spec), *data, "--out", str(file)]) == 0
            return read_hierarchy(file)

        session = opened(
            tmp_path / str(side), values, read, lambda session: session.release.columns.set_level("zip", 1)
        )
        save_project(session.project, tmp_path / f"{side}.wbench")
        assert load_project(tmp_path / f"{side}.wbench").hierarchies["zip"].topped is top
        left.append(everything_that_leaves(session))
        assert session.release.current_claim().holds
    assert left[0] == left[1]
    assert set(left[0]["out.csv"].split()) == {b"zip", b"*"}
