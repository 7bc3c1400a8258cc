"""Views of the cost of a result: summaries, two columns at once, and the error of a question."""

from workbench.gui.workspaces.anonymise.costs.view import CostsView

__all__ = ["CostsView"]
