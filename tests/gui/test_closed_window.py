"""A window that is closed is let go of, with its document and all that is open in it."""

from __future__ import annotations

import gc
import weakref

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from workbench.gui.main_window import MainWindow
from workbench.gui.settings import WindowSettings
from workbench.gui.theme import Mode, ThemeManager
from workbench.gui.workspaces import ROOMS


def test_nothing_keeps_it(qapp: QApplication, settings: WindowSettings) -> None:
    """What is read in a document is protected for as long as the document lives: one too many costs every writer."""
    themes = ThemeManager(qapp, settings)
    themes.set_mode(Mode.LIGHT)
    window = MainWindow(settings, themes)
    window.show()
    for room in ROOMS:
        window.rail.select(room.key)
    held = {"window": weakref.ref(window), "document": weakref.ref(window.document)}
    window.close()
    window.deleteLater()
    del window
    for _ in range(2):  # what is let go of deletes more
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
    qapp.styleHints().colorSchemeChanged.disconnect(themes._follow_system)
    assert not [name for name, reference in held.items() if reference() is not None]
