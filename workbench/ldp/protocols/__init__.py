"""Local protocols, one file each."""
