"""What was found of a mechanism before, and the forms in which it is described and leaves."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics, QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, idle, pick
from tests.gui.mechanisms.helpers import ask, enter, epsilon, field
from workbench.core.progress import SILENT
from workbench.gui import tokens
from workbench.gui.widgets.lines_edit import LinesEdit
from workbench.gui.workspaces.mechanisms import MechanismsWorkspace
from workbench.mechanisms.channel_text import parse_channel, to_csv
from workbench.mechanisms.prism import to_prism
from workbench.project.laboratory import LaboratorySettings
from workbench.session.audit import added_words, examiner
from workbench.session.audit_examples import EXAMPLES
from workbench.session.audit_words import frame_words, model_words, picture_caption


class TestBefore:
    def test_beside_an_answer_of_its_own_a_page_has_no_finding_of_before(
        self, qtbot: QtBot, workspace: MechanismsWorkspace
    ) -> None:
        before = workspace.verdict.before
        enter(qtbot, workspace, field(workspace, "alpha"), "1/3")
        assert before.full_text.startswith("Before (α = 1/2)")
        workspace.tabs.setCurrentWidget(workspace.for_all)
        assert not before.full_text.strip()
        workspace.tabs.setCurrentWidget(workspace.pair)
        assert before.full_text.startswith("Before (α = 1/2)"), "beside pictures it is what they are compared with"

    def test_a_change_is_shown_beside_what_was_found_before_it(
        self, qtbot: QtBot, workspace: MechanismsWorkspace
    ) -> None:
        before = workspace.verdict.before
        assert not before.full_text.strip()
        ask(qtbot, workspace, claim="0.6931")
        assert "0.69315" in epsilon(workspace) and not before.full_text.strip(), "ε is what it was, in more digits"
        ask(qtbot, workspace, claim="0.7")
        assert before.full_text == "Before: ε = ln(2) ≈ 0.69315, claim 0.6931 refuted."
        ask(qtbot, workspace, claim="0.6")
        assert before.full_text == "Before: ε = ln(2) ≈ 0.6931, claim 0.7 confirmed."
        enter(qtbot, workspace, field(workspace, "alpha"), "1/4")
        assert epsilon(workspace) == "ε = ln(4) ≈ 1.386"
        assert before.full_text == "Before (α = 1/2): ε = ln(2) ≈ 0.6931, claim 0.6 refuted."
        ask(qtbot, workspace, prior="1 1 1 1 1 2")
        assert "0.6931" in before.full_text, "a prior has no part in ε"
        pick(qtbot, workspace, workspace.settings.mechanism, "survey")
        assert before.full_text == "Before (Truncated geometric): ε = ln(4) ≈ 1.386, claim 0.6 refuted."
        assert workspace.verdict.badge.text == "Refuted: ε = 0.6", "the same is claimed of the new mechanism"

    def test_half_of_a_number_is_nothing_to_compare_with(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        pick(qtbot, workspace, workspace.settings.mechanism, "survey")
        ask(qtbot, workspace, claim="ln 3")
        before, yes = workspace.verdict.before, field(workspace, "yes")
        assert epsilon(workspace).startswith("ε = ln(3)")
        yes.setFocus()
        yes.selectAll()
        for letter in "1/4":
            qtbot.keyClicks(yes, letter)
            idle(qtbot, workspace)
        known = "Before (Second coin: yes = 1/2): ε = ln(3) ≈ 1.099, claim ln 3 confirmed."
        assert before.full_text == known
        qtbot.keyClick(yes, Qt.Key.Key_Return)
        idle(qtbot, workspace)
        assert before.full_text == known, "nothing else was asked"
        yes.selectAll()
        for letter in "1/2":
            qtbot.keyClicks(yes, letter)
            idle(qtbot, workspace)
        assert before.full_text.startswith("Before (Second coin: yes = 1/4): ε = ln(5)")
        yes.selectAll()
        for letter in "1/4":
            qtbot.keyClicks(yes, letter)
            idle(qtbot, workspace)
        assert not before.full_text.strip(), "it is what it was when typing began"

    def test_half_of_a_table_is_nothing_to_compare_with(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        pick(qtbot, workspace, workspace.settings.mechanism, "typed")
        ask(qtbot, workspace, parameters={"typed": {"table": "a b\nx 1/3 2/3\ny 2/3 1/3"}})
        before, table = workspace.verdict.before, field(workspace, "table")
        assert isinstance(table, LinesEdit)
        table.setFocus()
        for text in ("a b\nx 1/3 2/3\ny 3/4 1/4", "a b\nx 1/5 4/5\ny 3/4 1/4", "a b\nx 1/5 4/5\ny 4/5 1/5"):
            table.selectAll()
            for place, line in enumerate(text.splitlines()):
                if place:
                    qtbot.keyClick(table, Qt.Key.Key_Return)
                qtbot.keyClicks(table, line)
            table.tell()
            idle(qtbot, workspace)
            assert "ε = ln(2) ≈ 0.6931" in before.full_text
        assert epsilon(workspace).startswith("ε = ln(4)")
        workspace.settings.claim.setFocus()
        ask(qtbot, workspace, claim="ln 4")
        assert "ε = ln(4)" in before.full_text or not before.full_text.strip(), "what stood when it was left"

    def test_a_picture_says_what_became_of_the_claim_and_what_is_framed(
        self, qtbot: QtBot, workspace: MechanismsWorkspace
    ) -> None:
        pick(qtbot, workspace, workspace.settings.mechanism, "survey")
        framed = "Framed is what shows ε: output “yes”, with 3/4 for input yes, 1/4 for no."
        for claim, delta, told in (
            ("ln 3", "0", " Is ε at most ln 3? Yes."),
            ("ln 2", "0", " Is ε at most ln 2? No. At ε = ln(2), δ = 1/4 = 0.25 (inputs yes and no)."),
            ("ln 2", "0.3", " Does (ε = ln 2, δ = 0.3) hold? Yes. At ε = ln(2), δ = 1/4 = 0.25 (inputs yes and no)."),
            ("", "0", ""),
        ):
            ask(qtbot, workspace, claim=claim, claimed_delta=delta)
            found = workspace.found
            assert found is not None
            below = picture_caption(found, "", frame_words(found)).below
            assert below.endswith(f"all pairs.{told} {framed}")
            assert "Randomised response (yes or no). Made with two coins, first coin (truth) = 1/2 and sec" in below, (
                "once"
            )
            assert "by two coins, 1/2" not in below

    def test_nothing_is_said_of_before_where_the_answer_is_the_same(
        self, qtbot: QtBot, workspace: MechanismsWorkspace
    ) -> None:
        before = workspace.verdict.before
        enter(qtbot, workspace, field(workspace, "alpha"), "1/3")
        assert "0.6931" in before.full_text
        ask(qtbot, workspace, neighbours="adjacent")
        assert epsilon(workspace) == "ε = ln(3) ≈ 1.099" and not before.full_text.strip()

    def test_a_local_protocol_that_begins_as_a_mechanism_does_says_so(self, workspace: MechanismsWorkspace) -> None:
        listed = workspace.settings.mechanism
        titles = {str(listed.itemData(row)): listed.itemText(row) for row in range(listed.count())}
        assert titles["geometric"] == "Geometric" and titles["local-geometric"] == "Geometric noise (as in Collect)"
        assert titles["rr"] == "Randomised response (as in Collect)" and titles["oue"] == "Optimised unary encoding"

    def test_examples_ask_what_a_person_would(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        actions = workspace.settings.examples.menu().actions()
        assert [one.text() for one in actions] == [one.question for one in EXAMPLES]
        found = []
        for action in actions[:3]:
            action.trigger()
            idle(qtbot, workspace)
            found.append((workspace.found is not None, workspace.verdict.badge.text))
        assert found == [(True, "Exact"), (True, "Confirmed: ε = ln 2"), (True, "Refuted: ε = 1")]

    def test_only_parameters_that_matter_are_shown(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        pick(qtbot, workspace, workspace.settings.mechanism, "survey")
        seen = {name: field(workspace, name).isVisible() for name in ("p", "honest", "yes")}
        assert seen == {"p": False, "honest": True, "yes": True}
        ask(qtbot, workspace, parameters={"survey": {"variant": "warner"}})
        seen = {name: field(workspace, name).isVisible() for name in ("p", "honest", "yes")}
        assert seen == {"p": True, "honest": False, "yes": False}


class TestForms:
    def test_probabilities_are_written_as_fractions_decimals_or_per_cent(
        self, qtbot: QtBot, workspace: MechanismsWorkspace
    ) -> None:
        pick(qtbot, workspace, workspace.settings.mechanism, "survey")
        page, index = workspace.matrix, workspace.matrix.table.cells.index(0, 0)
        assert page.table.cells.data(index) == "3/4"
        for form, text in (("Decimals", "0.75"), ("Per cent", "75 %"), ("Fractions", "3/4")):
            page.form.setCurrentIndex(page.form.findText(form))
            page.form.activated.emit(page.form.currentIndex())
            assert page.table.cells.data(index) == text

    def test_decimals_have_all_their_digits_also_where_columns_are_many(
        self, qtbot: QtBot, workspace: MechanismsWorkspace
    ) -> None:
        ask(qtbot, workspace, parameters={"truncated-geometric": {"alpha": "1/2", "n": "20"}})
        table, page = workspace.matrix.table, workspace.matrix
        before = table.columnWidth(0)
        page.form.setCurrentIndex(page.form.findText("Decimals"))
        page.form.activated.emit(page.form.currentIndex())
        font = QFont(table.font())
        font.setPixelSize(tokens.FONT_SMALL - tokens.SPACE_HAIR)  # the smallest in which a number is written
        texts = [table.cells.data(table.cells.index(row, column)) for row in range(21) for column in range(21)]
        widest = max(map(QFontMetrics(font).horizontalAdvance, texts))
        assert table.columnWidth(0) >= widest + 2 > before, "a cell that is cut is another number"

    def test_fractions_are_offered_where_there_are_any(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        page, index = workspace.matrix, workspace.matrix.table.cells.index(0, 0)
        fractions = page.form.model().index(0, 0)
        pick(qtbot, workspace, workspace.settings.mechanism, "local-geometric")
        assert page.form.currentText() == "Decimals" and page.table.cells.data(index).startswith("0.5")
        assert not fractions.flags() & Qt.ItemFlag.ItemIsEnabled
        pick(qtbot, workspace, workspace.settings.mechanism, "local-grr")
        said = workspace.utility.words.text()
        assert "at most 2 times as often, the most that this ε allows." in said, "4 · 3 ÷ (3 + 3), exactly"
        assert page.form.currentText() == "Fractions" and page.table.cells.data(index) == "1/2"
        assert fractions.flags() & Qt.ItemFlag.ItemIsEnabled

    def test_names_of_many_outputs_are_never_cut(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        pick(qtbot, workspace, workspace.settings.mechanism, "subset-selection")
        ask(qtbot, workspace, parameters={"subset-selection": {"d": "8"}})
        table = workspace.matrix.table
        header = table.horizontalHeader()
        assert table.cells.columnCount() == 28
        bold = header.font()
        bold.setWeight(bold.Weight.DemiBold)
        needed = QFontMetrics(bold).horizontalAdvance("r28") + 2 * tokens.SPACE_S
        assert table.columnWidth(27) >= needed

    def test_cells_fill_the_pane(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        pick(qtbot, workspace, workspace.settings.mechanism, "survey")
        table = workspace.matrix.table
        view = table.viewport().size()
        assert 2 * table.columnWidth(0) > 0.9 * view.width() and 2 * table.rowHeight(0) > 0.9 * view.height()

    def test_longer_names_of_inputs_hide_no_cell(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        ask(qtbot, workspace, mechanism="grr", parameters={"grr": {"d": "2"}})
        ask(qtbot, workspace, mechanism="survey")  # as many, but with longer names
        table = workspace.matrix.table
        assert table.viewport().x() >= table.verticalHeader().geometry().right()
        assert table.viewport().width() - 2 * table.columnWidth(0) < 2, "no strip stays empty at the right"

    def test_the_chain_leaves_for_prism(self, qtbot: QtBot, workspace: MechanismsWorkspace, tmp_path: Path) -> None:
        pick(qtbot, workspace, workspace.settings.mechanism, "survey")
        workspace.matrix.copy_prism()
        assert QApplication.clipboard().text().startswith("dtmc")
        with qtbot.waitSignal(workspace.matrix.noted, timeout=PATIENCE_MS):
            workspace.matrix.save_to(tmp_path / "survey.pm")
        assert (tmp_path / "survey.pm").read_text().startswith("dtmc")

    def test_a_model_for_prism_has_one_ending(
        self, qtbot: QtBot, workspace: MechanismsWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        action = next(one for one in workspace.matrix.save.menu().actions() if "PRISM" in one.text())
        for name, written in (("chain.prism", "chain.prism"), ("other.pm", "other.pm"), ("third", "third.pm")):
            asked = (str(tmp_path / name), "PRISM (*.pm *.prism)")
            monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_given, asked=asked: asked)
            action.trigger()
            qtbot.waitUntil((tmp_path / written).exists, timeout=PATIENCE_MS)
        idle(qtbot, workspace)
        assert sorted(one.name for one in tmp_path.iterdir()) == ["chain.prism", "other.pm", "third.pm"]

    def test_a_model_for_prism_says_of_what(self, qtbot: QtBot, workspace: MechanismsWorkspace, tmp_path: Path) -> None:
        typed = {"geometric": {"alpha": "1/2", "n": "10", "beyond": "4"}}
        ask(qtbot, workspace, mechanism="geometric", parameters=typed)
        with qtbot.waitSignal(workspace.matrix.noted, timeout=PATIENCE_MS):
            workspace.matrix.save_to(tmp_path / "geo.pm")
        lines = (tmp_path / "geo.pm").read_text(encoding="utf-8").splitlines()
        assert lines[:4] == [
            "dtmc",
            "// 1/2-geometric on whole numbers",
            "// alpha = 1/2, Largest input = 10, Outputs beyond = 4",
            "// epsilon = ln(2) ~ 0.6931; neighbours: |x - x'| <= 1",
        ]
        assert lines[4].startswith("// Outputs are all whole numbers; those at either end are shown together.")
        assert 'label "output_0" = y=0; // <= -4' in lines and 'label "output_4" = y=4; // 0' in lines

    def test_a_model_says_what_became_of_the_claim_in_ascii(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        pick(qtbot, workspace, workspace.settings.mechanism, "survey")
        for claim, said in (("ln 3", "// Is epsilon at most ln 3? Yes."), ("1", "// Is epsilon at most 1? No.")):
            ask(qtbot, workspace, claim=claim)
            workspace.matrix.copy_prism()
            copied = QGuiApplication.clipboard().text()
            assert said in copied.splitlines() and copied.isascii()
        ask(qtbot, workspace, claim="")
        workspace.matrix.copy_prism()
        assert "at most" not in QGuiApplication.clipboard().text()

    def test_what_is_copied_is_called_as_what_is_saved(self, workspace: MechanismsWorkspace) -> None:
        copies, saves = (button.menu().actions() for button in (workspace.matrix.copy, workspace.matrix.save))
        assert [one.text() for one in copies][1:] == [one.text().removesuffix("…") for one in saves][1:]
        assert copies[0].text() == "&Picture" and not any(one.icon().isNull() for one in (*copies, *saves))

    @pytest.mark.parametrize(
        ("mechanism", "given"),
        [
            ("rr", "// Values = 2, epsilon = 1, Chances from = epsilon"),
            ("subset-selection", "// Values = 2, epsilon = 1, Values in a set = automatic"),
        ],
    )
    def test_a_model_names_no_number_that_it_does_not_have(self, mechanism: str, given: str) -> None:
        settings = LaboratorySettings(mechanism, parameters={mechanism: {"epsilon": "1", "d": "2"}})
        assert given in to_prism((found := examiner(settings, with_curve=False)(SILENT)).channel, model_words(found))


THEN = ", low, high\nno, 9/10, 1/10\nyes, 2/10, 8/10"
FOLLOWS = "Channel that follows: no → low 9/10, high 1/10; yes → low 1/5, high 4/5"


def test_a_picture_and_a_model_have_the_table_that_follows_and_delta_at_the_claimed_epsilon(
    qtbot: QtBot, workspace: MechanismsWorkspace, tmp_path: Path
) -> None:
    """So that the figure can be made again from its caption: ε = ln(25/11), and 0.01298 at 0.8, by hand."""
    pick(qtbot, workspace, workspace.settings.mechanism, "survey")
    ask(qtbot, workspace, then=THEN, claim="0.8")
    page, found = workspace.matrix, workspace.found
    assert found is not None
    caption = picture_caption(found, "", frame_words(found)).below
    delta = 5 / 8 - math.exp(0.8) * 11 / 40
    assert f"{delta:.4g}" == "0.01298" and f"{FOLLOWS}." in caption
    assert "Is ε at most 0.8? No. At ε = 0.8, δ ≈ 0.01298 (inputs yes and no)." in caption
    for name in ("made.pm", "made.tex", "made.csv"):
        with qtbot.waitSignal(page.noted, timeout=PATIENCE_MS):
            page.save_to(tmp_path / name)
    model, latex, table = ((tmp_path / f"made.{one}").read_text(encoding="utf-8") for one in ("pm", "tex", "csv"))
    assert "// Channel that follows: no -> low 9/10, high 1/10; yes -> low 1/5, high 4/5" in model and model.isascii()
    assert "// At epsilon = 0.8, delta ~ 0.01298 (inputs yes and no)." in model
    assert r"no $\to$ low 9/10" in latex and "0.01298" in latex
    assert to_csv(parse_channel(table)) == table == to_csv(found.channel), "a table stays nothing but a table"


def test_tables_are_named_as_far_as_the_matrix_does_not_show_them_and_shortened_if_large() -> None:
    own = LaboratorySettings("typed", parameters={"typed": {"table": ", a, b\nx, 1/3, 2/3\ny y, 1, 0"}})
    for settings, told in (
        (own, False),
        (replace(own, repeat=2), True),
        (replace(own, then=", a\na, 1\nb, 1"), True),
    ):
        found = examiner(settings, with_curve=False)(SILENT)
        assert ("Its channel: x → a 1/3, b 2/3; “y y” → a 1." in picture_caption(found, "").below) is told
    rows = "\n".join(f"{place}, {', '.join(['1/10'] * 10)}" for place in range(6))
    wide = f", {', '.join('abcdefghij')}\n{rows}"
    geometric = LaboratorySettings("truncated-geometric", then=wide)
    found = examiner(geometric, with_curve=False)(SILENT)
    said = picture_caption(found, "").below
    assert "Channel that follows: 0 → a 1/10," in said and "; and 4 further inputs." in said and "3 → a" not in said
    assert any("5 → a 1/10" in line for line in model_words(found)), "a file has room for all"


def test_what_is_asked_again_of_a_sample_says_that_each_is_another_one() -> None:
    """ln(36/25) is of two samples, and would be too little for one that is asked twice."""
    again = LaboratorySettings(mechanism="randomised response", sample="1/10=no", repeat=2)
    assert added_words(again) == ", on a sample of 1/10, else no, 2 times, each on a fresh sample"
    assert added_words(replace(again, sample="")) == ", 2 times"
