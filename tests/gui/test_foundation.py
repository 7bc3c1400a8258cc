"""The parts every workspace is built from: theme, icons, runner, messages, fields, tables, explanations."""

from __future__ import annotations

import json
import re
import sys
import threading
from dataclasses import fields
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QPushButton, QSplitter, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.paths import resources
from workbench.core.progress import Cancelled, Progress
from workbench.core.schema import Role
from workbench.core.table import Column, Table
from workbench.gui.icons import app_icon, icon, icon_names
from workbench.gui.messages import MessageBar
from workbench.gui.runner import JobState, Runner
from workbench.gui.settings import WindowSettings
from workbench.gui.theme import DARK, LIGHT, Mode, Theme, ThemeManager, apply_theme, contrast
from workbench.gui.uncaught import install_excepthook
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import Badge, analyst_badge, role_icon, role_token
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.empty_state import EmptyState
from workbench.gui.widgets.explain import ExplainPane, HelpBook, set_explain
from workbench.gui.widgets.inputs import ComboBox, SpinBox
from workbench.gui.widgets.job_strip import JobStrip
from workbench.gui.widgets.number_field import LogSlider, NumberField, first_problem
from workbench.gui.widgets.rail import Rail
from workbench.gui.widgets.sparkline import Sparkline, merge_counts
from workbench.gui.widgets.status import Status
from workbench.gui.widgets.table_view import CodesTableModel, DataTableView
from workbench.session.folded import alternating

EXPLAINED = {
    "data": ["open", "roles", "kind", "person", "bounds", "preview"],
    "hierarchies": ["attach", "provenance", "uncovered", "levels"],
    "anonymise": [
        "epsilon",
        "delta",
        "beta",
        "k",
        "accounting",
        "solve_for",
        "levels",
        "blind_levels",
        "treatment",
        "seed",
        "run",
        "result",
        "tradeoff",
    ],
    "release": ["claim", "checklist", "export", "statement"],
    "project": ["save"],
}


# Theme -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_texts_reach_a_contrast_of_four_and_a_half(theme: Theme) -> None:
    grounds = ("window", "surface", "band")
    pairs = [(text, ground) for text in ("text", "muted", "link", "error") for ground in grounds]
    pairs += [("text", "hover"), ("text", "pressed"), ("text", "sunken"), ("on_selection", "selection")]
    pairs += [("on_accent", ground) for ground in ("accent", "accent_hover", "accent_pressed")]
    for status in Status:
        pairs += [(status.value, f"{status.value}_soft"), ("text", f"{status.value}_soft")]
        pairs.append(("muted", f"{status.value}_soft"))
    weak = {
        pair: round(ratio, 2)
        for pair in pairs
        if (ratio := contrast(getattr(theme, pair[0]), getattr(theme, pair[1]))) < 4.5
    }
    assert not weak


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_marks_reach_a_contrast_of_three(theme: Theme) -> None:
    marks = ["control", "focus", "accent", "warning", "success", "error"]
    marks += [field.name for field in fields(theme) if field.name.startswith(("role_", "chart_"))]
    marks.remove("chart_grid")
    weak = {
        (mark, ground): round(ratio, 2)
        for mark in marks
        for ground in ("window", "surface")
        if (ratio := contrast(getattr(theme, mark), getattr(theme, ground))) < 3
    }
    assert not weak


def test_contrast_of_black_on_white_is_twenty_one() -> None:
    assert contrast("#FFFFFF", "#000000") == pytest.approx(21)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_the_drawings_of_controls_have_the_colours_of_the_theme(theme: Theme) -> None:
    expected = {"check": theme.on_accent, "dash": theme.on_accent}
    expected |= {f"chevron-{way}": theme.muted for way in ("up", "down", "right")}
    for name, colour in expected.items():
        text = (resources() / "icons" / "control" / f"{name}-{theme.name}.svg").read_text()
        assert re.findall('stroke="(#[^"]+)"', text) == [colour], name


def test_the_chosen_theme_is_announced_and_remembered(qapp: QApplication, settings: WindowSettings) -> None:
    manager = ThemeManager(qapp, settings)
    manager.set_mode(Mode.LIGHT)
    heard: list[Theme] = []
    manager.changed.connect(heard.append)
    manager.set_mode(Mode.DARK)
    manager.set_mode(Mode.DARK)
    assert heard == [DARK]
    assert qapp.palette().window().color().name().upper() == DARK.window
    assert ThemeManager(qapp, WindowSettings(settings.path)).theme is DARK


def test_a_nonsense_mode_in_the_settings_means_follow_the_system(qapp: QApplication, settings: WindowSettings) -> None:
    settings.set_value("theme", ["pink"])
    assert ThemeManager(qapp, settings).mode is Mode.SYSTEM


# Icons -------------------------------------------------------------------------------------------------------


