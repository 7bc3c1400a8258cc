"""Sampling, generalisation and suppression, and the guarantees they give."""
