"""The command that makes a published figure or a preset again, on the clipboard."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.gui.document import Document
from workbench.session.comparison_command import preset_command


def copy_preset(
    document: Document, identifier: str, column: str, values: Mapping[str, Any] = MappingProxyType({})
) -> None:
    """Copy the command for a column of the open data, "" for the shipped sample; or say why no command does it."""
    try:
        words = preset_command(document.session.state, identifier, column, values)
    except WorkbenchError as error:
        document.failed.emit(error)
    else:
        document.copy_command(shlex.join(words))
