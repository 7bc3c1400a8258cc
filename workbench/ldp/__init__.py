"""Local differential privacy: every person randomises before anything is collected."""