def _differences(first: str, second: str) -> list[int]:
    return [abs(int(first[i : i + 2], 16) - int(second[i : i + 2], 16)) for i in (1, 3, 5)]


def test_every_icon_renders_in_the_colour_of_the_theme(theme: Theme) -> None:
    assert len(icon_names()) >= 40
    for name in icon_names():
        image = icon(name).pixmap(32, 32).toImage()
        opaque = {
            image.pixelColor(x, y).name().upper()
            for x in range(image.width())
            for y in range(image.height())
            if image.pixelColor(x, y).alpha() == 255
        }
        assert opaque, name
        if name != "app":
            # Where strokes meet, blending may be off by one step.
            off = {channel for shade in opaque for channel in _differences(shade, theme.text)}
            assert max(off) <= 2, name


def test_an_icon_follows_a_change_of_theme(qapp: QApplication) -> None:
    apply_theme(qapp, LIGHT)
    kept = icon("role-identifying")
    before = kept.pixmap(16, 16).toImage().pixelColor(8, 8).name()
    apply_theme(qapp, DARK)
    after = kept.pixmap(16, 16).toImage().pixelColor(8, 8).name()
    assert [before.upper(), after.upper()] == [LIGHT.text, DARK.text]


def test_a_disabled_icon_is_grey_and_a_dense_screen_gets_more_pixels(light: Theme) -> None:
    made = icon("role-identifying", "on_accent")
    grey = made.pixmap(16, 16, QIcon.Mode.Disabled).toImage().pixelColor(8, 8).name()
    assert grey.upper() == light.disabled
    dense = made.pixmap(made.actualSize(made.pixmap(16, 16).size()), 2.0)
    assert dense.width() == 32 and dense.devicePixelRatio() == 2.0


def test_a_missing_icon_is_named(qapp: QApplication) -> None:
    with pytest.raises(WorkbenchError, match="no-such-thing"):
        icon("no-such-thing")


def test_roles_and_the_program_have_icons(light: Theme) -> None:
    shapes = {bytes((resources() / "icons" / f"{role_icon(role)}.svg").read_bytes()) for role in Role}
    assert len(shapes) == len(Role) == len({role_token(role) for role in Role})
    assert not app_icon().pixmap(64, 64).isNull()


# Runner ------------------------------------------------------------------------------------------------------


class Gate:
    """Work that waits to be let go, and reports progress while it waits."""

    def __init__(self) -> None:
        self.began = threading.Event()
        self.open = threading.Event()

    def __call__(self, progress: Progress) -> str:
        self.began.set()
        while not self.open.wait(0.002):
            progress(0.5, "waiting")
        return "through"

    def stubborn(self, progress: Progress) -> str:
        """Does not look whether it was cancelled."""
        self.began.set()
        self.open.wait(5)
        return "through"


@pytest.fixture
def runner(qapp: QApplication):
    made = Runner()
    yield made
    assert made.shutdown()
    made.deleteLater()


def test_a_result_comes_back_on_the_gui_thread(qtbot, runner: Runner) -> None:
    seen: list[object] = []

    def work(progress: Progress) -> threading.Thread:
        return threading.current_thread()

    def done(result: object) -> None:
        seen.extend([result, threading.current_thread()])

    with qtbot.waitSignal(runner.finished):
        job = runner.start("Work", work, on_done=done)
    assert seen[0] is not threading.main_thread() and seen[1] is threading.main_thread()
    assert job.state is JobState.DONE and job.fraction == 1.0
    assert runner.jobs == ()


def test_the_switch_interval_is_short_only_while_jobs_run(qtbot, runner: Runner) -> None:
    usual = sys.getswitchinterval()
    gate = Gate()
    with qtbot.waitSignal(runner.finished):
        runner.start("Wait", gate)
        assert sys.getswitchinterval() == pytest.approx(0.001)
        gate.open.set()
    assert sys.getswitchinterval() == pytest.approx(usual)


def test_progress_is_told_and_throttled(qtbot, runner: Runner) -> None:
    told: list[tuple[float, str]] = []
    runner.progress.connect(lambda job, fraction, text: told.append((fraction, text)))

    def work(progress: Progress) -> None:
        for step in range(50_000):
            progress(step / 50_000, "counting")

    with qtbot.waitSignal(runner.finished):
        job = runner.start("Count", work)
    assert len(told) <= job.elapsed * 20 + 1
    gate = Gate()
    with qtbot.waitSignal(runner.progress):
        runner.start("Wait", gate)
    assert told[-1] == (0.5, "waiting")
    gate.open.set()
    qtbot.waitUntil(lambda: not runner.jobs)


