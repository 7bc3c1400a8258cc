"""The third step, the run: what to expect of it from public facts alone, and what its claim will rest on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QSizePolicy, QWidget

from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.theme import set_look, tabular_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.bound_form import BoundForm
from workbench.gui.widgets.bullet_list import BulletList
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.form_grid import form_grid
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.workspaces.anonymise.series_plan import SeriesPlan
from workbench.project.anonymise_settings import AnonymiseSettings
from workbench.project.trim_settings import TrimSettings
from workbench.session import Session
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.knowledge import delta_follows, expect
from workbench.session.release.result import Result

_LINES = (("price", "Costs"),)
_LARGEST_SEED = 2**53


class RunStep(QWidget):
    """Possible groups, rows a group gives up, the price, and what the publisher will assert.

    `rows` is the field of the rows that are expected; the room shows it beside the button.
    """

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._showing = False
        self._typed: tuple[AnonymiseSettings | None, Result | None] = (None, None)
        """What the settings and the draw were after the last digit of the people that are expected."""
        self._follows, self._at_most = False, 0.0
        self.form = BoundForm("anonymise", lambda: self._trim, "forecast", parent=self)
        self.written = BoundForm("anonymise", lambda: self._trim, "written", parent=self)
        self.rows = cast(NumberField, self.form.fields["expected_rows"])
        self.rows.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        grid = form_grid()
        grid.setVerticalSpacing(tokens.SPACE_XS)
        self.figures: dict[str, QLabel] = {}
        self.titles: dict[str, QLabel] = {}
        for place, (name, words) in enumerate(_LINES):
            title, figure = label(words, muted=True), label(wrap=True)
            self.figures[name], self.titles[name] = figure, title
            grid.addWidget(title, place, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(figure, place, 1)
        self.forecast = _StepTable()
        self.asserts = label("You assert when you export", strong=True)
        self.asserted = BulletList(muted=True)
        self.looked = QCheckBox("I chose by looking at this data")
        self.looked.setAccessibleName(self.looked.text())
        self.looked.setToolTip("Then nothing can be claimed: what was chosen may tell of the rows")
        self.looked.clicked.connect(self._set_looked)
        self.simulate = QCheckBox("Repeatable simulation, with the seed")
        self.simulate.setAccessibleName(self.simulate.text())
        self.simulate.clicked.connect(self._simulate)
        self.seed = NumberField("Seed", minimum=0, maximum=_LARGEST_SEED, integer=True, value=1, compact=True)
        self.seed.value_changed.connect(self._seed_typed)
        self._note = label("Who knows the seed can undo the randomness: no claim.", small=True, muted=True, wrap=True)
        self.series = SeriesPlan(document)
        self._written_fields = boxes.boxed(self.written.grid(squeezed=True))
        inside = boxes.column(
            (self.looked, Qt.AlignmentFlag.AlignLeft),
            self.form.grid(("expected_rows",), squeezed=True),
            self._written_fields,
            (self.simulate, Qt.AlignmentFlag.AlignLeft),
            (self.seed, Qt.AlignmentFlag.AlignLeft),
            self._note,
            self.series,
            spacing="s",
        )
        self.details = Disclosure("Details", boxes.boxed(inside))
        set_explain(self, "anonymise.forecast")
        set_explain(self.looked, "anonymise.blind_levels")
        for part in (self.simulate, self.seed):
            set_explain(part, "anonymise.seed")
        grid.setContentsMargins(0, 0, 0, 0)
        boxes.column(
            grid,
            self.forecast,
            boxes.column(self.asserts, self.asserted, spacing="xs"),
            self.details,
            spacing="m",
            inside=self,
        )
        for form in (self.form, self.written):
            form.edited.connect(self._edited)

    @property
    def valid(self) -> bool:
        """Whether the fields show the numbers that are in force."""
        return self.form.valid and (self.seed.valid or not self.simulate.isChecked())

    def summary(self, found: PromiseAssessment) -> str:
        """Prospect in a line."""
        prospect = found.prospect
        if prospect is None:
            return ""
        if self._document.project.anonymise.seed is not None:
            return "a simulation, without a claim"
        return "" if prospect.unlimited else prospect.remaining

    def show_assessment(self, found: PromiseAssessment, *, trims: bool) -> None:
        """Show what follows from the settings as they stand; a dash where nothing does."""
        prospect = found.prospect
        self.form.refresh()
        self.written.refresh()
        self.figures["price"].setText("–" if prospect is None else prospect.price)
        self._written_fields.setVisible(trims)
        # Once the draw is there, what has no room any more is another one, which nobody needs.
        self.titles["price"].setText("Another draw costs" if found.current else "Costs")
        lacks = prospect is not None and not prospect.fits and not found.current
        set_look(self.figures["price"], tone="error" if lacks else "none")
        self.forecast.show_steps(() if prospect is None else prospect.steps)
        lines = found.claim.asserted if found.claim is not None else ()
        self.asserted.show_lines(lines)
        self.asserts.setVisible(bool(lines))
        self._show_details()
        self.series.refresh()

    def _show_details(self) -> None:
        settings = self._document.project.anonymise
        self._showing = True
        try:
            self.looked.setChecked(not settings.levels_blind)
            self.simulate.setChecked(settings.seed is not None)
            self.seed.setEnabled(settings.seed is not None)
            if settings.seed is not None and self.seed.value != settings.seed:
                self.seed.set_value(settings.seed)
        finally:
            self._showing = False
        if settings.seed is not None or not settings.levels_blind or self._trim.step_column or self._trim.count_column:
            # What voids the claim, or is in the file, must not hide behind a closed heading.
            self.details.set_open(True)

    @property
    def _trim(self) -> TrimSettings:
        return self._document.project.anonymise.trim

    # Editing

    def _edited(self, name: str, value: Any, words: str, merge: str) -> None:
        wanted = replace(self._trim, **{name: value})

        def edit(session: Session) -> None:
            session.release.set_trimming(wanted)

        if name != "expected_rows":
            self._document.apply(words, edit, merge=merge)
            return
        result = self._document.session.release.result
        if (
            self._typed is None
            or self._document.project.anonymise is not self._typed[0]
            or result is not self._typed[1]
        ):
            # Asked before the first digit: one on the way may happen to be the number that a chosen δ is usual for.
            self._follows = delta_follows(self._document.session)
            self._at_most = self._document.project.anonymise.guarantee.delta
        drawn = "" if result is None else result.draw  # what was typed after a draw is a step of its own
        following = partial(expect, edit=edit, follows=self._follows, at_most=self._at_most)
        self._document.apply(words, following, merge=merge and f"{merge}{drawn}")
        self._typed = self._document.project.anonymise, result

    def _set_looked(self, looked: bool) -> None:
        text = "Levels chosen by looking" if looked else "Levels chosen without looking"
        self._document.apply(text, lambda session: session.release.columns.set_levels_blind(not looked))

    def _simulate(self, simulate: bool) -> None:
        seed = int(self.seed.value or 0) if simulate else None
        text = "Simulate with a seed" if simulate else "Run without a seed"
        self._document.apply(text, lambda session: session.release.set_seed(seed))

    def _seed_typed(self, value: float) -> None:
        if not self._showing and self.simulate.isChecked():
            self._document.apply("Change the seed", lambda session: session.release.set_seed(int(value)), merge="seed")


class _StepTable(QWidget):
    """A line per step: the groups there can be, and the rows that one gives up."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(tokens.SPACE_S)
        self._grid.setVerticalSpacing(tokens.SPACE_HAIR)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(2, 1)
        self.cells: list[tuple[QLabel, ...]] = []
        for place, words in enumerate(("Step", "Possible groups", "A group gives up")):
            self._put(label(words, small=True, muted=True), 0, place)

    def show_steps(self, steps: Sequence[tuple[str, str]]) -> None:
        while len(self.cells) < len(steps):
            line = tuple(label() for _ in range(3))
            for place, cell in enumerate(line):
                cell.setFont(tabular_font())
                self._put(cell, len(self.cells) + 1, place)
            self.cells.append(line)
        for number, line in enumerate(self.cells, start=1):
            shown = number <= len(steps)
            for cell, text in zip(line, (f"{number}", *(steps[number - 1] if shown else ("", ""))), strict=True):
                cell.setText(text)
                cell.setVisible(shown)
        self.setVisible(bool(steps))

    def _put(self, cell: QLabel, row: int, place: int) -> None:
        cell.setAlignment(Qt.AlignmentFlag.AlignRight if place else Qt.AlignmentFlag.AlignLeft)
        self._grid.addWidget(cell, row, place)
