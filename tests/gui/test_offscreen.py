"""What Qt says because the tests have no screen is known, and nothing else is."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtWidgets import QMenuBar, QWidget

from tests.offscreen import HARMLESS


@pytest.mark.parametrize("device", ["Mouse", "Keyboard"])
def test_a_widget_that_grabs_a_device_is_told_that_it_cannot_and_no_finding(
    qtbot: Any, qtlog: Any, device: str
) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    QMenuBar(widget)
    widget.show()
    getattr(widget, f"grab{device}")()
    getattr(widget, f"release{device}")()
    said = [record.message for record in qtlog.records]
    assert said and all(HARMLESS.search(text) for text in said), said


def test_of_other_words_none_is_harmless() -> None:
    assert not HARMLESS.search("This plugin does not support grabbing the window")
    assert not HARMLESS.search("QObject::connect: No such signal")
