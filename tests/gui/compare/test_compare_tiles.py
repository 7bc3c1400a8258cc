"""The tiles of the Compare workspace: which way to take, and what follows from it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import (
    ASSUMED,
    PATIENCE_MS,
    Takes,
    add,
    experiment,
    now,
    run,
)
from tests.gui.helpers import idle
from workbench.core.schema import PrivacyUnit
from workbench.core.working_table import Preparation
from workbench.evaluate.experiment import Basis
from workbench.evaluate.method import Approach
from workbench.evaluate.question import Question, Statistic
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.ldp.encoding import EncodingChoice


class TestTiles:
    """Which way to take, on a public shape: no look, and one click to follow it."""

    def test_one_click_gives_the_tiles_and_no_look(self, declared: CompareWorkspace) -> None:
        tiles, desk = declared.view.tiles, declared.document.session.comparison
        assert declared.status() is Status.SUCCESS and not desk.looked and declared.lock == ""
        assert tiles.shown is not None and tiles.shown.recommended is Approach.GLOBAL
        assert tiles.cards[Approach.GLOBAL].best.isVisible() and not tiles.cards[Approach.LOCAL].best.isVisible()
        titles = [card.findChild(QLabel).toolTip() for card in tiles.cards.values()]
        assert [one.partition(",")[0] for one in titles[:2]] == ["A curator"] * 2 and titles[2].startswith("People add")
        stands = tiles.cards[Approach.LOCAL].times.text()
        assert stands == "15 times as much at the same ε. At equal privacy: not run."
        tiles.set_place(2.0)
        stands = tiles.cards[Approach.LOCAL].times.text()
        assert re.fullmatch(r"about [0-9.]+ times at equal privacy \(interpolated\), [0-9.]+ at the same ε.*", stands)
        tiles.set_place(0.5)
        tiles.details.click()
        assert [card.why.text() for card in tiles.cards.values() if card.why.isVisible()] == [
            "Errs by: noise, added once: range ÷ ε ÷ people = 0.667 with the mean at a bound, 0.5 in the middle",
            "Errs by: rows or detail lost, mostly how wide its classes are",
            "Errs by: noise, added by everybody",
        ]
        assert declared.view.chart.state.text == "300 people, 1 row each, 10 repetitions."
        said = declared.view.chart.words.text()
        assert said.startswith("Error of the mean of age") and "n = 300" in said
        assert tiles.cards[Approach.GLOBAL].error.text().startswith("off by ")
        shapes = "worst of smooth, spiky, long-tailed and evenly spread"
        # The most that 300 values between the bounds can be off by on average, rounded up.
        sampling = "To any values sampling adds at most 2.31 (near that of half at either bound)"
        mean = f"Mean error of 10 tries (Global and Local: by formula) · 300 people · {shapes}. {sampling}"
        assert tiles.basis.text().startswith(f"{ASSUMED}{mean}. Global adds noise once, to hide one person; ")
        assert declared.view.question.said.text().startswith("Values outside count as the bound.")
        assert "Values outside 0 to 100 count as the nearest bound, in the true answer too" in said
        assert tiles.cards[Approach.ANONYMISED].leaves.text() == "Leaves: a table of age alone"
        hides = [one.hides.text().replace("\u00a0", " ") for one in tiles.cards.values()]
        there = "whether a row is there"
        assert hides == [f"ε hides {there}", f"ε with δ = 1e-5 hides {there}", "ε hides which answer was given"]
        tiles.details.click()
        assert not any(card.hides.isVisible() for card in tiles.cards.values())
        current = declared.view.look.current
        assert current is not None
        asked = replace(current.findings.experiment, question=Question(Statistic.HISTOGRAM, "town"), public_total=True)
        tiles.show_findings(replace(current.findings, experiment=asked))
        told = [card.hidden.text().replace("\u00a0", " ") for card in tiles.cards.values() if card.hidden.isVisible()]
        answer = "Hides an answer: ε"
        assert told == [f"{answer} 1", f"{answer} 1, δ 2e-5", f"{answer} 0.5"], "all in one reading"
        tiles.details.click()
        told = [card.hides.text().replace("\u00a0", " ") for card in tiles.cards.values() if card.hides.isVisible()]
        answer = "hides which answer was given"
        assert told == [f"2 ε {answer}", f"2 ε with 2 δ (δ = 1e-5) {answer}", f"ε {answer}"]

    def test_tab_goes_along_what_is_seen(self, qtbot: QtBot, declared: CompareWorkspace) -> None:
        declared.resize(1100, 760)
        idle(qtbot, declared)
        view = declared.view
        parts = (view.tabs, view.tiles, view.chart)
        places = list[tuple[int, int]]()
        here: QWidget = view.command
        while here is not view.chart.chart:
            here = here.nextInFocusChain()
            mine = [place for place, part in enumerate(parts) if part.isAncestorOf(here)]
            if mine and here.isVisible() and here.focusPolicy() & Qt.FocusPolicy.TabFocus:
                places.append((mine[0], here.mapTo(declared, here.rect().center()).x()))
        assert [one for one, _ in places] == sorted(one for one, _ in places), "the line, the tiles, and then the chart"
        line = [x for one, x in places if one == 0]
        assert len(line) == 6 and line == sorted(line), "tabs and buttons from left to right"
        assert {one for one, _ in places} == {0, 1, 2}

    def test_typed_bounds_are_said_to_be_in_no_error_beside_the_advice(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        view, tiles = declared.view, declared.view.tiles
        said = "Not in these errors: what limiting values to 0–50 shifts (about 13 at most on these shapes)."
        assert not tiles.shifts.isVisible(), "bounds that are declared are those of all values"
        assert (
            view.question.said.text() == "Values outside count as the bound. What that shifts is not in these errors."
        )
        narrow = EncodingChoice(bounds=(0.0, 50.0))
        declared.draft.change_question("narrower", lambda one: replace(one, encoding=narrow))
        idle(qtbot, declared)
        assert tiles.shifts.isVisible() and tiles.shifts.text() == said
        gap = tiles.shifts.mapTo(tiles, QPoint()).y() - tiles.cards[Approach.GLOBAL].geometry().bottom()
        assert 0 < gap < 20, "it stands beside the numbers"
        assert tiles.shift_mark.isVisible() and tiles.shift_mark.width() > 0, "not by its colour alone"
        assert view.question.said.text() == "Values outside count as the bound.", "said once"
        shown = view.chart.words.text().partition("\nNot in a saved picture")[0]
        assert "Errors leave out limiting (at most about 13)." in shown and said in view.chart.words.text()
        tiles.setEnabled(False)
        assert tiles.shifts.text() == "" and not tiles.shift_mark.isVisible()

    def test_bounds_that_are_all_that_is_said_to_be_possible_are_no_warning(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        tiles, draft = declared.view.tiles, declared.draft
        assert draft.experiment is not None
        name = draft.experiment.question.column
        narrow = EncodingChoice(bounds=(0.0, 50.0))
        declared.document.apply("unsay", lambda session: session.data.set_bounds(name, None))
        draft.change_question("typed", lambda one: replace(one, encoding=narrow))
        idle(qtbot, declared)
        assert tiles.shifts.text() == "Not in these errors: what limiting values to 0–50 shifts."
        assert not tiles.shift_mark.isVisible() and tiles.shifts.property("tone") != "warning"

    @pytest.mark.parametrize("bounds", [(0.0, 100.0), (-5.0, 200.0)], ids=["as declared", "wider"])
    def test_typed_bounds_that_hold_all_declared_values_limit_nothing_and_warn_of_nothing(
        self, qtbot: QtBot, declared: CompareWorkspace, bounds: tuple[float, float]
    ) -> None:
        tiles = declared.view.tiles
        name = declared.draft.experiment.question.column
        spec = declared.document.session.project.schema[name]
        assert spec.declared().bounds == (0.0, 100.0)
        encoding = EncodingChoice(bounds=bounds)
        declared.draft.change_question("typed", lambda one: replace(one, encoding=encoding))
        idle(qtbot, declared)
        assert not tiles.shifts.isVisible() and not tiles.shift_mark.isVisible()
        assert "Not in these errors" not in declared.view.chart.words.text()

    def test_whom_the_errors_are_about_is_said_until_data_says_it(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        def say(rows: int) -> str:
            unit = PrivacyUnit(rows_per_person=rows)
            declared.document.apply("who", lambda session: session.data.set_unit(unit))
            idle(qtbot, declared)
            return declared.document.session.comparison.whom

        assert declared.view.tiles.basis.text().startswith(ASSUMED)
        assert say(1) == "" and declared.view.tiles.basis.text().startswith("Mean error of ")
        assert say(5).startswith("ε is that of a person with up to 5 rows, and of a row it is ε/5. ")

    def test_another_table_that_is_asked_for_here_is_asked_about_at_once(
        self, qtbot: QtBot, unseen: CompareWorkspace, tmp_path: Path
    ) -> None:
        first = unseen.draft.experiment
        (tmp_path / "pay.csv").write_text("pay\n" + "\n".join(map(str, range(100, 400))) + "\n", encoding="utf-8")
        unseen.view.question.of_table.click()  # whose window asks for a file, and opens it
        unseen.document.new()
        unseen.document.open_data(tmp_path / "pay.csv")
        idle(qtbot, unseen)
        asked = unseen.draft.experiment
        assert unseen.pages.currentWidget() is unseen.view and asked is not None and asked != first
        assert asked.question.column == "pay" and unseen.view.begins, "it runs as soon as nothing is lacking"

    def test_rows_are_not_taken_for_people_where_a_column_is_called_after_persons(
        self, qtbot: QtBot, unseen: CompareWorkspace, tmp_path: Path
    ) -> None:
        lines = "".join(f"p{i % 120:03},{20 + i % 60}\n" for i in range(500))
        (tmp_path / "visits.csv").write_text(f"patient,age\n{lines}", encoding="utf-8")
        unseen.document.open_data(tmp_path / "visits.csv")
        idle(qtbot, unseen)
        unseen.document.apply("bounds", lambda one: one.data.set_bounds("age", (0.0, 100.0)))
        add(qtbot, unseen, experiment(basis=Basis.UNIFORM, users=300))
        basis, asked = unseen.view.basis, []
        unseen.reach_requested.connect(lambda *where: asked.append(where))
        assert basis.whose.text() == "“patient” names persons: say if each row is another one."
        assert basis.whose.property("tone") == "warning" and basis.who.isVisibleTo(basis)
        basis.who.click()
        assert asked == [("data", "person")]
        basis.own_rows.click()
        basis.look.known.click()
        idle(qtbot, unseen)
        assert now(unseen).users == 500
        unit = PrivacyUnit(1, person_column="patient")
        unseen.document.apply("who", lambda session: session.data.set_unit(unit))
        unseen.document.apply("limit", lambda session: session.data.set_preparation(Preparation(limit_rows=True)))
        idle(qtbot, unseen)
        assert not basis.who.isVisibleTo(basis) and "count them anew" in basis.whose.text()
        assert unseen.document.session.comparison.whom.startswith("One row of each person takes part, by chance")
        basis.own_rows.click()
        if not basis.look.isHidden():
            basis.look.known.click()
        idle(qtbot, unseen)
        assert now(unseen).users == 120 and not basis.whose.text()
        run(qtbot, unseen)
        tiles = unseen.view.tiles
        shifts, least = tiles.shifts, tiles.least
        assert shifts.text() == (
            "Not in these errors: the draw of one row of each person, which moves that mean by at most 3.65 on average."
        ), "bounds that are those declared limit nothing"
        assert shifts.isVisible() and tiles.shift_mark.isVisible() and shifts.property("tone") == "warning"
        assert not tiles.drawn.isVisible(), "said once"
        gap = shifts.mapTo(tiles, QPoint()).y() - tiles.cards[Approach.GLOBAL].geometry().bottom()
        assert 0 < gap < 20, "it stands beside the numbers"
        tiles.set_low(True)
        assert shifts.isVisible() and not least.isVisible(), "no error has it in it"

    def test_in_a_low_window_the_whole_chart_is_seen_with_the_tiles(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        chart = declared.view.chart.chart

        def ends() -> int:
            """How far above the lower edge of what is seen the chart ends."""
            viewport = chart.parentWidget()
            while not isinstance(viewport, QScrollArea):
                viewport = viewport.parentWidget()
            inside = viewport.viewport()
            return inside.height() - chart.mapTo(inside, QPoint(0, chart.height())).y()

        for width, height in ((816, 600), (1016, 660)):
            declared.resize(width, height)
            declared.view.parts.show_part(1)
            idle(qtbot, declared)
            qtbot.waitUntil(lambda: 0 < ends() < 200, timeout=PATIENCE_MS)
            assert chart.height() >= 144

    def test_the_answer_to_another_question_is_seen_from_its_beginning(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        declared.resize(816, 460)
        declared.view.parts.show_part(1)
        declared.view.tiles.details.click()  # with all that is said of the ways there is more than has room
        (area,) = (one for one in declared.findChildren(QScrollArea) if one.accessibleName() == "What was found")
        bar = area.verticalScrollBar()
        qtbot.waitUntil(lambda: bar.maximum() > 0, timeout=PATIENCE_MS)
        bar.setValue(bar.maximum())
        declared.draft.change("people", users=500)
        declared.view.run()
        qtbot.waitUntil(lambda: bar.value() == 0, timeout=PATIENCE_MS)
        idle(qtbot, declared)
        bar.setValue(bar.maximum())
        declared.view.tiles.set_place(2.0)
        idle(qtbot, declared)
        assert bar.value() > 0, "within one answer nobody is moved"

    def test_nothing_is_recommended_for_a_question_that_was_changed(
        self, qtbot: QtBot, declared: CompareWorkspace, takes: Takes
    ) -> None:
        takes(60.0, 60.0)  # longer than what begins by itself
        tiles, old = declared.view.tiles, now(declared)
        declared.draft.change("people", users=500)
        idle(qtbot, declared)
        assert not tiles.isEnabled() and not tiles.cards[Approach.GLOBAL].best.isVisible()
        declared.draft.change("people", users=old.users)
        idle(qtbot, declared)
        assert tiles.isEnabled() and tiles.cards[Approach.GLOBAL].best.isVisible()

    def test_what_is_out_of_date_leads_nowhere(self, qtbot: QtBot, declared: CompareWorkspace) -> None:
        view = declared.view
        button = view.tiles.cards[Approach.GLOBAL].button
        there = view.look.found
        assert button.isEnabled() and there is not None
        nothing = replace(there.findings, missing=len(there.findings.keys))
        view.look.found = replace(there, findings=nothing)  # as after another hierarchy
        view.show_run()
        assert not button.isEnabled()

    def test_nothing_moves_while_errors_come_in(self, qtbot: QtBot, declared: CompareWorkspace) -> None:
        """Whoever reads a tile or a chart while it runs does not lose it for a line that comes."""
        declared.resize(1016, 700)
        idle(qtbot, declared)
        view = declared.view
        tiles, found = view.tiles, view.chart.shown
        assert found is not None and found.complete
        none = replace(found, complete=False, series=tuple(replace(one, points=()) for one in found.series))
        one = replace(none, series=(found.series[0], *none.series[1:]))
        seen = []
        tiles.show_findings(None)
        for findings in (none, one, found):
            tiles.show_findings(findings)
            QApplication.processEvents()
            seen.append(([card.height() for card in tiles.cards.values()], view.chart.y(), tiles.height()))
        assert seen[0] == seen[1] == seen[2]
        told = tiles.cards[Approach.LOCAL].accessibleDescription()
        assert "\u00a0" not in told.split(", ") and "15 times as much at the same ε. At equal privacy: " in told

    def test_a_tile_and_the_caption_name_the_shape_and_the_bounds(self, declared: CompareWorkspace) -> None:
        tiles, words = declared.view.tiles, declared.view.chart.words.text()
        shown = [one.error.toolTip().removesuffix(".").partition(" % of range, ") for one in tiles.cards.values()]
        assert all(float(share) < 20 for share, _, _ in shown), "how bad the error is"
        # Which shape is the worst is said where tries show it.
        assert all("worst on " in shape or shape == "no shape clearly the worst" for _, _, shape in shown)
        assert "Each way’s worst of smooth, spiky, long-tailed and evenly spread" in words
        advice = " Take Global if a curator is trusted: the smallest error. If nobody is, Local is not enough here. "
        assert (
            f"{advice}Global is not enough at any ε tried (less than what sampling adds to the same shape, 0.131 to "
            "1.34)."
            in words
            and "At ε = 0.5 Global errs by " in words
        )
        low, high = declared.document.project.schema["age"].declared().bounds or (0.0, 0.0)
        assert f"mean of age (people.csv, unread), limited to {low:g}–{high:g}" in words
        assert "equal shares shape" not in words
