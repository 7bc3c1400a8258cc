"""What was said of one table is not said of another."""

from __future__ import annotations

from pathlib import Path

from workbench.core.schema import PrivacyUnit, UnitAnswer
from workbench.gui.going_on import is_unrelated
from workbench.project.loading import load
from workbench.session import Session


def write(path: Path, header: str, line: str) -> Path:
    path.write_text(f"{header}\n" + f"{line}\n" * 4, encoding="utf-8")
    return path


def test_who_is_protected_is_asked_again_of_a_table_without_those_columns(tmp_path: Path) -> None:
    session = Session()
    session.data.open(write(tmp_path / "a.csv", "patient,age,ward", "p1,30,x"))
    session.data.set_unit(PrivacyUnit(rows_per_person=4, person_column="patient", protected=UnitAnswer.SAID))
    session.data.open(write(tmp_path / "next.csv", "patient,age,ward", "p2,31,y"))
    assert session.project.schema.unit.protected is UnitAnswer.SAID, "the same table of another year"
    session.data.open(write(tmp_path / "b.csv", "age,ward,sex", "40,x,f"))
    unit = session.project.schema.unit
    assert unit.protected is UnitAnswer.UNSAID and not unit.person_column and unit.rows_per_person == 4


def test_a_table_that_shares_one_column_is_another(tmp_path: Path) -> None:
    session = Session()
    session.data.open(write(tmp_path / "a.csv", "patient,age,ward,days,insured", "p1,30,x,4,y"))
    other = load(write(tmp_path / "adult.csv", "age,sex,race,education,work,salary", "30,f,r,e,w,9"))
    assert is_unrelated(session.project, other)
    assert not is_unrelated(session.project, load(write(tmp_path / "c.csv", "age,ward,sex", "40,x,f")))
