"""Studies of a table: a survey that is planned, and ways to answer a question that are compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from workbench.evaluate.experiment import Experiment
from workbench.library.amounts import Amount
from workbench.library.compared import MethodComparison
from workbench.library.files_read import OpenFiles
from workbench.library.hierarchy import HierarchySource
from workbench.library.kept_here import KeptHere
from workbench.library.plainly import plainly
from workbench.library.reported import CollectedReports
from workbench.library.setting_up import attach
from workbench.library.showing import showing
from workbench.library.simulated import SurveySimulation
from workbench.library.survey import SurveyPlan, plan_survey, set_survey
from workbench.session import Session


class Study(KeptHere):
    """A table at work, as far as it is studied and nothing of it is released."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._files = OpenFiles(session)

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
    def simulate(
        self,
        column: str,
        epsilon: Amount,
        protocols: Iterable[str],
        *,
        people: int | None = None,
        bounds: tuple[float, float] | None = None,
        bins: int | None = None,
        encoding: Mapping[str, Any] = MappingProxyType({}),
        repetitions: int = 20,
        seed: int | None = None,
        look: bool = False,
        **settings: Any,
    ) -> SurveySimulation:
        """The estimates of local protocols, had the people of the table been asked. For the analyst only.

        >>> data = wb.open(people).describe(age=wb.integer(0, 120))
        >>> found = data.simulate("age", 1, ["oue", "duchi"], bins=12, repetitions=3, seed=1, look=True)
        >>> len(found.frame), len(found.means), len(found.estimates)
        (1, 1, 12)

        Parameters
        ----------
        column, epsilon, bounds, bins, encoding, settings
            As for `collect`.
        protocols
            Such as ["oue", "square-wave"].
        people
            How many are asked, in the shares of the true values; None for everybody in the table once.
        repetitions, seed
            How often it is tried, and what makes it repeatable.
        look
            Whether the true values may be looked at. That is recorded, and no release that is drawn afterwards has an
            (ε, δ) claim.

        Raises
        ------
        Refused
            If the look was not allowed, the possible answers are not declared, or no protocol suits them.
        """
        set_survey(
            self._session, column, epsilon, protocols, people=people, bounds=bounds, bins=bins, encoding=encoding,
            settings={**settings, "repetitions": repetitions, "seed": seed},
        )  # fmt: skip
        desk = self._session.collection
        if look:
            desk.look(lasting=True)
        with showing("Simulating the survey") as progress:
            return SurveySimulation(desk.simulator()(progress))

    @plainly
    def collect_reports(
        self,
        path: str | Path,
        column: str,
        epsilon: Amount,
        protocol: str,
        *,
        bounds: tuple[float, float] | None = None,
        bins: int | None = None,
        encoding: Mapping[str, Any] = MappingProxyType({}),
        seed: int | None = None,
        force: bool = False,
        trial: bool = False,
        **settings: Any,
    ) -> CollectedReports:
        """Let every person of the table report once by a local protocol, into a file. That is charged to the ledger.

        >>> data = wb.open(people).describe(age=wb.integer(0, 120))
        >>> made = data.collect_reports("answers.csv", "age", 1, "square-wave", bins=12)
        >>> wb.aggregate(made.path).frame.shape
        (12, 3)

        Parameters
        ----------
        path
            The file, a CSV that says at its top what it is.
        column, epsilon, bounds, bins, encoding, settings
            As for `collect`.
        protocol
            Such as "oue".
        seed
            Make the reports a repeatable simulation, which promises nothing.
        force
            Whether reports that are there may be overwritten; what they cost stays spent.
        trial
            Whether nobody gave these answers: the file says so, and is not counted with others.

        Raises
        ------
        Refused
            If a value lies outside the possible answers, a person may report more often than declared, the budget does
            not suffice, or something stands there already.
        """
        set_survey(
            self._session, column, epsilon, [protocol], people=None, bounds=bounds, bins=bins, encoding=encoding,
            settings=settings,
        )  # fmt: skip
        desk = self._session.collection
        (choice,) = desk.settings.protocols
        work = desk.exporter(choice, Path(path), seed=seed, force=force, trial=trial)
        with showing(f"Writing {Path(path).name}") as progress:
            made = work(progress)
        desk.accept_collected(made)
        return CollectedReports(made)

    @plainly
    def compare(
        self,
        experiment: Mapping[str, Any],
        *,
        hierarchies: Mapping[str, HierarchySource] = MappingProxyType({}),
        look: bool = False,
    ) -> MethodComparison:
        """A comparison, by simulation, of what global, anonymised and local answers cost in accuracy.

        >>> asked = {"question": {"figure": "mean", "column": "age"}, "methods": ["global-grid"]}
        >>> data = wb.open(people).describe(age=wb.integer(0, 120))
        >>> data.compare({**asked, "places": [0.5, 1.0], "repetitions": 3, "seed": 1}, look=True).frame["at"].tolist()
        [0.5, 1.0]

        Parameters
        ----------
        experiment
            As `workbench compare` reads it. On a public shape `most_below` says below which number most values lie, if
            that is public.
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
