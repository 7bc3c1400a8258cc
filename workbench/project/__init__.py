"""The document: what the person decided, without the data it was decided about."""
