"""A form over some settings of the collection, wherever on its page they stand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from PySide6.QtWidgets import QWidget

from workbench.gui.document import Document
from workbench.gui.widgets.bound_form import BoundForm
from workbench.project.collect_settings import CollectSettings


def settings_form(
    parent: QWidget,
    document: Document,
    group: str,
    edit: Callable[[str, Any, str, str], None] | None = None,
    *,
    shown: Callable[[], CollectSettings] | None = None,
    fields: Mapping[str, QWidget] | None = None,
    choices: Mapping[str, Sequence[tuple[str, object]]] | None = None,
    only: Collection[str] | None = None,
) -> BoundForm:
    """The settings of a collection that belong together, in a form that changes them in the document.

    Parameters
    ----------
    parent
        With which the form goes.
    edit
        What becomes of a change, as `BoundForm.edited` tells it; None changes that setting alone.
    shown
        The settings that are shown; None are those in force.
    fields, choices, only
        As in `BoundForm`.
    """

    def change(name: str, value: Any, words: str, merge: str) -> None:
        document.apply(words, lambda session: session.collection.change(**{name: value}), merge=merge)

    in_force = shown or (lambda: document.session.collection.settings)
    form = BoundForm("collect", in_force, group, fields=fields, choices=choices, only=only, parent=parent)
    form.edited.connect(edit or change)
    return form
