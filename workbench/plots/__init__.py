"""Charts as matplotlib figures, without a window: shared by the window, the command line and the reports.

The module of a chart is a `ChartKind`: `build` draws its data, `describe` says it in words, `rows` gives the numbers.
The package itself imports nothing heavy; each chart module imports matplotlib when it is first needed.
"""
