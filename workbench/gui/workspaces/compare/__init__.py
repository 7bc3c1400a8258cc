"""The Compare workspace."""

from workbench.gui.workspaces.compare.workspace import CompareWorkspace

__all__ = ["CompareWorkspace"]
