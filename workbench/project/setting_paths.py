"""Settings of the rooms by their paths, such as `collect.bins`: all that are declared, as a project keeps them."""

from __future__ import annotations

import contextlib
import difflib
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.settings_json import from_json, to_json
from workbench.project.model import Project
from workbench.project.rooms import ROOM_SETTINGS

PLACES: Mapping[str, str] = MappingProxyType(
    {"anonymise": "anonymise", "collect": "collect", "data": "preparation", "mechanisms": "laboratory",
     "query": "queries"}
)  # fmt: skip
"""The field of a project in which the settings of a room are. Experiments of Compare are documents of their own."""


def paths(project: Project) -> dict[str, Any]:
    """Every setting by its path, with its value as JSON; what is a list stands as one value."""
    found: dict[str, Any] = {}
    for room, place in PLACES.items():
        found |= dict(_leaves(to_json(getattr(project, place)), room))
    return found


def changed(project: Project, path: str, text: str) -> Project:
    """The project in which one setting has another value.

    Parameters
    ----------
    path
        Of the setting, such as `collect.bins`; a setting by column may have the name of one at its end.
    text
        The value as JSON, or a bare text.

    Raises
    ------
    WorkbenchError
        If there is no such setting, or it cannot have this value.
    """
    room, _, rest = path.partition(".")
    if room not in PLACES or not rest:
        raise _unknown(project, path)
    made, before = ROOM_SETTINGS[room], to_json(getattr(project, PLACES[room]))
    problem = ""
    for value in _values(text):
        wanted = json.loads(json.dumps(before))
        if not _put(wanted, rest, value):
            raise _unknown(project, path)
        try:
            settings = from_json(made, wanted)
        except WorkbenchError as error:
            problem = error.message
            continue
        except (ValueError, TypeError, LookupError) as error:
            problem = str(error)
            continue
        if not _is_there(to_json(settings), rest):
            raise _unknown(project, path)
        return replace(project, **{PLACES[room]: settings})
    raise WorkbenchError(
        f"“{text}” cannot be {path}: {problem}.",
        hint="project show --json shows how its value is written now.",
        field=path,
    )


def _values(text: str) -> Iterator[Any]:
    """The possible meanings of a typed value, the likeliest first."""
    with contextlib.suppress(ValueError):
        yield json.loads(text)
    yield text


def _leaves(plain: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(plain, dict) and plain:
        for name, one in plain.items():
            yield from _leaves(one, f"{path}.{name}")
    else:
        yield path, plain


def _put(plain: Any, path: str, value: Any) -> bool:
    """Put a value where a path leads; False where it leads nowhere."""
    if not isinstance(plain, dict):
        return False
    head = next((name for name in plain if path.startswith(f"{name}.")), None)
    if path in plain or head is None:
        plain[path] = value
        return True
    return _put(plain[head], path[len(head) + 1 :], value)


def _is_there(plain: Any, path: str) -> bool:
    """Whether a path leads somewhere: what no setting is called was passed over when it was read."""
    if not isinstance(plain, dict):
        return False
    head = next((name for name in plain if path.startswith(f"{name}.")), None)
    return path in plain or (head is not None and _is_there(plain[head], path[len(head) + 1 :]))


def _unknown(project: Project, path: str) -> WorkbenchError:
    known, last = paths(project), path.rpartition(".")[2]
    near = [one for one in known if last and one.endswith(f".{last}")] or difflib.get_close_matches(path, known, n=3)
    perhaps = f"Near are: {', '.join(near)}." if near else f"They begin with {', '.join(f'{one}.' for one in PLACES)}"
    return WorkbenchError(f"There is no setting “{path}”.", hint=perhaps, field=path)
