"""Starts the window."""

from __future__ import annotations

import gc
import signal
import sys
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QApplication

from workbench import __version__
from workbench.core.freed_memory import share_one_pool
from workbench.core.paths import typed_path
from workbench.core.visible import visible_lines
from workbench.gui.icons import app_icon
from workbench.gui.main_window import MainWindow
from workbench.gui.screen import NoScreen, application
from workbench.gui.settings import WindowSettings
from workbench.gui.sweeper import Sweeper
from workbench.gui.theme import ThemeManager
from workbench.gui.uncaught import install_excepthook


def run(arguments: Sequence[str] = ()) -> int:
    """Show the window, open the file named in the arguments if there is one, and return the exit code."""
    try:
        app = application(sys.argv[:1])
    except NoScreen as why:
        print(visible_lines(f"workbench: {why}"), file=sys.stderr)
        return 2
    app.setApplicationName("anonymisation-workbench")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("anonymisation-workbench")
    _heed_control_c()
    share_one_pool()
    settings = WindowSettings()
    themes = ThemeManager(app, settings)
    app.setWindowIcon(app_icon())
    sweeper = Sweeper(app)
    gc.freeze()  # what modules hold lives as long as the process: no look for unreachable objects goes through it
    window = MainWindow(settings, themes)
    window.document.changed.connect(sweeper.heed)
    catcher = install_excepthook(window.messages)
    window.show()
    if arguments:
        window.rail.select("data")
        QTimer.singleShot(0, window, lambda: window.open_recent(typed_path(arguments[0])))
    # Afterwards, because opening a file clears the messages.
    QTimer.singleShot(0, window, window.recovery.offer)
    code = app.exec()
    catcher.remove()
    sweeper.stop()
    _let_go(app, window)
    return code


def _let_go(app: QApplication, window: MainWindow) -> None:
    """Delete the window while the application lives: what is left to the end of Python goes in any order, and Qt does
    not survive a widget that outlives its application."""
    window.deleteLater()
    app.sendPostedEvents(window, QEvent.Type.DeferredDelete)
    gc.collect()


def _heed_control_c() -> None:
    """Let Ctrl+C in the terminal end the program; every file is written atomically, so nothing can be torn.

    Where it is ignored, the program was started in the background, and Ctrl+C is meant for what runs in front of it.
    """
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def main() -> int:
    """Entry point of the GUI script."""
    return run(sys.argv[1:])
