"""Data structures shared by every layer: tables as codes, schemas, hierarchies, progress, randomness."""