def test_failures_reach_the_callback_and_the_message_bar(qtbot, light: Theme) -> None:
    bar = MessageBar()
    qtbot.addWidget(bar)
    runner = Runner(bar)
    caught: list[BaseException] = []

    def fail(progress: Progress) -> None:
        raise WorkbenchError("Column “age” is missing.", hint="Choose another.")

    with qtbot.waitSignal(runner.finished):
        job = runner.start("Fail", fail, on_failed=caught.append)
    assert job.state is JobState.FAILED
    assert isinstance(caught[0], WorkbenchError)
    assert [(m.text, m.hint, m.details) for m in bar.messages] == [("Column “age” is missing.", "Choose another.", "")]
    with qtbot.waitSignal(runner.finished):
        runner.start("Fail", fail, on_failed=lambda error: True)
    assert len(bar.messages) == 1, "a handled failure shows no message"
    with qtbot.waitSignal(runner.finished):
        runner.start("Crash", lambda progress: 1 / 0)
    assert "ZeroDivisionError" in bar.messages[0].text and "Traceback" in bar.messages[0].details
    assert runner.shutdown()


def test_cancelling_ends_in_a_note_and_not_in_a_message(qtbot, light: Theme) -> None:
    bar = MessageBar()
    qtbot.addWidget(bar)
    runner = Runner(bar)
    results: list[object] = []
    notes: list[str] = []
    runner.note.connect(notes.append)
    gate = Gate()
    job = runner.start("Long work", gate, on_done=results.append, on_failed=results.append)
    assert gate.began.wait(5)
    with qtbot.waitSignal(runner.finished):
        job.cancel()
        assert job.cancelling
    assert job.state is JobState.CANCELLED
    assert notes == ["Cancelled: Long work"]
    assert [type(result) for result in results] == [Cancelled]
    assert not bar.messages
    assert runner.shutdown()


def test_a_result_that_comes_after_cancel_is_dropped_unless_it_must_be_kept(qtbot, runner: Runner) -> None:
    results: list[object] = []
    for keep in (False, True):
        gate = Gate()
        job = runner.start("Spend", gate.stubborn, on_done=results.append, keep_late_result=keep)
        assert gate.began.wait(5)
        job.cancel()
        with qtbot.waitSignal(runner.finished):
            gate.open.set()
    assert results == ["through"]


def test_the_latest_of_a_key_wins(qtbot, runner: Runner) -> None:
    results: list[object] = []
    notes: list[str] = []
    runner.note.connect(notes.append)
    gates = [Gate(), Gate(), Gate()]
    jobs = [runner.start("Preview", gate, on_done=results.append, key="preview", latest_wins=True) for gate in gates]
    other = runner.start("Other", lambda progress: "other", on_done=results.append, key="else")
    for gate in gates:
        gate.open.set()
    qtbot.waitUntil(lambda: not runner.jobs)
    assert sorted(map(str, results)) == ["other", "through"]
    assert [job.state for job in [*jobs, other]] == [JobState.CANCELLED] * 2 + [JobState.DONE] * 2
    assert notes == [], "being overtaken is nothing to speak of"


def test_more_jobs_than_threads_wait_their_turn_and_can_be_cancelled_there(qtbot) -> None:
    runner = Runner(parallel=1)
    gate = Gate()
    ran: list[str] = []
    first = runner.start("First", gate)
    second = runner.start("Second", lambda progress: ran.append("second"))
    third = runner.start("Third", lambda progress: ran.append("third"))
    assert gate.began.wait(5)
    assert (first.state, second.state) == (JobState.RUNNING, JobState.WAITING)
    with qtbot.waitSignal(runner.finished):
        second.cancel()
    assert second.state is JobState.CANCELLED and first.state is JobState.RUNNING
    gate.open.set()
    qtbot.waitUntil(lambda: third.state is JobState.DONE)
    assert ran == ["third"]
    assert runner.shutdown()


def test_shutdown_stops_the_threads_and_nobody_is_called_back(qtbot) -> None:
    runner = Runner()
    results: list[object] = []
    gates = [Gate() for _ in range(6)]
    jobs = [runner.start("Work", gate, on_done=results.append, on_failed=results.append) for gate in gates]
    assert gates[0].began.wait(5)
    assert runner.shutdown()
    QApplication.processEvents()
    assert results == []
    assert {job.state for job in jobs} == {JobState.CANCELLED}
    late = runner.start("Late", lambda progress: 1, on_done=results.append)
    QApplication.processEvents()
    assert late.state is JobState.CANCELLED and results == []


def test_a_receiver_that_is_gone_is_not_called(qtbot, runner: Runner) -> None:
    called: list[object] = []

    class Receiver(QObject):
        def take(self, result: object) -> None:
            called.append(result)

    receiver, owner, stays = Receiver(), QObject(), Receiver()
    gate = Gate()
    runner.start("Work", gate, on_done=receiver.take)
    runner.start("Work", gate, on_done=called.append, owner=owner)
    runner.start("Work", gate, on_done=stays.take)
    del receiver, owner
    gate.open.set()
    qtbot.waitUntil(lambda: not runner.jobs)
    assert called == ["through"]


# Messages ----------------------------------------------------------------------------------------------------


