"""The verdict: one tile per way, with its error at the place of a slider, and what taking that way asks of people."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QWidget

from workbench.core.number_text import count, estimate, rounded
from workbench.evaluate.basis_words import basis_means, basis_words, sampling_words
from workbench.evaluate.drawn_row import DRAWN_MEANS, drawn_words
from workbench.evaluate.enough import below, enough, error_limit, error_unit
from workbench.evaluate.enough_advice import chance_words, enough_later, usual_sentence
from workbench.evaluate.enough_words import enough_means, least_words
from workbench.evaluate.experiment import Axis
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach
from workbench.evaluate.tile import TRUSTED, WAYS, Tile, Verdict
from workbench.evaluate.tile_words import between_words, more_words, tries_to_tell
from workbench.evaluate.trimming_loss import loss_words
from workbench.evaluate.verdict import place_words, untrusted_words, verdict
from workbench.evaluate.winning_words import winning_words
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import Slider
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.steady_label import SteadyLabel
from workbench.gui.widgets.tips import in_lines
from workbench.gui.workspaces.compare.advice_lines import depends_words, together
from workbench.gui.workspaces.compare.shift_line import ShiftLine
from workbench.gui.workspaces.compare.tile_card import Length, TileCard
from workbench.gui.workspaces.compare.verdict_line import VerdictLine

_SIZES = ((1, True), (2, True), (0, True), (2, False), (0, False))
"""How large the number of a tile is, as the rank of a heading, and whether its word stands beside it; tried in turn."""
_STEPS = 400
_DIGITS = 2
_CATCHES = 6
"""Steps of the slider around a point that was run, in which it is that point."""


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
    chosen(float)
        Somebody wants them to be about this place.
    limited(object)
        Somebody typed which error is good enough; None where sampling says it.
    more_wanted(int)
        Somebody wants so many repetitions, to tell ways apart.
    answered(str)
        This is the answer now, in few words; "" for none.
    """

    followed = Signal(object, float)
    mended = Signal(object)
    moved = Signal(float)
    chosen = Signal(float)
    limited = Signal(object)
    more_wanted = Signal(int)
    answered = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._findings: Findings | None = None
        self.shown: Verdict | None = None
        self.cards = {way: TileCard(way) for way in WAYS}
        for way, card in self.cards.items():
            card.followed.connect(partial(self._follow, way))
            card.mended.connect(partial(self._mend, way))
            card.resized = self._fit
        self.field = NumberField("Where the errors are shown", logarithmic=True, compact=True)
        self.field.value_changed.connect(self._go)
        self.field.setFixedWidth(tokens.FIELD_WIDTH)
        self.unit = label(strong=True)
        self.unit.setBuddy(self.field.edit)
        self.limit = NumberField(
            "Error that is good enough",
            minimum=0.0,
            open_minimum=True,
            logarithmic=True,
            optional=True,
            compact=True,
        )
        self.limit.setFixedWidth(tokens.FIELD_WIDTH)
        self.limit.value_changed.connect(self._limit)
        self.limit.cleared.connect(self._limit)
        for one in (self.field, self.limit):
            one.validity_changed.connect(lambda _valid: self._show_enough())
            one.rested.connect(self._show_enough)
        self._limited = label()
        self._limited.setBuddy(self.limit.edit)
        self.sets: Callable[[Tile, float], str] = lambda _tile, _place: ""
        """Announcement of what taking a tile over sets, before it is."""
        self.replaces: Callable[[Tile, float], str] = lambda _tile, _place: ""
        """Question before that, because it replaces what somebody chose there; "" for none."""
        self.charges: Callable[[Tile, float], str] = lambda _tile, _place: ""
        """What is charged there, where that is not the ε of the axis; "" for none."""
        self.can_follow: Callable[[Approach], bool] = lambda _way: True
        """Whether there is what a way is carried out on."""
        self.slider = Slider("Where on the axis the errors are shown")
        self.slider.setRange(0, _STEPS)
        self.slider.setValue(_STEPS // 2)
        self.slider.valueChanged.connect(self._slide)
        self.headline = VerdictLine()
        self.headline.wanted.connect(self._show_epsilon)
        # As near the numbers as they stand; above them it would move them where it goes.
        self._shift = ShiftLine()
        self.shifts, self.shift_mark = self._shift.words, self._shift.mark
        # In one line of its own, so that no card grows by what is typed.
        self.least = SteadyLabel()
        set_look(self.least, small=False)
        # Of a draw whose reach is not known; what is known of it stands below the advice.
        self.drawn = SteadyLabel()
        set_look(self.drawn, small=False)
        self.drawn.setToolTip(in_lines(DRAWN_MEANS))
        self._whom = ""
        self.basis = SteadyLabel()
        set_look(self.basis, muted=True)
        self.unless = SteadyLabel()
        set_look(self.unless, tone="warning")
        self._tries = self._wanted = 0
        self.more = push_button(name="More repetitions", quiet=True, explain="compare.tiles")
        """To stand beside how many repetitions there are."""
        self.more.clicked.connect(self._repeat)
        self.more.hide()
        self._low = False
        self.details = push_button("Details", checkable=True, quiet=True, explain="compare.tiles")
        self.details.setToolTip("How each way answers, what it hides and what leaves; on what its error rests")
        self.details.toggled.connect(self._unfold)
        self._ends = (0.0, 0.0)
        self._at = 0.0
        self._lines = boxes.column(
            self.headline,
            # Above all that Details opens, so that a second press meets the same button.
            boxes.row(self.unit, self.field, (self.slider, 1), self._limited, self.limit, self.details, spacing="s"),
            boxes.row(*((card, 1) for card in self.cards.values()), spacing="s"),
            self._shift,
            self.least,
            self.drawn,
            self.basis,
            self.unless,
            spacing="s",
            inside=self,
        )
        set_explain(self, "compare.tiles")
        set_explain(self.slider, "compare.tiles")
        self.hide()
        self._unfold()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange:
            self._show()

    def set_low(self, low: bool) -> None:
        """Whether there is little room, so that less is seen unless it is asked for."""
        if low != self._low:
            self._low = low
            self._lines.setSpacing(tokens.SPACE_XS if low else tokens.SPACE_S)
            self.headline.start_over()
            self._unfold()
            self._show()

    def _unfold(self, _wanted: bool = False) -> None:
        wanted = self.details.isChecked()
        self.details.setIcon(icon("chevron-down" if wanted else "chevron-right", "link"))
        for card in self.cards.values():
            card.show_details(wanted=wanted, low=self._low)
        self.basis.setVisible(wanted)
        self._show_least()

    @property
    def _wrong(self) -> str:
        """What is wrong with what was typed here, in a sentence; "" if nothing is, or somebody is at it still."""
        problems = (one.problem for one in (self.field, self.limit) if not one.typing)
        return next(filter(None, problems), "")

    def _show_least(self) -> None:
        """Say from which ε on an error of each way is small enough: of the one to take, the verdict says it."""
        asked = self.details.isChecked() or bool(self._wrong)
        self.least.setVisible(bool(self.least.text()) and asked)

    def _fit(self) -> None:
        """Narrow cards have smaller numbers rather than half of them, all as high, and their last lines are alike."""
        cards = self.cards.values()
        stacked = any(one.stacks for one in cards)
        for one in cards:
            one.stack(stacked)
        for one in cards:
            for length in Length:
                if one.names_itself(length):
                    break
        for heading, whole in _SIZES:
            if False not in [one.fits(heading, whole=whole) for one in cards]:
                return

    def show_whom(self, words: str) -> None:
        """Say whom ε is about, first of what all tiles rest on; "" where it is one person with one row."""
        self._whom = words.removesuffix(".")
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
        self.chosen.emit(self._at)

    def _show_epsilon(self, epsilon: float) -> None:
        """Somebody wants the ε that the verdict names."""
        self.set_place(epsilon)
        self.chosen.emit(self._at)

    def _go(self, place: float) -> None:
        """Somebody typed where."""
        if self._findings is not None and place != self._at:
            self._at = place
            low, high = self._ends
            self.slider.blockSignals(True)
            self.slider.setValue(self._step(place) if low < high else 0)
            self.slider.blockSignals(False)
            self._show()
            self.chosen.emit(place)

    def _limit(self, _value: float = math.nan) -> None:
        """Somebody typed what is good enough, or that sampling says it."""
        self._show_enough()
        self._show()
        self.limited.emit(self.limit.value)

    def _show_enough(self) -> None:
        """Find out from which ε on each way is good enough."""
        findings = self._findings
        if findings is None:
            return
        limit = error_limit(findings, self.limit.value)
        said, wrong = least_words(findings, self.limit.value, beside=True), self._wrong
        self.least.setText(wrong or said)
        set_look(self.least, tone="error" if wrong else "none")
        if said and not findings.complete:
            # One place for each way will stand there.
            ways = ", ".join(f"{way.value.capitalize()} from {estimate(findings.experiment.places[0])}" for way in WAYS)
            self.least.keep_room_for(f"{said.partition(': not known')[0]}: {ways}.")
        self._show_least()
        means = enough_means(findings, limit)
        self.least.setToolTip(in_lines(means))
        usually = usual_sentence(verdict(findings, self.at), findings, self.limit.value)
        self.headline.explain_with(" ".join(filter(None, (said if means else "", usually and f"{usually}.", means))))
        usual = error_limit(findings)
        adds = "by sampling" if usual.by_shape else f"{usual.told} · sampling"
        self.limit.edit.setPlaceholderText(adds if usual.known else "")
        # What an empty field stands for: of a typed number, what would stand there.
        self.limit.set_hint(usual.means)
        unit = error_unit(findings)
        self._limited.setText(f"Enough: mean error{f',{unit}' if unit else ''}")
        along = findings.experiment.axis is Axis.EPSILON
        for part in (self._limited, self.limit):
            part.setVisible(along)

    def show_findings(self, findings: Findings | None, place: float | None = None, limit: float | None = None) -> None:
        """Show what was found so far; the slider stays where it is as long as the question and the axis do.

        Else it goes to a place that was chosen before; what is good enough is the `limit` that was.
        """
        before, self._findings = self._findings, findings
        if before is None or findings is None or before.experiment != findings.experiment:
            for line in (self.headline, self.shifts, self.least, self.drawn, self.basis, self.unless):
                line.start_over()
            for card in self.cards.values():
                card.start_over()
        if findings is not None:
            # Its room is kept where the slider may need it.
            places = findings.experiment.places
            said = [verdict(findings, one) for one in places]
            self.unless.setVisible(any(depends_words(one, findings) for one in said))
            for one in said:
                for tile in one.tiles:
                    self.cards[tile.approach].keep_room_at(tile, one, findings)
        self.setVisible(findings is not None)
        if findings is None:
            self.shown = None
            self.more.hide()
            return
        if self.limit.value != limit and self.limit.valid:
            self.limit.blockSignals(True)
            self.limit.set_value(limit)
            self.limit.blockSignals(False)
        self._show_enough()
        places = findings.experiment.places
        asked = None if before is None else (before.experiment.question, before.experiment.axis)
        same = asked == (findings.experiment.question, findings.experiment.axis)
        ends = places[0], places[-1]
        wanted = findings.experiment.looked_at
        if place is not None and ends[0] <= place <= ends[1]:
            wanted = place
        elif same and ends[0] <= self._at <= ends[1]:
            wanted = self._at
        axis = findings.experiment.axis
        self.unit.setText(axis.words)
        self.field.set_name(axis.words)
        self.field.read_amounts(axis is Axis.EPSILON)
        for control in (self.slider, self.field):
            control.setEnabled(len(places) > 1)
        if not same or ends != self._ends or wanted != self._at:
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
        drawn = drawn_words(findings)
        self.drawn.setText(drawn if self.isEnabled() else "")
        self.drawn.setVisible(bool(drawn))
        parts = (
            self._whom if self._whom != drawn.removesuffix(".") else "",
            between_words(findings, found.place),
            basis_words(findings, found),
            sampling_words(findings, found),
            winning_words(found, findings),
            usual_sentence(found, findings, self.limit.value),
        )
        said = " ".join(f"{part}." for part in parts if part)
        # In a low window tiles alone say how far off Local is.
        most, current = self.limit.value, self.isEnabled()
        self.headline.show_verdict(found, findings, most, self.charges, brief=self._low, current=current)
        self.answered.emit(self.headline.answer.text() if current else "")
        self._shift.show_place(findings, found.place, current=self.isEnabled())
        self.basis.setText(together(said, findings) if self.isEnabled() else "")
        self.basis.setToolTip(in_lines(basis_means(findings)))
        self.unless.setText(depends_words(found, findings) if self.isEnabled() else "")
        self._tries = tries_to_tell(found, findings, self.limit.value) if self.isEnabled() else 0
        self.more.setVisible(self._tries > self._wanted)
        self.more.setText(f"Repeat {count(self._tries)} times")
        self.more.setToolTip(in_lines(more_words(found, findings, self.limit.value)) if self._tries else "")
        ways, limit = enough(findings, self.limit.value), error_limit(findings, self.limit.value)
        for tile in found.tiles:
            # Of another question nothing is recommended any more.
            best = tile.approach is found.recommended and self.isEnabled()
            private = not findings.experiment.basis.public
            sets = self.sets(tile, self._at) if tile.setting is not None else ""
            lost = loss_words(tile, findings, found.place)
            card = self.cards[tile.approach]
            left = tile.approach is Approach.LOCAL and bool(untrusted_words(found, findings)) and not tile.guessed
            judged = tile.known and self.isEnabled()
            short = enough_later(tile, found.place, ways, findings, limit) if judged else ""
            is_enough = judged and not short and below(findings, tile.approach, found.place, limit)
            card.show_place(
                take=f"Take{' if trusted' if TRUSTED[tile.approach] else ''}" if best else "",
                final=findings.complete,
                left=left and self.isEnabled(),
                standing=tile.standing if self.isEnabled() and not found.waits else None,
                short=short,
                also=is_enough and findings.complete and not found.waits and not best,
                chance=chance_words(tile.approach, ways, findings),
            )
            follows = self.can_follow(tile.approach)
            card.show_tile(
                tile,
                found,
                findings,
                private=private,
                sets=sets,
                lost=lost,
                charges=self.charges(tile, self._at),
                follows=follows,
            )
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

    def set_wanted(self, times: int) -> None:
        """How many repetitions are asked for by now, which may be more than there are: nobody is offered them twice."""
        if times != self._wanted:
            self._wanted = times
            self.more.setVisible(self._tries > times)

    def _repeat(self) -> None:
        self.more_wanted.emit(self._tries)

    def _mend(self, way: Approach) -> None:
        tile = self._tile(way)
        if tile is not None:
            self.mended.emit(tile)
