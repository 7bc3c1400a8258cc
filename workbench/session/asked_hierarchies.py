"""The hierarchies of which Release asks how they came about, as nobody has said it yet."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.anonymise.claim import made_by_rule
from workbench.core.building import assess
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.schema import ColumnSpec
from workbench.io.hierarchy_csv import is_declared
from workbench.session.suggested_hierarchies import follows_said


def is_asked_of(hierarchy: Hierarchy, spec: ColumnSpec, said: Sequence[str]) -> bool:
    """Whether it is still to be said that a hierarchy was made without the data, as which it counts.

    So it is of groups that somebody typed: no rule made them, and nobody has said yet how they came about.
    """
    plain = hierarchy.specification
    if plain is None or hierarchy.provenance is not Provenance.PUBLIC or is_declared(hierarchy):
        return False
    ruled = made_by_rule(hierarchy, spec) or follows_said(hierarchy, spec, said)
    return not ruled and hierarchy.origin == assess(plain, spec).origin
