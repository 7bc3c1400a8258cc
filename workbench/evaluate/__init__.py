"""Experiments on true values: the cost of each approach to privacy in accuracy. Analyst only."""
