"""The state of a session: the project, the data that is open, and the results made of it.

The desks of a session hold nothing themselves. They share one `SessionState`, so what is copied for work on another
thread, and what is dropped when other data is opened, is said here alone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from workbench.core.errors import WorkbenchError
from workbench.evaluate.store import ResultStore
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding_choice import EncodingChoice, EncodingKind
from workbench.project.model import AnonymiseSettings, Project
from workbench.project.said_beside import SaidBeside

if TYPE_CHECKING:
    from workbench.anonymise.after_draw import AfterDraw
    from workbench.core.working_table import PreparedTable
    from workbench.project.loading import Loaded
    from workbench.query.ledger import Ledger, LedgerHistory
    from workbench.report.publisher import Publisher, PublisherTemplate
    from workbench.session.existing_files import FileMarks
    from workbench.session.export import Exported
    from workbench.session.release.result import Explored, Result
    from workbench.session.syntactic.neighbours import NodeNeighbours
    from workbench.session.syntactic.results import Recoded, RecodingResult


@dataclass(eq=False)
class Results:
    """The results made of the data that is open.

    Parameters
    ----------
    result, drawn
        The (ε, δ) release that is shown, and those remembered, so that undo finds the same draw again.
    explored
        How much would survive with other settings.
    found, around
        The best levels for privacy models, and the nodes around them.
    recoded, recodings
        The table at chosen levels that is shown, and those remembered.
    exported
        Releases that were written, by what they were made from.
    written
        The files of each, as they were written.
    said
        What the person has said of each draw that no program can check.
    beforehand
        What they have said before a draw of the table itself, which is said of each draw that is made since.
    beforehand_of
        Of which rows they said it: the filter and the research sample of then. Of other rows nothing was said.
    chosen
        Of each draw of which they have said it: whether it was chosen among several.
    after
        Of each draw that is to be written otherwise than it was drawn: how.
    """

    result: Result | None = None
    drawn: tuple[Result, ...] = ()
    explored: Explored | None = None
    found: RecodingResult | None = None
    around: NodeNeighbours | None = None
    recoded: Recoded | None = None
    recodings: tuple[Recoded, ...] = ()
    exported: dict[str, Exported] = field(default_factory=dict)
    written: dict[str, dict[Path, FileMarks]] = field(default_factory=dict)
    said: dict[str, frozenset[str]] = field(default_factory=dict)
    beforehand: frozenset[str] = frozenset()
    beforehand_of: tuple[str, float] | None = None
    chosen: dict[str, bool] = field(default_factory=dict)
    after: dict[str, AfterDraw] = field(default_factory=dict)

    def files_of(self, key: str) -> Mapping[Path, FileMarks]:
        """The files that were written of one draw or table, as they were written."""
        return self.written.get(key, {})

    def wrote(self, key: str, exported: Exported) -> None:
        """Remember what was written of one draw or table."""
        self.exported[key] = exported
        self.written[key] = {**self.files_of(key), **exported.marks}


@dataclass(eq=False)
class OpenLedgers:
    """The ledgers that were opened so far.

    Parameters
    ----------
    file
        The file that was named for them; None for the person's own folder.
    of_data
        By the fingerprint of their data.
    carried
        The history in the project that each of them has taken in already.
    near
        Those of data that is nearly the same.
    """

    file: Path | None = None
    of_data: dict[str, Ledger] = field(default_factory=dict)
    carried: dict[str, LedgerHistory] = field(default_factory=dict)
    near: dict[str, Ledger] = field(default_factory=dict)


@dataclass(frozen=True)
class AskedSide:
    """The settings of one of the two things that can be asked for, shares or a mean, that are not of the other.

    Parameters
    ----------
    protocols
        Those that were ticked for it.
    how
        How answers become codes; the values and the bounds that were typed stand in the encoding beside each other.
    target
        The error to reach.
    """

    protocols: tuple[ProtocolChoice, ...]
    how: EncodingKind | None
    target: float


@dataclass(eq=False)
class AskedBefore:
    """The choices that a person comes back to.

    Parameters
    ----------
    sides
        What was chosen for a mean (True) and for shares (False) when the other was asked for.
    mean
        Whether a mean was asked for last; it counts while no protocol is ticked.
    sampling_said
        The data that was open when the person said whether sampling error counts; of other data it is proposed.
    before_plan
        How many people there were before a survey was planned beside a table, alone in a tuple; None where nothing was
        proposed since.
    typed
        What was typed of the answers, by the data and the column they are of; "" is a survey without one.
    carried
        The answers that were typed before a column was chosen, by the data and that column.
    """

    sides: dict[bool, AskedSide] = field(default_factory=dict)
    mean: bool = False
    sampling_said: str | None = None
    before_plan: tuple[int | None] | None = None
    typed: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    carried: dict[tuple[str, str], EncodingChoice] = field(default_factory=dict)


@dataclass(eq=False)
class SessionState:
    """The project, the open data, ledgers and results, which all desks share.

    Parameters
    ----------
    project
        The document. Edits replace it as a whole, which is what undo relies on.
    loaded
        The data that is open.
    working, working_key
        The working table this session has seen last, with its key; and the key of a project, which is asked for often.
    result_key
        What the result of a project with data of some content depends on, as a digest, which is asked for often too.
    hierarchy_files
        Files that hierarchies were read from.
    ledgers
        The ledgers that are open; shared with snapshots.
    results
        The results made of the data that is open.
    findings
        Findings of experiments; shared with snapshots.
    template
        What the publisher says in statements, and its files.
    proposed
        What was said in another project, and is proposed for the releases of this one; nothing else has it.
    asked_before
        What was chosen of a collection before something else was; shared with snapshots.
    drawn_with
        The settings of the last draw that was begun, which may still be under way.
    """

    project: Project = field(default_factory=Project)
    loaded: Loaded | None = None
    working: tuple[str, PreparedTable] | None = None
    working_key: tuple[Project, str] | None = None
    result_key: tuple[Project, str, str] | None = None
    hierarchy_files: tuple[Path, ...] = ()
    ledgers: OpenLedgers = field(default_factory=OpenLedgers)
    results: Results = field(default_factory=Results)
    findings: ResultStore = field(default_factory=ResultStore)
    template: PublisherTemplate | None = None
    proposed: PublisherTemplate | None = None
    asked_before: AskedBefore = field(default_factory=AskedBefore)
    drawn_with: AnonymiseSettings | None = None

    def snapshot(self) -> SessionState:
        """A state that stays as this one is now, with the present result and what was said of it. Nothing of size is
        copied.
        """
        result = self.results.result
        said = {} if result is None else {draw: of for draw, of in self.results.said.items() if draw == result.draw}
        after = {} if result is None else {draw: of for draw, of in self.results.after.items() if draw == result.draw}
        before, of = self.results.beforehand, self.results.beforehand_of
        kept = Results(result=result, said=said, after=after, beforehand=before, beforehand_of=of)
        return replace(self, results=kept)

    def said_beforehand(self, project: Project) -> frozenset[str]:
        """The assertions that the user made, before a draw, about the rows that take part in a project."""
        return self.results.beforehand if self.results.beforehand_of == _rows_of(project) else frozenset()

    def say_beforehand(self, sentences: Collection[str]) -> None:
        """The person says this, and nothing else, of the rows that take part."""
        self.results.beforehand, self.results.beforehand_of = frozenset(sentences), _rows_of(self.project)

    def take_data(self, loaded: Loaded) -> None:
        """Begin with other data: no result of the data before is one of these.

        What was said of the table of a project that was opened holds where it is still that table.
        """
        before, results = self.project.data, Results()
        if self.loaded is None and before is not None and before.fingerprint == loaded.reading.fingerprint:
            results.beforehand, results.beforehand_of = self.results.beforehand, self.results.beforehand_of
        self.loaded, self.working, self.results, self.drawn_with = loaded, None, results, None

    @property
    def said_beside(self) -> SaidBeside:
        """What was said of the table before a draw, which is saved beside the project."""
        return SaidBeside(self.results.beforehand, self.results.beforehand_of)

    def say_beside(self, said: SaidBeside) -> None:
        """Go on with what was saved so."""
        self.results.beforehand, self.results.beforehand_of = said.sentences, said.of

    @property
    def without_table(self) -> bool:
        """Whether there is no table, and the project waits for none."""
        return self.loaded is None and self.project.data is None

    @property
    def publisher(self) -> Publisher | None:
        """Who was named in this project to speak in statements beside the program; None for nobody."""
        return None if self.template is None else self.template.publisher

    @property
    def words(self) -> PublisherTemplate | None:
        """What the statement of the next release would have of the publisher: what was said, or is proposed."""
        return self.proposed if self.template is None else self.template

    @property
    def opened(self) -> Loaded:
        """The data that is open.

        Raises
        ------
        WorkbenchError
            If there is none.
        """
        if self.loaded is None:
            raise WorkbenchError("No data is open.", hint="Open a CSV file first.", field="data")
        return self.loaded

    def change(self, **changes: Any) -> None:
        """Change parts of the project by name."""
        self.project = replace(self.project, **changes)

    def change_anonymise(self, **changes: Any) -> None:
        """Change settings of anonymising by name."""
        changed: AnonymiseSettings = replace(self.project.anonymise, **changes)
        self.change(anonymise=changed)


class Desk:
    """A part of a session: what a person can do about one subject. It shares the state with all other desks."""

    def __init__(self, state: SessionState) -> None:
        self._state = state

    @property
    def _project(self) -> Project:
        return self._state.project

    def snapshot(self) -> Self:
        """The desk over a state that stays as it is now, for work on another thread."""
        return type(self)(self._state.snapshot())


def _rows_of(project: Project) -> tuple[str, float]:
    """Which rows take part, as far as somebody who speaks of the table means other rows by it."""
    return project.preparation.where, project.preparation.sample
