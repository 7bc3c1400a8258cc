"""How many small mistakes in the program the tests of their own package notice. Started by `python3 tests/mutants`."""
