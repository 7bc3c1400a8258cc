"""What Qt says because nothing has a screen in the tests, and not because of the program."""

import re

HARMLESS = re.compile(r"This plugin does not support (propagateSizeHints|raise|grabbing the (keyboard|mouse))")
"""The platform without a screen has no window manager that could raise a window or keep to its sizes, and no keyboard
or mouse that one could grab: Qt says so where a menu bar or a popup asks, and goes on without."""
