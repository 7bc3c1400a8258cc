"""Anonymisation workbench: anonymise tables and know exactly what was promised."""

__version__ = "0.1.0"
