"""Hierarchies that are lacking, what there is for them, and files of which nobody has said how they were made."""

from __future__ import annotations

from pathlib import Path

from workbench.anonymise.recipe import Treatment
from workbench.core.schema import ColumnSpec, Role
from workbench.gui.document import Document
from workbench.gui.engines import unlisted
from workbench.gui.workspaces.hierarchies.workshop import Workshop
from workbench.io.hierarchy_files import HierarchyFile


class Lacking:
    """Columns without a hierarchy, and what there is for them, as the document stands whenever it is asked."""

    def __init__(self, document: Document, workshop: Workshop) -> None:
        self._document, self._workshop = document, workshop
        self.matching: dict[str, tuple[HierarchyFile, ...]] = {}
        """The files beside the data, by the column they are named after."""

    @property
    def without(self) -> tuple[str, ...]:
        """Columns that are to be generalised and have no hierarchy."""
        project = self._document.project
        return tuple(spec.name for spec in self.taking_part if spec.name not in project.hierarchies)

    @property
    def taking_part(self) -> tuple[ColumnSpec, ...]:
        """Columns that are to be generalised; an (ε, δ) release treats what is sensitive like all others."""
        roles = {Role.QUASI} if self._document.session.syntactic.wanted else {Role.QUASI, Role.SENSITIVE}
        return tuple(spec for spec in self._document.project.schema.columns if spec.role in roles)

    @property
    def gives_roles(self) -> bool:
        """Whether nobody has given a role, and every column but the person's has a file, so that attaching says all."""
        schema = self._document.project.schema
        free = [spec for spec in schema.columns if spec.name != schema.unit.person_column]
        bare = all(spec.role is Role.INSENSITIVE and spec.undecided for spec in free)
        return bool(free) and bare and all(spec.name in self.unattached for spec in free)

    @property
    def step(self) -> str:
        """The step that is due while hierarchies are lacking, in words; "" where none is."""
        if found := self.matching_wanted:
            # Not how many: of a file that is wrong nobody is asked anything.
            return f"Attach the {'hierarchy' if found == 1 else 'hierarchies'} found beside it"
        if len(built := self.buildable) > 1:
            return f"Build {len(built)} hierarchies and go on"
        if built:
            return f"Build a hierarchy for “{built[0]}” and go on"
        return f"Attach a hierarchy to “{self.without[0]}”" if self.without else ""

    @property
    def matching_wanted(self) -> int:
        """How many files beside the data would bring the work on."""
        found, hierarchies = self.unattached, self._document.project.hierarchies
        wanted = any(name in found for name in self.without) if self.without else not hierarchies
        return len(found) if wanted else 0

    @property
    def unattached(self) -> dict[str, Path]:
        """The plain matching file of each column that has no hierarchy yet, and was not said to need none."""
        project = self._document.project
        person = project.schema.unit.person_column
        done = {*project.hierarchies, *(spec.name for spec in project.schema.columns if _needs_none(spec, person))}
        return {
            name: files[0].path
            for name, files in self.matching.items()
            if name not in done and not files[0].variant and not self._workshop.has_open(name)
        }

    @property
    def buildable(self) -> tuple[str, ...]:
        """Columns without a hierarchy for which one would be built, since no file is there for them."""
        if not self._document.has_data:
            return ()
        table, found = self._document.session.data.reading.table, self.unattached
        return tuple(
            name
            for name in self.without
            if name not in found and not self._workshop.has_open(name) and not unlisted(table, name)
        )

    @property
    def unsaid(self) -> tuple[str, ...]:
        """Columns with a file of which nobody has said how it was made, where a claim would rest on it."""
        session = self._document.session
        if session.syntactic.wanted:
            return ()
        return tuple(name for name in session.data.undeclared if not self.left_out(name))

    def left_out(self, name: str) -> bool:
        """Whether an (ε, δ) release leaves the column out."""
        session = self._document.session
        return not session.syntactic.wanted and session.release.columns.treatment(name) is Treatment.LEAVE_OUT


def _needs_none(spec: ColumnSpec, person: str) -> bool:
    """Whether somebody said that a column is left out, or is not to be generalised.

    Who says that a column tells persons apart has said so of it, unless they gave it another role.
    """
    harmless = spec.role is Role.INSENSITIVE and (not spec.undecided or spec.name == person)
    return spec.role is Role.IDENTIFYING or harmless
