"""Datasets as their scores: what the exponential mechanism and report-noisy-max choose from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from workbench.core.errors import WorkbenchError
from workbench.core.exact import parse_fraction
from workbench.core.params import ParamSpec, ParamType
from workbench.mechanisms.mechanism import LARGEST_CHANNEL, check_size
from workbench.mechanisms.neighbours import Neighbours, graph
from workbench.mechanisms.places import Parts

SCORES = ParamSpec(
    "scores",
    "Scores",
    ParamType.LINES,
    default="brown blue green: 0..2",
    help="The choices, a colon, then one line per dataset with a score for every choice, such as “brown blue: 5 3”. "
    "“0..2” stands for all datasets with counts from 0 to 2. On one line, datasets are parted by “;”.",
)

CHANGE = ParamSpec(
    "change",
    "What may change",
    ParamType.CHOICE,
    default="one",
    choices=(("one", "one score"), ("every", "every score")),
    help="When one person is added to counts, one count grows by 1. A score in general may move for every choice, up "
    "or down, by up to the sensitivity.",
)


@dataclass(frozen=True)
class Scores:
    """Score of every choice in every dataset.

    Parameters
    ----------
    choices
        What there is to choose from.
    rows
        One tuple of scores per dataset.
    """

    choices: tuple[str, ...]
    rows: tuple[tuple[Fraction, ...], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The datasets, named by their scores."""
        return tuple(" ".join(str(score) for score in row) for row in self.rows)

    def parts(self, *, one: bool) -> Parts:
        """Where the datasets stand, if one score may change, or every one."""
        return Parts.of(self.rows, single=one)

    def neighbours(self, sensitivity: Fraction, *, one: bool) -> Neighbours:
        """Datasets of which one score, or every score, differs by at most the sensitivity.

        Raises
        ------
        WorkbenchError
            If no two datasets are so near.
        """
        names = self.names
        edges = []
        for a, row in enumerate(self.rows):
            for b in range(a):
                gaps = [abs(p - q) for p, q in zip(row, self.rows[b], strict=True)]
                if max(gaps) <= sensitivity and (not one or sum(gap > 0 for gap in gaps) == 1):
                    edges.append((names[b], names[a]))
        if not edges:
            raise WorkbenchError(
                "No two of these datasets are neighbours, so there is nothing to compare.",
                hint=f"Give datasets whose scores differ by at most {sensitivity}"
                + (" in one choice." if one else "."),
                field="scores",
            )
        return graph(edges)


def parse_scores(text: str) -> Scores:
    """Read what `SCORES` describes.

    Raises
    ------
    WorkbenchError
        If there are no choices, no datasets, or a dataset has too few or too many scores.
    """
    head, colon, body = text.partition(":")
    choices = tuple(head.replace(",", " ").split())
    if not colon or not choices or len(set(choices)) < len(choices):
        raise WorkbenchError(
            "The scores begin with the choices and a colon, each choice once.", hint=SCORES.help, field="scores"
        )
    low, dots, high = body.strip().partition("..")
    if dots:
        rows = _all_counts(low, high, len(choices))
    else:
        lines = [line.replace(",", " ").split() for line in body.replace(";", "\n").splitlines() if line.strip()]
        rows = [tuple(parse_fraction(cell, field="scores") for cell in line) for line in lines]
    for row in rows:
        if len(row) != len(choices):
            raise WorkbenchError(
                f"The dataset “{' '.join(str(score) for score in row)}” has {len(row)} scores for {len(choices)} "
                "choices.",
                hint="Give one score per choice.",
                field="scores",
            )
    if len(set(rows)) < max(len(rows), 1):
        raise WorkbenchError("Give each dataset once, and at least one.", hint=SCORES.help, field="scores")
    return Scores(choices, tuple(rows))


def _all_counts(low: str, high: str, width: int) -> list[tuple[Fraction, ...]]:
    ends = [parse_fraction(end, field="scores") for end in (low, high)]
    if any(end.denominator != 1 for end in ends) or ends[0] > ends[1]:
        raise WorkbenchError("Counts run from a whole number to a larger one.", hint="Write 0..2.", field="scores")
    count = int(ends[1] - ends[0]) + 1
    if count**width > LARGEST_CHANNEL:
        check_size(count**width, width)
    if count**width > _MOST_DATASETS:
        raise WorkbenchError(
            f"{count**width:,} datasets are too many to compare with each other.",
            hint=f"Use fewer choices or smaller counts, for at most {_MOST_DATASETS:,} datasets.",
            field="scores",
        )
    values: Sequence[Fraction] = [ends[0] + step for step in range(count)]
    return list(product(values, repeat=width))


_MOST_DATASETS = 1_000
