"""A table at work: described, released, asked, and its ledger."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from workbench.anonymise.dp_search import Degree
from workbench.anonymise.guarantee import Accounting
from workbench.anonymise.mechanism import Treatment
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.recipe import ReleaseMechanism
from workbench.anonymise.utility import MetricChoice
from workbench.core.building import BuilderValues
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT
from workbench.core.schema import Format
from workbench.evaluate.experiment import Experiment
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import EncodingChoice
from workbench.library.amounts import Amount, amount_float, amount_text, exactly
from workbench.library.answer import AskedAnswer
from workbench.library.columns import ColumnDescription
from workbench.library.hierarchy import HierarchyRule, HierarchySource
from workbench.library.plainly import plainly
from workbench.library.release import Release
from workbench.library.search import SearchedTable
from workbench.project.model import GuaranteeSettings
from workbench.project.trim_settings import StepsBy
from workbench.query.catalogue import QUERIES, NoiseSource, QueryDraft
from workbench.session import Session
from workbench.session.no_claim import refuse_without_claim
from workbench.session.syntactic.question import SyntacticQuestion

if TYPE_CHECKING:
    import pandas as pd


class Data:
    """A table at work, opened by `open` (`library.opening`). It shows its columns and never its rows."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def __repr__(self) -> str:
        names = self.columns
        shown = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
        return f"<Data: {len(names)} column{'' if len(names) == 1 else 's'}: {shown}>"

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self._session.project.schema.names

    # Describing

    @plainly
    def describe(self, **columns: ColumnDescription) -> Data:
        """Declare what columns are, from public knowledge; a name that is no identifier goes through `**{"a b": …}`.

        Returns
        -------
        Data
            The same table, so that calls can follow one another.

        Raises
        ------
        Refused
            If there is no such column, or what is declared contradicts itself.
        """
        desk = self._session.data
        for name, said in columns.items():
            desk.set_kind([name], said.kind)
            desk.set_format(name, said.written or desk.proposed_format(name, said.kind) or Format())
            if said.missing:
                desk.set_missing([name], ("", *said.missing))
            if said.bounds is not None:
                desk.set_bounds(name, said.bounds)
            if said.values is not None:
                desk.set_domain(name, said.values)
            if said.role is not None:
                desk.set_role([name], said.role)
        return self

    # The budget and the ledger

    @plainly
    def budget(self, epsilon: Amount, delta: Amount = 0) -> Data:
        """Set what may be spent on this data in all, once and for all.

        Raises
        ------
        Refused
            If another budget was set before, or more was spent already.
        """
        wanted = exactly(epsilon, "epsilon"), exactly(delta, "delta")
        known = self._session.ledger.current.budget
        if known is None or (known.epsilon, known.delta) != wanted:
            self._session.ledger.current.set_budget(*wanted)
        return self

    @property
    def spent(self) -> tuple[Fraction, Fraction]:
        """The ε and δ that were spent on this data so far, by whatever program."""
        found = self._session.ledger.current.spent()
        return found.epsilon, found.delta

    @property
    def ledger(self) -> pd.DataFrame:
        """What was released of this data, and at which price: one row per entry, oldest first."""
        import pandas as pd

        entries = self._session.ledger.current.history.told
        rows = [
            {
                "when": one.when,
                "kind": one.charge.kind,
                "what": one.charge.what,
                "epsilon": float(one.charge.epsilon),
                "delta": float(one.charge.delta),
                "claim": one.charge.claimed,
            }
            for one in entries
        ]
        return pd.DataFrame(rows, columns=["when", "kind", "what", "epsilon", "delta", "claim"])

    # Releasing

    @plainly
    def release(
        self,
        columns: Iterable[str] = (),
        *,
        epsilon: Amount = 1,
        delta: Amount = "1e-5",
        hierarchies: Mapping[str, HierarchySource] = MappingProxyType({}),
        levels: Mapping[str, int] = MappingProxyType({}),
        steps: Sequence[str] | Sequence[Mapping[str, int]] = (),
        shares: Sequence[float] = (),
        mechanism: str = "trim",
        floor: int = 1,
        seed: int | None = None,
        without_claim: bool = False,
    ) -> Release:
        """Draw an (ε, δ) release of some columns. The draw is charged when it is made, saved or not.

        Parameters
        ----------
        columns
            What is released; without any, every column that has a hierarchy. One without a hierarchy is released as it
            is, which says that its values are public.
        epsilon, delta
            What is promised: numbers, fractions or text such as "ln 3".
        hierarchies
            By column how its values become coarser.
        levels
            By column one level for all rows. Without levels and steps, rows come out at the finest of several steps at
            which their group is large enough.
        steps
            The degrees of the steps, such as ["low", "high", "complete"], or the levels of each by column.
        shares
            The shares of ε and δ of the steps; none for those of a public rule.
        mechanism
            "trim", or "sample" as it was published.
        floor
            Groups of which fewer rows would be released are left out.
        seed
            Make it a repeatable simulation, without a claim.
        without_claim
            Whether to go on where no claim can be made.

        Raises
        ------
        Refused
            If no claim can be made, the budget does not suffice, or something in it is impossible.
        """
        session = self._session
        self._attach(hierarchies)
        self._take(columns, levels)
        session.release.set_seed(seed)
        session.release.set_mechanism(ReleaseMechanism(_one_of(mechanism, list(ReleaseMechanism), "mechanism")))
        session.release.set_guarantee(
            GuaranteeSettings(
                epsilon=amount_float(epsilon, "epsilon"),
                delta=amount_float(delta, "delta"),
                beta="max",
                accounting=Accounting.EXACT,
            )
        )
        trim = replace(session.project.anonymise.trim, floor=floor, shares=tuple(shares), steps=StepsBy.DEGREES)
        if levels or not _all_have_hierarchies(session):
            trim = replace(trim, steps=StepsBy.ONE)
        if steps and isinstance(steps[0], str):
            degrees = tuple(Degree(_one_of(str(one), list(Degree), "steps")) for one in steps)
            trim = replace(trim, steps=StepsBy.DEGREES, degrees=degrees)
        elif steps:
            vectors = tuple(MappingProxyType(dict(one)) for one in steps if isinstance(one, Mapping))
            trim = replace(trim, steps=StepsBy.TYPED, vectors=vectors)
        session.release.set_trimming(trim)
        if not (without_claim or seed is not None):
            refuse_without_claim(session.release.claim())
        session.release.anonymise()
        return Release(session.snapshot())

    @plainly
    def search(
        self,
        models: str | Iterable[str],
        columns: Iterable[str] = (),
        *,
        hierarchies: Mapping[str, HierarchySource] = MappingProxyType({}),
        suppression_limit: float = 0.0,
        metric: str = "loss",
        local_recoding: bool = False,
    ) -> SearchedTable:
        """Find the levels that fulfil k-anonymity or its relatives with the least loss.

        The search looks at every row. That is recorded, and no release that is drawn afterwards has an (ε, δ) claim.

        Parameters
        ----------
        models
            Such as "k=5", or ["k=5", "l-diversity=2:job"].
        columns, hierarchies
            As for `release`.
        suppression_limit
            Which share of the rows may be left out.
        metric
            What is to be least; `workbench anonymise --help` lists the measures.
        local_recoding
            Whether rows that would be left out are generalised further instead.

        Raises
        ------
        Refused
            If no table fulfils the models, or something in it is impossible.
        """
        session = self._session
        self._attach(hierarchies)
        self._take(columns, {})
        question = SyntacticQuestion(
            models=tuple(map(ModelChoice.parse, [models] if isinstance(models, str) else models)),
            metric=MetricChoice.parse(metric),
            suppression_limit=suppression_limit,
            local_recoding=local_recoding,
        )
        session.release.set_seed(None)
        try:
            found = session.syntactic.searcher(question)(SILENT)
            made = session.syntactic.generaliser(question, found.levels)(SILENT)
        finally:
            session.syntactic.saw_the_data()  # that it fails tells something too
        return SearchedTable(session.snapshot(), question, found, made)

    def _attach(self, hierarchies: Mapping[str, HierarchySource]) -> None:
        desk = self._session.data
        for name, source in hierarchies.items():
            if isinstance(source, HierarchyRule):
                spec = self._session.project.schema[name]
                material = BuilderValues.of(desk.reading.table[name], spec)
                desk.attach_hierarchy(name, source.over(material))
            elif isinstance(source, Hierarchy):
                desk.attach_hierarchy(name, source)
            else:
                desk.attach_hierarchy_file(name, Path(source))

    def _take(self, columns: Iterable[str], levels: Mapping[str, int]) -> None:
        session, desk = self._session, self._session.release.columns
        chosen = [columns] if isinstance(columns, str) else list(columns)
        for name in (*chosen, *levels):
            session.project.schema[name]  # raises if there is no such column
        wanted = set(chosen or session.project.hierarchies)
        for name in self.columns:
            desk.set_treatment(name, Treatment.GENERALISE if name in wanted else Treatment.LEAVE_OUT)
        for name, level in levels.items():
            desk.set_level(name, level)

    # Asking

    @plainly
    def ask(
        self,
        question: str,
        column: str = "",
        *,
        epsilon: Amount | None = None,
        where: str = "",
        noise: str = "grid",
        again: bool = False,
        **values: Any,
    ) -> AskedAnswer:
        """Ask a question with differential privacy, and pay for the answer.

        An answer to the same question that was paid for before is shown again, for nothing.

        Parameters
        ----------
        question
            Such as "count", "mean", "histogram"; `workbench query --help` lists them.
        column
            What it is about.
        epsilon
            ε of the answer.
        where
            Only rows for which this holds, such as "age >= 18".
        noise
            "grid", "diffprivlib" or "opendp".
        again
            Whether to ask, and to spend, anew.
        values
            Other parameters of the question, such as `lower` and `upper`; what is left out is as it was declared.

        Raises
        ------
        Refused
            If a parameter is missing or impossible, or the budget does not suffice.
        """
        kind = _one_of(question, [one.identifier for one in QUERIES], "question")
        given = {**({"column": column} if column else {}), **{name: _scalar(value) for name, value in values.items()}}
        text = "" if epsilon is None else amount_text(epsilon, "epsilon")
        source = NoiseSource(_one_of(noise, list(NoiseSource), "noise"))
        draft = QueryDraft(kind, text, MappingProxyType(given), where, source)
        stored = None if again else self._session.queries.stored(draft)
        return AskedAnswer(stored or self._session.queries.ask(draft), stored is not None)

    # Local differential privacy

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
    ) -> pd.DataFrame:
        """How far off the estimates of local protocols will be, from numbers alone: no row is looked at.

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

        Returns
        -------
        DataFrame
            One row per protocol with its expected errors in L1, L2 and Kantorovich's distance, the best first.

        Raises
        ------
        Refused
            If the possible answers are not declared, or something in it is impossible.
        """
        import pandas as pd

        if people is None:
            raise WorkbenchError(
                "Nobody said how many people are asked.",
                hint="Write people=1000, from public knowledge.",
                field="people",
            )
        said: dict[str, Any] = {} if bins is None else {"bins": bins}
        spec = self._session.project.schema[column]
        limits = bounds if bounds is not None else spec.declared().bounds
        if limits is not None:
            said["bounds"] = limits
        desk = self._session.collection
        desk.change(
            column=column,
            encoding=EncodingChoice(**said),
            protocols=tuple(map(ProtocolChoice.parse, protocols)),
            epsilon=float(exactly(epsilon, "epsilon")),
            users=people,
        )
        found = desk.planner(every=not desk.settings.protocols)(SILENT)
        usable = [one for one in found.predictions if not one.problem]
        rows = {one.title: {metric: one.error(metric) for metric in ("l1", "l2", "kantorovich")} for one in usable}
        return pd.DataFrame.from_dict(rows, orient="index", columns=["l1", "l2", "kantorovich"]).sort_values("l1")

    @plainly
    def compare(self, experiment: Mapping[str, Any], *, look: bool = False) -> pd.DataFrame:
        """What global, anonymised and local answers cost in accuracy, by simulation.

        Parameters
        ----------
        experiment
            As `workbench compare` reads it.
        look
            Whether the true values may be looked at, where the experiment is on these. That is recorded, and no release
            that is drawn afterwards has an (ε, δ) claim.

        Raises
        ------
        Refused
            If it is no experiment, or it needs a look that was not allowed.
        """
        import pandas as pd

        wanted, desk = Experiment.from_json(dict(experiment)), self._session.comparison
        if look and not wanted.basis.public:
            desk.look(lasting=True)
        found = desk.runner(wanted)(SILENT)
        rows = [
            {"method": one.name, "at": point.axis_value, "error": point.mean, "low": point.low, "high": point.high}
            for one in found.series
            for point in one.points
        ]
        return pd.DataFrame(rows, columns=["method", "at", "error", "low", "high"])


def _one_of(value: str, known: Sequence[str], field: str) -> str:
    if value in known:
        return value
    listed = ", ".join(str(one) for one in known)
    raise WorkbenchError(f"There is no {field} “{value}”.", hint=f"Known are: {listed}.", field=field)


def _scalar(value: Any) -> Any:
    """A parameter as a person would type it."""
    if isinstance(value, bool | str) or value is None:
        return value
    if isinstance(value, list | tuple | set | frozenset):
        return "\n".join(str(one) for one in value)
    return str(value)


def _all_have_hierarchies(session: Session) -> bool:
    """Whether degrees say nothing of the data, as for `workbench anonymise`."""
    columns = session.release.columns
    taken = [name for name in session.project.schema.names if columns.treatment(name) is Treatment.GENERALISE]
    hierarchies = session.project.hierarchies
    return all(name in hierarchies and hierarchies[name].provenance.value == "public" for name in taken)
