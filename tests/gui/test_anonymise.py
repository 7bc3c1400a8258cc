"""The Anonymise workspace, through its widgets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import open_step_of, seen
from tests.gui.helpers import PATIENCE_MS, Anonymising, OnScreen, choose, click, idle
from workbench.anonymise.recipe import Treatment
from workbench.anonymise.sample_guarantee import Accounting
from workbench.core.hierarchy import Hierarchy
from workbench.core.level_words import levels_counted
from workbench.core.schema import PrivacyUnit
from workbench.core.working_table import Preparation
from workbench.gui.budget import BudgetStrip
from workbench.gui.document import RUN_JOB, Document
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise import workspace as workspace_module
from workbench.gui.workspaces.anonymise.column_row import ColumnTreatment
from workbench.gui.workspaces.anonymise.folded_model import BEFORE, BELOW, FoldedModel
from workbench.project.model import GuaranteeSettings
from workbench.session import Session
from workbench.session.release.desk import ReleaseDesk

pytestmark = pytest.mark.usefixtures("sampling")

ROWS = 1_200
AGES = Hierarchy.from_rows([(str(a), f"{a // 10 * 10}s", "*") for a in range(20, 60)])
CITIES = Hierarchy.from_rows([("Bern", "*"), ("Basel", "*"), ("Chur", "*")])


@pytest.fixture
def workspace(document: Document, on_screen: OnScreen) -> AnonymiseWorkspace:
    return on_screen(AnonymiseWorkspace(document))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    lines = [f"P{i:04},{20 + i % 40},{('Bern', 'Basel', 'Chur')[0 if i % 50 else 2]}" for i in range(ROWS)]
    path.write_text("person,age,city\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def ready(anonymising: Anonymising, data: Path) -> AnonymiseWorkspace:
    """The workspace with data, and hierarchies for age and city at level 1 and 0."""

    def prepare(session: Session) -> None:
        session.data.attach_hierarchy("age", AGES)
        session.data.attach_hierarchy("city", CITIES)
        session.release.columns.set_level("city", 0)

    return anonymising(data, prepare)


def load(qtbot: QtBot, workspace: AnonymiseWorkspace, path: Path) -> None:
    workspace.document.open_data(path)
    idle(qtbot, workspace)


def run(qtbot: QtBot, workspace: AnonymiseWorkspace) -> None:
    """Run, and take the analyst's figures."""
    run_blind(qtbot, workspace)
    if not workspace.document.session.release.looked:
        look(qtbot, workspace)


def run_blind(qtbot: QtBot, workspace: AnonymiseWorkspace) -> None:
    if workspace.run_button.text().startswith("Go on to export"):
        workspace.spend()  # it is made, so there is nothing to pay for
    else:
        click(qtbot, workspace.run_button)
    idle(qtbot, workspace)


def look(qtbot: QtBot, workspace: AnonymiseWorkspace) -> None:
    click(qtbot, workspace.result.look.figures)
    click(qtbot, workspace.result.look.publish)
    idle(qtbot, workspace)


def type_number(qtbot: QtBot, workspace: AnonymiseWorkspace, name: str, text: str) -> None:
    edit = workspace.promise.fields[name].edit
    open_step_of(workspace, edit)
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, text)
    workspace.status()


def settings(workspace: AnonymiseWorkspace) -> GuaranteeSettings:
    return workspace.document.project.anonymise.guarantee


def shown(workspace: AnonymiseWorkspace, name: str) -> float | None:
    return workspace.promise.fields[name].value


