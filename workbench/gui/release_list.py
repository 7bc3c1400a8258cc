"""The released files of the start page: own ones first, and what failed a check never as if it held."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu, QWidget

from workbench.core.visible import visible
from workbench.gui.icons import icon
from workbench.gui.known_releases import CheckFound, KnownRelease
from workbench.gui.widgets import boxes
from workbench.gui.widgets.eliding_button import ElidingButton
from workbench.gui.widgets.haste import leads_once
from workbench.gui.widgets.labels import label, on_button
from workbench.gui.widgets.page_line import page_line, spoken_time

_SHOWN = 4
_SIGNS = {
    CheckFound.HOLDS: ("shield", "link"),
    CheckFound.UNKNOWN: ("table", "link"),
    CheckFound.FAILED: ("error", "error"),
}
_NOT_SO = "not what is stated"
_NOT_OWN = "not exported here"
"""Of what lies beside a table and no window of this program wrote."""


class ReleaseList(QWidget):
    """A line for each of the first few, and one that lists the rest.

    Parameters
    ----------
    verify
        What shows whether a release is what its statement says.
    """

    def __init__(self, verify: Callable[[Path], object], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._verify = verify
        self._shown: tuple[tuple[Path, CheckFound, bool], ...] = ()
        self._rest: Sequence[tuple[str, KnownRelease]] = ()
        self.newest_own: Path | None = None
        """Where the newest of this program lay when they were looked for."""
        self._lines: list[ElidingButton] = []
        self._layout = boxes.column(spacing=0)
        self.more = page_line("table", "", "", self._show_rest)
        self.more.hide()
        listed = boxes.column(self._layout, self.more, spacing=0)
        boxes.column(label("Releases", heading=2), listed, 1, spacing="s", inside=self)
        self.hide()

    def show_releases(self, found: Sequence[KnownRelease]) -> None:
        """Show these, in this order."""
        self.newest_own = next((one.path for one in found if one.own), None)
        named = list(zip(told_apart([one.path for one in found]), found, strict=True))
        most = _SHOWN if len(named) <= _SHOWN else _SHOWN - 1
        lines, self._rest = named[:most], named[most:]
        shown = tuple((one.path, one.standing, one.own) for _, one in lines)
        if shown != self._shown:
            self._shown = shown
            self._make_lines()
        now = datetime.now()
        for line, (name, one) in zip(self._lines, lines, strict=True):
            line.set_words(_title(name, one), _about(one, now))
            line.setAccessibleName(f"Check {line.words}")
            line.setToolTip(f"Check {visible(str(one.path))}{_tip(one)}")
        self.more.set_words(f"{len(self._rest):,} more")
        self.more.setVisible(bool(self._rest))
        self.setVisible(bool(found))

    def _make_lines(self) -> None:
        for line in self._lines:
            self._layout.removeWidget(line)
            line.hide()
            line.deleteLater()
        self._lines = []
        for path, standing, own in self._shown:
            sign, token = _sign(standing, own=own)
            line = leads_once(page_line(sign, path.name, "", partial(self._verify, path), token=token))
            self._layout.addWidget(line)
            self._lines.append(line)
        for one, following in pairwise((*self._lines, self.more)):
            QWidget.setTabOrder(one, following)

    def _show_rest(self) -> None:
        """List those for which there is no line."""
        menu, now = QMenu(self), datetime.now()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for name, one in self._rest:
            words = on_button(f"{_title(name, one)} · {_about(one, now)}")
            menu.addAction(icon(*_sign(one.standing, own=one.own)), words, partial(self._verify, one.path))
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height())))


def _title(name: str, one: KnownRelease) -> str:
    """The name, which says also where there is room for nothing else that it is none of one's own."""
    return visible(name) if one.own else f"Found: {visible(name)}"


def _about(one: KnownRelease, now: datetime) -> str:
    if one.standing is CheckFound.FAILED:
        return _NOT_SO
    return spoken_time(one.written, now) if one.own else _NOT_OWN


def _sign(standing: CheckFound, *, own: bool) -> tuple[str, str]:
    """The picture of a line and its colour, which is that of a link for own ones alone."""
    sign, token = _SIGNS[standing]
    return sign, token if own or standing is CheckFound.FAILED else "muted"


def _tip(one: KnownRelease) -> str:
    """What is to be known of a release that is none to hand over as it is."""
    if one.standing is CheckFound.FAILED:
        return f": {_NOT_SO}"
    where = "It lies where releases of your tables are proposed. No window of this program exported it"
    return "" if one.own else f"\n{where}"


def told_apart(paths: Sequence[Path]) -> list[str]:
    """The names of files; those that share one with the nearest folder that is not that of the others.

    >>> told_apart([Path("a/out/x.csv"), Path("b/out/x.csv"), Path("b/out/y.csv")])
    ['x.csv in a', 'x.csv in b', 'y.csv']
    """
    named = []
    for path in paths:
        twins = [other for other in paths if other.name == path.name and other != path]
        apart = (
            depth
            for depth in range(len(path.parents))
            if all(_folder(other, depth) != _folder(path, depth) for other in twins)
        )
        place = _folder(path, next(apart, 0)) if twins else ""
        named.append(f"{path.name} in {place}" if place else path.name)
    return named


def _folder(path: Path, depth: int) -> str:
    """The name of the folder so far above a file; "" where there is none."""
    return path.parents[depth].name if depth < len(path.parents) else ""
