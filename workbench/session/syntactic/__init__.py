"""The syntactic approach of a session: the question, searches, tables, and the nodes around the best levels."""
