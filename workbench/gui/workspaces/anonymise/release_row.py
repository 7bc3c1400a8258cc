"""The line of a column in an (ε, δ) release, whose level may be decided elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QBoxLayout, QWidget

from workbench.anonymise.balanced import Importance
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.calm_wheel import CalmWheel
from workbench.gui.widgets.eliding_combo import FACE, HEADING, ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.workspaces.anonymise.column_row import (
    PROBLEM_ROW,
    STATE_COLUMNS,
    STATE_ROW,
    ColumnRow,
    ColumnTreatment,
)
from workbench.gui.workspaces.anonymise.level_chips import short_words
from workbench.gui.workspaces.anonymise.said_field import SaidField
from workbench.session.release.wishes import plain_level, telling_levels

UNCHANGED = (0, 0)
"""The limits of levels between which a column stays as it is."""
_GROUPS = " groups"
_ONE_LINE = 700
"""So many pixels have room for a wish and for what becomes of the column in one line."""
_WISH_WIDTH = tokens.METER_WIDTH + tokens.SPACE_XL


LEAVE_OUT = "leave out"
"""Choice beside how long a column is kept."""
_HOW_FINE = "How fine this column comes out, or how long it is kept from becoming *"
_TIPS = {
    Importance.KEEP: "The others become * before it",
    Importance.NORMAL: "Becomes coarser, and at last *, where the other columns have fewer values left",
    Importance.GIVE_UP: "Becomes * before the others",
}


_ALWAYS, _NEVER, _ORDER = "Always so: others lose more rare values", "At most so: more is left to others", "In turn"
"""Headings above the wishes of a kind, which say what they do to the other columns."""
_FEWER = "Rows that are too few for that do not come out"


def at_least(level: int) -> str:
    """The wish that no step is coarser than a level."""
    return f"at least {level}"


def at_most(level: int) -> str:
    """The wish that no step is finer than a level."""
    return f"at most {level}"


def exactly(level: int) -> str:
    """The wish that every step has one level."""
    return f"exactly {level}"


class ReleaseRow(ColumnRow):
    """A column whose level may be decided elsewhere, and that trimming does not let pass ungrouped.

    Signals
    -------
    wish_chosen(str, str)
        What is wished of the column of that name: an `Importance`, `at_least`, `at_most` or `exactly` of a level, or
        `LEAVE_OUT`.
    said(str, str)
        What can occur in the column of that name was typed.
    knowledge_requested(str)
        All that is known without the file is to be asked for, beginning with the column of that name.
    """

    wish_chosen = Signal(str, str)
    said = Signal(str, str)
    knowledge_requested = Signal(str)

    asks = False
    """Whether it makes a difference what can occur."""
    _below = False
    """Whether levels stand below the line."""
    _said_in_line = True
    """Whether the button that asks what occurs stands in the line."""

    def __init__(self, name: str, wheel: CalmWheel, parent: QWidget | None = None) -> None:
        self.group_it = push_button(
            "Group it as it is", name=f"Group {name} as it is", explain="anonymise.treatment", quiet=True
        )
        self.wish = ElidingComboBox(f"How fine {name} is wished")
        self.wish.setToolTip(_HOW_FINE)
        self.wish.setProperty("low", "true")
        set_explain(self.wish, "anonymise.wish")
        wheel.guard(self.wish)
        self.said_field = SaidField(name)
        self.said_field.said.connect(lambda words: self.said.emit(name, words))
        self.said_field.all_requested.connect(lambda: self.knowledge_requested.emit(name))
        super().__init__(name, wheel, parent)
        self.wish.activated.connect(self._choose_wish)
        self.group_it.clicked.connect(self._ask_group)

    @property
    def controls(self) -> tuple[QWidget, ...]:
        *others, menu, last = super().controls
        said = self.said_field
        return (*others, self.wish, said.button, menu, said.edit, said.all, self.group_it, last)

    def _beside_state(self) -> tuple[QWidget, ...]:
        return (self.wish,)

    def _lay_out(self) -> None:
        super()._lay_out()
        self._grid.addWidget(self.group_it, PROBLEM_ROW + 1, 1, 1, 5, Qt.AlignmentFlag.AlignLeft)
        self._grid.addWidget(self.said_field, PROBLEM_ROW + 2, 1, 1, 5)
        self._second = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._second.setSpacing(tokens.SPACE_S)
        self._grid.addLayout(self._second, STATE_ROW, *STATE_COLUMNS)
        self._add_beside(self.said_field.button)

    def _share_room(self) -> None:
        super()._share_room()
        if not self.wish.isHidden():  # no chips beside it, and levels without room stand below the line
            wide = min(self._wanted_name, max(self._name.width(), self.width() // 3))
            self._name.setFixedWidth(max(self._name.width(), wide))
        self.wish.setFixedWidth(min(max(_WISH_WIDTH, self.width() * 3 // 7), _WISH_WIDTH + 2 * tokens.SPACE_XL))
        self._place_state()

    def _place_state(self) -> None:
        """Levels that have no room in the line stand below it, whole; what is wished of the column has theirs."""
        hidden = self._instead.isHidden()
        asks = self.wish if not self.wish.isHidden() else None
        room = self.width() - self._name.width() - self._role.width() - self.treatment.width() - 2 * tokens.SPACE_S
        parts = (self.attach, self.declare, *((self.said_field.button,) if self.roomy else ()))
        taken = sum(part.sizeHint().width() for part in parts if not part.isHidden())
        wide = 0
        if asks is not None:
            faces = asks.face, Importance.NORMAL.words  # as wide as one that nobody asked anything of
            text = max(map(asks.fontMetrics().horizontalAdvance, faces)) + 2 * tokens.SPACE_XL
            wide = max(asks.width(), min(text, room))
            asks.setFixedWidth(wide)
        crowded = self._state.sizeHint().width() + taken + wide > room
        # Where a wish can be chosen all lines are as high, so that none slides under the pointer when one changes.
        two = asks is not None and self.width() < _ONE_LINE
        below = not hidden and (crowded or two)
        self._grid.setRowMinimumHeight(STATE_ROW, self._state.fontMetrics().lineSpacing() if two else 0)
        if below is not self._below:
            self._below = below
            if below:
                self._second.insertWidget(0, self._state, 1)
            else:
                self._state_line().insertWidget(0, self._state, 1)
            self._state_line().setAlignment(self.wish, Qt.AlignmentFlag.AlignRight)  # also without what fills the line
        self._state.setVisible(not hidden)
        self._state.setUpdatesEnabled(
            True
        )  # it may have moved while the room was being dressed, and then stays unpainted

    def _state_line(self) -> QBoxLayout:
        line = self._instead.layout()
        assert isinstance(line, QBoxLayout)
        return line

    def show_state(self, words: str, *, bare: bool = False) -> None:
        super().show_state(words, bare=bare)
        self._share_room()

    def _show_level(self, hierarchy: Hierarchy, level: int) -> None:
        super()._show_level(hierarchy, level)
        self._share_room()

    def show_said(self, words: str, example: str) -> None:
        """Show what was said of the values that can occur."""
        self.said_field.show_said(words, example)
        self.asks = True
        self._keep_place()
        self._place_said()

    def _place_said(self) -> None:
        """The button in the line where that is long, else at the end of the one below it."""
        button = self.said_field.button
        if self.roomy is not self._said_in_line:
            self._said_in_line = self.roomy
            if self.roomy:
                self._add_beside(button)
            else:
                self._second.addWidget(button, 0, Qt.AlignmentFlag.AlignRight)
        button.setVisible(self.asks and (self.roomy or not self.wish.isHidden()))

    def _keep_place(self) -> None:
        """Lines stand below each other, with the button or without."""
        keeps = self.said_field.button.sizePolicy()
        keeps.setRetainSizeWhenHidden(self.roomy)
        self.said_field.button.setSizePolicy(keeps)

    def hide_said(self) -> None:
        """Hide the field for what can occur, since that makes no difference."""
        self.asks = False
        self._keep_place()
        self.said_field.button.hide()
        self.said_field.hide()

    def show_ladder(
        self,
        levels: Sequence[str],
        examples: Sequence[str],
        parts: Mapping[str, str],
        *,
        is_open: bool = False,
        finer: str = "",
        costs: str = "",
    ) -> None:
        """Show the levels of all steps in words, and with examples where the pointer rests.

        Parameters
        ----------
        parts
            In about which part of the rows it is likely to come out at each of these levels; none where nobody knows.
        is_open
            Whether that was worked out and says nothing.
        finer
            The level before the first, where nobody wished the column to be no finer.
        costs
            What it leaves of the others where it is wished always to be fine.
        """
        told = str if self.roomy else short_words
        short = list(dict.fromkeys(map(told, levels)))
        # “26 → 7 groups” is read faster than the word twice.
        for place, (one, after) in enumerate(pairwise(short)):
            if one.endswith(_GROUPS) and (after.endswith(_GROUPS) or not self.roomy):
                short[place] = one.removesuffix(_GROUPS)
        words = "* in every row" if short == [ANY] else " → ".join(short)
        if parts and self.roomy and not costs:
            words = ", ".join(f"{told(level)} {part}" for level, part in parts.items())
        if finer:
            words += f"; in {told(finer)} too few are alike"
        elif is_open:
            words += ", in how many rows is open"
        if costs:
            words += f"; {costs}"
        self.show_state(words)
        steps = [f"Step {number}: {words}" for number, words in enumerate(examples, start=1)]
        if parts or is_open:
            steps += [
                "",
                "An estimate from what is public, and no bound: no row was read for it.",
                "Say what occurs, and how many there are, and it becomes closer.",
            ]
        if finer or parts or is_open:
            steps.append("Finer, a group would have too few rows: “… or finer” has it all the same, in fewer rows.")
        self._state.setToolTip("\n".join(steps))
        set_look(self._state, tone="none")

    def show_gives_way(self, wished: str) -> None:
        """Say beside the levels that they are coarser than what was wished."""
        self.show_state(f"only {self._words}")
        set_look(self._state, tone="warning")
        self._state.setToolTip(
            f"Wished: {wished}. There are too few rows for that beside the other columns: leave one of them out, say "
            "what occurs in them, or raise ε."
        )

    def show_wish(self, wish: str, hierarchy: Hierarchy | None) -> None:
        """Show what is wished, among what can be: levels by name, how long it is kept, or that it is left out."""
        offered = self._offered(hierarchy, wish)
        shown = [(self.wish.itemText(row), self.wish.itemData(row)) for row in range(self.wish.count())]
        if shown != [(text, data) for text, data, _, _ in offered]:
            self.wish.clear()
            for place, (text, data, face, tip) in enumerate(offered):
                if data == HEADING:
                    self.wish.add_heading(text)
                    continue
                self.wish.addItem(text, data)
                self.wish.setItemData(place, face, FACE)
                self.wish.setItemData(place, tip, Qt.ItemDataRole.ToolTipRole)
        self.wish.choose(wish)
        self.wish.show()
        self._share_room()

    def _offered(self, hierarchy: Hierarchy | None, wish: str) -> list[tuple[str, str, str, str]]:
        """Wishes on offer: each as the list has it, its value, as the closed list has it, and its consequence."""
        told, own = telling_levels(hierarchy), 0 if hierarchy is None else plain_level(hierarchy)
        if own and wish not in (at_least(0), at_most(own), exactly(own)):
            told = told[-1:]
        words = {level: self.level_words(hierarchy, level, example=False) for level in told}
        normal, keep, give_up = Importance.NORMAL, Importance.KEEP, Importance.GIVE_UP
        offered = [(normal.words, str(normal.value), "", _TIPS[normal])]
        offered.append(("Leave out", LEAVE_OUT, "Left out", "Not in the release"))
        stays = hierarchy is not None and hierarchy.says_nothing(hierarchy.height)
        coarser = [level for level in told if level > own]
        if stays and told:
            offered.append((_ALWAYS, HEADING, "", ""))
        for level in coarser if stays else ():
            tip = f"Every row says {self.level_words(hierarchy, level)}, no more and no less. {_FEWER}"
            offered.append((f"Exactly {words[level]}", exactly(level), short_words(f"exactly {words[level]}"), tip))
        for level in told if stays else ():
            finer = f"{words[level]} or finer" if level > own else "its own value"
            tip = f"Every row says {self.level_words(hierarchy, level)}{' or more' * (level > own)}. {_FEWER}"
            offered.append((f"Always {finer}", at_least(level), short_words(finer), tip))
        if coarser:
            offered.append((_NEVER, HEADING, "", ""))
        for level in coarser:
            tip = f"No row says more than {self.level_words(hierarchy, level)}: that saves detail for other columns"
            offered.append(
                (f"Never finer than {words[level]}", at_most(level), short_words(f"{words[level]} or coarser"), tip)
            )
        offered.append((_ORDER, HEADING, "", ""))
        offered += [(one.words, str(one.value), "", _TIPS[one]) for one in (keep, give_up)]
        return offered

    def _choose_wish(self, _row: int) -> None:
        self.wish_chosen.emit(self.name, str(self.wish.chosen))

    def show_mechanism(self, trims: bool, kept: bool) -> None:
        """Offer to let the column pass through only where that is possible, and say what helps where it is not."""
        place = self.treatment.findData(ColumnTreatment.KEEP)
        model = self.treatment.model()
        if isinstance(model, QStandardItemModel):
            model.item(place).setEnabled(not trims)
        self.treatment.setItemText(place, "Pass through (needs sampling)" if trims and not kept else "Pass through")
        refused = trims and kept
        self.group_it.setVisible(refused)
        if refused:
            self.show_state("passes through")
            self._problem.setText(
                "Trimming releases groups alone, so this column cannot pass through ungrouped. Group it, leave it "
                "out, or choose sampling as the mechanism."
            )
            set_look(self._problem, tone="error")
            self._problem.show()

    def _ask_group(self) -> None:
        self.chosen.emit(self.name, ColumnTreatment.AS_IS)

    def show_decided(self, hierarchy: Hierarchy, limits: tuple[int, int], drawn: bool, waiting: bool) -> None:
        """Show that a degree or a draw decides about the level.

        Parameters
        ----------
        hierarchy
            Of the column.
        limits
            Between which levels it may.
        drawn
            The level that is shown was drawn.
        waiting
            It is still to be drawn.
        """
        self.slider.setEnabled(False)
        self.treatment.setCurrentIndex(
            self.treatment.findData(ColumnTreatment.AS_IS if limits == UNCHANGED else ColumnTreatment.GENERALISE)
        )
        low, high = limits
        if waiting:
            least, most = self.level_words(hierarchy, low), self.level_words(hierarchy, high)
            self.show_state(f"stays {least}" if low == high else f"to be drawn: from {least} to {most}")
        elif drawn and low < high:
            self._words = f"drawn: {self._words}"
            self.slider.setToolTip(self._words)
        self.slider.setAccessibleDescription(self._words)
