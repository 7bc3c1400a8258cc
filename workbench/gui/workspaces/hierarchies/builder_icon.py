"""The icon of a hierarchy builder."""

from __future__ import annotations

from workbench.gui.icons import icon_names


def builder_icon(builder: str) -> str:
    """Name of the icon of a builder; one that came as a plugin has that of a table."""
    own = f"builder-{builder}"
    return own if own in icon_names() else "table"
