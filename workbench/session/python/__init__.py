"""What was set, as Python for the library: to be copied from a room, or as a notebook of all of them."""
