"""The combinations of levels: why one won, a map, a list, and two of them compared."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QWidget

from workbench.gui import tokens
from workbench.gui.runner import Runner
from workbench.gui.widgets import boxes
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.flow import FlowLayout
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.view_switch import ViewSwitch
from workbench.gui.workspaces.anonymise.syntactic.combinations import CombinationsView
from workbench.gui.workspaces.anonymise.syntactic.compare_view import CompareView
from workbench.gui.workspaces.anonymise.syntactic.lattice_cells import LegendSquare
from workbench.gui.workspaces.anonymise.syntactic.lattice_map import LatticeMap
from workbench.gui.workspaces.anonymise.syntactic.why_view import WhyView
from workbench.session.syntactic.lattice_bands import LatticeBands, Levels, Square, only_holding
from workbench.session.syntactic.neighbours import Node, NodeNeighbours
from workbench.session.syntactic.results import RecodingResult
from workbench.session.syntactic.why_best import WhyBest
from workbench.session.syntactic.words import levels_in_words

WHY, MAP, LIST, COMPARE = range(4)


class _Scroll(QScrollArea):
    """Tells the map how much room there is."""

    def __init__(self, inside: LatticeMap) -> None:
        super().__init__()
        self._inside = inside
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(inside)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._inside.set_room(self.viewport().height())
        super().resizeEvent(event)

    def minimumSizeHint(self) -> QSize:
        return QSize(tokens.RAIL_WIDTH, tokens.ROW_HEIGHT)


class CombinationsPanel(QWidget):
    """Four views of the combinations; what is chosen in one is chosen in all.

    Signals
    -------
    levels_chosen(object)
        The person wants these levels, by column.
    """

    levels_chosen = Signal(object)

    def __init__(self, runner: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: RecodingResult | None = None
        self._names: tuple[str, ...] = ()
        self.why = WhyView()
        self.map = LatticeMap()
        self.list = CombinationsView()
        self.compare = CompareView(runner)
        self.levels, self.facts = ElidedLabel(strong=True), ElidedLabel()
        self.extent = ElidedLabel(muted=True, small=True)
        self.filter = ComboBox(
            "Which combinations are drawn", (("All combinations", "all"), ("Those that hold", "holds"))
        )
        self.filter.activated.connect(self._draw)
        self._drawn: LatticeBands | None = None
        self.use = QPushButton("Use these levels")
        self.use.setAccessibleName("Use the levels of the chosen square")
        self._scroll = _Scroll(self.map)
        set_explain(self.map, "anonymise.lattice_map")
        views = (
            (self.why, "Why"),
            (self._map_page(), "Map"),
            (self.list, "List"),
            (self.compare, "Compare"),
        )
        self.switch = ViewSwitch("Combinations of levels", views)
        boxes.column(self.switch, inside=self)
        self.use.clicked.connect(self._take_chosen)
        self.map.arranged.connect(self._scroll_to_chosen)
        self.map.chosen.connect(self._chosen_in_map)
        self.map.added.connect(self._added_in_map)
        self.map.taken.connect(self._taken_in_map)
        self.list.levels_chosen.connect(self.levels_chosen)
        self.list.selected.connect(self._chosen_in_list)
        self.show_found(None, None, None, None)

    def _map_page(self) -> QWidget:
        page = QWidget()
        set_explain(page, "anonymise.lattice_map")
        lines = boxes.column(self.levels, self.facts, spacing=0)
        legend = QWidget()
        flow = FlowLayout(legend)
        holds = Node({}, 0.0, True, 0, 0, 0)
        fails = Node({}, 0.0, False, 0, 0, 0)
        for cell, marks, words in (
            (Square((), holds, 1.0), (), "loses least"),
            (Square((), holds, 0.0), (), "loses most"),
            (Square((), fails, 0.0, 0.4), (), "fails; filled: rows lost"),
            (Square((), None, 0.5), (), "not looked at"),
            (Square((), None, doomed=True), (), "known to fail"),
            (Square((), holds, 1.0), ("best",), "best"),
            (Square((), holds, 0.0), ("current",), "in force"),
        ):
            pair = boxes.boxed(
                boxes.row(
                    LegendSquare(cell, marks), label(words, small=True, muted=True), margins="0 0 s 0", spacing="xs"
                )
            )
            flow.addWidget(pair)
        boxes.column(
            lines,
            (self._scroll, 1),
            boxes.row((self.extent, 1), self.filter, spacing="s"),
            boxes.row((legend, 1), (self.use, Qt.AlignmentFlag.AlignTop), spacing="s"),
            spacing="s",
            inside=page,
        )
        return page

    # Showing

    def show_found(
        self,
        found: RecodingResult | None,
        around: NodeNeighbours | None,
        why: WhyBest | None,
        drawn: LatticeBands | None,
    ) -> None:
        """Show what a search found; what was looked at around it may come later."""
        self._found = found
        self._names = found.problem.names if found is not None else ()
        self.why.show_why(found, why)
        again = self._drawn is not None and drawn is not None and drawn.best == self._drawn.best
        chosen = self.map.selected if again else None
        self._drawn = drawn
        self._draw()
        self.list.show_nodes(around)
        self.use.setEnabled(drawn is not None)
        self.filter.setEnabled(drawn is not None)
        self._pick(chosen or (drawn.best if drawn is not None else None))

    def _draw(self, _row: int = 0) -> None:
        """Draw the combinations that are wanted, and say which they are."""
        drawn, holding = self._drawn, self.filter.chosen == "holds"
        shown = only_holding(drawn) if drawn is not None and holding else drawn
        chosen = self.map.selected
        self.map.set_map(shown)
        if chosen is not None and self.map.cell(chosen) is not None:
            self.map.select(chosen)
        if shown is None or self._found is None:
            self.extent.set_text("")
            return
        count, size = sum(len(cells) for _, cells in shown.bands), self._found.problem.lattice.size
        which = "at which the models hold" if holding else "nearest to the best"
        words = f"All {size:,} combinations" if shown.complete else f"{count:,} of {size:,} combinations, {which}"
        self.extent.set_text(f"{words}; the more general, the higher.")

    def show_current(self, levels: Mapping[str, int]) -> None:
        """Mark the levels in force."""
        self.map.set_current(tuple(levels.get(name, 0) for name in self._names) if self._names else None)

    def show_why(self) -> None:
        """Bring the reasons to the front."""
        self.switch.show_view(WHY)
        self.why.setFocus()

    # Choosing

    def _chosen_in_map(self, levels: Levels) -> None:
        self._pick(levels)
        self.list.select((self._named(levels),))

    def _added_in_map(self, levels: Levels) -> None:
        chosen = self.map.selected
        if chosen is not None and levels != chosen:
            self._pick(chosen, levels)
            self.list.select((self._named(chosen), self._named(levels)))
        self.switch.show_view(COMPARE)

    def _taken_in_map(self, levels: Levels) -> None:
        self.levels_chosen.emit(self._named(levels))

    def _chosen_in_list(self, chosen: tuple[Mapping[str, int], ...]) -> None:
        if chosen:
            levels = [tuple(one[name] for name in self._names) for one in chosen]
            self._pick(levels[0], levels[1] if len(levels) > 1 else None)

    def _take_chosen(self) -> None:
        if self.map.selected is not None:
            self.levels_chosen.emit(self._named(self.map.selected))

    def _pick(self, levels: Levels | None, other: Levels | None = None) -> None:
        """Show one node, and compare it with another one or with the best."""
        if levels is None or self._found is None:
            self.levels.set_text("")
            self.facts.set_text("After a search: every combination of levels as a square.")
            self.compare.set_pair(None, None)
            return
        self.map.select(levels, other)
        self.levels.set_text(levels_in_words(self._named(levels)))
        self.facts.set_text(self.map.cost_in_words(levels))
        self.map.setAccessibleDescription(self.map.words(levels))
        self._scroll_to_chosen()
        best = tuple(self._found.result.levels[name] for name in self._names)
        if other is None and levels == best:
            self.compare.set_pair(self._found, None)
            return
        first, second = (best, levels) if other is None else (levels, other)
        self.compare.set_pair(self._found, (self._named(first), self._named(second)))

    def _scroll_to_chosen(self) -> None:
        place = self.map.place(self.map.selected) if self.map.selected is not None else None
        if place is not None:
            centre = place.center().toPoint()
            self._scroll.ensureVisible(centre.x(), centre.y(), tokens.SPACE_M, tokens.FIELD_WIDTH // 2)

    def _named(self, levels: Levels) -> dict[str, int]:
        return dict(zip(self._names, levels, strict=True))
