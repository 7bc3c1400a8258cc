"""Buttons in one expression each: what they say, what they do, how they look and what explains them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import SignalInstance
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QAbstractButton, QPushButton, QToolButton

from workbench.gui.theme import set_look
from workbench.gui.widgets.eliding_button import ElidingButton
from workbench.gui.widgets.explain import set_explain

Act = Callable[..., object] | SignalInstance
"""Function that a click calls, or the signal it is passed on to."""

_Button = TypeVar("_Button", bound=QAbstractButton)


def push_button(
    text: str = "",
    act: Act | None = None,
    *,
    name: str = "",
    icon: QIcon | None = None,
    tip: str = "",
    checkable: bool = False,
    explain: str = "",
    **look: object,
) -> QPushButton:
    """A button of words.

    Parameters
    ----------
    text
        What it says.
    act
        What a click does.
    name
        What screen readers say, where that is not `text`.
    icon
        Beside the words.
    tip
        The tooltip.
    checkable
        Whether it stays down.
    explain
        Key of the entry of the Explain pane.
    look
        Properties of the stylesheet, such as `primary=True` or `quiet=True`.
    """
    return _set_up(QPushButton(text), act, name, icon, tip, checkable, explain, look)


def eliding_button(
    name: str, about: str = "", act: Act | None = None, *, icon: QIcon | None = None, **look: object
) -> ElidingButton:
    """A button of a name and words about it, shortened where they have no room; the others as of `push_button`."""
    button = ElidingButton(name, about)
    return _set_up(button, act, button.words, icon, "", False, "", look)


def tool_button(
    text: str = "",
    act: Act | None = None,
    *,
    name: str = "",
    icon: QIcon | None = None,
    tip: str = "",
    checkable: bool = False,
    explain: str = "",
    **look: object,
) -> QToolButton:
    """A small button without a frame, often of an icon alone; parameters as of `push_button`."""
    button = QToolButton()
    button.setText(text)
    return _set_up(button, act, name, icon, tip, checkable, explain, look)


def _set_up(
    button: _Button,
    act: Act | None,
    name: str,
    icon: QIcon | None,
    tip: str,
    checkable: bool,
    explain: str,
    look: dict[str, object],
) -> _Button:
    if icon is not None:
        button.setIcon(icon)
    if name:
        button.setAccessibleName(name)
    if tip:
        button.setToolTip(tip)
    button.setCheckable(checkable)
    if look:
        set_look(button, **look)
    if explain:
        set_explain(button, explain)
    if act is not None:
        button.clicked.connect(act)
    return button
