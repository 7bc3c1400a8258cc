"""ε near the one that is asked for at which people can draw their reports with coins or dice."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.core.exact import fraction_text
from workbench.core.number_text import rounded_up
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.flow import FlowLayout
from workbench.gui.widgets.labels import label
from workbench.ldp.by_hand import HandOffer

_MOST = 3


class HandOffers(QWidget):
    """The offers side by side, the smallest ε first; one that is larger than asked for says so.

    Parameters
    ----------
    said
        How people draw at the ε as it is, and what is offered.

    Signals
    -------
    taken(float)
        The person takes the ε of an offer.
    """

    taken = Signal(float)

    def __init__(self, said: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._offers: tuple[HandOffer, ...] = ()
        self.words = label(said, muted=True, small=True, wrap=True)
        self.buttons = tuple(push_button("", partial(self._take, place), quiet=True) for place in range(_MOST))
        flow = FlowLayout()
        for button in self.buttons:
            button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            flow.addWidget(button)
        boxes.column(self.words, flow, spacing=0, inside=self)

    def show_offers(self, offers: tuple[HandOffer, ...]) -> None:
        """Show these; with none nothing."""
        self._offers = offers
        self.setVisible(bool(offers))
        for place, button in enumerate(self.buttons):
            button.setVisible(place < len(offers))
            if place < len(offers):
                button.setText(offered(offers[place]))
                button.setToolTip(exactly(offers[place]))
                button.setAccessibleName(f"{offered(offers[place])}. {exactly(offers[place])}")

    def _take(self, place: int) -> None:
        self.taken.emit(self._offers[place].epsilon)


def offered(offer: HandOffer) -> str:
    """What an offer is called: what is rolled, and its ε."""
    device = offer.drawn.device.removeprefix("a ")
    more = " (larger)" if offer.larger else ""
    return f"{device[0].upper()}{device[1:]}: ε {rounded_up(offer.epsilon)}{more}"


def exactly(offer: HandOffer) -> str:
    """Its ε and its chance exactly, and what a press does."""
    chance, ratio = fraction_text(offer.drawn.chance), fraction_text(offer.ratio)
    more = " That is more than you ask for: people give away more." if offer.larger else ""
    return f"Sets ε to ln({ratio}) exactly: a chance of {chance}.{more}"
