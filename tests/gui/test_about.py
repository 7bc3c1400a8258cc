"""About: what the program is and what it brings along, in a box that no screen is too small for."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QMessageBox, QPushButton

from workbench.gui.main_window import MainWindow


def test_many_licences_fit_a_small_screen(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, int]] = []

    def shown(box: QMessageBox) -> int:
        for button in box.findChildren(QPushButton):
            if "etails" in button.text():
                button.click()
        box.adjustSize()
        seen.append((box.text() + box.informativeText() + box.detailedText(), box.sizeHint().height()))
        return 0

    lines = [f"Licence {number}: library {number}" for number in range(200)]
    monkeypatch.setattr("workbench.gui.dialog_window.licences_in_short", lambda: lines)
    monkeypatch.setattr("workbench.gui.dialog_window.version_lines", lambda: ["anonymisation workbench 0.1.0"])
    monkeypatch.setattr(QMessageBox, "exec", shown)
    window.about()
    ((text, height),) = seen
    assert "Apache License 2.0" in text and "anonymisation workbench" in text and all(line in text for line in lines)
    assert height < 640
