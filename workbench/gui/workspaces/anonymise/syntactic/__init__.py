"""k-anonymity and its relatives: models, search, and what comes out."""

from workbench.gui.workspaces.anonymise.syntactic.room import SyntacticRoom

__all__ = ["SyntacticRoom"]
