"""Describing columns: format, missing texts, misfits, public values, unit, several at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.data_room.helpers import spec, type_into
from tests.gui.data_room.people import open_text
from tests.gui.helpers import choose_row, idle
from workbench.core.schema import ColumnSpec, Format, Kind, Misfits
from workbench.gui.theme import colour
from workbench.gui.workspaces.data import DataWorkspace
from workbench.gui.workspaces.data.columns_model import Field
from workbench.gui.workspaces.data.distribution import axis_text
from workbench.gui.workspaces.data.domain_editor import DomainDialog
from workbench.gui.workspaces.data.format_editor import FormatEditor
from workbench.io.infer import _DATE_PATTERNS

pytestmark = pytest.mark.usefixtures("after_a_look")


def test_how_numbers_are_written(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("income")
    editor = workspace.detail.format
    assert (spec(workspace, "income").format.decimal_mark, editor.decimal.chosen) == (",", ",")
    assert editor.example.text() == "“1.100,50” is read as 1100.5"
    choose_row(editor.thousands, 0)
    assert spec(workspace, "income").format.thousands == ""
    assert "cannot be read like this" in editor.example.text()
    idle(qtbot, workspace)
    assert workspace.detail.misfits.isVisible()
    workspace.document.undo_stack.undo()
    assert editor.thousands.chosen == "."


def test_numbers_that_can_be_read_in_two_ways_are_never_read_without_a_word(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    text = "pay,age\n" + "".join(f"{20 + i}.150 €,3{i}.5\n{40 + i}300,3{i}\n" for i in range(9))
    open_text(qtbot, workspace, tmp_path, text)
    said = (
        "“20.150 €” can be 20,150 or 20.15: a point stands before exactly three digits, and other numbers have none. "
        "It is read as 20.15."
    )

    def told(name: str) -> tuple[bool, str]:
        model = workspace.columns_model
        place = model.index(model.row_of(name), Field.KIND)
        tip = place.data(Qt.ItemDataRole.ToolTipRole) or ""
        return place.data(Qt.ItemDataRole.DecorationRole) is not None, " ".join(tip.split())

    assert told("pay") == (True, said)
    assert told("age") == (False, "")
    workspace.columns.select("pay")
    editor = workspace.detail.format
    assert editor.example.text() == said
    choose_row(editor.decimal, [editor.decimal.itemData(i) for i in range(editor.decimal.count())].index(","))
    choose_row(editor.thousands, [editor.thousands.itemData(i) for i in range(editor.thousands.count())].index("."))
    idle(qtbot, workspace)
    assert editor.example.text() == "“20.150 €” is read as 20150"
    assert told("pay") == (False, "")


def test_amounts_that_all_have_three_digits_after_the_point_are_never_read_without_a_word(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    text = "pay;weight\n" + "".join(f"{20 + i}.150 €;3{i}.125\n" for i in range(9))
    open_text(qtbot, workspace, tmp_path, text)
    idle(qtbot, workspace)
    model = workspace.columns_model
    cells = [model.index(model.row_of(name), Field.KIND) for name in ("pay", "weight")]
    tips = [" ".join((cell.data(Qt.ItemDataRole.ToolTipRole) or "").split()) for cell in cells]
    assert tips[0] == (
        "“20.150 €” can be 20,150 or 20.15: a point stands before exactly three digits, as in all others. "
        "It is read as 20.15."
    )
    assert tips[1] == "", "a measure may well have three decimals"


def test_how_dates_are_written(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("when")
    editor = workspace.detail.format
    assert editor.pattern.currentText() == "31.12.2026  DD.MM.YYYY"
    assert editor.pattern.toolTip().startswith("Code: %d.%m.%Y\n")
    assert editor.example.text() == "“01.03.2020” is read as 2020-03-01"
    edit = editor.pattern.lineEdit()
    assert edit is not None
    assert edit.width() >= edit.fontMetrics().horizontalAdvance(edit.text()), "it is seen whole"
    type_into(qtbot, edit, "%m.%d.%Y")
    assert spec(workspace, "when").format.pattern == "%m.%d.%Y"
    assert editor.example.text() == "“01.03.2020” is read as 2020-01-03"
    assert editor.pattern.currentText() == "%m.%d.%Y"
    choose_row(editor.pattern, editor.pattern.findData("%d.%m.%Y"))
    assert spec(workspace, "when").format.pattern == "%d.%m.%Y"
    assert editor.example.text() == "“01.03.2020” is read as 2020-03-01"


def test_money_is_shown_as_exactly_as_it_is_read(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    text = "name,pay\n" + "".join(f'P{i},"${32325 + i:,}.75"\n' for i in range(30))
    open_text(qtbot, workspace, tmp_path, text)
    workspace.columns.select("pay")
    assert workspace.detail.format.example.text() == "“$32,325.75” is read as 32325.75"


def test_another_kind_brings_the_format_that_fits(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("when")
    kinds = list(Kind)
    choose_row(workspace.detail.kind, kinds.index(Kind.CATEGORY))
    assert spec(workspace, "when").format.pattern == ""
    choose_row(workspace.detail.kind, kinds.index(Kind.DATE))
    assert spec(workspace, "when").format.pattern == "%d.%m.%Y"
    workspace.document.undo_stack.undo()
    assert spec(workspace, "when").kind is Kind.CATEGORY, "kind and format are one step"


def test_what_counts_as_no_value_is_quiet_in_the_table_and_no_example(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    path = tmp_path / "names.csv"
    path.write_text("name,pay\n" + "".join(f"{'n/a' if i % 3 == 0 else f'P{i}'},{i}\n" for i in range(60)))
    workspace.document.open_data(path)
    idle(qtbot, workspace)
    rows, columns = workspace.table.model(), workspace.columns_model
    examples = columns.index(columns.row_of("name"), int(Field.EXAMPLES))
    cell = rows.index(0, 0)
    assert cell.data() == "n/a" and "n/a" in examples.data() and cell.data(Qt.ItemDataRole.ToolTipRole) is None
    workspace.document.apply("x", lambda session: session.data.set_missing(["name"], ["", "n/a"]))
    idle(qtbot, workspace)
    assert cell.data() == "n/a" and cell.data(Qt.ItemDataRole.ToolTipRole) == "Counts as no value"
    assert cell.data(Qt.ItemDataRole.ForegroundRole).color() == colour("muted")
    assert rows.index(1, 0).data(Qt.ItemDataRole.ForegroundRole) is None
    assert examples.data() == "P1 · P2 · P4 · P5"


def test_missing_texts_are_chips(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("city")
    editor = workspace.detail.missing
    before = spec(workspace, "city").missing
    assert "-" not in before
    assert [chip.text() for chip in editor.offers] == ["-"], "proposed, not assumed"
    editor.offers[0].click()
    assert spec(workspace, "city").missing == (*before, "-")
    assert editor.offers == []
    type_into(qtbot, editor.edit, "unknown")
    assert spec(workspace, "city").missing[-1] == "unknown"
    editor.chips[-1].click()
    assert spec(workspace, "city").missing == (*before, "-")
    assert workspace.document.undo_stack.undoText() == "Let “unknown” be a value"


def test_missing_texts_of_several_columns(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.selectAll()
    own = {name: spec(workspace, name).missing for name in workspace.document.project.schema.names}
    type_into(qtbot, workspace.detail.missing.edit, "?")
    assert {name: spec(workspace, name).missing for name in own} == {name: (*had, "?") for name, had in own.items()}
    workspace.document.undo_stack.undo()
    assert {name: spec(workspace, name).missing for name in own} == own


def test_values_that_do_not_fit(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("age")
    editor = workspace.detail.misfits
    assert "“old”" in editor.words.text()
    assert "in 1 row" in editor.words.text()
    editor.list_button.click()
    idle(qtbot, workspace)
    assert workspace.dialogs.values is not None
    assert [workspace.dialogs.values.model.value(row) for row in range(workspace.dialogs.values.model.rowCount())] == [
        "old"
    ]
    choose_row(editor.policy, list(Misfits).index(Misfits.MISSING))
    idle(qtbot, workspace)
    assert spec(workspace, "age").misfits is Misfits.MISSING
    assert workspace.which_rows.words.full_text == "All 61 rows take part · 1 value set missing"
    assert "old" not in [workspace.document.session.data.table["age"].text(row) for row in range(61)]
    workspace.columns.select("income")
    assert not editor.isVisible()


def test_public_values_are_typed(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("grade")
    workspace.detail.domain.edit.click()
    dialog = workspace.detail.findChild(DomainDialog)
    assert dialog is not None
    dialog.edit.setPlainText("A\nB\n\nC\nB\n")
    assert dialog.values() == ("A", "B", "C")
    dialog.apply.click()
    assert spec(workspace, "grade").domain == ("A", "B", "C")
    assert spec(workspace, "grade").observed == frozenset()
    assert "3 values: A, B, C" in workspace.detail.domain.words.text()
    workspace.document.undo_stack.undo()
    assert spec(workspace, "grade").domain is None


def test_values_read_from_the_data_are_marked_as_such(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("grade")
    dialog = workspace.detail.edit_domain()
    assert dialog is not None
    dialog.read_button.click()
    assert dialog.warning.isVisible()
    assert dialog.values() == ()
    dialog.confirm.click()
    idle(qtbot, workspace)
    assert dialog.values() == ("A", "B", "C", "D")
    dialog.apply.click()
    assert spec(workspace, "grade").observed == {"domain"}
    assert "supports no claim" in workspace.detail.domain.words.text()


def test_a_few_public_values_are_typed_beside_the_column(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("grade")
    domain = workspace.detail.domain
    type_into(qtbot, domain.line, "A, B,C ; A")
    assert spec(workspace, "grade").domain == ("A", "B", "C") and not spec(workspace, "grade").observed
    assert not domain.line.isVisible() and "3 values: A, B, C" in domain.words.text()
    workspace.document.undo_stack.undo()
    assert domain.line.isVisible() and not domain.line.text() and spec(workspace, "grade").domain is None
    domain.line.setFocus()
    qtbot.keyClicks(domain.line, "A, B")
    workspace.columns.setFocus()
    assert spec(workspace, "grade").domain == ("A", "B"), "whoever presses elsewhere loses nothing"
    workspace.columns.select("city")
    assert domain.line.isVisible() and not domain.line.text(), "of another column"


def test_bounds_read_from_the_data_stay_marked_while_one_end_stays(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("age")
    bounds = workspace.detail.bounds
    bounds.read_button.click()
    bounds.confirm.click()
    assert spec(workspace, "age").bounds == (21, 49)
    assert spec(workspace, "age").observed == {"bounds"}
    type_into(qtbot, bounds.greatest.edit, "120")
    assert spec(workspace, "age").observed == {"bounds"}
    type_into(qtbot, bounds.least.edit, "0")
    assert spec(workspace, "age").bounds == (0, 120)
    assert spec(workspace, "age").observed == frozenset()


def test_the_unit_of_numbers(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("age")
    type_into(qtbot, workspace.detail.unit, "years")
    assert spec(workspace, "age").unit == "years"
    workspace.columns.select("city")
    assert not workspace.detail.unit.isVisible()


def test_what_the_program_takes_for_no_value_is_said_where_the_file_is_opened(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path, "town,age\n" + "".join(f"-,{i}\nBern,-\n" for i in range(20, 50)))
    facts = workspace.header.facts
    assert facts.full_text.endswith(" · “-” among numbers: no value") and "own list" in facts.toolTip()
    assert spec(workspace, "town").missing == ("",), "among words nobody but the person can tell"
    workspace.document.apply("x", lambda session: session.data.set_missing(["age"], [""]))
    assert "no value" not in facts.full_text


def test_what_was_said_to_occur_in_anonymise_stands_beside_the_column(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    detail, document = workspace.detail, workspace.document
    detail.show_columns(("age",))
    assert detail.elsewhere.isHidden()
    assert document.apply("Say", lambda session: session.release.steps.set_said("age", "0-120"))
    assert not detail.elsewhere.isHidden()
    assert detail.elsewhere.text() == "In Anonymise you said that these occur: 0-120"
    detail.show_columns(("town",))
    assert detail.elsewhere.isHidden()
    detail.show_columns(("age",))
    document.undo_stack.undo()
    assert detail.elsewhere.isHidden()


def test_several_ways_to_write_a_date_are_typed_as_people_say_them(qtbot: QtBot) -> None:
    editor = FormatEditor()
    qtbot.addWidget(editor)
    both = "%d.%m.%Y | %Y-%m-%d"
    spec = ColumnSpec("born", Kind.DATE, format=Format(pattern="%Y-%m-%d"))
    editor.show_column(spec, ["1999-07-07", "27.08.1956"])
    for typed in ("31.12.2026 or 2026-12-31", "day.month.year or year-month-day", both, "%d.%m.%Y or %Y-%m-%d"):
        editor.pattern.setEditText(typed)
        assert editor.written().pattern == both, typed
    other = "%Y-%m-%d | %d.%m.%Y"
    editor.show_column(replace(spec, format=Format(pattern=other)), ["27.08.1956"])
    assert editor.written().pattern == other, "showing a column changes nothing"
    assert "is read as 1956-08-27" in editor.example.text()


_OTHER_PATTERNS = "%d.%m.%Y | %d.%m.%y", "%Y-%j", "%Y-%m-%dT%H:%M:%S", "%d.%m.%Y %I:%M %p"


@pytest.mark.parametrize("pattern", [*_DATE_PATTERNS, *_OTHER_PATTERNS])
def test_every_pattern_is_shown_in_letters_and_stays_what_it_is(qtbot: QtBot, pattern: str) -> None:
    editor = FormatEditor()
    qtbot.addWidget(editor)
    kind = Kind.DATETIME if "%M" in pattern else Kind.DATE
    editor.show_column(ColumnSpec("born", kind, format=Format(pattern=pattern)), ["27.08.1956"])
    assert ("%" in editor.pattern.currentText()) is (pattern == "%Y-%j"), "a code only where no letters say it"
    assert editor.written().pattern == pattern and pattern in editor.pattern.toolTip()
    for row in range(editor.pattern.count()):
        assert "%" not in editor.pattern.itemText(row)
        assert editor.pattern.itemData(row, Qt.ItemDataRole.ToolTipRole) == editor.pattern.itemData(row)


@pytest.mark.parametrize(
    ("typed", "pattern"),
    [
        ("DD/MM/YY", "%d/%m/%y"),
        ("dd-mm-yyyy", "%d-%m-%Y"),
        ("YYYY/MM/DD or DD/MM/YYYY", "%Y/%m/%d | %d/%m/%Y"),
        ("27th", "27th"),
    ],
)
def test_letters_can_be_typed_in_the_place_of_codes(qtbot: QtBot, typed: str, pattern: str) -> None:
    editor = FormatEditor()
    qtbot.addWidget(editor)
    editor.show_column(ColumnSpec("born", Kind.DATE, format=Format(pattern="%Y-%m-%d")), ["27.08.1956"])
    editor.pattern.setEditText(typed)
    assert editor.written().pattern == pattern


def test_a_long_symbol_of_money_is_not_cut(qtbot: QtBot) -> None:
    editor = FormatEditor()
    qtbot.addWidget(editor)
    editor.show_column(ColumnSpec("price", Kind.MONEY), ["12.50 roubles"])
    editor.symbol.insert("roubles")
    editor.symbol.textEdited.emit("roubles")
    assert editor.written().symbol == "roubles" and "is read as 12.5" in editor.example.text()


@pytest.mark.parametrize("kind", [Kind.DATE, Kind.DATETIME])
def test_numbers_beyond_the_calendar_are_no_ends_of_an_axis_of_dates(kind: Kind) -> None:
    """As those of salaries are for the moment in which their column becomes one of dates."""
    spec = ColumnSpec("salary", kind)
    assert [axis_text(number, spec) for number in (3e15, -3e15, 1e300, float("inf"))] == ["", "", "", ""]
    assert axis_text(0, spec)[:10] == "1970-01-01"


def test_a_column_of_dates_written_in_two_ways_is_named_where_the_file_is_opened(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    rows = "".join(f"{i % 28 + 1:02}.03.19{60 + i % 40},x\n19{60 + i % 40}-04-{i % 28 + 1:02},y\n" for i in range(40))
    open_text(qtbot, workspace, tmp_path, f"born,grade\n{rows}")
    facts = workspace.header.facts
    assert facts.full_text.endswith(" · “born” as DD.MM.YYYY or YYYY-MM-DD")
    open_text(qtbot, workspace, tmp_path, "hired,unit\n" + "".join(f"{i + 1:02}.03.1970,x\n" for i in range(28)))
    assert "2 columns" in facts.full_text and "born" not in facts.full_text and "hired" not in facts.full_text
