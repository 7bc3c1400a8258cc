"""Two combinations of levels side by side."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from workbench.core.number_text import change, estimate, percent, points
from workbench.core.progress import Progress
from workbench.gui.runner import Runner
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.heat_table import HeatTable
from workbench.gui.widgets.labels import label
from workbench.session.syntactic.results import RecodingResult
from workbench.session.syntactic.why_best import NodeCost, costs_of
from workbench.session.syntactic.words import levels_in_words

_THRESHOLD = 0.2
Levels = Mapping[str, int]


class CompareView(QWidget):
    """A table with a column for each of two combinations and one for what differs."""

    def __init__(self, runner: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._found: RecodingResult | None = None
        self._pair: tuple[Levels, Levels] | None = None
        self._due = False
        self.words = label(muted=True, wrap=True)
        self.table = HeatTable("Two combinations compared")
        set_explain(self, "anonymise.node_costs")
        boxes.column(self.words, (self.table, 1), spacing="s", inside=self)
        self._clear()

    def set_pair(self, found: RecodingResult | None, pair: tuple[Levels, Levels] | None) -> None:
        """Compare these two, or nothing."""
        if found is self._found and pair == self._pair:
            return
        self._found, self._pair = found, pair
        self._due = pair is not None
        self._clear()
        if self.isVisible():
            self._work_if_due()

    def _clear(self) -> None:
        self.table.show_rows((), ())
        self.words.setText(
            "Comparing…"
            if self._pair is not None
            else "Choose two combinations: two lines of the list with Ctrl, or two squares with Ctrl+click."
        )

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._work_if_due()

    def _work_if_due(self) -> None:
        if self._due and self._found is not None and self._pair is not None:
            self._due = False
            self._runner.start(
                "Comparing two combinations",
                partial(_compared, self._found, self._pair),
                on_done=self._show,
                key=f"compare nodes {id(self)}",
                latest_wins=True,
            )

    def _show(self, compared: tuple[RecodingResult, tuple[Levels, Levels], tuple[NodeCost, ...]]) -> None:
        found, pair, (first, second) = compared
        if found is not self._found or pair != self._pair:
            return
        best = dict(found.result.levels)
        heads = [
            f"{letter} (best)" if dict(levels) == best else letter for letter, levels in zip("AB", pair, strict=True)
        ]
        self.words.setText(f"A: {levels_in_words(pair[0])}\nB: {levels_in_words(pair[1])}")
        lines = self._lines(first, second, found.problem.rows)
        # Lines in which the two differ stand out.
        heat = np.zeros((len(lines), 4))
        for place, line in enumerate(lines):
            heat[place, 3] = 0.5 if line[1] != line[2] else 0.0
        self.table.show_rows(("Figure", *heads, "Change"), lines, heat=heat)

    def _lines(self, first: NodeCost, second: NodeCost, rows: int) -> list[tuple[str, str, str, str]]:
        a, b = first.facts, second.facts
        yes, no = "yes", "no"
        lines = [("models hold", yes if a.feasible else no, yes if b.feasible else no, "")]

        def add(words: str, x: float, y: float) -> None:
            lines.append((words, estimate(x), estimate(y), change(x, y)))

        def add_share(words: str, x: float, y: float) -> None:
            lines.append((words, percent(x), percent(y), points(x, y)))

        def add_count(words: str, x: float, y: float) -> None:
            lines.append((words, estimate(x), estimate(y), change(x, y)))

        add("loss", a.score, b.score)
        for name in a.losses:
            add(f"loss · {name}", a.losses[name], b.losses[name])
        for name, level in a.levels.items():
            other = b.levels[name]
            words = f"{other - level:+d}" if other != level else ""
            lines.append((f"level · {name}", str(level), str(other), words))
        add_count("rows suppressed", a.suppressed, b.suppressed)
        add_share("share suppressed", a.suppressed / max(rows, 1), b.suppressed / max(rows, 1))
        add_count("classes", first.risk.classes, second.risk.classes)
        add_count("smallest class", first.risk.smallest, second.risk.smallest)
        add_count("largest class", first.risk.largest, second.risk.largest)
        sizes = [one.risk.rows / one.risk.classes if one.risk.classes else 0.0 for one in (first, second)]
        add_count("average class", sizes[0], sizes[1])
        add_share("highest risk", first.risk.prosecutor.highest, second.risk.prosecutor.highest)
        add_share("average risk", first.risk.prosecutor.average, second.risk.prosecutor.average)
        at_risk = f"rows at risk above {percent(_THRESHOLD)}"
        add_share(at_risk, first.risk.prosecutor.at_risk, second.risk.prosecutor.at_risk)
        return lines


def _compared(
    found: RecodingResult, pair: tuple[Levels, Levels], progress: Progress
) -> tuple[RecodingResult, tuple[Levels, Levels], tuple[NodeCost, ...]]:
    return found, pair, costs_of(found.problem, pair, _THRESHOLD, progress)
