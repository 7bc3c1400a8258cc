"""The (ε, δ) release of a session: columns and levels, guarantee and claim, runs, results and export."""
