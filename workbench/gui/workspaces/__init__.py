"""One package per workspace: the rooms the rail leads to."""