@pytest.fixture
def bar(qtbot, light: Theme) -> MessageBar:
    made = MessageBar()
    qtbot.addWidget(made)
    return made


def test_at_most_three_messages_and_errors_stay_longest(bar: MessageBar) -> None:
    bar.error("one")
    for text in ("two", "three", "four"):
        bar.info(text)
    assert [message.text for message in bar.messages] == ["four", "three", "one"]


def test_a_message_replaces_that_of_its_key_or_the_same_words(bar: MessageBar) -> None:
    bar.warning("Levels changed", key="stale")
    bar.warning("Data changed", key="stale")
    bar.info("Saved")
    bar.info("Saved")
    assert [message.text for message in bar.messages] == ["Saved", "Data changed"]
    bar.dismiss("stale")
    bar.clear()
    assert bar.messages == () and bar.isHidden()


def test_the_action_closes_the_message_and_acts(qtbot, bar: MessageBar) -> None:
    pressed: list[str] = []
    message = bar.warning("Out of date", action="Run again", callback=lambda: pressed.append("run"))
    button = next(b for b in message.findChildren(QPushButton) if b.text() == "Run again")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert pressed == ["run"] and bar.messages == ()


def test_a_message_does_not_take_the_focus(qtbot, light: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    edit, bar = QLineEdit(window), MessageBar(window)
    window.show()
    window.activateWindow()
    edit.setFocus()
    qtbot.waitUntil(edit.hasFocus)
    bar.error("Something", action="Do", details="text")
    QApplication.processEvents()
    assert edit.hasFocus()


def test_details_are_shown_on_demand_and_copied(bar: MessageBar) -> None:
    try:
        raise ValueError("odd thing")
    except ValueError as error:
        message = bar.show_error(error)
    assert bar.findChild(QPlainTextEdit) is None
    button = next(b for b in message.findChildren(QPushButton) if b.isCheckable())
    button.click()
    pane = bar.findChild(QPlainTextEdit)
    assert pane is not None and not pane.isHidden() and "odd thing" in pane.toPlainText()
    button.click()
    assert pane.parentWidget().isHidden()
    message.copy()
    assert "odd thing" in QGuiApplication.clipboard().text()
    assert "odd thing" not in message.text, "a traceback is not thrown in the face"


def test_texts_of_messages_are_never_read_as_markup(bar: MessageBar) -> None:
    message = bar.error("<b>value</b>")
    shown = [child.text() for child in message.findChildren(QWidget) if child.inherits("QLabel")]
    assert "<b>value</b>" in shown
    assert all(
        child.textFormat() is Qt.TextFormat.PlainText
        for child in message.findChildren(QWidget)
        if child.inherits("QLabel")
    )


def test_uncaught_exceptions_of_any_thread_reach_the_bar(qtbot, bar: MessageBar, monkeypatch) -> None:
    printed: list[str] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, trace: printed.append(str(error)))
    monkeypatch.setattr(threading, "excepthook", lambda args: printed.append(str(args.exc_value)))
    ours = sys.excepthook
    catcher = install_excepthook(bar)

    def fail() -> None:
        raise RuntimeError("on a thread")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    sys.excepthook(ValueError, ValueError("in a slot"), None)
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    qtbot.waitUntil(lambda: len(bar.messages) == 2)
    assert printed == ["on a thread", "in a slot", ""]
    catcher.remove()
    assert sys.excepthook is ours


def test_tracebacks_are_printed_as_text(qtbot, bar: MessageBar, monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
    monkeypatch.setattr(threading, "excepthook", threading.__excepthook__)
    catcher = install_excepthook(bar)

    def fail() -> None:
        raise RuntimeError("\x1b[2Jon a thread")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    sys.excepthook(ValueError, ValueError("in \u202ea slot"), None)
    qtbot.waitUntil(lambda: len(bar.messages) == 2)
    catcher.remove()
    printed = capsys.readouterr().err
    assert "RuntimeError: \\x1b[2Jon a thread\n" in printed
    assert printed.startswith("Traceback (most recent call last):\n")
    assert printed.endswith("ValueError: in \\u202ea slot\n")


# Fields ------------------------------------------------------------------------------------------------------


@pytest.fixture
def delta(qtbot, light: Theme) -> NumberField:
    made = NumberField(
        "δ", minimum=0, maximum=1, open_minimum=True, open_maximum=True, value=1e-5, logarithmic=True, unit="δ"
    )
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *[("0.1", 0.1), ("1e-5", 1e-5), (" 1E-6 ", 1e-6), (".5", 0.5)],
        *[(text, None) for text in ("0,1", "1", "0", "nan", "inf", "1e-400", "abc", "", "1_0e-5", "−0.1")],
    ],
)
def test_what_counts_as_a_number(delta: NumberField, text: str, value: float | None) -> None:
    delta.edit.setText(text)
    assert delta.value == value
    assert bool(delta.error) == (value is None)
    assert delta.edit.property("invalid") == ("true" if value is None else "false")


