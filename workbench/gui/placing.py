"""The place of a window that was never seen before."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QScreen

from workbench.gui import tokens


def free(screen: QScreen) -> QSize:
    """Part of a screen that is free for windows, in pixels."""
    return screen.availableGeometry().size()


def first_size(screen: QSize) -> QSize:
    """The size of the first window: the one it was designed for, or what a screen has left inside a frame.

    Parameters
    ----------
    screen
        What of the screen is free for windows, in pixels. How wide a frame is nobody can say before it is there.
    """
    return QSize(tokens.WINDOW_WIDTH, tokens.WINDOW_HEIGHT).boundedTo(inside_frame(screen))


def inside_frame(screen: QSize) -> QSize:
    """Size inside the frame of a window that fills a screen."""
    return QSize(screen.width() - 2 * tokens.FRAME_EDGE, screen.height() - tokens.FRAME_TITLE - tokens.FRAME_EDGE)
