"""A result on its way out, of either approach: what is written, what is stated of it, and what the ledger notes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.anonymise.claim import Claim
from workbench.core.progress import Progress
from workbench.core.table import Table
from workbench.report.file_facts import FileFacts
from workbench.report.recheck import Stated
from workbench.session.export import Export, Targets
from workbench.session.ledger import LedgerDesk
from workbench.session.state import SessionState


@dataclass(frozen=True, eq=False)
class ExportSubject:
    """The subject of an export: all that its files are made of.

    Parameters
    ----------
    key
        Tells this draw or table from all others.
    released
        Makes the rows that leave, in canonical form.
    stated, original
        What must be so when the file is read back, and the table it is compared with where a model needs that.
    description
        What the note says about the release.
    spend
        Writes the release into the ledger, with the file that leaves.
    claim
        What the statement says; None for a release of privacy models.
    """

    key: str
    released: Callable[[Progress], Table]
    stated: Stated
    original: Table | None
    description: Mapping[str, Any]
    spend: Callable[[FileFacts], object]
    claim: Claim | None = None


def check_place(state: SessionState, targets: Targets, key: str, *, look_later: bool = False) -> None:
    """Refuse places where the release of this key may not be written, unless they are looked at later.

    Raises
    ------
    WorkbenchError
        See `Targets.check`.
    """
    if not look_later:
        targets.check(LedgerDesk(state).protected, state.results.files_of(key))


def export_of(state: SessionState, subject: ExportSubject, targets: Targets) -> Export:
    """Everything an export needs, bound together now; call it on any thread."""
    return Export(
        targets,
        subject.released,
        subject.stated,
        subject.original,
        subject.description,
        LedgerDesk(state).protected,
        subject.spend,
        subject.claim,
        state.results.files_of(subject.key),
        None if state.words is None else state.words.publisher,
    )
