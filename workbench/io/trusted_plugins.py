"""Trusted plug-ins, kept in the program's own settings by distribution and version, never in a project.

A version that was trusted says nothing of the next one. What cannot be read counts as nothing trusted.
"""

from __future__ import annotations

import json
from pathlib import Path

import platformdirs

from workbench.core.errors import WorkbenchError
from workbench.core.json_values import read_json
from workbench.core.trust import Origin
from workbench.io.atomic import atomic_write

_TRUSTED = "trusted"


def trust_file() -> Path:
    """Where it is kept; the file need not exist."""
    return Path(platformdirs.user_config_path("anonymisation-workbench", False)) / "plugins.json"


def kept_trust(path: Path | None = None) -> tuple[Origin, ...]:
    """Origins that are trusted until that is taken back."""
    try:
        plain = read_json((path or trust_file()).read_text(encoding="utf-8"))
        listed = plain[_TRUSTED]
        found = (Origin(one["distribution"], one["version"]) for one in listed)
        return tuple(one for one in found if isinstance(one.distribution, str) and isinstance(one.version, str))
    except (OSError, ValueError, KeyError, TypeError):
        return ()


def keep_trust(origin: Origin, *, trusted: bool, path: Path | None = None) -> tuple[Origin, ...]:
    """Trust a plugin from now on, or no longer; returns all that are trusted.

    Raises
    ------
    WorkbenchError
        If it cannot be written down.
    """
    target = path or trust_file()
    kept = {one.key: one for one in kept_trust(target) if one.key != origin.key}
    if trusted:
        kept[origin.key] = origin
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WorkbenchError(
            f"Which plug-ins are trusted cannot be kept in {target.parent}: {error.strerror}.",
            hint="Correct the permissions of that folder, or name them with --trust-plugin each time.",
        ) from error
    listed = [{"distribution": one.distribution, "version": one.version} for _, one in sorted(kept.items())]
    with atomic_write(target, "t", private=True, own=True) as file:
        file.write(json.dumps({_TRUSTED: listed}, ensure_ascii=False, indent=1) + "\n")
    return tuple(kept.values())
