"""The Hierarchies workspace."""

from workbench.gui.workspaces.hierarchies.workspace import HierarchiesWorkspace

__all__ = ["HierarchiesWorkspace"]
