"""The editors of the builders: the parameters each declares, and what is special about it."""
