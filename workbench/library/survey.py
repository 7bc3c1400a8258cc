"""The prediction for a survey in which people randomise their answers themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from html import escape
from typing import TYPE_CHECKING, Any, Literal

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import counted, rounded_up
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import EncodingChoice
from workbench.ldp.simulation import frequency_choices
from workbench.library.amounts import Amount, exactly
from workbench.library.kept_here import KeptHere
from workbench.library.plainly import plainly
from workbench.library.setting_up import one_of, with_settings
from workbench.library.showing import showing
from workbench.plots import error_curves
from workbench.session import Session
from workbench.session.collection.predicted_chart import predicted_chart
from workbench.session.collection.results import Planned
from workbench.session.collection.words import with_first

if TYPE_CHECKING:
    import pandas as pd

    from workbench.plots.own_figure import ChartFigure

_DRAWN = 4
_METRICS = ("l1", "l2", "kantorovich")


class SurveyPlan(KeptHere):
    """Expected errors of local protocols, made by `Data.collect` from numbers alone: no row was looked at.

    >>> plan = wb.open(people).describe(age=wb.integer(0, 120)).collect("age", 1, ["oue", "grr"], people=5000, bins=12)
    >>> list(plan.frame.index)
    ['Optimised unary encoding', 'Direct encoding']
    >>> plan.advice.startswith("For 5,000 people")
    True
    """

    def __init__(self, session: Session, found: Planned) -> None:
        self._session, self._found = session, found

    @property
    def advice(self) -> str:
        """Which protocol to take, with numbers, and what that assumes."""
        return self._found.sentence

    @property
    def frame(self) -> pd.DataFrame:
        """One row per protocol with its expected errors in L1, L2 and Kantorovich's distance, the best first."""
        import pandas as pd

        usable = [one for one in self._found.predictions if not one.problem]
        rows = {one.title: {metric: one.error(metric) for metric in _METRICS} for one in usable}
        return pd.DataFrame.from_dict(rows, orient="index", columns=list(_METRICS)).sort_values("l1")

    @plainly
    def figure(self, against: Literal["epsilon", "users"] = "epsilon") -> ChartFigure:
        """How the expected error falls, beside a trusted curator and a uniform guess.

        >>> data = wb.open(people).describe(age=wb.integer(0, 120))
        >>> data.collect("age", 1, ["oue"], people=5000, bins=12).figure("users").caption[:35]
        'Expected errors of local protocols '

        Parameters
        ----------
        against
            "epsilon", or "users" for the number of people.

        Returns
        -------
        matplotlib.figure.Figure
            A figure of its own, without any state of pyplot, with its caption below it.

        Raises
        ------
        Refused
            If it is to be drawn against something else.
        """
        from workbench.plots.own_figure import figure_of

        one_of(against, ["epsilon", "users"], "against")
        desk, plan = self._session.collection, self._found.plan
        best = self._found.best[0].choice if self._found.best else None
        with showing("Predicting curves") as progress:
            curves = desk.curve_planner(against, self._choices(best), plan)(progress)
        chart = predicted_chart(curves, desk.settings.rank_by, best)
        caption = (
            f"Expected errors of local protocols (n = {plan.users:,}, {counted(plan.domain_size, 'answer')}, "
            f"ε = {rounded_up(plan.epsilon)}; {chart.note}). No row was looked at."
        )
        return figure_of(error_curves, chart, caption)

    def _choices(self, best: ProtocolChoice | None) -> tuple[ProtocolChoice, ...]:
        """The protocols that were asked for; without any, the best few."""
        asked = frequency_choices(self._session.collection.settings.protocols)
        ranked = tuple(one.choice for one in self._found.predictions if not one.problem)
        chosen = asked or ranked[:_DRAWN]
        return with_first(chosen, best)

    def __repr__(self) -> str:
        return f"<SurveyPlan: {self.advice}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.advice)}</p>{self.frame.to_html()}"


def plan_survey(
    session: Session,
    column: str,
    epsilon: Amount,
    protocols: Iterable[str],
    *,
    people: int | None,
    bounds: tuple[float, float] | None,
    bins: int | None,
    encoding: Mapping[str, Any],
    settings: Mapping[str, Any],
) -> SurveyPlan:
    """Predict the errors of a survey; the parameters are those of `Data.collect`."""
    if people is None:
        raise WorkbenchError(
            "Nobody said how many people are asked.",
            hint="Write people=1000, from public knowledge.",
            field="people",
        )
    set_survey(
        session, column, epsilon, protocols, people=people, bounds=bounds, bins=bins, encoding=encoding,
        settings=settings,
    )  # fmt: skip
    desk = session.collection
    with showing("Predicting errors") as progress:
        found = desk.planner(every=not desk.settings.protocols)(progress)
    return SurveyPlan(session.snapshot(), found)


def set_survey(
    session: Session,
    column: str,
    epsilon: Amount,
    protocols: Iterable[str],
    *,
    people: int | None,
    bounds: tuple[float, float] | None,
    bins: int | None,
    encoding: Mapping[str, Any],
    settings: Mapping[str, Any],
) -> None:
    """Put everything of a survey in hand; the parameters are those of `Data.collect`."""
    said: dict[str, Any] = {} if bins is None else {"bins": bins}
    if bounds is not None:
        said["bounds"] = bounds
    session.project.schema[column]  # raises if there is no such column
    desk = session.collection
    chosen = [protocols] if isinstance(protocols, str) else protocols
    desk.change(
        column=column,
        encoding=replace(with_settings(EncodingChoice(), encoding), **said),
        protocols=tuple(ProtocolChoice.parse(one) for one in chosen),
        epsilon=float(exactly(epsilon, "epsilon")),
        users=people,
    )
    wanted = with_settings(desk.settings, settings)
    desk.change(**{one.name: getattr(wanted, one.name) for one in fields(wanted)})
