"""The budget in the strip: what was spent of the data, by whomever, and the budget that is set once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QProgressBar
from pytestqt.qtbot import QtBot

from workbench.core.hierarchy import Hierarchy
from workbench.gui.budget import BudgetDialog, BudgetStrip
from workbench.gui.document import Document
from workbench.gui.messages import MessageBar
from workbench.project.model import GuaranteeSettings
from workbench.query.ledger import REPLACE_ONE, Charge, Ledger


@pytest.fixture
def strip(qtbot: QtBot, document: Document, messages: MessageBar, tmp_path: Path) -> Iterator[BudgetStrip]:
    """The strip of a document with 4,000 people whose ages may be released."""
    data = tmp_path / "people.csv"
    data.write_text("age\n" + "".join(f"{20 + i % 40}\n" for i in range(4000)), encoding="utf-8")
    strip = BudgetStrip(document)
    strip.messages = messages  # type: ignore[attr-defined]
    qtbot.addWidget(strip)
    strip.show()
    assert strip.text == ""
    assert strip.button.isHidden()
    document.open_data(data)
    qtbot.waitUntil(
        lambda: document.has_data and not document.runner.jobs and not strip.button.isHidden(), timeout=10_000
    )
    ages = Hierarchy.from_rows([(str(a), f"{a // 10 * 10}s", "*") for a in range(20, 60)], origin="tens")
    document.apply("attach", lambda s: s.data.attach_hierarchy("age", ages))
    yield strip
    strip.stop()


def document_of(strip: BudgetStrip) -> Document:
    return strip._document


def export(qtbot: QtBot, strip: BudgetStrip, path: Path) -> None:
    document = document_of(strip)
    document._accept(document.session.release.anonymiser()())
    document.export(path, None)
    qtbot.waitUntil(lambda: not document.runner.jobs, timeout=10_000)


def elsewhere(strip: BudgetStrip) -> Ledger:
    """The ledger as another program has it."""
    return Ledger.for_data(document_of(strip).session.data.fingerprint)


def set_budget(qtbot: QtBot, strip: BudgetStrip, epsilon: str, delta: str) -> BudgetDialog:
    dialog = strip.ask()
    assert dialog is not None
    dialog.epsilon.edit.setText(epsilon)
    dialog.delta.edit.setText(delta)
    qtbot.mouseClick(dialog.set_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not document_of(strip).runner.jobs, timeout=10_000)
    return dialog


def test_a_release_shows_and_undo_does_not_take_it_back(qtbot: QtBot, strip: BudgetStrip, tmp_path: Path) -> None:
    export(qtbot, strip, tmp_path / "out.csv")
    qtbot.waitUntil(lambda: "ε 1 · δ 1e-5" in strip.text)
    qtbot.waitUntil(lambda: "Release out.csv" in strip.fact.toolTip())  # the draw is paid for before it is a file
    document_of(strip).undo_stack.undo()
    qtbot.wait(80)
    assert "ε 1 · δ 1e-5" in strip.text


def test_the_budget_is_set_exactly_and_once(qtbot: QtBot, strip: BudgetStrip, tmp_path: Path) -> None:
    export(qtbot, strip, tmp_path / "out.csv")
    set_budget(qtbot, strip, "1.3", "1e-4")
    qtbot.waitUntil(lambda: "ε 1 of 1.3 · δ 1e-5 of 0.0001" in strip.text)
    assert strip.button.isHidden()
    budget = elsewhere(strip).budget
    assert budget is not None and budget.epsilon == Fraction(13, 10)
    assert document_of(strip).project.history(document_of(strip).session.data.fingerprint).budget == budget
    # Beyond it, another draw is refused and said.
    assert document_of(strip).run(again=True) is None
    assert "beyond the budget" in strip.messages.messages[0].text  # type: ignore[attr-defined]


@pytest.mark.parametrize("settings", [{}, {"delta": 3e-4}, {"delta": 1e-7}, {"beta": 0.3, "k": 40}])
def test_the_budget_proposed_has_room_for_the_release_as_it_is_set(
    qtbot: QtBot, strip: BudgetStrip, tmp_path: Path, settings: dict[str, Any]
) -> None:
    document = document_of(strip)
    wanted = GuaranteeSettings(**settings, solve_for="delta" if settings.get("k") else "k")
    document.apply("guarantee", lambda session: session.release.set_guarantee(wanted))
    dialog = strip.ask()
    assert dialog is not None and dialog.delta.exact is not None
    assert Fraction(dialog.delta.exact) >= Fraction("1e-5")
    qtbot.mouseClick(dialog.set_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not document.runner.jobs, timeout=10_000)
    export(qtbot, strip, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").exists()


def test_the_delta_proposed_suits_the_rows_that_are_expected(strip: BudgetStrip) -> None:
    document = document_of(strip)
    document.apply("δ", lambda session: session.release.set_guarantee(GuaranteeSettings(delta=1e-8)))
    for rows, wanted in ((None, "1e-5"), (500, "1e-5"), (14_000, "1e-7")):
        trim = replace(document.project.anonymise.trim, expected_rows=rows)
        document.apply("rows", lambda session, trim=trim: session.release.set_trimming(trim))
        dialog = strip.ask()
        assert dialog is not None and dialog.delta.exact == Fraction(wanted), rows
        dialog.reject()


def test_where_the_number_is_public_twice_as_much_is_proposed_and_less_is_warned_of(
    qtbot: QtBot, strip: BudgetStrip, tmp_path: Path
) -> None:
    document = document_of(strip)
    trim = replace(document.project.anonymise.trim, number_known=True)
    document.apply("public", lambda session: session.release.set_trimming(trim))
    dialog = strip.ask()
    assert dialog is not None and dialog.epsilon.exact == 2
    assert dialog.delta.exact is not None and dialog.delta.exact >= Fraction("1.99999e-5")
    assert dialog.narrow.isHidden()
    for field, little, enough in ((dialog.epsilon, "1.5", "2"), (dialog.delta, "1e-5", "2.01e-5")):
        field.edit.setText(little)
        assert not dialog.narrow.isHidden() and "needs ε 2" in dialog.narrow.text()
        field.edit.setText(enough)
        assert dialog.narrow.isHidden()
    qtbot.mouseClick(dialog.set_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not document.runner.jobs, timeout=10_000)
    export(qtbot, strip, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").exists()


def test_a_larger_promise_is_proposed_as_it_will_be_charged(qtbot: QtBot, strip: BudgetStrip) -> None:
    wanted = GuaranteeSettings(epsilon=3.0)
    document_of(strip).apply("guarantee", lambda session: session.release.set_guarantee(wanted))
    dialog = strip.ask()
    assert dialog is not None and dialog.epsilon.exact == 3
    dialog.reject()


def test_what_was_spent_already_cannot_be_undercut(qtbot: QtBot, strip: BudgetStrip, tmp_path: Path) -> None:
    export(qtbot, strip, tmp_path / "out.csv")
    dialog = set_budget(qtbot, strip, "0.5", "1e-4")
    assert dialog.isVisible()
    assert "spent already" in dialog.problem.text()
    assert dialog.set_button.isEnabled()
    dialog.reject()
    assert elsewhere(strip).budget is None


def test_the_dialog_says_what_is_spent_and_proposes_no_budget_that_is_used_up(
    qtbot: QtBot, strip: BudgetStrip, tmp_path: Path
) -> None:
    dialog = strip.ask()
    assert dialog is not None and "Nothing of this data was released" in dialog.spent.text()
    assert dialog.epsilon.exact == 1
    dialog.reject()
    export(qtbot, strip, tmp_path / "out.csv")
    dialog = strip.ask()
    assert dialog is not None and dialog.spent.text() == "Spent so far: ε 1, δ 1e-5."
    assert dialog.epsilon.exact == 2, "as much is left as was spent"
    assert dialog.delta.exact is not None and dialog.delta.exact >= Fraction(2, 10**5)
    dialog.reject()


def test_a_mistyped_budget_cannot_be_set(strip: BudgetStrip) -> None:
    dialog = strip.ask()
    assert dialog is not None
    for text in ("0", "-1", "1,500", "", "nan"):
        dialog.epsilon.edit.setText(text)
        assert not dialog.set_button.isEnabled()
    dialog.reject()


def test_a_budget_says_in_digits_what_it_is_before_it_is_set(strip: BudgetStrip) -> None:
    dialog = strip.ask()
    assert dialog is not None
    seen = []
    for text in ("0.5", "0,5", "ln 3", "1/3", "1/4"):
        dialog.epsilon.edit.setText(text)
        seen += [below.text() for below in dialog.epsilon.findChildren(QLabel)]
    dialog.reject()
    assert seen == ["more than 0", "= 0.5", "= 1.09861228867, rounded up", "≈ 0.3333", "= 0.25"]


def test_a_charge_from_elsewhere_shows_at_once(qtbot: QtBot, strip: BudgetStrip) -> None:
    other = elsewhere(strip)
    other.path.parent.mkdir(parents=True, exist_ok=True)
    strip.refresh()
    other.charge(Charge("query", "count", Fraction(1, 10)))
    qtbot.waitUntil(lambda: "ε 0.1" in strip.text)  # the file is new in a watched folder
    other.charge(Charge("query", "count", Fraction(2, 10)))
    qtbot.waitUntil(lambda: "ε 0.3" in strip.text)
    other.charge(Charge("release", "k-anonymous", Fraction(0), claimed=False))
    qtbot.waitUntil(lambda: "no joint claim" in strip.text)
    assert "nothing bounds" in strip.fact.toolTip()


def test_the_tip_says_what_the_colour_of_the_bar_means(qtbot: QtBot, strip: BudgetStrip) -> None:
    other = elsewhere(strip)
    other.set_budget(Fraction(1))
    other.charge(Charge("query", "count", Fraction(1, 2)))
    strip.refresh()
    assert "amber" not in strip.fact.toolTip()
    other.charge(Charge("query", "count", Fraction(3, 10)))
    strip.refresh()
    assert strip.fact.toolTip().endswith("The bar is amber from 80 % of the budget on.")
    other.charge(Charge("query", "count", Fraction(2, 10)))
    strip.refresh()
    (bar,) = strip.fact.findChildren(QProgressBar)
    assert bar.property("tone") == "warning", "a budget that is used up is no error"


def test_what_replaces_rows_changes_what_the_sum_is_about(qtbot: QtBot, strip: BudgetStrip) -> None:
    other = elsewhere(strip)
    other.charge(Charge("query", "count", Fraction(1, 10)))
    other.charge(Charge("query", "mean", Fraction(1, 2), neighbours=REPLACE_ONE, claimed=False))
    strip.refresh()
    assert "ε 0.7" in strip.text and "no joint claim" in strip.text
    tip = strip.fact.toolTip()
    assert "replacing a person's rows" in tip and "ε 0.5 · δ 0, no claim  mean" in tip


def test_a_damaged_ledger_is_said(qtbot: QtBot, strip: BudgetStrip) -> None:
    elsewhere(strip).charge(Charge("query", "count", Fraction(1, 10)))
    elsewhere(strip).path.write_bytes(b"rubbish\n")
    strip.refresh()
    assert "cannot be read" in strip.text
    assert "damaged" in strip.fact.toolTip()


def test_other_data_has_its_own_budget(qtbot: QtBot, strip: BudgetStrip, tmp_path: Path) -> None:
    export(qtbot, strip, tmp_path / "out.csv")
    qtbot.waitUntil(lambda: "ε 1" in strip.text)
    other = tmp_path / "other.csv"
    other.write_text("age\n20\n30\n", encoding="utf-8")
    document_of(strip).open_data(other)
    qtbot.waitUntil(lambda: strip.text == "" and not document_of(strip).runner.jobs, timeout=10_000)
    document_of(strip).new()
    qtbot.waitUntil(strip.button.isHidden)
