"""Before a look, the values of categories are listed by the person: typed, or pasted from a code list."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData
from pytestqt.qtbot import QtBot

from tests.gui.helpers import OnScreen, idle
from workbench.core.hierarchy import Provenance
from workbench.core.schema import Role
from workbench.gui.document import Document
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace
from workbench.gui.workspaces.hierarchies.forms.categories import CategoriesForm


def test_what_has_no_values_yet_is_begun_with_a_list_of_them(
    qtbot: QtBot, document: Document, on_screen: OnScreen, tmp_path: Path
) -> None:
    room = on_screen(HierarchiesWorkspace(document))
    path = tmp_path / "ill.csv"
    path.write_text("ill\n" + "flu\ncold\nflu\n" * 9)
    document.open_data(path)
    idle(qtbot, room)
    document.apply("Roles", lambda session: session.data.set_role(["ill"], Role.QUASI))
    idle(qtbot, room)
    room.build_all.click()
    idle(qtbot, room)
    room.attributes.pick("ill")
    room.panel.group.click()
    idle(qtbot, room)
    form, page = room.builder.form, room.builder
    assert isinstance(form, CategoriesForm) and form.typed.isVisible() and not form.tree.isVisible(), "nothing to drag"
    assert page.badge.text == "Not begun"
    assert Status.ERROR.value not in page.parts.tabs.accessibleTabName(1), "nothing is wrong"
    assert not form.typed.go_on.isEnabled() and not page.apply.isEnabled()
    pasted = QMimeData()
    pasted.setText("flu, cold,measles")
    form.typed.lines.insertFromMimeData(pasted)
    form.typed.lines.insertPlainText("\nflu\n \n")
    form.typed.go_on.click()
    idle(qtbot, room)
    assert form.tree.isVisible() and not form.typed.isVisible()
    assert page.draft is not None and page.draft.specification["details"]["tree"] == ["flu", "cold", "measles"]
    made = page.previewed
    assert made is not None and made.provenance is Provenance.DERIVED, "nobody has said where the list is from"
    form.do("remove")
    form.tree.select_paths([(0,), (1,), (2,)])
    form.do("remove")
    idle(qtbot, room)
    assert form.typed.isVisible() and not form.tree.isVisible(), "it is begun anew"
