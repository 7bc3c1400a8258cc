"""Questions to a release, and what comes back. Answers are computed from true rows: analyst only."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from workbench.anonymise.compared import Floats


class ReleaseStatistic(StrEnum):
    """The statistic that is asked for."""

    COUNT = "count"
    SUM = "sum"
    MEAN = "mean"
    HISTOGRAM = "histogram"


@dataclass(frozen=True)
class ReleaseQuestion:
    """A question about the table.

    Parameters
    ----------
    statistic
        What is asked for.
    column
        Of which column; a count needs none.
    where
        A filter in the language of `workbench.core.filtering` on one released column, "" for every row.
    """

    statistic: ReleaseStatistic
    column: str = ""
    where: str = ""


@dataclass(frozen=True)
class AnswerSpread:
    """The spread of answers over many simulated releases with the same settings; nan if none had an answer.

    `low`, `middle` and `high` are the 5, 50 and 95 % quantiles of the answer; for a histogram those of its total
    variation distance. `unanswered` of the draws had none, such as the mean of no rows.
    """

    low: float
    middle: float
    high: float
    draws: int
    seed: int
    unanswered: int = 0


@dataclass(frozen=True, eq=False)
class ReleaseHistogram:
    """A histogram over the values of the column: the truth, and what the release says.

    Parameters
    ----------
    values
        In their order, or the most frequent first.
    before, after
        Rows per value, float64 of shape (values,); `after` is divided by β.
    """

    values: tuple[str, ...]
    before: Floats
    after: Floats


@dataclass(frozen=True, eq=False)
class ComparedAnswer:
    """The answer of the release beside the truth.

    Parameters
    ----------
    asked
        The question.
    true, released
        The two answers; of a histogram the rows in it. nan where there is none, such as the mean of no rows.
    absolute, percent
        How far they are apart; of a histogram Σ |before − after| in rows, and that in percent of the true rows.
    total_variation
        Of a histogram: how much of it would have to move, with both scaled to 1; else nan.
    bars
        Of a histogram: both, value by value.
    scale
        What counts and sums of the release were multiplied by, 1/β.
    unread
        Share of the released rows asked about that were left out because their label stands for no number.
    spread
        What other draws would have answered, if that was asked for.
    """

    asked: ReleaseQuestion
    true: float
    released: float
    absolute: float
    percent: float
    total_variation: float
    bars: ReleaseHistogram | None
    scale: float
    unread: float
    spread: AnswerSpread | None = None
