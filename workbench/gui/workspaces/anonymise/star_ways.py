"""The ways for columns that matter most, below each other, with the forecast; one line while they are folded."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QWidget

from workbench.core.visible import visible
from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.session.release.star_choice import StarChoice


class StarWays(QWidget):
    """That they may become `*`, or never do, or that numbers are coarser for it, each with what is likely to come.

    A choice is one step of undo.
    """

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._choice: StarChoice | None = None
        self._made = False
        self.may, self.never, self.coarser = self._buttons = QRadioButton(), QRadioButton(), QRadioButton()
        self.may.setAccessibleName("What matters most may be *")
        self.never.setAccessibleName("Never * in what matters most")
        self.coarser.setAccessibleName("Coarser numbers, and never * in what matters most")
        # The words of a radio button are never in two lines, and names of columns can be long.
        self.words = tuple(label(small=True, wrap=True) for _ in self._buttons)
        group = QButtonGroup(self)
        for button, words in zip(self._buttons, self.words, strict=True):
            group.addButton(button)
            button.clicked.connect(self._choose)
            words.installEventFilter(self)
        set_explain(self, "anonymise.forecast")
        lines = (boxes.row(one, (words, 1), spacing="xs") for one, words in zip(self._buttons, self.words, strict=True))
        self.fold = Disclosure("What matters most", boxes.boxed(boxes.column(*lines, spacing="xs")))
        self.fold.button.clicked.connect(self._fold)
        self._unfolded: bool | None = None
        self._was_folded = False
        boxes.column(self.fold, inside=self)
        self.show_choice(None)

    def show_choice(self, choice: StarChoice | None, *, folded: bool = False) -> None:
        """Show the ways and which of them the settings are; nothing where there is no choice, or makes no difference.

        What the person chose here stays in sight with what it was chosen against, whatever became of the numbers since.
        While something else is offered both are `folded` into one line, unless the person unfolded them. They do not
        unfold by themselves afterwards.
        """
        self._made = self._made and choice is not None
        self._choice = None if choice is None or (choice.alike and not self._made) else choice
        choice = self._choice
        self.setVisible(choice is not None)
        if choice is None:
            self._unfolded, self._was_folded = None, False
            return
        self._was_folded = self._was_folded or folded
        self.fold.set_open((self._made or not self._was_folded) if self._unfolded is None else self._unfolded)
        told = (choice.may, choice.never, choice.coarser)
        for button, shown, words in zip(self._buttons, self.words, told, strict=True):
            shown.setText(visible(words))
            button.setAccessibleName(visible(words))
            for part in (button, shown):
                part.setVisible(bool(words))
        (self.never if choice.is_never else self.may).setChecked(True)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A press on the words is one on the button before them."""
        if (
            isinstance(event, QMouseEvent)
            and event.type() is QEvent.Type.MouseButtonPress
            and event.button() is Qt.MouseButton.LeftButton
            and watched in self.words
        ):
            self._buttons[self.words.index(watched)].click()
            return True
        return super().eventFilter(watched, event)

    def _fold(self) -> None:
        self._unfolded = self.fold.is_open

    def _choose(self) -> None:
        choice, taken = self._choice, next(place for place, one in enumerate(self._buttons) if one.isChecked())
        if choice is not None and taken != int(choice.is_never):
            self._made = True
            words = (choice.may, choice.never, choice.coarser)[taken]
            edit = (choice.choose_may, choice.choose_never, choice.choose_coarser)[taken]
            self._document.apply(words.partition(":")[0], edit)
