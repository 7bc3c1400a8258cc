"""Attack it yourself: what somebody who knows some columns can do with the release, and with the table itself."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QWidget,
)

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import chance_percent
from workbench.core.visible import visible
from workbench.evaluate.linkage import LinkageAttack
from workbench.evaluate.membership import MembershipTest
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.look_question import LookQuestion
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import SpinBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.section import Section
from workbench.gui.widgets.view_switch import ViewSwitch
from workbench.gui.workspaces.release.chance_table import ChanceTable
from workbench.gui.workspaces.release.stale_notice import StaleNotice
from workbench.plots import paired_bars
from workbench.plots.paired_bars import PairedShares
from workbench.session.attacks import attackers

LINK_JOB = "linkage attack"
LEARN_JOB = "steps of a linkage attack"
MEMBERSHIP_JOB = "membership test"
_CHECKED = Qt.CheckState.Checked
_NAME = Qt.ItemDataRole.UserRole
_LARGEST_SEED = 2**31 - 1


class AttackPage(QSplitter):
    """The attacker's knowledge on the left, what it gives on the right. Nothing of it may be published."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setObjectName("attack")
        self.setChildrenCollapsible(False)
        self._document = document
        self._made: object = None
        self._looked = self._current = False
        self._asked: object = None
        self.known = QListWidget()
        self.known.setAccessibleName("Columns the attacker knows")
        set_explain(self.known, "release.attack")
        self.known.itemChanged.connect(self._known_changed)
        self.seed = SpinBox("Seed of the simulation", 0, _LARGEST_SEED, 0)
        set_explain(self.seed, "release.membership")
        self.seed.valueChanged.connect(self._seed_changed)
        self.stale = StaleNotice()
        self.sentence = label(wrap=True, strong=True, selectable=True)
        self.question = LookQuestion(document, "attack it", desk=lambda: document.session.attacks)
        self.question.closed.connect(self._offer_look)
        self.look = push_button("Attack it…", self._ask_to_look, name="Attack it, after a look", explain="compare.look")
        self.knowledge = ChartView("What the attacker knows, and how sure they are", paired_bars, document.runner)
        self.attackers = ChartView("Kinds of attackers, and how sure they are", paired_bars, document.runner)
        for chart in (self.knowledge, self.attackers):
            chart.noted.connect(document.noted)
            set_explain(chart, "release.attack")
        views = ((self.knowledge, "What they know"), (self.attackers, "Who they are"))
        self.charts = ViewSwitch("How sure an attacker is", views)
        self.charts.setFixedHeight(tokens.JOB_WIDTH + tokens.CONTROL_HEIGHT)
        self.table = ChanceTable("Chances of the attacker before and after")
        set_explain(self.table, "release.attack")
        self.learned = ChanceTable("What the attacker learns")
        set_explain(self.learned, "release.attack")
        self.told = label(wrap=True, strong=True, selectable=True)
        self.membership = ChanceTable("Who was in the table")
        set_explain(self.membership, "release.membership")
        self.addWidget(self._build_knowledge())
        self.addWidget(self._build_results())
        self.setStretchFactor(1, 1)
        self.setSizes([tokens.JOB_WIDTH, 2 * tokens.EMPTY_TEXT_WIDTH])

    def show_made(self, made: object, current: bool, looked: bool) -> None:
        """Attack this result; nothing happens while it is out of date, not seen, or no look is recorded."""
        self.stale.show_current(current)
        self._current = current
        if made is not self._made or looked is not self._looked:
            self._made, self._looked = made, looked
            self._asked = None
            self._list_columns(current)
            self._clear()
            self.question.follow()
        elif current and not self.known.count():
            self._list_columns(current)
        self._offer_look()
        self._attack_soon()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._attack_soon()

    def focus_first(self) -> None:
        """The look that an attack waits for, or what the attacker knows."""
        waits = self.look.isVisibleTo(self)
        (self.look if waits else self.known).setFocus()

    @property
    def chosen(self) -> tuple[str, ...]:
        """The columns the attacker knows."""
        items = [self.known.item(row) for row in range(self.known.count())]
        return tuple(str(item.data(_NAME)) for item in items if item.checkState() is _CHECKED)

    def _offer_look(self) -> None:
        """Offer the look that an attack needs, unless it is taken or asked about."""
        waits = self._made is not None and self._current and not self._looked
        self.look.setVisible(waits and self.question.isHidden())

    def _ask_to_look(self) -> None:
        self.look.hide()
        self.question.ask()

    def _list_columns(self, current: bool) -> None:
        self.known.blockSignals(True)
        self.known.clear()
        if current:
            desk = self._document.session.attacks
            usual = desk.usual
            for name in desk.columns:
                item = QListWidgetItem(visible(name))
                item.setData(_NAME, name)
                item.setFlags(
                    Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable
                )
                item.setCheckState(_CHECKED if name in usual else Qt.CheckState.Unchecked)
                self.known.addItem(item)
        self.known.blockSignals(False)
        # As high as its columns, as long as there is room.
        lines = max(self.known.count(), 1) * self.known.sizeHintForRow(0) if self.known.count() else 0
        self.known.setMaximumHeight(lines + 2 * self.known.frameWidth() + tokens.SPACE_S)

    def _known_changed(self) -> None:
        self._attack_soon()

    def _seed_changed(self) -> None:
        self._test_soon()

    def _attack_soon(self) -> None:
        if not self.isVisible() or self._made is None:
            return
        question = (id(self._made), self.chosen)
        if question == self._asked:
            return
        try:
            work = self._document.session.attacks.linker(self.chosen)
        except WorkbenchError as error:
            self._clear(str(error))
            return
        first = self._asked is None
        self._asked = question
        self._document.runner.start(
            "Adding to what the attacker knows",
            self._document.session.attacks.learner(self.chosen),
            on_done=partial(self._show_knowledge, question),
            on_failed=self._failed,
            key=LEARN_JOB,
            latest_wins=True,
            owner=self,
        )
        self._document.runner.start(
            "Attacking the release",
            work,
            on_done=partial(self._show_link, question),
            on_failed=self._failed,
            key=LINK_JOB,
            latest_wins=True,
            owner=self,
        )
        if first:
            self._test_soon()

    def _test_soon(self) -> None:
        if not self.isVisible() or self._made is None:
            return
        try:
            work = self._document.session.attacks.membership_tester(seed=self.seed.value())
        except WorkbenchError as error:
            self.told.setText(str(error))
            self.membership.hide()
            return
        self._document.runner.start(
            "Testing who was in the table",
            work,
            on_done=partial(self._show_membership, self._made),
            on_failed=self._not_tested,
            key=MEMBERSHIP_JOB,
            latest_wins=True,
            owner=self,
        )

    def _failed(self, error: BaseException) -> bool:
        if isinstance(error, WorkbenchError):
            self._clear(str(error))
            return True
        return False

    def _not_tested(self, error: BaseException) -> bool:
        if isinstance(error, WorkbenchError):
            self.told.setText(str(error))
            self.membership.hide()
            return True
        return False

    def _clear(self, words: str = "") -> None:
        self.sentence.setText(words)
        self.charts.hide()
        self.table.hide()
        self.learned.hide()
        if not words:
            self.told.setText("")
            self.membership.hide()

    def _show_link(self, question: object, found: LinkageAttack) -> None:
        if question != self._asked:
            return
        self.attackers.set_data(attackers(found))
        self.charts.show()
        before, after = found.before, found.after
        self.sentence.setText(
            f"Whoever knows {_listed(found.known)} points at the right row with a chance of at most "
            f"{chance_percent(after.prosecutor.highest)} in the release, and of "
            f"{chance_percent(before.prosecutor.highest)} in the table itself."
        )
        rows = [
            ("Knows that the person is in it: at most", before.prosecutor.highest, after.prosecutor.highest),
            ("  on average over the rows", before.prosecutor.average, after.prosecutor.average),
            ("Knows that the person may be in it: at most", before.journalist.highest,
             after.journalist.highest),
            ("  on average over the rows", before.journalist.average, after.journalist.average),
            ("Looks for anybody in the table: on average", before.prosecutor.average, found.everybody),
            ("Rows that are alone in their group", before.uniques, after.uniques),
            ("Rows found with a chance above 20 %", before.prosecutor.at_risk, after.prosecutor.at_risk),
        ]  # fmt: skip
        lines = [(words, chance_percent(first), chance_percent(second)) for words, first, second in rows]
        if found.exact:
            lines.append(("People of whom no row can be in it", "–", chance_percent(found.absent)))
        self.table.show_lines(("The attacker", "Table", "Release"), lines)
        learned = [
            (one.column, chance_percent(one.blind), chance_percent(one.before), chance_percent(one.after))
            for one in found.learned
        ]
        heads = (
            "They guess",
            "Blindly",
            "From the table",
            "From the release",
        )
        self.learned.show_lines(heads, learned)
        self.learned.setVisible(bool(learned))

    def _show_knowledge(self, question: object, found: PairedShares) -> None:
        if question == self._asked:
            self.knowledge.set_data(found)

    def _show_membership(self, made: object, found: MembershipTest) -> None:
        if made is not self._made:
            return
        bound = found.bound
        said = (
            "Told that somebody is in the table or not, with even odds, the best attacker is right "
            f"{chance_percent(found.right)} of the time."
        )
        self.told.setText(
            said + " " + f"The promise allows nobody more than {chance_percent(bound)}."
            if bound is not None
            else said + " " + "Without a claim nothing limits other attackers."
        )
        lines = [
            ("Guessing blindly", chance_percent(0.5)),
            (
                f"Right in {2 * found.runs:,} simulated runs",
                f"{chance_percent(found.right)}  ({chance_percent(found.low)} – {chance_percent(found.high)})",
            ),
            ("The same, computed exactly", chance_percent(found.exact)),
            ("The most that ε and δ allow", "–" if bound is None else chance_percent(bound)),
            ("Says “in the table” of somebody who is", chance_percent(found.accused_in)),
            ("Says “in the table” of somebody who is not", chance_percent(found.accused_out)),
            ("Rows of the group that gives most away", f"{found.group:,}"),
        ]
        self.membership.show_lines(("The attacker", "Chance"), lines)

    def _build_knowledge(self) -> QWidget:
        knowledge = Section("The attacker knows", "The true values in these columns.", level=2)
        knowledge.add(self.known, 4)
        simulation = QHBoxLayout()
        words = label("Seed")
        words.setBuddy(self.seed)
        simulation.addWidget(words)
        simulation.addWidget(self.seed, 1)
        knowledge.add(simulation)
        knowledge.setContentsMargins(tokens.SPACE_XL, tokens.SPACE_L, tokens.SPACE_L, tokens.SPACE_XL)
        knowledge.setMinimumWidth(tokens.JOB_WIDTH + tokens.SPACE_XL)
        knowledge.content.addStretch(1)
        return knowledge

    def _build_results(self) -> QWidget:
        link = Section("Who is it?", "Exact, from counts of rows.")
        link.add(self.sentence)
        link.add(boxes.boxed(boxes.row(self.look, 1)))
        for widget in (self.question, self.charts, self.table, self.learned):
            link.add(widget)
        told = Section(
            "Was this person in the table?",
            "Simulated with a seed. The attacker knows everything but that.",
        )
        told.add(self.told)
        told.add(self.membership)
        inside = boxes.column(self.stale, link, told, 1, margins="l l xl xl", spacing="xl")
        return boxes.scrolled(inside)


def _listed(names: Sequence[str]) -> str:
    """Names as people list them."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
