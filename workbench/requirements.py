"""Which requirements of `pyproject.toml` the running Python meets, told with the standard library alone.

It reads the simple forms that the project uses, `name>=1,<2; python_version < "3.12"`. Of any other it says that it is
unmet, which costs no more than a look by pip, who knows them all.
"""

from __future__ import annotations

import operator
import re
import tomllib
from importlib import metadata
from pathlib import Path


def unmet(pyproject: Path, extra: str, python: tuple[int, int]) -> list[str]:
    """List the requirements that are not met, as the file writes them.

    Parameters
    ----------
    pyproject
        The file with the requirements.
    extra
        Name of an extra whose requirements count too; "" for none.
    python
        Major and minor version of the running Python.

    Returns
    -------
    list of str
        Empty if everything is there.
    """
    with pyproject.open("rb") as file:
        project = tomllib.load(file)["project"]
    wanted: list[str] = [*project["dependencies"], *project["optional-dependencies"].get(extra, [])]
    return [requirement for requirement in wanted if not _met(requirement, python)]


def _met(requirement: str, python: tuple[int, int]) -> bool:
    """Whether an installed package meets a requirement; any doubt is a no, since then pip has a look."""
    requirement, _, marker = requirement.partition(";")
    if marker:
        match = re.fullmatch(r"""\s*python_version\s*([<>=]+)\s*["']([\d.]+)["']\s*""", marker)
        if match and not _compares(".".join(map(str, python)), *match.groups()):
            return True
    match = re.fullmatch(r"\s*([\w.-]+)\s*([^\[\]]*)", requirement)
    if match is None:
        return False
    name, bounds = match.groups()
    try:
        installed = metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    parts = [re.fullmatch(r"\s*([<>=!]+)\s*([\d.]+)\s*", bound) for bound in bounds.split(",") if bound.strip()]
    return all(part is not None and _compares(installed, *part.groups()) for part in parts)


def _compares(version: str, sign: str, bound: str) -> bool:
    compare = {
        ">=": operator.ge,
        "<=": operator.le,
        "==": operator.eq,
        "!=": operator.ne,
        ">": operator.gt,
        "<": operator.lt,
    }.get(sign)
    numbers = re.match(r"\d+(\.\d+)*", version)
    if compare is None or numbers is None:
        return False
    left, right = ([int(part) for part in text.strip(".").split(".")] for text in (numbers.group(), bound))
    width = max(len(left), len(right))
    return bool(compare(left + [0] * (width - len(left)), right + [0] * (width - len(right))))
