"""Published figures as tests make them, each once for a process: one side with all runs, or both with few."""

from __future__ import annotations

from functools import cache

from tests.evaluate.published_values import as_published
from workbench.core.progress import SILENT
from workbench.evaluate.published.catalogue import figure_named
from workbench.evaluate.published.entry import FigureInput, FigureOutcome, PublishedFigure, run_figure
from workbench.session.shipped_samples import sample_of


@cache
def made(identifier: str) -> FigureOutcome:
    return as_published(figure_named(identifier))


def few(figure: PublishedFigure, repetitions: int = 2) -> FigureOutcome:
    """Both sides with few repetitions."""
    return _few(figure.identifier, repetitions)


@cache
def _few(identifier: str, repetitions: int) -> FigureOutcome:
    figure = figure_named(identifier)
    material, column, data = sample_of(figure.sample, SILENT)
    times = min(repetitions, figure.repetitions)
    return run_figure(figure, FigureInput(material, column, False, times, 1), data=data)
