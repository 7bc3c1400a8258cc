"""Widgets of general use. They know the theme, and nothing of the project."""
