"""Looking at a file before it is loaded, and at what is different in the next one."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.gui.data_room.people import PEOPLE, open_text
from tests.gui.helpers import PATIENCE_MS, choose_row, idle
from tests.io.conftest import Writer, write_workbook  # noqa: F401
from workbench.core.errors import WorkbenchError
from workbench.core.progress import Progress
from workbench.core.schema import Kind, PrivacyUnit
from workbench.evaluate.experiment_edits import suited
from workbench.gui.widgets.badge import Badge
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.data import DataWorkspace, import_preview
from workbench.gui.workspaces.data.import_preview import ImportPreview
from workbench.gui.workspaces.data.troubles import ProblemsPage
from workbench.io.column_troubles import ColumnTrouble
from workbench.io.dialect import Dialect

RAGGED = "Report\n\na;b;when\n" + "1;2;01.03.2020\n" * 8 + "3;4\n" + "5;6;02.03.2020\n"


def preview_of(qtbot: QtBot, workspace: DataWorkspace, path: Path) -> ImportPreview:
    dialog = ImportPreview(path, None, workspace.document, workspace)
    dialog.show()
    idle(qtbot, workspace)
    return dialog


def test_a_file_is_shown_before_it_is_loaded(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    path = tmp_path / "report.csv"
    path.write_text(RAGGED, encoding="utf-8")
    dialog = preview_of(qtbot, workspace, path)
    assert dialog.fields.delimiter.currentData() == ";"
    assert dialog.fields.skip.value == 2
    assert dialog.table.model().headerData(2, Qt.Orientation.Horizontal) == "when\nDate"
    assert dialog.table.model().rowCount() == 9
    problems = dialog.problems.lines.model()
    assert [problems.index(0, column).data() for column in (0, 1, 3)] == ["12", "left out", "3;4"]
    assert dialog.pages.tabText(2) == "Problems (1)"
    assert "Line 12" in dialog.summary.full_text
    assert dialog.raw.toPlainText().startswith(" 1  Report")
    assert not workspace.document.has_data
    chosen: list[tuple[Dialect, bool]] = []
    dialog.applied.connect(lambda dialect, strict: chosen.append((dialect, strict)))
    dialog.stop.click()
    dialog.apply.click()
    assert chosen == [(Dialect(delimiter=";", skip_lines=2), True)]


def test_the_preview_may_be_taken_down_while_somebody_hears_of_its_choice(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    # As when opening the file asks whether to save what is open, and the preview behind that question is closed.
    path = tmp_path / "report.csv"
    path.write_text(RAGGED, encoding="utf-8")
    dialog = preview_of(qtbot, workspace, path)
    heard: list[bool] = []

    def hear(_dialect: Dialect, strict: bool) -> None:
        heard.append(strict)
        shiboken6.delete(dialog)

    dialog.applied.connect(hear)
    dialog.apply.click()
    assert heard == [False]


def test_skipped_lines_show_at_once(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    path = tmp_path / "report.csv"
    path.write_text(RAGGED, encoding="utf-8")
    dialog = preview_of(qtbot, workspace, path)
    dialog.fields.skip.set_value(3)
    dialog.fields.header.click()
    qtbot.waitUntil(lambda: dialog.table.model().rowCount() == 9, timeout=PATIENCE_MS)
    idle(qtbot, workspace)
    qtbot.waitUntil(
        lambda: dialog.table.model().headerData(0, Qt.Orientation.Horizontal) == "column 1\nWhole number",
        timeout=PATIENCE_MS,
    )
    dialog.reject()


def test_a_workbook_lets_choose_its_sheet(
    qtbot: QtBot,
    workspace: DataWorkspace,
    tmp_path: Path,
    write_workbook: Writer,  # noqa: F811
) -> None:
    pytest.importorskip("python_calamine")
    path = write_workbook(
        tmp_path / "book.xlsx", {"first": [["a", "b"], [1, 2], [3, 4]], "second": [["c"], ["x"], ["y"]]}
    )
    dialog = preview_of(qtbot, workspace, path)
    assert dialog.fields.sheet.isVisible()
    assert not dialog.fields.delimiter.isVisible()
    assert dialog.table.model().columnCount() == 2
    dialog.fields.sheet.setCurrentIndex(1)
    dialog.fields.sheet.activated.emit(1)
    qtbot.waitUntil(lambda: dialog.table.model().columnCount() == 1, timeout=PATIENCE_MS)
    chosen: list[Dialect] = []
    dialog.applied.connect(lambda dialect, strict: chosen.append(dialect))
    dialog.apply.click()
    workspace.document.open_data(path, chosen[0])
    idle(qtbot, workspace)
    assert workspace.document.project.schema.names == ("c",)


def test_kinds_and_problems_are_those_of_the_whole_file(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    lines = [f"{i};{i % 28 + 1:02}.03.1980" for i in range(3000)]
    lines[2000:2400] = [f"{i};im Mai" for i in range(2000, 2400)]
    lines[2500] = "7"
    path = tmp_path / "late.csv"
    path.write_text("\n".join(["id;born", *lines]) + "\n", encoding="utf-8")
    dialog = preview_of(qtbot, workspace, path)
    assert dialog.pages.tabText(2) == "Problems (2)", "a line, and a column in which most values are dates"
    assert dialog.summary.full_text.startswith("Line 2,502: ") and "every row read" in dialog.summary.full_text
    assert not dialog.bar.isVisible()
    promised = [dialog.table.model().headerData(i, Qt.Orientation.Horizontal) for i in range(2)]
    workspace.document.open_data(path)
    idle(qtbot, workspace)
    opened = [f"{spec.name}\n{spec.kind.words}" for spec in workspace.document.project.schema.columns]
    assert promised == opened


def test_reading_the_whole_file_can_be_stopped(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(_path: Path, _dialect: Dialect, progress: Progress) -> None:
        while True:
            progress(0.4)
            time.sleep(0.01)

    monkeypatch.setattr(import_preview, "look_through", endless)
    path = tmp_path / "long.csv"
    path.write_text("a;b\n" + "1;x\n" * 600, encoding="utf-8")
    dialog = ImportPreview(path, None, workspace.document, workspace)
    dialog.show()
    qtbot.waitUntil(lambda: dialog.bar.value() == 40, timeout=PATIENCE_MS)
    assert "kinds from the first 500 rows" in dialog.summary.full_text
    assert dialog.apply.isEnabled(), "nobody has to wait for it"
    dialog.stop_reading.click()
    idle(qtbot, workspace)
    assert "kinds from the first 500 rows" in dialog.summary.full_text
    assert not dialog.bar.isVisible() and dialog.apply.isEnabled()
    dialog.reject()


def test_kinds_are_set_before_the_file_is_opened(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    path = tmp_path / "codes.csv"
    path.write_text("code;n\n" + "".join(f"{i};1.{i:03}\n" for i in range(100, 140)), encoding="utf-8")
    dialog = preview_of(qtbot, workspace, path)
    header = dialog.table.horizontalHeader()
    spot = QPoint(header.sectionViewportPosition(0) + 20, header.height() // 2)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert dialog.kind_of.full_text == "“code”" and dialog.kind.chosen is Kind.INTEGER
    place = dialog.table.visualRect(dialog.table.model().index(2, 1)).center()
    qtbot.mouseClick(dialog.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert dialog.kind_of.full_text == "“n”", "a cell is of its column too"
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    choose_row(dialog.kind, list(Kind).index(Kind.CATEGORY))
    assert dialog.table.model().headerData(0, Qt.Orientation.Horizontal) == "code\nCategories"
    chosen: list[dict[str, Kind]] = []
    dialog.applied.connect(lambda _dialect, _strict, _engine, kinds, _mended: chosen.append(kinds))
    dialog.apply.click()
    assert chosen == [{"code": Kind.CATEGORY}]
    workspace.document.open_data(path, kinds=chosen[0])
    idle(qtbot, workspace)
    assert workspace.document.project.schema["code"].kind is Kind.CATEGORY
    workspace.document.open_data(path, kinds={"code": Kind.TEXT})
    idle(qtbot, workspace)
    assert workspace.document.project.schema["code"].kind is Kind.TEXT, "also where a project describes it"


def test_what_is_no_table_is_said(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_bytes(b"%PDF-1.7 nothing")
    dialog = preview_of(qtbot, workspace, path)
    assert "PDF" in dialog.refusal.text() and dialog.refusal.isVisible() and dialog.refusal.wordWrap()
    assert not dialog.pages.isVisible()
    assert not dialog.apply.isEnabled()
    dialog.reject()


def test_a_strict_reading_refuses_what_lacks_rows(
    qtbot: QtBot, workspace: DataWorkspace, errors: list[BaseException], tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    path = tmp_path / "report.csv"
    path.write_text(RAGGED, encoding="utf-8")
    workspace.document.open_data(path, strict=True)
    idle(qtbot, workspace)
    assert isinstance(errors[0], WorkbenchError)
    assert "Line 12" in errors[0].message
    assert workspace.header.name.full_text == "people.csv"
    workspace.document.open_data(path)
    idle(qtbot, workspace)
    assert workspace.header.name.full_text == "report.csv"


def test_differences_of_the_next_file_are_listed(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    assert not workspace.banner.isVisible()
    second = "name;city;age;extra\n" + "".join(f"P{i};Chur;{i % 50};{i}\n" for i in range(40))
    open_text(qtbot, workspace, tmp_path, second, "next.csv")
    assert workspace.banner.isVisible()
    assert "3 columns are missing" in workspace.banner.words.full_text
    assert "1 column is new" in workspace.banner.words.full_text
    assert workspace.status() is Status.WARNING
    assert "new values" not in workspace.banner.words.full_text, "which values occur is seen after a look"
    workspace.document.session.looks.take("values")
    workspace.document.tell_ledger()
    assert "1 column has new values" in workspace.banner.words.full_text
    dialog = workspace.dialogs.show_differences()
    groups = [dialog.tree.topLevelItem(i) for i in range(dialog.tree.topLevelItemCount())]
    listed = [group.child(i).text(0) for group in groups if group is not None for i in range(group.childCount())]
    assert listed == ["income", "when", "grade", "extra", "city"]
    dialog.reject()
    workspace.banner.settle.click()
    assert not workspace.banner.isVisible()
    assert workspace.status() is not Status.WARNING


def test_the_same_columns_differ_in_nothing(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    open_text(qtbot, workspace, tmp_path, PEOPLE.replace("Person 01", "Person 02"), "next.csv")
    assert "fit" in workspace.banner.words.full_text, "the value that did not fit before does not fit now"
    open_text(qtbot, workspace, tmp_path, PEOPLE.replace("old", "40"), "third.csv")
    assert not workspace.banner.isVisible()


def test_what_is_odd_about_columns_is_mended_by_one_press(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    path = tmp_path / "staff.csv"
    rows = [f"{day:02}.03.1990;{pay},500 €" for day, pay in zip(range(1, 29), range(20, 48), strict=True)]
    rows += ["1991-04-05;-99", "n.d.;30,000"]
    path.write_text("\n".join(["born;pay", *rows * 2]) + "\n", encoding="utf-8")
    dialog = preview_of(qtbot, workspace, path)
    assert [card.trouble.column for card in dialog.problems.cards if card.trouble.mend] == ["born", "pay"]
    assert dialog.pages.currentWidget() is dialog.problems and dialog.pages.tabText(2) == "Problems (2)"
    assert dialog.problems.said.text() == "2 problems can be mended." and dialog.problems.notes.isVisible()
    assert not dialog.problems.mended, "nothing is mended unasked"
    assert dialog.mend.text() == "Mend both and open" and dialog.apply.text().replace("&", "") == "Open as it is"
    dialog.problems.mend_everything()
    assert not dialog.mend.isVisible()
    assert dialog.pages.tabText(2) == "Problems" and dialog.problems.said.text() == "Both are mended."
    first = dialog.problems.cards[0]
    assert first.words.text() == "“n.d.” counts as no value."
    qtbot.mouseClick(first.button, Qt.MouseButton.LeftButton)
    assert not first.mended and first.button.text() == "Treat as no value", "and taken back"
    assert dialog.pages.tabText(2) == "Problems (1)" and dialog.mend.text() == "Mend “n.d.” and open"
    chosen: list[tuple[ColumnTrouble, ...]] = []
    dialog.applied.connect(lambda _dialect, _strict, _engine, _kinds, mended: chosen.append(mended))
    qtbot.mouseClick(dialog.mend, Qt.MouseButton.LeftButton)
    workspace.document.open_data(path, mended=chosen[0])
    idle(qtbot, workspace)
    schema = workspace.document.project.schema
    assert schema["born"].format.pattern == "%d.%m.%Y | %Y-%m-%d"
    assert schema["born"].missing == ("", "n.d.") and schema["pay"].missing == ("", "-99")
    workspace.document.open_data(path)
    idle(qtbot, workspace)
    assert workspace.document.project.schema["pay"].missing == ("", "-99"), "it belongs to the project"


def test_a_row_more_changes_no_number_of_the_preview_which_says_what_its_problems_rest_on(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    told = []
    for odd in (130, 131):
        path = tmp_path / f"{odd}.csv"
        rows = [f"{i % 50 + 20};{'mM'[i % 2]}" for i in range(500)] + ["-99;m"] * 9 + ["30;unknown"] * odd
        path.write_text("\n".join(["pay;sex", *rows]) + "\n", encoding="utf-8")
        dialog = preview_of(qtbot, workspace, path)
        shown = [one.text() for one in dialog.problems.findChildren(QLabel) if one.isVisibleTo(dialog.problems)]
        told.append((dialog.summary.full_text, shown))
        assert any("Mend what is so in every file of this kind" in one for one in shown)
        assert any(one.accessibleName() == "Analyst only" for one in dialog.findChildren(Badge))
        dialog.reject()
    assert told[0] == told[1] and "every row read" in told[0][0]
    assert {"in a few rows", "in about 100 rows"} <= set(told[0][1])


def test_a_word_that_may_be_a_category_is_not_mended_by_enter(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    path = tmp_path / "wards.csv"
    path.write_text("insured;age\n" + "public;30\nprivate;41\nnone;52\n" * 20, encoding="utf-8")
    dialog = preview_of(qtbot, workspace, path)
    (card,) = (card for card in dialog.problems.cards if card.trouble.mend)
    assert card.trouble.doubtful and not card.mended and dialog.problems.to_mend == 0
    assert dialog.apply.isDefault() and not dialog.mend.isVisible()
    assert dialog.apply.text().replace("&", "") == "Open"
    card.button.click()
    assert [one.missing for one in dialog.problems.mended] == [("none",)], "by its own button"
    dialog.problems.mend_everything()
    assert card.mended, "what was chosen stays"
    dialog.reject()


def test_a_file_without_problems_says_so(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    path = tmp_path / "plain.csv"
    path.write_text("a;b\n" + "1;x\n2;y\n" * 10, encoding="utf-8")
    dialog = preview_of(qtbot, workspace, path)
    dialog.pages.setCurrentWidget(dialog.problems)
    assert dialog.problems.none.isVisible()
    dialog.reject()


def test_no_kind_is_chosen_of_a_file_that_cannot_be_read_any_more(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    path = tmp_path / "report.csv"
    path.write_text(RAGGED, encoding="utf-8")
    dialog = preview_of(qtbot, workspace, path)
    assert dialog.kind.isEnabled()
    path.write_bytes(b"%PDF-1.7 not a table")
    choose_row(dialog.fields.delimiter, dialog.fields.delimiter.findData(","))
    idle(qtbot, workspace)
    assert dialog.refusal.isVisible() and not dialog.kind.isEnabled()
    dialog.kind.activated.emit(0)
    assert not dialog.kinds


def test_a_single_problem_that_can_be_mended_is_named(qtbot: QtBot) -> None:
    page = ProblemsPage()
    qtbot.addWidget(page)
    odd = ColumnTrouble("ill", "…", 3, "Treat as no value", "…", missing=("n/a",))
    meant = ColumnTrouble("ill", "…", 3, "Treat as no value", "…", doubtful=True, missing=("unknown",))
    page.show_problems((), [meant, odd])
    assert page.said.text() == "1 problem can be mended: “n/a”. The other may be meant as it is."
    assert page.named == "“n/a”", "and not the other card"
    assert "“n/a” always means" in page.rests.text(), "its own text is the example"
    assert "every file of this kind" in page.rests.text() and "you sign" in page.rests.text()


def test_what_was_said_of_one_table_and_counts_for_the_next_is_told(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    """A sentence of the publisher is about the table that they said it of."""
    notes: list[tuple[str, str]] = []
    workspace.document.noted.connect(lambda tone, words: notes.append((tone, words)))
    said = "What you said of people.csv counts for next.csv, too: who is protected, roles, what occurs, how many"
    open_text(qtbot, workspace, tmp_path)
    open_text(qtbot, workspace, tmp_path, PEOPLE.replace("Person 01", "Person 02"), "next.csv")
    assert not [one for one in notes if "counts for" in one[1]], "nobody said who is protected"
    workspace.document.apply("one row each", lambda session: session.data.set_unit(PrivacyUnit()))
    open_text(qtbot, workspace, tmp_path)
    open_text(qtbot, workspace, tmp_path, PEOPLE.replace("Person 01", "Person 03"), "next.csv")
    tone, words = next(one for one in reversed(notes) if "counts for next.csv" in one[1])
    assert tone == "warning" and words.startswith(said)
    notes.clear()
    open_text(qtbot, workspace, tmp_path, PEOPLE.replace("Person 01", "Person 03"), "next.csv")
    assert not [one for one in notes if "counts for" in one[1]], "it is the same table"


def test_people_typed_for_one_table_are_told_where_the_next_has_the_same_columns(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    notes: list[str] = []
    workspace.document.noted.connect(lambda _tone, words: notes.append(words))
    told = "People in Compare are still 9,000, as typed for people.csv. Type how many next.csv has."
    open_text(qtbot, workspace, tmp_path)
    guess = suited(workspace.document.project.schema)
    workspace.document.apply("compare", lambda session: session.comparison.add(guess))
    open_text(qtbot, workspace, tmp_path, PEOPLE.replace("Person 01", "Person 02"), "next.csv")
    assert not [one for one in notes if "Compare" in one], "a guess was typed by nobody"
    experiment = replace(guess, users=9000)
    workspace.document.apply("compare", lambda session: session.comparison.change(0, experiment=experiment))
    open_text(qtbot, workspace, tmp_path)
    notes.clear()
    open_text(qtbot, workspace, tmp_path, PEOPLE.replace("Person 01", "Person 03"), "next.csv")
    assert told in notes
