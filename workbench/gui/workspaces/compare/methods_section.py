"""The methods to compare: ticks in groups, each with its options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.evaluate.experiment import Axis, Experiment
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.method_list import MethodEntry, added, key_of, offers, options_words
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import tool_button
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.eliding_check_box import ElidingCheckBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.section import Section
from workbench.gui.workspaces.compare.draft import ExperimentDraft
from workbench.gui.workspaces.compare.method_options import MethodOptions
from workbench.ldp.fitting import ProtocolGroup


class CurveRow(QWidget):
    """One curve of a method: its options in a line, which opens to fields.

    Signals
    -------
    changed(object, str)
        It became this `MethodChoice`; the text tells which field did it.
    removed()
        The person wants one curve less.
    """

    changed = Signal(object, str)
    removed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._choice: MethodChoice | None = None
        self._own_epsilon = False
        self.words = ElidedLabel(muted=True, small=True)
        self.problem = label(small=True, wrap=True, tone="warning")
        self.more = tool_button(
            act=self.open_options, icon=icon("settings", "muted"), tip="Options of this curve", checkable=True
        )
        self.less = tool_button(act=self.removed, icon=icon("remove", "muted"), tip="Leave out this curve")
        self.options: MethodOptions | None = None
        self._layout = boxes.column(
            boxes.row((self.words, 1), self.more, self.less, spacing="xs"),
            self.problem,
            margins="l 0 0 0",
            spacing="hair",
            inside=self,
        )

    @property
    def valid(self) -> bool:
        """Whether every field shows the value that is in force."""
        return self.options is None or self.options.isHidden() or self.options.valid

    def show_choice(self, choice: MethodChoice, *, alone: bool, own_epsilon: bool, problem: str) -> None:
        """Show a curve; `alone` if it is the only one of its method."""
        if self._choice is not None and key_of(self._choice) != key_of(choice):
            self._forget_options()
        self._choice, self._own_epsilon = choice, own_epsilon
        said = options_words(choice)
        parts = [one for one in (choice.label, said) if one]
        self.words.set_text(": ".join(parts) or "usual options")
        for button, words in ((self.more, "Options of {name}"), (self.less, "Leave out {name}")):
            button.setAccessibleName(words.format(name=choice.name))
            # A curve that is the only one of its method has its options beside the tick.
            button.setVisible(not alone)
        self.words.setVisible(not alone or bool(parts))
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        if self.options is not None:
            self.options.show_choice(choice, own_epsilon=own_epsilon)

    def open_options(self, wanted: bool) -> None:
        """Show or hide the fields."""
        self.more.setChecked(wanted)
        if wanted and self.options is None and self._choice is not None:
            self.options = MethodOptions(self._choice)
            self.options.changed.connect(self.changed)
            self.options.show_choice(self._choice, own_epsilon=self._own_epsilon)
            self._layout.addWidget(self.options)
        if self.options is not None:
            self.options.setVisible(wanted)

    def _forget_options(self) -> None:
        if self.options is not None:
            self._layout.removeWidget(self.options)
            self.options.deleteLater()
            self.options = None
            self.more.setChecked(False)


class OfferRow(QWidget):
    """A tick, and the curves of the method while it is ticked.

    Signals
    -------
    ticked(bool)
        The person ticked or unticked it.
    another()
        The person wants one curve more of it.
    curve_changed(int, object, str)
        Curve of that number among those of this method, its new choice, and which field did it.
    curve_removed(int)
        The person wants this curve left out.
    """

    ticked = Signal(bool)
    another = Signal()
    curve_changed = Signal(int, object, str)
    curve_removed = Signal(int)

    def __init__(self, offer: MethodEntry, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.offer = offer
        self.tick = ElidingCheckBox(offer.title)
        self.tick.setAccessibleDescription(offer.summary)
        self.tick.clicked.connect(self.ticked)
        self.add = tool_button(
            act=self.another,
            name=f"One more curve of {offer.title}",
            icon=icon("add", "muted"),
            tip="One more curve of this method, with other options",
        )
        self.more = tool_button(
            act=self._open_options,
            name=f"Options of {offer.title}",
            icon=icon("settings", "muted"),
            tip="Options of this method",
            checkable=True,
        )
        self.curves: list[CurveRow] = []
        top = boxes.row((self.tick, 1), self.more, self.add, spacing="xs")
        self._below = QVBoxLayout()
        self._below.setSpacing(tokens.SPACE_HAIR)
        boxes.column(top, self._below, spacing=0, inside=self)

    @property
    def valid(self) -> bool:
        """Whether every field shows the value that is in force."""
        return all(row.valid for row in self.curves if not row.isHidden())

    def show_choices(self, choices: list[tuple[MethodChoice, str]], refused: str, *, own_epsilon: bool) -> None:
        """Show its curves with what is wrong with each, and why it cannot answer at all."""
        self.tick.setChecked(bool(choices))
        # One that is ticked can always be unticked; one with options may answer with others.
        self.tick.setEnabled(bool(choices) or not refused or self.offer.approach is Approach.ANONYMISED)
        self.tick.setToolTip(f"{self.offer.title}\n{refused or self.offer.summary}")
        self.add.setVisible(bool(choices))
        self.more.setVisible(len(choices) == 1)
        while len(self.curves) < len(choices):
            row = CurveRow()
            place = len(self.curves)
            row.changed.connect(partial(self.curve_changed.emit, place))
            row.removed.connect(partial(self.curve_removed.emit, place))
            self.curves.append(row)
            self._below.addWidget(row)
        for place, row in enumerate(self.curves):
            row.setVisible(place < len(choices))
            if place < len(choices):
                choice, problem = choices[place]
                row.show_choice(choice, alone=len(choices) == 1, own_epsilon=own_epsilon, problem=problem)
        if self.curves:
            self.more.setChecked(self.curves[0].more.isChecked())

    def _open_options(self, wanted: bool) -> None:
        self.curves[0].open_options(wanted)


class MethodsSection(Section):
    """Ticks in four groups."""

    def __init__(self, draft: ExperimentDraft, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)
        self._draft = draft
        self._shown_for: int | None = None
        self._to_open: tuple[str, int] | None = None
        self._shown: tuple[Experiment, Mapping[str, str], Mapping[int, str]] | None = None
        self._listed = {offer.key for offer in offers() if offer.group}
        self.rows: dict[str, OfferRow] = {}
        self.content.setSpacing(tokens.SPACE_M)
        for approach in Approach:
            self.add(self._group(approach))
        set_explain(self, "compare.methods")

    def _group(self, approach: Approach) -> QWidget:
        whole = QWidget()
        layout = boxes.column(label(approach.words, muted=True, small=True), spacing=0, inside=whole)
        mine = [offer for offer in offers() if offer.approach is approach]
        for offer in mine:
            if not offer.group:
                layout.addWidget(self._row(offer))
        if approach is Approach.LOCAL:
            inside = QWidget()
            self._protocols = boxes.column(margins="s 0 0 0", spacing=0, inside=inside)
            self.protocols = Disclosure("", inside)
            self.protocols.button.clicked.connect(self._list_protocols)
            layout.addWidget(self.protocols)
        set_explain(whole, f"compare.methods.{approach.value}")
        return whole

    def _list_protocols(self) -> None:
        """Make the rows of the protocols when they are first seen: there are many."""
        if self._protocols.count():
            return
        for group in ProtocolGroup:
            self._protocols.addWidget(label(group.words, muted=True, small=True))
            for offer in offers():
                if offer.group is group:
                    self._protocols.addWidget(self._row(offer))
        if self._shown is not None:
            self._show_rows(*self._shown)

    def _row(self, offer: MethodEntry) -> OfferRow:
        row = self.rows[offer.key] = OfferRow(offer)
        row.ticked.connect(partial(self._tick, offer.key))
        row.another.connect(partial(self._another, offer.key))
        row.curve_changed.connect(partial(self._change_curve, offer.key))
        row.curve_removed.connect(partial(self._remove_curve, offer.key))
        return row

    @property
    def valid(self) -> bool:
        """Whether every field shows the value that is in force."""
        return all(row.valid for row in self.rows.values())

    def refresh(self, experiment: Experiment, refused: Mapping[str, str], problems: Mapping[int, str]) -> None:
        """Show the methods of an experiment.

        Parameters
        ----------
        refused
            Why a method cannot answer, by the key of its offer.
        problems
            Why a curve cannot, by its place in the experiment.
        """
        self._shown = experiment, refused, problems
        ticked = {key_of(one) for one in experiment.methods} & self._listed
        if self._shown_for != self._draft.index:
            self._shown_for = self._draft.index
            self.protocols.set_open(bool(ticked))
            if ticked:
                self._list_protocols()
        self._show_rows(experiment, refused, problems)
        words = f"Protocols: {len(ticked)} of {len(self._listed)}"
        self.protocols.button.setText(words)
        self.protocols.button.setAccessibleName(words)

    def _show_rows(self, experiment: Experiment, refused: Mapping[str, str], problems: Mapping[int, str]) -> None:
        own_epsilon = experiment.axis is not Axis.EPSILON
        for key, row in self.rows.items():
            mine = [(one, problems.get(place, "")) for place, one in self._of(experiment, key)]
            row.show_choices(mine, refused.get(key, ""), own_epsilon=own_epsilon)
        if self._to_open is not None:
            (key, number), self._to_open = self._to_open, None
            if number < len(self._of(experiment, key)):
                self.rows[key].curves[number].open_options(True)

    @staticmethod
    def _of(experiment: Experiment, key: str) -> list[tuple[int, MethodChoice]]:
        return [(place, one) for place, one in enumerate(experiment.methods) if key_of(one) == key]

    # Editing

    def _tick(self, key: str, wanted: bool) -> None:
        experiment = self._draft.experiment
        if experiment is None:
            return
        offer = self.rows[key].offer
        if wanted:
            words = "Compare {name}"
            methods = added(experiment.methods, self._usual(offer))
        else:
            words = "Leave out {name}"
            methods = tuple(one for one in experiment.methods if key_of(one) != key)
        if not self._draft.change(words.format(name=offer.title), methods=methods):
            # A refused tick must not stay.
            self.rows[key].tick.setChecked(not wanted)

    def _usual(self, offer: MethodEntry) -> MethodChoice:
        """A column without a hierarchy can only be released as it is."""
        experiment, project = self._draft.experiment, self._draft.document.project
        released = offer.approach is Approach.ANONYMISED and "level" in offer.choice.checked()
        if released and experiment is not None and experiment.question.column not in project.hierarchies:
            return replace(offer.choice, values={"level": 0})
        return offer.choice

    def _another(self, key: str) -> None:
        experiment = self._draft.experiment
        if experiment is None:
            return
        mine = self._of(experiment, key)
        like = mine[-1][1] if mine else self.rows[key].offer.choice
        if "level" in like.checked():
            like = replace(like, values={**like.values, "level": like.checked()["level"] + 1})
        words = f"One more curve of {self.rows[key].offer.title}"
        if self._draft.change(words, methods=added(experiment.methods, replace(like, label=""))):
            self._to_open = key, len(mine)

    def _change_curve(self, key: str, number: int, choice: MethodChoice, field: str) -> None:
        experiment = self._draft.experiment
        if experiment is None:
            return
        mine = self._of(experiment, key)
        if number >= len(mine):
            return  # its lines are of the experiment before
        place = mine[number][0]
        methods = (*experiment.methods[:place], choice, *experiment.methods[place + 1 :])
        words = f"Change {self.rows[key].offer.title}"
        self._draft.change(words, methods=methods, merge=f"{key} {number} {field}")

    def _remove_curve(self, key: str, number: int) -> None:
        experiment = self._draft.experiment
        if experiment is None:
            return
        mine = self._of(experiment, key)
        if number >= len(mine):
            return  # a second press, before its line is gone
        place = mine[number][0]
        methods = (*experiment.methods[:place], *experiment.methods[place + 1 :])
        self._draft.change(f"Leave out {self.rows[key].offer.title}", methods=methods)
