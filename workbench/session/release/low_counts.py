"""Cautions for whoever counts in a file: from its rows and its note, which have the numbers that its statement has."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from workbench.anonymise.claim import Claim
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.first_few import first_few
from workbench.core.hierarchy import ANY
from workbench.core.occurring_listed import in_listing, listing_of
from workbench.core.visible import quoted
from workbench.report.column_labels import column_labels
from workbench.report.counting_by_label import numbers_by_label
from workbench.report.counting_plainly import in_their_place
from workbench.report.far_too_low import far_too_low, in_few_rows_too
from workbench.report.first_step import gave_up, with_given_up
from workbench.report.label_counts import LABEL_COUNTS
from workbench.report.note import VERSION
from workbench.report.number_columns import number_columns
from workbench.report.release_note import described
from workbench.report.stated_facts import Facts
from workbench.session.release.result import Result

_NAMED = 3
_HALF = 2
_MOST_LABELS = 3
"""Of so many columns a group is named by its labels."""
_LONGEST = 60
"""Letters of all these."""
_LARGE = 4
"""A group of so many times what it gave up on average has nearly the share that it has in the table."""


def low_counts(
    written: Result, claim: Claim | None, purpose: Collection[str] = (), *, stated: bool = True
) -> tuple[str, ...]:
    """What misleads whoever counts, in sentences for whoever hands the file over, the worst first.

    Shares and means, then labels of which more was given up, on average, than came out, and those of which even that
    is no measure. Both numbers of a label are those that its statement has.

    Parameters
    ----------
    written
        The draw as it left.
    claim
        What its statement says; None where nothing is promised, so that it tells no counts.
    purpose
        The columns that it is for: where numbers are among them, means are what somebody is about to report.
    stated
        Whether its statement, which says how to count, was written with it.
    """
    if claim is None or not isinstance(written.outcome, TrimOutcome):
        return ()
    release = described(written.hierarchies, written.outcome, claim)
    first = [_shares_line(written, release, stated=stated), _means_line(release)]
    if set(purpose).intersection(number_columns(release)):
        first.reverse()
    far, few = far_too_low(release), in_few_rows_too(release)
    far = {pair: some for pair, some in far.items() if pair not in few}
    told = {pair: f"{in_listing(pair[1])} ({groups:,} of {could:,})" for pair, (groups, could) in far.items()}
    lines = [line for line in (*first, _halved_line(release, few)) if line]
    many = "most" if all(_HALF * groups < could for groups, could in far.values()) else "many"
    its = "its" if len(told) == 1 else "their"
    lines += [f"May be far too low, as {many} of {its} groups are missing: {_by_column(told)}."] if told else []
    return tuple(lines)


def _shares_line(written: Result, release: Facts, *, stated: bool) -> str:
    """That small groups, which gave up a larger part, make every share a wrong one, and what to report instead."""
    group = _smallest(written, gave_up(release["steps"][0]))
    such = f" such as {group}" if group else ""
    instead = f": {in_their_place(release)}{_number_of_label(release)}" * stated
    # The statement says it in words that are frozen with its version; here the file lies beside it.
    return f"Percentages from it are wrong, most for small groups{such}{instead}."


def _number_of_label(release: Facts) -> str:
    """One of the numbers by label that its statement lists, as an example in brackets; "" where it lists none."""
    numbers = (one for one in numbers_by_label(release, VERSION) if one.says_something and not one.mark)
    one = max(numbers, key=lambda one: one.rows, default=None)
    return "" if one is None else f" ({one.column} {quoted(one.label)}: {one.told:,})"


def _smallest(written: Result, mean: float) -> str:
    """The smallest group of the file with a label in each column, by its labels; "" where that is no example."""
    assert isinstance(written.outcome, TrimOutcome)
    lines, _ = written.outcome.written_lines
    shown = [place for place, name in enumerate(lines.names) if name in written.outcome.columns_out]
    if not 0 < len(shown) <= _MOST_LABELS:
        return ""
    for line in lines.sizes.argsort(kind="stable").tolist():
        labels = [lines.labels[place][lines.codes[place][line]] for place in shown]
        if not {ANY, ""}.intersection(labels):
            named = listing_of(labels)
            return named if len(named) <= _LONGEST and lines.sizes[line] < _LARGE * mean else ""
    return ""


def _means_line(release: Facts) -> str:
    """That no mean of its numbers is to be reported; its statement says why. "" where it has no numbers."""
    numbers, shown = number_columns(release), {one["name"] for one in release["columns"]}
    others = [name for name in column_labels(release) if name in shown and name not in numbers]
    if not numbers:
        return ""
    by = _either(others) if 0 < len(others) < _NAMED else "another column" if len(numbers) + len(others) > 1 else ""
    return f"Do not report means of {_either(numbers)}{by and f', also not by {by}'}."


def _either(names: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def halved_line(written: Result, claim: Claim | None) -> str:
    """What is said of labels of which less than half came out on average, beside a draw that has not left yet."""
    if claim is None or not isinstance(written.outcome, TrimOutcome):
        return ""
    release = described(written.hierarchies, written.outcome, claim)
    return _halved_line(release, in_few_rows_too(release))


def _halved_line(release: Facts, few: Collection[tuple[str, str]]) -> str:
    halved = {
        pair: f"{in_listing(pair[1])} ({rows:,} of about {counted:,} or more came out)"
        for pair, (rows, counted) in _halved(release).items()
        if pair not in few
    }
    # Groups that are not there count as none, and of labels chosen for it the number is too low: so “or more”.
    return f"Many are missing: {_by_column(halved)}." if halved else ""


def _halved(release: Facts) -> dict[tuple[str, str], tuple[int, int]]:
    """Columns and labels of which the statement counts more than twice the rows of the file in all; both numbers."""
    step = release["steps"][0]
    return {
        (name, label): (rows, counted)
        for name, some in release.get(LABEL_COUNTS, {}).items()
        for label, rows, finest, groups, *_ in some
        if label not in (ANY, "") and (counted := with_given_up(step, finest, groups)) > _HALF * rows
    }


def _by_column(told: dict[tuple[str, str], str]) -> str:
    columns: dict[str, list[str]] = {}
    for (name, _), words in told.items():
        columns.setdefault(name, []).append(words)
    return "; ".join(f"{name} {first_few(some, _NAMED)}" for name, some in columns.items())
