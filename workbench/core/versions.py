"""The versions that a report of a fault needs: of the program, Python, the system, and the libraries it uses.

No library is imported for it, and no name of a person or a folder is told.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from workbench import __version__

if TYPE_CHECKING:
    from importlib.metadata import PackageMetadata

_LIBRARIES = (
    "numpy", "matplotlib", "pandas", "PySide6-Essentials", "python-calamine", "pyarrow", "duckdb", "pyspark",
    "diffprivlib", "opendp", "cryptography",
)  # fmt: skip


_OTHERS = (
    "platformdirs", "odfpy", "pyreadstat", "polars", "sqlalchemy", "psycopg", "psycopg-binary", "scikit-learn", "scipy",
)  # fmt: skip
"""Libraries that come along with these; a report of a fault does not need their versions."""


def version_lines(encoding: str | None = None) -> list[str]:
    """The version of the program, and below it everything it runs on.

    Parameters
    ----------
    encoding
        Of standard output, where that is asked about.
    """
    found = _installed()
    there = ", ".join(f"{name} {found[_plain(name)]}" for name in _LIBRARIES if _plain(name) in found)
    missing = ", ".join(name for name in _LIBRARIES if _plain(name) not in found)
    lines = [
        f"anonymisation workbench {__version__}",
        f"Python {sys.version.split()[0]} on {_system()}, {_form()}",
        f"with {there}" if there else "",
        f"without {missing}" if missing and found else "",
        "" if encoding is None else f"standard output in {encoding or 'no encoding'}",
    ]
    return [line for line in lines if line]


def _form() -> str:
    """How the program was installed."""
    if getattr(sys, "frozen", False):
        return "a bundle"
    package = Path(__file__).resolve().parents[1]
    return "installed" if (package / "_resources").is_dir() else "a checkout"


def _system() -> str:
    if not hasattr(os, "uname"):
        return sys.platform
    told = os.uname()
    return f"{told.sysname} {told.release} {told.machine}"


def _plain(name: str) -> str:
    return name.lower().replace("-", "_")


def _installed() -> dict[str, str]:
    """The versions of installed distributions, as the names of their folders say them: reading their notes is slow."""
    found: dict[str, str] = {}
    for place in dict.fromkeys(sys.path):
        try:
            names = [one.name for one in Path(place or ".").iterdir()]
        except OSError:
            continue
        for name in names:
            stem, _, ending = name.rpartition(".")
            if ending == "dist-info":
                distribution, _, version = stem.partition("-")
                found.setdefault(_plain(distribution), version)
    return found


def licence_lines() -> list[str]:
    """The licence of Python and of each library that is installed with the program, as it says itself.

    Of a bundle also those of the system's libraries in it, as the list says that it was made with.
    """
    brought = Path(__file__).resolve().parents[1] / "_licences.txt"
    listed = brought.read_text(encoding="utf-8").splitlines() if brought.is_file() else ["Python: PSF-2.0"]
    return [*listed, *(f"{name}: {licence}" for name, licence in _licences().items())]


def licences_in_short() -> list[str]:
    """The same by licence, each with what is under it."""
    under: dict[str, list[str]] = {}
    for line in licence_lines():
        name, _, licence = line.partition(": ")
        under.setdefault(licence, []).append(name)
    return [f"{licence}: {', '.join(names)}" for licence, names in under.items()]


def _licences() -> dict[str, str]:
    """By library its licence: of those the program uses, and of whatever these need themselves."""
    from importlib import metadata

    found: dict[str, str] = {}
    waiting = [*_LIBRARIES, *_OTHERS]
    if getattr(sys, "frozen", False):  # where nothing is but what was bundled
        waiting += [one.name for one in metadata.distributions() if _plain(one.name) != "anonymisation_workbench"]
    for name in waiting:  # which grows meanwhile
        if _plain(name) in map(_plain, found):
            continue
        try:
            said = metadata.metadata(name)
        except metadata.PackageNotFoundError:
            continue
        found[name] = _stated(said)
        for needed in said.get_all("Requires-Dist") or ():
            if "extra" not in needed.partition(";")[2]:
                waiting.append(re.split(r"[^\w.-]", needed, maxsplit=1)[0])
    return found


def _stated(said: PackageMetadata) -> str:
    """A licence in one line: as an expression, by its class, or as the text begins."""
    classified = [text for text in said.get_all("Classifier") or () if text.startswith("License ::")]
    stated = said.get_all("License-Expression") or [text.rpartition(" :: ")[2] for text in classified]
    stated = [text for text in stated if text != "OSI Approved"] or said.get_all("License") or ["see its own text"]
    return str(stated[0]).strip().splitlines()[0]
