"""The licences of what a bundle holds: of its shared libraries by the list beside this, and their texts."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent
LISTED = {
    library: (project, licence)
    for project, (licence, *libraries) in json.loads((_HERE / "libraries.json").read_text(encoding="utf-8")).items()
    for library in libraries
}
"""By library the project that it is a part of, and the licence of that."""


def library_of(name: str) -> str:
    """How a shared library is called without its version and without the digest that a wheel puts into its name.

    "" for what is none, such as a module of Python or a plug-in of Qt, which are under the licence of what has them.
    """
    found = re.match(r"(lib(?!\.)[^/]*?)((-[0-9a-f]{8})*)\.(so|abi3\.so)(\.\d+)*$", name.rpartition("/")[2])
    if found is None or "/plugins/" in name:
        return ""
    return re.sub(r"^(libpython3)[.\d]*$", r"\1", found[1])


def licence_lines(names: Iterable[str]) -> list[str]:
    """One line for each project of which there are shared libraries: its name and its licence.

    Raises
    ------
    SystemExit
        If a library is not listed: what is passed on must say under which licence.
    """
    there = {library_of(name) for name in names} - {""}
    if unknown := sorted(there - set(LISTED)):
        raise SystemExit(f"packaging/libraries.json lists no licence of {', '.join(unknown)}")
    return sorted({f"{project}: {licence}" for project, licence in (LISTED[one] for one in there)})


def licence_texts(binaries: Iterable[tuple[str, str]], to: Path) -> list[tuple[str, str]]:
    """The texts of licences that no distribution brings with it: of Python, Qt, and of libraries of the system.

    Parameters
    ----------
    binaries
        Names in the bundle, and the files they are taken from.
    to
        Where texts are gathered.
    """
    python = Path(sysconfig.get_path("stdlib"), "LICENSE.txt")
    found = {path.name: path for path in (_HERE / "licences").iterdir()}
    if python.is_file():
        found["Python.txt"] = python
    for _, source in binaries:
        if "site-packages" not in source and (package := _package_of(Path(source).name)):
            text = Path("/usr/share/doc", package, "copyright")
            if text.is_file():
                found[f"{package}.txt"] = text
    to.mkdir(parents=True, exist_ok=True)
    for name, path in found.items():
        (to / name).write_bytes(path.read_bytes())
    return [(str(to / name), "licences") for name in sorted(found)]


@cache
def _package_of(name: str) -> str:
    """The package of the system that a shared library is from; "" where nothing tells."""
    if not sys.platform.startswith("linux"):
        return ""
    try:
        told = subprocess.run(["dpkg", "--search", f"*/{name}"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return ""
    return told.partition(":")[0] if told else ""
