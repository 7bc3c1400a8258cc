"""One's own experiments, and published figures made again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from workbench.core.number_text import exact
from workbench.core.progress import Progress
from workbench.evaluate.method import Approach
from workbench.evaluate.tile import Tile
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.samples import samples
from workbench.gui.widgets import boxes
from workbench.gui.widgets.empty_state import EmptyState
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.save_place import ask_folder
from workbench.gui.widgets.status import Status, status_word
from workbench.gui.widgets.view_switch import ViewSwitch
from workbench.gui.workspaces.base import Workspace
from workbench.gui.workspaces.compare.draft import ExperimentDraft
from workbench.gui.workspaces.compare.experiment_view import ExperimentView
from workbench.gui.workspaces.compare.figure_page import FigurePage
from workbench.gui.workspaces.compare.gallery import Gallery
from workbench.gui.workspaces.compare.preset_page import PresetPage
from workbench.plots.render import prepare
from workbench.session.collection.typed_answers import answers_begun
from workbench.session.comparison_command import write_command
from workbench.session.comparison_follow import CARRIED_OUT_IN, can_follow, charged_in_query, follow, follow_words
from workbench.session.comparison_typed import survey_encoding
from workbench.session.python.rooms import PublishedInView

_EXPERIMENT_VIEW, _PRESETS_VIEW = 0, 1


class CompareWorkspace(Workspace):
    """The room where approaches are compared."""

    identifier = "compare"
    goes_on = True
    follows = frozenset(("data", "schema", "rows", "hierarchies", "comparing", "collect", "queries"))

    def __init__(
        self, document: Document, parent: QWidget | None = None, made: Mapping[str, QObject] | None = None
    ) -> None:
        super().__init__(document, parent, made)
        self.draft: ExperimentDraft = self._made["draft"]
        self.draft.setParent(self)
        self.pages, self.presets = QStackedWidget(), QStackedWidget()
        self.views = ViewSwitch(
            "What is compared",
            ((self.pages, "My experiments"), (self.presets, "Published figures")),
            indent=tokens.SPACE_L,
        )
        self.views.buttons[_PRESETS_VIEW].clicked.connect(self._lead_back)
        boxes.column(self.views, inside=self)
        self.no_data = EmptyState(
            "compare",
            "No table is open",
            (
                "Ask one question in several ways, and see how far off each answer is: that of a trusted curator, of "
                "an anonymised release, or of answers that everybody perturbs. Published figures run without a table."
            ),
            "Open a file…",
            ("Published figures…", f"Try {samples()[0].title}"),
        )
        self.no_experiment = EmptyState(
            "compare",
            "Which way should you take?",
            (
                "One question, answered globally, by an anonymised table and locally: how far off each is. It begins "
                "on a public shape, so nothing is read from your table."
            ),
            "Compare",
            ("Published figures…",),
        )
        self.view: ExperimentView = self._made["view"]
        for shown in (self.no_data, self.no_experiment):
            self.pages.addWidget(shown)
        self.gallery: Gallery = self._made["gallery"]
        self.preset: PresetPage = self._made["preset"]
        self.figure: FigurePage = self._made["figure"]
        self.put_in_place(self.view, self.pages.addWidget)
        for page in (self.gallery, self.preset, self.figure):
            self.put_in_place(page, self.presets.addWidget)
        # In one line with what leads to published figures, so that the chart of a small window is higher.
        self._parts = boxes.boxed(boxes.row(self.view.parts.tabs))
        self.views.stand_beside(self._parts)
        set_explain(self, "workspace.compare")
        self._prepared = False
        self._came_to = ""
        """With which table somebody came here, "" for none."""
        self._chosen: str | None = None
        """Beside which table, "" for none, somebody chose the view that is seen; None where nobody has."""
        self._connect()
        self.tells_opening(self.no_data)

    @classmethod
    def made_first(cls, document: Document) -> Iterator[tuple[str, QObject]]:
        draft = ExperimentDraft(document)
        yield "draft", draft
        yield "view", ExperimentView(document, draft)
        gallery = Gallery(in_steps=True)
        for _ in gallery.filling():
            yield "gallery", gallery
        yield "preset", PresetPage(document, draft)
        yield "figure", FigurePage(document)

    @property
    def wearers(self) -> Sequence[QWidget]:
        stacks = (self.pages, self.presets)
        pages = [stack.widget(place) for stack in stacks for place in range(stack.count())]
        return (*self.views.buttons, self._parts, *(page for page in pages if page is not None))

    def _show_parts(self, _place: int = 0) -> None:
        """The tabs of an experiment stand there while one is seen."""
        seen = self.views.pages.currentWidget() is self.pages and self.pages.currentWidget() is self.view
        self._parts.setVisible(seen)

    def _declare(self) -> None:
        """To the column of the question, where what is public is declared."""
        experiment = self.draft.experiment
        self.reach_requested.emit("data", f"kinds:{experiment.question.column if experiment is not None else ''}")

    def _connect(self) -> None:
        self.view.data_requested.connect(self._declare)
        self.views.switched.connect(self._show_lock)
        for shown in (self.views.switched, self.pages.currentChanged):
            shown.connect(self._show_parts)
        self._show_parts()
        for button in self.views.buttons:
            button.clicked.connect(self._choose)
        self.view.hierarchy_requested.connect(partial(self.go_to.emit, "hierarchies"))
        self.view.followed.connect(self._follow)
        self.view.tiles.sets = self._sets
        self.view.tiles.replaces = self._replaces
        self.view.tiles.charges = self._charges
        self.view.tiles.can_follow = self._can_follow
        self.view.command_requested.connect(self._choose_folder)
        self.view.status_changed.connect(self.status_changed)
        self.no_data.primary.connect(self.open_requested)
        self.view.question.table_requested.connect(self.open_requested)
        self.view.basis.who_wanted.connect(lambda: self.reach_requested.emit("data", "person"))
        for asks in (self.open_requested, self.path_wanted):
            asks.connect(self._wait_for_table)
        self.no_data.secondary.connect(self._go_on_without)
        self.no_experiment.primary.connect(self._begin)
        self.no_experiment.secondary.connect(self.show_gallery)
        self.gallery.chosen.connect(self.show_preset)
        self.preset.back.connect(self.show_gallery)
        self.gallery.figure_chosen.connect(self.show_figure)
        self.gallery.own_wanted.connect(self.views.buttons[_EXPERIMENT_VIEW].click)
        self.gallery.own_wanted.connect(self.focus_first)
        self.figure.back.connect(self.show_gallery)
        self.figure.declare_requested.connect(lambda column: self.reach_requested.emit("data", f"kinds:{column}"))
        self.preset.experiment_made.connect(self._show_experiments)
        self._show_pages()

    # What the window asks

    @property
    def published_in_view(self) -> PublishedInView | None:
        """The figure or preset whose page is shown."""
        if self.views.pages.currentIndex() != _PRESETS_VIEW:
            return None
        page = self.presets.currentWidget()
        return page.seen if isinstance(page, FigurePage | PresetPage) else None

    @property
    def mistyped(self) -> str:
        return self.view.mistyped if self.views.pages.currentIndex() == _EXPERIMENT_VIEW else ""

    def status(self) -> Status | None:
        # Nobody is called to what is made good by itself in a moment.
        return self.view.status if self.draft.can_ask and not self.view.comes else None

    def next_hint(self) -> str:
        if not self.draft.can_ask or self.draft.experiment is None or self.view.run_of.running or self.view.comes:
            return ""
        return "Run the experiment" if self.status() is not Status.SUCCESS and self.view.can_run else ""

    def do_next(self, field: str) -> bool:
        self.run()
        return True

    def focus_first(self) -> None:
        self.settle()  # a page that is still to be turned would hide the control
        shown = self.pages.currentWidget()
        if self.views.pages.currentIndex() == _PRESETS_VIEW and self.presets.currentWidget() is self.gallery:
            self.gallery.search.setFocus()
        elif shown is self.view:
            self.view.focus_first()
        elif isinstance(shown, EmptyState) and shown.primary_button is not None:
            shown.primary_button.setFocus()

    def ask_what_lacks(self) -> None:
        self.settle()  # a page that is still to be turned would hide the control
        if self.pages.currentWidget() is self.view and self.views.pages.currentIndex() == _EXPERIMENT_VIEW:
            self.view.question.ask_bounds()

    def renew(self) -> None:
        self.run()

    def run(self) -> None:
        """Run what is missing of the experiment, or the published figure that is shown."""
        if self.views.pages.currentIndex() == _EXPERIMENT_VIEW:
            self.settle()
            self.view.run()
        elif self.presets.currentWidget() is self.preset:
            self.preset.run()
        elif self.presets.currentWidget() is self.figure:
            self.figure.run()

    # Keeping up

    def showEvent(self, event: QShowEvent) -> None:
        # Whoever comes here finds an answer, or is asked for what it lacks.
        self.draft.offers, self._came_to = self.draft.can_ask, self._table
        self.view.arrive()
        super().showEvent(event)
        if not self._prepared:
            # The first points are to be seen at once when somebody runs.
            self._prepared = True
            self.document.runner.start("Preparing the charts", prepare)
        if self._is_elsewhere:
            self.views.show_view(_EXPERIMENT_VIEW)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.view.look.stop()
        if self.view.run_of.runs_unasked and self.window().isVisible():
            self.document.noted.emit("info", "The comparison stops while you are elsewhere, and goes on in Compare.")
        self.view.leave()
        self.awaits_table = False
        self._stale = True

    def refresh(self) -> None:
        """Bring the page in view up to date; what takes long is looked at beside it."""
        comes = self._table not in ("", self._came_to)
        goes_on = comes and self.awaits_table
        if comes:
            # Of a table that is opened meanwhile nothing begins that nobody asked for.
            if goes_on or not self._came_to:
                self.draft.offers = goes_on
            self._came_to, self.awaits_table = self._table, False
            self.view.leave()
            if goes_on:
                self.view.arrive()
        self._show_pages()
        if self._is_elsewhere and self.presets.currentWidget() is self.gallery:
            self.views.show_view(_EXPERIMENT_VIEW)
        self._show_lock()
        self.view.tiles.show_whom("" if self.draft.typed else self.draft.desk.whom)
        self.view.refresh()
        self.preset.refresh()
        self.figure.refresh()
        if goes_on and self.isVisible():
            self.focus_first()  # where what is lacking is typed

    def _show_pages(self) -> None:
        if self.is_incomplete:
            return  # a page may not be in its place yet; once it is, the room is brought up to date
        self.gallery.own.setVisible(not self.document.has_data)
        if not self.draft.can_ask:
            self.pages.setCurrentWidget(self.no_data)
        elif self.draft.current is None:
            self.pages.setCurrentWidget(self.no_experiment)
        else:
            self.pages.setCurrentWidget(self.view)

    # Going places, and the way out

    def show_preset(self, identifier: str) -> None:
        """Show the page of a published figure."""
        self._choose()
        self.preset.show_preset(identifier)
        self.presets.setCurrentWidget(self.preset)
        self.views.show_view(_PRESETS_VIEW)
        self.preset.button.setFocus()

    def show_figure(self, identifier: str) -> None:
        """Show the page of one published figure."""
        self._choose()
        self.figure.show_figure(identifier)
        self.presets.setCurrentWidget(self.figure)
        self.views.show_view(_PRESETS_VIEW)
        self.figure.button.setFocus()

    def _lead_back(self) -> None:
        """Pressed once more, the name of the view leads from a figure back to all of them."""
        if self.views.pages.currentIndex() == _PRESETS_VIEW:
            self.show_gallery()

    def show_gallery(self, _which: int = 0) -> None:
        """Show all published figures."""
        self._choose()
        self.presets.setCurrentWidget(self.gallery)
        self.views.show_view(_PRESETS_VIEW)

    def _go_on_without(self, which: int) -> None:
        """Without a table of one's own: to the published figures, or with a sample."""
        if which:
            self.path_wanted.emit(samples()[0].path)
        else:
            self.show_gallery()

    def _show_experiments(self) -> None:
        self.views.show_view(_EXPERIMENT_VIEW)

    def _begin(self) -> None:
        """A first experiment, run as soon as nothing is lacking; what is lacking is in focus."""
        self.draft.add()
        self.settle()
        self.focus_first()
        if self.view.can_run:
            self.view.run()
        else:
            self.view.arrive()

    def _follow(self, tile: Tile, place: float) -> None:
        """Take the setting of a tile over, and go where it is carried out."""
        experiment, setting = self.draft.experiment, tile.setting
        if experiment is None or setting is None:
            return
        words, enough = f"Take over {setting.name}", self.view.tiles.limit.value
        # Found out before: what is said of the table by it is no news afterwards.
        charged = self._charges(tile, place).partition(" (")[0].removeprefix("ε ")
        session = self.document.session
        known = bool(self._sets(tile, place))
        told = follow_words(session, experiment, setting, place, done=True, enough=enough) if known else ""
        if self.document.apply(words, lambda session: follow(session, experiment, setting, place, enough)):
            self.go_to.emit(CARRIED_OUT_IN[tile.approach])
            epsilon = exact(experiment.setting(setting, place, 1).epsilon)
            at = f"ε = {epsilon}{charged and f'; Query charges {charged}'}"
            rest = f"\n{told}" if told else ""
            self.document.noted.emit("success", f"Taken over at {at}.{rest} Undo takes it back.")

    def _can_follow(self, way: Approach) -> bool:
        experiment = self.draft.experiment
        return experiment is not None and can_follow(self.document.session, way, experiment.question)

    def _sets(self, tile: Tile, place: float) -> str:
        """Announcement of what taking a tile over would set."""
        experiment = self.draft.experiment
        desk = self.draft.desk
        if experiment is None or tile.setting is None or not self.draft.can_ask:
            return ""
        if not self._can_follow(tile.approach):
            return ""
        if experiment.question.column not in desk.schema_of(experiment.question).names:
            return ""
        enough = self.view.tiles.limit.value
        return f"Sets {follow_words(self.document.session, experiment, tile.setting, place, enough=enough)}"

    def _charges(self, tile: Tile, place: float) -> str:
        """What Query will charge, where that is not the ε of the axis."""
        experiment = self.draft.experiment
        if experiment is None or tile.setting is None or not self._sets(tile, place):
            return ""
        return charged_in_query(self.document.session, experiment, tile.setting, place)

    def _replaces(self, tile: Tile, _place: float) -> str:
        """Question before a tile is taken over."""
        experiment, plan = self.draft.experiment, self.document.project.collect
        if tile.approach is not Approach.LOCAL or experiment is None:
            return ""
        if self.draft.typed:
            begun = answers_begun(plan.encoding) and plan.encoding != survey_encoding(experiment.question)
            return "Replace the plan in Collect?" if begun else ""
        if not plan.column:
            return ""
        if (plan.column, plan.users) == (experiment.question.column, experiment.users):
            return ""  # it is this one, or was taken over from here
        return f"Replace the plan of “{plan.column}”?"

    def _wait_for_table(self) -> None:
        self.awaits_table = True

    def _choose(self) -> None:
        """Somebody has gone to a view, which stays as long as this table is open."""
        self._chosen = self._table

    @property
    def _table(self) -> str:
        return self.document.session.data.fingerprint if self.document.has_data else ""

    @property
    def _is_elsewhere(self) -> bool:
        """Whether the published figures are seen beside a table beside which nobody chose them."""
        published = self.views.pages.currentIndex() == _PRESETS_VIEW
        return published and self.document.has_data and self._chosen != self._table

    def _show_lock(self, _view: int = 0) -> None:
        """Of a public shape everybody may see what is shown; of true values the analyst alone."""
        current = self.draft.experiment
        own = self.views.pages.currentIndex() == _EXPERIMENT_VIEW
        public = own and (current is None or current.basis.public)
        self.lock = status_word(Status.ANALYST) if self.document.has_data and not public else ""

    def _choose_folder(self) -> None:
        chosen = ask_folder(self, "Write the experiment into")
        if chosen:
            self.copy_command(Path(chosen))

    def copy_command(self, folder: Path) -> None:
        """Write the experiment into a folder, and put the command that runs it on the clipboard."""
        current = self.draft.current
        if current is None or not self.in_force():
            return
        session = self.document.session.snapshot()

        def work(_progress: Progress) -> list[str]:
            return write_command(session.state, current, folder)

        self.document.runner.start(
            f"Writing into {folder.name}",
            work,
            on_done=self._copied,
            keep_late_result=True,
        )

    def _copied(self, command: list[str]) -> None:
        self.document.copy_command(shlex.join(command))