def test_numbers_are_known_exactly(delta: NumberField) -> None:
    delta.edit.setText("0.1")
    assert delta.exact == Decimal("0.1")


def test_an_amount_may_have_a_comma_a_stroke_or_a_logarithm(qtbot, light: Theme) -> None:
    field = NumberField("ε", minimum=0, open_minimum=True, amount=True)
    qtbot.addWidget(field)
    for text, value in (("0,5", 0.5), ("1/3", 0.333333333334), ("ln 3", 1.09861228867), ("1,000", None), ("ln", None)):
        field.edit.setText(text)
        assert field.value == value and field.valid == (value is not None)
    assert field.error == "Write 0.5, 1/3 or ln 3" and field.problem == "“ε” holds no number."
    field.edit.setText("0")
    assert field.problem == "“ε” holds 0; it takes more than 0."


def test_the_first_problem_of_a_page_is_named_and_unfolded(qtbot, light: Theme) -> None:
    page, inside = QWidget(), QWidget()
    qtbot.addWidget(page)
    seen, unused, folded = (NumberField(name, value=1) for name in ("ε", "Unused", "Repetitions"))
    fold = Disclosure("More", inside)
    boxes.column(unused, folded, inside=inside)
    boxes.column(seen, fold, inside=page)
    unused.hide()
    page.show()
    assert first_problem(page) == ""
    unused.edit.setText("none")
    assert first_problem(page) == "" and not folded.isVisible(), "what is not in use holds nothing up"
    folded.edit.setText("many")
    seen.edit.setText("some")
    assert first_problem(page) == "“ε” holds no number." and not folded.isVisible()
    seen.edit.setText("1")
    assert first_problem(page) == "“Repetitions” holds no number." and folded.isVisible()


def test_the_field_tells_of_valid_changes_only(qtbot, delta: NumberField) -> None:
    heard: list[float] = []
    delta.value_changed.connect(heard.append)
    delta.edit.selectAll()
    qtbot.keyClicks(delta.edit, "2e-4")
    assert heard == [2e-4], "neither 2 nor 2e nor 2e- is a δ"
    committed: list[float] = []
    delta.committed.connect(committed.append)
    qtbot.keyClick(delta.edit, Qt.Key.Key_Return)
    qtbot.keyClick(delta.edit, Qt.Key.Key_Return)
    assert committed == [2e-4]


def test_arrows_step_through_one_two_five(qtbot, delta: NumberField) -> None:
    seen = []
    for _ in range(3):
        qtbot.keyClick(delta.edit, Qt.Key.Key_Up)
        seen.append(delta.edit.text())
    assert seen == ["2e-5", "5e-5", "0.0001"]
    qtbot.keyClick(delta.edit, Qt.Key.Key_PageDown)
    qtbot.keyClick(delta.edit, Qt.Key.Key_Down)
    assert delta.edit.text() == "5e-6"
    delta.set_value(0.5)
    qtbot.keyClick(delta.edit, Qt.Key.Key_Up)
    assert delta.value == 0.5, "a bound that is excluded is not reached"


def test_an_optional_field_may_be_empty_and_a_whole_one_is_whole(qtbot, light: Theme) -> None:
    field = NumberField("k", minimum=1, maximum=100, value=5, integer=True, optional=True)
    qtbot.addWidget(field)
    cleared: list[bool] = []
    field.cleared.connect(lambda: cleared.append(True))
    field.set_value(None)
    assert field.valid and field.value is None and cleared == [True]
    field.edit.setText("2.5")
    assert not field.valid
    field.edit.setText("99")
    qtbot.keyClick(field.edit, Qt.Key.Key_PageUp)
    assert field.value == 100


def test_errors_do_not_change_the_size(qtbot, delta: NumberField) -> None:
    delta.show()
    before = delta.sizeHint()
    delta.edit.setText("0,1")
    assert delta.sizeHint() == before
    delta.set_error("No k reaches this; choose a larger δ or a smaller β for this ε.")
    assert delta.sizeHint() == before and not delta.valid
    delta.edit.setText("0.1")
    assert delta.valid


def test_slider_and_field_follow_each_other(qtbot, light: Theme) -> None:
    field = NumberField("ε", minimum=0, open_minimum=True, value=1.0)
    slider = LogSlider(field, minimum=0.01, maximum=10, low="Better privacy", high="Better accuracy")
    for widget in (field, slider):
        qtbot.addWidget(widget)
    assert slider.slider.value() == 667
    field.set_value(0.123456789)
    assert field.value == 0.123456789, "following must not round what was typed"
    slider.slider.setValue(0)
    assert field.value == 0.01
    slider.slider.setValue(1000)
    assert field.value == 10
    field.set_value(50)
    assert field.value == 50 and slider.slider.value() == 1000


