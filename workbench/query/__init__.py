"""Differentially private answers to questions about a table, and the ledger of what they cost."""
