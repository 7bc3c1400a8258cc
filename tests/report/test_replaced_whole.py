"""Where rows are counted before those of a person are limited, a person is replaced by one person alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workbench.anonymise.note_versions import REPLACED_BY_ONE, REPLACED_WHOLE
from workbench.anonymise.terms import ADD_REMOVE, PEOPLE_KNOWN, REPLACE_BY_ONE, REPLACE_PERSON, REPLACE_ROWS, ROWS_KNOWN
from workbench.cli.main import main
from workbench.core.progress import SILENT
from workbench.core.schema import PrivacyUnit
from workbench.library.release import Release
from workbench.report.promise_meaning import in_words, meaning, neighbours
from workbench.session import Session


@pytest.mark.parametrize("rows", [1, 3])
def test_rows_of_one_person_are_not_replaced_by_those_of_several(rows: int) -> None:
    """200 rows of one person show at most `rows` of them; those of 200 persons could all be in the file."""
    limited = meaning(1.0, 1e-5, rows, REPLACED_WHOLE, REPLACE_ROWS, limited=True)
    most = {1: "one takes part", 3: "3 take part"}[rows]
    assert (
        f"If any one person were replaced by another one with as many rows, of which at most {most}, every" in limited
    )
    assert "the rows of any one person" in meaning(1.0, 1e-5, rows, REPLACED_WHOLE, REPLACE_ROWS), "nobody has more"
    assert "stood as many others" in meaning(1.0, 1e-5, rows, REPLACED_WHOLE - 1, REPLACE_ROWS, limited=True)


@pytest.mark.parametrize("about", [ADD_REMOVE, REPLACE_PERSON])
def test_where_rows_are_not_known_a_limit_changes_no_word(about: str) -> None:
    for version in (REPLACED_WHOLE - 1, REPLACED_WHOLE):
        found = {meaning(1.0, 1e-5, 2, version, about, limited=limited) for limited in (False, True)}
        assert len(found) == 1


@pytest.mark.parametrize("known", ["", "site"])
def test_the_tables_that_must_look_alike_are_told_with_the_limit(known: str) -> None:
    release = {
        "rows_per_person": 1,
        "promised": {"neighbours": REPLACE_ROWS},
        "given": None,
        "claim": True,
        "terms": {"limited_by": known},
    }
    told = neighbours(release, REPLACED_WHOLE)
    if known:
        assert (
            told == "differ by replacing one person by another one with as many rows, of which at most one takes part"
        )
    else:
        assert told == "differ by replacing the rows of one person by as many others"


def test_nothing_of_a_limited_release_speaks_of_rows_of_several_persons(tmp_path: Path) -> None:
    lines = "".join(f"p{i // 3},{('cook', 'clerk')[i % 2]},{1_000 * (i % 4)}\n" for i in range(6_000))
    (tmp_path / "staff.csv").write_text(f"who,job,pay\n{lines}", encoding="utf-8")
    session = Session()
    session.data.open(tmp_path / "staff.csv")
    session.data.set_unit(PrivacyUnit(2, person_column="who"))
    session.data.attach_hierarchies(session.data.hierarchy_suggester(("job", "pay"))(SILENT))
    session.release.anonymise()
    session.release.say(session.release.current_result().draw, [PEOPLE_KNOWN, ROWS_KNOWN])
    claim = session.release.current_claim()
    assert claim.holds and claim.terms.limited_by == "who" and claim.terms.neighbours == REPLACE_BY_ONE
    assert "another one with as many rows, of which at most 2 take part" in in_words(claim)
    assert "private, for replacing one person by another with as many rows, if" in Release(session.snapshot()).claim
    file, page, note = (tmp_path / f"out.{kind}" for kind in ("csv", "html", "json"))
    session.release.export(file, page, note=note)
    told = page.read_text("utf-8")
    assert "private release, for replacing one person by another with as many rows." in told
    assert "as many others" not in told + note.read_text("utf-8")
    assert main(["verify", str(file), "--statement", str(page)]) == 0
    facts = json.loads(note.read_text("utf-8"))
    assert facts["version"] >= REPLACED_BY_ONE and facts["release"]["promised"]["neighbours"] == REPLACE_BY_ONE
    facts["release"]["promised"]["neighbours"] = REPLACE_ROWS
    note.write_text(json.dumps(facts), encoding="utf-8")
    assert main(["verify", str(file), "--statement", str(note)]) != 0, "no more than that is promised"
