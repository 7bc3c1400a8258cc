"""Words on what a typed ε comes to, and a way to keep it fit for the readers that it was fit for."""

from __future__ import annotations

from collections.abc import Callable

from workbench.anonymise.readers import Readers
from workbench.gui.theme import set_look
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.labels import label


class ChargedLine:
    """Parts for beside and below the field of ε; each is there only where it says something.

    Parameters
    ----------
    keep
        Make ε what it has to be for the readers before.
    """

    def __init__(self, keep: Callable[[], None]) -> None:
        self.twice = label(strong=True)
        self.unfit = ElidedLabel(strong=True, small=True)
        set_look(self.unfit, tone="warning")
        self.keep = push_button(act=keep, name="Keep ε as it was", inline=True, explain="anonymise.readers")

    def show(self, short: str, words: str, wider: Readers | None) -> None:
        """Say what ε comes to, `short` and in a sentence, and for whom it is no more."""
        self.twice.setText(short)
        self.twice.setToolTip(words)
        self.twice.setAccessibleName(words)
        self.twice.setVisible(bool(short))
        # Nobody is to overlook that the same ε is for others by now.
        self.unfit.set_text("" if wider is None else f"Not for {wider.words.lower()} any more")
        self.unfit.setVisible(wider is not None)
        self.keep.setText("" if wider is None else f"Keep it fit for {wider.words.lower()}")
        if wider is not None:
            self.keep.setAccessibleName(self.keep.text())
        self.keep.setVisible(wider is not None)
