"""The library for notebooks and scripts: the same session, ledger and refusals as the window and the command line."""
