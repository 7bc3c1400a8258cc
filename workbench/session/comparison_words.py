"""The outcome of a comparison in words, and about how long it takes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from workbench.core.number_text import count, estimate, exact, rounded
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.findings import Findings
from workbench.evaluate.rising import rising_sentences
from workbench.evaluate.verdict import place_words
from workbench.plots.curve_words import crossing_sentences, note_sentences, sampled_sentences


def duration_words(seconds: float) -> str:
    """About how long something takes."""
    if seconds < 1:
        return "less than a second"
    if seconds < 90:
        return f"about {count(rounded(seconds, 1) if seconds < 10 else round(seconds, -1))} s"
    if seconds < 5400:
        return f"about {count(seconds / 60)} min"
    return f"about {estimate(seconds / 3600, 2)} h"


def left_words(experiment: Experiment, known: int = 0, cells: int = 0) -> str:
    """The work that is left of a run, of which `known` of its `cells` are there already."""
    points = _points(experiment)
    if known and known == cells:
        return f"All {points} points are there."
    if not known:
        return f"{points} points × {experiment.repetitions:,} repetitions"
    # What the ways are tuned on is not among the points that anybody sees.
    share = f"{cells - known}" if cells == points else f"{math.ceil(100 * (cells - known) / cells)} %"
    return f"{share} of {points} points still to run"


def rest_words(experiment: Experiment, known: int = 0, cells: int = 0, seconds: float | None = None) -> str:
    """The work that is left of a run, and about how long it takes if that is known."""
    words = left_words(experiment, known, cells)
    return words if seconds is None or (known and known == cells) else f"{words}, {duration_words(seconds)}"


def first_words(findings: Findings, first: Sequence[float]) -> str:
    """The places that are run first, in words."""
    some = [place_words(findings, first[0]), *(estimate(one, 3) for one in first[1:])]
    return " and ".join(some)


def running_words(
    newest: Findings | None, told: Findings | None, share: float, first: Sequence[float] | None = None
) -> str:
    """How far a run is, and whether the places that are looked at first are through.

    How long the rest takes is told where every job tells it: two clocks never agree.

    Parameters
    ----------
    newest
        What has come so far.
    told
        What is read beside these words, which may be less: nobody is told of an answer that is not there to read.
    first
        Which places are run first; that of the experiment unless given.
    """
    so_far = f"{math.floor(100 * share)} %"
    if newest is None:
        return f"Running: {so_far}"
    some = newest.experiment.first_places() if first is None else first
    if told is not None and told.experiment == newest.experiment and set(some) <= set(told.through):
        return f"{first_words(told, some)} {'is' if len(some) == 1 else 'are'} done. The others follow: {so_far}"
    waits = len(newest.experiment.places) > 1 and not set(some) <= set(newest.through)
    return f"Running{f', {first_words(newest, some)} first' if waits else ''}: {so_far}"


def there_words(experiment: Experiment | None, known: int, cells: int) -> str:
    """How many of the points are there."""
    alone = experiment is None or cells == _points(experiment)
    return f"{known} of {cells}" if alone else f"{100 * known // cells} % of the"


def _points(experiment: Experiment) -> int:
    return len(experiment.places) * len(experiment.methods)


def findings_words(findings: Findings) -> list[str]:
    """The findings in sentences: where curves cross, what is missing and why, and what must be known."""
    found = crossing_sentences(findings)
    for series in findings.series:
        gaps = [point for point in series.points if point.problem]
        if gaps:
            where = ", ".join(exact(point.axis_value) for point in gaps[:4])
            more = ", …" if len(gaps) > 4 else ""
            found.append(f"{series.name}: {gaps[0].problem} ({findings.experiment.axis.words} {where}{more})")
    notes = *sampled_sentences(findings), *note_sentences(findings)
    return [f"• {one}" for one in (*found, *rising_sentences(findings), *notes)]
