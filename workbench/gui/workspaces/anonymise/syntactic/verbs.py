"""The words on the buttons of the room: one word for one thing."""

FIND = "Find the best levels"
"""Searches them, and makes the table with them."""

USE = "Use these levels"
"""Makes the table at the levels that are seen beside the button."""
