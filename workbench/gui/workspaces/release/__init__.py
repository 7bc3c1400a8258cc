"""The Release workspace: what may be claimed, what is still open, and the file itself."""

from workbench.gui.workspaces.release.workspace import ReleaseWorkspace

__all__ = ["ReleaseWorkspace"]
