"""The session: the working table and who uses it, the description, and what is other in the next file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from workbench.anonymise.recipe import Treatment
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT
from workbench.core.schema import Format, Kind, Misfits, PrivacyUnit, Role
from workbench.core.working_table import Preparation
from workbench.project.differences import NewValues
from workbench.project.loading import differences, load
from workbench.project.model import GuaranteeSettings
from workbench.session import Session
from workbench.session.state import Desk, Results

CITIES = ("Ghent", "Leuven", "Mons")


def written(path: Path, rows: list[tuple[Any, ...]], heading: str = "who,age,city,pay") -> Path:
    lines = [heading, *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def people(count: int = 900) -> list[tuple[Any, ...]]:
    """Three rows of every person; ages 20 to 69, of which every 90th is a slip."""
    return [(f"p{i // 3}", "n.d." if i % 90 == 0 else 20 + i % 50, CITIES[i % 3], 1000 + i) for i in range(count)]


@pytest.fixture
def session(tmp_path: Path) -> Session:
    session = Session()
    session.data.open(written(tmp_path / "people.csv", people()))
    session.data.set_role(["who"], Role.IDENTIFYING)
    session.data.attach_hierarchy("city", Hierarchy.from_rows([(city, "*") for city in CITIES]))
    session.release.columns.set_level("city", 0)
    session.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-3))
    session.data.set_unit(PrivacyUnit(3, "who"))
    return session


def codes(session: Session) -> set[str]:
    return {reason.code for reason in session.release.claim().reasons}


# The working table


def test_by_default_the_working_table_is_the_one_that_was_read(session: Session) -> None:
    assert session.data.table is session.data.reading.table
    assert not session.data.needs_preparing
    assert session.data.prepared is not None
    assert session.data.prepared.population is session.data.table
    assert session.release.anonymise().table is session.data.table


def test_everything_downstream_uses_the_working_table(session: Session) -> None:
    session.data.set_preparation(Preparation("city != 'Mons' and age < 60"))
    assert session.data.reading.table.rows == 900, "what was read stays as it is"
    assert session.data.needs_preparing
    assert set(session.data.table["city"].take(session.data.table["city"].codes >= 0).texts()) == {"Ghent", "Leuven"}
    assert not session.data.needs_preparing
    result = session.release.anonymise()
    assert result.outcome.rows_in == session.data.table.rows < 900
    assert result.table is session.data.table
    assert set(result.outcome.release["city"].texts()) <= {"Ghent", "Leuven"}
    # A hierarchy need not list values of rows that take no part.
    session.data.attach_hierarchy("city", Hierarchy.from_rows([("Ghent", "*"), ("Leuven", "*")]))
    assert session.data.uncovered("city") == []
    session.data.set_preparation(Preparation())
    assert session.data.uncovered("city") == ["Mons"]


def test_a_run_prepares_by_itself_and_the_window_can_do_it_before(session: Session) -> None:
    session.data.set_preparation(Preparation("age > 30", sample=0.5))
    work = session.data.preparer()
    made = work(SILENT)
    assert session.data.accept_prepared(made) is made.prepared
    assert session.data.table is made.prepared.table
    assert session.release.anonymise().table is made.prepared.table
    assert session.snapshot().data.table is made.prepared.table, "the same random draw"


def test_what_was_prepared_for_other_settings_or_data_is_not_taken_in(session: Session, tmp_path: Path) -> None:
    session.data.set_preparation(Preparation("age > 30"))
    work = session.data.preparer()
    session.data.set_preparation(Preparation("age > 40"))
    assert session.data.accept_prepared(work(SILENT)) is None
    assert session.data.needs_preparing
    work = session.data.preparer()
    session.data.open(written(tmp_path / "next.csv", people(300)))
    assert session.data.accept_prepared(work(SILENT)) is None
    assert session.data.table.rows < 300


def test_undo_finds_the_same_draw_again(session: Session) -> None:
    session.data.set_preparation(Preparation(sample=0.5))
    drawn, before = session.data.table, session.project
    session.data.set_preparation(Preparation("age > 40", sample=0.5))
    assert session.data.table is not drawn
    session.project = before
    assert session.data.table is drawn


def test_what_has_no_influence_does_not_draw_anew(session: Session) -> None:
    session.data.set_preparation(Preparation("age > 30", sample=0.5))
    drawn = session.data.table
    session.data.set_role(["age"], Role.QUASI)
    session.data.set_bounds("age", (0.0, 120.0))
    session.data.set_unit_text("age", "years")
    session.data.set_missing(["pay"], ["", "-"])
    assert session.data.table is drawn
    session.data.set_missing(["age"], ["", "n.d."])
    assert session.data.table is not drawn


def test_a_seed_repeats_the_preparation_but_not_as_the_mechanisms_numbers(session: Session) -> None:
    session.data.set_preparation(Preparation(sample=0.5))
    session.release.set_seed(4)
    first = session.data.table
    again = Session(session.project)
    again.data.open(session.data.reading.path)
    assert again.data.table["pay"].texts() == first["pay"].texts()
    session.release.set_seed(None)
    assert session.data.table["pay"].texts() != first["pay"].texts()
    session.release.set_seed(4)
    session.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-3, beta=0.5))
    sampled = session.release.anonymise().outcome.sampled_rows
    assert len(sampled) < 0.9 * session.data.table.rows, "not the same coins a second time"


def test_a_result_belongs_to_the_settings_its_run_started_with(session: Session) -> None:
    run = session.release.anonymiser()
    session.data.set_preparation(Preparation("age > 30"))
    result = session.release.accept(run(SILENT))
    assert result.table is session.data.reading.table
    assert not session.release.result_is_current
    session.data.set_preparation(Preparation())
    assert session.release.result_is_current
    run = session.release.anonymiser()
    session.release.columns.set_level("city", 1)
    assert session.release.accept(run(SILENT)).outcome.recipe.levels == {"city": 0}
    assert not session.release.result_is_current
    with pytest.raises(WorkbenchError, match="out of date"):
        session.release.current_result()


# The claim


@pytest.mark.parametrize(
    "change",
    [
        lambda s: s.data.set_preparation(Preparation("age > 30")),
        lambda s: s.data.set_preparation(Preparation(sample=0.9)),
        lambda s: s.data.set_preparation(Preparation(limit_rows=True)),
        lambda s: s.data.set_misfits("city", "missing"),
    ],
    ids=["filter", "sample", "limit", "misfits"],
)
def test_rows_chosen_after_figures_were_taken_carry_no_claim(
    session: Session, change: Callable[[Session], None]
) -> None:
    assert session.release.anonymise().claim.holds
    before = session.project
    change(session)
    assert not session.release.result_is_current
    assert session.release.claim().holds, "a draw shows nothing that is not paid for"
    session.project = before
    assert session.release.recall()
    session.release.look(publish=True)
    assert session.release.current_claim().holds, "its publication was settled"
    session.project = replace(before, histories=session.project.histories)
    change(session)
    assert codes(session) == {"looked-before"}
    assert not session.release.anonymise().claim.holds
    session.project = replace(before, histories=session.project.histories)
    assert session.release.recall() and session.release.current_claim().holds
    assert not session.release.draw_again().claim.holds


@pytest.mark.parametrize("publish", [True, False])
def test_a_look_for_whatever_reason_ends_what_later_draws_can_claim(session: Session, publish: bool) -> None:
    """Simulations on a true column are one, and so is whatever else shows figures computed from the rows."""
    with pytest.raises(WorkbenchError, match="Simulations are computed from the true rows"):
        session.looks.require("Simulations", "Take the look first.")
    assert session.release.anonymise().claim.holds and session.looks.at_stake.undecided
    session.looks.take("simulation", publish=publish)
    session.looks.require("Simulations", "Take the look first.")
    assert session.looks.taken and not session.looks.at_stake.undecided
    assert session.release.current_claim().holds is publish, "settled before, or not"
    assert [reason.code for reason in session.release.draw_again().claim.reasons] == ["looked-before"]
    assert [look.recipe for look in session.ledger.looks(session.data.fingerprint)][:1] == ["simulation"]


def test_what_makes_no_difference_to_the_rows_is_no_tuning(session: Session) -> None:
    session.data.set_preparation(Preparation("age > 30"))
    assert session.release.anonymise().claim.holds
    session.data.set_preparation(Preparation("( AGE>30.0 )".replace("AGE", "age")))
    session.data.set_misfits("pay", Misfits.MISSING)  # takes no part in the release
    session.data.set_misfits("city", Misfits.STOP)
    assert session.release.claim().holds


def test_the_limit_is_enforced_said_and_claimed(session: Session) -> None:
    session.data.set_unit(PrivacyUnit(1, "who"))
    result = session.release.anonymise()
    assert result.claim.holds, "whether anybody has more is not counted"
    session.data.set_preparation(Preparation(limit_rows=True))
    assert session.release.anonymise().table.rows == result.table.rows
    assert max(Counter(result.table["who"].texts()).values()) == 1
    assert any("“who”, at most one row took part, chosen at random" in line for line in result.claim.checked)
    assert not any("No person has more than" in line for line in result.claim.asserted)
    assert any("two values of “who”" in line for line in result.claim.asserted)


def test_a_filter_and_a_sample_are_said(session: Session) -> None:
    session.data.set_preparation(Preparation("age>30 AND city in ('Ghent')", sample=0.5))
    claim = session.release.claim()
    assert any("Only rows with age > 30 and city in ('Ghent') took part" in line for line in claim.checked)
    assert any("with probability 0.5" in line for line in claim.checked)
    assert any("which rows take part" in line and "whoever is in the table" in line for line in claim.asserted)


def test_a_sample_does_not_hide_that_somebody_has_too_many_rows(session: Session) -> None:
    session.data.set_unit(PrivacyUnit(2, "who"))
    session.data.set_preparation(Preparation(sample=0.02))
    assert max(Counter(session.data.table["who"].texts()).values()) <= 2, "in the sample nobody has more"
    session.data.set_unit(PrivacyUnit(1, "who"))
    session.data.set_preparation(Preparation(sample=0.5))
    result = session.release.anonymise()
    assert result.claim.holds and max(Counter(result.table["who"].texts()).values()) == 1


def test_averages_of_the_data_are_known_also_behind_a_filter(session: Session) -> None:
    pay = sorted({row[3] for row in people() if row[3] % 4})
    file = session.data.reading.path.with_name("gaps.csv")
    session.data.open(written(file, [(f"p{i}", 30, CITIES[i % 3], value) for i, value in enumerate(pay)]))
    pairs = [pay[i // 2 * 2 : i // 2 * 2 + 2] for i in range(len(pay))]
    rows = [(str(v), str(sum(pair) / len(pair)), "*") for v, pair in zip(pay, pairs, strict=True)]
    session.data.set_preparation(Preparation("pay > 1100"))
    session.data.attach_hierarchy("pay", Hierarchy.from_rows(rows))
    session.data.set_provenance("pay", Hierarchy.from_rows(rows).provenance, "said to be public")
    assert "looks-data-derived" in codes(session)


# The description


def test_limiting_needs_persons_and_ends_with_them(session: Session, tmp_path: Path) -> None:
    session.data.set_preparation(Preparation("age > 30", limit_rows=True))
    session.data.set_unit(PrivacyUnit(3))
    assert session.project.preparation == Preparation("age > 30")
    with pytest.raises(WorkbenchError, match="no column says"):
        session.data.set_preparation(Preparation(limit_rows=True))
    session.data.set_unit(PrivacyUnit(3, "who"))
    session.data.set_preparation(Preparation(limit_rows=True))
    session.data.open(written(tmp_path / "next.csv", [(30, "Ghent")] * 30, "age,city"))
    assert session.project.schema.unit.person_column == ""
    assert session.project.preparation == Preparation()


def test_a_filter_that_cannot_be_read_is_refused_and_nothing_changes(session: Session) -> None:
    before = session.project
    with pytest.raises(WorkbenchError, match="agee"):
        session.data.set_preparation(Preparation("agee > 3"))
    assert session.project is before


def test_misfits_can_stay_become_missing_or_stop(session: Session) -> None:
    assert session.project.schema["age"].kind is Kind.INTEGER
    assert "n.d." in session.data.table["age"].texts()
    session.data.set_misfits("age", "missing")
    assert session.data.prepared is None
    assert "n.d." not in session.data.table["age"].texts()
    assert session.data.prepared is not None
    assert dict(session.data.prepared.misfits) == {"age": 10}
    session.data.set_misfits("age", Misfits.STOP)
    with pytest.raises(WorkbenchError, match=r"“age” 10 rows .*line 2, .*line 92, .*line 182 and 7 more"):
        _ = session.data.table
    # A release that stopped would tell its readers that there are such values.
    assert "n.d." not in session.release.anonymise().table["age"].texts()
    with pytest.raises(WorkbenchError, match="keep, missing, stop") as caught:
        session.data.set_misfits("age", "drop")
    assert caught.value.field == "age"


def test_formats_missing_texts_domains_and_units(session: Session) -> None:
    session.data.set_kind(["pay"], Kind.MONEY)
    assert session.data.proposed_format("pay", Kind.MONEY) == Format()
    session.data.set_format("pay", Format(",", ".", "€"))
    with pytest.raises(WorkbenchError, match="Numbers cannot have"):
        session.data.set_format("pay", Format(".", "."))
    session.data.set_kind(["age"], Kind.DATE)
    with pytest.raises(WorkbenchError, match="no pattern"):
        session.data.set_format("age", Format())
    session.data.set_missing(["age", "pay"], ["", "NA", ""])
    session.data.set_unit_text("pay", " EUR ")
    session.data.set_kind(["city"], Kind.ORDERED)
    session.data.set_domain("city", reversed(CITIES))
    schema = session.project.schema
    assert schema["pay"].format == Format(",", ".", "€")
    assert schema["age"].missing == schema["pay"].missing == ("", "NA")
    assert schema["pay"].unit == "EUR"
    assert schema["city"].domain == ("Mons", "Leuven", "Ghent")
    for values, told in (([], "is empty"), (["a", "b", "a"], "“a” twice"), (["a", " "], "missing value")):
        with pytest.raises(WorkbenchError, match=told):
            session.data.set_domain("city", values)
    session.data.set_domain("city", None)
    assert session.project.schema["city"].domain is None


def test_suggestions_come_with_reasons(session: Session) -> None:
    found = session.data.suggester()(SILENT)
    assert [one.columns for one in found.found[:2]] == [("who",), ("pay",)]
    assert all(suggestion.reason for suggestion in found.found)
    assert found.spreads["city"].distinction == pytest.approx(3 / 900)


def test_proposed_formats(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text(
        'a;b;c;d\n"1.234,50 €";03/04/2020;2020-01-31 10:00;x\n"5,00 €";12/31/2020;2020-02-01 11:30;y\n',
        encoding="utf-8",
    )
    session = Session()
    session.data.open(file)
    assert session.data.proposed_format("a", Kind.MONEY) == Format(",", ".", "€")
    assert session.data.proposed_format("b", Kind.DATE).pattern == "%m/%d/%Y"
    assert session.data.proposed_format("c", Kind.DATETIME).pattern == "%Y-%m-%d %H:%M"
    assert session.data.proposed_format("d", Kind.INTEGER) == Format()
    assert session.data.proposed_format("d", Kind.DATE).pattern
    assert session.data.proposed_format("d", Kind.TEXT) == Format()


# The next file


def test_a_new_project_and_the_same_file_have_no_differences(session: Session) -> None:
    assert not Session().data.adopt(load(session.data.reading.path))
    assert not session.data.adopt(load(session.data.reading.path))


def test_what_is_other_in_the_next_file_is_listed(session: Session, tmp_path: Path) -> None:
    session.data.set_kind(["city"], Kind.CATEGORY)
    session.data.set_preparation(Preparation("pay > 3"))
    rows = [(f"p{i}", "?" if i == 5 else 30, "Paris" if i % 2 else "Ghent", f"q{i}") for i in range(40)]
    file = written(tmp_path / "next.csv", rows, "who,age,city,extra")
    loaded = load(file)
    expected = differences(session.project, loaded, session.data.loaded)
    found = session.data.adopt(loaded)
    assert found == expected
    assert (found.missing, found.new) == (("pay",), ("extra",))
    assert found.new_values["city"] == NewValues(1, ("Paris",))
    assert dict(found.misfits) == {"age": 1}
    assert "pay" in found.filter_problem
    with pytest.raises(WorkbenchError, match="pay"):
        _ = session.data.table


def test_new_values_without_a_hierarchy(session: Session, tmp_path: Path) -> None:
    session.data.detach_hierarchy("city")
    file = written(tmp_path / "next.csv", [(f"p{i}", 30, "Paris" if i % 2 else "", 5) for i in range(40)])
    loaded = load(file)
    assert differences(session.project, loaded).new_values == {}, "nothing says what to expect"
    assert differences(session.project, loaded, session.data.loaded).new_values["city"].examples == ("Paris",)
    session.data.set_domain("city", ["Ghent", "Leuven", "Mons", "Paris"])
    assert differences(session.project, loaded, session.data.loaded).new_values == {}


def test_many_new_values_are_counted_and_some_named(session: Session, tmp_path: Path) -> None:
    file = written(tmp_path / "next.csv", [(f"p{i}", 30, f"c{i}", 5) for i in range(100)])
    found = session.data.adopt(load(file)).new_values["city"]
    assert found.count == 100
    assert len(found.examples) == 20


def test_the_desks_of_a_session_are_made_once_and_share_its_state(tmp_path: Path) -> None:
    session = Session()
    names = ("data", "release", "syntactic", "queries", "collection", "comparison", "audit", "ledger")
    desks = {name: getattr(session, name) for name in names}
    assert all(isinstance(desk, Desk) for desk in desks.values())
    session.data.open(written(tmp_path / "people.csv", people()))
    assert all(getattr(session, name) is desk for name, desk in desks.items())
    session.release.columns.set_treatment("age", Treatment.KEEP)
    assert session.project.anonymise.treatments["age"] is Treatment.KEEP
    then = session.release.snapshot()
    session.release.columns.set_treatment("age", Treatment.LEAVE_OUT)
    assert session.release.recipe().named(Treatment.KEEP) == () and then.recipe().named(Treatment.KEEP)


def test_nothing_made_of_other_data_stays(tmp_path: Path) -> None:
    session = Session()
    session.data.open(written(tmp_path / "one.csv", people()))
    empty = vars(Results())
    for name, value in empty.items():
        setattr(session.state.results, name, {"a draw": name, "another": name} if isinstance(value, dict) else (name,))
    result = SimpleNamespace(draw="a draw")
    session.state.results.result = result
    kept = session.snapshot().state.results
    of_it = {
        "result": result,
        "said": {"a draw": "said"},
        "after": {"a draw": "after"},
        "beforehand": ("beforehand",),
        "beforehand_of": ("beforehand_of",),
    }
    assert {name: getattr(kept, name) for name in empty} == {**empty, **of_it}
    session.data.open(written(tmp_path / "other.csv", people(30)))
    assert vars(session.state.results) == empty
    assert not session.release.written("a draw") and session.syntactic.found is None


def test_a_snapshot_does_not_follow_the_session(tmp_path: Path) -> None:
    session = Session()
    session.data.open(written(tmp_path / "people.csv", people()))
    then, before = session.snapshot(), session.project
    session.data.set_role(["age"], Role.SENSITIVE)
    session.ledger.use_file(tmp_path / "named.jsonl")
    assert then.project is before and session.project is not before
    assert then.ledger.current.path != session.ledger.current.path
    session.project = before  # as undo does it
    assert session.data.reading.table.rows and session.state.project is before
