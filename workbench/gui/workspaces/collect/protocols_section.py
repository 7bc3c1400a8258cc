"""The protocols to compare, each with its parameters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from workbench.core.params import filled
from workbench.core.schema import ColumnSpec
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.icons import icon
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button, tool_button
from workbench.gui.widgets.eliding_check_box import ElidingCheckBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.parameter_fields import ParameterFields
from workbench.gui.widgets.section import Section
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Domain
from workbench.ldp.fitting import ProtocolGroup, group_of, why_not
from workbench.ldp.protocol import PROTOCOLS, LocalProtocol
from workbench.project.collect_settings import CollectSettings
from workbench.session.collection.listed_once import OtherNames
from workbench.session.collection.means import FOR_MEANS

_USUAL = (CollectSettings().protocols, FOR_MEANS)
"""Ticked before anybody has ticked anything."""


_Choices: TypeAlias = tuple[ProtocolChoice, ...]


class ProtocolRow(QWidget):
    """A tick, and the parameters of the protocol while it is ticked.

    The parameters are no part of the row: they stand below all rows, so that none moves when another is ticked.

    Signals
    -------
    ticked(str, bool)
        The person ticked or unticked the protocol of this identifier.
    changed(str, str, object)
        Protocol, parameter and its new value.
    facts_requested(str)
        The person wants to know more about it.
    """

    ticked = Signal(str, bool)
    changed = Signal(str, str, object)
    facts_requested = Signal(str)

    def __init__(self, protocol: LocalProtocol, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.protocol = protocol
        self.tick = ElidingCheckBox(protocol.title, lines=2)
        self.tick.setAccessibleDescription(protocol.summary)
        self.tick.clicked.connect(self._tell_tick)
        self.more = tool_button(
            act=self._ask_facts,
            name=f"About {protocol.title}",
            icon=icon("info", "muted"),
            tip="Its chances, its exact ε, its variance and where it comes from",
        )
        self.fields: ParameterFields | None = None
        self.follows = label("ε follows from these; the page “Protocol” shows it.", muted=True, small=True, wrap=True)
        self._below = boxes.column(label(protocol.title, muted=True, small=True), self.follows, spacing="xs")
        self.parameters = boxes.boxed(self._below)
        self.parameters.hide()
        self.same = label(muted=True, small=True, wrap=True)
        self.same.hide()
        indented = boxes.row(boxes.Gap("xl"), (self.same, 1), spacing=0)
        boxes.column(boxes.row((self.tick, 1), self.more, spacing="xs"), indented, spacing=0, inside=self)

    @property
    def valid(self) -> bool:
        """Whether every field shows the value that is in force."""
        return self.fields is None or self.parameters.isHidden() or self.fields.valid

    def refresh(self, choice: ProtocolChoice | None, problem: str) -> None:
        """Show whether it is chosen, with which parameters, and why it does not go with the question."""
        self.tick.setChecked(choice is not None)
        # One that is ticked can always be unticked.
        self.tick.setEnabled(choice is not None or not problem)
        self.tick.setToolTip(f"{self.protocol.title}\n{problem or self.protocol.summary}")
        if choice is not None and self.protocol.params and self.fields is None:
            self.fields = ParameterFields(self.protocol.params)
            self.fields.changed.connect(self._tell_change)
            self._below.insertWidget(1, self.fields)
            self.fields.follow(self.more)
        self.parameters.setVisible(choice is not None and self.fields is not None)
        if self.fields is not None and choice is not None:
            values = filled(self.protocol.params, dict(choice.values))
            self.fields.show_values(values)
            self.follows.setVisible(choice.other_epsilon)

    def say_same(self, title: str) -> None:
        """Say of which other protocol this is the mechanism for the setting in view; "" for none."""
        self.same.setText(f"same as {title}" if title else "")
        self.same.setVisible(bool(title))
        self.same.setEnabled(True)

    def _tell_tick(self, wanted: bool) -> None:
        self.ticked.emit(self.protocol.identifier, wanted)

    def _tell_change(self, name: str, value: object) -> None:
        self.changed.emit(self.protocol.identifier, name, value)

    def _ask_facts(self) -> None:
        self.facts_requested.emit(self.protocol.identifier)


class ProtocolsSection(Section):
    """Ticks in three groups.

    Signals
    -------
    facts_requested(str)
        The person wants to know more about the protocol of this identifier.
    taken(object)
        The person ticked this protocol, or set it otherwise.
    """

    facts_requested = Signal(str)
    taken = Signal(object)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__("Protocols", parent=parent)
        self._document = document
        self._domain: Domain | None = None
        self._spec: ColumnSpec | None = None
        self.rows: dict[str, ProtocolRow] = {}
        self._groups: dict[ProtocolGroup, QWidget] = {}
        self._same_of: tuple[tuple[str, ...], CollectSettings] | None = None
        """What it is about that some protocols are said to be the same; None where nothing is said."""
        self._recommended: ProtocolChoice | None = None
        self._by_hand = False
        """Whether the person ticked, unticked or set anything."""
        self._along: ProtocolChoice | None = None
        """What was ticked for the person as it was recommended; it gives way to what is recommended next."""
        self._sized: tuple[_Choices, _Choices, bool, ProtocolChoice | None] | None = None
        """What was ticked with sets of another size, and before it what was, and how."""
        self._drawn: CollectSettings | None = None
        """With which settings it was taken for coins or dice: what they are of stays until something of it changes."""
        set_explain(self, "collect.protocols")
        self.content.setSpacing(tokens.SPACE_M)
        for group in ProtocolGroup:
            self.add(self._group(group))
        for row in self.rows.values():
            self.add(row.parameters)

    def _group(self, group: ProtocolGroup) -> QWidget:
        whole = self._groups[group] = QWidget()
        layout = boxes.column(spacing=0, inside=whole)
        head = boxes.row(label(group.words, muted=True, small=True), 1, spacing=0)
        for words, wanted in (("All", True), ("None", False)):
            button = push_button(words, name=f"{words} protocols: {group.words}", quiet=True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(partial(self._tick_group, group, wanted))
            head.addWidget(button)
        layout.addLayout(head)
        for protocol in PROTOCOLS:
            if group_of(protocol) is group:
                row = self.rows[protocol.identifier] = ProtocolRow(protocol)
                row.ticked.connect(self._tick)
                row.changed.connect(self._set_parameter)
                row.facts_requested.connect(self.facts_requested)
                layout.addWidget(row)
        return whole

    @property
    def valid(self) -> bool:
        """Whether every field shows the value that is in force."""
        return all(row.valid for row in self.rows.values())

    def refresh(self, domain: Domain | None, spec: ColumnSpec | None) -> None:
        """Show the settings, and which protocols go with the question."""
        self._domain, self._spec = domain, spec
        chosen = {choice.identifier: choice for choice in self._document.project.collect.protocols}
        for identifier, row in self.rows.items():
            row.refresh(chosen.get(identifier), why_not(row.protocol, domain, spec))
        if self._same_of != self._view:
            self._doubt_names()
        ticked = {group_of(self.rows[identifier].protocol) for identifier in chosen if identifier in self.rows}
        # Whether shares or a mean is asked for is said with the question, and nowhere else.
        mean, ordinal = self._document.session.collection.asks_mean, domain is None or domain.ordinal
        self._groups[ProtocolGroup.MEANS].setVisible(mean or ProtocolGroup.MEANS in ticked)
        self._groups[ProtocolGroup.CATEGORICAL].setVisible(not mean)
        self._groups[ProtocolGroup.ORDINAL].setVisible(not mean and (ordinal or ProtocolGroup.ORDINAL in ticked))

    @property
    def _view(self) -> tuple[tuple[str, ...], CollectSettings]:
        """What is asked how, by whichever protocols."""
        labels = () if self._domain is None else self._domain.labels
        return labels, replace(self._document.project.collect.without_aim, protocols=())

    def show_names(self, names: OtherNames | None) -> None:
        """Say which protocols are one of the others by another name here, as was found of what is in view."""
        self._same_of = None if names is None else self._view
        for identifier, row in self.rows.items():
            first = None if names is None else names.first(ProtocolChoice(identifier))
            row.say_same("" if first is None else first.protocol.title)

    def _doubt_names(self) -> None:
        """Another setting is in view: what was said stays in its place, greyed, until it is known again.

        Of other answers, or none, it says nothing.
        """
        before = () if self._same_of is None else self._same_of[0]
        if not before or before != self._view[0]:
            self.show_names(None)
            return
        for row in self.rows.values():
            row.same.setEnabled(False)

    def start_anew(self) -> None:
        """Other data: nobody has ticked anything for it."""
        self._by_hand, self._along, self._drawn = False, None, None

    def recommend(self, choice: ProtocolChoice | None) -> None:
        """Remember the protocol that a prediction takes."""
        self._recommended = choice

    def take_along(self, *, first: bool = True) -> None:
        """Tick the protocol that is recommended too, as long as the ticks are those that nobody has chosen.

        Parameters
        ----------
        first
            Whether also if none was; else it only takes the place of what was recommended before.
        """
        best, chosen, before = self._recommended, self._document.project.collect.protocols, self._along
        if best is None or best in chosen or self._by_hand or (before is None and not first):
            return
        if self._drawn is not None and self._drawn == self._for_coins:
            return
        others = [one for one in chosen if one != before]
        usual = any(len(others) == len(some) and all(map(others.__contains__, some)) for some in _USUAL)
        if not usual or (before is not None and before not in chosen):
            return  # others were ticked, or the person took it back
        self._along = best
        self._put(f"Compare {best.protocol.title}", self._taking(best, others))

    def take_by_hand(self, choice: ProtocolChoice, epsilon: float) -> None:
        """Set an ε that people draw with coins or dice, and the protocol that they draw by: what is simulated, too."""
        chosen = self._document.project.collect.protocols
        if choice != self._recommended:
            self._by_hand = True
        elif not self._by_hand and choice not in chosen:
            # It is the plan that is taken, as at a press of “Simulate”: for another goal another one takes its place.
            chosen = tuple(one for one in chosen if one != self._along)
            self._along = choice
        changed = self._taking(choice, chosen)
        self._document.apply("ε by hand", lambda session: session.collection.change(epsilon=epsilon, protocols=changed))
        self._drawn = self._for_coins

    @property
    def _for_coins(self) -> CollectSettings:
        """All that a protocol is recommended for, but how far it is to reach."""
        settings = self._document.project.collect
        return replace(settings.without_aim, aim=settings.aim)

    def tick(self, choice: ProtocolChoice) -> None:
        """Tick a protocol with these parameters, or untick it where it has them already."""
        self._turn(choice)
        if choice in self._document.project.collect.protocols:
            self.taken.emit(choice)

    def take_size(self, choice: ProtocolChoice) -> None:
        """Tick a protocol with sets of a size; where it has them, all is again as it was before that."""
        chosen = self._document.project.collect.protocols
        if choice not in chosen:
            before = chosen, self._by_hand, self._along
            self.tick(choice)
            self._sized = self._document.project.collect.protocols, *before
            return
        without = self._with([choice.identifier], wanted=False)
        if self._sized is not None and self._sized[0] == chosen:
            _, without, self._by_hand, self._along = self._sized
        self._put("Plan for any share", without)

    def _turn(self, choice: ProtocolChoice) -> None:
        self._by_hand = True
        chosen = self._document.project.collect.protocols
        if choice in chosen:
            words, changed = "Leave out {name}", self._with([choice.identifier], wanted=False)
        else:
            set_ = choice.identifier in {one.identifier for one in chosen}
            words, changed = "Change {name}" if set_ else "Compare {name}", self._taking(choice, chosen)
        self._put(words.format(name=choice.protocol.title), changed)

    def _tick(self, identifier: str, wanted: bool) -> None:
        self._by_hand = True
        words = "Compare {name}" if wanted else "Leave out {name}"
        self._put(words.format(name=PROTOCOLS[identifier].title), self._with([identifier], wanted=wanted))
        if wanted:
            self.taken.emit(ProtocolChoice(identifier))

    def _tick_group(self, group: ProtocolGroup, wanted: bool, _checked: bool = False) -> None:
        self._by_hand = True
        members = [
            identifier
            for identifier, row in self.rows.items()
            if group_of(row.protocol) is group and (not wanted or not why_not(row.protocol, self._domain, self._spec))
        ]
        self._put("Change the protocols", self._with(members, wanted=wanted))

    def _with(self, identifiers: Iterable[str], *, wanted: bool) -> tuple[ProtocolChoice, ...]:
        chosen = {choice.identifier: choice for choice in self._document.project.collect.protocols}
        for identifier in identifiers:
            if wanted:
                chosen.setdefault(identifier, ProtocolChoice(identifier))
            else:
                chosen.pop(identifier, None)
        return self._listed(chosen)

    def _taking(self, choice: ProtocolChoice, others: Iterable[ProtocolChoice]) -> tuple[ProtocolChoice, ...]:
        """A protocol among others, in place of the same one with other parameters."""
        return self._listed({**{one.identifier: one for one in others}, choice.identifier: choice})

    def _listed(self, chosen: dict[str, ProtocolChoice]) -> tuple[ProtocolChoice, ...]:
        """The choices in the order of the list, so that colours do not depend on the order of the clicks."""
        known = [chosen.pop(identifier) for identifier in self.rows if identifier in chosen]
        return (*known, *chosen.values())

    def _set_parameter(self, identifier: str, name: str, value: Any) -> None:
        self._by_hand = True
        changed = []
        for choice in self._document.project.collect.protocols:
            if choice.identifier == identifier:
                values = {**choice.values, name: value}
                usual = {spec.name: spec.default for spec in choice.protocol.params}
                kept = {key: given for key, given in values.items() if given != usual[key]}
                changed.append(ProtocolChoice(identifier, MappingProxyType(kept)))
            else:
                changed.append(choice)
        self._put(
            f"Change {PROTOCOLS[identifier].title}",
            tuple(changed),
            merge=f"collect {identifier} {name}",
        )

    def _put(self, words: str, choices: tuple[ProtocolChoice, ...], merge: str = "") -> None:
        if choices != self._document.project.collect.protocols:
            self._document.apply(words, lambda session: session.collection.change(protocols=choices), merge=merge)
