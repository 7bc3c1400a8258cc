"""The Anonymise workspace: the guarantee, the columns, the claim and the result."""

from workbench.gui.workspaces.anonymise.workspace import AnonymiseWorkspace

__all__ = ["AnonymiseWorkspace"]
