"""Anonymisation workbench: anonymise tables and know exactly what was promised."""

import sys

__version__ = "0.1.0"

if sys.version_info < (3, 11):
    sys.stderr.write(
        "The anonymisation workbench needs Python 3.11 or newer; this is " + sys.version.split()[0] + ".\n"
        "Start it with a newer one, for instance: python3.11 -m workbench\n"
    )
    raise SystemExit(2)
