"""Making a release: what runs, what is looked at, and what is said of its claim."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.gui.anonymise.helpers import ROWS, look, run, run_blind, text, treat
from tests.gui.anonymise_steps import seen
from tests.gui.helpers import PATIENCE_MS, click, idle
from workbench.core.working_table import Preparation
from workbench.gui.budget import BudgetStrip
from workbench.gui.document import RUN_JOB
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise import workspace as workspace_module
from workbench.gui.workspaces.anonymise.column_row import ColumnTreatment
from workbench.gui.workspaces.anonymise.folded_model import BEFORE
from workbench.project.model import GuaranteeSettings
from workbench.session import Session
from workbench.session.release.desk import ReleaseDesk

pytestmark = pytest.mark.usefixtures("sampling")


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
        assert ready.claim_word() == "To sign at Release:"

    def test_equal_settings_show_the_draw_that_exists(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run_blind(qtbot, ready)
        first, session = ready.document.session.release.result, ready.document.session
        run_blind(qtbot, ready)
        assert session.release.result is first and session.ledger.current.spent().epsilon == 1
        click(qtbot, ready.result.look.draw)
        idle(qtbot, ready)
        assert session.release.result is not first and session.ledger.current.spent().epsilon == 2
        assert ready.claim_word() == "To sign at Release:"
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
        assert ready.claim_word() == "To sign at Release:"
        ready.columns.rows["age"].slider.setValue(2)
        ready.status()
        assert ready.claim_word() == "Only for its choices as they are"
        ready.document.undo_stack.undo()
        ready.status()
        assert ready.claim_word() == "To sign at Release:", "this draw keeps it"
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
