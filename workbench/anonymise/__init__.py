"""Sampling, generalisation and suppression, and the guarantees they give.

The (ε, δ) of a release is computed in `trim_guarantee`, whose steps are those of `core.trim_law`, and of sampled rows
in `sample_guarantee`.
"""
