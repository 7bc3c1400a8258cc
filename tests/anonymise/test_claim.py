"""Everything that voids the claim and can be detected is detected and said."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from tests.report.stated import stated
from workbench.anonymise.claim import _made_as_promised
from workbench.anonymise.origins import made_from_data
from workbench.anonymise.reasons import Reason
from workbench.anonymise.recipe import ReleaseMechanism, Treatment
from workbench.anonymise.terms import choices_line
from workbench.core.building import BUILDERS, build_hierarchy, specification
from workbench.core.composition import OPEN_PARTICIPATION, REPLACE_ONE, ReleaseSpending, total
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.number_text import rounded_up
from workbench.core.rationals import rational
from workbench.core.schema import ColumnSpec, Kind, PrivacyUnit, Role
from workbench.project.model import GuaranteeSettings
from workbench.query.ledger import Charge, LedgerHistory, RecordedLook
from workbench.session import Session
from workbench.session.release.assessment import alike

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
    session.data.open(file)
    session.data.set_role(["name"], Role.IDENTIFYING)
    session.data.attach_hierarchy("pay", PUBLIC)
    session.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-3))
    return session


def pairs_of_means(values: list[int]) -> Hierarchy:
    ranked = sorted(values)
    rows = []
    for index, value in enumerate(ranked):
        pair = ranked[index // 2 * 2 : index // 2 * 2 + 2]
        rows.append((str(value), str(sum(pair) / len(pair)), "*"))
    return Hierarchy.from_rows(rows)


def codes(session: Session) -> set[str]:
    return {reason.code for reason in session.release.anonymise().claim.reasons}


def test_the_claim_holds_when_nothing_breaks_it(session: Session) -> None:
    claim = session.release.anonymise().claim
    assert claim.holds
    assert claim.guarantee.epsilon == 1.0
    assert claim.guarantee.delta <= 1e-3


def derived(session: Session) -> None:
    session.data.set_provenance("pay", Provenance.DERIVED, "sorted and averaged")


def disguised(session: Session) -> None:
    values = sorted({int(v) for v in session.data.reading.table["pay"].values})
    session.data.attach_hierarchy("pay", pairs_of_means(values))
    session.data.set_provenance("pay", Provenance.PUBLIC, "said to be public")


def seeded(session: Session) -> None:
    session.release.set_seed(1)


def looked(session: Session) -> None:
    session.release.columns.set_levels_blind(False)


def kept(session: Session) -> None:
    session.release.columns.set_treatment("city", Treatment.KEEP)


def tuned(session: Session) -> None:
    """An earlier program recorded that a result was seen."""
    recipe = session.release.anonymise().recipe
    session.ledger.current.carried = LedgerHistory(looks=(RecordedLook("z", "", recipe, True),))
    session.release.columns.set_level("pay", 2)


def looked_at(session: Session) -> None:
    session.release.anonymise()
    session.release.look()
    session.release.columns.set_level("pay", 2)


def looked_at_and_drawn_again(session: Session) -> None:
    session.release.anonymise()
    session.release.look(publish=True)
    session.release.draw_again()


@pytest.mark.parametrize(
    ("break_it", "code"),
    [
        (derived, "data-derived-hierarchy"),
        (disguised, "looks-data-derived"),
        (seeded, "seeded"),
        (looked, "levels-not-blind"),
        (kept, "ungrouped-column"),
        (tuned, "tuned-on-outcome"),
        (looked_at, "looked-before"),
        (looked_at_and_drawn_again, "looked-before"),
    ],
)
def test_each_way_to_void_the_claim_is_detected(
    session: Session, break_it: Callable[[Session], None], code: str
) -> None:
    break_it(session)
    result = session.release.anonymise()
    assert code in {reason.code for reason in result.claim.reasons}
    assert not result.claim.holds
    assert all(reason.text and reason.remedy for reason in result.claim.reasons)


def test_going_back_to_the_first_settings_restores_the_claim(session: Session) -> None:
    tuned(session)
    assert {reason.code for reason in session.release.claim().reasons} == {"tuned-on-outcome"}
    session.release.columns.set_level("pay", 1)
    assert session.release.claim().holds and session.release.draw_again().claim.holds


def test_a_column_in_the_group_key_as_it_is_keeps_the_claim(session: Session) -> None:
    session.release.columns.set_treatment("city", Treatment.GENERALISE)
    result = session.release.anonymise()
    assert result.claim.holds
    assert "city" in result.outcome.release.names


def test_a_derived_hierarchy_is_harmless_where_it_says_nothing(session: Session) -> None:
    derived(session)
    session.release.columns.set_level("pay", 2)  # everything is * there
    assert codes(session) == set()
    session.release.columns.set_level("pay", 0)  # the values themselves
    assert "data-derived-hierarchy" not in codes(session)


def test_of_a_person_no_more_rows_than_declared_are_released(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "twice.csv"
    lines = ["name,pay"] + [f"Person {i // 2},{1000 + i}" for i in range(400)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    session.data.open(file)
    session.data.set_unit(PrivacyUnit(1, "name"))
    result = session.release.anonymise()
    assert result.claim.holds and result.table.rows == 200
    assert any("“name”, at most one row took part" in line for line in result.claim.checked)

    file.write_text("\n".join([*lines, "Person 200,1000"]) + "\n", encoding="utf-8")
    session.data.open(file)  # other data, of which nothing was seen
    session.data.set_unit(PrivacyUnit(2, "name"))
    result = session.release.anonymise()
    assert result.claim.holds
    assert result.claim.guarantee.rows_per_person == 2
    one = Session()
    one.release.set_guarantee(session.project.anonymise.guarantee)
    assert result.claim.guarantee.smallest_class > one.release.guarantee().smallest_class


def test_identifying_means_left_out_and_asks_whose_rows_they_are(session: Session, tmp_path: Path) -> None:
    """Different persons share a name, so a column of names that repeat is no reason against a claim."""
    file = tmp_path / "named.csv"
    lines = ["name,pay"] + [f"Person {i // 2},{1000 + i}" for i in range(400)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    session.data.open(file)
    assert session.project.schema["name"].role is Role.IDENTIFYING
    result = session.release.anonymise()
    assert result.claim.holds and "name" not in result.outcome.release.names
    (caution,) = result.claim.cautions
    assert caution.code == "person-or-row" and caution.private and "2 rows" in caution.analyst


def test_what_is_left_out_because_nobody_needs_it_is_no_caution(session: Session, tmp_path: Path) -> None:
    """Identifying means “leave it out”: an age or a column of few values tells nobody apart."""
    file = tmp_path / "staff.csv"
    lines = ["age,shift,pay"] + [f"{20 + i % 50},{'abc'[i % 3]},{1000 + i}" for i in range(400)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    session.data.open(file)
    session.data.set_role(("age", "shift"), Role.IDENTIFYING)
    claim = session.release.claim()
    assert claim is not None and not claim.cautions


def test_a_column_that_repeats_as_people_do_is_a_caution_whatever_it_is_called(
    session: Session, tmp_path: Path
) -> None:
    file = tmp_path / "visits.csv"
    lines = ["reference,pay"] + [f"P-{i % 100:04},{1000 + i}" for i in range(400)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    session.project = replace(session.project, schema=replace(session.project.schema, columns=()))
    session.data.open(file)
    claim = session.release.anonymise().claim
    assert claim.holds and [caution.column for caution in claim.cautions] == ["reference"]


def test_a_suspected_person_column_is_a_caution(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "seasons.csv"
    lines = ["player,pay"] + [f"Player {i % 97},{1000 + i}" for i in range(400)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    session.project = replace(session.project, schema=replace(session.project.schema, columns=()))
    session.data.open(file)
    assert session.data.loaded is not None
    if "player" not in session.data.loaded.suggested_roles:
        pytest.fail("a column called player was not suggested as identifying")
    claim = session.release.anonymise().claim
    assert claim.holds
    assert [caution.code for caution in claim.cautions] == ["person-or-row"]


def test_a_second_release_is_counted(session: Session, tmp_path: Path) -> None:
    session.release.anonymise()
    session.release.export(tmp_path / "one.csv")
    session.release.export(tmp_path / "copy.csv")  # the same file again is the same release
    assert len(session.project.releases) == 1
    second = session.release.draw_again()
    assert second.claim.holds
    assert [caution.code for caution in second.claim.cautions] == ["earlier-releases"], "it is paid for, and no look"


def test_what_is_the_same_of_several_columns_is_said_once() -> None:
    made = [Reason("derived", f"The hierarchy of “{name}” is derived.", "Mend it.", name) for name in ("a", "b", "c")]
    other = Reason("seeded", "A seed.", "None.")
    assert alike([made[0], other, *made[1:]]) == [(made[0], ("b", "c")), (other, ())]
    elsewhere = Reason("derived", "The hierarchy of “d” is derived from it.", "Mend it.", "d")
    assert alike([made[0], elsewhere]) == [(made[0], ()), (elsewhere, ())]


def test_a_large_delta_is_pointed_out(session: Session) -> None:
    """One that is above one in the 400 people."""
    for delta, large in ((0.01, True), (0.0025, False), (0.00251, True)):
        session.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=delta))
        assert ("large-delta" in {caution.code for caution in session.release.claim().cautions}) == large


def test_averages_are_recognised_and_public_bands_are_not() -> None:
    values = [1000 + (i * i * 7) % 997 for i in range(80)]
    spec = ColumnSpec("pay", Kind.INTEGER)
    assert made_from_data(pairs_of_means(sorted(set(values))), spec)
    assert not made_from_data(PUBLIC, spec)
    # Asked about the same hierarchy again, it looks at what has changed.
    averages = pairs_of_means(sorted(set(values)))
    described = (spec, replace(spec, missing=tuple(map(str, values))), spec)
    assert [made_from_data(averages, one) for one in described] == [True, False, True]
    # An unbroken range with midpoints is public knowledge, data or not.
    midpoints = Hierarchy.from_rows([(str(v), str(v // 2 * 2 + 0.5), "*") for v in range(20, 60)])
    assert not made_from_data(midpoints, spec)


def test_attaching_such_averages_marks_them_derived(session: Session) -> None:
    values = sorted({int(v) for v in session.data.reading.table["pay"].values})
    session.data.attach_hierarchy("pay", pairs_of_means(values))
    assert session.project.hierarchies["pay"].provenance is Provenance.DERIVED


def test_looking_at_other_settings_is_said_on_the_way_back(session: Session) -> None:
    recipe = session.release.anonymise().recipe
    seen = (RecordedLook("y", "1", recipe, True), RecordedLook("z", "2", "another", True))
    session.ledger.current.carried = LedgerHistory(looks=seen)
    claim = session.release.draw_again().claim
    assert claim.holds
    assert {"other-settings-seen", "several-draws"} <= {caution.code for caution in claim.cautions}


def test_no_total_with_a_release_that_had_no_claim(session: Session, tmp_path: Path) -> None:
    session.release.set_seed(3)
    session.release.anonymise()
    session.release.export(tmp_path / "simulation.csv", without_claim=True)
    session.release.set_seed(None)
    claim = session.release.anonymise().claim
    (sentence,) = (caution.text for caution in claim.cautions if caution.code == "earlier-releases")
    assert "nothing can be promised for all of them together" in sentence


def test_no_total_is_promised_for_a_release_that_has_no_claim_itself(session: Session, tmp_path: Path) -> None:
    session.release.anonymise()
    session.release.export(tmp_path / "first.csv")
    session.release.columns.set_levels_blind(False)
    claim = session.release.anonymise().claim
    (sentence,) = (caution.text for caution in claim.cautions if caution.code == "earlier-releases")
    assert sentence == (
        "This is release number 2 of this data. This one has no claim, so nothing can be promised for all of them "
        "together."
    )
    session.release.export(tmp_path / "second.csv", tmp_path / "second.html", without_claim=True)
    words = (tmp_path / "second.html").read_text(encoding="utf-8")
    assert "No (ε, δ) claim is made for this file. For its choices as they are" in words
    assert "Together they are" not in words


def test_the_total_with_a_release_that_replaces_rows_says_so(session: Session) -> None:
    hidden = {"participation": "hidden"}
    session.ledger.current.charge(
        Charge("collection", "reports", Fraction(1), neighbours=REPLACE_ONE, parameters=hidden)
    )
    promised = session.release.anonymise().claim
    (sentence,) = (caution.text for caution in promised.cautions if caution.code == "earlier-releases")
    assert f"({rounded_up(2 * rational(promised.guarantee.epsilon) + 1)}, " in sentence
    assert "replacing a person's rows" in sentence
    assert choices_line(promised.terms) in promised.asserted


def test_no_total_is_claimed_with_reports_that_show_who_takes_part(session: Session) -> None:
    session.ledger.current.charge(Charge("collection", "reports", Fraction(1), neighbours=REPLACE_ONE))
    (said,) = (
        caution.text for caution in session.release.anonymise().claim.cautions if caution.code == "earlier-releases"
    )
    assert said == f"This is release number 2 of this data. {OPEN_PARTICIPATION}"


def test_releases_for_different_rows_per_person_are_brought_to_the_same() -> None:
    one, three = ReleaseSpending(rational(0.3), rational(1e-6), 1), ReleaseSpending(rational(0.9), rational(1e-5), 3)
    together = total([one, three])
    # By hand: 3 rows at 0.3 each, and δ(1 + e^0.3 + e^0.6) for the first.
    growth = 1 + math.exp(0.3) + math.exp(0.6)
    assert together.epsilon == Fraction(18, 10)
    assert float(together.delta) == pytest.approx(1e-6 * growth + 1e-5)
    assert together.rows_per_person == 3
    assert not total([one, replace(three, claimed=False)]).bounded


def test_rows_that_name_no_person_are_not_taken_for_nobody(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "nameless.csv"
    lines = ["name,pay"] + [f"{'' if i % 2 else f'Person {i}'},{1000 + i}" for i in range(400)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    session.data.open(file)
    session.data.set_unit(PrivacyUnit(1, "name"))
    result = session.release.anonymise()
    assert result.claim.holds and result.table.rows == 200
    assert any("rows that name no person were left out" in line for line in result.claim.checked)


def test_what_depends_on_the_data_stays_with_the_analyst(session: Session) -> None:
    session.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=0.01))
    result = session.release.anonymise()
    (caution,) = result.claim.cautions
    assert caution.private
    page = stated(session, result.outcome, result.claim)
    assert caution.text not in page
    assert "city" not in page  # nor the names of columns that were left out


def grouped(values: list[int], label: Callable[[list[int]], str]) -> Hierarchy:
    ranked = sorted(values)
    rows = []
    for start in range(0, len(ranked), 5):
        group = ranked[start : start + 5]
        rows += [(str(value), label(group), "*") for value in group]
    return Hierarchy.from_rows(rows)


@pytest.mark.parametrize(
    "label",
    [
        lambda group: str(sum(group) / len(group)),
        lambda group: f"${sum(group) / len(group):,.2f}",
        lambda group: f"about {round(sum(group) / len(group))}",
        lambda group: str(statistics.median(group)),
        lambda group: str(statistics.geometric_mean(group)),
        lambda group: f"{group[0]} to {group[-1]}",
        lambda group: f"[{group[0]}, {group[-1]}]",
    ],
)
def test_figures_of_the_data_are_recognised_in_many_spellings(label: Callable[[list[int]], str]) -> None:
    values = sorted({1000 + (i * i * 7919) % 99_991 for i in range(120)})
    assert made_from_data(grouped(values, label), ColumnSpec("pay", Kind.INTEGER))


@pytest.mark.parametrize("width", [10, 25, 1000])
def test_declared_bands_are_not_taken_for_figures_of_the_data(width: int) -> None:
    rng = random.Random(5)
    values = sorted({int(rng.lognormvariate(6, 1)) for _ in range(2000)})
    spec = ColumnSpec("pay", Kind.INTEGER)
    for text in ("[{0}, {2}[", "{0}-{1}", "{3}"):
        rows = [
            (str(v), text.format(low := v // width * width, low + width - 1, low + width, low + (width - 1) / 2), "*")
            for v in values
        ]
        assert not made_from_data(Hierarchy.from_rows(rows), spec), text


def test_bounds_read_from_the_data_are_not_built_upon(session: Session) -> None:
    table = session.data.reading.table["pay"]

    def built() -> Hierarchy:
        column = session.project.schema["pay"]
        parameters, details = BUILDERS["intervals"].suggest(column)
        spec = specification("intervals", parameters, details, column=column)
        return build_hierarchy(spec, table.values, table.counts, column)

    plain = built().rows()
    session.data.set_bounds("pay", (1017.0, 1983.0), observed=True)
    assert built().rows() == plain
    assert "bounds" not in built().specification["column"]
    session.data.set_bounds("pay", (1017.0, 1983.0))
    assert built().rows() != plain


def test_a_declared_order_does_not_follow_the_order_of_the_data() -> None:
    column = ColumnSpec("n", Kind.DECIMAL, domain=("1", "1.0", "2", "3", "4"))
    parameters, details = BUILDERS["order"].suggest(column)
    details = {**details, "levels": [{"group": 2, "function": "interval"}]}
    spec = specification("order", {**parameters, "order": "number"}, details, column=column)
    labels = [dict(zip(h.values, h.rows(), strict=True)) for h in (
        build_hierarchy(spec, ("1.0", "1", "2", "3", "4"), None, column),
        build_hierarchy(spec, ("1", "2", "1.0", "3", "4"), None, column),
    )]  # fmt: skip
    assert labels[0] == labels[1]


def test_spaces_do_not_make_nameless_rows_persons(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "spaces.csv"
    lines = ["name,pay"] + [f"{' ' * (i % 7) if i % 2 else f'Person {i}'},{1000 + i}" for i in range(400)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    session.data.open(file)
    session.data.set_unit(PrivacyUnit(60, "name"))
    assert session.release.anonymise().table.rows == 200


def test_a_release_of_one_mechanism_is_not_as_promised_of_the_other(session: Session) -> None:
    session.release.set_mechanism(ReleaseMechanism.SAMPLE)
    sampled = session.release.anonymise()
    session.release.set_mechanism(ReleaseMechanism.TRIM)
    trimmed = session.release.anonymise()
    made = [(one.outcome.recipe, one.claim.guarantee) for one in (sampled, trimmed)]
    for (recipe, own), (_, other) in (made, made[::-1]):
        assert _made_as_promised(recipe, own) and not _made_as_promised(recipe, other)
