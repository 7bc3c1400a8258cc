"""The Query workspace: differentially private answers under a budget."""

from workbench.gui.workspaces.query.workspace import QueryWorkspace

__all__ = ["QueryWorkspace"]