class TestEmpty:
    def test_without_data_one_action_opens_a_file(self, qtbot: QtBot, workspace: AnonymiseWorkspace) -> None:
        button = workspace._no_data.primary_button
        assert button is not None and button.isVisible()
        with qtbot.waitSignal(workspace.open_requested):
            click(qtbot, button)
        assert workspace.status() is None
        assert workspace.next_hint() == ""

    def test_without_hierarchies_it_leads_to_them(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, data: Path
    ) -> None:
        load(qtbot, workspace, data)
        assert not workspace.run_button.isEnabled()
        assert workspace.claim_word() == "No claim yet"
        with qtbot.waitSignal(workspace.go_to) as asked:
            workspace.steps.open("levels")
            click(qtbot, workspace.columns.attach)
        assert asked.args == ["hierarchies"]

    def test_a_column_can_be_grouped_without_a_hierarchy(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, data: Path
    ) -> None:
        load(qtbot, workspace, data)
        treat(workspace, "city", ColumnTreatment.AS_IS)
        assert workspace.document.session.release.columns.treatment("city") is Treatment.GENERALISE
        assert workspace.run_button.isEnabled()

    def test_going_back_to_an_empty_project_clears_the_page(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run(qtbot, ready)
        ready.document.new()
        idle(qtbot, ready)
        assert ready._no_data.isVisible()
        assert ready.result.claim.text == "Not run yet" and ready.result.table.view.lines.rowCount() == 0


def treat(workspace: AnonymiseWorkspace, name: str, choice: ColumnTreatment) -> None:
    choose(workspace.columns.rows[name].treatment, choice)
    workspace.status()


class TestCalculator:
    def test_shows_what_follows(self, ready: AnonymiseWorkspace) -> None:
        assert (shown(ready, "epsilon"), shown(ready, "delta")) == (1.0, 1e-5)
        assert (shown(ready, "beta"), shown(ready, "k")) == (0.6321, 46)
        assert ready.promise.fields["k"].edit.isReadOnly()
        assert not ready.promise.fields["epsilon"].edit.isReadOnly()
        assert "about 73 rows" in ready.promise.facts.text()
        assert "e^ε ≈ 2.718" in ready.promise.facts.text()

    def test_typing_solves_again_and_undo_takes_it_back(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        type_number(qtbot, ready, "epsilon", "2")
        assert settings(ready).epsilon == 2
        assert shown(ready, "k") == 92
        assert ready.document.undo_stack.undoText() == "Change ε"
        ready.document.undo_stack.undo()
        ready.status()
        assert (shown(ready, "epsilon"), shown(ready, "k")) == (1.0, 46)

    def test_dragging_a_slider_is_one_step(self, ready: AnonymiseWorkspace) -> None:
        slider = ready.promise.epsilon_slider.slider
        for position in (500, 520, 560):
            slider.setValue(position)
        assert ready.document.undo_stack.count() == 1

    def test_half_typed_numbers_stay_and_stop_the_run(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        type_number(qtbot, ready, "delta", "1e-")
        assert ready.promise.fields["delta"].edit.text() == "1e-"
        assert settings(ready).delta != 1e-7
        assert not ready.run_button.isEnabled()
        assert ready.promise.errors["delta"].isVisible()
        qtbot.keyClicks(ready.promise.fields["delta"].edit, "7")
        ready.status()
        assert settings(ready).delta == 1e-7
        assert ready.run_button.isEnabled()
        assert not ready.promise.errors["delta"].isVisible()

    def test_a_run_from_elsewhere_shows_the_numbers_it_uses(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        type_number(qtbot, ready, "delta", "1e-")
        ready.document.run()
        assert shown(ready, "delta") == settings(ready).delta
        idle(qtbot, ready)

    @pytest.mark.parametrize("unknown", ["epsilon", "delta", "beta"])
    def test_another_unknown_keeps_the_numbers(self, qtbot: QtBot, ready: AnonymiseWorkspace, unknown: str) -> None:
        before = {name: shown(ready, name) for name in ("epsilon", "delta", "beta", "k")}
        combo = ready.promise.unknown
        combo.setCurrentIndex(combo.findData(unknown))
        combo.activated.emit(combo.currentIndex())
        ready.status()
        assert settings(ready).solve_for == unknown
        assert settings(ready).k == before["k"]
        for name, value in before.items():
            now = shown(ready, name)
            assert now is not None and value is not None
            # Rounded to the safe side, hence not quite the same.
            assert now == pytest.approx(value, rel=0.02 if name != "delta" else 0.2)
        promised = ready.document.session.release.guarantee()
        assert promised.epsilon <= (shown(ready, "epsilon") or 0)
        assert promised.delta <= (shown(ready, "delta") or 0)

    def test_rules_for_beta(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        rule = ready.promise.rule
        rule.setCurrentIndex(rule.findData("best"))
        rule.activated.emit(rule.currentIndex())
        idle(qtbot, ready)
        assert settings(ready).beta == "best"
        assert ready.document.session.release.guarantee().k == shown(ready, "k") == 12
        assert ready.promise.fields["beta"].edit.isReadOnly()
        rule.setCurrentIndex(rule.findData(""))
        rule.activated.emit(rule.currentIndex())
        idle(qtbot, ready)
        assert settings(ready).beta == shown(ready, "beta")
        assert not ready.promise.fields["beta"].edit.isReadOnly()

    def test_the_share_slider_goes_beyond_the_classical_limit(self, ready: AnonymiseWorkspace) -> None:
        ready.promise.share.slider.setValue(ready.promise.share.slider.maximum())
        ready.status()
        assert settings(ready).beta == pytest.approx(0.99)
        assert ready._found.guarantee is not None and ready._found.guarantee.beta > 0.632

    def test_the_share_slider_starts_at_the_rarest_groups(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        qtbot.waitUntil(lambda: ready.result.trade_off.data is not None, timeout=PATIENCE_MS)
        idle(qtbot, ready)
        best = ready.result.trade_off.data.best
        ready.promise.share.slider.setValue(0)
        assert settings(ready).beta == pytest.approx(best[0], rel=0.01)

    def test_an_unsolvable_wish_is_told_at_its_field(self, ready: AnonymiseWorkspace) -> None:
        wanted = replace(settings(ready), beta=0.99999)
        ready.document.apply("keep nearly all", lambda session: session.release.set_guarantee(wanted))
        ready.status()
        wrong = ready.promise.errors["beta"]
        assert wrong.isVisible() and "Choose a β of at most" in wrong.text()
        assert shown(ready, "k") is None
        assert not ready.run_button.isEnabled()
        assert ready.claim_word() == "No claim yet"

    def test_classical_accounting_refuses_what_it_does_not_cover(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        wanted = replace(settings(ready), beta=0.9, accounting=Accounting.CLASSICAL)
        ready.document.apply("classical", lambda session: session.release.set_guarantee(wanted))
        ready.status()
        assert "does not cover" in ready.promise.errors["accounting"].text()
        combo = ready.promise.accounting
        combo.setCurrentIndex(combo.findData(Accounting.EXACT))
        combo.activated.emit(combo.currentIndex())
        ready.status()
        assert shown(ready, "k") == 235
        assert not ready.promise.errors["accounting"].isVisible()

    def test_rows_per_person_are_named(self, ready: AnonymiseWorkspace) -> None:
        ready.document.apply("unit", lambda session: session.data.set_unit(PrivacyUnit(3)))
        ready.status()
        assert "one person’s 3 rows" in ready.promise.facts.text()
        assert ready._found.guarantee is not None and ready._found.guarantee.smallest_class > 100


class TestColumns:
    def test_a_row_says_where_a_column_stands(self, ready: AnonymiseWorkspace) -> None:
        assert ready.columns.rows["age"].words == "level 1 of 2 · 4 groups · 40 → 40s"
        hierarchy = ready.document.project.hierarchies["age"]
        assert levels_counted(hierarchy) == "2 levels", "as the list in Hierarchies says"
        bare, above = Hierarchy.from_rows([("1",), ("2",)]), Hierarchy.from_rows([("1", "*"), ("2", "*")])
        assert [levels_counted(one) for one in (bare, above)] == ["no level above its values", "1 level"]
        assert ready.columns.rows["person"].treatment.currentData() == ColumnTreatment.LEAVE_OUT
        assert not ready.columns.rows["person"].slider.isVisible()

    def test_moving_a_level(self, ready: AnonymiseWorkspace) -> None:
        ready.columns.rows["age"].slider.setValue(2)
        ready.status()
        assert ready.document.project.anonymise.levels["age"] == 2
        assert ready.document.undo_stack.undoText() == "Generalise age to level 2"
        assert ready.columns.rows["age"].words == "level 2 of 2 · 1 group · 40 → *"

    def test_level_0_is_grouping_as_it_is(self, ready: AnonymiseWorkspace) -> None:
        row = ready.columns.rows["age"]
        row.slider.setValue(0)
        ready.status()
        assert row.treatment.currentData() == ColumnTreatment.AS_IS
        assert seen(row.slider, ready)
        treat(ready, "age", ColumnTreatment.GENERALISE)
        assert ready.document.project.anonymise.levels["age"] == 1

    def test_passing_through_voids_the_claim(self, ready: AnonymiseWorkspace) -> None:
        assert ready.claim_word() == "Claim holds if you can say:"
        treat(ready, "person", ColumnTreatment.KEEP)
        assert ready.claim_word() == "No (ε, δ) claim"
        assert "voids" in ready.columns.rows["person"].words
        ready.document.undo_stack.undo()
        ready.status()
        assert ready.claim_word() == "Claim holds if you can say:"

    def test_uncovered_values_are_named_and_can_become_stars(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        small = Hierarchy.from_rows([("Bern", "*"), ("Basel", "*")])
        ready.document.apply("attach", lambda session: session.data.attach_hierarchy("city", small))
        ready.status()
        row = ready.columns.rows["city"]
        assert row.problem == "", "nobody looked at the values of the table yet"
        ready.document.session.looks.take("values")
        ready.document.apply("x", lambda session: session.release.columns.set_level("city", 0))
        ready.put_off()
        ready.status()
        assert "Chur" in row.problem
        assert ready.run_button.isEnabled(), "in a run they become * by a public rule"
        ready.steps.open("levels")
        click(qtbot, row.controls[-1])
        ready.status()
        assert row.problem == ""
        assert ready.run_button.isEnabled()

    def test_the_wheel_scrolls_past_what_has_no_focus(self, ready: AnonymiseWorkspace) -> None:
        slider = ready.columns.rows["age"].slider
        ready.promise.fields["epsilon"].setFocus()
        before = dict(ready.document.project.anonymise.levels)
        turn = QWheelEvent(
            QPointF(5, 5),
            QPointF(slider.mapToGlobal(QPoint(5, 5))),
            QPoint(),
            QPoint(0, -120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(slider, turn)
        assert dict(ready.document.project.anonymise.levels) == before

    def test_levels_chosen_by_looking_void_the_claim(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        ready.steps.open("run")
        ready.plan.details.set_open(True)
        click(qtbot, ready.plan.looked)
        ready.status()
        assert not ready.document.project.anonymise.levels_blind
        assert ready.claim_word() == "Only for its choices as they are"

    def test_wide_tables_show_what_takes_part_and_what_is_sought(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, tmp_path: Path
    ) -> None:
        names = [f"c{i:03}" for i in range(120)]
        path = tmp_path / "wide.csv"
        path.write_text("\n".join([",".join(names), *(",".join(["1", "2"] * 60) for _ in range(5))]), encoding="utf-8")
        load(qtbot, workspace, path)
        assert not workspace.columns.rows
        workspace.steps.open("levels")
        qtbot.keyClicks(workspace.columns.search, "c07")
        assert visible_rows(workspace) == [f"c07{i}" for i in range(10)]
        treat(workspace, "c071", ColumnTreatment.AS_IS)
        workspace.columns.search.clear()
        assert visible_rows(workspace) == ["c071"]


def visible_rows(workspace: AnonymiseWorkspace) -> list[str]:
    return sorted(name for name, row in workspace.columns.rows.items() if row.isVisible())


class TestSeed:
    def test_a_seed_makes_a_simulation(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        ready.steps.open("run")
        click(qtbot, ready.plan.details.button)
        click(qtbot, ready.plan.simulate)
        ready.plan.seed.set_value(7)
        ready.status()
        assert ready.document.project.anonymise.seed == 7
        assert ready.claim_word() == "No (ε, δ) claim"
        run(qtbot, ready)
        assert "simulation" in ready.result.claim.text
        first = ready.document.session.release.result
        run(qtbot, ready)
        second = ready.document.session.release.result
        assert first is not None and second is not None and first is not second
        np.testing.assert_array_equal(first.outcome.sampled_rows, second.outcome.sampled_rows)

    def test_a_simulation_does_not_hide(self, ready: AnonymiseWorkspace) -> None:
        assert not seen(ready.plan.simulate, ready)
        ready.document.apply("seed", lambda session: session.release.set_seed(3))
        ready.status()
        assert seen(ready.plan.simulate, ready)


class TestRunning:
    def test_the_figures_add_up(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        assert ready.next_hint() == "Press “Make the release”"
        run(qtbot, ready)
        result = ready.document.session.release.result
        assert result is not None
        outcome = result.sampled
        header = ready.result.claim
        assert f"{outcome.rows_out:,} of {ROWS:,} rows · 4 groups" in header.text  # Bern in four decades; Chur is rare
        assert f"{outcome.sampled.rows:,} rows were sampled, and {outcome.suppressed:,} of them" in header.toolTip()
        assert int(outcome.released_sizes.min()) >= 46
        assert f"smallest group has {int(outcome.released_sizes.min()):,} rows" in header.toolTip()
        assert ready.status() is Status.SUCCESS
        assert ready.next_hint() == ""
        assert ready.run_button.text() == "Go on to export…"
        with qtbot.waitSignal(ready.reach_requested) as asked:
            click(qtbot, ready.run_button)
        assert asked.args == ["release", "export"]

    def test_a_run_shows_what_a_reader_would_get(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run_blind(qtbot, ready)
        result = ready.document.session.release.result
        assert result is not None
        pane, outcome = ready.result, result.outcome
        assert pane.claim.text == f"{outcome.rows_out:,} rows · 4 groups · ε 1, δ 1e-5"
        assert "sampled" not in pane.claim.toolTip() and f"{ROWS:,}" not in pane.claim.toolTip()
        shown = pane.table.view.lines
        assert shown.rowCount() == 4 and pane.table.isVisible()
        assert sum(int(text(shown, row, "Rows").replace(",", "")) for row in range(4)) == outcome.rows_out
        assert not any(
            shown.data(shown.index(row, column), BEFORE)
            for row in range(shown.rowCount())
            for column in range(shown.columnCount())
        )
        assert not pane.table.one_by_one.isVisible() and not pane.table.with_dropped.isVisible()
        assert not pane.tabs.isTabVisible(pane.tabs.indexOf(pane.costs))
        assert "charged with ε = 1" in pane.look.draw.toolTip() and pane.look.draw.text() == "New draw · ε 1 more"
        assert not ready.document.project.looks
        assert ready.claim_word() == "Claim holds if you can say:"

    def test_equal_settings_show_the_draw_that_exists(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run_blind(qtbot, ready)
        first, session = ready.document.session.release.result, ready.document.session
        run_blind(qtbot, ready)
        assert session.release.result is first and session.ledger.current.spent().epsilon == 1
        click(qtbot, ready.result.look.draw)
        idle(qtbot, ready)
        assert session.release.result is not first and session.ledger.current.spent().epsilon == 2
        assert ready.claim_word() == "Claim holds if you can say:"
        assert "1 caution" in ready.result.claim.link.text()

    @pytest.mark.parametrize(("budget", "known"), [(1, False), (2, True), (3, False)])
    def test_strip_step_and_button_agree_on_what_is_left(
        self, qtbot: QtBot, ready: AnonymiseWorkspace, budget: int, known: bool
    ) -> None:
        strip = BudgetStrip(ready.document)
        qtbot.addWidget(strip)
        trim = replace(ready.document.project.anonymise.trim, number_known=known)
        ready.document.apply("number", lambda session: session.release.set_trimming(trim))
        ready.document.session.ledger.current.set_budget(Fraction(budget), Fraction(1, 100))
        run_blind(qtbot, ready)
        strip.refresh()
        spent, bar = 2 if known else 1, ready.result.look
        left = budget - spent
        assert f"ε {spent} of {budget}" in strip.text and f"\nε {left}, δ " in strip.fact.toolTip()
        assert f"Costs ε {spent}," in f"Costs {ready.plan.figures['price'].text()}"
        assert f"; ε {left}, δ " in ready.plan.figures["price"].text()
        assert bar.room.full_text.startswith(f"ε {left}, δ ")
        assert bar.room.full_text.endswith("too little for another draw") is (left < spent)
        assert bar.draw.text() == f"New draw · ε {spent} more" and bar.draw.isEnabled() is (left >= spent)
        assert ("no room for another draw" in bar.draw.toolTip()) is (left < spent)

    def test_the_analysts_figures_are_one_deliberate_step_away(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run_blind(qtbot, ready)
        bar, session = ready.result.look, ready.document.session
        click(qtbot, bar.figures)
        assert "Settle now that this draw is published" in bar.words.text() and not session.release.looked
        click(qtbot, bar.not_now)
        assert not bar.publish.isVisible() and not session.release.looked
        look(qtbot, ready)
        assert session.release.looked and not bar.figures.isVisible()
        assert ready.claim_word() == "Claim holds if you can say:"
        ready.columns.rows["age"].slider.setValue(2)
        ready.status()
        assert ready.claim_word() == "Only for its choices as they are"
        ready.document.undo_stack.undo()
        ready.status()
        assert ready.claim_word() == "Claim holds if you can say:", "this draw keeps it"
        click(qtbot, bar.draw)
        idle(qtbot, ready)
        assert ready.claim_word() == "Only for its choices as they are"

    def test_figures_may_be_taken_without_settling_anything(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run_blind(qtbot, ready)
        click(qtbot, ready.result.look.figures)
        click(qtbot, ready.result.look.show_only)
        idle(qtbot, ready)
        assert ready.claim_word() == "No (ε, δ) claim"
        assert f" of {ROWS:,} rows" in ready.result.claim.text

    def test_no_key_wastes_the_claim(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        ready.document.apply("seed", lambda session: session.release.set_seed(3))
        ready.status()
        assert ready.run_button.text() == "Run without a claim" and ready.foot.settle_first.isVisible()
        assert ready.next_hint() == "See what to put right", "Next leads away from a run without a claim"
        ready.reach(ready.next_field())
        assert ready.window().focusWidget() is ready.foot.mend
        assert (ready.foot.mend.property("primary"), ready.run_button.property("primary")) == ("true", "false")
        click(qtbot, ready.foot.mend)
        assert ready.result.reasons.isVisible() and not ready.document.project.looks
        ready.run()
        idle(qtbot, ready)
        assert ready.document.session.release.result is None and not ready.document.project.looks
        click(qtbot, ready.run_button)
        idle(qtbot, ready)
        assert ready.document.session.release.result is not None and len(ready.document.project.looks) == 1

    def test_a_changed_setting_makes_it_out_of_date(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run_blind(qtbot, ready)
        ready.columns.rows["age"].slider.setValue(2)
        assert ready.status() is Status.WARNING
        assert ready.result.claim.text.startswith("Out of date")
        assert ready.result.look.draw.text() == "Make it again · ε 1 more"
        ready.document.undo_stack.undo()
        assert ready.status() is Status.SUCCESS
        assert ready.result.look.draw.text() == "New draw · ε 1 more"
        ready.columns.rows["age"].slider.setValue(2)
        ready.status()
        click(qtbot, ready.result.look.draw)
        idle(qtbot, ready)
        assert "Out of date" not in ready.result.claim.text
        # Other settings may be tried: what was shown before is paid for.
        assert ready.status() is Status.SUCCESS

    def test_run_turns_into_cancel(
        self, qtbot: QtBot, ready: AnonymiseWorkspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def endless(_session: Session) -> Callable[..., None]:
            def work(progress: Callable[[float], None]) -> None:
                while True:
                    progress(0.5)

            return work

        monkeypatch.setattr(ReleaseDesk, "anonymiser", endless)
        click(qtbot, ready.run_button)
        assert ready.run_button.text() == "Cancel"
        assert "Running" in ready.result.claim.text
        click(qtbot, ready.run_button)
        assert not ready.run_button.isEnabled()
        idle(qtbot, ready)
        assert ready.run_button.text() == "Make the release · ε 1, δ 1e-5"
        assert ready.document.session.release.result is None

    def test_when_nothing_survives_it_says_why(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        treat(ready, "person", ColumnTreatment.AS_IS)
        run(qtbot, ready)
        result = ready.document.session.release.result
        assert result is not None and result.outcome.rows_out == 0
        assert ready.result.table.view.lines.rowCount() == result.sampled.sampled.rows  # all of them dropped
        assert "Nothing was released" in ready.result.claim.text
        assert "all of them count together" in ready.result.claim.toolTip()

    def test_nothing_left_is_no_success_and_said_once(
        self, qtbot: QtBot, ready: AnonymiseWorkspace, errors: list[BaseException]
    ) -> None:
        ready.document.apply("k", lambda s: s.release.set_guarantee(GuaranteeSettings("delta", beta=0.2, k=1900)))
        run(qtbot, ready)
        result = ready.document.session.release.result
        assert result is not None and result.outcome.rows_out == 0 and result.claim.holds
        assert ready.status() is Status.WARNING
        assert not errors

    def test_a_filter_that_fits_no_row_tells_no_more(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        ready.document.apply("rows", lambda s: s.data.set_preparation(Preparation(where="age > 90")))
        idle(qtbot, ready)
        run(qtbot, ready)
        assert "Nothing was released" in ready.result.claim.text
        assert "filter" not in ready.result.claim.text and "larger β" not in ready.result.claim.text

    def test_large_tables_are_assessed_on_another_thread(
        self, qtbot: QtBot, ready: AnonymiseWorkspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run(qtbot, ready)
        monkeypatch.setattr(workspace_module, "is_quick", lambda _session: False)
        ready.columns.rows["age"].slider.setValue(2)
        ready.status()
        assert "Out of date" not in ready.result.claim.text
        with qtbot.waitSignal(ready.status_changed, timeout=PATIENCE_MS):
            idle(qtbot, ready)
        assert "Out of date" in ready.result.claim.text
        assert ready.status() is Status.WARNING

    def test_other_jobs_are_not_taken_for_a_run(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        ready.document.runner.start("other", lambda progress: None, key=f"not {RUN_JOB}")
        assert ready.run_button.text() == "Make the release · ε 1, δ 1e-5"
        idle(qtbot, ready)


class TestResult:
    def test_rows_stand_before_what_became_of_them(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run(qtbot, ready)
        table, shown = ready.result.table, lines(ready)
        result = ready.document.session.release.result
        assert result is not None
        groups = len(result.sampled.class_sizes)  # of Chur there may be nobody in a decade of the sample
        assert table.isVisible() and shown.rowCount() == groups
        assert "10 values → " in text(shown, 0, "age") and ready.result.table.chips["city"].text() == "city: Bern"
        unfold(qtbot, ready, 0)
        assert shown.rowCount() == groups + int(text(shown, 0, "Rows").replace(",", ""))
        decade = text(shown, 0, "age").split(" → ")[1]
        source = ready.document.session.data.table
        for row in range(1, 30):
            before, after = text(shown, row, "age").split(" → ")
            assert after == decade == f"{before[0]}0s"
            number = int(text(shown, row, "Rows").removeprefix("row ").replace(",", "")) - 1
            assert source["age"].text(number) == before
        assert shown.data(shown.index(1, 1), BELOW) and not shown.data(shown.index(0, 1), BELOW)
        unfold(qtbot, ready, 0)
        assert shown.rowCount() == groups

    def test_dropped_rows_are_marked_and_can_be_hidden(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run(qtbot, ready)
        shown = lines(ready)
        result = ready.document.session.release.result
        assert result is not None
        marked = [row for row in range(shown.rowCount()) if shown.is_dropped(row)]
        assert sum(int(text(shown, row, "Rows")) for row in marked) == result.sampled.suppressed
        assert marked == list(range(4, shown.rowCount()))  # what is not released stands last
        italic = shown.data(shown.index(marked[0], 0), Qt.ItemDataRole.FontRole)
        assert italic is not None and italic.italic()
        assert "dropped" in shown.data(shown.index(marked[0], 0), Qt.ItemDataRole.ToolTipRole)
        assert shown.data(shown.index(0, 0), Qt.ItemDataRole.FontRole) is None
        click(qtbot, ready.result.table.with_dropped)
        assert shown.rowCount() == 4

    def test_groups_stand_together_or_rows_as_in_the_file(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run(qtbot, ready)
        shown = lines(ready)
        counts = [int(text(shown, row, "Rows").replace(",", "")) for row in range(4)]
        assert counts == sorted(counts, reverse=True)
        ready.result.table.one_by_one.click()
        result = ready.document.session.release.result
        assert result is not None and shown.rowCount() == result.sampled.sampled.rows
        numbers = [int(text(shown, row, "Rows").removeprefix("row ").replace(",", "")) for row in range(50)]
        assert numbers == sorted(numbers)
        for row in range(50):
            before, after = text(shown, row, "age").split(" → ")
            assert after == f"{before[0]}0s"

    def test_keys_unfold_and_fold(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run_blind(qtbot, ready)
        view = ready.result.table.view
        view.setFocus()
        view.setCurrentIndex(view.lines.index(2, 1))
        qtbot.keyClick(view, Qt.Key.Key_Space)
        below = int(text(view.lines, 2, "Rows").replace(",", ""))
        assert view.lines.rowCount() == 4 + below
        assert text(view.lines, 3 + below, "Rows") != "" and text(view.lines, 3, "Rows") == ""
        view.setCurrentIndex(view.lines.index(2 + below, 1))
        qtbot.keyClick(view, Qt.Key.Key_Return)
        assert view.lines.rowCount() == 4 and view.currentIndex().row() == 2

    def test_a_constant_column_is_a_chip_until_it_is_wanted(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run_blind(qtbot, ready)
        table = ready.result.table
        headings = [heading(table.view.lines, column) for column in range(table.view.lines.columnCount())]
        assert headings == ["Rows", "age"]  # Chur is too rare
        chip = table.chips["city"]
        assert chip.text() == "city: Bern" and chip.isVisible()
        click(qtbot, chip)
        assert text(table.view.lines, 0, "city") == "Bern"

    def test_a_new_result_replaces_the_old_rows(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run(qtbot, ready)
        ready.columns.rows["age"].slider.setValue(2)
        ready.status()
        run(qtbot, ready)
        shown = lines(ready)
        assert {text(shown, row, "age").split(" → ")[-1] for row in range(shown.rowCount())} == {"*"}

    def test_what_comes_from_true_rows_is_marked(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run_blind(qtbot, ready)
        assert ready.lock == ""
        look(qtbot, ready)
        assert ready.lock == "Analyst only"

    def test_why_shows_reasons_with_remedies(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        large = replace(ready.document.project.anonymise.guarantee, delta=0.01)
        ready.document.apply("delta", lambda session: session.release.set_guarantee(large))
        ready.document.apply("looked", lambda session: session.release.columns.set_levels_blind(False))
        ready.status()
        click(qtbot, ready.result.claim.link)
        assert ready.result.reasons.isVisible()
        texts = [found.text() for found in ready.result.reasons.findChildren(type(ready.promise.facts))]
        assert any("chosen by looking at this data" in text for text in texts)
        assert any(text.startswith("What would help") for text in texts)
        assert not any("1/rows is" in text for text in texts), "nobody has looked at the data yet"
        ready.document.session.looks.take("values")
        ready.document.changed.emit("ledger")
        idle(qtbot, ready)
        texts = [found.text() for found in ready.result.reasons.findChildren(type(ready.promise.facts))]
        assert any("1/rows is" in text for text in texts)


def lines(workspace: AnonymiseWorkspace) -> FoldedModel:
    return workspace.result.table.view.lines


def heading(shown: FoldedModel, column: int) -> str:
    return str(shown.headerData(column, Qt.Orientation.Horizontal))


def text(shown: FoldedModel, row: int, name: str) -> str:
    column = next(place for place in range(shown.columnCount()) if heading(shown, place) == name)
    return str(shown.data(shown.index(row, column)))


def unfold(qtbot: QtBot, workspace: AnonymiseWorkspace, row: int) -> None:
    view = workspace.result.table.view
    place = view.visualRect(view.lines.index(row, 0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_an_empty_cell_is_seen_to_be_one_and_copied_as_nothing(
    qtbot: QtBot, anonymising: Anonymising, tmp_path: Path
) -> None:
    path = tmp_path / "blanks.csv"
    path.write_text(
        "person,city\n" + "".join(f"P{i:04},{('Bern', '')[i % 2]}\n" for i in range(ROWS)), encoding="utf-8"
    )

    def prepare(session: Session) -> None:
        session.data.attach_hierarchy("city", Hierarchy.from_rows([("Bern", "*"), ("", "*")]))
        session.release.columns.set_level("city", 0)

    room = anonymising(path, prepare)
    run(qtbot, room)
    shown, view = lines(room), room.result.table.view
    assert {text(shown, row, "city") for row in range(shown.rowCount())} == {"Bern", "(empty)"}
    view.selectAll()
    view.copy_selection()
    copied = [line.split("\t")[1] for line in QApplication.clipboard().text().splitlines()]
    assert sorted(copied) == ["", "Bern"]


class TestCharts:
    def test_the_chosen_point_follows_the_settings(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        qtbot.waitUntil(lambda: ready.result.trade_off.data is not None, timeout=PATIENCE_MS)
        curves = ready.result.trade_off.data.exact
        ready.promise.share.slider.setValue(500)
        ready.status()
        data = ready.result.trade_off.data
        assert data.exact is curves
        assert data.current[0] == settings(ready).beta
        type_number(qtbot, ready, "epsilon", "2")
        qtbot.waitUntil(lambda: ready.result.trade_off.data.epsilon == 2, timeout=PATIENCE_MS)

    def test_a_chart_is_drawn_when_it_is_seen(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run(qtbot, ready)
        assert ready.result.sizes.picture is None
        with qtbot.waitSignal(ready.result.sizes.drawn, timeout=PATIENCE_MS):
            ready.result.tabs.setCurrentWidget(ready.result.sizes)
        picture = ready.result.sizes.picture
        assert picture is not None
        assert picture.size() == ready.result.sizes.size()
        assert "dropped" in ready.result.sizes.accessibleDescription()


class TestSmallWindows:
    def test_one_part_at_a_time_where_two_have_no_room(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        assert ready.promise.isVisible() and ready.result.isVisible()
        ready.resize(540, 600)
        assert ready.width() == 540
        assert ready.promise.isVisible() and not ready.result.isVisible()
        run(qtbot, ready)
        assert ready.result.isVisible() and not ready.promise.isVisible()
        ready.focus_first()
        assert ready.promise.isVisible()
        ready.resize(1016, 700)
        assert ready.promise.isVisible() and ready.result.isVisible()

    def test_nothing_sticks_out_at_the_side(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run(qtbot, ready)
        for width in (540, 760, 1016):
            ready.resize(width, 560)
            QApplication.processEvents()
            inside = ready.promise.parentWidget()
            assert inside is not None and inside.parentWidget() is not None
            assert inside.width() <= inside.parentWidget().width()


class TestReach:
    def test_tab_goes_down_the_page(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        ready.activateWindow()
        ready.focus_first()
        names = []
        for _ in range(24):
            focus = QApplication.focusWidget()
            assert focus is not None
            names.append(focus.accessibleName())
            if focus.accessibleName() == "Step 2, Levels" and ready.steps.current != "levels":
                qtbot.keyClick(focus, Qt.Key.Key_Return)
            qtbot.keyClick(focus, Qt.Key.Key_Tab)
        expected = [
            "ε",
            "Which number is computed",
            "δ",
            "β",
            "How β is chosen",
            "Accounting",
            "Treatment of person",
            "Level of age",
            "Treatment of age",
            "Level of city",
            "Treatment of city",
            "Step 3, Run",
        ]
        assert [name for name in names if name in expected] == expected

    def test_everything_focusable_has_a_name_and_an_explanation(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run(qtbot, ready)
        book = HelpBook()
        for widget in ready.findChildren(QWidget):
            if not widget.focusPolicy() & Qt.FocusPolicy.TabFocus or widget.objectName().startswith("qt_"):
                continue
            if widget.window() is not ready:
                continue  # the list of a combo box
            assert widget.accessibleName(), f"{widget!r} in {widget.parentWidget()!r} has no name"
            key = explain_key(widget)
            assert key == "" or book.find(key) is not None, f"no help for {key}"
