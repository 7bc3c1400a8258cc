"""A table at work: described, released, asked, and its ledger."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.utility import MetricChoice
from workbench.core.errors import WorkbenchError
from workbench.core.known_number import KnownNumber
from workbench.core.schema import Format
from workbench.core.usual_delta import delta_advice
from workbench.library.amounts import Amount, exactly
from workbench.library.columns import ColumnDescription
from workbench.library.forecast import ReleaseForecast
from workbench.library.hierarchy import HierarchySource
from workbench.library.plainly import plainly
from workbench.library.questions import Questions
from workbench.library.release import Release
from workbench.library.saving import targets_of
from workbench.library.search import SearchedTable
from workbench.library.setting_up import attach, one_of, refuse_seen, set_release, take
from workbench.library.showing import showing
from workbench.library.two_readings import warn_of
from workbench.project.storage import SUFFIX
from workbench.session.pseudonyms import PseudonymFile, pseudonymiser
from workbench.session.release.outlook import outlook_of
from workbench.session.release.said import said_of
from workbench.session.syntactic.question import SyntacticQuestion

if TYPE_CHECKING:
    import pandas as pd


class Data(Questions):
    """A table at work, opened by `open`. It shows its columns and never its rows.

    >>> data = wb.open(people)
    >>> data
    <Data: 2 columns: age, job>
    >>> data.columns, data.spent, len(data.ledger)
    (('age', 'job'), (Fraction(0, 1), Fraction(0, 1)), 0)
    """

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
    def describe(self, /, **columns: ColumnDescription) -> Data:
        """Declare what columns are, from public knowledge; a name that is no identifier goes through `**{"a b": …}`.

        >>> wb.open(people).describe(age=wb.integer(0, 120), job=wb.category(["cook", "nurse"]))
        <Data: 2 columns: age, job>

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
            if said.missing is not None:
                desk.set_missing([name], ("", *said.missing))
            if said.bounds is not None:
                desk.set_bounds(name, said.bounds)
            if said.values is not None:
                desk.set_domain(name, said.values)
            if said.role is not None:
                desk.set_role([name], said.role)
        left = [name for name, said in columns.items() if said.kind.numeric and said.written is None]
        if left:
            warn_of(self._session, left, stacklevel=3)
        return self

    @plainly
    def look(self) -> Data:
        """Record that the true rows were looked at: no release that is drawn afterwards has an (ε, δ) claim.

        What has been looked at elsewhere, such as in a spreadsheet, no program can know; this says it.

        >>> wb.open(people).look().release(["job"], levels={"job": 0}, without_claim=True).claimed
        False

        Returns
        -------
        Data
            The same table, so that calls can follow one another.

        Raises
        ------
        Refused
            If it cannot be written into the ledger.
        """
        self._session.comparison.look(lasting=True)
        return self

    @plainly
    def save_project(self, path: str | Path, *, force: bool = False) -> Path:
        """Save what was set as a project, for the window, `run_project` and `workbench run`. It holds no row.

        Hierarchies that were read from files list the values of their columns, so keep it as private as those. A
        DataFrame is not found again: then say `data=` when it is used.

        >>> data = wb.open(people).describe(age=wb.integer(0, 120))
        >>> data.save_project("described.wbench").name
        'described.wbench'

        Raises
        ------
        Refused
            If something stands there already and `force` does not say that it may go, or it cannot be written.
        """
        place = Path(path)
        if place.suffix.lower() != SUFFIX:
            raise WorkbenchError(
                f"“{place.name}” is no name of a project.", hint=f"Let it end with {SUFFIX}.", field="path"
            )
        if place.exists() and not force:
            raise WorkbenchError(f"“{place.name}” is there already.", hint="Add force=True.", field="path")
        self._session.save(place)
        return place

    @plainly
    def pseudonymise(
        self,
        columns: str | Sequence[str],
        path: str | Path,
        *,
        leave_out: str | Sequence[str] = (),
        key: str | Path = "",
        force: bool = False,
        template: str | Path | None = None,
    ) -> PseudonymFile:
        """Write a copy with keyed pseudonyms in the place of identifiers. It stays personal data.

        Nothing is claimed of it. The same value gets the same pseudonym in every file that is made with the same key.
        The ledger counts it as a release without a claim; the statement beside it says what remains possible.

        >>> import os
        >>> os.mkdir("passed on")
        >>> key = wb.new_pseudonym_key("keys/pseudonyms.pem")
        >>> found = wb.open(people).pseudonymise("job", "passed on/people.csv", key=key)
        >>> found.columns, found.statement.name
        (('job',), 'people_statement.html')

        Parameters
        ----------
        columns
            Those whose values become pseudonyms; all others are as they are.
        path
            The file, with a statement beside it.
        leave_out
            Columns that do not go with it.
        key
            The file of the key; "" for the one in your settings, which `new_pseudonym_key` makes.
        force
            Whether another file that stands there may go.
        template
            A file with your institution, logo and own sentences for the statement; none of them if it is None.

        Returns
        -------
        PseudonymFile
            `path`, `statement`, `columns`, `left_out`, `rows` and `sha256`.

        Raises
        ------
        Refused
            If a column is unknown or names a person and would leave as it is, the key cannot be used or lies beside
            the file, or something cannot be written.
        """
        targets = replace(targets_of(path, force=force), note=None)
        named, away = ([one] if isinstance(one, str) else list(one) for one in (columns, leave_out))
        self._session.use_template(None if template is None else Path(template))
        work = pseudonymiser(self._session, named, targets, left_out=away, key=Path(key) if key else None)
        with showing("Making pseudonyms") as progress:
            return work(progress)

    # The budget and the ledger

    @plainly
    def budget(self, epsilon: Amount, delta: Amount = 0) -> Data:
        """Set what may be spent on this data in all, once and for all.

        >>> data = wb.open(people).budget(1)
        >>> data.ask("count", epsilon=0.75).epsilon
        0.75
        >>> data.ask("count", epsilon=0.5)
        Traceback (most recent call last):
        ...
        workbench.core.errors.WorkbenchError: ...

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
    @plainly
    def spent(self) -> tuple[Fraction, Fraction]:
        """The ε and δ that were spent on this data so far, by whatever program."""
        found = self._session.ledger.current.spent()
        return found.epsilon, found.delta

    @property
    @plainly
    def ledger(self) -> pd.DataFrame:
        """The ledger of this data, with the price of all that was released: one row per entry, oldest first."""
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
        beta: float | Literal["max", "best"] = "max",
        floor: int = 1,
        rows: int | None = None,
        step_column: str = "",
        count_column: str = "",
        seed: int | None = None,
        known: Literal["", "people", "rows"] = "",
        without_claim: bool = False,
    ) -> Release:
        """Draw an (ε, δ) release of some columns. The draw is charged when it is made, saved or not.

        >>> data = wb.open(people)
        >>> release = data.release(hierarchies={"age": wb.hierarchy.intervals(10, whole=True)}, epsilon=1, delta="1e-5")
        >>> release.claimed, data.spent
        (True, (Fraction(1, 1), Fraction(1, 100000)))

        Parameters
        ----------
        columns
            What is released; without any, every column that has a hierarchy. One without a hierarchy is released as it
            is, which says that its values are public.
        epsilon, delta
            What is promised: numbers, fractions or text such as "ln 3". δ should be at most 1 divided by a hundred
            times the number of people: "1e-5" is for up to 1,000.
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
        beta
            Of sampling: the chance of a row, "max" for the largest, or "best" for the one that lets the rarest groups
            survive.
        floor
            Groups of which fewer rows would be released are left out.
        rows
            About how many rows there are, from public knowledge: the shares of the steps follow from it.
        step_column
            The name of an added column that says at which step a row was released; "" for none.
        count_column
            The name of an added column with the rows of each group, one line per group; "" for one line per row.
        seed
            Make it a repeatable simulation, without a claim.
        known
            "people" where everybody knows how many people the table has, as of a staff, or "rows" where a person can
            have several and their number is known: the claim is then for replacing one person by another,
            (2ε, 2δ − δ²), and once it is saved the ledger counts all of this data so.
        without_claim
            Whether to go on where no claim can be made.

        Raises
        ------
        Refused
            If no claim can be made, the budget does not suffice, or something in it is impossible.
        """
        session, said = self._session, KnownNumber(one_of(known, list(KnownNumber), "known"))
        set_release(
            session, columns, epsilon=epsilon, delta=delta, hierarchies=hierarchies, levels=levels, steps=steps,
            shares=shares, mechanism=mechanism, floor=floor, beta=beta, rows=rows, step_column=step_column,
            count_column=count_column, seed=seed,
        )  # fmt: skip
        session.release.refuse_draw(without_claim=without_claim or seed is not None, known=said)
        if seed is not None:
            session.looks.take("simulation", lasting=True)  # before it is drawn, as nobody saves this project
        with showing("Drawing the release") as progress:
            result = session.release.anonymise(progress)
        if said:
            session.release.say_number_known(result.draw, said)
        return Release(session.snapshot())

    @plainly
    def forecast(
        self,
        columns: Iterable[str] = (),
        *,
        epsilon: Amount = 1,
        delta: Amount = "1e-5",
        hierarchies: Mapping[str, HierarchySource] = MappingProxyType({}),
        levels: Mapping[str, int] = MappingProxyType({}),
        steps: Sequence[str] | Sequence[Mapping[str, int]] = (),
        shares: Sequence[float] = (),
        floor: int = 1,
        rows: int | None = None,
    ) -> ReleaseForecast:
        """The forecast of a release by trimming, before it is drawn: from public facts, and for nothing.

        >>> data = wb.open(people)
        >>> forecast = data.forecast(hierarchies={"age": wb.hierarchy.intervals(10, whole=True)}, rows=400)
        >>> len(forecast.frame) > 1, data.spent[0]
        (True, Fraction(0, 1))

        Parameters
        ----------
        columns, epsilon, delta, hierarchies, levels, steps, shares, floor
            As for `release`.
        rows
            About how many rows there are, from public knowledge.

        Raises
        ------
        Refused
            If nothing takes part, a rule follows from the data and nobody looked at it, or something is impossible.
        """
        session = self._session
        refuse_seen(session, hierarchies)
        set_release(
            session, columns, epsilon=epsilon, delta=delta, hierarchies=hierarchies, levels=levels, steps=steps,
            shares=shares, mechanism="trim", floor=floor, rows=rows,
        )  # fmt: skip
        found, hierarchies_of = session.release.forecast(), session.project.hierarchies
        if advice := delta_advice(found.delta, rows):
            warnings.warn(advice, stacklevel=3)
        outlook = outlook_of(found, hierarchies_of, said_of(session.project), unit="rows")
        return ReleaseForecast(found, session.release.trim_guarantee(), "" if outlook is None else outlook.words)

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

        >>> table = wb.open(people).search("k=50", hierarchies={"age": wb.hierarchy.intervals(10, whole=True)})
        >>> dict(table.levels)
        {'age': 0}

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
        attach(session, hierarchies)
        take(session, columns, {})
        question = SyntacticQuestion(
            models=tuple(map(ModelChoice.parse, [models] if isinstance(models, str) else models)),
            metric=MetricChoice.parse(metric),
            suppression_limit=suppression_limit,
            local_recoding=local_recoding,
        )
        session.release.set_seed(None)
        # Before it is made: how far a search came, and that it fails, tells something too.
        session.syntactic.saw_the_data(lasting=True)
        with showing("Searching the best levels") as progress:
            found = session.syntactic.searcher(question)(progress.part(0.0, 0.8))
            made = session.syntactic.generaliser(question, found.levels)(progress.part(0.8, 1.0))
        return SearchedTable(session.snapshot(), question, made, found.levels, found.score)
