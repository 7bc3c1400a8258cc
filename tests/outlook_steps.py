"""A release whose outlook is said, before it is made."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from workbench.core.progress import SILENT
from workbench.project.model import new_project
from workbench.session import Session
from workbench.session.release.assessment import assess
from workbench.session.release.outlook import Outlook
from workbench.session.release.steps import LevelSource

_ROWS = [
    (f"19{50 + i % 50}-0{1 + i % 9}-11", f"{10000 + i * 37 % 900}", ("cook", "Clerk")[i % 2], 900 * i)
    for i in range(60)
]


def opened(folder: Path, *more: tuple[str, str, str, int]) -> Session:
    """A new project of a table of which every hierarchy is built by a public rule, with these rows besides."""
    folder.mkdir()
    lines = (f"{born},{code},{job},{pay}\n" for born, code, job, pay in (*_ROWS, *more))
    (folder / "staff.csv").write_text("born,postcode,job,pay\n" + "".join(lines), encoding="utf-8")
    session = Session(new_project())
    session.data.open(folder / "staff.csv")
    session.data.attach_hierarchies(session.data.hierarchy_suggester(session.project.schema.names)(SILENT))
    return session


def expect(session: Session, rows: int | None) -> None:
    session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=rows))


def outlook(session: Session) -> Outlook:
    prospect = assess(session).prospect
    assert prospect is not None and prospect.outlook is not None
    return prospect.outlook


def by_hand(session: Session) -> None:
    expect(session, 2400)
    session.release.steps.set_source(LevelSource.HAND)
    for name, level in {"born": 4, "postcode": 4, "pay": 2}.items():
        session.release.columns.set_level(name, level)
