"""The statement says what was promised, and nothing about the rows that were not released."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from tests.report.stated import stated
from tests.said_numbers import whole_numbers
from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.number_text import rounded_up
from workbench.core.schema import Role
from workbench.project.model import GuaranteeSettings
from workbench.query.ledger import REPLACE_ONE, Charge
from workbench.report.checklist import Light, checklist
from workbench.report.statement import VOIDS
from workbench.session import Session
from workbench.session.release_facts import release_facts


@pytest.fixture
def session(tmp_path: Path) -> Session:
    file = tmp_path / "people.csv"
    lines = ["person,age"] + [f"TAINT{i},{20 + i % 40}" for i in range(4000)] + ["TAINT0,20"]
    lines += [f"TAINT{i},65" for i in range(4000, 4040)]  # fewer than k: they are dropped
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    session = Session()
    session.data.open(file)
    session.data.attach_hierarchy(
        "age", Hierarchy.from_rows([(str(a), f"<{a // 10 * 10}s & up>", "*") for a in range(20, 70)])
    )
    session.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-5))
    return session


def page(session: Session) -> str:
    result = session.release.anonymise()
    return stated(session, result.outcome, result.claim)


def test_a_claim_that_holds_is_stated_with_its_assumptions(session: Session) -> None:
    text = page(session)
    assert "ε = 1, δ = " in text
    assert all(sentence.split(":")[0][:40] in text for sentence in VOIDS)
    assert "asserts" in text


def test_no_true_value_reaches_the_statement(session: Session) -> None:
    session.data.set_role(["person"], Role.IDENTIFYING)  # someone has two rows, which the analyst is told
    session.release.columns.set_levels_blind(False)
    result = session.release.anonymise()
    text = stated(session, result.outcome, result.claim)
    assert "No (ε, δ) claim" in text
    assert any(reason.analyst for reason in result.claim.cautions)
    assert "TAINT" not in text
    for reason in (*result.claim.reasons, *result.claim.cautions):
        assert not reason.analyst or reason.analyst not in text
    assert result.outcome.suppressed
    assert len(result.outcome.sampled_rows) not in whole_numbers(text)


def test_column_names_are_escaped(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("<script>,b\n" + "1,2\n3,4\n" * 200, encoding="utf-8")
    session = Session()
    session.data.open(file)
    session.data.attach_hierarchy("<script>", Hierarchy.from_rows([("1", "*"), ("3", "*")], origin="<b>bold</b>"))
    text = page(session)
    assert "<script>" not in text
    assert "<b>" not in text


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.1, "0.1"), (1.0, "1"), (9.99301e-6, "9.994e-6"), (0.30000000000000004, "0.3001"), (2.71828, "2.719")],
)
def test_numbers_are_rounded_up(value: float, shown: str) -> None:
    assert rounded_up(value) == shown
    assert float(rounded_up(value)) >= value


def test_the_checklist_points_to_where_it_is_put_right(session: Session) -> None:
    result = session.release.anonymise()
    assert {check.light for check in checklist(result.claim, result.outcome)} <= {Light.GREEN, Light.AMBER}
    session.release.columns.set_levels_blind(False)
    result = session.release.anonymise()
    stated = [check for check in checklist(result.claim, result.outcome) if check.settled]
    assert [(check.workspace, check.word) for check in stated] == [("anonymise", "stated so")]
    session.release.set_seed(1)
    result = session.release.anonymise()
    red = [check for check in checklist(result.claim, result.outcome) if check.light is Light.RED]
    assert [check.word for check in red] and {check.word for check in red} == {"only a new draw mends it"}
    assert all("draw again" in check.text for check in red)


def test_every_reason_has_its_place_on_the_checklist() -> None:
    import re

    from workbench.anonymise import claim, claimed_sum, persons, released_columns
    from workbench.report import checklist as module

    modules = (claim, claimed_sum, persons, released_columns)
    sources = [Path(str(one.__file__)).read_text(encoding="utf-8") for one in modules]
    codes = {code for source in sources for code in re.findall(r'Reason\(\s*"([a-z-]+)"', source)}
    placed = {code for item in module._ITEMS for code in item.codes}
    assert codes
    assert codes == placed


@pytest.mark.parametrize(("budget", "light"), [(4, Light.AMBER), (2, Light.RED)])
def test_what_a_release_costs_is_said_in_the_relation_of_the_whole(session: Session, budget: int, light: Light) -> None:
    """ε = 1 counts as 2 where rows are replaced, with a claim or without."""
    session.ledger.current.set_budget(Fraction(budget), Fraction(1, 10**4))
    session.ledger.current.charge(Charge("collection", "reports", Fraction(1), neighbours=REPLACE_ONE))
    if light is Light.RED:
        with pytest.raises(WorkbenchError, match="beyond the budget"):
            session.release.anonymise()
    else:
        made = session.release.anonymise()
        facts = release_facts(session.state, made, 0)
        (check,) = (one for one in checklist(made.claim, made.outcome, facts) if one.title == "Budget")
        assert (check.light, "is paid for" in check.text) == (Light.GREEN, True)
        assert session.ledger.current.spent().epsilon == 3
        return
    session.release.set_seed(1)  # a simulation is charged when it leaves
    result = session.release.anonymise()
    facts = release_facts(session.state, result, 0)
    (check,) = (one for one in checklist(result.claim, result.outcome, facts) if one.title == "Budget")
    assert check.light is light
    assert check.text.startswith("It costs ε 2, ")


def test_a_statement_on_models_says_what_is_counted(tmp_path: Path) -> None:
    """Five rows of one person, and an empty cell beside one value, satisfy k = 5 and l = 2."""
    file, page = tmp_path / "rows.csv", tmp_path / "s.html"
    file.write_text("who,city,ill\n" + "P1,Bern,gout\n" * 4 + "P1,Bern,\n", encoding="utf-8")
    (tmp_path / "city.csv").write_text("Bern;*\n", encoding="utf-8")
    models = ["--model", "k=5", "--model", "l-diversity=2:ill", "--keep", "ill", "--person", "who"]
    words = ["anonymise", str(file), *models, "--hierarchy", f"city={tmp_path / 'city.csv'}"]
    out = ["--out", str(tmp_path / "out.csv"), "--statement", str(page), "--ledger", str(tmp_path / "l.jsonl")]
    assert main([*words, *out, "--rows-per-person", "5"]) == 0
    said = page.read_text("utf-8")
    assert "Rows are counted, and not people" in said and "an empty cell counts as one of them" in said
    assert main(["verify", str(tmp_path / "out.csv"), "--statement", str(page)]) == 0
    page.write_text(said.replace("<li>Rows are counted", "<li>People are counted"), encoding="utf-8")
    assert main(["verify", str(tmp_path / "out.csv"), "--statement", str(page)]) == 1
