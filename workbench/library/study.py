"""What a table is studied for: a survey that is planned, and ways to answer a question that are compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from workbench.evaluate.experiment import Experiment
from workbench.library.amounts import Amount
from workbench.library.compared import MethodComparison
from workbench.library.hierarchy import HierarchySource
from workbench.library.plainly import plainly
from workbench.library.setting_up import attach
from workbench.library.showing import showing
from workbench.library.survey import SurveyPlan, plan_survey
from workbench.session import Session


class Study:
    """A table at work, as far as it is studied and nothing of it is released."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @plainly
    def collect(
        self,
        column: str,
        epsilon: Amount,
        protocols: Iterable[str] = (),
        *,
        people: int | None = None,
        bounds: tuple[float, float] | None = None,
        bins: int | None = None,
        encoding: Mapping[str, Any] = MappingProxyType({}),
        **settings: Any,
    ) -> SurveyPlan:
        """How far off the estimates of local protocols will be, from numbers alone: no row is looked at.

        >>> data = wb.open(people).describe(age=wb.integer(0, 120))
        >>> plan = data.collect("age", 1, ["oue", "grr"], people=5000, bins=12, shape="hump")
        >>> len(plan.frame)
        2

        Parameters
        ----------
        column
            What people are asked for.
        epsilon
            ε of a report.
        protocols
            Such as "oue" or "square-wave"; without any, all that fit.
        people
            How many are asked.
        bounds, bins
            How numbers become answers: so many bins between two public bounds.
        encoding, settings
            Any other setting of the room Collect by its name in a saved project, such as `shape="hump"`.

        Raises
        ------
        Refused
            If the possible answers are not declared, or something in it is impossible.
        """
        return plan_survey(
            self._session, column, epsilon, protocols, people=people, bounds=bounds, bins=bins, encoding=encoding,
            settings=settings,
        )  # fmt: skip

    @plainly
    def compare(
        self,
        experiment: Mapping[str, Any],
        *,
        hierarchies: Mapping[str, HierarchySource] = MappingProxyType({}),
        look: bool = False,
    ) -> MethodComparison:
        """What global, anonymised and local answers cost in accuracy, by simulation.

        >>> asked = {"question": {"figure": "mean", "column": "age"}, "methods": ["global-grid"]}
        >>> data = wb.open(people).describe(age=wb.integer(0, 120))
        >>> data.compare({**asked, "places": [0.5, 1.0], "repetitions": 3, "seed": 1}, look=True).frame["at"].tolist()
        [0.5, 1.0]

        Parameters
        ----------
        experiment
            As `workbench compare` reads it.
        hierarchies
            Of columns that a method anonymises.
        look
            Whether the true values may be looked at, where the experiment is on these. That is recorded, and no release
            that is drawn afterwards has an (ε, δ) claim.

        Raises
        ------
        Refused
            If it is no experiment, or it needs a look that was not allowed.
        """
        wanted, desk = Experiment.from_json(dict(experiment)), self._session.comparison
        attach(self._session, hierarchies)
        if look and not wanted.basis.public:
            desk.look(lasting=True)
        with showing("Comparing") as progress:
            return MethodComparison(desk.runner(wanted)(progress))
