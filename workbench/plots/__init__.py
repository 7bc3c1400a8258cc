"""Charts as matplotlib figures, without a window: shared by the window, the command line and the reports.

The package itself imports nothing heavy; each chart module imports matplotlib when it is first needed.
"""
