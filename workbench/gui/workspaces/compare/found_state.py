"""The state of an experiment that does not run, in a line beside the chart; and what a run would do."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.core.errors import WorkbenchError
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.findings import Findings
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.compare.forecast import ExperimentForecast
from workbench.project.experiments import ExperimentDocument
from workbench.session.comparison_status import ExperimentStatus
from workbench.session.comparison_words import first_words, rest_words, there_words

_FIRST = {"bounds": "Type from and to first.", "domain": "Say which values are possible first."}
"""Instruction on what is lacking before a run on a public shape."""


@dataclass(frozen=True)
class FoundState:
    """The state in words, and whether they offer to run what is missing."""

    status: Status
    words: str
    offers: bool = False


def state_of(
    document: ExperimentDocument | None,
    seen: ExperimentStatus | None,
    *,
    shown: bool,
    lacking: bool,
    renewed: bool = False,
    told: Findings | None = None,
    wrong: str = "",
    tries: int = 0,
) -> FoundState:
    """The state of an experiment.

    Parameters
    ----------
    document
        What is looked at.
    seen
        What is known of it; None while that is looked for.
    shown
        Whether anything is drawn, of it or of what it was before.
    lacking
        Whether it cannot be run as it stands.
    renewed
        Whether what is there of it was run by itself after a change.
    told
        What is read beside it, which may be less than is known.
    wrong
        What is wrong in a field of the settings.
    tries
        In how many tries the same is answered, where another number is asked for.
    """
    old = Status.WARNING if shown else Status.NEUTRAL
    if wrong:
        return FoundState(old, wrong)
    experiment = None if document is None else document.experiment
    if seen is None and lacking:
        return FoundState(old, "Out of date: earlier settings." if shown else "Not run yet.")
    if seen is None:
        return FoundState(Status.NEUTRAL, "Looking for what is there already…")
    if tries and experiment is not None and not seen.findings.complete:
        rest = f"{there_words(seen.findings.experiment, seen.known, seen.points)} points are there"
        wanted = f"{experiment.repetitions:,}"
        words = f"{rest} with {wanted}" if seen.known else f"{wanted} are not run yet"
        return FoundState(Status.WARNING, f"{tries:,} tries; {words}.", offers=True)
    if not seen.known:
        if not shown and document is not None and document.kept:
            return FoundState(old, "What was saved is of an earlier version, other data or settings.", offers=True)
        return (
            FoundState(old, "Out of date: other settings.", offers=True) if shown else FoundState(old, "Not run yet.")
        )
    if not seen.findings.complete:
        first = seen.findings.experiment.first_places(None if document is None else document.place)
        return FoundState(Status.WARNING, _part_words(seen, told, first, renewed=renewed), offers=True)
    times = f"{experiment.repetitions:,}" if experiment is not None else ""
    public = experiment is not None and experiment.basis.public
    each = seen.findings.rows_per_person
    one = "1 row each" if public else ""
    several = f"up to {each:,} of a person"
    counted = "people" if public and each == 1 else "rows"
    whose = ", ".join(filter(None, (f"{seen.findings.rows:,} {counted}", one if each == 1 else several)))
    return FoundState(Status.SUCCESS, f"{whose}, {times} repetitions.")


def coming_state(*, shown: bool) -> FoundState:
    """The state of an experiment that runs by itself in a moment, beside what was `shown` before."""
    words = "Out of date: runs again by itself when you pause." if shown else "Runs by itself when you pause."
    return FoundState(Status.INFO, words)


def status_of(
    seen: ExperimentStatus | None,
    shown: Findings | None,
    experiment: Experiment | None,
    unasked: Experiment | None,
    *,
    wrong: bool,
    runs: bool = False,
) -> Status | None:
    """Whether all of an experiment is there; None while nothing is, or while it was run `unasked` and is not finished.

    Parameters
    ----------
    seen
        What is known of it; None while that is looked for.
    shown
        What is drawn.
    wrong
        Whether a field of the settings does not show what is in force.
    runs
        Whether it is under way, so that nobody has to do anything.
    """
    if wrong and shown is not None:
        return Status.WARNING
    if runs and (seen is None or not seen.findings.complete):
        return None
    if seen is None and shown is not None and shown.experiment == experiment:
        return None  # whether anything changed that it rests on is being looked at
    if seen is None or not seen.known:
        return None if shown is None else Status.WARNING
    if seen.findings.complete:
        return Status.SUCCESS
    return None if unasked == seen.findings.experiment else Status.WARNING


def _part_words(seen: ExperimentStatus, told: Findings | None, first: tuple[float, ...], *, renewed: bool) -> str:
    """What is there, where not all of it is."""
    findings = seen.findings
    read = told is not None and told.experiment == findings.experiment and set(first) <= set(told.through)
    if renewed and read and findings.through == first:
        done = "is" if len(first) == 1 else "are"
        return f"{first_words(findings, first)} {done} done; the rest of the curves is not run yet."
    old = "Out of date: " if told is not None and told.experiment != findings.experiment else ""
    return f"{old}{there_words(findings.experiment, seen.known, seen.points)} points are there."


def problem_words(problem: WorkbenchError | None, *, public: bool) -> str:
    """Why a question cannot be asked, or what is lacking before it can; "" where nothing is."""
    if problem is None:
        return ""
    return _FIRST.get(problem.field or "", problem.message) if public else problem.message


def cost_words(
    experiment: Experiment | None, look: ExperimentForecast, told: Findings | None = None, *, running: bool
) -> str:
    """Work of a run and about how long it takes, in words.

    Parameters
    ----------
    told
        What is read beside it: while that is less than is there, as its picture is being drawn, nothing is said of all.
    """
    seen, estimate = look.current, look.estimate
    if experiment is None:
        return ""
    if seen is None or running:  # how far that is stands beside the chart
        return rest_words(experiment)
    if seen.findings.complete and (told is None or told.experiment != experiment or not told.complete):
        return ""
    return rest_words(experiment, seen.known, seen.points, None if estimate is None else estimate.seconds)
