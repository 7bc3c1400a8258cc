"""Problems of the fields of a page, each in a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from PySide6.QtWidgets import QWidget

from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.numbers_edit import NumbersEdit


class Checked(Protocol):
    """A part of a page that knows whether all of its fields hold what they can have."""

    @property
    def valid(self) -> bool: ...


def first_problem(page: QWidget) -> str:
    """Problem of the first field of a page that shows no number to go on with, in a sentence; "" if there is none.

    Where that field is folded away, it is unfolded: nobody mends what they do not see.
    """
    fields: list[NumberField | NumbersEdit] = [*page.findChildren(NumberField), *page.findChildren(NumbersEdit)]
    wrong = [field for field in fields if not field.valid]
    for field in wrong:
        if field.isVisibleTo(page):
            return field.problem
    folds = [fold for fold in page.findChildren(Disclosure) if fold.isVisibleTo(page)]
    for field in wrong:
        for fold in folds:
            if fold.folds(field):
                fold.set_open(True)
                return field.problem
    return ""


def problem_in(page: QWidget, parts: Iterable[Checked]) -> str:
    """What is wrong in the first of the parts of a page that is not valid, in a sentence; "" if all of them are."""
    return "" if all(part.valid for part in parts) else first_problem(page) or "A field holds no number."
