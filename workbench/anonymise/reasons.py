"""Reasons that void a claim, and the tables they are about."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.core.table import Table


@dataclass(frozen=True)
class Reason:
    """One thing that breaks the claim, or that the reader of it should know.

    Parameters
    ----------
    code
        Stable identifier.
    text
        What is wrong; says nothing about the data beyond the recipe, so it may be published.
    remedy
        What would put it right.
    column
        The column concerned, or "".
    analyst
        Further detail taken from the true data. Never part of a release.
    private
        Whether it was said depends on the true rows, so that even its presence must stay with the analyst.
    """

    code: str
    text: str
    remedy: str
    column: str = ""
    analyst: str = ""
    private: bool = False


@dataclass(frozen=True, eq=False)
class WorkingTable:
    """The making of the table that is anonymised out of the table that was read.

    Parameters
    ----------
    original
        The table that was read.
    population
        The rows of those that may take part, before any were left out at random.
    where
        The filter in words, "" if there is none.
    sample
        Probability with which each row was drawn into a research sample.
    limited
        Whether the program left at most as many rows of each person as are accounted for.
    """

    original: Table
    population: Table
    where: str = ""
    sample: float = 1.0
    limited: bool = False
