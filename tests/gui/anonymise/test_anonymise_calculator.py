"""The numbers of the promise: what is typed, and what follows from it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.anonymise.helpers import settings, type_number
from tests.gui.helpers import PATIENCE_MS, idle
from workbench.anonymise.sample_guarantee import Accounting
from workbench.core.schema import PrivacyUnit
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace

pytestmark = pytest.mark.usefixtures("sampling")


def shown(workspace: AnonymiseWorkspace, name: str) -> float | None:
    return workspace.promise.fields[name].value


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
