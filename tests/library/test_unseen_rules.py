"""Rules over values that nobody has looked at: what is said before a draw is the same whatever one row holds."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import workbench as wb
from workbench.core.progress import SILENT
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.widening import widening_specification
from workbench.session import Session


def jobs(one: str) -> wb.Data:
    return wb.open(pd.DataFrame({"job": [*(["cook", "nurse"] * 200), one]}))


def expected(data: wb.Data, rule: wb.hierarchy.HierarchyRule) -> str:
    return repr(data.forecast(["job"], hierarchies={"job": rule}, rows=400))


@pytest.mark.parametrize("one", ["3", "-5", "a much longer value"])
def test_whether_a_rule_covers_one_row_is_not_told(one: str) -> None:
    rule = wb.hierarchy.intervals(10, whole=True)
    assert expected(jobs(one), rule) == expected(jobs("cook"), rule)


@pytest.mark.parametrize("one", ["3", "", "?"])
@pytest.mark.parametrize("usual", ["cook", ""])
def test_whether_a_rule_covers_one_row_is_not_told_where_no_text_means_missing(
    tmp_path: Path, usual: str, one: str
) -> None:
    rule = wb.hierarchy.intervals(10, whole=True).specification
    told = []
    for last in (usual, one):
        (file := tmp_path / "jobs.csv").write_text("job,x\n" + f"{usual},a\n" * 9 + f"{last},a\n", encoding="utf-8")
        session = Session()
        session.data.open(file)
        session.data.set_kind(["job"], Kind.INTEGER)
        session.data.set_missing(["job"], ())
        session.data.attach_hierarchy("job", session.unseen.hierarchy_builder("job", rule)(SILENT))
        made, view = session.project.hierarchies["job"], session.unseen.hierarchy("job")
        assert view is not None and not {usual, last} - {"3"} & set(made.values), "what it does not cover stays so"
        told.append((made.height, made.specification, made.origin, made.provenance, view.hierarchy.rows()))
    assert told[0] == told[1]


def test_whether_there_is_a_row_is_not_told_by_a_rule() -> None:
    rule = wb.hierarchy.intervals(10, whole=True)
    none, one = (wb.open(pd.DataFrame({"job": jobs}, dtype=str)) for jobs in ([], ["3"]))
    assert expected(none, rule) == expected(one, rule)


def test_a_release_is_drawn_where_a_rule_covers_no_row() -> None:
    release = jobs("cook").release(["job"], hierarchies={"job": wb.hierarchy.intervals(10, whole=True)})
    assert release.claimed and set(release.frame["job"]) <= {"*"}


def test_how_long_the_longest_value_is_is_not_forecast() -> None:
    for one in ("cook", "a much longer value"):
        with pytest.raises(wb.Refused, match="follows from the data"):
            expected(jobs(one), wb.hierarchy.masking())
    with pytest.raises(wb.Refused, match="cannot be claimed"):
        (data := jobs("cook")).release(["job"], hierarchies={"job": wb.hierarchy.masking()})
    with pytest.raises(wb.Refused, match="follows from the data"):
        data.forecast(["job"], rows=400)
    expected(jobs("cook").look(), wb.hierarchy.masking())
    expected(jobs("cook"), wb.hierarchy.masking(length=5))


@pytest.mark.parametrize(
    "rule",
    [
        wb.hierarchy.rule(
            "intervals",
            {"whole": True},
            intervals=[{"from": 0, "to": 10}],
            levels=[{"group": 1, "function": "bounds"}],
            lowest={"error": 0},
        ),
        wb.hierarchy.rule("dates", {}, levels=[{"unit": "year"}], highest={"error": "2020-01-01"}),
    ],
    ids=["a number", "a date"],
)
def test_a_value_beyond_a_bound_that_makes_it_an_error_is_not_told(rule: wb.hierarchy.HierarchyRule) -> None:
    kind, usual, wrong = wb.integer(), "3", "-5"
    if "dates" in str(rule.specification["builder"]):
        kind, usual, wrong = wb.date("%Y-%m-%d"), "2019-03-04", "2021-03-04"
    tables = [pd.DataFrame({"job": [*[usual] * 400, *more]}) for more in ([], [wrong])]
    said = [expected(wb.open(table).describe(job=kind), rule) for table in tables]
    assert said[0] == said[1]
    release = wb.open(tables[1]).describe(job=kind).release(["job"], hierarchies={"job": rule})
    assert release.claimed and wrong not in set(release.frame["job"].astype(str))


def test_a_draw_is_not_lost_to_a_bound_of_intervals_that_widen(tmp_path: Path) -> None:
    plain = widening_specification(ColumnSpec("pay", Kind.INTEGER), (0, 200_000))
    details = {**plain["details"], "highest": {"error": 150_000}}
    rule = wb.hierarchy.rule("intervals", plain["parameters"], **details)
    pay = pd.DataFrame({"pay": [100, 2500, 12_000, 180_000] * 100})
    data = wb.open(pay).describe(pay=wb.integer(0, 200_000))
    release = data.release(["pay"], hierarchies={"pay": rule}, levels={"pay": 1})
    assert wb.verify(release.save(tmp_path / "pay.csv")).holds


@pytest.mark.parametrize("one", [3, -5, 700])
@pytest.mark.parametrize(
    ("function", "said"),
    [("geometric-mean", "do not go below 0"), ("set", "as a set"), ("prefix", "which numbers occur")],
)
def test_whether_a_label_can_be_written_does_not_depend_on_a_row(function: str, said: str, one: int) -> None:
    rule = labelled_by(function)
    words = pd.DataFrame({"job": [*(["cook", "nurse"] * 200), str(one)]})
    for data in (wb.open(words), wb.open(pd.DataFrame({"job": [*([3, 7] * 200), one]}))):
        with pytest.raises(wb.Refused, match=said):
            expected(data, rule)


def test_a_rule_that_fits_the_values_is_taken_after_a_look_and_one_that_fits_all_before() -> None:
    ages = pd.DataFrame({"job": [3, 7] * 200})
    expected(wb.open(ages).look(), labelled_by("geometric-mean"))
    expected(wb.open(ages), labelled_by("geometric-mean", lowest={"coding": 0}))


def labelled_by(function: str, **ends: object) -> wb.hierarchy.HierarchyRule:
    levels = [{"group": 1, "function": function}]
    return wb.hierarchy.rule("intervals", {}, intervals=[{"from": 0, "to": 10}], levels=levels, **ends)
