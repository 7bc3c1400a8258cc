"""Hierarchies the program builds for all columns at once: public, and the same for a value in neighbouring tables."""

from __future__ import annotations

from pathlib import Path

from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.session import Session
from workbench.session.suggested_hierarchies import hierarchy_suggester, lost_groups, lost_words, rules_instead

NAMES = ("born", "code", "pay", "ill")
ROWS = ("02.01.1970;01067;45,000 €;flu", "1980-05-01;10115;-99;asthma", "03.04.1990;20095;12,500 €;flu")


def opened(path: Path, rows: tuple[str, ...]) -> Session:
    path.write_text("\n".join((";".join(NAMES), *rows * 12)) + "\n", encoding="utf-8")
    session = Session()
    session.data.open(path)
    session.data.set_kind(["born"], Kind.DATE)
    return session


def suggested(session: Session) -> dict[str, Hierarchy]:
    return session.data.hierarchy_suggester(NAMES)()


def test_each_column_gets_one_that_covers_its_values_and_is_public(tmp_path: Path) -> None:
    session = opened(tmp_path / "people.csv", ROWS)
    session.data.attach_hierarchies(suggested(session))
    for name in NAMES:
        made = session.project.hierarchies[name]
        assert made.provenance is Provenance.PUBLIC, name
        assert not session.data.uncovered(name), name
        assert made.height >= 1


def labels(hierarchy: Hierarchy) -> dict[str, tuple[str, ...]]:
    """What each value becomes, level by level."""
    return {row[0]: tuple(row) for row in hierarchy.rows()}


def test_no_value_decides_what_becomes_of_another(tmp_path: Path) -> None:
    """Of all tables without one person, described alike, each value has the labels that it has in the whole one."""
    session = opened(tmp_path / "all.csv", ROWS)
    whole, schema = suggested(session), session.project.schema
    for left_out in range(len(ROWS)):
        rows = tuple(row for place, row in enumerate(ROWS) if place != left_out)
        table = opened(tmp_path / "fewer.csv", rows).data.reading.table
        fewer = hierarchy_suggester(table, schema, NAMES)()
        for name in NAMES:
            assert fewer[name].origin == whole[name].origin
            assert labels(fewer[name]).items() <= labels(whole[name]).items()


def test_which_groups_are_lost_follows_from_a_list_and_not_from_values_that_were_added_to_it() -> None:
    schema = Schema((ColumnSpec("town", Kind.CATEGORY),))

    def lost(*rows: tuple[str, ...], more: tuple[str, ...] = ()) -> bool:
        return lost_groups(schema, {"town": Hierarchy.from_rows(rows).covering(more)}, ["town"]) == ("town",)

    alike, renamed = (("Bern", "CH"), ("Basel", "CH")), (("Bern", "BE"), ("Basel", "BS"))
    grouped = (("Bern", "West"), ("Biel", "West"), ("Basel", "East"))
    for more in ((), ("Zug",), ("Zug", "Chur", "Uri")):
        assert not lost(*alike, more=more) and not lost(*renamed, more=more), more
        assert lost(*grouped, more=more)


def test_of_many_columns_the_first_are_named() -> None:
    names = ["born", "town", "trade", "ward", "sex"]
    schema = Schema(tuple(ColumnSpec(name, Kind.CATEGORY) for name in names))
    alike = rules_instead(schema, names)
    assert alike == "By rule instead: each value as it is, or *.", "which is so of all"
    more = Schema((*schema.columns, ColumnSpec("pay", Kind.INTEGER)))
    told = rules_instead(more, [*names, "pay"])
    assert told.endswith(": intervals for pay; for born, town, trade and 2 more each value as it is, or *.")
    assert lost_words(names) == "Without groups: born, town, trade and 2 more, where rare values become *."
