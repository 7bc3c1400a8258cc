"""Verifying a release that was received: the same for the command line and the window."""
