"""Collections with local differential privacy: settings, answers, predictions, simulations and reports."""
