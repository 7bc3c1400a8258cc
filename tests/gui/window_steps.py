"""Steps through the whole window that several tests begin with."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.gui.helpers import no_jobs
from workbench.core.paths import sample_data
from workbench.gui.main_window import MainWindow
from workbench.session import Session

NBA = sample_data() / "nba_salaries.csv"
PATIENCE_MS = 20_000


def open_file(qtbot: QtBot, window: MainWindow, path: Path = NBA) -> None:
    window.open_path(path)
    qtbot.waitUntil(lambda: window.document.has_data, timeout=PATIENCE_MS)
    no_jobs(qtbot, window)


def prepare(qtbot: QtBot, window: MainWindow) -> None:
    """Data open, position and salary with hierarchies at levels that let most rows survive."""
    open_file(qtbot, window)
    for column, level in (("position", 0), ("salary", 3)):
        file = sample_data() / f"nba_hierarchy_{column}.csv"

        def attach(session: Session, column: str = column, file: Path = file, level: int = level) -> None:
            session.data.attach_hierarchy_file(column, file)
            session.release.columns.set_level(column, level)

        assert window.document.apply(f"Attach {column}", attach)
    no_jobs(qtbot, window)


def run(qtbot: QtBot, window: MainWindow) -> None:
    window.show_workspace("anonymise")
    window.spend()
    no_jobs(qtbot, window)
    assert window.document.session.release.result is not None


def texts(window: MainWindow) -> list[str]:
    return [message.text for message in window.messages.messages]
