"""Everything that voids the claim and can be detected is detected and said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from workbench.anonymise.claim import averages_of_the_data
from workbench.anonymise.mechanism import Treatment
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.schema import PrivacyUnit, Role
from workbench.core.table import Column
from workbench.project.model import GuaranteeSettings
from workbench.session import Session

PUBLIC = Hierarchy.from_rows(
    [(str(pay), f"[{pay // 100 * 100}, {pay // 100 * 100 + 100}[", "*") for pay in range(1000, 2000)],
    origin="hundreds",
)


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """400 people, one row each, with a public hierarchy on the pay."""
    lines = ["name,pay,city"]
    lines += [f"Person {i},{1000 + (i * i * 7) % 997},{'Ghent' if i % 2 else 'Leuven'}" for i in range(400)]
    file = tmp_path / "people.csv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    session = Session()
    session.open(file)
    session.set_role(["name"], Role.IDENTIFYING)
    session.attach_hierarchy("pay", PUBLIC)
    session.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-3))
    return session


def pairs_of_means(values: list[int]) -> Hierarchy:
    ranked = sorted(values)
    rows = []
    for index, value in enumerate(ranked):
        pair = ranked[index // 2 * 2 : index // 2 * 2 + 2]
        rows.append((str(value), str(sum(pair) / len(pair)), "*"))
    return Hierarchy.from_rows(rows)


def codes(session: Session) -> set[str]:
    return {reason.code for reason in session.anonymise().claim.reasons}


def test_the_claim_holds_when_nothing_breaks_it(session: Session) -> None:
    claim = session.anonymise().claim
    assert claim.holds
    assert claim.guarantee.epsilon == 1.0
    assert claim.guarantee.delta <= 1e-3


def derived(session: Session) -> None:
    session.set_provenance("pay", Provenance.DERIVED, "sorted and averaged")


def disguised(session: Session) -> None:
    values = sorted({int(v) for v in session.reading.table["pay"].values})
    session.attach_hierarchy("pay", pairs_of_means(values))
    session.set_provenance("pay", Provenance.PUBLIC, "said to be public")


def seeded(session: Session) -> None:
    session.set_seed(1)


def looked(session: Session) -> None:
    session.set_levels_blind(False)


def kept(session: Session) -> None:
    session.set_treatment("city", Treatment.KEEP)


def tuned(session: Session) -> None:
    session.anonymise()
    session.set_level("pay", 2)


@pytest.mark.parametrize(
    ("break_it", "code"),
    [
        (derived, "data-derived-hierarchy"),
        (disguised, "looks-data-derived"),
        (seeded, "seeded"),
        (looked, "levels-not-blind"),
        (kept, "ungrouped-column"),
        (tuned, "tuned-on-outcome"),
    ],
)
def test_each_way_to_void_the_claim_is_detected(
    session: Session, break_it: Callable[[Session], None], code: str
) -> None:
    break_it(session)
    result = session.anonymise()
    assert code in {reason.code for reason in result.claim.reasons}
    assert not result.claim.holds
    assert all(reason.text and reason.remedy for reason in result.claim.reasons)


def test_going_back_to_the_first_settings_restores_the_claim(session: Session) -> None:
    tuned(session)
    assert codes(session) == {"tuned-on-outcome"}
    session.set_level("pay", 1)
    assert codes(session) == set()


def test_a_column_in_the_group_key_as_it_is_keeps_the_claim(session: Session) -> None:
    session.set_treatment("city", Treatment.GENERALISE)
    result = session.anonymise()
    assert result.claim.holds
    assert "city" in result.outcome.release.names


def test_a_derived_hierarchy_is_harmless_where_it_says_nothing(session: Session) -> None:
    derived(session)
    session.set_level("pay", 2)  # everything is * there
    assert codes(session) == set()
    session.project = replace(session.project, looks=())
    session.set_level("pay", 0)  # the values themselves
    assert "data-derived-hierarchy" not in codes(session)


def test_more_rows_per_person_than_declared(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "twice.csv"
    lines = ["name,pay"] + [f"Person {i // 2},{1000 + i}" for i in range(400)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    session.open(file)
    (reason,) = session.anonymise().claim.reasons
    assert reason.code == "rows-per-person"
    assert "2 rows" in reason.analyst
    assert "Person" not in reason.text

    session.project = replace(session.project, looks=())
    session.set_unit(PrivacyUnit(2, "name"))
    result = session.anonymise()
    assert result.claim.holds
    assert result.claim.guarantee.rows_per_person == 2
    one = Session()
    one.set_guarantee(session.project.anonymise.guarantee)
    assert result.claim.guarantee.smallest_class > one.guarantee().smallest_class


def test_a_suspected_person_column_is_a_caution(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "seasons.csv"
    lines = ["player,pay"] + [f"Player {i % 97},{1000 + i}" for i in range(400)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    session.project = replace(session.project, schema=replace(session.project.schema, columns=()))
    session.open(file)
    assert session.loaded is not None
    if "player" not in session.loaded.suggested_roles:
        pytest.fail("a column called player was not suggested as identifying")
    claim = session.anonymise().claim
    assert claim.holds
    assert [caution.code for caution in claim.cautions] == ["person-or-row"]


def test_a_second_release_is_counted(session: Session, tmp_path: Path) -> None:
    session.anonymise()
    session.export(tmp_path / "one.csv")
    session.export(tmp_path / "copy.csv")  # the same file again is the same release
    assert len(session.project.releases) == 1
    second = session.anonymise()
    assert {"earlier-releases", "several-draws"} <= {caution.code for caution in second.claim.cautions}


def test_a_large_delta_is_pointed_out(session: Session) -> None:
    session.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=0.01))
    assert "large-delta" in {caution.code for caution in session.claim().cautions}


def test_averages_are_recognised_and_public_bands_are_not() -> None:
    values = [1000 + (i * i * 7) % 997 for i in range(80)]
    column = Column.from_texts("pay", [str(v) for v in values])
    assert averages_of_the_data(pairs_of_means(sorted(set(values))), column)
    assert not averages_of_the_data(PUBLIC, column)
    # An unbroken range with midpoints is public knowledge, data or not.
    ages = Column.from_texts("age", [str(v) for v in range(20, 60)])
    midpoints = Hierarchy.from_rows([(str(v), str(v // 2 * 2 + 0.5), "*") for v in range(20, 60)])
    assert not averages_of_the_data(midpoints, ages)


def test_attaching_such_averages_marks_them_derived(session: Session) -> None:
    values = sorted({int(v) for v in session.reading.table["pay"].values})
    session.attach_hierarchy("pay", pairs_of_means(values))
    assert session.project.hierarchies["pay"].provenance is Provenance.DERIVED
