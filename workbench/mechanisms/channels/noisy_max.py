"""Report noisy max: the name of the largest noisy count, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import counted
from workbench.mechanisms.channel import Channel
from workbench.mechanisms.channels.truncated_geometric import ALPHA
from workbench.mechanisms.geometric import OverAllNumbers
from workbench.mechanisms.mechanism import OTHERS, ConfiguredMechanism, Mechanism
from workbench.mechanisms.scores import CHANGE, SCORES, parse_scores

_WIDEST = 2_000


def make(values: Mapping[str, Any]) -> ConfiguredMechanism:
    scores = parse_scores(values["scores"])
    counts = [tuple(int(score) for score in row) for row in scores.rows]
    if any(score.denominator != 1 for row in scores.rows for score in row):
        raise WorkbenchError(
            "Geometric noise is for whole numbers; a score is none.", hint="Give counts.", field="scores"
        )
    if any(max(row) - min(row) > _WIDEST for row in counts):
        raise WorkbenchError(
            f"Counts more than {_WIDEST:,} apart need no noise to be told apart.",
            hint="Give counts that are closer together.",
            field="scores",
        )
    alpha: Fraction = values["alpha"]
    one = values["change"] == "one"
    rows = [[_wins(alpha, row, place) for place in range(len(row))] for row in counts]
    return ConfiguredMechanism(
        f"Noisy max over {len(scores.choices)} counts with {alpha}-geometric noise",
        Channel.of_fractions(scores.names, scores.choices, rows).placed(scores.parts(one=one)),
        scores.neighbours(Fraction(1), one=one),
        note=f"Of equal noisy counts the one named first wins. ε is over the datasets that are listed; {OTHERS}.",
        listed=counted(len(scores.names), "dataset"),
    )


def _wins(alpha: Fraction, counts: tuple[int, ...], place: int) -> Fraction:
    """P(the count at `place` is the largest): it beats those before it strictly, those after it or at a tie."""
    others = [count + 1 if before < place else count for before, count in enumerate(counts) if before != place]
    chain = OverAllNumbers(alpha, counts[place], alpha, others or [counts[place]])
    for value in others:
        # A whole number + 1 is at most τ where the number itself is below τ.
        chain.multiply(value, above=False)
    return chain.total_with()


PLUGIN = Mechanism(
    "noisy-max",
    "Report noisy max",
    "Adds geometric noise to every count and says whose is largest, such as the most common eye colour.",
    "C. Dwork, A. Roth: The algorithmic foundations of differential privacy, 2014, section 3.3.",
    (SCORES, ALPHA, CHANGE),
    make,
)
