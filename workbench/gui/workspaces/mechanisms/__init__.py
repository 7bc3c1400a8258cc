"""The Mechanisms workspace."""

from workbench.gui.workspaces.mechanisms.workspace import MechanismsWorkspace

__all__ = ["MechanismsWorkspace"]
