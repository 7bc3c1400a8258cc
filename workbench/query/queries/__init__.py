"""The built-in questions, one file each."""
