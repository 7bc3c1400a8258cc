"""The places where a key may lie: in no project, beside no ledger, and in no folder that is passed on."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from workbench.core.errors import WorkbenchError
from workbench.core.paths import followed
from workbench.project.storage import SUFFIX
from workbench.query.ledger_file import ledgers_folder


def passed_on(key: Path, usual: Path, paths: Collection[Path]) -> bool:
    """Whether a key lies where it may be copied along with these files, or with their folders.

    Parameters
    ----------
    usual
        Where such a key lies unless another place is named.
    """
    if key == followed(usual):  # a file in the home folder, above the settings, is not passed on with it
        return any(path in key.parents if path.is_dir() else path.parent == key.parent for path in paths)
    return any((path if path.is_dir() else path.parent) in key.parents for path in paths)


def refuse_place(target: Path) -> None:
    """Refuse where a key would be copied along with other things, or taken for one of them.

    Raises
    ------
    WorkbenchError
        If it is called as a project is, or lies among the ledgers.
    """
    if target.suffix.lower() == SUFFIX:
        raise WorkbenchError(
            f"“{target.name}” is the name of a project, and no key is ever in one.",
            hint="Give the key another name.",
            field="key",
        )
    if followed(ledgers_folder()) in followed(target).parents:
        raise WorkbenchError(
            f"“{target}” lies in the folder of the ledgers, where no key belongs.",
            hint="Keep it in a folder of its own.",
            field="key",
        )
