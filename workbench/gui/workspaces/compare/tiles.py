"""The verdict: one tile per way, with its error at the place of a slider, and what taking that way asks of people."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from workbench.core.number_text import estimate, rounded
from workbench.evaluate.experiment import Axis
from workbench.evaluate.findings import NEARLY, Findings
from workbench.evaluate.method import Approach
from workbench.evaluate.question import MISPLACED
from workbench.evaluate.tile_words import (
    basis_words,
    between_words,
    leaves_words,
    moved_words,
    range_words,
    sampling_words,
    setting_words,
    shape_words,
    standing_words,
    ties_words,
    why_words,
)
from workbench.evaluate.trimming_loss import loss_words
from workbench.evaluate.verdict import (
    WAYS,
    Remedy,
    Tile,
    Verdict,
    caution_words,
    error_words,
    place_words,
    unless_words,
    verdict,
)
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import Badge
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import Slider
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.status import Status
from workbench.gui.widgets.steady_label import SteadyLabel

_STEPS = 400
_DIGITS = 2
_CATCHES = 6
"""Steps of the slider around a point that was run, in which it is that point."""
_FOLLOW = {Approach.GLOBAL: "Use in Query", Approach.ANONYMISED: "Use in Anonymise", Approach.LOCAL: "Use in Collect"}
_MOVED = "± is how far chance may have moved this mean of tries"
_GOOD = f"As good: tries do not show that it errs more than {estimate(NEARLY)} times the least"
_MEND = {Remedy.ADD: "Add it", Remedy.HIERARCHY: "Build a hierarchy"}


class TileCard(QFrame):
    """One way: what it errs by, how much worse than the best that is, and what it asks.

    Signals
    -------
    followed()
        The person wants its setting where it is carried out.
    mended()
        The person wants what makes it possible here.
    """

    followed = Signal()
    mended = Signal()

    def __init__(self, approach: Approach, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", "true")
        self.approach = approach
        title = approach.value.capitalize()
        self.setAccessibleName(title)
        self.best = Badge(Status.SUCCESS, "Take")
        self.tied = Badge(Status.SUCCESS, "As good")
        self.error = label(heading=1)
        # What a way asks of people is never cut: on a narrow card it takes a second line, and keeps it.
        lines = [SteadyLabel() for _ in range(6)]
        self.times, self.why, self.shape, self.setting, self.trust, self.leaves = lines
        for line in lines:
            set_look(line, muted=True)
        set_look(self.times, small=False)
        self.problem = label(small=True, wrap=True)
        self.button = push_button(name=f"{title}: take over", quiet=True, explain="compare.tiles")
        self.button.clicked.connect(self._press)
        self._mends = False
        self.asks = False
        boxes.column(
            boxes.row(label(title, heading=2), 1, self.tied, self.best, spacing="s"),
            self.error,
            self.times,
            self.why,
            self.shape,
            self.problem,
            self.setting,
            self.trust,
            self.leaves,
            1,
            boxes.row(self.button, 1),
            margins="m s m s",
            spacing="hair",
            inside=self,
        )
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def show_tile(
        self, tile: Tile, said: Verdict, findings: Findings, *, private: bool, sets: str, lost: str = ""
    ) -> None:
        """Show it, and what taking it over sets; `private` if following it is to act on a look at true values.

        What is `lost` of groups is said where one asks why.
        """
        known = math.isfinite(tile.error)
        self.error.setText(error_words(tile.error, findings) if known else "—")
        self.error.setToolTip(MISPLACED if findings.experiment.metric.shown_times != 1.0 else "")
        share, shape = range_words(tile, findings), shape_words(tile, findings)
        of_range = ", ".join(filter(None, (share, shape))) if share else f"{shape[:1].upper()}{shape[1:]}"
        for shown, words in (
            (self.times, ", ".join(filter(None, (standing_words(tile, said), _together(moved_words(tile)))))),
            (self.why, why_words(tile)),
            (self.shape, of_range if known else ""),
            (self.setting, setting_words(tile, findings.experiment.question.statistic)),
        ):
            shown.setText(words)
            shown.setVisible(bool(words))
        self.setting.setToolTip(ties_words(tile, findings, said.place))
        self.times.setToolTip(
            ". ".join(filter(None, (_GOOD if tile.alike else "", _MOVED if moved_words(tile) else "")))
        )
        self.problem.setText(tile.problem)
        self.problem.setVisible(bool(tile.problem))
        self.trust.setText(tile.trust)
        self.leaves.setText(leaves_words(tile))
        self._mends = not known and tile.remedy in _MEND
        text = _MEND.get(tile.remedy, "") if self._mends else _FOLLOW[self.approach] if known else ""
        if known and private:
            text = "Use (a look)"
        self.asks = False
        self.button.setText(text)
        self.button.setAccessibleName(f"{self.approach.value.capitalize()}: {text}")
        look = "Chosen on the true values, which counts as a look: what is released with it has no claim of its own."
        self.button.setToolTip(" ".join(filter(None, (look if private else "", sets))) if known else "")
        self.button.setVisible(bool(text))
        lines = (one.text() for one in (self.times, self.why, self.shape, self.setting))
        told = self.error.text(), *lines, tile.problem
        self.setAccessibleDescription(", ".join(filter(None, told)))
        self.setToolTip(lost)
        self._fit()

    def start_over(self) -> None:
        """Give back the lines that are not needed: the tile is about something else."""
        for line in self.findChildren(SteadyLabel):
            line.start_over()

    def ask(self, words: str) -> None:
        """Take one more press, because something of the person's would be replaced."""
        self.asks = True
        self.button.setText(words)
        self.button.setAccessibleName(f"{self.approach.value.capitalize()}: {words}")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """A narrow card has smaller numbers rather than half of them."""
        for heading in (1, 2, 0):
            set_look(self.error, heading=heading, strong=not heading)
            self.error.ensurePolished()
            if self.error.sizeHint().width() <= self.contentsRect().width() - 2 * tokens.SPACE_M:
                return

    def _press(self) -> None:
        (self.mended if self._mends else self.followed).emit()


