"""How many small mistakes in the program the tests of their own package notice. Started by `python3 tests/mutants`."""

PACKAGES = ("anonymise", "query", "ldp", "mechanisms", "project", "engines", "report")
"""Where guarantees are made; of reports, only what checks a release again."""
