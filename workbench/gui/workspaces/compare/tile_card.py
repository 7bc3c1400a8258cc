"""One way at one place: what it errs by, and what taking it asks of people."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from enum import Enum, auto

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QSizePolicy, QWidget

from workbench.evaluate.class_words import class_width, class_words, mostly_words
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach
from workbench.evaluate.protection_words import (
    as_global_words,
    hidden_briefly,
    hidden_means,
    hidden_words,
    hides_unlike,
    protected_words,
    smaller_words,
)
from workbench.evaluate.question import MISPLACED
from workbench.evaluate.setting_words import known_as, plain_counts_words, scale_words, setting_words, ties_words
from workbench.evaluate.tile import TRUST, Remedy, Tile, Verdict
from workbench.evaluate.tile_words import (
    bare,
    leaves_words,
    moved_words,
    range_words,
    shape_words,
    standing_briefly,
    standing_means,
    standing_words,
    why_means,
    why_words,
)
from workbench.evaluate.told_apart import TileStanding
from workbench.evaluate.verdict import promised_words, told_error
from workbench.evaluate.winning_words import mean_noise_words
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import Badge
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.status import Status
from workbench.gui.widgets.steady_label import SteadyLabel
from workbench.gui.widgets.tips import in_lines

_FOLLOW = {Approach.GLOBAL: "Use in Query", Approach.ANONYMISED: "Use in Anonymise", Approach.LOCAL: "Use in Collect"}
_MEANS = {
    Approach.GLOBAL: "A curator, who has the data, adds noise to the answer",
    Approach.ANONYMISED: "A curator, who has the data, publishes a coarser table of it once",
    Approach.LOCAL: "People add noise to their own answers before they give them",
}
"""How a way answers, for whoever does not know its name: beside the badges there is no room for it."""
_MOVED = "In 95 of 100 cases chance moved the error, a mean of tries, no further than ±"
_LARGEST = " As the largest of several shapes, of which tries do not tell which is the worst, it may be too large."
_TABLE = "A table of this column alone, its values generalised; with other columns it may err more."
_OUTDATED = "Out of date: of earlier settings. Run the one on the left first."
_SHORT = "Here it is not shown to err less on average than what is enough"
_ALSO, _ALSO_MEANS = "Also enough", "Its mean error here is below what is enough as well"
_TIED = {TileStanding.ALIKE: "As good", TileStanding.UNTOLD: "Not told apart"}
_TO_COME = "\N{NO-BREAK SPACE}"
"""Stands for a line that is still to come, so that nothing below it moves when it does."""
_STANDS = "about 20 times at equal privacy"
"""About as long as what is said of how a way stands comes out, and below with all that is said of it in Details."""
_TIMES = "about 6.4 times (5.7 to 7.1), each at its worst"
_ROUNDED = 2
"""Pixels by which a label may be wider than its letters."""
_MEND = {Remedy.ADD: "Add it", Remedy.HIERARCHY: "Build a hierarchy"}


class Length(Enum):
    """Lengths of what the badges of a tile say, tried in turn."""

    WHOLE = auto()
    BRIEF = auto()
    SHORT = auto()
    """Without that it is so on average."""
    ICON = auto()


_BRIEF = (
    (re.compile("^Best, enough on average from"), "Best on average from"),
    (re.compile("^Enough on average from"), "On average from"),
    (re.compile("^Perhaps from ε "), "Perhaps "),
    (re.compile("^Take if trusted"), "Take"),
    (re.compile(f"^{_ALSO}$"), "Enough"),
)
"""Words of badges, and fewer that say the same where there is no room for them."""
_ON_AVERAGE = re.compile(" on average from|^On average from")
"""What the advice above says, and the badges of narrow cards do not."""


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
        self._title = label(title, heading=2)
        self._title.setToolTip(_MEANS[approach])
        self.best = Badge(Status.SUCCESS, "Take")
        self.tied = Badge(Status.SUCCESS, _TIED[TileStanding.ALIKE])
        self.also = Badge(Status.SUCCESS, _ALSO)
        self.also.setToolTip(in_lines(_ALSO_MEANS))
        self.instead = Badge(Status.INFO, "If nobody is")
        self.instead.setToolTip("The way that is left where nobody is trusted")
        self.short = Badge(Status.WARNING, "Not enough")
        self.short.setToolTip(_SHORT)
        self.resized: Callable[[], None] = lambda: None
        """Told that the card has another width or other words, so that the numbers of all are as high."""
        self._details = self._low = self._unlike = self._paid = False
        self._told = ""
        self._called: dict[Badge, tuple[Status, str]] = {}
        """What each badge says where there is room for it."""
        self._elsewhere: set[tuple[str, str]] = set()
        """The numbers at other places, with how far chance may have moved each."""
        self.error = label(heading=1)
        self.moved = label(muted=True)
        self.moved.setToolTip(_MOVED)
        # What a way asks of people is never cut: on a narrow card it takes a second line, and keeps it.
        lines = [SteadyLabel() for _ in range(8)]
        self.stands, self.times, self.why, self.setting, self.trust, self.hidden, self.hides, self.leaves = lines
        for line in lines:
            set_look(line, muted=True)
        for line in (self.stands, self.times):  # in few words, and whole among the details
            set_look(line, small=False)
        self.trust.setAlignment(Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft)  # as the button beside it
        self.problem = label(small=True, wrap=True)
        self.button = push_button(name=f"{title}: take over", inline=True, explain="compare.tiles")
        self.button.clicked.connect(self._press)
        kept = self.button.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.button.setSizePolicy(kept)
        self._mends = False
        self.asks = False
        self._last = boxes.row((self.trust, 1), self.button, spacing="xs")
        self._last.setAlignment(self.button, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignRight)
        boxes.column(
            boxes.row(self._title, 1, self.also, self.tied, self.best, self.instead, self.short, spacing="s"),
            boxes.row(self.error, (self.moved, 1), spacing="s"),
            self.stands,
            self.times,
            self.problem,
            self.why,
            self.setting,
            self.hidden,
            self.hides,
            self.leaves,
            1,
            self._last,
            margins="m xs m xs",
            spacing="hair",
            inside=self,
        )
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def show_tile(
        self,
        tile: Tile,
        said: Verdict,
        findings: Findings,
        *,
        private: bool,
        sets: str,
        lost: str = "",
        charges: str = "",
        follows: bool = True,
    ) -> None:
        """Show it, and what taking it over sets; `private` if following it is to act on a look at true values.

        What is `lost` of groups is said where one asks why; what Query `charges` for it stands beside what that hides.
        Unless it `follows`, there is no table to carry it out on.
        """
        known = math.isfinite(tile.error)
        self._told = told_error(tile, findings) if known else "—"
        share, shape = range_words(tile, findings), shape_words(tile, findings)
        of_range = ", ".join(filter(None, (share, shape))) if share else f"{shape[:1].upper()}{shape[1:]}"
        wrong = MISPLACED if findings.experiment.metric.shown_times != 1.0 else ""
        # What a formula makes of the noise is more than one multiplies in one's head.
        by = scale_words(tile, findings, said.place), plain_counts_words(tile, findings, said.place)
        self.error.setToolTip(
            in_lines(" ".join(filter(None, (wrong, f"{of_range}." if of_range and known else "", *by))))
        )
        statistic = findings.experiment.question.statistic
        brief, stands, protected = _stands_words(tile, said, findings)
        hidden = hidden_means(tile, said, findings)
        width = class_width(tile, findings)
        beside = f"classes of {width}" if width else known_as(tile, findings)
        reckoned = mean_noise_words(tile, findings, said.place)
        why = ", ".join(filter(None, (why_words(tile, findings.experiment), mostly_words(tile, findings))))
        for shown, words in (
            (self.moved, _together(moved_words(tile, findings)) if known else ""),
            (self.stands, brief),
            (self.times, stands),
            (self.why, ": ".join(filter(None, (why, reckoned)))),
            (self.setting, f"{setting_words(tile, statistic)}{beside and f' ({beside})'}"),
        ):
            comes = shown is not self.moved and not (findings.complete or tile.problem)
            shown.setText(words or (_TO_COME if comes else ""))
        if not tile.problem:
            self._keep_room(findings)
        less = smaller_words(tile, findings.experiment, said.place)
        hides = f"{hidden_words(tile, findings.experiment)}{less and f'; {less}'}"
        briefly, charged = hidden_briefly(tile, findings.experiment, said.place), charges.partition(" (")[0]
        self.hides.setText(_together(f"{hides}: Query charges {charged}, twice what is set" if charges else hides))
        equal = as_global_words(tile, said, findings)
        if briefly and equal:
            briefly += ", " + equal.replace("ε ", "ε\N{NO-BREAK SPACE}")
        paid = "" if briefly.endswith(f" {charged}") else f"; Query charges {charged}"
        later = "" if findings.complete or tile.problem else _TO_COME
        self.hidden.setText(_together(f"{briefly}{paid}" if charges else briefly) or later)
        for line in (self.hidden, self.hides):
            line.setToolTip(in_lines("\n".join(filter(None, (self.hides.text(), hidden)))))
        self._paid = findings.experiment.number_known or bool(charges)
        self._unlike = hides_unlike(findings, drawn=False)
        self._show_lines()
        self.moved.setVisible(bool(self.moved.text()))
        self.moved.setToolTip(f"{_MOVED}.{_LARGEST}" if len(tile.worst_on) > 1 else _MOVED)
        classes, ties = class_words(tile, findings), ties_words(tile, findings, said.place)
        self.why.setToolTip(in_lines(why_means(tile) or classes))
        self.setting.setToolTip(in_lines(" ".join(filter(None, (classes, ties)))))
        for line in (self.stands, self.times):
            evidence = (stands if stands != brief else "", standing_means(tile, said), protected and hidden)
            line.setToolTip(in_lines("\n".join(filter(None, evidence))))
        self.leaves.setToolTip(_TABLE if tile.approach is Approach.ANONYMISED else "")
        self.problem.setText(tile.problem)
        self.problem.setVisible(bool(tile.problem))
        self.trust.setText(_shortly(tile.trust))  # whole where there is room: what breaks would keep two lines
        self.leaves.setText(leaves_words(tile, findings.experiment.question))
        self._mends = not known and tile.remedy in _MEND and (follows or tile.remedy is Remedy.ADD)
        text = _MEND.get(tile.remedy, "") if self._mends else _FOLLOW[self.approach] if known and follows else ""
        if known and private:
            text = "Use (a look)"
        self.asks = False
        # What is still to come has its room beside whom one must trust, which may take two lines there.
        self.button.setText(text or ("" if findings.complete or not follows else _FOLLOW[self.approach]))
        self.button.setAccessibleName(f"{self.approach.value.capitalize()}: {text}")
        look = "Chosen on the true values, which counts as a look: what is released with it has no claim of its own."
        tip = " ".join(filter(None, (look if private else "", sets))) if known else ""
        self.button.setToolTip(in_lines(tip if self.isEnabled() else _OUTDATED))
        self.button.setVisible(bool(text))
        lines = (one.text() for one in (self.times, self.why, self.setting, self.hides))
        told = self._told, self.moved.text(), self.error.toolTip(), *lines, tile.problem
        self.setAccessibleDescription(", ".join(one for one in told if one not in ("", _TO_COME)))
        self.setToolTip(in_lines(lost))
        self._title.setMinimumHeight(self.best.sizeHint().height())
        self.resized()

    def _keep_room(self, findings: Findings) -> None:
        """Take the room of what is to come, so that what is below the tiles stays where it is when they fill."""
        self.stands.keep_room_for(_STANDS)
        self.times.keep_room_for(_TIMES)
        self.why.keep_room_for(why_words(Tile(self.approach, error=0.0), findings.experiment))

    def keep_room_at(self, tile: Tile, said: Verdict, findings: Findings) -> None:
        """Take the room of what is said at another place, so that nothing moves or changes its size there."""
        if tile.known:
            for line, words in zip((self.stands, self.times), _stands_words(tile, said, findings), strict=False):
                line.keep_room_for(words)
            self._elsewhere.add((told_error(tile, findings), _together(moved_words(tile, findings))))

    def show_details(self, *, wanted: bool, low: bool) -> None:
        """Whether all is said of the way, or what one decides by; in a `low` window not what leaves."""
        self._details, self._low = wanted, low
        self._show_lines()

    def _show_lines(self) -> None:
        # Where one ε hides less in one way than in another, who copies the tiles alone must read it.
        for line, shown in (
            (self.stands, not self._details),
            (self.times, self._details),
            (self.why, self._details),
            (self.setting, self._details),
            (self.hidden, (self._paid or (self._unlike and not self._low)) and not self._details),
            (self.hides, self._details),
            (self.leaves, self._details or not self._low),
        ):
            line.setVisible(shown and bool(line.text()))

    def show_place(
        self,
        *,
        take: str,
        left: bool,
        standing: TileStanding | None,
        short: str,
        also: bool = False,
        chance: str = "",
        final: bool = True,
    ) -> None:
        """Mark it as the way to `take`, or as the one that is `left`, unless it is `short` of what is enough here.

        Where it is, no mark of it is friendly, and from where on it is enough stands in its place, and in the tip
        what `chance` does to that. Unless it is `final`, it is the best one so far. Is it not the way to take, but
        `also` enough, that is said, unless it is as good.
        """
        self.best.setVisible(bool(take))
        best = Status.WARNING if short else Status.SUCCESS if final else Status.INFO
        self._call(self.best, best, f"Best, {short}" if short else (take or "Take") if final else "Best so far")
        self.instead.setVisible(left and not short)
        self.show_tied(None if take or short else standing)
        self.also.setVisible(also and not take and not short and standing is not TileStanding.ALIKE)
        self._call(self.also, Status.SUCCESS, _ALSO)
        self.short.setVisible(bool(short) and not take)
        self.short.setToolTip(f"{_SHORT}. {chance}" if chance else _SHORT)
        self.best.setToolTip(chance if short else "")
        self._call(self.short, Status.WARNING, f"{short[:1].upper()}{short[1:]}" or "Not enough")

    def show_tied(self, standing: TileStanding | None) -> None:
        """Mark it as near the way to take; None as neither that one nor near it."""
        self.tied.setVisible(standing in _TIED)
        if standing in _TIED:
            look = Status.SUCCESS if standing is TileStanding.ALIKE else Status.INFO
            self._call(self.tied, look, _TIED[standing])

    def _call(self, badge: Badge, status: Status, words: str) -> None:
        """Give a badge these words, or fewer where there is no room for them."""
        self._called[badge] = status, words
        badge.set_status(status, words)

    def start_over(self) -> None:
        """Give back the lines that are not needed: the tile is about something else."""
        self._elsewhere.clear()
        for line in self.findChildren(SteadyLabel):
            line.start_over()

    def ask(self, words: str) -> None:
        """Take one more press, because something of the person's would be replaced."""
        self.asks = True
        self.trust.setText("")  # the question has its room; both come back with the tile
        room = self.width() - 2 * tokens.SPACE_M - 2 * tokens.SPACE_S
        self.button.setText(self.button.fontMetrics().elidedText(words, Qt.TextElideMode.ElideMiddle, room))
        self.button.setToolTip(in_lines(words))
        self.button.setAccessibleName(f"{self.approach.value.capitalize()}: {words}")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized()

    def fits(self, heading: int, *, whole: bool) -> bool:
        """Show the number as a heading of this rank (0 for none), and say whether there is room for that.

        Unless `whole`, it stands without the word that the verdict above all tiles has beside it too.
        """
        set_look(self.error, heading=heading, strong=not heading)
        self.error.setText(self._told if whole else bare(self._told))
        self.error.ensurePolished()
        number, margin = self.error.fontMetrics(), self.moved.fontMetrics()
        wide = [
            number.horizontalAdvance(told if whole else bare(told))
            + (margin.horizontalAdvance(moved) + tokens.SPACE_S if moved else 0)
            for told, moved in (*self._elsewhere, (self._told, self.moved.text()))
        ]
        return max(wide) + _ROUNDED <= self._room

    def names_itself(self, length: Length) -> bool:
        """Show its badges in so many words, and say whether there is room for that."""
        badges = self.also, self.tied, self.best, self.instead, self.short
        for badge in badges:
            status, words = self._called.get(badge, (Status.INFO, ""))
            if words:
                fewer = _briefly(words)
                short = _ON_AVERAGE.sub(lambda one: " from" if one[0][0] == " " else "From", fewer)
                short = short.replace("about ε ", "about ")
                told = {Length.WHOLE: words, Length.BRIEF: fewer}.get(length, short)
                badge.set_status(status, told)
                badge.setAccessibleName(words)
            # What stands beside another mark gives way to it.
            badge.set_brief(length is Length.ICON or (badge is self.also and length is Length.SHORT))
        shown = [badge.sizeHint().width() + tokens.SPACE_S for badge in badges if not badge.isHidden()]
        return self._title.sizeHint().width() + sum(shown) <= self._room

    @property
    def _room(self) -> int:
        return self.contentsRect().width() - 2 * tokens.SPACE_M

    @property
    def stacks(self) -> bool:
        """Whether whom one must trust has no room in a line beside the button."""
        return not self._fits_beside(_shortly(TRUST[self.approach]))

    def _fits_beside(self, trust: str) -> bool:
        wide = self.trust.fontMetrics().horizontalAdvance(trust) + tokens.SPACE_XS
        return wide + self.button.sizeHint().width() <= self._room

    def stack(self, wanted: bool) -> None:
        """Whether that stands above the button rather than beside it."""
        whole = TRUST[self.approach]
        if self.trust.text():  # else it gives its room to a question
            self.trust.setText(whole if wanted or self._fits_beside(whole) else _shortly(whole))
        way = QBoxLayout.Direction.TopToBottom if wanted else QBoxLayout.Direction.LeftToRight
        if self._last.direction() is not way:
            self._last.setDirection(way)
            self._last.setSpacing(0 if wanted else tokens.SPACE_XS)
            self.trust.start_over()

    def _press(self) -> None:
        (self.mended if self._mends else self.followed).emit()


def _shortly(trust: str) -> str:
    """Whom one must trust in fewer letters."""
    return trust.replace(": a curator,", ": curator")


def _briefly(words: str) -> str:
    return next((one.sub(brief, words) for one, brief in _BRIEF if one.match(words)), words)


def _stands_words(tile: Tile, said: Verdict, findings: Findings) -> tuple[str, str, str]:
    """How a way stands: in few words, and whole, also where it hides as much as another one; and that alone."""
    # Why one of those that are as good is taken stands above all tiles.
    protected, why = protected_words(tile, said, findings), f"; {promised_words(tile, said)}"
    brief, whole = (words(tile, said, protected).replace(why, "") for words in (standing_briefly, standing_words))
    return brief, whole, protected


def _together(words: str) -> str:
    """A margin that keeps its sign and unit beside it where a line ends."""
    for sign in ("± ", "≤ ", " = "):
        words = words.replace(sign, sign.replace(" ", "\u00a0"))
    return words.replace(" %", "\u00a0%")
