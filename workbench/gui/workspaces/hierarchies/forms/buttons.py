"""Small buttons of the editors."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QPushButton, QToolButton

from workbench.gui.icons import icon
from workbench.gui.widgets.buttons import push_button, tool_button


def tool(icon_name: str, name: str, keys: str, press: Callable[[], object]) -> QToolButton:
    """A button of an icon; its name and keys are in the tooltip."""
    return tool_button(act=press, name=name, icon=icon(icon_name), tip=f"{name} ({keys})" if keys else name)


def quiet(text: str, press: Callable[[], object], *, icon_name: str = "", tip: str = "") -> QPushButton:
    """A button of words without a frame."""
    mark = icon(icon_name, "link") if icon_name else None
    return push_button(text, press, name=text.replace("&", ""), icon=mark, tip=tip, quiet=True)
