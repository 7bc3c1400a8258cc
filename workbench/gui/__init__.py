"""The window: a thin Qt skin over the session. Nothing here computes anything about privacy."""
