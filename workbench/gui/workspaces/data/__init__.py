"""The Data workspace."""

from workbench.gui.workspaces.data.workspace import DataWorkspace

__all__ = ["DataWorkspace"]
