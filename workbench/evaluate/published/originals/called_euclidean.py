"""An L1 norm that is called Euclidean, as published."""

from __future__ import annotations

import numpy as np

from workbench.core.distances import manhattan
from workbench.evaluate.published.originals.flaw import OriginalFlaw
from workbench.evaluate.question import Floats


def called_euclidean(answers: Floats, truth: Floats) -> Floats:
    """Σ |x − y|, which figure 3.5 calls Euclidean; shape of the leading axes."""
    return np.asarray(manhattan(answers, truth))


FLAW = OriginalFlaw(
    "An L1 norm called Euclidean",
    "thesis, p. 28–29, and its code",
    "The text defines √Σ(x − y)²; the code sums |x − y| over the bars.",
    said="The L1 norm is called Euclidean",
)