def test_a_wheel_over_a_field_without_focus_changes_nothing(qtbot, light: Theme) -> None:
    spin, combo = SpinBox("Rows", 1, 9, 5), ComboBox("Kind", [("One", 1), ("Two", 2)])
    for widget in (spin, combo):
        qtbot.addWidget(widget)
        assert widget.focusPolicy() is Qt.FocusPolicy.StrongFocus
    combo.choose(2)
    assert combo.chosen == 2
    combo.choose("absent")
    assert combo.chosen == 2


# Tables ------------------------------------------------------------------------------------------------------


@pytest.fixture
def table() -> Table:
    return Table(
        (
            Column.from_texts("name", ["Ann", "Bob\tJr", "Cyd", "Dee"]),
            Column.from_texts("age", ["30", "41", "30", "7"]),
        )
    )


@pytest.fixture
def view(qtbot, light: Theme, table: Table) -> DataTableView:
    made = DataTableView("Rows")
    qtbot.addWidget(made)
    made.show_table(table)
    return made


def model_of(view: DataTableView) -> CodesTableModel:
    model = view.model()
    assert isinstance(model, CodesTableModel)
    return model


def test_cells_show_the_texts_of_the_table(view: DataTableView, table: Table) -> None:
    model = model_of(view)
    shown = [
        tuple(model.index(row, column).data() for column in range(model.columnCount()))
        for row in range(model.rowCount())
    ]
    assert shown == [table.row(row) for row in range(table.rows)]


def test_numbers_stand_right_and_headings_tell_roles(view: DataTableView) -> None:
    model = model_of(view)
    model.set_numeric(["age"])
    model.set_roles({"age": Role.QUASI})
    model.set_header_tips({"age": "in years"})
    alignment = model.index(0, 1).data(Qt.ItemDataRole.TextAlignmentRole)
    assert Qt.AlignmentFlag(alignment) & Qt.AlignmentFlag.AlignRight
    horizontal = Qt.Orientation.Horizontal
    tip = model.headerData(1, horizontal, Qt.ItemDataRole.ToolTipRole)
    assert tip == "age\nQuasi-identifying\nin years"
    assert model.headerData(1, horizontal, Qt.ItemDataRole.DecorationRole) is not None
    assert model.headerData(0, horizontal, Qt.ItemDataRole.DecorationRole) is None


def test_the_selection_is_copied_with_tabs(qtbot, view: DataTableView) -> None:
    view.selectAll()
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == 'Ann\t30\n"Bob\tJr"\t41\nCyd\t30\nDee\t7'
    view.copy_selection(headings=True)
    assert QGuiApplication.clipboard().text().startswith("name\tage\nAnn")


def test_another_order_shows_copies_and_numbers_those_rows(view: DataTableView) -> None:
    model = model_of(view)
    model.set_order(np.array([3, 0]))
    view.selectAll()
    view.copy_selection()
    assert QGuiApplication.clipboard().text() == "Dee\t7\nAnn\t30"
    assert model.headerData(0, Qt.Orientation.Vertical) == "4"


def test_bands_change_with_the_class(view: DataTableView) -> None:
    model = model_of(view)
    model.set_shaded(alternating(np.array([7, 7, 2, 7])))
    shaded = [model.index(row, 0).data(Qt.ItemDataRole.BackgroundRole) is not None for row in range(4)]
    assert shaded == [False, False, True, False]
    with pytest.raises(ValueError, match="one class per row"):
        model.set_shaded(alternating(np.array([1])))


def test_widths_come_from_a_sample_and_stay_within_limits(qtbot, light: Theme) -> None:
    rows = 200_000
    wide = Column("wide", np.zeros(rows, np.int32), ("x" * 5000,))
    narrow = Column("n", np.zeros(rows, np.int32), ("1",))
    view = DataTableView("Rows")
    qtbot.addWidget(view)
    view.show_table(Table((wide, narrow)))
    assert view.columnWidth(0) == 320 and view.columnWidth(1) == 64


def test_another_table_keeps_the_model_and_the_marks(view: DataTableView, table: Table) -> None:
    model = model_of(view)
    model.set_numeric(["age"])
    view.show_table(Table((table["age"],)))
    assert view.model() is model and model.columnCount() == 1
    alignment = Qt.AlignmentFlag(model.index(0, 0).data(Qt.ItemDataRole.TextAlignmentRole))
    assert alignment & Qt.AlignmentFlag.AlignRight


# Navigation, explanations, strip -----------------------------------------------------------------------------


@pytest.fixture
def rail(qtbot, light: Theme) -> Rail:
    made = Rail()
    qtbot.addWidget(made)
    for number, (group, key) in enumerate((("Table", "data"), ("Publish", "anonymise"), ("Publish", "release")), 1):
        made.add(key, number, key, key.title(), group=group)
    return made


