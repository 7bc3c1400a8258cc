"""Discrete mechanisms as exact channel matrices, and the audit that finds the ε of any of them."""
