"""Limits of what a draw of one row of each person adds to an answer, which is in no error."""

from __future__ import annotations

from workbench.evaluate.enough import most_by_sampling
from workbench.evaluate.experiment import Truth
from workbench.evaluate.findings import Findings
from workbench.evaluate.question import Statistic
from workbench.evaluate.result_reading import ONE_OF_EACH

DRAWN_MEANS = (
    "An answer to rows drawn so is about people who count once each, however many rows they have; at most means "
    "whatever the values are. The answer over all rows is another one where people with many rows differ from others: "
    "by how much, nothing public tells."
)


def drawn_words(findings: Findings) -> str:
    """Whom errors are about where one row of each person is drawn and `draw_moves` knows no bound; else "".

    None is known where more people are asked than there are: some of them count several times over.
    """
    return ONE_OF_EACH if ONE_OF_EACH in findings.notes and not draw_moves(findings) else ""


def draw_moves(findings: Findings) -> str:
    """By how much a draw of one row of each person moves an answer at most, to follow the name of the draw.

    "" where every row takes part, or no bound is known.

    Notes
    -----
    A row that is drawn from those of a person has their mean, and values at either bound with the same mean spread
    most in every convex sense. By W. Hoeffding (1956) the sum of such values of n people, each with a mean of their
    own, spreads no more than that of n people with the mean of all, which `most_of_a_mean` bounds. So does the number
    of those at each value of a histogram, as `most_misplaced` has it.
    """
    if ONE_OF_EACH not in findings.notes:
        return ""
    most = most_by_sampling(findings)
    experiment = findings.experiment
    again = not experiment.basis.public and (experiment.users or 0) > findings.rows
    if not most.known or again or experiment.truth is not Truth.USERS:
        return ""
    mean = experiment.question.statistic is Statistic.MEAN
    # What chance moves is the answer in which each counts alike, and not the one over all rows.
    return f"{'moves that mean by' if mean else 'misplaces'} at most {most.words} on average"
