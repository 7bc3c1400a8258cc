"""The Collect workspace."""

from workbench.gui.workspaces.collect.workspace import CollectWorkspace

__all__ = ["CollectWorkspace"]
