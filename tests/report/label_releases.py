"""Releases of pay and of kinds of work by command and by session, for tests of what statements tell of labels."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from tests.forging import FILE, NOTE, PAGE
from workbench.cli.main import main
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT
from workbench.core.schema import Role
from workbench.io.hierarchy_csv import write_hierarchy
from workbench.project.model import new_project
from workbench.session import Session
from workbench.session.finer_edits import take_finer
from workbench.session.release.knowledge import say

WORK = [("Private", "Non-Government"), ("Self", "Non-Government"), ("State", "Government"), ("None", "Unemployed")]


def exported(session: Session, folder: Path) -> dict[str, Any]:
    session.release.anonymise(SILENT)
    session.release.export(folder / FILE, folder / PAGE, note=folder / NOTE, chosen=None)
    found: dict[str, Any] = json.loads((folder / NOTE).read_text("utf-8"))
    return found


def pay(folder: Path, least: float = 15_000.5) -> tuple[Session, dict[str, Any]]:
    """A draw of pay with cents from what was said to occur on, so that the first interval is cut."""
    folder.mkdir(parents=True)
    rows = [f"{least + i % 60 * 1000},{'AB'[i % 2]}" for i in range(4000)]
    (folder / "pay.csv").write_text("\n".join(["pay,town", *rows]) + "\n", encoding="utf-8")
    session = Session(new_project())
    session.data.open(folder / "pay.csv")
    names = ("pay", "town")
    session.data.set_role(names, Role.QUASI)
    session.data.attach_hierarchies(session.data.hierarchy_suggester(names)(SILENT))
    listed = {"pay": ("15000-200000", ""), "town": ("A, B, C", "")}
    not_told = "Nobody is told how many people there are in the table."
    say(session, listed, expected_rows=4000, number_known=False, not_told=not_told)
    take_finer(session, session.data.hierarchy_suggester(names)(SILENT))
    return session, exported(session, folder)


def works(folder: Path, *words: str, people: int = 3000, alone: int = 0) -> dict[str, Any]:
    """A release of kinds of work by a hierarchy that is a file; so many people are without any."""
    folder.mkdir(parents=True)
    delta = "1e-12" if alone else "1e-3"  # so few are in the file once in ten thousand million draws
    rows = [f"{'FM'[i % 2]},{('Private', 'Self', 'State')[i // 2 % 3]}" for i in range(people)] + ["F,None"] * alone
    (folder / "work.csv").write_text("\n".join(["sex,work", *rows]) + "\n", encoding="utf-8")
    write_hierarchy(Hierarchy.from_rows([(*path, "*") for path in WORK]), folder / "h.csv")
    write_hierarchy(Hierarchy.from_rows([("F", "*"), ("M", "*"), ("X", "*")]), folder / "s.csv")
    given = ["anonymise", folder / "work.csv", "--hierarchy", f"work={folder / 'h.csv'}", "--epsilon", "1"]
    given += ["--hierarchy", f"sex={folder / 's.csv'}", "--delta", delta, "--mechanism", "trim", "--quiet", *words]
    out = ["--out", folder / FILE, "--statement", folder / PAGE, "--metadata", folder / NOTE]
    assert main([*map(str, given), *map(str, out), "--ledger", str(folder / "ledger.jsonl")]) == 0
    found: dict[str, Any] = json.loads((folder / NOTE).read_text("utf-8"))
    return found


def rows_of(folder: Path) -> list[dict[str, str]]:
    with (folder / FILE).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))
