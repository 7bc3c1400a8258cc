"""Local differential privacy: every person randomises before anything is collected.

A protocol is one file in `protocols`, and `docs/extending.md` writes one.
"""
