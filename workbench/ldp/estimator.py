"""Estimators: from the sums of reports to the number of people with each value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.plugins import Described, Registry, in_a_line
from workbench.core.progress import Cancelled, Progress
from workbench.ldp.channel_sums import LazyChannel, channel_sums
from workbench.ldp.protocol import FrequencyRandomiser, Support

Floats = NDArray[np.float64]
Run = Callable[[FrequencyRandomiser, Sequence[Support], Progress], Floats]


@dataclass(frozen=True)
class LocalEstimator(Described):
    """A way to estimate counts; a plugin.

    Parameters
    ----------
    run
        Estimates for several collections by the same randomiser at once: counts of shape (collections, domain size).
    tabulated
        Whether it needs reports that can be counted by output, see `FrequencyRandomiser.tabulated`.
    consistent
        Whether its estimates are never negative and add up to the number of reports anyway.
    """

    run: Run
    tabulated: bool = False
    consistent: bool = False

    def __call__(self, randomiser: FrequencyRandomiser, supports: Sequence[Support], progress: Progress) -> Floats:
        """Estimated counts, shape (collections, domain size).

        Raises
        ------
        WorkbenchError
            If this estimator cannot work with the protocol, or is a plug-in that fails or gives no finite numbers.
        """
        if not self.works_with(randomiser):
            raise WorkbenchError(
                f"“{self.title}” needs reports that can be counted by output, and those of “{randomiser.protocol}” "
                "cannot be.",
                hint="Use the unbiased estimator for this protocol.",
                field="estimator",
            )
        if self.identifier not in ESTIMATORS or ESTIMATORS.origin(self.identifier).built_in:
            return self.run(randomiser, supports, progress)
        try:
            found = np.asarray(self.run(randomiser, supports, progress), dtype=np.float64)
        except (WorkbenchError, Cancelled, MemoryError):
            raise
        except (Exception, SystemExit) as error:
            raise self._failed(in_a_line(error)) from error
        if found.shape != (len(supports), randomiser.domain_size) or not np.isfinite(found).all():
            raise self._failed("it gives no finite number for each value")
        return found

    def _failed(self, why: str) -> WorkbenchError:
        return WorkbenchError(
            f"The plug-in {self.title} failed: {why}.",
            hint="Use an estimator of the program's own, or ask its makers.",
            field="estimator",
        )

    def works_with(self, randomiser: FrequencyRandomiser) -> bool:
        return randomiser.tabulated or not self.tabulated


AUTO = "auto"
"""In the place of an estimator: the usual one of the protocol."""


def _check_name(estimator: LocalEstimator, _own: Iterable[LocalEstimator]) -> None:
    if estimator.identifier == AUTO:
        raise WorkbenchError(f"the local estimator “{AUTO}” stands for the usual one of a protocol.")


ESTIMATORS: Registry[LocalEstimator] = Registry(
    "local estimator", "workbench.ldp.estimators", LocalEstimator, _check_name
)

_channels: WeakKeyDictionary[FrequencyRandomiser, LazyChannel] = WeakKeyDictionary()


def channel_of(randomiser: FrequencyRandomiser) -> LazyChannel:
    """The channel of a tabulated randomiser, ready for products."""
    known = _channels.get(randomiser)
    if known is not None:
        return known
    matrix = randomiser.channel()
    if matrix is None:
        raise WorkbenchError(f"“{randomiser.protocol}” has no channel matrix for this domain.", field="estimator")
    return _channels.setdefault(randomiser, channel_sums(matrix))


def outputs(supports: Sequence[Support]) -> Floats:
    """How many reports gave each output, shape (collections, outputs)."""
    return np.array([support.sums for support in supports], dtype=np.float64)


def as_counts(shares: Floats, supports: Sequence[Support]) -> Floats:
    """Shares of shape (collections, values) times the number of reports of each collection."""
    return shares * np.array([support.reports for support in supports], dtype=np.float64)[:, None]
