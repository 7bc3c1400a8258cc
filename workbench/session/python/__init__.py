"""The settings as Python for the library: copied from a room, or as a notebook of all of them."""