class TilesPanel(QWidget):
    """The tiles, the place on the axis they are for, and what they come to in a sentence.

    Signals
    -------
    followed(object, float)
        The person wants the setting of this `Tile`, at this place of the axis, where it is carried out.
    mended(object)
        The person wants what makes the way of this `Tile` possible.
    moved(float)
        The tiles are about this place of the axis.
    """

    followed = Signal(object, float)
    mended = Signal(object)
    moved = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._findings: Findings | None = None
        self.shown: Verdict | None = None
        self.cards = {way: TileCard(way) for way in WAYS}
        for way, card in self.cards.items():
            card.followed.connect(partial(self._follow, way))
            card.mended.connect(partial(self._mend, way))
        self.field = NumberField("Where the errors are shown", logarithmic=True, compact=True)
        self.field.value_changed.connect(self._go)
        self.field.setFixedWidth(tokens.FIELD_WIDTH)
        self.unit = label(strong=True)
        self.unit.setBuddy(self.field.edit)
        self.sets: Callable[[Tile, float], str] = lambda _tile, _place: ""
        """What taking a tile over sets, said before it is."""
        self.replaces: Callable[[Tile, float], str] = lambda _tile, _place: ""
        """What to ask before that, because it replaces what somebody chose there; "" for nothing."""
        self.slider = Slider("Where on the axis the errors are shown")
        self.slider.setRange(0, _STEPS)
        self.slider.setValue(_STEPS // 2)
        self.slider.valueChanged.connect(self._slide)
        self.basis = SteadyLabel()
        set_look(self.basis, muted=True)
        self.unless = SteadyLabel()
        set_look(self.unless, tone="warning")
        self._ends = (0.0, 0.0)
        self._at = 0.0
        boxes.column(
            boxes.row(*((card, 1) for card in self.cards.values()), spacing="s"),
            boxes.row(self.unit, self.field, (self.slider, 1), spacing="s"),
            self.basis,
            self.unless,
            spacing="s",
            inside=self,
        )
        set_explain(self, "compare.tiles")
        set_explain(self.slider, "compare.tiles")
        self.hide()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange:
            self._show()

    @property
    def at(self) -> float:
        """The place that the tiles are about: as it was typed, or that of the slider to two digits."""
        return self._at

    @property
    def place_words(self) -> str:
        """That place in words."""
        return place_words(self._findings, self._at) if self._findings is not None else ""

    def set_place(self, place: float) -> None:
        """Show the errors there."""
        low, high = self._ends
        self._at = min(max(place, low), high)
        self.field.set_value(self._at)
        if low < high:
            self.slider.blockSignals(True)
            self.slider.setValue(self._step(self._at))
            self.slider.blockSignals(False)
        self._show()

    def _step(self, place: float) -> int:
        low, high = self._ends
        return round(_STEPS * math.log(place / low) / math.log(high / low))

    def _slide(self, step: int) -> None:
        low, high = self._ends
        if self._findings is None or not low < high:
            return
        # Near a point that was run it is that point, of which nothing has to be guessed.
        near = [one for one in self._findings.experiment.places if abs(self._step(one) - step) <= _CATCHES]
        place = rounded(math.exp(math.log(low) + step / _STEPS * math.log(high / low)), _DIGITS)
        if self._findings.experiment.axis is not Axis.EPSILON:
            place = float(round(place))
        self.set_place(near[0] if near else place)

    def _go(self, place: float) -> None:
        """Somebody typed where."""
        if self._findings is not None and place != self._at:
            self._at = place
            low, high = self._ends
            self.slider.blockSignals(True)
            self.slider.setValue(self._step(place) if low < high else 0)
            self.slider.blockSignals(False)
            self._show()

    def show_findings(self, findings: Findings | None) -> None:
        """Show what was found so far; the slider stays where it is as long as the question and the axis do."""
        before, self._findings = self._findings, findings
        if before is None or findings is None or before.experiment != findings.experiment:
            self.unless.start_over()
            self.basis.start_over()
            for card in self.cards.values():
                card.start_over()
        if findings is not None:
            # Its room is kept where the slider may need it.
            places = findings.experiment.places
            self.unless.setVisible(any(_told(verdict(findings, one), findings) for one in places))
        self.setVisible(findings is not None)
        if findings is None:
            self.shown = None
            return
        places = findings.experiment.places
        asked = None if before is None else (before.experiment.question, before.experiment.axis)
        same = asked == (findings.experiment.question, findings.experiment.axis)
        ends = places[0], places[-1]
        wanted = self._at if same and ends[0] <= self._at <= ends[1] else findings.experiment.looked_at
        self.unit.setText(findings.experiment.axis.words)
        for one in (self.slider, self.field):
            one.setEnabled(len(places) > 1)
        if not same or ends != self._ends:
            self._ends = ends
            self.field.set_bounds(*ends)
            self.set_place(wanted)
        else:
            self._show()

    def _show(self) -> None:
        findings = self._findings
        if findings is None:
            return
        found = self.shown = verdict(findings, self.at)
        self.moved.emit(self.at)
        said = ". ".join(
            filter(
                None,
                (between_words(findings, found.place), basis_words(findings, found), sampling_words(findings, found)),
            )
        )
        self.basis.setText(said if self.isEnabled() else "Out of date: these answer another question.")
        self.unless.setText(_told(found, findings) if self.isEnabled() else "")
        for tile in found.tiles:
            # Of another question nothing is recommended any more.
            best = tile.approach is found.recommended and self.isEnabled()
            private = not findings.experiment.basis.public
            sets = self.sets(tile, self._at) if tile.setting is not None else ""
            lost = loss_words(tile, findings, found.place)
            card = self.cards[tile.approach]
            card.best.setVisible(best)
            alike = not found.waits and found.taken is not None and tile in found.alike(found.taken)
            card.tied.setVisible(alike and not best and self.isEnabled())
            card.show_tile(tile, found, findings, private=private, sets=sets, lost=lost)
            set_look(card, best=best)
            set_look(card.error, muted=not self.isEnabled())

    def _tile(self, way: Approach) -> Tile | None:
        return next((one for one in self.shown.tiles if one.approach is way), None) if self.shown is not None else None

    def _follow(self, way: Approach) -> None:
        tile, card = self._tile(way), self.cards[way]
        if tile is None or tile.setting is None:
            return
        lost = "" if card.asks else self.replaces(tile, self.at)
        if lost:
            card.ask(lost)
        else:
            self.followed.emit(tile, self.at)
            self._show()  # what was asked is answered

    def _mend(self, way: Approach) -> None:
        tile = self._tile(way)
        if tile is not None:
            self.mended.emit(tile)


def _together(words: str) -> str:
    """A margin that keeps its sign and unit beside it where a line ends."""
    return words.replace("± ", "±\u00a0").replace(" %", "\u00a0%")


def _told(found: Verdict, findings: Findings) -> str:
    """On which shapes another way errs less, and what to know of the shape."""
    told = [*(unless_words(one, findings) for one in found.unless), caution_words(found, findings)]
    return "\n".join(filter(None, told))
