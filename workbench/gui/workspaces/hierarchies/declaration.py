"""The declaration of a person about hierarchies from files, which nobody makes in their name."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label

_SIGNED = "Made by somebody who had not seen these rows. You sign this."
_WORD = "So is a standard or a code list. The statement says so as the publisher’s word."
_NAME = "“Published by” in Release puts your name there"
_ELSE = "Unless it is so, the release can promise nothing."
_COUNTS = "Only columns in the release count; you choose them in Anonymise."
"""Said while nobody has chosen: of what is left out the statement says nothing, whatever was answered."""
_NAMED = 3
"""Of more the list of columns says which they are."""


class Declaration(QFrame):
    """One question for all that nobody has declared yet, and two answers: it is so, or rules take their place.

    Whoever does not know has an answer that is true and leads on, and it is the one that Tab reaches first. Until then
    the question itself has the focus, and not one of its answers, which would look as if it were proposed. What follows
    from each stands beside it, in one short line. Nothing is declared of what nobody answers.

    Signals
    -------
    declared()
        The person says that it is so.
    unsure()
        It is not so, or they do not know.
    """

    declared = Signal()
    unsure = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_explain(self, "hierarchies.provenance")
        self._words, self._names = label(strong=True, wrap=True), label(small=True, muted=True, wrap=True)
        self._signed, self._rules = label(_SIGNED, small=True, wrap=True), label(small=True, wrap=True)
        for words in (self._words, self._names, self._rules, self._signed):
            words.setMinimumWidth(1)
        self.yes = push_button("&Yes, I declare it", self.declared)
        self.rules = push_button("&No, or not sure", self.unsure)
        set_look(self, card=True, asks=True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        answers = QGridLayout()
        answers.setHorizontalSpacing(tokens.SPACE_M)
        answers.setVerticalSpacing(tokens.SPACE_S)
        answers.setColumnStretch(1, 1)
        self.yes.setToolTip(f"{_WORD}\n{_NAME}")
        for row, (answer, follows) in enumerate(((self.rules, self._rules), (self.yes, self._signed))):
            answers.addWidget(answer, row, 0, Qt.AlignmentFlag.AlignTop)
            answers.addWidget(follows, row, 1)
        said = (self._words, self._names)
        self.beside = boxes.column(spacing=0)
        """Where it is said why a file is not asked about."""
        boxes.column(*said, boxes.Gap("xs"), answers, self.beside, margins="m s m s", spacing="xs", inside=self)

    def ask(
        self, names: Sequence[str], rules: str = "", lost: str = "", *, all_of_them: bool = True, chosen: bool = True
    ) -> None:
        """Ask about the hierarchies of these columns, which are all or those that were selected.

        Parameters
        ----------
        rules
            What takes their place where nobody declares it, in a sentence.
        lost
            Whose groups are not used then, in a sentence.
        chosen
            Whether somebody has said which columns the release is for.
        """
        one = len(names) == 1
        these = "this one" if one else f"these {len(names):,} hierarchies"
        self._words.setText(f"{'Was' if one else 'Were'} {these} made without this data?")
        self.setAccessibleName(self._words.text())
        counts = "" if chosen else _COUNTS
        self._names.setText(" · ".join(filter(None, (", ".join(names) if len(names) <= _NAMED else "", counts))))
        self._names.setVisible(bool(self._names.text()))
        some = "\nOnly of some? Select them in the list, with Ctrl." if all_of_them and not one else ""
        self.setToolTip(f"{_ELSE}{some}")
        self.yes.setAccessibleName(f"I declare that {these} {'was' if one else 'were'} made without this data")
        said = " ".join(filter(None, (_SIGNED, counts, _WORD)))
        self.yes.setAccessibleDescription(f"{said} {', '.join(names)}{some}")
        self._rules.setText(rules)
        self.rules.setToolTip(lost)
        self.rules.setAccessibleName(f"No, or not sure: replace by hierarchies made by rule: {', '.join(names)}")
        self.rules.setAccessibleDescription(f"{rules} {lost}".rstrip())
        self.setVisible(bool(names))
