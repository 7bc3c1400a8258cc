"""The question that is asked now, of a column or of nobody's rows: its possible answers, or why it cannot be asked."""

from __future__ import annotations

from workbench.core.errors import WorkbenchError
from workbench.core.schema import ColumnSpec
from workbench.gui.document import Document
from workbench.ldp.encoding import Domain
from workbench.session.collection.typed_answers import answers_begun


class AskedNow:
    """The question as it was when `work_out` was called last.

    Attributes
    ----------
    domain
        The possible answers; None where they are not known, or a mean alone is asked for.
    problem
        Why nothing can be asked; None where something can.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self.domain: Domain | None = None
        self.problem: WorkbenchError | None = None

    def work_out(self) -> None:
        """Find which answers are possible, or why none are."""
        self.domain, self.problem = None, None
        if self.spec is None:
            self.problem = WorkbenchError("No column is chosen.", field="column")
            return
        desk = self._document.session.collection
        try:
            if self.only_means:
                desk.mean_plan()
            else:
                self.domain = desk.domain()
        except WorkbenchError as error:
            self.problem = error

    @property
    def planning(self) -> bool:
        """Whether a survey is planned of which no table knows."""
        return self._document.session.collection.without_table

    @property
    def only_means(self) -> bool:
        """Whether a mean is asked for, and no shares."""
        return self._document.session.collection.asks_mean

    @property
    def spec(self) -> ColumnSpec | None:
        """The column that is asked about, or the typed answers as one; None where nothing is asked."""
        there = self._document.has_data or self.planning
        return self._document.session.collection.spec() if there else None

    @property
    def begun(self) -> bool:
        """Whether something is asked, of which something can be said; of a plan some answers are typed then."""
        if self.planning and not self.only_means:  # of a mean it is said beside what is missing what to type
            return answers_begun(self._document.project.collect.encoding)
        return self.spec is not None

    @property
    def knows_answers(self) -> bool:
        """Whether it is known which answers are possible; else they are being typed, which is said beside them."""
        return self.problem is None and (self.domain is not None or self.only_means)