def test_the_rail_goes_with_the_arrow_keys(qtbot, rail: Rail) -> None:
    heard: list[str] = []
    rail.selected.connect(heard.append)
    rail.select("data")
    rail.select("Publish")
    assert rail.current == "data", "a heading is no workspace"
    inside = rail.findChildren(QWidget)[0]
    assert inside.accessibleName() == "Workspaces"
    qtbot.keyClick(inside, Qt.Key.Key_Down)
    qtbot.keyClick(inside, Qt.Key.Key_Down)
    qtbot.keyClick(inside, Qt.Key.Key_Up)
    assert heard == ["data", "anonymise", "release", "anonymise"] and rail.current == "anonymise"


def test_the_next_hint_can_be_followed(qtbot, rail: Rail) -> None:
    heard: list[tuple[str, str]] = []
    rail.next_requested.connect(lambda room, field: heard.append((room, field)))
    rail.set_next("Run the anonymisation of the whole table", "anonymise", "run")
    button = rail.findChild(QPushButton)
    assert button is not None and "whole table" in button.accessibleName()
    button.click()
    assert heard == [("anonymise", "run")]


def test_a_status_is_said_and_not_only_coloured(rail: Rail) -> None:
    rail.set_status("anonymise", Status.WARNING, "Levels changed")
    rail.set_status("no such workspace", Status.WARNING)
    item = rail._item("anonymise")
    assert item is not None
    assert "needs a look" in item.data(Qt.ItemDataRole.AccessibleTextRole)
    assert "Levels changed" in item.toolTip()


def test_every_key_is_explained_in_a_few_sentences() -> None:
    book = HelpBook(language="en")
    expected = {f"{place}.{name}" for place, names in EXPLAINED.items() for name in names}
    assert expected <= set(book.keys)
    for key in book.keys:
        entry = book.find(key)
        assert entry is not None and entry.title
        assert 2 <= len(re.findall(r"[.?](?=\s|$)", entry.text)) <= 8, key
        assert "<" not in entry.text


def test_explanations_fall_back_to_english(tmp_path: Path) -> None:
    (tmp_path / "en.json").write_text(
        json.dumps({"a": {"title": "A", "text": "one"}, "b": {"title": "B", "text": "two"}})
    )
    (tmp_path / "de.json").write_text(json.dumps({"a": {"title": "A", "text": "eins"}}))
    book = HelpBook(tmp_path, "de")
    assert [getattr(book.find(key), "text", None) for key in ("a", "b", "c")] == ["eins", "two", None]


