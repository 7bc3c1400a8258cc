"""A column as bins or categories, with public bounds: one editor for every room that asks for that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QCompleter, QLabel, QLineEdit, QSizePolicy, QWidget

from workbench.core.params import ParamSpec
from workbench.core.schema import ColumnSpec
from workbench.core.settings import declared, matters
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.engines import first_values
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.bound_form import BoundForm
from workbench.gui.widgets.bounds_fields import BoundsFields
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.form_grid import form_grid
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.lines_edit import LinesEdit
from workbench.gui.widgets.section import Section
from workbench.gui.widgets.sentence_field import SentenceField
from workbench.gui.widgets.shown_text import show_as_text
from workbench.gui.widgets.status import Status, status_icon
from workbench.gui.widgets.steady_label import SteadyLabel
from workbench.ldp.binning import LARGEST_DOMAIN
from workbench.ldp.encoding import EncodingChoice, EncodingKind
from workbench.session.typed_bounds import bounds_typed, bounds_words, values_typed

DECLARED, TYPED, ASSUMED = "declared", "typed", "assumed"
"""Where bounds and values come from."""

_DECLARED = declared(EncodingChoice)
_ADOPT = {
    True: ("Use on every page", "Say in Data that this is public, so that Query, Collect and Compare all use it"),
    False: (
        "What occurs is public",
        "Only if anybody could name them without this table: one that a single person has would give them away",
    ),
}
_COMPLETED = 5000
_MOST_OCCURRING = 100
"""More values than this are no list that everybody knows."""


class EncodingSection(Section):
    """The column and its encoding; a subclass says whose they are, and adds what else its question has.

    It shows what `show_encoding` is given and keeps one thing of its own: where bounds and values come from while
    nothing is typed yet, which the encoding cannot say.

    Parameters
    ----------
    room
        Begins the keys of the help and of undo steps.
    asked
        The declaration of the column.

    Signals
    -------
    data_requested()
        The person wants to declare in the Data workspace what is public.
    """

    data_requested = Signal()

    fixes_how: ClassVar[bool] = False
    """Whether bounds or values that are typed also fix the way to encode."""

    types_undeclared: ClassVar[bool] = False
    """Whether fields for bounds, or for a list of values, stand open where none are known."""

    def __init__(self, document: Document, room: str, asked: ParamSpec, parent: QWidget | None = None) -> None:
        super().__init__("Question", parent=parent)
        self.document = document
        self._room, self._asked = room, asked
        self._shown = EncodingChoice()
        self._from = DECLARED
        self._about: object = None
        self.column = ElidingComboBox(asked.title)
        self.column.setPlaceholderText(asked.placeholder)
        self.answer = QLineEdit()
        self.encoding = self._bound("encoding", answer=self.answer)
        self.others = self._bound("others")
        self.how, self.bins, self.edges = self.encoding["how"], self.encoding["bins"], self.encoding["edges"]
        self.unit, self.outside, self.absent = self.encoding["unit"], self.others["outside"], self.others["absent"]
        self.source = ElidingComboBox(
            "Where the possible values come from",
            [("Declared in Data", DECLARED), ("Typed here", TYPED), ("Read from the data", ASSUMED)],
        )
        self.bounds = BoundsFields()
        values = _DECLARED["domain"].spec
        self.values = LinesEdit(values.title)
        self.values.setPlaceholderText(values.placeholder)
        self.values.splits_pasted = self.values.splits_typed = True  # of one value alone nothing is asked
        self._icon = IconLabel(status_icon(Status.INFO), tokens.ICON_SMALL, "muted")
        keeps = self._icon.sizePolicy()
        keeps.setRetainSizeWhenHidden(True)
        self._icon.setSizePolicy(keeps)
        self.said = SteadyLabel()
        set_look(self.said, muted=True)
        self.declare = push_button("Declare in Data…", self.data_requested, quiet=True)
        self.adopt = push_button("Declare", self._declare, quiet=True)
        self._side_by_side = boxes.row(self.declare, self.adopt, 1, spacing="s")
        for offer in (self.declare, self.adopt):
            self._side_by_side.setAlignment(offer, Qt.AlignmentFlag.AlignLeft)
        self._offers = boxes.boxed(self._side_by_side)
        # The buttons come and go while one types; the line stays as high.
        self._offers.setMinimumHeight(tokens.CONTROL_HEIGHT)
        for unseen in (self.adopt, self._offers):
            unseen.hide()
        self._to_declare: tuple[tuple[float, float] | None, tuple[str, ...] | None] = (None, None)
        self._of_list = self._of_table = self._from_elsewhere = False
        self._usual_offers, self._held = tokens.CONTROL_HEIGHT, 0
        self._rows: dict[str, tuple[QLabel, QWidget]] = {}
        self.column.activated.connect(self._choose_column)
        self.source.activated.connect(self._choose_source)
        self.bounds.changed.connect(self._set_bounds)
        self.values.typed.connect(self._set_values)

    def _bound(self, group: str, **fields: QWidget) -> BoundForm:
        form = BoundForm(self._room, lambda: self._shown, group, fields=fields, parent=self)
        form.edited.connect(self._edit)
        return form

    # What a subclass says

    def asked_column(self) -> str:
        """The name of the column that is asked about; "" for none."""
        raise NotImplementedError

    def choose_column(self, spec: ColumnSpec) -> None:
        """The person asks about another column."""
        raise NotImplementedError

    def change_encoding(
        self, words: str, edit: Callable[[EncodingChoice], EncodingChoice], *, merge: str = "", reset: bool = False
    ) -> None:
        """Change the encoding; with `reset` the answers are other ones than before."""
        raise NotImplementedError

    def show_again(self) -> None:
        """Show what is in force, after a choice that changed nothing but where values come from."""
        raise NotImplementedError

    def offered_values(self, column: str) -> Sequence[str]:
        """The values of a column that are offered where one is typed.

        Before anybody looked at the data only what is declared; afterwards the values of the data.
        """
        session = self.document.session
        schema = session.project.schema
        if not self.document.has_data or column not in schema.names:  # also answers may be asked about that are typed
            return ()
        if self.document.looked:
            return first_values(session.data.reading.table, column, _COMPLETED)
        return schema[column].declared().domain or ()

    # Building

    def column_row(self) -> tuple[str, str, QWidget]:
        """The column, for `lay_out`."""
        return "column", self._asked.label, self.column

    def bounds_row(self) -> tuple[str, str, QWidget]:
        """The public bounds, for `lay_out`."""
        return "bounds", _DECLARED["bounds"].spec.label, self.bounds

    def lay_out(self, rows: Iterable[tuple[str, str, QWidget]], least_label: int = 0) -> None:
        """Put the fields below each other, then the possible values, and what is said of them."""
        grid = form_grid()
        if least_label:
            grid.setColumnMinimumWidth(0, least_label)
        for name, title, field in rows:
            field.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            named, row = label(title), grid.rowCount()
            if isinstance(field, SentenceField):  # below its name it has more letters in a line
                grid.addWidget(named, row, 0, 1, 2)
                grid.addWidget(field, row + 1, 0, 1, 2)
            else:
                grid.addWidget(named, row, 0)
                grid.addWidget(field, row, 1)
            self._rows[name] = named, field
            if name == "bounds":
                # Beside what it is about, so that nobody types the same bounds in room after room.
                grid.addWidget(self._offers, row + 1, 0, 1, 2)
                grid.addWidget(self.values, row + 2, 0, 1, 2)
                words = boxes.row((self._icon, Qt.AlignmentFlag.AlignTop), (self.said, 1), spacing="s")
                grid.addLayout(words, row + 3, 0, 1, 2)
        self.add(grid)

    # Showing

    @property
    def valid(self) -> bool:
        """Whether every field shows the value that is in force."""
        return self.encoding.valid and self.others.valid

    @property
    def comes_from(self) -> str:
        """Where bounds and values come from."""
        return self._from

    def show_columns(self, names: Sequence[str], chosen: str, beside: str = "") -> bool:
        """Offer the columns, and show the one that is asked about; whether it is there.

        Parameters
        ----------
        beside
            What is offered after them that is no column; "" for nothing.
        """
        every = [*names, *([None] if beside else [])]
        if [self.column.itemData(row) for row in range(self.column.count())] != every:
            self.column.clear()
            for name in names:
                self.column.addItem(name, name)
            if beside:
                self.column.addItem(beside, None)
        known = chosen in names
        self.column.setCurrentIndex(list(names).index(chosen) if known else -1)
        return known

    def show_rows(self, wanted: Mapping[str, bool]) -> None:
        """Show or hide lines of the form."""
        for name, shown in wanted.items():
            for widget in self._rows[name]:
                widget.setVisible(shown)

    def show_encoding(
        self,
        spec: ColumnSpec | None,
        choice: EncodingChoice,
        how: EncodingKind | None,
        offered: Sequence[EncodingKind],
        *,
        bounded: bool,
        listed: bool,
        about: object,
    ) -> None:
        """Show an encoding.

        Parameters
        ----------
        spec
            The column; None if there is none.
        how
            The way that is in force, None if it does not go with the column.
        offered
            The ways that go with it.
        bounded, listed
            Whether bounds, or a list of possible values, are needed.
        about
            What is asked about: with another one, nothing is typed yet.
        """
        self._shown = replace(choice, how=how)
        if spec is not None:
            self.encoding.offer("how", [(one.words, one) for one in offered])
            self.bounds.show_bounds(spec, choice.bounds)
        self.encoding.refresh()
        self.others.refresh()
        self.show_rows({name: matters(self._shown, name) for name in self.encoding.fields if name in self._rows})
        self.values.show_text("\n".join(choice.domain or ()))
        other = spec is not None and self._about != about
        if choice.assume_public:
            self._from = ASSUMED
        elif (bounded and choice.bounds is not None) or (listed and choice.domain is not None):
            self._from = TYPED
        elif self._from == ASSUMED or other:
            self._from = DECLARED
        if self._from == DECLARED and self.types_undeclared and (bounded or listed) and spec is not None:
            known = spec.bounds if bounded else spec.domain
            self._from = DECLARED if known is not None else TYPED
        if spec is not None and other:
            self._complete(spec.name)
            self._about = about
            self.said.start_over()
            self._usual_offers, self._held = tokens.CONTROL_HEIGHT, 0
        self.source.choose(self._from)
        by_hand = self._from == TYPED
        self.show_rows({"source": bounded or listed, "bounds": bounded and by_hand})
        self.values.setVisible(listed and by_hand)
        self._offer_declaring(spec, choice, bounded=bounded, listed=listed)

    def _offer_declaring(self, spec: ColumnSpec | None, choice: EncodingChoice, *, bounded: bool, listed: bool) -> None:
        """Offer to say once, for every room, what was typed here, or that what was read from the data is public."""
        self._of_list = listed
        # Of an empty list nothing is typed yet.
        here = self._from == TYPED and not (listed and choice.domain is None)
        bounds, domain = (choice.bounds, choice.domain) if here else (None, None)
        if spec is not None and not here and self._from != ASSUMED:
            bounds, domain = (getattr(spec, one) if one in spec.observed else None for one in ("bounds", "domain"))
            # Whether there are few enough to be listed would tell of the values.
            if listed and spec.domain is None and self.document.looked:
                domain = self._occurring(spec.name)
        # Of what is only typed there is no column of which anything could be declared.
        names = self.document.project.schema.names if self.document.has_data else ()
        self._of_table = spec is not None and spec.name in names and spec.name == self.asked_column()
        public = spec.declared() if spec is not None and self._of_table else None
        self._to_declare = (
            bounds if bounded and public is not None and bounds != public.bounds else None,
            domain if listed and public is not None and domain != public.domain else None,
        )
        said, tip = _ADOPT[here]
        self._from_elsewhere = public is not None and self._to_declare == (None, None)
        if public is not None and self._to_declare == (None, None):
            # Nobody should have to type the same in room after room.
            tip = "As typed in {}; every page then uses it"
            if bounded and public.kind.numeric and (public.bounds, choice.bounds) == (None, None):
                known = bounds_typed(self.document.project, public.name)
                bought = self.document.session.queries.bought_of(public.name) if known is None else None
                if known is not None:
                    self._to_declare = known[0], None
                    said, tip = f"Use {bounds_words(known[0])}", tip.format(known[1])
                elif bought is not None:
                    self._to_declare = bought.ends, None
                    said = f"Use {bought.lower} to {bought.upper}, bought"
                    tip = f"An answer of Query on {bought.when}, paid for; every page then uses it"
            elif listed and (public.domain, choice.domain) == (None, None):
                listing = values_typed(self.document.project, public.name)
                if listing is not None:
                    self._to_declare = None, listing[0]
                    said, tip = f"Use the {len(listing[0]):,} from {listing[1]}", tip.format(listing[1])
        self.adopt.setText(said)
        self.adopt.setAccessibleName(said)
        self.adopt.setToolTip(tip)
        self.adopt.setVisible(self._to_declare != (None, None))

    def offer_data(self, wanted: bool) -> None:
        """Offer to declare in Data what is missing, where what is typed here is offered to be declared otherwise."""
        # Once a list is begun, it is offered by itself: a second line would move what is typed at the first letter.
        begun = bool(self.values.toPlainText()) and not self.adopt.isHidden()
        self.declare.setVisible(wanted and not (self._of_list and begun))
        typed = not (self.bounds.isHidden() and self.values.isHidden())
        self._offers.setVisible(self._of_table and (wanted or typed or not self.adopt.isHidden() or self._held > 0))
        # Side by side these words would widen the pane they are in. Lines that were there stay, so that nothing moves.
        directions, both = QBoxLayout.Direction, not (self.declare.isHidden() or self.adopt.isHidden())
        below = self._of_list or (both and self._from_elsewhere)
        self._side_by_side.setDirection(directions.TopToBottom if below else directions.LeftToRight)
        held = 0 if typed else self._held
        self._offers.setMinimumHeight(max(self._usual_offers, self._side_by_side.sizeHint().height(), held))
        self._usual_offers = max(self._usual_offers, self._side_by_side.sizeHint().height())
        self._offers.updateGeometry()  # which another direction alone does not tell what is around it

    def _occurring(self, name: str) -> tuple[str, ...] | None:
        """The values that a column has, to be declared by somebody who says that they are public; None if too many."""
        if not self.document.has_data or name not in self.document.project.schema.names:
            return None
        values = first_values(self.document.session.data.reading.table, name, _MOST_OCCURRING + 2)
        missing = self.document.project.schema[name].missing
        found = tuple(sorted(one for one in values if one not in missing and one.strip()))
        return found if 1 < len(found) <= _MOST_OCCURRING else None

    def _declare(self) -> None:
        """Declare bounds or values for the column.

        What was typed here stays: it says the same, so that what was found of it stays, and no field moves away.
        """
        name, (bounds, domain) = self.asked_column(), self._to_declare
        if name not in self.document.project.schema.names:
            return
        done = True
        if self._from_elsewhere:
            self._hold()
            self._from = DECLARED  # nothing was typed here: what is declared now is what is asked by
        if bounds is not None:
            done = self.document.apply(f"Declare {name}", lambda session: session.data.set_bounds(name, bounds))
        if domain is not None and done:
            self.document.apply(f"Declare {name}", lambda session: session.data.set_domain(name, domain))

    def _hold(self) -> None:
        """Let the lines keep their room that go as what they asked for is there, so that nothing moves meanwhile."""
        name = "bounds" if self._to_declare[0] is not None else ""
        gone = self._rows["bounds"][1] if name else self.values
        self._held = self._offers.height() + (gone.height() + tokens.SPACE_XS if gone.isVisibleTo(self) else 0)

    def say(self, status: Status, text: str) -> None:
        """Show what the question leads to, or what is missing."""
        self._icon.set_icon(status_icon(status), status.value)
        self._icon.setVisible(bool(text))
        self.said.setText(text)
        set_look(self.said, tone=status.value if status in (Status.ERROR, Status.WARNING) else "none")

    def _complete(self, name: str) -> None:
        """Offer values of the column where one of them is typed."""
        completer = QCompleter(self.offered_values(name), self.answer)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        show_as_text(completer)
        self.answer.setCompleter(completer)

    # Editing

    def _choose_column(self, _row: int) -> None:
        name = str(self.column.chosen)
        schema = self.document.project.schema
        if name != self.asked_column() and name in schema.names:  # the list may be that of the table before
            # What was typed about one column says nothing about another.
            self._from = DECLARED
            self.choose_column(schema[name])

    def _edit(self, name: str, value: Any, words: str, merge: str) -> None:
        # Another value that is asked for makes no other answers: still no and yes.
        self.change_encoding(
            words, lambda choice: replace(choice, **{name: value}), merge=merge, reset=name != "answer"
        )

    def _choose_source(self, _row: int) -> None:
        schema = self.document.project.schema
        if self.asked_column() not in schema.names:
            return  # none is chosen, or the data that had it is gone
        self._from = str(self.source.chosen)
        public = schema[self.asked_column()].declared()
        assumed, by_hand = self._from == ASSUMED, self._from == TYPED
        how = EncodingKind(str(self.how.chosen)) if self.how.chosen is not None else None

        def edit(choice: EncodingChoice) -> EncodingChoice:
            return replace(
                choice,
                assume_public=assumed,
                bounds=public.bounds if by_hand else None,
                domain=public.domain if by_hand and how is EncodingKind.CATEGORIES else None,
                how=how if by_hand and self.fixes_how else choice.how,
            )

        self.change_encoding(_DECLARED["assume_public"].spec.undo, edit, reset=True)
        self.show_again()

    def _set_bounds(self, bounds: tuple[float, float]) -> None:
        self.change_encoding(
            _DECLARED["bounds"].spec.undo,
            lambda choice: replace(choice, bounds=bounds, assume_public=False),
            merge=f"{self._room} bounds",
        )

    def _set_values(self, text: str) -> None:
        values = tuple(line for line in text.split("\n") if line.strip())[: LARGEST_DOMAIN + 1]
        self.change_encoding(
            _DECLARED["domain"].spec.undo,
            lambda choice: replace(choice, domain=values or None, assume_public=False),
            reset=True,
        )
