"""The whole window: from a CSV to an exported release, by code that clicks what a person clicks."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import ClassVar

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.gui.helpers import no_jobs
from tests.gui.window_steps import NBA, PATIENCE_MS, open_file, prepare, run, texts
from workbench.anonymise.dp_search import Degree
from workbench.anonymise.recipe import ReleaseMechanism
from workbench.core.errors import WorkbenchError
from workbench.core.paths import sample_data
from workbench.core.schema import PrivacyUnit, Role
from workbench.core.working_table import Preparation
from workbench.gui.main_window import MainWindow
from workbench.gui.theme import DARK, LIGHT, Mode, current_theme
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces import ROOMS
from workbench.project.model import GuaranteeSettings
from workbench.project.storage import SUFFIX
from workbench.project.trim_settings import StepsBy, TrimSettings
from workbench.query.ledger import Charge
from workbench.session import Session

pytestmark = pytest.mark.usefixtures("sampling")

NONE, CONTROL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier


def test_the_main_job_from_file_to_release(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    prepare(qtbot, window)
    run(qtbot, window)
    release = window.workspaces["release"]
    window.show_workspace("release")
    out = tmp_path / "release.csv"
    release.export.file.setText(str(out))
    for tick in release.assertions.ticks:
        qtbot.mouseClick(tick, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(release.export.export, Qt.MouseButton.LeftButton)
    no_jobs(qtbot, window)
    header, *rows = out.read_text(encoding="utf-8").splitlines()
    assert header == "position,salary"
    result = window.document.session.release.result
    assert result is not None
    assert len(rows) == result.outcome.rows_out
    assert min(Counter(rows).values()) >= result.claim.guarantee.k
    page = (tmp_path / "release_statement.html").read_text(encoding="utf-8")
    assert "differentially private release" in page
    assert release.status() is Status.SUCCESS
    qtbot.waitUntil(lambda: "ε 1" in window.budget.text)


def test_every_room_says_that_lines_were_not_read(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    file = tmp_path / "data.csv"
    file.write_text("age,city\n" + "20,n\n" * 30 + "20,n,surplus\n" * 21 + "20,n\n", encoding="utf-8")
    open_file(qtbot, window, file)
    for room in ("query", "collect", "compare"):
        window.show_workspace(room)
        assert window.strip.isVisible() and window.strip.fact("unread") == "21 lines not read"
    tip = window.strip._facts["unread"].toolTip()
    assert "line 32" in tip and "line 51" in tip and "line 52" not in tip and "and 1 more" in tip
    open_file(qtbot, window)
    qtbot.waitUntil(lambda: not window.strip.fact("unread"))


def test_the_title_names_the_table_until_a_project_is_saved(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    """Work on it is kept under that name on the start page: it is not untitled."""
    assert window.windowTitle().startswith("Untitled project")
    open_file(qtbot, window, NBA)
    qtbot.waitUntil(lambda: window.windowTitle().startswith(f"{NBA.name}[*] "), timeout=PATIENCE_MS)
    window.document.save(tmp_path / f"mine{SUFFIX}", window)
    qtbot.waitUntil(lambda: window.windowTitle().startswith("mine[*] "), timeout=PATIENCE_MS)


def test_a_single_line_that_was_not_read_is_named_alone(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    file = tmp_path / "data.csv"
    file.write_text("age,city\n20,n\n20,n,surplus\n20,n\n", encoding="utf-8")
    open_file(qtbot, window, file)
    assert "Line 3 could not be read and is not in the table: 3 cells instead of 2." in texts(window)


def test_the_same_seed_gives_the_same_file_as_the_session(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    prepare(qtbot, window)
    window.document.apply("Seed", lambda session: session.release.set_seed(7))
    window.document.run()
    no_jobs(qtbot, window)
    window.document.export(tmp_path / "window.csv", None, without_claim=True)
    no_jobs(qtbot, window)
    session = Session()
    session.data.open(NBA)
    for column, level in (("position", 0), ("salary", 3)):
        session.data.attach_hierarchy_file(column, sample_data() / f"nba_hierarchy_{column}.csv")
        session.release.columns.set_level(column, level)
    session.release.set_seed(7)
    session.release.anonymise()
    session.release.export(tmp_path / "session.csv", without_claim=True)
    assert (tmp_path / "window.csv").read_bytes() == (tmp_path / "session.csv").read_bytes()


def test_undo_and_redo_reach_everything_that_was_described(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    document = window.document
    document.apply("Mark player as identifying", lambda s: s.data.set_role(["player"], Role.IDENTIFYING))
    assert document.project.schema["player"].role is Role.IDENTIFYING
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert document.project.schema["player"].role is Role.INSENSITIVE
    document.undo_stack.redo()
    assert document.project.schema["player"].role is Role.IDENTIFYING


def test_what_was_seen_and_released_is_not_undone(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    prepare(qtbot, window)
    run(qtbot, window)
    window.document.export(tmp_path / "one.csv", None)
    no_jobs(qtbot, window)
    window.document.look(publish=False)
    for _ in range(10):
        window.document.undo_stack.undo()
    assert len(window.document.project.looks) == 1
    assert len(window.document.project.releases) == 1


def test_a_changed_setting_makes_the_result_out_of_date_and_unexportable(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    prepare(qtbot, window)
    run(qtbot, window)
    window.document.apply("Level", lambda session: session.release.columns.set_level("salary", 4))
    assert not window.document.session.release.result_is_current
    assert window.document.export(tmp_path / "stale.csv", None) is None
    assert not (tmp_path / "stale.csv").exists()
    assert any("out of date" in text for text in texts(window))
    window.document.undo_stack.undo()
    assert window.document.session.release.result_is_current


def test_a_draw_is_not_repeated_and_undo_brings_it_back(qtbot: QtBot, window: MainWindow) -> None:
    prepare(qtbot, window)
    run(qtbot, window)
    first = window.document.session.release.result
    run(qtbot, window)
    assert window.document.session.release.result is first
    window.document.apply("Level", lambda session: session.release.columns.set_level("salary", 4))
    run(qtbot, window)
    assert window.document.session.release.result is not first
    window.document.undo_stack.undo()
    assert window.document.session.release.result is first
    assert window.document.project.looks == ()
    assert window.document.session.ledger.current.spent().count == 2


def test_settings_changed_during_a_run_do_not_get_its_result(qtbot: QtBot, window: MainWindow) -> None:
    prepare(qtbot, window)
    assert window.document.run() is not None
    window.document.apply("Level", lambda session: session.release.columns.set_level("salary", 4))
    no_jobs(qtbot, window)
    assert not window.document.session.release.result_is_current
    assert window.document.session.release.result is not None
    assert window.document.session.release.result.outcome.recipe.levels["salary"] == 3


def test_why_an_edit_was_refused_is_said_until_another_one_is_possible(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)

    def refuse(_session: Session) -> None:
        raise WorkbenchError("Numbers cannot be written so.")

    assert not window.document.apply("Format", refuse)
    assert any("Numbers cannot be written so." in text for text in texts(window))
    window.document.apply("Role", lambda session: session.data.set_role(["salary"], Role.QUASI))
    assert not any("Numbers cannot be written so." in text for text in texts(window))


def texts_of(widget: QWidget) -> list[str]:
    return [label.text() for label in widget.findChildren(QLabel)]


def test_cancelling_in_the_middle_leaves_everything_as_it_was(qtbot: QtBot, window: MainWindow) -> None:
    prepare(qtbot, window)
    job = window.document.run()
    assert job is not None
    window.cancel()
    no_jobs(qtbot, window)
    paid = window.document.session.ledger.current.spent().count
    assert (window.document.session.release.result is None) is (not paid), "what was paid for is shown"
    assert window.document.project.looks == ()
    window.strip.show_note("Cancelled: Releasing")
    window.document.changed.emit("file")
    assert "Cancelled: Releasing" in texts_of(window.strip)
    window.document.changed.emit("comparing")
    assert "Cancelled: Releasing" not in texts_of(window.strip), "it is asked in another way by now"
    run(qtbot, window)


def test_nothing_is_offered_for_export_when_no_row_is_left(qtbot: QtBot, window: MainWindow) -> None:
    prepare(qtbot, window)
    window.document.apply(
        "k", lambda session: session.release.set_guarantee(GuaranteeSettings("delta", beta=0.2, k=4000))
    )
    window.show_workspace("release")
    run(qtbot, window)
    result = window.document.session.release.result
    assert result is not None and result.outcome.rows_out == 0
    assert all(workspace.next_hint() != "Export the release" for workspace in window.workspaces.built().values())
    assert not any("dropped" in text for text in texts(window))


def test_every_workspace_in_both_themes_without_a_complaint(qtbot: QtBot, window: MainWindow) -> None:
    prepare(qtbot, window)
    run(qtbot, window)
    for mode, theme in ((Mode.DARK, DARK), (Mode.LIGHT, LIGHT)):
        window.themes.set_mode(mode)
        assert current_theme() is theme
        for key in window.workspaces:
            window.show_workspace(key)
            QApplication.processEvents()
            picture = window.grab().toImage()
            # The ground of a dark window is dark.
            assert (picture.pixelColor(5, picture.height() - 5).lightness() < 80) is (theme is DARK), key


def test_the_window_fits_a_small_screen(window: MainWindow) -> None:
    for key in window.workspaces:
        window.show_workspace(key)
        window.resize(1024, 700)
        QApplication.processEvents()
        assert (window.width(), window.height()) == (1024, 700), key


def test_the_window_fits_a_small_screen_with_data(qtbot: QtBot, window: MainWindow) -> None:
    prepare(qtbot, window)
    run(qtbot, window)
    for key in window.workspaces:
        window.show_workspace(key)
        window.resize(1024, 700)
        QApplication.processEvents()
        assert (window.width(), window.height()) == (1024, 700), key


def test_no_part_of_the_window_opens_for_a_moment_by_itself(qtbot: QtBot, window: MainWindow) -> None:
    class Watch(QObject):
        seen: ClassVar[list[str]] = []

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
                self.seen.append(repr(watched))
            return False

    watch = Watch()
    QApplication.instance().installEventFilter(watch)
    try:
        prepare(qtbot, window)
        for key in window.workspaces:
            window.show_workspace(key)
        window.show_workspace("anonymise")
        run(qtbot, window)
    finally:
        QApplication.instance().removeEventFilter(watch)
    assert watch.seen == []


def test_keyboard_alone_reaches_every_workspace_and_every_control(qtbot: QtBot, window: MainWindow) -> None:
    prepare(qtbot, window)
    window.activateWindow()
    for number, key in enumerate(window.workspaces, start=1):
        qtbot.keyClick(window, str(number), Qt.KeyboardModifier.ControlModifier)
        assert window.rail.current == key
        seen: set[QWidget] = set()
        for _ in range(200):
            focused = QApplication.focusWidget()
            if focused is None or focused in seen:
                break
            seen.add(focused)
            qtbot.keyClick(focused, Qt.Key.Key_Tab)
        assert len(seen) > 2, key
        nameless = [widget for widget in seen if not (widget.accessibleName() or getattr(widget, "text", str)())]
        assert not nameless, key


def test_run_by_key(qtbot: QtBot, window: MainWindow) -> None:
    prepare(qtbot, window)
    window.show_workspace("anonymise")
    for key in (Qt.Key.Key_F5, Qt.Key.Key_R):
        qtbot.keyClick(window, key, NONE if key == Qt.Key.Key_F5 else CONTROL)
        no_jobs(qtbot, window)
        assert window.document.session.release.result is None, "what renews never draws"
    qtbot.keyClick(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    no_jobs(qtbot, window)
    assert window.document.session.release.result is not None
    assert window.rail.current == "anonymise"


def test_spending_by_key_asks_the_question_in_view_and_no_other(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    window.document.apply("unit", lambda session: session.data.set_unit(PrivacyUnit()))
    window.show_workspace("query")
    query = window.workspaces["query"]
    qtbot.waitUntil(lambda: query.planned is not None, timeout=PATIENCE_MS)
    no_jobs(qtbot, window)
    ledger = window.document.session.ledger.current
    for key, with_, spent in (
        (Qt.Key.Key_F5, NONE, Fraction(0)),
        (Qt.Key.Key_Return, CONTROL, Fraction(1, 10)),
    ):
        qtbot.keyClick(window, key, with_)
        qtbot.waitUntil(lambda: query.settled, timeout=PATIENCE_MS)
        assert ledger.spent().epsilon == spent
    window.show_workspace("data")
    qtbot.keyClick(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    no_jobs(qtbot, window)
    assert ledger.spent().epsilon == Fraction(1, 10)
    assert window.rail.current == "data"


def test_what_another_program_spends_shows_in_the_ledger_table(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    window.show_workspace("query")
    no_jobs(qtbot, window)
    ledger = window.document.session.ledger.current
    ledger.path.parent.mkdir(parents=True, exist_ok=True)
    window.budget.refresh()
    table = window.workspaces["query"].ledger.table
    type(ledger).for_data(ledger.fingerprint).charge(Charge("query", "from elsewhere", Fraction(1, 5)))
    qtbot.waitUntil(lambda: any("from elsewhere" in row for row in table.texts()), timeout=PATIENCE_MS)
    no_jobs(qtbot, window)


def test_the_command_that_repeats_the_project(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from workbench.cli.main import main

    prepare(qtbot, window)
    window.copy_command()
    assert any("Save" in message.hint for message in window.messages.messages)
    window.document.save(tmp_path / "nba.wbench")
    window.copy_command()
    words = shlex.split(QApplication.clipboard().text())
    assert words[:2] == ["workbench", "run"]
    words[words.index("--out") + 1] = str(tmp_path / "made")
    assert main([*words[1:], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["claim"] is True


def test_a_project_whose_table_is_gone_has_its_command(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    table, project = tmp_path / "ages.csv", tmp_path / "ages.wbench"
    table.write_text("age\n30\n40\n", encoding="utf-8")
    window.document.open_data(table)
    no_jobs(qtbot, window)
    assert window.document.save(project)
    window.document.new()
    table.unlink()
    window.document.open_project(project)
    no_jobs(qtbot, window)
    assert not window.document.has_data
    window.copy_command()
    words = ["workbench", "run", str(project), "--data", str(table), "--out", str(tmp_path / "release")]
    assert shlex.split(QApplication.clipboard().text()) == words


def test_the_command_trims_as_the_window_does(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from workbench.cli.main import main

    prepare(qtbot, window)
    trim = TrimSettings(
        steps=StepsBy.DEGREES, degrees=(Degree.LOW, Degree.HIGH), shares=(1.0, 3.0), floor=2, step_column="step"
    )

    def chosen(session: Session) -> None:
        session.release.set_mechanism(ReleaseMechanism.TRIM)
        session.release.set_guarantee(GuaranteeSettings(epsilon=0.75, delta=2e-4))
        session.release.set_trimming(trim)

    assert window.document.apply("Trim", chosen)
    no_jobs(qtbot, window)
    window.document.save(tmp_path / "nba.wbench")
    window.copy_command()
    words = shlex.split(QApplication.clipboard().text())
    words[words.index("--out") + 1] = str(tmp_path / "made")
    assert main([*words[1:], "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    promised, chain = window.document.session.release.trim_guarantee(), window.document.session.release.chain()
    assert told["claim"] is True and told["mechanism"] == "trim" and told["floor"] == 2
    assert (told["epsilon"], told["delta"]) == (0.75, 2e-4)
    assert [step["levels"] for step in told["steps"]] == [dict(vector) for vector in chain.vectors]
    assert [step["epsilon"] for step in told["steps"]] == [
        pytest.approx(float(step.epsilon)) for step in promised.steps
    ]
    lines = (tmp_path / "made" / "release.csv").read_text("utf-8").splitlines()
    assert lines[0].split(",")[-1] == "step"


class TestTour:
    def test_leads_through_the_rooms_on_a_sample_that_is_open_and_marks_the_control(
        self, window: MainWindow, qtbot: QtBot
    ) -> None:
        window.show_start()
        qtbot.keyClick(window.start.tour, Qt.Key.Key_Return)
        qtbot.waitUntil(window.tour.isVisible, timeout=PATIENCE_MS)
        assert window.document.has_data
        seen = []
        while window.tour.isVisible():
            seen.append((window.rail.current, window.tour.title.text()))
            qtbot.waitUntil(lambda: window.tour.next.hasFocus() and window.touring.settled, timeout=PATIENCE_MS)
            assert window.touring.spotlight.isVisible(), seen[-1]
            qtbot.keyClick(window.tour.next, Qt.Key.Key_Return)
        hierarchies = window.document.project.hierarchies
        assert {"job title", "annual salary"} <= set(hierarchies), "so a release can be made on the way"
        assert [room for room, _ in seen] == ["data", "hierarchies", "anonymise", "release", "query", "collect"]
        assert len({title for _, title in seen}) == len(seen)
        assert not window.touring.spotlight.isVisible()
        no_jobs(qtbot, window)

    def test_can_be_skipped_and_taken_again(self, window: MainWindow, qtbot: QtBot) -> None:
        open_file(qtbot, window)
        window.start_tour()
        window.tour.next.click()
        qtbot.keyClick(window.tour.next, Qt.Key.Key_Escape)
        assert not window.tour.isVisible()
        window.start_tour()
        assert window.rail.current == "data"
        assert not window.tour.back.isEnabled()
        window.tour.skip.click()
        assert not window.tour.isVisible()
        no_jobs(qtbot, window)


class TestLock:
    def test_one_says_what_is_the_analysts(self, window: MainWindow, qtbot: QtBot) -> None:
        window.show_workspace("data")
        assert window.header.lock == ""
        open_file(qtbot, window)
        window.show_workspace("data")
        assert window.header.lock == "Analyst only"
        window.show_workspace("mechanisms")
        assert window.header.lock == ""
        window.workspaces["mechanisms"].lock = "For you"
        assert window.header.lock == "For you"

    def test_never_make_the_window_grow(self, window: MainWindow, qtbot: QtBot) -> None:
        open_file(qtbot, window)
        window.resize(1024, 700)
        for room in ROOMS:
            window.show_workspace(room.key)
        window.messages.warning("Something " * 30)
        qtbot.waitUntil(window.messages.isVisible)
        QApplication.processEvents()
        assert window.height() == 700
        window.messages.clear()


def test_the_strip_says_how_many_rows_take_part(window: MainWindow, qtbot: QtBot) -> None:
    open_file(qtbot, window)
    window.document.apply("x", lambda s: s.data.set_preparation(replace(s.project.preparation, where="age > 30")))
    qtbot.waitUntil(lambda: window.strip.fact("rows").endswith(".csv: some rows"), timeout=PATIENCE_MS)
    window.document.session.looks.take("values")
    window.document.changed.emit("rows")
    qtbot.waitUntil(lambda: "2,485 of 12,377" in window.strip.fact("rows"), timeout=PATIENCE_MS)


def test_before_a_look_the_strip_tells_no_size_of_the_table(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """Nor whether a filter left a row out: whoever is asked how many people they expect would go by it."""
    told = []
    for ages in ([40] * 99, [*[40] * 100, 20]):
        path = tmp_path / str(len(ages)) / "people.csv"
        path.parent.mkdir()
        path.write_text("age\n" + "".join(f"{age}\n" for age in ages), encoding="utf-8")
        window.document.open_data(path)
        no_jobs(qtbot, window)
        told.append([window.strip.fact("rows")])
        window.document.apply("x", lambda s: s.data.set_preparation(replace(s.project.preparation, where="age > 30")))
        no_jobs(qtbot, window)
        told[-1].append(window.strip.fact("rows"))
        told[-1].append(str(window.workspaces["data"].which_rows.isVisibleTo(window.workspaces["data"])))
        window.document.apply("x", lambda s: s.data.set_preparation(Preparation()))
    assert told == [["people.csv", "people.csv: some rows", "True"]] * 2


def test_the_strip_is_whole_in_a_small_window(window: MainWindow, qtbot: QtBot) -> None:
    open_file(qtbot, window)
    window.resize(1024, 700)
    charge = Charge("release", "A release", Fraction(1), Fraction(1, 100_000))
    window.document.session.ledger.current.charge(charge)
    window.document.apply("x", lambda s: s.data.set_preparation(replace(s.project.preparation, where="age > 30")))
    qtbot.waitUntil(lambda: "some rows" in window.strip.fact("rows"), timeout=PATIENCE_MS)
    qtbot.waitUntil(lambda: "ε 1 · δ 1e-5" in window.budget.text and not window.runner.jobs, timeout=PATIENCE_MS)

    def cut() -> list[str]:
        facts = [one for one in window.strip.findChildren(ElidedLabel) if one.isVisible()]
        return [one.full_text for one in facts if one.text() != one.full_text]

    qtbot.waitUntil(lambda: not cut(), timeout=5_000)
    no_jobs(qtbot, window)


def test_what_was_released_before_is_told_without_a_result(window: MainWindow, qtbot: QtBot) -> None:
    open_file(qtbot, window)
    window.document.session.ledger.current.charge(Charge("query", "mean of salary", Fraction(1, 10)))
    window.document.changed.emit("file")
    window.show_workspace("release")
    room = window.workspaces["release"]
    room.tabs.setCurrentWidget(room.released)
    tables = [table for table in room.released.findChildren(QTableView) if table.isVisible()]
    assert [table.model().index(0, 1).data() for table in tables] == ["mean of salary"]
