"""A copy of the data with pseudonyms in the place of identifiers. It is personal data still, and carries no claim.

No release can hold such a column: a pseudonym is a function of the person, so nothing that is promised of a release
would be true beside it. What leaves is noted in the ledger as a release without a claim, because from then on nothing
bounds what all releases of this data tell together.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import count
from workbench.core.paths import followed
from workbench.core.progress import SILENT, Progress
from workbench.core.schema import Role
from workbench.core.table import Table
from workbench.engines.dispatch import engine_of
from workbench.io.atomic import atomic_write
from workbench.io.exporting import Written
from workbench.io.pseudonym_key import make_pseudonym_key, read_pseudonym_key, usual_pseudonym_key
from workbench.query.ledger import Charge, LeftFile
from workbench.report.pseudonym_statement import pseudonym_certificate
from workbench.session.export import Targets, placing, restored_on_failure
from workbench.session.key_places import passed_on, refuse_place
from workbench.session.session import Session

KIND = "pseudonyms"
"""The kind of the entry for such a file in a ledger."""


@dataclass(frozen=True)
class PseudonymFile:
    """A file that was written.

    Parameters
    ----------
    path, statement
        The file, and what is said of it.
    columns, left_out
        Which of its columns hold pseudonyms, and which of the data are not in it.
    rows, sha256
        How many rows it has, and its digest.
    """

    path: Path
    statement: Path
    columns: tuple[str, ...]
    left_out: tuple[str, ...]
    rows: int
    sha256: str


def new_pseudonym_key(path: Path | None = None) -> Path:
    """Make a key where none is yet; returns its file.

    Raises
    ------
    WorkbenchError
        If it cannot be made there, or must not be.
    """
    target = path or usual_pseudonym_key()
    refuse_place(target)
    make_pseudonym_key(target)
    return target


def pseudonymiser(
    session: Session,
    columns: Sequence[str],
    targets: Targets,
    *,
    left_out: Collection[str] = (),
    key: Path | None = None,
) -> Callable[[Progress], PseudonymFile]:
    """Everything it takes to write the file, bound together now; call it on any thread.

    Parameters
    ----------
    columns
        Those that hold pseudonyms; all others are as they are in the data.
    targets
        Where the file goes to, with its statement.
    left_out
        Columns that do not go with it.
    key
        Another file of the key than the usual one.

    Raises
    ------
    WorkbenchError
        If no column or an unknown one is named, or one that names a person would leave as it is. What it returns
        refuses a key that must not lie where it does, and places that cannot be written.
    """
    _check_columns(session, columns, left_out)
    place, statement = key or usual_pseudonym_key(), targets.statement
    if statement is None or targets.note is not None or targets.parts:
        raise ValueError("one file, with a statement and without a note")
    then = session.snapshot()
    ledger, protected = session.ledger.current, (*session.ledger.protected, place)
    chosen = tuple(name for name in then.project.schema.names if name in columns)
    away = tuple(name for name in then.project.schema.names if name in left_out)
    charge = Charge(
        kind=KIND,
        what=f"File with pseudonyms {targets.path.name}",
        epsilon=Fraction(0),
        made_by=KIND,
        parameters=MappingProxyType({"file": targets.path.name, "columns": list(chosen), "left_out": list(away)}),
        claimed=False,
    )

    def work(progress: Progress = SILENT) -> PseudonymFile:
        _check_place(place, targets)
        targets.check(protected)
        secret = read_pseudonym_key(place)
        table = _made(then, secret, chosen, away, progress.part(0.0, 0.5))
        found: list[str] = []

        def check(_made: object, written: Written) -> None:
            found.append(written.fingerprint)

        with contextlib.ExitStack() as undo:

            def leave() -> None:
                targets.refuse_others({})
                undo.enter_context(restored_on_failure(statement, unless=placed))
                facts = (("File", targets.path.name), ("SHA-256", found[0]), ("Rows", count(table.rows)))
                with atomic_write(statement, protected=(*protected, targets.path)) as stream:
                    stream.write(pseudonym_certificate(chosen, away, facts).page(then.publisher).encode())
                ledger.charge(charge, left=LeftFile(targets.path.name, found[0]))

            placed = placing(targets.path)
            engine_of(table).write(
                targets.path,
                targets.style,
                parts=False,
                protected=(*protected, statement),
                check_file=check,
                check_place=check,
                before=leave,
                progress=progress.part(0.5, 1.0),
            )
        return PseudonymFile(targets.path, statement, chosen, away, table.rows, found[0])

    return work


def _check_place(key: Path, targets: Targets) -> None:
    """Refuse a key that would be passed on with the file."""
    refuse_place(key)
    if passed_on(followed(key), usual_pseudonym_key(), [followed(path) for path in targets.all]):
        raise WorkbenchError(
            f"The key “{key}” lies in the folder of what is passed on, and would go with it.",
            hint="Keep it in a folder of its own.",
            field="key",
        )


def _made(session: Session, key: bytes, columns: Sequence[str], left_out: Sequence[str], progress: Progress) -> Table:
    """The rows with pseudonyms, in an order that follows from what stands in them."""
    schema, table = session.project.schema, session.data.prepared_table(progress.part(0.0, 0.4)).table
    missing = {name: schema[name].missing for name in columns}
    return engine_of(table).pseudonymised(missing, left_out, key, progress.part(0.4, 1.0))


def _check_columns(session: Session, columns: Sequence[str], left_out: Collection[str]) -> None:
    schema = session.project.schema
    for name in (*columns, *left_out):
        schema[name]
    if not columns:
        raise WorkbenchError(
            "No column is named that is to hold pseudonyms.", hint="Name at least one.", field="column"
        )
    both = [name for name in columns if name in left_out]
    if both:
        raise WorkbenchError(
            f"“{both[0]}” cannot hold pseudonyms and be left out.", hint="Choose one of the two.", field=both[0]
        )
    for one in schema.with_role(Role.IDENTIFYING):
        if not one.undecided and one.name not in columns and one.name not in left_out:
            raise WorkbenchError(
                f"“{one.name}” names a person, and would leave as it is.",
                hint="Replace it by pseudonyms too, or leave it out.",
                field=one.name,
            )
