"""What is said about a release: the statement that may be published with it."""
