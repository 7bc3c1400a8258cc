"""The part of columns and hierarchies that can be shown before anybody looks at the data, and what is built unseen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

from workbench.core.building import BuilderValues, build_unseen, check_labels
from workbench.core.hierarchy import Hierarchy
from workbench.core.occurring_listed import saved_entries
from workbench.core.progress import SILENT, Progress
from workbench.core.public_values import PublicView, ShownValues, public_view, stand_in_values
from workbench.core.schema import ColumnSpec
from workbench.core.table import Column
from workbench.session.state import Desk


class UnseenDesk(Desk):
    """The columns as they are known without their values."""

    def hierarchy(self, name: str) -> PublicView | None:
        """The public part of a column's hierarchy, None if there is none; kept, as a window asks at every repaint."""
        project = self._state.project
        return _view(project.hierarchies[name], project.schema[name], self._said(name))

    def stand_in(self, name: str, builder: str) -> tuple[Column, ShownValues]:
        """A column of values to try a builder on, and which they are; the same object as long as nothing changes."""
        return _stand_in(self._state.project.schema[name], builder, self._said(name))

    def _said(self, name: str) -> tuple[str, ...]:
        """The values that can occur in a column, as they were typed."""
        return saved_entries(self._state.project.anonymise.trim.occurring.get(name, ""))

    def hierarchy_builder(
        self, name: str, plain: Mapping[str, Any], *, looked: bool = False
    ) -> Callable[[Progress], Hierarchy]:
        """A function, for any thread, that builds a hierarchy over the values of the column that was read.

        Parameters
        ----------
        looked
            Whether a look at this data is recorded: then a rule may be fit for these values alone.

        Raises
        ------
        WorkbenchError
            When it is called, if it cannot be built.
        """
        column, spec = self._state.opened.reading.table[name], self._state.project.schema[name]

        def build(progress: Progress = SILENT) -> Hierarchy:
            progress(0.1)
            if not looked:
                check_labels(plain)
            return build_unseen(plain, BuilderValues.of(column, spec))

        return build


_Asked = tuple[ColumnSpec, tuple[str, ...]]
_views: WeakKeyDictionary[Hierarchy, tuple[_Asked, PublicView | None]] = WeakKeyDictionary()
"""The last view of each hierarchy, for as long as somebody has the hierarchy."""


def _view(hierarchy: Hierarchy, spec: ColumnSpec, said: tuple[str, ...]) -> PublicView | None:
    asked = spec, said
    known = _views.get(hierarchy)
    if known is not None and known[0] == asked:
        return known[1]
    found = public_view(hierarchy, spec, said)
    # A view that is the hierarchy itself would hold it here for ever, and costs nothing.
    if found is None or found.hierarchy is not hierarchy:
        _views[hierarchy] = asked, found
    return found


@lru_cache(maxsize=8)
def _stand_in(spec: ColumnSpec, builder: str, said: tuple[str, ...]) -> tuple[Column, ShownValues]:
    values, shown = stand_in_values(spec, builder, said=said)
    return Column.from_texts(spec.name, values), shown
