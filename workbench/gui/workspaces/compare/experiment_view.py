"""One experiment: question, methods and range on the left; the chart and its numbers on the right."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.core.errors import WorkbenchError
from workbench.evaluate.experiment import Basis, Experiment
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.method_list import added
from workbench.evaluate.tile import FAMILIES, Remedy, Tile
from workbench.gui.document import Document
from workbench.gui.look_question import LookQuestion
from workbench.gui.widgets import boxes
from workbench.gui.widgets.problems import problem_in
from workbench.gui.widgets.side_by_side import SideBySide
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.compare.draft import ExperimentDraft
from workbench.gui.workspaces.compare.experiment_foot import ExperimentFoot
from workbench.gui.workspaces.compare.experiment_run import Run
from workbench.gui.workspaces.compare.experiment_settings import SETTINGS_WIDTH, ExperimentSettings
from workbench.gui.workspaces.compare.forecast import ExperimentForecast
from workbench.gui.workspaces.compare.found_state import coming_state, cost_words, problem_words, state_of, status_of
from workbench.gui.workspaces.compare.found_view import FoundView
from workbench.gui.workspaces.compare.renewal import Renewal
from workbench.gui.workspaces.compare.shown_answer import ShownAnswer

_SETTINGS_PART, _RESULT_PART = 0, 1
_OF_THE_GRID = ("places", "axis", "repetitions", "seed", "epsilon")
_TRIED_FOLD, _GRID_FOLD, _FIGURE_FOLD = 0, 2, 3


class ExperimentView(QWidget):
    """Shows and edits the experiment that is looked at, and runs it.

    Signals
    -------
    data_requested()
        The person wants to declare what is public in the Data workspace.
    hierarchy_requested()
        The person wants to build a hierarchy.
    followed(object, float)
        The person wants the setting of this `Tile`, at this place of the axis, where it is carried out.
    command_requested()
        The person wants the command that runs the same.
    status_changed()
        What `status` says changed.
    """

    data_requested = Signal()
    hierarchy_requested = Signal()
    followed = Signal(object, float)
    command_requested = Signal()
    status_changed = Signal()

    def __init__(self, document: Document, draft: ExperimentDraft, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._draft = draft
        self._problem: WorkbenchError | None = None
        self._refused = ""
        """Why the last edit was impossible."""
        self._shown_of = ("", -1)
        self._news: Experiment | None = None
        self._answer = ""
        self._fingerprint = ""
        self.begins = False
        """Whether an answer of a public shape is looked for as soon as nothing is lacking."""
        self._arrives = False
        """Whether somebody has just come."""
        self.run_of = Run(document, draft, self)
        self.look = ExperimentForecast(document, draft, self)
        self.renewal = Renewal(draft, self.look, self)
        self.found = FoundView(document, draft)
        self.tiles, self.chart, self.numbers = self.found.tiles, self.found.chart, self.found.numbers
        self.tabs = self.found.tabs
        self.answer = ShownAnswer(draft, self.found)
        self.first_look = LookQuestion(document, "run")
        self.foot = ExperimentFoot(self.run_of, self.first_look, self.tabs.bar)
        self.button, self.pause, self.cancel = self.foot.button, self.foot.pause, self.foot.cancel
        self.cost, self.command = self.foot.cost, self.foot.command
        self.settings = settings = ExperimentSettings(draft, self.chart.panel, self.foot)
        self.question, self.basis, self.methods = settings.question, settings.basis, settings.methods
        self.grid, self.experiments, self.folds = settings.grid, settings.experiments, settings.folds
        self._typing = settings.typing
        self._lay_out()
        self._connect()
        self.show_run()

    def _lay_out(self) -> None:
        self.parts = SideBySide(
            "compare",
            ((self.settings, "Experiment"), (self.found, "What was found")),
            (SETTINGS_WIDTH, 2 * SETTINGS_WIDTH),
        )
        boxes.column(self.parts, inside=self)

    def _connect(self) -> None:
        self._draft.refused.connect(self._edit_refused)
        self._draft.accepted.connect(self._edit_accepted)
        self.button.clicked.connect(self._press)
        self.command.clicked.connect(self.command_requested)
        self.chart.state.run_requested.connect(self.run)
        self.chart.adjust.clicked.connect(self._show_figure)
        self.basis.asked.connect(partial(self.settings.column.bring_up, self.basis))
        for field in (self.basis.form["users"], self.question.most):
            field.validity_changed.connect(lambda _valid: self.show_run())
            field.validity_changed.connect(lambda _valid: self.status_changed.emit())
        self.question.data_requested.connect(self.data_requested)
        self.experiments.deleted.connect(self._tell_deleted)
        self.tiles.followed.connect(self.followed)
        self.tiles.mended.connect(self._mend)
        self.tiles.moved.connect(lambda _place: self._say_farther())
        self.tiles.chosen.connect(lambda one: self._draft.look_at(place=one))
        self.tiles.limited.connect(lambda one: self._draft.look_at(enough=one))
        self.tiles.more_wanted.connect(self._repeat)
        self.tiles.answered.connect(self._note_answer)
        self.found.told_anew.connect(self._say_state)
        self.first_look.agreed.connect(self.run)
        self.first_look.closed.connect(self.show_run)
        self.look.seen.connect(self._show_seen)
        self.look.failed.connect(self._show_problem)
        self.look.estimated.connect(self.show_run)
        self.renewal.wanted.connect(self._renew)
        self._typing.rested.connect(self._typed)
        self.run_of.changed.connect(self.show_run)
        self.run_of.arrived.connect(self._show_partial)
        for take in (self._draft.take_in, self.look.take_in, lambda found: self._announce(found, "ready")):
            self.run_of.done.connect(take)
        self.run_of.failed.connect(self._show_problem)
        self.run_of.ended.connect(self._run_ended)

    # Keeping up

    def refresh(self) -> None:
        """Show the experiment as it stands now; what takes time is looked for off the GUI thread."""
        fingerprint = self._document.session.data.fingerprint if self._document.has_data else ""
        if fingerprint != self._fingerprint:
            self._fingerprint = fingerprint
            if self._draft.typed and self.answer.holds:
                self._shown_of = fingerprint, self._draft.index
            else:
                self._forget()
        self.first_look.follow()
        current = self._draft.current
        if current is None or not self._draft.can_ask:
            self.show_run()
            return
        self.experiments.refresh()
        self.question.refresh(current.experiment)
        self.basis.refresh(current.experiment)
        tried = Basis.TAIL if current.experiment.narrowed else current.experiment.basis
        self.folds[_TRIED_FOLD].set_title(f"Tried on: {tried.words.lower()}")
        self._show_methods()
        self.grid.refresh(current.experiment)
        self.chart.panel.refresh(current.figure)
        self._problem = self.question.problem
        if self.run_of.experiment != current.experiment:  # then nobody waits for what was not asked for
            self.leave(begins=self.begins or (self.run_of.runs_unasked and not self.run_of.glances))
            self.run_of.follow()
        self.renewal.follow()
        if self._problem is None and not self.question.lacks_column:
            self.look.soon()
        self.show_run()

    def _forget(self) -> None:
        """Other data: nothing that was found speaks of it."""
        self.run_of.cancel()
        self.look.forget()
        self._shown_of = ("", -1)
        was_shown = self.chart.shown is not None or self.chart.of_other_table
        self.found.clear()
        self.chart.of_other_table = was_shown

    def _show_methods(self) -> None:
        experiment, seen = self._draft.experiment, self.look.current
        if experiment is not None:
            refused, problems = (seen.refused, seen.problems) if seen is not None else ({}, {})
            self.methods.refresh(experiment, refused, problems)

    def _show_problem(self, error: WorkbenchError) -> None:
        self._problem = error
        self.question.show_problem(error)
        self.show_run()

    # What was found

    def _show_seen(self) -> None:
        """Draw what is known; where nothing is, what was drawn before stays and is called out of date."""
        seen = self.look.current
        if seen is None:
            return
        self._problem = None
        self._show_methods()
        here = self._fingerprint, self._draft.index
        runs = self.run_of.running and self.run_of.experiment == self._draft.experiment
        if seen.known and not runs and (self._shown_of != here or self.answer.gives_way_to(seen.findings)):
            self.answer.draw(seen.findings)
            self._shown_of = here
            if self.run_of.unasked != seen.findings.experiment or seen.findings.complete:
                self._draft.take_in(seen.findings)
        elif self._shown_of != here and not runs:
            self.found.clear()
            self._shown_of = here
        elif self.chart.shown is not None:
            self.found.draw(self.chart.shown)
        experiment = seen.findings.experiment
        if self.begins and seen.findings.complete and self._arrives:
            self.parts.show_part(_RESULT_PART)  # what was saved answers whoever comes
        self._arrives = False
        if self.begins and self._public and self._untried and not self.run_of.running and self.can_run:
            self._begin(experiment)
        elif not self.run_of.running and self.look.estimate is None:
            self.look.estimate_rest()
        self.show_run()
        self.status_changed.emit()

    def _announce(self, findings: Findings, words: str) -> None:
        self._news = findings.experiment
        shown = self.chart.shown
        answer = self._answer if shown is not None and shown.experiment == findings.experiment else ""
        self.parts.announce(_RESULT_PART, answer or words)

    def _note_answer(self, words: str) -> None:
        """Let who still types, in a window too small for both, read on the tab which way to take."""
        self._answer = f"{words[:1].lower()}{words[1:]}" if words.startswith("So far") else words
        if words and self._news == self._draft.experiment:
            self.parts.announce(_RESULT_PART, self._answer)

    def _show_partial(self, findings: Findings) -> None:
        """Draw what has come so far, unless something else is looked at by now."""
        drawn, shown = any(series.drawn for series in findings.series), self.chart.shown
        if shown is not None and shown.experiment == findings.experiment and shown.points == findings.points:
            return  # tries that nobody sees: drawn anew, they would take their time from the run
        if not self.run_of.runs_unasked:
            self._draft.take_in(findings)  # whoever saves now, or cancels, keeps what is there
        if findings.experiment == self._draft.experiment and drawn and self.answer.gives_way_to(findings):
            self._shown_of = self._fingerprint, self._draft.index
            self.answer.draw(findings, soon=True)
            self._announce(findings, "first results")  # nobody is taken out of a field to see them

    # Running

    def _begin(self, experiment: Experiment) -> None:
        """Run it unasked, but nothing that is still being typed, and without taking anybody out of a field."""
        if not self._typing.waits():
            # Whoever has just changed something is about to change more: what was found waits to be looked at.
            self.run(stays=self._typing.field is not None or self.renewal.changed)
            self.run_of.unasked = experiment

    @property
    def _untried(self) -> bool:
        """Whether nothing is known to be there of what was asked for."""
        seen = self.look.current
        if seen is None or not seen.known:
            return True
        return self.run_of.unasked == seen.findings.experiment and not seen.findings.complete

    @property
    def comes(self) -> bool:
        """Whether it runs by itself in a moment, and waits for somebody to pause alone."""
        run = self.run_of
        if (run.running and not run.gives_way) or run.wanted or not self._public or self._reason_not_to_run():
            return False
        answered = self.chart.shown is not None and self.isVisible()
        return self._untried if self.begins else answered and self.renewal.awaited

    def _renew(self, experiment: Experiment, glances: bool) -> None:
        """After a change run what is short, if there was an answer that it takes the place of; nobody is led there."""
        answered = self.chart.shown is not None and self.isVisible()
        if not answered or self.begins or self.run_of.running or not self.can_run or self._typing.waits():
            return
        if self._start(experiment):
            self.run_of.unasked, self.run_of.glances = experiment, glances
            self.show_run()

    def _typed(self) -> None:
        if self.isVisible():
            self._show_seen()
            self.renewal.tell()

    def run(self, *, stays: bool = False) -> None:
        """Run what is missing of the experiment as it stands, and show it, unless somebody `stays` in the settings."""
        experiment = self._draft.experiment
        if experiment is None or self._reason_not_to_run():
            return
        if self.needs_look:
            self.parts.show_part(_SETTINGS_PART)
            self.first_look.ask()
            self.show_run()
            return
        if self._start(experiment):
            if not stays:
                self.parts.show_part(_RESULT_PART)
            self.tabs.show_page(self.chart)

    def _start(self, experiment: Experiment) -> bool:
        self.look.stop_estimating()
        self.begins = False
        self.renewal.forget()
        started = self.run_of.start(experiment)
        if started:
            self.run_of.repeats = self._draft.repeated
            self.status_changed.emit()
        return started

    def arrive(self) -> None:
        """Somebody comes: what is there is shown, or looked for as soon as nothing is lacking."""
        self.begins, self._arrives = self._draft.can_ask, True
        self.renewal.forget()

    def leave(self, *, begins: bool = False) -> None:
        """Go on with nothing that nobody asked for."""
        self.run_of.leave()
        self.begins = begins

    def _press(self) -> None:
        """Run it, or let what has begun by itself be what was asked for."""
        if self.run_of.gives_way:
            self.run_of.make_way()
        elif self.run_of.running:
            self.run_of.take()
        else:
            self.run()

    def _run_ended(self) -> None:
        if self.run_of.wanted and self.can_run:
            self.run()
            return
        self.run_of.wanted = False
        self.look.forget_part()  # also after a cancelled run, what was finished is there
        self.show_run()
        self.look.now()

    @property
    def mistyped(self) -> str:
        """What is wrong with a field that the experiment is made of; "" if nothing is."""
        return problem_in(self.settings.column, (self.question, self.basis, self.methods, self.grid))

    def _reason_not_to_run(self) -> str:
        experiment = self._draft.experiment
        if experiment is None:
            return "There is no experiment."
        if self.question.lacks_column:
            return "No column is chosen."
        return self.mistyped or problem_words(self._problem, public=self._public)

    @property
    def _public(self) -> bool:
        return (experiment := self._draft.experiment) is not None and experiment.basis.public

    @property
    def status(self) -> Status | None:
        """Whether all of it is there; None while nothing is."""
        experiment, unasked = self._draft.experiment, self.run_of.unasked
        wrong, runs = bool(self.mistyped), self.run_of.running and self.run_of.experiment == experiment
        return status_of(self.look.current, self.chart.shown, experiment, unasked, wrong=wrong, runs=runs)

    @property
    def needs_look(self) -> bool:
        """Whether a look at the data has to be recorded before it can be run."""
        return not self._draft.may_run

    @property
    def can_run(self) -> bool:
        """Whether the experiment can be run as it stands."""
        return not self._reason_not_to_run()

    def show_run(self) -> None:
        """Bring buttons and words up to date."""
        running = self.run_of.running
        exact = self.answer.exact and (running or not self.look.outdated)
        current = self._draft.can_ask and (exact or self.answer.other_tries > 0)
        self.found.set_current(current)
        self.tiles.set_wanted(self._draft.repetitions)
        self._say_farther()
        if not current and (self._news != self._draft.experiment or not self._draft.can_ask):  # else not drawn yet
            self.parts.announce(_RESULT_PART, "")
        complete, asks = self.status is Status.SUCCESS, self._document.has_data and self.needs_look
        self.foot.show_state(self._say_state(), asks=asks, complete=complete, comes=self.comes)

    def _say_farther(self) -> None:
        """Say beside the number below which most values lie what becomes of Global if they reach twice as far."""
        told = self.found.told
        current = told is not None and told is self.chart.shown and self.tiles.isEnabled()
        self.question.below.show_verdict(self.tiles.shown if current else None)

    def _say_state(self) -> str:
        """Say what is there, and what keeps from running the rest, which is what this gives."""
        running, told = self.run_of.running, self.found.told
        reason = "" if running and not self.run_of.gives_way else self._reason_not_to_run()
        words = self._refused or reason or cost_words(self._draft.experiment, self.look, told, running=running)
        self.foot.say(words, "error" if self._refused else "warning" if reason else "none")
        self._show_state(can_run=not reason)
        return reason

    def _show_state(self, *, can_run: bool) -> None:
        state, tries, shown = self.chart.state, self.answer.other_tries, self.chart.shown is not None
        self.chart.show_basis(public=self._public, runs=self.run_of.running, lacks=not can_run)
        if self.comes:
            coming = coming_state(shown=shown and not tries)
            state.show_state(coming.status, coming.words)
        elif self.run_of.running:
            state.show_state(Status.INFO, self.run_of.words(self.found.told, tries))
        elif not self._draft.can_ask or self.needs_look:
            state.show_state(Status.NEUTRAL, "Not run yet. It asks first, as it looks at the true values.")
        else:
            asked, seen, told = self._draft.current, self.look.current, self.found.told
            lacks, renewed = self._problem is not None, self.run_of.unasked == self._draft.experiment
            wrong, at = self.mistyped, {"shown": shown, "lacking": lacks, "renewed": renewed}
            found = state_of(asked, seen, **at, told=told, wrong=wrong, tries=tries)
            state.show_state(found.status, found.words, offer_run=can_run and found.offers)

    def _edit_refused(self, error: WorkbenchError) -> None:
        words = str(error)
        if error.field in _OF_THE_GRID:
            self.folds[_GRID_FOLD].set_open(True)
        if error.field == "users" or error.field in _OF_THE_GRID:
            self._refused = words
            self.show_run()
        else:
            self._document.failed.emit(error)

    def _edit_accepted(self) -> None:
        self._refused = ""

    def _mend(self, tile: Tile) -> None:
        """The one click that makes a way possible."""
        experiment = self._draft.experiment
        if tile.remedy is Remedy.ADD and experiment is not None:
            methods = added(experiment.methods, MethodChoice(FAMILIES[tile.approach]))
            if self._draft.change(f"Add {tile.approach.value}", methods=methods):
                self.run()
        elif tile.remedy is Remedy.HIERARCHY:
            self.hierarchy_requested.emit()

    def _repeat(self, times: int) -> None:
        if self._draft.repeat(times):
            (self.run_of.make_way if self.run_of.runs_unasked else self.run)()

    def _show_figure(self) -> None:
        """Open how the figure is drawn, among the settings."""
        self.parts.show_part(_SETTINGS_PART)
        self.folds[_FIGURE_FOLD].set_open(True)
        self.chart.panel.title.setFocus()
        self.settings.column.bring_up(self.folds[_FIGURE_FOLD])

    def _tell_deleted(self, name: str) -> None:
        self._shown_of = ("", -1)
        self._document.noted.emit("info", f"“{name}” was deleted; Undo brings it back.")

    def focus_first(self) -> None:
        """Put the keyboard focus where work begins: at the bounds, where they are all that is lacking."""
        self.parts.show_part(_SETTINGS_PART)
        self.question.statistic.setFocus()
        self.question.ask_bounds()
