"""Columns and rows of widgets in one expression."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.layout_watch import LayoutWatch
from workbench.gui import tokens
from workbench.gui.widgets import boxes


@pytest.fixture
def page(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def test_items_follow_one_another_with_stretches_gaps_and_sides(page: QWidget) -> None:
    first, second, third = QLabel("1"), QLabel("2"), QLabel("3")
    inner = boxes.row((second, 2), boxes.Gap("m"), 1)
    outer = boxes.column(first, inner, (third, Qt.AlignmentFlag.AlignRight), spacing="s", inside=page)
    assert page.layout() is outer and outer.count() == 3
    assert outer.spacing() == tokens.SPACE_S and (inner.stretch(0), inner.stretch(2)) == (2, 1)
    assert inner.itemAt(1).spacerItem().sizeHint().width() == tokens.SPACE_M
    assert outer.itemAt(2).alignment() == Qt.AlignmentFlag.AlignRight
    assert not outer.itemAt(0).alignment() and first.parentWidget() is second.parentWidget() is page


@pytest.mark.parametrize(
    ("margins", "sides"),
    [
        (0, (0, 0, 0, 0)),
        ("l", (tokens.SPACE_L,) * 4),
        ("xl s 0 hair", (tokens.SPACE_XL, tokens.SPACE_S, 0, tokens.SPACE_HAIR)),
        ((1, 2, 3, 4), (1, 2, 3, 4)),
    ],
)
def test_margins_are_named_by_their_tokens(
    qtbot: QtBot, margins: boxes.Margins, sides: tuple[int, int, int, int]
) -> None:
    found = boxes.column(margins=margins).contentsMargins()
    assert (found.left(), found.top(), found.right(), found.bottom()) == sides


def test_no_margins_are_those_of_the_style(page: QWidget) -> None:
    usual = QVBoxLayout(QWidget(page)).contentsMargins()
    other = QWidget(page)
    assert boxes.column(margins=None, inside=other).contentsMargins() == usual
    assert boxes.column(inside=QWidget(page)).contentsMargins().isNull()


@pytest.mark.parametrize("wrong", ["small", "l l l", "l, l, l, l"])
def test_a_margin_that_is_none_is_no_margin(qtbot: QtBot, wrong: str) -> None:
    with pytest.raises((KeyError, ValueError)):
        boxes.column(margins=wrong)


def test_tab_goes_through_fields_in_their_order(page: QWidget) -> None:
    fields = [QLineEdit() for _ in range(4)]
    boxes.column(fields[0], boxes.row(fields[1], fields[2]), fields[3], inside=page)
    found, one = [], page.nextInFocusChain()
    while one is not page:
        found.append(one)
        one = one.nextInFocusChain()
    assert found == fields


def test_a_scrolled_column_moves_up_and_down_only_and_takes_no_focus(qtbot: QtBot) -> None:
    area = boxes.scrolled(boxes.column(QLabel("text")))
    qtbot.addWidget(area)
    assert area.widgetResizable() and area.focusPolicy() is Qt.FocusPolicy.NoFocus
    assert area.horizontalScrollBarPolicy() is Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    assert area.widget().property("bare") == "true"


class Wrapping(QLabel):
    """Higher where it is narrow, as lines that wrap are; `more` is what stood there before."""

    more = 0

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self.more or (100 if width >= 200 else 130)

    def sizeHint(self) -> QSize:
        return QSize(150, 50)

    minimumSizeHint = sizeHint


def test_the_bar_goes_where_all_is_seen_without_it(qtbot: QtBot) -> None:
    lines = Wrapping()
    area = boxes.scrolled(boxes.column(lines))
    qtbot.addWidget(area)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.resize(200, 110)
    lines.more = 300
    area.show()
    bar = area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.isVisible() and bar.maximum() == 190)
    lines.more = 0
    lines.updateGeometry()
    qtbot.waitUntil(lambda: not bar.isVisible())
    assert area.viewport().width() == 200 and area.widget().height() == 110
    # What is too high either way has its bar.
    area.resize(190, 110)
    qtbot.waitUntil(lambda: bar.isVisible() and bar.maximum() == 20)


def test_what_is_kept_high_has_its_bar_and_comes_to_rest(qtbot: QtBot) -> None:
    """All of it would be seen without the bar, if it were not kept as high as it was; beside the bar it is higher."""
    lines = Wrapping()
    area = boxes.scrolled(boxes.column(lines))
    qtbot.addWidget(area)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.widget().setMinimumHeight(115)
    area.resize(200, 120)
    area.show()
    bar = area.verticalScrollBar()
    assert not bar.isVisible() and area.viewport().width() == 200
    watch = LayoutWatch()
    watch.begin()
    area.resize(200, 110)
    for _ in range(20):
        QCoreApplication.processEvents()
    watch.pause()
    assert bar.isVisible() and bar.maximum() == 20
    assert watch.most < 5, watch.words()


def test_a_box_has_a_line_only_if_one_is_named(qtbot: QtBot) -> None:
    plain, lined = boxes.boxed(boxes.row(QLabel())), boxes.boxed(boxes.row(QLabel()), line="top")
    for one in (plain, lined):
        qtbot.addWidget(one)
    assert not isinstance(plain, QFrame) and isinstance(lined, QFrame) and lined.property("line") == "top"
