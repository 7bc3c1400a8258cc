"""One column beside its suggested role, and the heading of those that nobody decided about."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.core.role_suggestions import UNLISTED, Suggestion
from workbench.core.role_words import sign_in_name
from workbench.core.schema import UNDECIDED, ColumnSpec, Role
from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.role_marks import marked, role_icon, role_name, role_token
from workbench.session.given_roles import role_included

_FOLLOW, _INCLUDE = "As suggested", "Include"


class SuggestionItem(QWidget):
    """One column in a line, with what can be done about it: it is included, or left out, and nothing else.

    Role and reason stand once above the columns that share them; its sign is that of the role in force. Each of the two
    buttons is seen while it would change something, in a place of its own: nothing moves with what is pressed, and
    whoever leaves out several presses where they looked.

    `now` is the role in force, in the words of the table of columns; `offered` says that nothing speaks for the role,
    so that only a person gives it; `role_in` is the role that the column has once it is included.

    Parameters
    ----------
    fixed
        Whether it cannot be included: it tells persons apart.

    Signals
    -------
    pressed()
        Its column is to be included.
    out_wanted()
        Its column is to be left out.
    """

    pressed = Signal()
    out_wanted = Signal()

    def __init__(
        self,
        suggestion: Suggestion,
        why: str,
        *,
        offered: bool = False,
        fixed: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.suggestion, self.why, self.offered = suggestion, why, offered
        self._fixed = fixed or suggestion.reason == UNLISTED
        self.followed = self.is_out = False
        self.now = ""
        role, (column, *_) = suggestion.role, suggestion.columns
        self.column = column
        self.role_in = role_included(suggestion)
        self.name = ElidedLabel(column, small=True)
        self.sign = IconLabel(role_icon(role), tokens.ICON, role_token(role))
        self.button = push_button(act=self.pressed, name=marked(column, self.role_in), quiet=True, inline=True)
        out = role_name(Role.IDENTIFYING)
        self.out = push_button(
            out, self.out_wanted, name=f"{out}: {column}", tip="Nobody needs it", quiet=True, inline=True
        )
        keeping = self.out.sizePolicy()
        keeping.setRetainSizeWhenHidden(True)
        self.out.setSizePolicy(keeping)
        boxes.row(self.sign, (self.name, 1), self.button, self.out, spacing="xs", inside=self)
        self.show_roles(())

    def show_roles(self, specs: Sequence[ColumnSpec], *, left_out: Collection[str] = ()) -> None:
        """Show whether its column has the role by now, or which other one, as the table does.

        Parameters
        ----------
        left_out
            Columns that Anonymise leaves out, whatever their role.
        """
        role = self.suggestion.role
        spec = next(iter(specs), None)
        out = spec is not None and spec.name in left_out
        now = role if spec is None else Role.IDENTIFYING if out else spec.role
        self.followed, self.is_out = spec is not None and now is role, now is Role.IDENTIFYING
        undecided = spec is not None and spec.role_words == UNDECIDED and not self.is_out
        words = UNDECIDED if undecided else role_name(now)
        self.now = "Left out in Anonymise" if out and role is not Role.IDENTIFYING else words
        self.name.setAccessibleName(f"{self.column}, {self.now}")
        suggested = "" if self.followed or self.offered else f"Suggested: {role_name(role).lower()}"
        sign = "" if spec is None or out else sign_in_name(spec.name, now, spec.kind)
        self.setToolTip("\n".join(filter(None, (f"{self.column}: {self.now}", now.meaning, sign, suggested))))
        self.sign.set_icon(role_icon(now), role_token(now))
        self.button.setText(_INCLUDE if self.is_out or undecided or self.offered else _FOLLOW)
        self._offer(include=now is not self.role_in and not self._fixed, leave=not self.is_out)

    def _offer(self, *, include: bool, leave: bool) -> None:
        """Show what would change something; the focus stays in the line, where Qt would go on to the next column."""
        focus = self.window().focusWidget()
        for button, wanted in ((self.button, include), (self.out, leave)):
            button.setVisible(wanted)
        if focus is self.out and not leave and include:
            self.button.setFocus()
        elif focus is self.button and not include and leave:
            self.out.setFocus()

    def take_focus(self) -> None:
        """Put the focus where something about the column can be changed."""
        (self.out if self.button.isHidden() else self.button).setFocus()


class OpenHeading(QWidget):
    """Stands above the columns nobody decided about: says how many are left, and decides about all of them at once.

    Parameters
    ----------
    number
        How many are asked about.

    Signals
    -------
    wanted(object)
        The role that all that are left are to have.
    """

    wanted = Signal(object)

    def __init__(self, number: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._number = number
        self.words = label(UNDECIDED, strong=True)
        self.all_in = push_button("Include all", partial(self.wanted.emit, Role.QUASI), quiet=True, inline=True)
        self.all_out = push_button(
            "Leave all out", partial(self.wanted.emit, Role.IDENTIFYING), quiet=True, inline=True
        )
        row = boxes.row((self.words, 1), self.all_in, self.all_out, spacing="xs", inside=self)
        row.addStrut(self.all_in.sizeHint().height() if number > 1 else 0)
        self.show_open(number)

    def show_open(self, left: int) -> None:
        """Say that so many are left; of the last one its own buttons decide."""
        last = left == 1 < self._number
        self.words.setText(
            "Decided by you" if not left else f"1 of {self._number:,} {UNDECIDED.lower()}" if last else UNDECIDED
        )
        for button in (self.all_in, self.all_out):
            button.setVisible(left > 1)
