"""Reading tables and hierarchies from files, and writing them back without ever losing a file."""
