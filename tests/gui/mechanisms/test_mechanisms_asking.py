"""Mechanisms are asked about, claims are typed, and what is wrong with an entry is said."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, idle, pick, settled
from tests.gui.mechanisms.helpers import ask, enter, epsilon, field
from workbench.cli.main import main
from workbench.core.settings_json import from_json, to_json
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.eliding_combo import HEADING
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.widgets.fraction_edit import FractionEdit
from workbench.gui.widgets.lines_edit import LinesEdit
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces import ROOMS
from workbench.gui.workspaces.mechanisms import MechanismsWorkspace
from workbench.project.auditable import catalogue
from workbench.project.laboratory import LaboratorySettings
from workbench.project.storage import load_project


class TestRoom:
    def test_stands_last_where_things_are_studied(self) -> None:
        assert ROOMS[-1].key == "mechanisms" and ROOMS[-1].group == ROOMS[-2].group == "Study"

    def test_needs_no_data_and_is_never_empty(self, workspace: MechanismsWorkspace) -> None:
        assert epsilon(workspace) == "ε = ln(2) ≈ 0.6931"
        assert workspace.verdict.badge.text == "Exact"
        assert "2/3 for input 0 and 1/3 for 1" in workspace.verdict.witness.text()
        assert workspace.status() is None and workspace.next_hint() == ""

    def test_the_groups_of_the_list_have_headings_that_nobody_chooses(self, workspace: MechanismsWorkspace) -> None:
        combo = workspace.settings.mechanism
        heads = [row for row in range(combo.count()) if combo.itemData(row) == HEADING]
        named = ["Answers of people", "Counts", "Choices", "Your own", "Local protocols"]
        assert [combo.itemText(row) for row in heads] == named and heads[0] == 0
        assert combo.itemText(1) == "Randomised response (yes or no)", "the commonest is the first"
        assert all(combo.itemData(row, Qt.ItemDataRole.FontRole).bold() for row in heads)
        flags = [combo.model().flags(combo.model().index(row, 0)) for row in range(combo.count())]
        enabled = [row for row, one in enumerate(flags) if one & Qt.ItemFlag.ItemIsEnabled]
        assert enabled == [row for row in range(combo.count()) if row not in heads]
        combo.setCurrentIndex(heads[0] + 1)
        combo.setFocus()
        QTest.keyClick(combo, Qt.Key.Key_Up)
        assert combo.currentIndex() == heads[0] + 1

    def test_a_word_of_a_name_finds_it(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        combo = workspace.settings.mechanism
        combo.setFocus()
        for typed, name in (
            ("r", "Randomised response (yes or no)"),
            ("rand", "Randomised response (yes or no)"),
            ("response", "Randomised response (yes or no)"),
            ("random matrix", "Random matrix projection"),
            ("hash", "Binary local hashing"),
            ("rr", "Randomised response over d values"),
        ):
            combo.choose("truncated-geometric" if typed != "rr" else "survey")
            combo.clearFocus()
            combo.setFocus()
            QTest.keyClicks(combo, typed)
            assert combo.currentText() == name, typed
        qtbot.waitUntil(lambda: workspace.document.project.laboratory.mechanism == "grr")
        combo.showPopup()
        QTest.keyClicks(combo.view(), "report")
        assert combo.view().currentIndex().data() == "Report noisy max" and combo.currentText() != "Report noisy max"
        combo.hidePopup()

    def test_nothing_is_worked_out_while_nobody_looks(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        workspace.hide()
        before = workspace.found
        wanted = LaboratorySettings(mechanism="survey")
        workspace.document.apply("ask", lambda session: session.audit.ask(wanted))
        qtbot.waitUntil(lambda: settled(workspace))
        assert workspace.found is before
        workspace.show()
        idle(qtbot, workspace)
        assert epsilon(workspace) == "ε = ln(3) ≈ 1.099"

    def test_everything_focusable_has_a_name_and_an_explanation(
        self, qtbot: QtBot, workspace: MechanismsWorkspace
    ) -> None:
        book = HelpBook()
        for mechanism in ("above-threshold", "typed", "exponential"):
            pick(qtbot, workspace, workspace.settings.mechanism, mechanism)
            workspace.settings.together.set_open(True)
            for tab in range(workspace.tabs.count()):
                workspace.tabs.setCurrentIndex(tab)
                for widget in workspace.findChildren(QWidget):
                    reachable = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible()
                    if not reachable or widget.focusProxy() is not None:
                        continue
                    name = widget.accessibleName() or getattr(widget, "text", lambda: "")()
                    assert name, f"{widget} in {widget.parent()} has no name"
                    key = explain_key(widget)
                    if widget not in (workspace.tabs.tabBar(), workspace.parts.tabs):
                        assert key and book.find(key), f"{name} has no explanation ({key})"
        idle(qtbot, workspace)

    def test_both_parts_fit_beside_the_explanations(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        for one in catalogue():
            pick(qtbot, workspace, workspace.settings.mechanism, one.identifier)
            workspace.resize(808, 700)
            idle(qtbot, workspace)
            assert not workspace.parts.tabs.isVisible(), one.identifier
            inside = workspace.settings.widget()
            assert inside is not None
            assert inside.minimumSizeHint().width() <= workspace.settings.viewport().width(), one.identifier


class TestAsking:
    def test_a_fraction_as_it_is_typed(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        alpha = field(workspace, "alpha")
        assert isinstance(alpha, FractionEdit)
        enter(qtbot, workspace, alpha, "0.25")
        assert epsilon(workspace) == "ε = ln(4) ≈ 1.386"
        assert workspace.settings.settings.typed["alpha"] == "0.25"
        assert alpha.text() == "0.25"
        alpha.selectAll()
        qtbot.keyClicks(alpha, "2")  # no such α: nothing changes, and the field says why
        idle(qtbot, workspace)
        assert not workspace.settings.valid
        assert alpha.property("invalid") == "true" and "below 1" in alpha.toolTip()
        assert epsilon(workspace) == "ε = ln(4) ≈ 1.386"
        qtbot.keyClick(alpha, Qt.Key.Key_Backspace)
        qtbot.keyClicks(alpha, "1/3")
        idle(qtbot, workspace)
        assert workspace.settings.valid and epsilon(workspace) == "ε = ln(3) ≈ 1.099"

    def test_edits_can_be_undone(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        pick(qtbot, workspace, workspace.settings.mechanism, "survey")
        workspace.document.undo_stack.undo()
        idle(qtbot, workspace)
        assert workspace.settings.mechanism.chosen == "truncated-geometric"
        assert epsilon(workspace) == "ε = ln(2) ≈ 0.6931"
        workspace.document.undo_stack.redo()
        idle(qtbot, workspace)
        assert epsilon(workspace) == "ε = ln(3) ≈ 1.099"

    def test_a_form_that_goes_leaves_nothing_in_the_next_question(
        self, qtbot: QtBot, workspace: MechanismsWorkspace
    ) -> None:
        pick(qtbot, workspace, workspace.settings.mechanism, "survey")
        pick(qtbot, workspace, workspace.settings.mechanism, "local-grr")
        number = field(workspace, "d")
        assert isinstance(number, NumberField)
        number.edit.setFocus()
        number.edit.selectAll()
        qtbot.keyClicks(number.edit, "5")
        qtbot.keyClick(number.edit, Qt.Key.Key_Tab)
        idle(qtbot, workspace)
        assert workspace.focusWidget() is field(workspace, "epsilon")
        steps = workspace.document.undo_stack.count()
        for _ in range(2):
            workspace.document.undo_stack.undo()
            idle(qtbot, workspace)
        settings = workspace.document.project.laboratory
        assert settings.mechanism == "survey" and not settings.typed
        assert workspace.document.undo_stack.count() == steps
        assert workspace.verdict.badge.text == "Exact"

    def test_tab_leads_through_fields_that_were_made_later(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        pick(qtbot, workspace, workspace.settings.mechanism, "local-grr")
        number = field(workspace, "d")
        assert isinstance(number, NumberField)
        workspace.settings.mechanism.setFocus()
        visited = []
        for _ in range(3):
            qtbot.keyClick(workspace.focusWidget(), Qt.Key.Key_Tab)
            visited.append(workspace.focusWidget())
        print([w.accessibleName() for w in visited], number.focusProxy())
        assert visited == [number.edit, field(workspace, "epsilon"), workspace.settings.relation]

    def test_parameters_that_a_mechanism_does_not_have_are_not_read_back(self) -> None:
        spoilt = replace(LaboratorySettings(mechanism="survey"), parameters={"survey": {"epsilon": "1"}})
        assert from_json(LaboratorySettings, to_json(spoilt)) == replace(spoilt, parameters={"survey": {}})
        foreign = replace(spoilt, parameters={"of-a-plugin": {"epsilon": "1"}})
        assert from_json(LaboratorySettings, to_json(foreign)) == foreign

    def test_the_question_is_saved_with_the_project(
        self, qtbot: QtBot, workspace: MechanismsWorkspace, tmp_path: Path
    ) -> None:
        pick(qtbot, workspace, workspace.settings.mechanism, "survey")
        assert workspace.document.save(tmp_path / "p.wbench")
        assert load_project(tmp_path / "p.wbench").laboratory.mechanism == "survey"
        workspace.document.new()
        idle(qtbot, workspace)
        assert epsilon(workspace) == "ε = ln(2) ≈ 0.6931"

    def test_claims(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        enter(qtbot, workspace, workspace.settings.claim, "ln 2")
        assert workspace.verdict.badge.text == "Confirmed: ε = ln 2"
        enter(qtbot, workspace, workspace.settings.claim, "0.69")
        assert workspace.verdict.badge.text == "Refuted: ε = 0.69"
        assert workspace.verdict.delta.text().startswith("At ε = 0.69, δ ≈ ")
        shown = workspace.curve.data
        assert shown.claim == (0.69, 0.0) and not shown.holds
        enter(qtbot, workspace, workspace.settings.claimed_delta, "0.01")
        assert workspace.verdict.badge.text == "Confirmed: ε = 0.69, δ = 0.01"

    def test_the_claim_that_the_verdict_names_takes_no_line_from_what_is_below(
        self, qtbot: QtBot, workspace: MechanismsWorkspace
    ) -> None:
        workspace.resize(816, 600)
        idle(qtbot, workspace)
        verdict = workspace.verdict
        before = verdict.witness.mapTo(verdict, verdict.witness.rect().topLeft())
        enter(qtbot, workspace, workspace.settings.claim, "0.50000000000000001")
        enter(qtbot, workspace, workspace.settings.claimed_delta, "0.00100000000000001")
        assert verdict.badge.text == "Refuted: ε = 0.500000000000000…, δ = 0.001000000000000…"
        assert verdict.witness.mapTo(verdict, verdict.witness.rect().topLeft()) == before
        (words,) = verdict.badge.findChildren(ElidedLabel)
        assert words.text().startswith("Refuted: ε = 0.5") and words.text() != verdict.badge.text == words.toolTip()

    def test_a_claim_is_typed_as_what_an_even_guess_may_rise_to(
        self, qtbot: QtBot, workspace: MechanismsWorkspace
    ) -> None:
        pick(qtbot, workspace, workspace.settings.mechanism, "survey")
        claim = workspace.settings.claim
        enter(qtbot, workspace, claim, "75 %")
        assert claim.text() == workspace.document.project.laboratory.claim == "75 %", "as it was typed"
        assert "At ε = ln(3)" in workspace.verdict.delta.text()
        assert workspace.verdict.badge.text == "Confirmed: ε = ln 3"
        assert "the claimed ε, to 75 %" in workspace.utility.words.text()
        enter(qtbot, workspace, claim, "75%")
        assert claim.text() == "75%" and workspace.verdict.badge.text == "Confirmed: ε = ln 3", "it is the same claim"
        enter(qtbot, workspace, claim, "40 %")
        assert claim.text() == "40 %" and claim.property("invalid") == "true"
        assert "cannot be kept to 40 %" in workspace.verdict.delta.text()
        for typed, said in (
            ("100 %", "No ε is as large as 100 %"),
            ("at most 75 %", "“at most 75 %” is no percentage."),
        ):
            enter(qtbot, workspace, claim, typed)
            assert said in workspace.verdict.delta.text()

    @pytest.mark.parametrize("mechanism", ["exponential", "noisy-max"])
    def test_what_was_tried_on_some_datasets_alone_is_not_confirmed(
        self, qtbot: QtBot, workspace: MechanismsWorkspace, mechanism: str
    ) -> None:
        table = {mechanism: {"scores": "a b: 0 0; 0 1; 1 0"}}
        ask(qtbot, workspace, mechanism=mechanism, parameters=table, claim="ln 100")
        badge, note = workspace.verdict.badge, workspace.verdict.note
        assert badge.text == "Holds on the 3 datasets listed" and badge.property("badge") == Status.INFO
        assert "others may do worse" in note.text()
        ask(qtbot, workspace, beside=2)
        assert badge.text == "Holds on the 3 datasets listed", "also where it is one of two"
        ask(qtbot, workspace, claim="0.1")
        assert badge.text == "Refuted: ε = 0.1" and badge.property("badge") == Status.ERROR
        assert "claim ln 100 held where listed" in workspace.verdict.before.full_text

    def test_no_verdict_stands_beside_another_claim_that_is_being_typed(
        self, qtbot: QtBot, workspace: MechanismsWorkspace
    ) -> None:
        claim, badge = workspace.settings.claim, workspace.verdict.badge
        enter(qtbot, workspace, claim, "ln 2")
        assert badge.text == "Confirmed: ε = ln 2"
        claim.selectAll()
        qtbot.keyClicks(claim, "0.1")
        assert badge.text == "Checking…"
        claim.selectAll()
        qtbot.keyClicks(claim, "ln 2")
        assert badge.text == "Confirmed: ε = ln 2", "it is the claim that was asked"
        qtbot.keyClicks(workspace.settings.claimed_delta, "0.5")
        assert badge.text == "Checking…"
        qtbot.keyClick(workspace.settings.claimed_delta, Qt.Key.Key_Return)
        idle(qtbot, workspace)
        assert badge.text == "Confirmed: ε = ln 2, δ = 0.5"

    def test_a_claim_is_asked_as_it_is_typed_and_what_is_typed_is_one_step(
        self, qtbot: QtBot, workspace: MechanismsWorkspace
    ) -> None:
        claim, badge, undo = workspace.settings.claim, workspace.verdict.badge, workspace.document.undo_stack
        steps = undo.count()
        claim.setFocus()
        qtbot.keyClicks(claim, "ln ")
        idle(qtbot, workspace)
        assert badge.text == "Not a claim yet" and undo.count() == steps, "half of a claim is none"
        qtbot.keyClicks(claim, "2")
        idle(qtbot, workspace)
        assert badge.text == "Confirmed: ε = ln 2", "nothing had to be pressed"
        claim.selectAll()
        qtbot.keyClicks(claim, "0.6")
        idle(qtbot, workspace)
        assert badge.text == "Refuted: ε = 0.6"
        qtbot.keyClick(claim, Qt.Key.Key_Return)
        idle(qtbot, workspace)
        assert undo.count() == steps + 1, "and all of it is one step"
        qtbot.keyClicks(claim, "9")
        idle(qtbot, workspace)
        assert undo.count() == steps + 2
        undo.undo()
        idle(qtbot, workspace)
        assert claim.text() == "0.6" and badge.text == "Refuted: ε = 0.6", "also while the field has the focus"
        undo.undo()
        idle(qtbot, workspace)
        assert claim.text() == "" and badge.text == "Exact"

    def test_what_another_mechanism_is_not_asked_is_said_with_a_way_back(
        self, qtbot: QtBot, workspace: MechanismsWorkspace
    ) -> None:
        follows = ", low, high\n" + "\n".join(f"{n}, 1/2, 1/2" for n in range(6))
        ask(qtbot, workspace, then=follows, prior="1 1 1 1 1 2")
        said = list[str]()
        workspace.document.done_undoably.connect(said.append)
        pick(qtbot, workspace, workspace.settings.mechanism, "survey")
        assert said == ["Taken out: the channel that follows and the prior, as named for the mechanism before."]
        workspace.document.undo_stack.undo()
        idle(qtbot, workspace)
        assert workspace.document.project.laboratory.then == follows
        pick(qtbot, workspace, workspace.settings.mechanism, "typed")
        ask(qtbot, workspace, claim="1")
        pick(qtbot, workspace, workspace.settings.mechanism, "survey")
        assert len(said) == 2, "and nothing is said where nothing was taken out"

    def test_one_claim_is_asked_of_several_mechanisms(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        enter(qtbot, workspace, workspace.settings.claim, "ln 2")
        enter(qtbot, workspace, workspace.settings.claimed_delta, "1/100")
        assert workspace.verdict.badge.text == "Confirmed: ε = ln 2, δ = 1/100"
        noted = list[str]()
        workspace.document.noted.connect(lambda _kind, words: noted.append(words))
        pick(qtbot, workspace, workspace.settings.mechanism, "survey")
        assert noted == ["Your claim stays: ε at most ln 2, with δ 1/100 is asked of this mechanism, too."]
        assert (workspace.settings.claim.text(), workspace.settings.claimed_delta.text()) == ("ln 2", "1/100")
        assert (
            workspace.verdict.badge.text == "Refuted: ε = ln 2, δ = 1/100"
            and "At ε = ln(2)" in workspace.verdict.delta.text()
        )

    def test_how_far_a_coin_can_go_is_offered_beside_the_claim_and_filled_in(
        self, qtbot: QtBot, workspace: MechanismsWorkspace
    ) -> None:
        def offered() -> list[tuple[str, bool]]:
            return [(one.text(), one.isEnabled()) for one in workspace.verdict.limits if one.isVisible()]

        pick(qtbot, workspace, workspace.settings.mechanism, "survey")
        height = workspace.verdict.height()
        assert offered() == []
        enter(qtbot, workspace, workspace.settings.claim, "ln 2")
        assert workspace.verdict.badge.text == "Refuted: ε = ln 2"
        assert offered() == [("First coin: at most 1/3", True)]
        assert workspace.verdict.height() == height, "nothing below jumps"
        workspace.verdict.limits[0].click()
        idle(qtbot, workspace)
        assert field(workspace, "honest").text() == "1/3" and workspace.verdict.badge.text == "Confirmed: ε = ln 2"
        assert offered()[0] == ("First coin: at most 1/3", False), "it is set"
        workspace.settings.claim.selectAll()
        qtbot.keyClicks(workspace.settings.claim, "1")
        assert offered() == [], "none beside a claim that is being typed"
        workspace.document.undo_stack.undo()
        idle(qtbot, workspace)
        assert field(workspace, "honest").text() == "1/2"

    def test_the_epsilon_of_a_mechanism_is_no_claim_until_somebody_types_one(
        self, qtbot: QtBot, workspace: MechanismsWorkspace
    ) -> None:
        pick(qtbot, workspace, workspace.settings.mechanism, "grr")
        assert workspace.settings.claim.text() == "" and workspace.verdict.badge.text == "Exact"
        assert "ln 3" in workspace.settings.claim.placeholderText(), "what may be typed"
        parameters = workspace.settings.parameters
        assert parameters is not None
        epsilon_field = parameters.fields["epsilon"]
        assert isinstance(epsilon_field, QLineEdit)
        enter(qtbot, workspace, epsilon_field, "ln 2")
        assert workspace.settings.claim.text() == "" and workspace.verdict.badge.text == "Exact"
        enter(qtbot, workspace, workspace.settings.claim, "ln 2")
        assert workspace.verdict.badge.text == "Confirmed: ε = ln 2"
        enter(qtbot, workspace, epsilon_field, "ln 3")
        assert workspace.settings.claim.text() == "ln 2" and workspace.verdict.badge.text == "Refuted: ε = ln 2", (
            "it stays"
        )
        enter(qtbot, workspace, workspace.settings.claim, "0.5")
        enter(qtbot, workspace, epsilon_field, "ln 4")
        assert workspace.settings.claim.text() == "0.5" and workspace.verdict.badge.text == "Refuted: ε = 0.5"

    def test_neighbours(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        relation = workspace.settings.relation
        assert not workspace.settings.pairs.isVisible()
        relation.choose("all")
        relation.activated.emit(relation.currentIndex())
        idle(qtbot, workspace)
        assert epsilon(workspace) == "ε = ln(32) ≈ 3.466"
        relation.choose("other")
        relation.activated.emit(relation.currentIndex())
        assert workspace.settings.pairs.isVisible()
        enter(qtbot, workspace, workspace.settings.pairs, "0 - 3; 1 - 2")
        assert epsilon(workspace) == "ε = ln(8) ≈ 2.079"

    def test_fields_stand_in_the_order_in_which_it_is_done(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        panel = workspace.settings
        panel.together.set_open(True)
        qtbot.waitUntil(panel.then.isVisible)
        fields = [panel.sample, panel.then, panel.repeat, panel.beside]
        assert fields == sorted(fields, key=lambda one: one.mapTo(panel.together, one.rect().topLeft()).y())
        assert panel.together.button.text() == "Chain: sample, process, repeat"

    def test_a_button_above_leads_to_them_also_where_they_lie_below_the_edge(
        self, qtbot: QtBot, workspace: MechanismsWorkspace
    ) -> None:
        panel = workspace.settings
        pick(qtbot, workspace, panel.mechanism, "survey")
        workspace.resize(900, 520)
        idle(qtbot, workspace)
        assert panel.chain.visibleRegion().boundingRect().height() == panel.chain.height()
        qtbot.mouseClick(panel.chain, Qt.MouseButton.LeftButton)
        idle(qtbot, workspace)
        assert panel.window().focusWidget() is panel.sample
        for one in (panel.sample, panel.repeat, panel.beside):
            assert one.visibleRegion().boundingRect().height() == one.height()

    def test_a_repetition_goes_with_its_mechanism_and_that_is_said_and_can_be_undone(
        self, qtbot: QtBot, workspace: MechanismsWorkspace
    ) -> None:
        panel, said = workspace.settings, list[str]()
        workspace.document.done_undoably.connect(said.append)
        ask(qtbot, workspace, repeat=2, beside=3)
        panel.mechanism.choose("geometric")
        panel.mechanism.activated.emit(panel.mechanism.currentIndex())
        idle(qtbot, workspace)
        found = workspace.document.project.laboratory
        assert (found.mechanism, found.repeat, found.beside) == ("geometric", 1, 1)
        assert said == [
            "Taken out: repeating 2 × on the same input and repeating 3 × on new inputs, as set for the mechanism "
            "before."
        ]
        workspace.document.undo_stack.undo()
        idle(qtbot, workspace)
        assert workspace.document.project.laboratory.repeat == 2

    def test_sampling_and_repeating(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        workspace.settings.together.set_open(True)
        enter(qtbot, workspace, workspace.settings.sample, "1/10")
        assert epsilon(workspace) == "ε = ln(11/10) ≈ 0.09531"
        enter(qtbot, workspace, workspace.settings.sample, "10 %")
        assert epsilon(workspace) == "ε = ln(11/10) ≈ 0.09531" and workspace.settings.sample.text() == "10 %"
        workspace.settings.repeat.setValue(2)
        idle(qtbot, workspace)
        assert epsilon(workspace) == "ε = ln(121/100) ≈ 0.1906"
        workspace.settings.together.set_open(False)
        enter(qtbot, workspace, workspace.settings.sample, "2")
        assert workspace.verdict.title.text().endswith("see “Sample first”")
        assert workspace.settings.sample.isVisible(), "what is wrong is seen"

    def test_what_is_impossible_says_why_at_its_field(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        workspace.settings.together.set_open(True)
        enter(qtbot, workspace, workspace.settings.sample, "much")
        assert workspace.verdict.badge.text == "Cannot be audited"
        assert "much" in workspace.verdict.witness.text()
        assert workspace.settings.sample.property("invalid") == "true"
        assert not workspace.tabs.isVisible() and workspace.found is None
        assert workspace.verdict.title.text() == "This question has no answer: see “Sample first”"
        below = workspace.unanswered.words.text()
        assert workspace.unanswered.isVisible() and "much" not in below and "“Sample first”" in below, "it is said once"
        workspace.settings.sample.clear()
        enter(qtbot, workspace, workspace.settings.sample, "")
        assert workspace.tabs.isVisible() and workspace.settings.sample.property("invalid") == "false"
        enter(qtbot, workspace, workspace.settings.claim, "1")
        pick(qtbot, workspace, workspace.settings.mechanism, "oue")
        assert workspace.settings.claim.text() == "1", "one claim against several mechanisms"
        assert epsilon(workspace).startswith("ε = ln(3)") and workspace.verdict.badge.text == "Refuted: ε = 1"

    def test_an_infinite_epsilon_is_named(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        pick(qtbot, workspace, workspace.settings.mechanism, "typed")
        table = field(workspace, "table")
        assert isinstance(table, LinesEdit)
        table.setPlainText("a b\nx 1 0\ny 1/2 1/2")
        qtbot.waitUntil(lambda: epsilon(workspace) == "ε = ∞", timeout=PATIENCE_MS)
        idle(qtbot, workspace)
        assert workspace.verdict.badge.text == "No ε holds"
        assert "impossible for x" in workspace.verdict.witness.text()
        assert "1/2 = 0.5" in workspace.verdict.delta.text()

    def test_a_table_is_loaded(self, qtbot: QtBot, workspace: MechanismsWorkspace, tmp_path: Path) -> None:
        path = tmp_path / "table.csv"
        path.write_text(",x,y\na,1/3,2/3\nb,2/3,1/3\n", encoding="utf-8")
        workspace.settings.load_table(path)
        qtbot.waitUntil(lambda: workspace.settings.mechanism.chosen == "typed", timeout=PATIENCE_MS)
        idle(qtbot, workspace)
        assert epsilon(workspace) == "ε = ln(2) ≈ 0.6931"

    def test_the_command_asks_the_same(
        self, qtbot: QtBot, workspace: MechanismsWorkspace, capsys: pytest.CaptureFixture[str]
    ) -> None:
        pick(qtbot, workspace, workspace.settings.mechanism, "survey")
        qtbot.mouseClick(workspace.verdict.command, Qt.MouseButton.LeftButton)
        words = shlex.split(QGuiApplication.clipboard().text())
        assert words[:3] == ["workbench", "audit", "survey"]
        assert main(words[1:]) == 0
        assert "ln(3)" in capsys.readouterr().out


class TestWrongEntries:
    """What does not depend on them stays, and nothing leaves that is of other numbers than those on the screen."""

    def test_a_prior_that_is_none_leaves_all_that_has_no_part_in_it(
        self, qtbot: QtBot, workspace: MechanismsWorkspace
    ) -> None:
        pick(qtbot, workspace, workspace.settings.mechanism, "survey")
        page = workspace.utility
        workspace.tabs.setCurrentWidget(page)
        enter(qtbot, workspace, page.prior, "abc")
        assert epsilon(workspace) == "ε = ln(3) ≈ 1.099" and workspace.verdict.badge.text == "Exact"
        assert page.prior.isVisible() and page.prior.text() == "abc" and page.prior.property("invalid") == "true"
        assert page.said.text() == (
            "“abc” is neither uniform nor an input nor 2 weights. "
            "Write one weight per input, such as 2 1, one input, such as yes, or uniform."
        )
        assert {page.value(name) for name in ("error", "before", "after", "surest", "gain")} == {"–"}
        assert "3/2 = 1.5 times" in page.words.text() and "who believes" not in page.words.text()
        enter(qtbot, workspace, page.prior, "1 2 3")
        assert page.said.text().startswith("2 inputs need 2 weights, not 3.")
        enter(qtbot, workspace, page.prior, "0,01 0,99")
        assert "not 4. A comma parts weights; decimals take a point." in page.said.text()
        for typed in ("1 99", "1 % 99 %", "1%, 99%"):
            enter(qtbot, workspace, page.prior, typed)
            assert page.prior.property("invalid") == "false" and page.value("before") == "99/100 = 0.99"
        assert page.said.text().startswith("uniform, one weight")

    @pytest.mark.parametrize("text", ["abc", "-1", "1,000"])
    def test_a_claim_that_is_none_leaves_epsilon_and_the_pictures(
        self, qtbot: QtBot, workspace: MechanismsWorkspace, text: str
    ) -> None:
        claim, verdict = workspace.settings.claim, workspace.verdict
        enter(qtbot, workspace, claim, "ln 2")
        height = verdict.height()
        enter(qtbot, workspace, claim, text)
        assert claim.text() == text and claim.property("invalid") == "true"
        assert workspace.tabs.isVisible() and workspace.matrix.isEnabled()
        assert epsilon(workspace).startswith("ε = ln(2) ≈ 0.693") and verdict.badge.text == "Claim not read"
        assert verdict.delta.text() and verdict.delta.property("tone") == "error" and verdict.height() == height
        enter(qtbot, workspace, claim, "ln 2")
        assert verdict.badge.text == "Confirmed: ε = ln 2" and verdict.delta.property("tone") == "none"
        assert claim.property("invalid") == "false"
        enter(qtbot, workspace, workspace.settings.claimed_delta, "5")
        assert workspace.settings.claimed_delta.property("invalid") == "true" and workspace.tabs.isVisible()
        assert "below 1" in verdict.delta.text() and verdict.badge.text == "Claim not read"

    def test_of_a_mistyped_number_nothing_is_claimed_or_taken_along(
        self, qtbot: QtBot, workspace: MechanismsWorkspace
    ) -> None:
        pick(qtbot, workspace, workspace.settings.mechanism, "geometric")
        enter(qtbot, workspace, workspace.settings.claim, "ln 3")
        verdict, page = workspace.verdict, workspace.matrix
        alpha, beyond = field(workspace, "alpha"), field(workspace, "beyond")
        assert isinstance(alpha, FractionEdit) and isinstance(beyond, NumberField)
        enter(qtbot, workspace, alpha, "abc")
        assert verdict.badge.text == "Out of date"
        assert verdict.delta.text().startswith("α: “abc” is not a number") and verdict.delta.isVisible()
        assert not page.save.isEnabled() and not page.copy.isEnabled() and not verdict.command.isEnabled()
        enter(qtbot, workspace, alpha, "5")
        assert "α: 5 is not above 0 and below 1" in verdict.delta.text(), "the reason of now"
        enter(qtbot, workspace, workspace.settings.claim, "ln 2")
        assert verdict.badge.text == "Out of date" and alpha.property("invalid") == "true"
        enter(qtbot, workspace, alpha, "1/2")
        assert verdict.badge.text == "Confirmed: ε = ln 2" and page.save.isEnabled() and verdict.command.isEnabled()
        enter(qtbot, workspace, beyond.edit, "0")
        assert verdict.delta.text().startswith("“Outputs beyond” holds 0; it takes")
        assert verdict.badge.text == "Out of date" and not page.save.isEnabled()

    def test_alpha_is_read_as_a_claim_is(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        alpha = field(workspace, "alpha")
        assert isinstance(alpha, FractionEdit)
        enter(qtbot, workspace, alpha, "0,25")
        assert epsilon(workspace) == "ε = ln(4) ≈ 1.386" and alpha.property("invalid") == "false"
        assert workspace.settings.settings.typed["alpha"] == alpha.text() == "0,25", "as it was typed"
        workspace.settings.mechanism.setFocus()
        assert alpha.text() == "0,25"
        for typed in ("1/4", "0.25", "25 %", "25%"):
            enter(qtbot, workspace, alpha, typed)
            workspace.settings.mechanism.setFocus()
            assert alpha.text() == typed and epsilon(workspace) == "ε = ln(4) ≈ 1.386"
        assert "1/4" in workspace.verdict.title.text(), "the fraction stands in the details"
