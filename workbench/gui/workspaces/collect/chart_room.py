"""The height that a chart of errors needs to be read, where a window is low."""

LEAST_CHART = 183
"""Pixels; where the window is lower, the page scrolls."""
