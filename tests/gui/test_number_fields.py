"""Fields for numbers: what is read, stepped through, allowed and told, and the slider beside one."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from workbench.gui.theme import Theme
from workbench.gui.widgets import boxes
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.inputs import ComboBox, SpinBox
from workbench.gui.widgets.log_slider import LogSlider
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.problems import first_problem


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


def test_a_number_that_is_not_whole_is_still_called_a_number(qtbot, light: Theme) -> None:
    field = NumberField("Largest count n", minimum=1, integer=True)
    qtbot.addWidget(field)
    field.edit.setText("0.5")
    assert field.problem == "“Largest count n” holds 0.5; it takes whole numbers."


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


def test_a_chance_is_read_as_people_write_it_and_stays_as_typed(qtbot: QtBot) -> None:
    field = NumberField("p", minimum=0, maximum=1, open_minimum=True, open_maximum=True, chance=True)
    qtbot.addWidget(field)
    for text in ("3/4", "0.75", "0,75", "75 %"):
        field.edit.setText(text)
        assert field.valid and field.value == 0.75 and field.exact == Fraction(3, 4), text
        field.follow(0.75)
        assert field.edit.text() == text
    field.edit.setText("175 %")
    assert not field.valid
    field.edit.setText("often")
    assert field.error == "Write 3/4, 0.75 or 75 %"


@pytest.mark.parametrize(
    ("text", "value"), [("30,162", 30162), ("1 234 567", 1234567), ("30’162", 30162), ("3,0", None), ("30,1620", None)]
)
def test_a_whole_number_may_have_its_digits_in_groups(qtbot, light: Theme, text: str, value: float | None) -> None:
    field = NumberField("People", minimum=1, integer=True)
    qtbot.addWidget(field)
    field.edit.setText(text)
    assert field.value == value and field.valid is (value is not None)


def test_points_between_groups_may_be_a_fraction_and_are_asked_about(qtbot, light: Theme) -> None:
    field = NumberField("People", minimum=1, integer=True)
    qtbot.addWidget(field)
    field.edit.setText("1.000")
    assert field.value is None and field.problem == "“People” holds 1.000. Write 1000, without points."


def test_what_holds_no_number_stays_to_be_corrected_where_the_one_in_force_is_what_it_held(qtbot, light: Theme) -> None:
    field = NumberField("People", minimum=1, integer=True, optional=True)
    qtbot.addWidget(field)
    qtbot.keyClicks(field.edit, "30x")
    field.follow(30)
    assert field.edit.text() == "30x", "nobody finds 30 in the place of what was meant"
    field.follow(500)
    assert field.edit.text() == "500", "another one is in force, from elsewhere"
