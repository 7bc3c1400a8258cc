"""What is said below and beside published figures, for tests of their words."""

from __future__ import annotations

from tests.evaluate.figure_runs import few
from workbench.evaluate.published.catalogue import figure_named
from workbench.evaluate.published.entry import FigureOutcome
from workbench.session.published_captions import printed_caption
from workbench.session.published_figures import panels_of


def captions(outcome: FigureOutcome) -> dict[str, str]:
    """What is printed below each panel, by its title."""
    return {data.panel.title: printed_caption(outcome, side, data) for side, data in panels_of(outcome)}


def lines(number: str, repetitions: int = 2) -> str:
    return " ".join(few(figure_named(number), repetitions).differs)


def settings_of(number: str) -> dict[str, tuple[str, str]]:
    return {name: (there, here) for name, there, here in figure_named(number).settings}


LOCAL = ("4.3", "4.4", "4.5", "4.6", "4.9", "4.10", "4.11")
