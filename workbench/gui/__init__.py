"""The window: a thin Qt skin over the session. Nothing here computes anything about privacy."""

from workbench.gui.imported_sources import spare_sources

# Before anything large is imported.
spare_sources()
