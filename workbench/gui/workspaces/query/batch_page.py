"""Several questions asked together: each brings its ε, the sum is split by weight, and all are answered or none."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QWidget,
)

from workbench.core.amount_text import kept_text, read_amount
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import epsilon_down, rounded_up
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.theme import set_look, tabular_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.amount_fields import amount_field
from workbench.gui.widgets.buttons import tool_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.empty_state import EmptyState
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.haste import pressed_once
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.remove_button import RemoveButton
from workbench.gui.workspaces.query.spending import PricedBatch
from workbench.query.amounts import LARGEST_EPSILON
from workbench.query.catalogue import QUERIES, QueryDraft
from workbench.query.relevance import value_of
from workbench.session.charged_words import charged_of, charged_words

_WEIGHT = "Budget weight"
_SPLIT = (
    "The privacy budget, ε together, is split in proportion to these: twice the weight gets twice the ε, and so about "
    "half the error. At first it is the ε that was chosen for the question."
)


class BatchPage(QStackedWidget):
    """The questions, their weights and shares, and the total.

    Signals
    -------
    weighed(int, str)
        The question at this place gets another weight.
    removed(int), opened(int)
        Take it out; put it into the form.
    epsilon_chosen(str)
        What all cost together.
    add_wanted()
        Add the question in hand.
    release_wanted()
        Ask them all.
    """

    weighed = Signal(int, str)
    removed = Signal(int)
    opened = Signal(int)
    epsilon_chosen = Signal(str)
    add_wanted = Signal()
    release_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._showing = False
        self.answered = False
        """Whether exactly this batch was answered before."""
        self._shown: tuple[QueryDraft, ...] = ()
        self.weights: list[NumberField] = []
        self.shares: list[QLabel] = []
        self.empty = EmptyState(
            "query",
            "Several questions, paid for together",
            action="Add the question",
        )
        if self.empty.primary_button is not None:
            set_look(self.empty.primary_button, primary=False)  # the one accent is the button that releases
        self.empty.primary.connect(self.add_wanted)
        self.epsilon = amount_field("ε of all questions together", maximum=LARGEST_EPSILON, value=1.0)
        self.epsilon.value_changed.connect(self._epsilon_typed)
        self.release = pressed_once(QPushButton("Release all"))  # after the answers it asks all of them again
        self.release.clicked.connect(self.release_wanted)
        self.words = label(wrap=True)
        self._rows = QGridLayout()
        self._rows.setHorizontalSpacing(tokens.SPACE_S)
        self._rows.setVerticalSpacing(tokens.SPACE_XS)
        self._rows.setColumnStretch(0, 1)
        inside = QWidget()
        inside.setProperty("bare", "true")
        boxes.column(self._rows, 1, margins="0 0 s 0", inside=inside)
        scroll = QScrollArea()
        scroll.setWidget(inside)
        scroll.setWidgetResizable(True)
        set_look(self.release, primary=True)
        bottom = boxes.row(label("Together ε"), self.epsilon, 1, self.release, spacing="s")
        page = boxes.boxed(boxes.column((scroll, 1), self.words, bottom, margins="0 s 0 s", spacing="s"))
        self.addWidget(self.empty)
        self.addWidget(page)
        set_explain(self, "query.batch")

    # Showing

    def show_batch(self, drafts: tuple[QueryDraft, ...], epsilon: str) -> None:
        """Show these questions; their shares follow."""
        self._showing = True
        try:
            if len(drafts) != len(self._shown) or any(
                one.kind != other.kind or one.values != other.values or one.where != other.where
                for one, other in zip(drafts, self._shown, strict=True)
            ):
                self._make_rows(drafts)
            for field, draft in zip(self.weights, drafts, strict=True):
                if field.edit.text() != draft.weight and not field.edit.hasFocus():
                    field.edit.setText(draft.weight)
            if not self._means(epsilon) and not self.epsilon.edit.hasFocus():
                self.epsilon.edit.setText(epsilon)
        finally:
            self._showing = False
        self._shown = drafts
        self.setCurrentIndex(1 if drafts else 0)

    def _means(self, epsilon: str) -> bool:
        """Whether the field says this already, in the words of whoever typed it."""
        try:
            return self.epsilon.exact is not None and self.epsilon.exact == read_amount(epsilon)
        except WorkbenchError:
            return False

    def _make_rows(self, drafts: Sequence[QueryDraft]) -> None:
        while self._rows.count():
            item = self._rows.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.weights, self.shares = [], []
        if drafts:
            for column, words in enumerate(("Question", _WEIGHT, "Its share")):
                heading = label(words, small=True, muted=True)
                heading.setToolTip(_SPLIT if words == _WEIGHT else "")
                self._rows.addWidget(heading, 0, column)
        for place, draft in enumerate(drafts):
            what = ElidedLabel(rough_words(draft))
            weight = NumberField(
                f"{_WEIGHT} of question {place + 1}",
                minimum=0,
                open_minimum=True,
                logarithmic=True,
                compact=True,
            )
            weight.edit.setMinimumWidth(tokens.COLUMN_MIN)
            weight.setMaximumWidth(tokens.METER_WIDTH)
            weight.edit.setText(draft.weight)
            weight.set_hint(_SPLIT)
            weight.value_changed.connect(partial(self._weighed, place))
            share = label("")
            share.setFont(tabular_font())
            share.setMinimumWidth(tokens.RAIL_WIDTH - tokens.SPACE_XL)
            buttons = QHBoxLayout()
            buttons.setSpacing(tokens.SPACE_XS)
            row: list[QWidget] = [what, weight, share]
            opener = tool_button(name=f"Put question {place + 1} into the form", icon=icon("settings", "muted"))
            opener.setToolTip(opener.accessibleName())
            opener.clicked.connect(partial(self._pressed, "opened", place))
            remover = RemoveButton(f"Remove question {place + 1} from the batch")
            remover.clicked.connect(partial(self._pressed, "removed", place))
            row += [opener, remover]
            for column, widget in enumerate(row):
                self._rows.addWidget(widget, place + 1, column)
            self.weights.append(weight)
            self.shares.append(share)

    def show_priced(self, priced: PricedBatch) -> None:
        """Show what each question gets, and whether all together fit."""
        room, charge = priced.remaining, priced.charge
        own = charge.epsilon, charge.delta
        charged = own if room is None else room.price
        price, twice = charged_words(own, charged), charged[0] == 2 * charge.epsilon
        for share, plan in zip(self.shares, priced.plans, strict=False):
            amount = charged_of((plan.epsilon, plan.delta), plan.neighbours, number_known=twice)
            share.setText(f"{amount} · {plan.half_width_text}")
        self.answered = priced.answered
        if priced.open:
            self.release.setText(f"Answer the other {priced.open}")
        else:
            self.release.setText(f"Ask all again for {price}" if priced.answered else f"Release all for {price}")
        self.release.setEnabled(
            room is not None and (bool(priced.open) or (room.refusal is None and not priced.unsaid))
        )
        if room is None:
            self._say("The ledger cannot be read.", error=True)
        elif priced.open:
            self._say("Interrupted: the rest is paid for.")
        elif room.refusal is not None:
            fitting = epsilon_down(max(room.fitting, Fraction(0)))
            over = f"δ {rounded_up(charge.delta)} is too much."
            self._say(f"Over budget: {over if room.refusal.field == 'delta' else f'{fitting} would fit.'}", error=True)
        elif priced.unsaid:
            self._say("Who is protected? Say so above, or in Data: the answers hold for them.", error=True)
        elif priced.answered:
            self._say("Answered: see the ledger.")
        elif room.left is not None:
            self._say(f"Then {epsilon_down(room.left)} remains.")
        else:
            self._say("No total budget is set.")

    def show_error(self, error: WorkbenchError) -> None:
        """Say why they cannot be asked together."""
        self.show_waiting()
        self._say(str(error), error=True)

    def show_waiting(self) -> None:
        """Disable the release, as what is shown belongs to the batch before; nothing can be spent meanwhile."""
        self.release.setEnabled(False)
        if self.answered:
            self.answered = False
            self._say("")

    def _say(self, text: str, *, error: bool = False) -> None:
        self.words.setText(text)
        set_look(self.words, tone="error" if error else "none")

    # Editing

    def _weighed(self, place: int, _value: float) -> None:
        if not self._showing:
            self.weighed.emit(place, self.weights[place].edit.text().strip())

    def _pressed(self, name: str, place: int) -> None:
        (self.opened if name == "opened" else self.removed).emit(place)

    def _epsilon_typed(self, _value: float) -> None:
        if not self._showing:
            self.epsilon_chosen.emit(kept_text(self.epsilon.edit.text()))


def rough_words(draft: QueryDraft) -> str:
    """A question in a line, without checking it."""
    title = QUERIES[draft.kind].title if draft.kind in QUERIES else draft.kind
    counted = draft.kind in QUERIES and value_of(draft, "statistic") == "count"  # of no column
    named = ("by_column", *(() if counted else ("column",)), "second_column")
    columns = [str(draft.values[name]) for name in named if draft.values.get(name)]
    of = f" · {', '.join(columns)}" if columns else ""
    where = f" · {draft.where}" if draft.where.strip() else ""
    return f"{title}{of}{where}"
