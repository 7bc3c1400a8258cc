"""The error that is good enough, and from which ε on it is, beside the tiles of the Compare workspace."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import (
    add,
    experiment,
    now,
)
from tests.gui.helpers import choose_row, idle
from workbench.evaluate.error_series import ErrorSeries, Point
from workbench.evaluate.experiment import Axis, Basis, Truth
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.question import Question, Statistic
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.ldp.encoding import EncodingChoice


class TestEnough:
    """Which ε is enough, by a limit that is typed or by what sampling adds."""

    def test_who_trusts_nobody_sees_what_is_left_and_which_epsilon_is_enough(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        tiles = declared.view.tiles
        ours, _, local = tiles.cards.values()
        assert (
            ours.best.accessibleName() == "Best, not enough"
            and not ours.instead.isVisible()
            and not ours.short.isVisible()
        )
        assert local.short.isVisible() and local.short.text == "Not enough" and not local.instead.isVisible()
        said = tiles.headline.text()
        assert said.startswith("Global, enough at no ε tried. If a curator is trusted. ")
        # (1 − p(1 − p)) · (100/300)/2 is 0.16 at least, less than a sample of a smooth shape is off by, and more than
        # one of a long tail.
        from_two = "It is not enough on each shape tried even at 2: off by 0.162; on a smooth "
        from_two += "shape from ε = 0.5."
        assert f"{from_two} At ε = 0.5: Local, trusting nobody, not enough." in said
        sample = "Enough on average (less than what sampling adds to the same shape, 0.131 to 1.34): "
        assert tiles.least.text() == f"{sample}Global, Anonymised and Local at no ε tried."
        heights = [one.height() for one in tiles.cards.values()]
        top = declared.view.chart.mapTo(declared, QPoint(0, 0))
        tiles.limit.edit.setText("2")
        idle(qtbot, declared)
        assert tiles.least.text().startswith("Enough on average (less than 2): Global at every ε tried, Anonymised ")
        assert [one.height() for one in tiles.cards.values()] == heights
        assert declared.view.chart.mapTo(declared, QPoint(0, 0)) == top, "what is typed moves nothing"
        assert ours.best.text == "Take if trusted" and local.short.text == "Not enough" and local.short.isVisible()
        tiles.set_place(2.0)
        assert (
            tiles.headline.text().startswith("Global, ε 0.5. ") and ": Global at every ε tried, " in tiles.least.text()
        )
        known = declared.view.look.current
        assert known is not None
        tiles.show_findings(replace(known.findings, unit="years"), 2.0)
        assert "\N{NO-BREAK SPACE}years" in tiles.headline.text(), "no unit stands alone in the next line"
        assert "at most 2.31\N{NO-BREAK SPACE}years (near that of half at either bound)" in tiles.basis.text()

    def test_a_way_that_is_not_enough_here_is_marked_with_the_epsilon_from_which_it_is(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        tiles = declared.view.tiles
        ours, released, local = tiles.cards.values()
        marks = ours.best, released.short, local.short
        assert {one.property("badge") for one in marks} == {Status.WARNING.value}
        tiles.limit.edit.setText("8")  # between what Local errs by at 0.5 and at 2
        tiles.set_place(0.5)
        assert not local.instead.isVisible() and local.short.isVisible()
        assert (
            local.short.accessibleName() == "Enough on average from about ε 0.59"
            and ours.best.accessibleName() == "Take if trusted"
        )
        tiles.set_place(1.0)
        assert local.error.text() == "off by 4.69" and local.instead.isVisible() and not local.short.isVisible()
        tiles.set_place(2.0)
        assert local.instead.isVisible() and not local.short.isVisible() and not released.short.isVisible()
        # 100/300/ε by formula, at most: 0.24 where 0.3 is enough, though nothing was run there.
        tiles.limit.edit.setText("0.3")
        tiles.set_place(1.8)
        assert float(ours.error.text().removeprefix("off by ")) < 0.3
        assert ours.best.accessibleName() == "Take if trusted", "what is read to be small enough has no mark"
        tiles.set_place(0.5)
        assert ours.best.accessibleName() == "Best, enough on average from about ε 1.1" and ours.best.isVisible()
        assert ours.best.property("badge") == Status.WARNING.value and not ours.short.isVisible(), (
            "one mark of one thing"
        )
        tiles.limit.edit.setText("50")
        assert ours.best.property("badge") == Status.SUCCESS.value and local.instead.isVisible()

    def test_a_way_that_is_enough_beside_the_one_to_take_says_so_and_moves_nothing(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        tiles = declared.view.tiles
        ours, _, local = tiles.cards.values()
        tiles.set_place(1.0)

        def places() -> list[object]:
            parts = [part for one in tiles.cards.values() for part in (one, one.error, one.stands, one.button)]
            return [(part.mapTo(declared, QPoint()), part.size()) for part in (*parts, declared.view.chart)]

        tiles.limit.edit.setText("4.5")
        idle(qtbot, declared)
        assert local.error.text() == "off by 4.69" and local.short.isVisible() and local.also.isHidden()
        before = places()
        tiles.limit.edit.setText("8")
        idle(qtbot, declared)
        assert local.also.isVisible() and local.also.accessibleName() == "Also enough"
        assert local.also.property("badge") == ours.best.property("badge") == Status.SUCCESS.value, "the same sign"
        assert "below what is enough" in " ".join(local.also.toolTip().split())
        assert ours.also.isHidden(), "of the way to take its own mark says it"
        assert places() == before
        # What comes beside it is not less seen than without it.
        assert local.instead.isVisible() and local.instead.text == "If nobody is"
        tiles.setEnabled(False)
        assert local.also.isHidden(), "of another question nothing is said"

    def test_what_is_enough_can_be_typed_and_is_kept_with_the_experiment(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        tiles = declared.view.tiles
        assert tiles.limit.edit.placeholderText() == "by sampling", "another number for each shape"
        told = tiles.limit.edit.toolTip().replace("\n", " ")
        assert "to a long tail 0.131, to a smooth shape 0.563, " in told
        # By formula the error is at most 100/300/ε, and at least a half of it.
        tiles.limit.edit.setText("0.3")
        assert tiles.least.text().startswith("Enough on average (less than 0.3): Global from about 1.1, ")
        assert declared.document.project.comparing.documents[0].enough == 0.3
        assert tiles.headline.text().startswith("Global, ε about 1.1. ")
        tiles.limit.edit.setText("0.01")
        assert " It is not enough even at 2: off by 0." in tiles.headline.text()
        assert tiles.least.text() == "Enough on average (less than 0.01): Global, Anonymised and Local at no ε tried."
        declared.draft.change_figure("bands", bands=False)
        idle(qtbot, declared)
        assert tiles.limit.value == 0.01
        declared.draft.change_question("another", lambda one: replace(one, statistic=Statistic.SUM))
        assert declared.document.project.comparing.documents[0].enough is None, "it was about another question"
        declared.document.undo_stack.undo()
        idle(qtbot, declared)
        tiles.limit.edit.setText("")
        assert "what sampling adds to the same shape, 0.131 to 1.34)" in tiles.least.text() and tiles.limit.valid

    def test_errors_may_be_about_all_people_sampled_from_as_in_collect(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        """Who asks a sample loses less by trusting nobody than the errors of those asked say."""
        tiles, chosen = declared.view.tiles, declared.view.basis.form["truth"]
        assert chosen.currentText() == "about those asked" and chosen.count() == 2, "all rows are those asked here"
        before = tiles.cards[Approach.GLOBAL].error.text()
        choose_row(chosen, 1)
        assert chosen.currentText() == "about all people sampled from" and now(declared).truth is Truth.POPULATION
        declared.view.run()
        idle(qtbot, declared)
        alone = tiles.least.text()
        ends = "0.131 on a long tail to 1.34 on evenly spread values, at most 2.31 on any values"
        assert alone == f"Sampling alone is off by {ends} on average, and in every error."
        assert not tiles.limit.edit.placeholderText(), "none is below that"
        ours = tiles.cards[Approach.GLOBAL]
        assert ours.error.text() != before and ours.why.text() == "Errs by: noise, added once, and sampling"
        assert tiles.basis.text().count("ampling") == 1 and "Mean error with sampling error of" in tiles.basis.text()
        tiles.cards[Approach.LOCAL].button.click()
        assert declared.document.project.collect.sampling, "the plan there is about the same people"

    def test_what_is_not_told_apart_is_marked_and_run_more_often_at_a_press(
        self, qtbot: QtBot, unseen: CompareWorkspace
    ) -> None:
        """Equal errors known to ± 20 % each are neither as good nor worse: 20 tries become the 300 that tell."""
        asked = experiment(basis=Basis.UNIFORM, users=200, repetitions=20, places=(1.0,))
        add(qtbot, unseen, asked)
        tiles = unseen.view.tiles
        ways = MethodChoice("best-global"), MethodChoice("best-anonymised"), MethodChoice("best-local")
        series = tuple(
            ErrorSeries(one, one.name, one.method.approach, (Point(one.name, 1.0, mean, mean, mean, 20, 0.02),))
            for one, mean in zip(ways, (0.2, 0.2, 9.0), strict=True)
        )
        tiles.setEnabled(True)
        tiles.show_findings(Findings(asked, series, 200))
        ours, released, local = tiles.cards.values()
        assert "Not told apart" in (released.tied.text, released.tied.accessibleName()) and not released.tied.isHidden()
        assert ours.tied.isHidden() and local.tied.isHidden()
        assert released.times.text() == "not told apart from Global" and "0.75 to 1.4" in released.times.toolTip()
        assert not tiles.more.isHidden() and tiles.more.text() == "Repeat 300 times"
        tiles.more.click()
        assert now(unseen).repetitions == 300 and unseen.view.run_of.running
        unseen.view.run_of.cancel()
        idle(qtbot, unseen)

    def test_what_was_typed_stays_where_it_means_the_same_and_comes_back_with_its_question(
        self, qtbot: QtBot, unseen: CompareWorkspace
    ) -> None:
        add(qtbot, unseen, experiment(basis=Basis.UNIFORM, users=200, axis=Axis.EPSILON))
        draft, project = unseen.draft, unseen.document.session.comparison
        draft.look_at(enough=0.3)

        def kept() -> float | None:
            return project.documents[project.current].enough

        draft.change_question("narrower", lambda one: replace(one, encoding=EncodingChoice(bounds=(0.0, 90.0))))
        draft.change_question("the middle", lambda one: replace(one, statistic=Statistic.QUANTILE))
        assert kept() == 0.3, "it is in the unit of the values as before"
        draft.change_question("all of them", lambda one: replace(one, statistic=Statistic.SUM))
        assert kept() is None, "it is about another number"
        draft.look_at(enough=70.0)
        draft.change_question("back", lambda one: replace(one, statistic=Statistic.MEAN))
        assert kept() == 0.3
        draft.change_question("again", lambda one: replace(one, statistic=Statistic.SUM))
        assert kept() == 70.0

    def test_epsilons_that_were_typed_are_there_where_another_question_has_no_bins(
        self, qtbot: QtBot, unseen: CompareWorkspace
    ) -> None:
        add(qtbot, unseen, experiment(basis=Basis.UNIFORM, users=200, places=(0.3, 4.0)))
        town = Question(Statistic.HISTOGRAM, "town", EncodingChoice(domain=("Bern", "Basel", "Chur")))
        unseen.draft.change_question("a histogram", lambda _one: town)
        unseen.draft.change_axis(Axis.BINS, (5.0, 10.0))
        idle(qtbot, unseen)
        unseen.draft.change_question("a count", lambda one: replace(one, statistic=Statistic.COUNT))
        assert (now(unseen).axis, now(unseen).places) == (Axis.EPSILON, (0.3, 4.0))
        assert now(unseen).users == 200

    def test_what_was_typed_of_an_offered_question_is_there_when_more_is_declared(
        self, qtbot: QtBot, unseen: CompareWorkspace
    ) -> None:
        unseen.draft.offers = True
        assert unseen.draft.index < 0 and unseen.draft.experiment is not None
        unseen.draft.look_at(enough=0.3, place=2.0)
        unseen.document.apply("bounds", lambda session: session.data.set_bounds("age", (0.0, 100.0)))
        current = unseen.draft.current
        assert current is not None and (current.enough, current.place) == (0.3, 2.0)
