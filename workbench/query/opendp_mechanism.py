"""OpenDP as a second published noise: the same whole numbers as on the grid, with noise by that library.

This program promises nothing for what another library draws: its ε is counted, as the library's own privacy map
states it. The question, its bounds and its grid, the ledger and all guards are the same, and so is the law of the
noise; so what differs between an answer on the grid and one of OpenDP's is who drew it.
"""

from __future__ import annotations

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.query.answer import ReleasedAnswer
from workbench.query.draws import Draws
from workbench.query.exact_sums import whole
from workbench.query.mechanism import (
    Additive,
    ErrorLaw,
    Expected,
    Floats,
    Frame,
    NoisyPart,
    QueryMechanism,
    StatisticValues,
)
from workbench.query.opendp_bridge import check, noisy
from workbench.query.rows import Rows

NO_GUARANTEE = (
    "No guarantee of ours: OpenDP is here to be compared with. Its noise is drawn by that library, whose code and "
    "random numbers this program does not check. The ε is what its own privacy map states; it is counted, but not "
    "vouched for."
)
TOOL = "make_laplace"
ANSWERED = frozenset({
    "count", "sum", "mean", "variance", "standard-deviation", "histogram", "histogram2d", "group-by", "limited",
})  # fmt: skip
"""Questions that are answered from whole numbers with noise on each of them, whose ε is chosen."""


class OpenDPNoise(QueryMechanism):
    """A question on the grid whose noise OpenDP draws.

    Raises
    ------
    WorkbenchError
        If the question is not answered from whole numbers with noise.
    """

    unclaimed = NO_GUARANTEE
    tool = TOOL

    def __init__(self, kind: str, grid: QueryMechanism) -> None:
        if not isinstance(grid, Additive) or kind not in ANSWERED:
            raise WorkbenchError(
                "OpenDP's noise is added to counts and sums, and this question is answered in another way.",
                hint="Use grid noise.",
                field="noise",
            )
        self._grid = grid
        self.epsilon, self.neighbours = grid.epsilon, grid.neighbours
        self.form, self.labels, self.unit, self.positions = grid.form, grid.labels, grid.unit, grid.positions
        self.assumes, self.filters = grid.assumes, grid.filters
        self.edges = (NO_GUARANTEE,)

    @property
    def frames(self) -> tuple[Frame, ...]:
        return self._grid.frames

    @property
    def parts(self) -> tuple[NoisyPart, ...]:
        return self._grid.parts

    def get_ready(self) -> None:
        for part in self.parts:
            check(part.sensitivity, part.epsilon)

    def measure(self, rows: Rows, progress: Progress = SILENT) -> StatisticValues:
        return self._grid.measure(rows, progress)

    def release(self, statistic: StatisticValues, draws: Draws) -> ReleasedAnswer:
        """The answer from OpenDP's noisy numbers; it draws by itself, from the operating system's randomness."""
        return self._grid.published({
            part.name: whole(noisy([int(one) for one in statistic[part.name]], part.sensitivity, part.epsilon))
            for part in self.parts
        })  # fmt: skip

    def assumed(self, rows: int) -> StatisticValues:
        return self._grid.assumed(rows)

    def truth(self, statistic: StatisticValues) -> Floats:
        return self._grid.truth(statistic)

    def simulate(self, statistic: StatisticValues, count: int, generator: np.random.Generator) -> Floats:
        return self._grid.simulate(statistic, count, generator)

    def expected(self, statistic: StatisticValues) -> Expected:
        return self._grid.expected(statistic)

    def error_law(self, statistic: StatisticValues) -> ErrorLaw | None:
        return self._grid.error_law(statistic)

    def drawn_law(self, statistic: StatisticValues) -> ErrorLaw | None:
        return self._grid.drawn_law(statistic)
