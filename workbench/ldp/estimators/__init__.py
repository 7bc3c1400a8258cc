"""Estimators, one file each."""
