"""Labels whose count in a file is far too low, as its statement tells them: from the released rows and the note."""

from __future__ import annotations

import math
from collections.abc import Collection

from workbench.anonymise.claim import Claim
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.first_few import first_few
from workbench.core.hierarchy import ANY
from workbench.report.far_too_low import far_too_low, in_few_rows_too
from workbench.report.first_step import gave_up
from workbench.report.label_counts import LABEL_COUNTS
from workbench.report.number_columns import no_means
from workbench.report.release_note import described
from workbench.report.stated_facts import Facts
from workbench.session.release.result import Result

_NAMED = 3
_HALF = 2


def low_counts(written: Result, claim: Claim | None) -> tuple[str, ...]:
    """Labels of which more was given up, on average, than came out, and those of which even that is no measure.

    In sentences, for whoever hands the file over, and that no mean of numbers is to be reported. Both numbers of a
    label are those that its statement has; of labels chosen by them the larger one is no estimate of the table.

    Parameters
    ----------
    written
        The draw as it left.
    claim
        What its statement says; None where nothing is promised, so that it tells no counts.
    """
    if claim is None or not isinstance(written.outcome, TrimOutcome):
        return ()
    release = described(written.hierarchies, written.outcome, claim)
    far, few = far_too_low(release), in_few_rows_too(release)
    far = {pair: some for pair, some in far.items() if pair not in few}
    told = {pair: f"{pair[1]} ({groups:,} of {could:,})" for pair, (groups, could) in far.items()}
    lines = [line for line in (no_means(release), _halved_line(release, few)) if line]
    many = "most" if all(_HALF * groups < could for groups, could in far.values()) else "many"
    its = "its" if len(told) == 1 else "their"
    lines += [f"May be far too low, as {many} of {its} groups are missing: {_by_column(told)}."] if told else []
    return tuple(lines)


def halved_line(written: Result, claim: Claim | None) -> str:
    """What is said of labels of which less than half came out, beside a draw that has not left yet; "" of none."""
    if claim is None or not isinstance(written.outcome, TrimOutcome):
        return ""
    release = described(written.hierarchies, written.outcome, claim)
    return _halved_line(release, in_few_rows_too(release))


def _halved_line(release: Facts, few: Collection[tuple[str, str]]) -> str:
    halved = {
        pair: f"{pair[1]} ({rows:,} rows, {counted:,} by the statement)"
        for pair, (rows, counted) in _halved(release).items()
        if pair not in few
    }
    return f"Less than half came out, on average: {_by_column(halved)}." if halved else ""


def _halved(release: Facts) -> dict[tuple[str, str], tuple[int, int]]:
    """Columns and labels of which the statement counts more than twice the rows of the file in all; both numbers."""
    mean = gave_up(release["steps"][0])
    return {
        (name, label): (rows, counted)
        for name, some in release.get(LABEL_COUNTS, {}).items()
        for label, rows, finest, groups, *_ in some
        if label not in (ANY, "") and (counted := math.floor(finest + groups * mean)) > _HALF * rows
    }


def _by_column(told: dict[tuple[str, str], str]) -> str:
    columns: dict[str, list[str]] = {}
    for (name, _), words in told.items():
        columns.setdefault(name, []).append(words)
    return "; ".join(f"{name} {first_few(some, _NAMED)}" for name, some in columns.items())
