"""What is shown for a column without a hierarchy: the files that fit by name, and the way to any other."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from workbench.core.schema import Role
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import IconLabel, label
from workbench.io.matching import HierarchyFile


class AttachPage(QWidget):
    """Offers to attach a hierarchy to one column.

    Signals
    -------
    file_chosen(object)
        The path of an offered file.
    browse_requested()
        A file dialog is wanted.
    """

    file_chosen = Signal(object)
    browse_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_explain(self, "hierarchies.attach")
        self.offers: list[QPushButton] = []
        self._title = label(heading=2)
        self._words = label(muted=True, wrap=True)
        self._words.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._words.setMaximumWidth(tokens.EMPTY_TEXT_WIDTH)
        self._words.setMinimumWidth(tokens.EXPLAIN_WIDTH)
        self._found = label(small=True, muted=True)
        self.browse = QPushButton()
        self.browse.clicked.connect(self.browse_requested)
        self._buttons = QVBoxLayout()
        self._buttons.setSpacing(tokens.SPACE_S)
        centre = Qt.AlignmentFlag.AlignHCenter
        layout = QVBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_XL, tokens.SPACE_XL, tokens.SPACE_XL, tokens.SPACE_XL)
        layout.setSpacing(tokens.SPACE_S)
        layout.addStretch(2)
        layout.addWidget(IconLabel("hierarchies", tokens.ICON_HERO, "control"), 0, centre)
        layout.addSpacing(tokens.SPACE_S)
        layout.addWidget(self._title, 0, centre)
        # With an alignment of its own, a label that breaks lines is given too little height.
        across = QHBoxLayout()
        across.addStretch(1)
        across.addWidget(self._words, 100)
        across.addStretch(1)
        layout.addLayout(across)
        layout.addSpacing(tokens.SPACE_S)
        layout.addWidget(self._found, 0, centre)
        layout.addLayout(self._buttons)
        layout.addWidget(self.browse, 0, centre)
        layout.addStretch(3)

    def show_column(self, name: str, role: Role, files: tuple[HierarchyFile, ...]) -> None:
        """Offer what fits a column."""
        self._title.setText(self.tr("No hierarchy for “{name}” yet").format(name=name))
        self._words.setText(self._advice(role))
        for button in self.offers:
            self._buttons.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.offers = [self._offer(position, file) for position, file in enumerate(files)]
        self._found.setText(self.tr("Beside the data file, by name:"))
        self._found.setVisible(bool(files))
        self.browse.setText(self.tr("Attach another CSV…") if files else self.tr("Attach CSV…"))
        self.browse.setAccessibleName(self.browse.text())
        set_look(self.browse, primary=not files)

    def _advice(self, role: Role) -> str:
        if role is Role.IDENTIFYING:
            return self.tr(
                "This column identifies persons and is left out of the release, so it needs no hierarchy. You can "
                "attach one all the same."
            )
        return self.tr(
            "A hierarchy says what each value becomes when it must be coarser: 34, then 30–39, then *. It is a CSV "
            "with a line for each value and a cell for each level. Drop one here."
        )

    def _offer(self, position: int, file: HierarchyFile) -> QPushButton:
        text = self.tr("Attach {file}").format(file=file.path.name)
        button = QPushButton(text.replace("&", "&&"))
        button.setAccessibleName(text)
        button.setToolTip(str(file.path))
        set_look(button, primary=position == 0)
        button.clicked.connect(partial(self._choose, file.path))
        self._buttons.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        return button

    def _choose(self, path: Path) -> None:
        self.file_chosen.emit(path)
