"""The document: what the person decided, without the data it was decided about.

Where each room declares its settings is listed in `rooms`.
"""
