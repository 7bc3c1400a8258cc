"""The export of a syntactic release, and what the ledger says of it."""

from __future__ import annotations

from pathlib import Path

from workbench.anonymise.privacy import in_words
from workbench.anonymise.recode import Anonymised
from workbench.core.table import Table
from workbench.project.model import ReleaseRecord
from workbench.query.ledger import Charge, Ledger, LeftFile
from workbench.session.export_subject import ExportSubject
from workbench.session.syntactic.question import SyntacticQuestion
from workbench.session.syntactic.results import Recoded, SyntacticRelease


def export_subject(
    made: Anonymised, described: SyntacticRelease, original: Table, ledger: Ledger, charge: Charge, key: str = ""
) -> ExportSubject:
    """A table of privacy models on its way out; `key` tells it from others."""
    return ExportSubject(
        key,
        lambda progress: made.leaving(described.grouped, progress),
        described.stated(),
        original,
        described.to_json(),
        lambda file: ledger.charge(charge, left=LeftFile(file.name, file.fingerprint)),
    )


def charge_of_recoded(path: Path, recoded: Recoded) -> Charge:
    """The same table is recorded once, wherever it is written to."""
    return charge_without_claim(path, recoded.fingerprint, recoded.question, recoded.key)


def charge_without_claim(path: Path, fingerprint: str, question: SyntacticQuestion, key: str = "") -> Charge:
    """The record of a syntactic release: it costs nothing that could be added up."""
    return ReleaseRecord(
        when="",
        fingerprint=fingerprint,
        file=path.name,
        epsilon=0.0,
        delta=0.0,
        beta=0.0,
        k=0,
        claim=False,
        models=", ".join(in_words(choice) for choice in question.models),
    ).charge(key)
