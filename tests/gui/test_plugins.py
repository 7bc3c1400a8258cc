"""The window with plug-ins of third parties: broken ones take no room down, and trust is a switch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox
from pytestqt.qtbot import QtBot

from tests import plugin_toys as toys
from tests.gui.helpers import PATIENCE_MS, data_is_there
from workbench.core.trust import TRUST
from workbench.gui.main_window import MainWindow
from workbench.gui.settings import WindowSettings
from workbench.gui.theme import Mode, ThemeManager
from workbench.gui.widgets.explain import HelpBook
from workbench.gui.workspaces import ROOMS
from workbench.gui.workspaces.query import QueryWorkspace
from workbench.io.trusted_plugins import kept_trust, trust_file

Plug = Callable[..., None]
Opens = Callable[[], MainWindow]
DOUBT = "Made by plug-in toy-plug 0.1, which this program's tests do not vouch for."


@pytest.fixture
def opens(
    qtbot: QtBot, qapp: QApplication, settings: WindowSettings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Opens]:
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Discard)
    made: list[tuple[MainWindow, ThemeManager]] = []

    def show() -> MainWindow:
        themes = ThemeManager(qapp, settings)
        themes.set_mode(Mode.LIGHT)
        window = MainWindow(settings, themes)
        qtbot.addWidget(window)
        window.resize(1024, 700)
        window.show()
        made.append((window, themes))
        return window

    yield show
    for window, themes in made:
        window.close()
        qapp.styleHints().colorSchemeChanged.disconnect(themes._follow_system)


def test_every_room_can_be_made_beside_broken_plugins(plugged: Plug, opens: Opens) -> None:
    kinds = ("query", "local-protocol", "local-estimator", "mechanism", "privacy-model", "loss-metric", "preset")
    plugged({f"{kind}.bad": RuntimeError("boom") for kind in (*kinds, "hierarchy-builder", "method")})
    plugged({"query.half-count": toys.HALF, "local-protocol.lazy-rr": toys.protocol()})
    window = opens()
    for room in ROOMS:
        window.show_workspace(room.key)
        assert window.workspaces.get(room.key) is not None
    (message,) = (one for one in window.messages.messages if one.key == "plugins")
    assert message.text.startswith("9 plug-ins are left out: ") and "query.bad (toy-plug 0.1)" in message.text
    assert message.details.count("RuntimeError: boom") == 9
    message.dismiss()
    dialog = window.show_plugins()
    texts = "\n".join(one.text() for one in dialog.findChildren(QLabel))
    assert texts.count("RuntimeError: boom") == 9 and "query: half-count" in texts
    dialog.close()


def test_without_a_broken_plugin_nothing_is_said(plugged: Plug, opens: Opens) -> None:
    plugged({"query.half-count": toys.HALF})
    window = opens()
    assert not [one for one in window.messages.messages if one.key == "plugins"]


def test_trust_is_a_switch_where_a_plugin_is_used(plugged: Plug, opens: Opens, qtbot: QtBot, tmp_path: Path) -> None:
    plugged({"query.half-count": toys.HALF})
    data = tmp_path / "people.csv"
    data.write_text("age\n" + "\n".join(str(n) for n in range(50)) + "\n")
    window = opens()
    window.open_path(data)
    data_is_there(qtbot, window.document)
    window.show_workspace("query")
    workspace = window.findChild(QueryWorkspace)
    assert workspace is not None
    form = workspace.form

    def quiet() -> bool:
        return workspace.settled

    assert form.trust.isHidden(), "a question of the program's own"
    form.kind.choose("half-count")
    form.kind.activated.emit(form.kind.currentIndex())
    qtbot.waitUntil(quiet, timeout=PATIENCE_MS)
    assert "Toy (toy-plug 0.1)" in form.kind.currentText() and not form.trust.isHidden()
    assert form.summary.text() == "Counts rows for somebody else."
    assert "somebody else. From plug-in toy-plug 0.1" in form.kind.toolTip()
    assert "do not vouch" in form.trust.words.text() and not form.trust.tick.isChecked()
    assert window.document.session.queries.plan(form.draft).unclaimed == DOUBT
    words = [one.text() for one in workspace.findChildren(QLabel)]
    assert any("which this program's tests do not vouch for. It is counted" in one for one in words)
    assert not any("diffprivlib's own promise" in one for one in words)
    form.trust.tick.click()
    qtbot.waitUntil(quiet, timeout=PATIENCE_MS)
    assert "You vouch for it" in form.trust.words.text() and kept_trust()[0].name == "toy-plug 0.1"
    assert window.document.session.queries.plan(form.draft).unclaimed == ""
    form.trust.tick.click()
    qtbot.waitUntil(quiet, timeout=PATIENCE_MS)
    assert kept_trust() == () and TRUST.keys == frozenset()


def test_trust_that_cannot_be_kept_is_not_given(plugged: Plug, opens: Opens) -> None:
    plugged({"query.half-count": toys.HALF})
    window = opens()
    trust_file().parent.parent.mkdir(parents=True, exist_ok=True)
    trust_file().parent.write_text("a file where the folder must be")
    dialog = window.show_plugins()
    (switch,) = dialog.switches
    switch.tick.click()
    assert not switch.tick.isChecked() and TRUST.keys == frozenset()
    assert any("cannot be kept" in one.text for one in window.messages.messages)
    dialog.close()


def test_the_help_of_trust_is_there() -> None:
    found = HelpBook().find("plugins.trust")
    assert found is not None and "carries no claim" in found.text