def test_the_explain_pane_follows_the_focus(qtbot, light: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    pane = ExplainPane(HelpBook(language="en"), window)
    group = QWidget(window)
    set_explain(group, "anonymise.k")
    inner, outer, own = QLineEdit(group), QLineEdit(window), QLineEdit(group)
    set_explain(own, "anonymise.beta")
    window.show()
    window.activateWindow()
    inner.setFocus()
    qtbot.waitUntil(lambda: pane.key == "anonymise.k")
    assert pane.title.startswith("k:")
    own.setFocus()
    qtbot.waitUntil(lambda: pane.key == "anonymise.beta")
    outer.setFocus()
    qtbot.waitUntil(outer.hasFocus)
    assert pane.key == "anonymise.beta", "nothing to say keeps what was said"
    assert not pane.show_key("no.such.key")


def test_the_strip_shows_facts_and_the_running_job(qtbot, light: Theme) -> None:
    strip, runner = JobStrip(), Runner()
    qtbot.addWidget(strip)
    strip.watch(runner)
    strip.set_fact("budget", "Released so far  ε 1.00", share=0.5)
    strip.set_fact("rows", "13,811 rows")
    strip.set_fact("rows", "")
    assert (strip.fact("budget"), strip.fact("rows")) == ("Released so far  ε 1.00", "")
    gate = Gate()
    job = runner.start("Searching levels", gate)
    qtbot.waitUntil(lambda: strip.job is job)
    button = strip.findChild(QPushButton)
    assert button is not None
    button.click()
    qtbot.waitUntil(lambda: job.state is JobState.CANCELLED)
    assert strip.job is None
    assert runner.shutdown()


def test_the_strip_shows_no_job_that_nobody_waits_for(qtbot, light: Theme) -> None:
    strip, runner = JobStrip(), Runner()
    qtbot.addWidget(strip)
    strip.watch(runner)
    first, second = Gate(), Gate()
    old = runner.start("Looking", first, key="look", latest_wins=True)
    qtbot.waitUntil(lambda: strip.job is old)
    shown: list[object] = []
    new = runner.start("Looking", second, key="look", latest_wins=True, on_done=lambda _: shown.append(strip.job))
    assert strip.job is None, "another has come in its place, and cancelling it is no news"
    qtbot.waitUntil(lambda: strip.job is new)
    second.open.set()
    qtbot.waitUntil(lambda: bool(shown))
    assert shown == [None], "what is asked after it has ended is not its time"
    assert runner.shutdown()


def test_empty_states_and_cards_offer_their_actions(qtbot, light: Theme) -> None:
    empty = EmptyState("data", "No table yet", "Open one.", "Open CSV…", ["Sample", "Recent"])
    card = Card("open", "Open", "Your own table.")
    for widget in (empty, card):
        qtbot.addWidget(widget)
    heard: list[object] = []
    empty.primary.connect(lambda: heard.append("primary"))
    empty.secondary.connect(heard.append)
    card.activated.connect(lambda: heard.append("card"))
    assert empty.primary_button is not None
    empty.primary_button.click()
    empty.secondary_buttons[1].click()
    qtbot.keyClick(card, Qt.Key.Key_Space)
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    assert heard == ["primary", 1, "card", "card"]


def test_badges_say_their_word(qtbot, light: Theme) -> None:
    badge, analyst, spark = Badge(Status.WARNING), analyst_badge(), Sparkline([1, 2, 3], "three bars")
    for widget in (badge, analyst, spark):
        qtbot.addWidget(widget)
    badge.set_status(Status.ERROR, "Broken")
    assert (badge.text, badge.accessibleName(), analyst.text) == ("Broken", "Broken", "Analyst only")
    assert spark.accessibleName() == "three bars"


def test_merged_bars_keep_the_total() -> None:
    counts = np.arange(1000)
    assert len(merge_counts(counts)) == 48 and merge_counts(counts).sum() == counts.sum()
    assert merge_counts([1, 2]).tolist() == [1, 2]


def test_everything_that_takes_the_focus_has_a_name(qtbot, light: Theme, rail: Rail) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    bar = MessageBar(window)
    bar.error("Text", details="trace", action="Act")
    field = NumberField("ε", minimum=0.1, maximum=10, value=1)
    parts = [rail, bar, field, LogSlider(field, minimum=0.1, maximum=10), JobStrip(), DataTableView("Rows")]
    parts += [ExplainPane(HelpBook(language="en")), EmptyState("data", "Nothing", "", "Open"), Card("open", "A", "B")]
    for part in parts[2:]:
        qtbot.addWidget(part)
    nameless = [
        (type(part).__name__, widget)
        for part in parts
        for widget in [part, *part.findChildren(QWidget)]
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
        and not widget.objectName().startswith("qt_")
        and not widget.accessibleName()
    ]
    assert not nameless


def test_a_list_of_choices_is_seen_to_its_end(qtbot) -> None:
    choices = ComboBox("Wish", [(f"Choice {number}", number) for number in range(14)])
    qtbot.addWidget(choices)
    assert choices.maxVisibleItems() >= choices.count(), "one that ends at the tenth hides the others"


# Settings ----------------------------------------------------------------------------------------------------


def test_recent_files_are_few_unique_and_newest_first(settings: WindowSettings, tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.csv" for number in range(12)]
    for path in [*paths, paths[3]]:
        settings.add_recent(path)
    reread = WindowSettings(settings.path).recent_files
    assert len(reread) == 10 and reread[:2] == (paths[3], paths[11])
    settings.add_recent(paths[3], mended=True)
    settings.add_recent(paths[4])
    assert WindowSettings(settings.path).was_mended(paths[3]) and not settings.was_mended(paths[4])
    settings.forget_recent(paths[3])
    assert paths[3] not in settings.recent_files and not settings.was_mended(paths[3])
    settings.add_recent(paths[3])
    assert not settings.was_mended(paths[3]), "it was opened as it is"


@pytest.mark.parametrize("content", ["", "{", "[1, 2]", '{"recent": 5, "window.main": "x", "theme": {}}', "\x00"])
def test_a_corrupt_file_is_as_good_as_none(content: str, tmp_path: Path, qtbot) -> None:
    path = tmp_path / "window.json"
    path.write_text(content)
    settings = WindowSettings(path)
    window = QWidget()
    qtbot.addWidget(window)
    assert settings.recent_files == () and not settings.restore_window(window)
    settings.set_value("size", 3)
    assert WindowSettings(path).value("size") == 3


def test_an_unwritable_place_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    settings = WindowSettings(tmp_path / "file" / "window.json")
    settings.set_value("size", 3)
    assert settings.value("size") == 3


def test_splitters_and_geometry_come_back(settings: WindowSettings, qtbot) -> None:
    def window() -> tuple[QWidget, QSplitter]:
        made = QWidget()
        qtbot.addWidget(made)
        splitter = QSplitter(made)
        splitter.setObjectName("panes")
        splitter.addWidget(QWidget())
        splitter.addWidget(QWidget())
        splitter.resize(500, 100)
        return made, splitter

    first, splitter = window()
    first.resize(620, 410)
    first.show()
    splitter.setSizes([100, 380])
    sizes = splitter.sizes()
    settings.remember_window(first)
    second, other = window()
    assert WindowSettings(settings.path).restore_window(second)
    second.show()
    assert (second.width(), second.height()) == (620, 410)
    assert other.sizes() == sizes
