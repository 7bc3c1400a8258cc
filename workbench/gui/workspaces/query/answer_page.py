"""An answer that was paid for: its value with the interval, drawn where it has cells, to be copied and exported."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QMenu, QPushButton, QScrollArea, QStackedWidget, QWidget

from workbench.core.progress import Progress
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.icons import icon
from workbench.gui.theme import set_look, tabular_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import Badge
from workbench.gui.widgets.buttons import push_button, tool_button
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.empty_state import EmptyState
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.folded_words import FoldedWords
from workbench.gui.widgets.haste import pressed_once
from workbench.gui.widgets.heat_table import HeatTable
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.save_place import ask_file
from workbench.gui.widgets.status import Status
from workbench.gui.widgets.view_switch import ViewSwitch
from workbench.io.atomic import atomic_write
from workbench.plots import answer_interval, private_bars
from workbench.query.answer import AnswerForm, ReleasedAnswer
from workbench.query.plans import QueryPlan
from workbench.query.read_then import Otherwise
from workbench.session.answer_chart import (
    axis_of,
    bars_chart,
    caption,
    interval_chart,
    share_words,
    shares_chart,
    stem_of,
)
from workbench.session.answer_facts import answer_notes, made_words
from workbench.session.answer_files import as_csv, as_json, copied
from workbench.session.answer_numbers import rounded_cells, rounded_pairs
from workbench.session.answer_shares import asked_as_shares, shares_of
from workbench.session.beyond_bounds import beyond_said, counted_beyond
from workbench.session.known_total import known_total
from workbench.session.noise_alone import noise_alone
from workbench.session.plain_answers import PlainAnswer
from workbench.session.query_answers import PaidAnswer
from workbench.session.query_words import BOUNDS, bounds_words, interval_words, value_words
from workbench.session.row_counts import drawn_words
from workbench.session.standing import number_at_stake

_MOST_ROWS, _MOST_COLUMNS = 2000, 60
"""More cells of a table are in the export only."""
_SHARES_VIEW = 1
_HEADS = {"at least": "95 %: at least", "at most": "95 %: at most"}


class _Drawn(QStackedWidget):
    """A picture or table as high as is left, so that in a low window all of it is seen; lower no axis can be read."""

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumHeight(tokens.FIELD_WIDTH + tokens.SPACE_XS)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.minimumHeight())


class AnswerPage(QStackedWidget):
    """Shows one answer.

    Signals
    -------
    again_wanted()
        Ask the same question anew, which costs again.
    bounds_wanted(str, float, float)
        Declare an answer as the bounds of a column.
    limited_wanted(object)
        Ask how many values the bounds of this `PaidAnswer` limited.
    noted(str, str)
        A message of a kind and its text.
    """

    again_wanted = Signal()
    bounds_wanted = Signal(str, float, float)
    limited_wanted = Signal(object)
    noted = Signal(str, str)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.shown: PaidAnswer | None = None
        self.plain: PlainAnswer | None = None
        self._known: tuple[PaidAnswer, ...] = ()
        self._viewed: Mapping[str, Any] = {}
        self._empty = EmptyState("query", "Released answers appear here")
        self.title = label(wrap=True, selectable=True, strong=True)
        self.state = Badge(Status.SUCCESS, "Answer to this question")
        self.value = label(heading=1, selectable=True, wrap=True)
        self.value.setFont(tabular_font())
        self.interval = label(wrap=True, selectable=True)
        self.of_draw = FoldedWords("What the draw of rows adds", lines=3)
        self.made = ElidedLabel()
        set_look(self.made, muted=True, small=True)
        self.notes = label(small=True, wrap=True, selectable=True)
        self.problem = label(wrap=True, selectable=True, tone="error")
        self.copy = tool_button(name="Copy the answer", icon=icon("copy"), tip="Copy the answer")
        self.export = push_button("Save…", self._open_save, icon=icon("save", "link"), quiet=True)
        self.export.setToolTip("Save the picture with its caption, the numbers, or everything it was made with")
        # It spends at one press, which its words say; the answer may come before the second half of a double click.
        self.again = pressed_once(QPushButton("Ask again"))
        self.bounds = QPushButton("Use as bounds")
        self.bounds.setToolTip("Declare them as the public bounds of the column")
        self.limited = QPushButton("How many were limited?")
        self.limited.setToolTip("Ask for a noisy count of the values beyond the bounds; it has a price of its own")
        self.chart = ChartView("The answer", private_bars, document.runner)
        self.list = HeatTable("The answer as a table")
        self.table = HeatTable("The answer for pairs of cells")
        self.line = ChartView("The answer and where the truth lies", answer_interval, document.runner)
        self.shares = ChartView("The shares", private_bars, document.runner)
        self.views = ViewSwitch("The answer", ((self.chart, "Chart"), (self.shares, "Shares"), (self.list, "Table")))
        self._drawn = _Drawn()
        self._blank = QWidget()
        self._lay_out()
        set_explain(self, "query.answer")
        self.copy.clicked.connect(self.copy_answer)
        self.again.clicked.connect(self.again_wanted)
        self.bounds.clicked.connect(self._use_bounds)
        self.limited.clicked.connect(lambda: self.limited_wanted.emit(self.shown))
        for chart in (self.chart, self.shares, self.line):
            chart.noted.connect(self.noted)
        self.clear()

    @property
    def in_shares(self) -> bool:
        """Whether shares are what is seen of the answer."""
        return self.shares.data is not None and self.views.pages.currentWidget() is self.shares

    def _lay_out(self) -> None:
        page = QWidget()
        self._head = boxes.boxed(boxes.row((self.title, 1), (self.state, Qt.AlignmentFlag.AlignTop), spacing="s"))
        facts = boxes.row((self.made, 1), self.copy, self.export, self.bounds, self.again, spacing="xs")
        for chart in (self.chart, self.shares, self.line):
            chart.setMinimumHeight(tokens.METER_WIDTH)  # in a low window there must be room for the ledger too
        for view in (self._blank, self.views, self.table, self.line):
            self._drawn.addWidget(view)
        layout = boxes.column(self._head, margins="0 s 0 0", spacing="xs", inside=page)
        about = boxes.row((self.interval, 1), self.limited, spacing="s")
        layout.addWidget(self.value)
        layout.addLayout(about)
        layout.addWidget(self.of_draw)
        layout.addWidget(self.notes)
        layout.addWidget(self.problem)
        layout.addLayout(facts)
        layout.addWidget(self._drawn, 1)
        self.addWidget(self._empty)
        # In a low window the words of an answer may have no room: they are scrolled to, and never cut.
        page.setProperty("bare", "true")
        self.area = QScrollArea()
        self.area.setWidget(page)
        self.area.setWidgetResizable(True)
        self.addWidget(self.area)

    # Showing

    def clear(self) -> None:
        """There is no answer."""
        self.shown = self.plain = None
        self.bounds.hide()
        self.limited.hide()
        self.again.hide()
        self.chart.set_data(None)
        self.setCurrentIndex(0)

    @property
    def is_empty(self) -> bool:
        """Whether there is neither an answer nor what a released file says."""
        return self.currentIndex() == 0

    def show_answer(self, answered: PaidAnswer) -> None:
        """Show an answer; it costs nothing."""
        self.shown, self.plain = answered, None
        for button in (self.copy, self.export):
            button.show()
        released = answered.told
        self.title.setText(answered.what)
        kind = str(answered.question.get("query", ""))
        bounds = kind == BOUNDS and released.form is AnswerForm.LIST
        plain = bounds or released.form in (AnswerForm.NUMBER, AnswerForm.CHOICE)
        alone = noise_alone(answered)
        # Its noise makes digits meaningless whatever limiting values shifts.
        self._say(self.value, value_words(released if alone is None else alone.released, kind) if plain else "")
        limited = answered.limited
        within = bounds_words(released) if bounds else interval_words(released, limited, answered.whose_value)
        within = within if alone is None else alone.sentence
        counted = counted_beyond(answered, self._known)
        beyond = beyond_said(answered, counted)
        self._say(self.interval, "\n".join(filter(None, (within, beyond))))
        self._say(self.of_draw, drawn_words(answered))
        known = bool(number_at_stake(self._document.session.state))
        self.made.set_text(made_words(answered, number_known=known))
        notes = answer_notes(answered, self._known_rows)
        self._say(self.notes, "\n".join(notes))
        self._say(self.problem, answered.problem)
        beside = [*filter(None, [beyond]), *notes]
        for chart in (self.chart, self.shares, self.line):
            shares = chart is self.shares
            said = caption(answered, self.made.full_text, beside, self._source, shares=shares, known=self._known_rows)
            chart.write_below(said)
            chart.name_files(stem_of(answered, self._source))
        self.bounds.setVisible(self._as_bounds(answered) is not None)
        column = answered.question.get("values", {}).get("column")
        self.limited.setVisible(bool(limited) and counted is None and column in self._document.project.schema.names)
        self._draw(released, answered)
        self.setCurrentIndex(1)

    def show_known(self, known: tuple[PaidAnswer, ...]) -> None:
        """Put beside an answer what others that were given on the same data say of it."""
        shown, before = self.shown, self._known
        self._known = known
        if shown is not None and counted_beyond(shown, known) != counted_beyond(shown, before):
            self.show_answer(shown)

    def show_plain(self, found: PlainAnswer) -> None:
        """Show what a released file says without noise."""
        self.clear()
        self.plain, released = found, found.told
        self.title.setText(found.what)
        self.state.set_status(Status.SUCCESS, "Without noise, free")
        self.state.show()
        set_look(self.value, heading=1)
        self._head.show()
        self._say(self.value, value_words(released) if released.form is AnswerForm.NUMBER else "")
        self._say(self.interval, interval_words(released, found.limited, found.whose_value))
        self._say(self.of_draw, "")
        self.made.set_text("Counted in a released file whose statement holds")
        self._say(self.notes, f"It rests on the statement of the file: {found.rests_on}")
        self._say(self.problem, "")
        for button in (self.copy, self.export):
            button.hide()
        self._draw(released, found)
        self.setCurrentIndex(1)

    def show_plain_relation(self, asked: QueryPlan | None) -> None:
        """Say whether what a released file says answers the question in hand, None if there is none."""
        if self.plain is not None:
            mine = asked is not None and self.plain.answers(asked)
            self.title.setText(self.plain.what if mine else f"Another question: {self.plain.what}")
            self.state.setVisible(mine)

    def show_relation(self, beside: str, *, price: str, otherwise: Otherwise, anew: str = "") -> None:
        """Say whether the answer belongs to the question in hand, what was otherwise, and the price of asking again.

        Parameters
        ----------
        beside
            What it is where it does not belong to that question; "" where it does.
        anew
            How exact another answer would be, which says nothing of this one.
        """
        if self.shown is not None:
            words = " – ".join(filter(None, (self.shown.what, otherwise.words)))
            self.title.setText(f"{beside}: {words}" if beside and not otherwise else words)
        if otherwise:
            self.state.set_status(Status.WARNING, otherwise.brief.capitalize())
        self.state.setVisible(bool(otherwise))
        set_look(self.value, heading=2)  # large is what answers the question in hand, above
        # The line above the views says what is asked and answered; twice it would only take the room of the chart.
        self._head.setVisible(bool(beside))
        self.value.setVisible(bool(beside) and bool(self.value.text()))
        self.again.setVisible(not beside and bool(price))
        if price:
            self.again.setText(f"Ask again for {price}")
            self.again.setToolTip(anew)
            self.again.setAccessibleDescription(anew)

    def _draw(self, released: ReleasedAnswer, answered: PaidAnswer | PlainAnswer) -> None:
        line = interval_chart(answered)
        self.line.set_data(line)
        if released.form is not AnswerForm.LIST:
            self.chart.set_data(None)
            self.shares.set_data(None)
        view: QWidget = self._blank if line is None else self.line
        if released.form is AnswerForm.LIST and answered.question.get("query") != BOUNDS:
            self._draw_list(released, answered)
            view = self.views
        elif released.form is AnswerForm.TABLE:
            self._draw_table(released, answered.names)
            view = self.table
        self._drawn.setCurrentWidget(view)

    def _draw_list(self, released: ReleasedAnswer, answered: PaidAnswer | PlainAnswer) -> None:
        names = answered.names[0]
        self.chart.set_data(bars_chart(answered))
        self.shares.set_data(shares_chart(answered, self._known_rows))
        self._offer_shares(answered)
        heading, rows = released.table()[0], rounded_cells(released)
        shares, share = shares_of(released, answered.question, self._known_rows), share_words(self._known_rows)
        share = f"{share}, 95 % each" if shares and "±" in shares[0] else share
        self.list.show_rows(
            (axis_of(answered), *(_HEADS.get(one, one) for one in heading[1:]), *([share] if shares else [])),
            [
                (name, *row, *shares[place : place + 1])
                for place, (name, row) in enumerate(zip(names[:_MOST_ROWS], rows[:_MOST_ROWS], strict=True))
            ],
        )
        self.list.fit_columns()

    def _offer_shares(self, answered: PaidAnswer | PlainAnswer) -> None:
        """Have a view of shares where counts come to some, and begin with it where they are what is wanted.

        Whoever turned to another view of an answer stays there when it is shown again.
        """
        there, button = self.shares.data is not None, self.views.buttons[_SHARES_VIEW]
        button.setVisible(there)
        if answered.question != self._viewed:
            wanted = there and asked_as_shares(self._document.project, answered.question)
            if wanted or (not there and self.shares.isVisibleTo(self.views)):
                self.views.show_view(_SHARES_VIEW if wanted else 0)
            self._viewed = answered.question
        elif not there and self.views.pages.currentWidget() is self.shares:
            self.views.show_view(0)

    def _draw_table(self, released: ReleasedAnswer, names: tuple[tuple[str, ...], ...]) -> None:
        values = np.asarray(released.value, dtype=np.float64)[:_MOST_ROWS, :_MOST_COLUMNS]
        cells = rounded_pairs(released, _MOST_ROWS, _MOST_COLUMNS)
        rows = [(name, *row) for name, row in zip(names[0][:_MOST_ROWS], cells, strict=True)]
        strength = np.clip(values, 0, None) / max(float(values.max(initial=0)), 1e-9)
        heat = np.column_stack([np.zeros(len(rows)), strength])
        self.table.show_rows(("", *names[1][:_MOST_COLUMNS]), rows, heat=heat)
        self.table.fit_columns()

    def _say(self, words: QLabel | FoldedWords, text: str) -> None:
        words.setText(text)
        words.setVisible(bool(text))

    # Taking it along

    def copy_answer(self) -> None:
        """Put the answer on the clipboard as text that a spreadsheet understands."""
        if self.shown is not None:
            lines = ["\t".join(row) for row in copied(self.shown)]
            QGuiApplication.clipboard().setText("\n".join(lines))
            self.noted.emit("success", "The answer was copied.")

    def _open_save(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        drawn = self.drawn
        if drawn is not None:
            menu.addAction(icon("save"), "&Picture with caption…", drawn.choose_file)
        stem = "answer" if self.shown is None else stem_of(self.shown, self._source)
        for words, name, kind in (
            ("&Numbers (CSV)…", f"{stem}.csv", "Table (*.csv)"),
            ("&Everything it was made with (JSON)…", f"{stem}.json", "JSON (*.json)"),
        ):
            menu.addAction(icon("table"), words, partial(self.choose_file, name, kind))
        menu.popup(self.export.mapToGlobal(QPoint(0, self.export.height())))

    @property
    def _known_rows(self) -> int:
        """How many rows the answer is of, where that is known; else 0."""
        return 0 if self.shown is None else known_total(self._document.session.state, self.shown)

    @property
    def _source(self) -> str:
        """The name of the file that was asked; "" where it was another one than is open, whose name nobody kept."""
        session, shown = self._document.session, self.shown
        if shown is None or not self._document.has_data or shown.asked_of != session.data.fingerprint:
            return ""
        return visible(session.data.file_name)

    @property
    def drawn(self) -> ChartView | None:
        """The chart of the answer, if it has one."""
        if self.in_shares:
            return self.shares
        return next((chart for chart in (self.chart, self.line) if chart.data is not None), None)

    def choose_file(self, name: str, kind: str) -> None:
        """Ask for a file, such as the one of that name, and write the answer there."""
        chosen, _ = ask_file(self, "Save the answer", name, kind)
        if chosen:
            self.save(Path(chosen))

    def save(self, path: Path) -> None:
        """Write the answer with query, engine and parameters, as CSV or JSON by the ending of `path`."""
        answered = self.shown
        if answered is None:
            return
        target = path if path.suffix.lower() in (".csv", ".json") else path.with_name(path.name + ".json")

        counted = counted_beyond(answered, self._known)
        session = self._document.session
        protected = session.ledger.protected

        def work(_progress: Progress) -> Path:
            with atomic_write(target, "t", protected=protected) as stream:
                stream.write((as_csv if target.suffix.lower() == ".csv" else as_json)(answered, counted))
            return target

        self._document.runner.start(f"Exporting {target.name}", work, on_done=self._saved, keep_late_result=True)

    def _saved(self, path: Path) -> None:
        self.noted.emit("success", f"The answer was written to {path.name}.")

    def _use_bounds(self) -> None:
        found = self._as_bounds(self.shown) if self.shown is not None else None
        if found is not None:
            self.bounds_wanted.emit(*found)

    def _as_bounds(self, answered: PaidAnswer) -> tuple[str, float, float] | None:
        """Column and bounds, if the answer is a pair of private bounds of a column that is there."""
        if answered.question.get("query") != BOUNDS or answered.released.form is not AnswerForm.LIST:
            return None
        column = str(answered.question.get("values", {}).get("column", ""))
        low, high = (float(value) for value in answered.released.value)
        return (column, low, high) if low < high and column in self._document.project.schema.names else None
