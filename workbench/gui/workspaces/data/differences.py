"""Differences of the next file from what the project describes, before anything is run on it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from workbench.core.number_text import counted
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import IconLabel, label
from workbench.project.differences import Differences


class DifferencesBanner(QFrame):
    """One line that counts the differences.

    Signals
    -------
    list_wanted(), settled()
        The person wants to see them, or has seen enough.
    """

    list_wanted = Signal()
    settled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, message="warning")
        set_explain(self, "data.differences")
        self.words = ElidedLabel()
        self.words.setMinimumWidth(1)
        self.show_list = QPushButton("&List them…")
        self.show_list.setAccessibleName("List the differences")
        self.settle = push_button("Go on", name="Go on with the file as it is", quiet=True)
        self.show_list.clicked.connect(self.list_wanted)
        self.settle.clicked.connect(self.settled)
        boxes.row(
            IconLabel("warning", tokens.ICON, "warning"),
            (self.words, 1),
            analyst_badge(),
            self.show_list,
            self.settle,
            margins="s xs xs xs",
            spacing="s",
            inside=self,
        )
        self.hide()

    def show_differences(self, found: Differences) -> None:
        """Count what is different; nothing is shown if nothing is."""
        parts = [
            many.format(n=f"{count:,}") if count != 1 else one
            for count, one, many in (
                (len(found.missing), "1 column is missing", "{n} columns are missing"),
                (len(found.new), "1 column is new", "{n} columns are new"),
                (len(found.new_values), "1 column has new values", "{n} columns have new values"),
                (
                    len(found.misfits),
                    "1 column has values that do not fit",
                    "{n} columns have values that do not fit",
                ),
                (
                    len(found.unbuilt),
                    "1 hierarchy cannot be built",
                    "{n} hierarchies cannot be built",
                ),
            )
            if count
        ]
        if found.filter_problem:
            parts.append("the filter does not fit")
        self.words.set_text(f"Not what the project describes: {'; '.join(parts)}")
        self.setVisible(bool(found))


class DifferencesDialog(QDialog):
    """Every difference, by sort."""

    def __init__(self, found: Differences, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"What is different in {name}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_explain(self, "data.differences")
        self._lines: list[str] = []
        self.tree = QTreeWidget()
        self.tree.setAccessibleName("Differences")
        self.tree.setColumnCount(2)
        self.tree.setHeaderLabels(["Column", "What is different"])
        self.tree.setRootIsDecorated(True)
        self.tree.setColumnWidth(0, tokens.JOB_WIDTH)
        self.tree.setWordWrap(True)
        self._fill(found)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton("&Copy list", QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(self._copy)
        buttons.rejected.connect(self.reject)
        top = boxes.row(
            (
                label(
                    (
                        "Roles, kinds and hierarchies were kept for the columns of the same name. Nothing was run on "
                        "the new file yet."
                    ),
                    wrap=True,
                ),
                1,
            ),
            (analyst_badge(), Qt.AlignmentFlag.AlignTop),
            spacing="m",
        )
        boxes.column(top, (self.tree, 1), buttons, margins="l", spacing="m", inside=self)
        self.resize(5 * tokens.EXPLAIN_WIDTH // 2, 3 * tokens.EXPLAIN_WIDTH // 2)

    def _fill(self, found: Differences) -> None:
        self._group("Hierarchies that cannot be built", list(found.unbuilt.items()))
        self._group(
            "Missing in the file",
            [(name, "Its description and hierarchy are dropped.") for name in found.missing],
        )
        self._group(
            "New in the file",
            [(name, "Described as the program proposes; it has no role yet.") for name in found.new],
        )
        values = []
        for name, new in found.new_values.items():
            shown = ", ".join(f"“{value}”" for value in new.examples)
            more = f" and {new.count - len(new.examples):,} more"
            values.append((name, shown + (more if new.count > len(new.examples) else "")))
        self._group("Values that were not expected", values)
        self._group(
            "Values that do not fit the kind",
            [(name, f"in {counted(rows, 'row')}" if rows else "in some rows") for name, rows in found.misfits.items()],
        )
        if found.filter_problem:
            self._group("The filter", [("", found.filter_problem)])
        self.tree.expandAll()

    def _group(self, title: str, lines: list[tuple[str, str]]) -> None:
        if not lines:
            return
        self._lines += [title, *(f"\t{name}\t{what}" for name, what in lines)]
        group = QTreeWidgetItem([f"{title} ({len(lines):,})"])
        group.setSizeHint(0, QSize(0, tokens.ROW_HEIGHT))
        self.tree.addTopLevelItem(group)
        group.setFirstColumnSpanned(True)
        for name, what in lines:
            item = QTreeWidgetItem([visible(name), visible(what)])
            item.setToolTip(1, what)
            item.setSizeHint(0, QSize(0, tokens.ROW_HEIGHT))
            group.addChild(item)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(self._lines))
