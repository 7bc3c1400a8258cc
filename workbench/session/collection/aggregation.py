"""Aggregating perturbed reports, which needs nothing but the reports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import NormalDist

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.ldp.estimation import COVERAGE, Estimate, EstimationMethod, estimate, may_be_sampled
from workbench.ldp.heavy_hitters import heavy_hitters
from workbench.ldp.mean_randomiser import MeanRandomiser
from workbench.ldp.protocol import FrequencyRandomiser
from workbench.ldp.report_file import Received, read_reports
from workbench.ldp.reports_together import together
from workbench.session.collection.results import Aggregated, Participants


def aggregator(
    paths: Sequence[Path],
    method: EstimationMethod,
    *,
    top: int = 0,
    one_file_per_person: bool = False,
    with_trials: bool = False,
    sampling: bool = False,
) -> Callable[[Progress], Aggregated]:
    """Read reports and estimate, bound together now; call it on any thread. Needs no project and no data.

    Parameters
    ----------
    top
        So many of the most frequent values are named; 0 for none.
    one_file_per_person
        Whether the person who counts asserts that nobody reported in more than one of the files.
    with_trials
        Whether reports of a trial are counted with others all the same.
    sampling
        As of `estimated`.
    """

    def work(progress: Progress = SILENT) -> Aggregated:
        share = 0.8 / max(len(paths), 1)
        parts = [
            read_reports(path, progress.part(share * number, share * (number + 1))) for number, path in enumerate(paths)
        ]
        names = [str(path) for path in paths]
        received = together(parts, one_file_per_person=one_file_per_person, with_trials=with_trials, names=names)
        return estimated(received, method, top=top, sampling=sampling, progress=progress.part(0.8, 1.0))

    return work


def estimated(
    received: Received,
    method: EstimationMethod,
    *,
    top: int = 0,
    sampling: bool = False,
    progress: Progress = SILENT,
) -> Aggregated:
    """Estimate from reports that were read; `top` as of `aggregator`.

    Parameters
    ----------
    sampling
        Whether bands of counts are to be about all people from whom those who reported are drawn. They are where that
        can be told exactly, see `workbench.ldp.estimation.band`: else about these people, as `Aggregated.sampled` says.

    Raises
    ------
    WorkbenchError
        If there is no report, or the estimator does not go with the protocol.
    """
    randomiser, support = received.announcement.randomiser, received.support
    if isinstance(randomiser, FrequencyRandomiser):
        randomiser.apart = int(received.announcement.none)
        # Several reports of one person are not drawn each by itself; how many took part is asked of these people.
        each_once = received.announcement.reports_per_person == 1 and not received.announcement.none
        sampled = sampling and each_once and may_be_sampled(randomiser)
        found = estimate(randomiser, support, method, sampled=sampled, progress=progress)
        hitters = heavy_hitters(randomiser, support, top, sampled=sampled) if top else ()
        answers = found.answers(randomiser.apart)
        return Aggregated(received, answers, hitters, participants=_participants(received, found), sampled=sampled)
    assert isinstance(randomiser, MeanRandomiser) and received.announcement.bounds is not None
    return _mean(received, randomiser, received.announcement.bounds)


def _participants(received: Received, found: Estimate) -> Participants | None:
    """Those who took part: everybody but those who reported that they do not."""
    if not received.announcement.none:
        return None
    reports = received.support.reports
    estimated, low, high = (reports - float(ends[-1]) for ends in (found.counts, found.high, found.low))
    return Participants(estimated, low, high)


def _mean(received: Received, randomiser: MeanRandomiser, bounds: tuple[float, float]) -> Aggregated:
    """The mean with its band, cut to the bounds but wide enough to hold it."""
    support = received.support
    if not support.reports:
        raise WorkbenchError("There is no report to estimate anything from.", field="reports")
    low, high = bounds
    half, middle = (high - low) / 2, (low + high) / 2
    mean = randomiser.estimate(support)
    ends = randomiser.band(support, NormalDist().inv_cdf(0.5 + COVERAGE / 2))
    least, most = (min(max(end, -1.0), 1.0) for end in ends)
    shown, down, up = (middle + half * number for number in (mean, min(least, mean), max(most, mean)))
    return Aggregated(received, mean=shown, low=down, high=up)
