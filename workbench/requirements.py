"""Requirements of `pyproject.toml` that the running Python meets, with the standard library alone.

It reads the simple forms that the project uses, `name>=1,<2; python_version < "3.12"`. Of any other it says that it is
unmet, which costs no more than a look by pip, who knows them all.

`python requirements.py PYPROJECT CONSTRAINTS EXTRA` prints the answer of the Python it is run with as JSON, so that
the packages of an environment are looked for by the Python that will import them.
"""

from __future__ import annotations

import json
import operator
import re
import sys
import tomllib
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any


def unmet(pyproject: Path, extra: str, python: tuple[int, int]) -> list[str]:
    """List the requirements that are not met, as the file writes them.

    Parameters
    ----------
    pyproject
        The file with the requirements.
    extra
        Names of extras whose requirements count too, with commas between them; "" for none.
    python
        Major and minor version of the running Python.

    Returns
    -------
    list of str
        Empty if everything is there. A file that cannot be read is one requirement that nothing meets.
    """
    try:
        with pyproject.open("rb") as file:
            project = tomllib.load(file)["project"]
        wanted = [*project["dependencies"], *_of_extras(project, extra)]
    except (ValueError, KeyError) as error:
        return [f"what {pyproject.name} says, which cannot be read ({error})"]
    return [requirement for requirement in wanted if not _met(requirement, python)]


def _of_extras(project: dict[str, Any], extras: str) -> list[str]:
    """The requirements of extras, and of those of the same project that they name in turn."""
    optional: dict[str, list[str]] = project["optional-dependencies"]
    found: list[str] = []
    waiting, seen = [name.strip() for name in extras.split(",")], set[str]()
    while waiting:
        if (name := waiting.pop(0)) in seen:
            continue
        seen.add(name)
        for requirement in optional.get(name, []):
            own = re.fullmatch(r"\s*([\w.-]+)\s*\[([\w\s,.-]+)\]\s*", requirement)
            if own and _same(own[1], project.get("name", "")):
                waiting += [part.strip() for part in own[2].split(",")]
            else:
                found.append(requirement)
    return found


def pins(constraints: Path) -> list[str]:
    """List what a file of constraints asks for, without comments and differences of spacing.

    Parameters
    ----------
    constraints
        The file; one that does not exist asks for nothing.

    Returns
    -------
    list of str
        Such as `numpy==2.4.6;python_full_version<'3.12'`, sorted.
    """
    if not constraints.is_file():
        return []
    lines = (re.sub(r"(^|\s)#.*", "", line) for line in constraints.read_text(encoding="utf-8").splitlines())
    return sorted({re.sub(r"\s+", "", line) for line in lines} - {""})


def strayed(pins: Sequence[str], python: tuple[int, int]) -> list[str]:
    """List the pins of packages that are installed in another version; what cannot be read is left out.

    Parameters
    ----------
    pins
        As the function of that name gives them.
    python
        Major and minor version of the running Python.
    """
    return [pin for pin in pins if _installed(pin) and not _met(pin, python)]


def for_this_python(requirements: Sequence[str], package: str) -> str:
    """The requirement of a package that counts for the running Python, without its condition; "" if there is none."""
    for requirement in requirements:
        text, _, marker = requirement.partition(";")
        name = re.match(r"\s*([\w.-]+)", text)
        if name and _same(name[1], package) and _counts(marker, sys.version_info[:2]):
            return text.strip()
    return ""


def main(words: Sequence[str]) -> None:
    """Print what the running Python lacks, and the pins it is not at."""
    python = sys.version_info[:2]
    found = {
        "python": list(python),
        "unmet": unmet(Path(words[0]), words[2], python),
        "strayed": strayed(pins(Path(words[1])), python),
    }
    print(json.dumps(found))


def _installed(pin: str) -> bool:
    match = re.match(r"([\w.-]+)==[\d.]+(;python_(full_)?version[<>=]+['\"][\d.]+['\"])?$", pin)
    try:
        return match is not None and bool(metadata.version(match.group(1)))
    except metadata.PackageNotFoundError:
        return False


def _met(requirement: str, python: tuple[int, int]) -> bool:
    """Whether an installed package meets a requirement; any doubt is a no, since then pip has a look."""
    requirement, _, marker = requirement.partition(";")
    if not _counts(marker, python):
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


def _counts(marker: str, python: tuple[int, int]) -> bool:
    """Whether a condition holds; one that is not understood does."""
    match = re.fullmatch(r"""\s*python_(?:full_)?version\s*([<>=]+)\s*["']([\d.]+)["']\s*""", marker)
    return match is None or _compares(".".join(map(str, python)), match[1], match[2])


def _same(one: str, other: str) -> bool:
    return re.sub(r"[-_.]+", "-", one).lower() == re.sub(r"[-_.]+", "-", other).lower()


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


if __name__ == "__main__":
    main(sys.argv[1:])
