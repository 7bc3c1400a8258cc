"""Open a database: its address, and who asks there. The password is kept until the program ends, and nowhere else."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QWidget

from workbench.core.errors import WorkbenchError
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.form_grid import form_grid
from workbench.gui.widgets.labels import label
from workbench.io.addresses import EXAMPLE, Address, Credentials, credentials_for, remember


class DatabaseDialog(QDialog):
    """Asks for the address of a PostgreSQL database, and for a user and a password.

    Parameters
    ----------
    address
        The one that refused who asked; None to ask for one.

    Signals
    -------
    chosen(Path)
        The address, without user and password, as it stands in the place of a path.
    """

    chosen = Signal(Path)

    def __init__(self, address: Address | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Open a database")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_explain(self, "data.database")
        self.address = _field("Address", EXAMPLE)
        self.user = _field("User", os.environ.get("PGUSER", "") or "as on this computer")
        self.password = _field("Password", "from PGPASSWORD or ~/.pgpass")
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        self.told = label("", wrap=True, selectable=True, tone="error")
        self.kept = label(
            "Nothing is changed there. User and password are kept until the program ends, and in no file.", wrap=True
        )
        set_look(self.kept, muted=True, small=True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.open_it = self.buttons.addButton("&Open", QDialogButtonBox.ButtonRole.AcceptRole)
        set_look(self.open_it, primary=True)
        self.buttons.accepted.connect(self._open)
        self.buttons.rejected.connect(self.reject)
        grid = form_grid()
        fields = {"&Address": self.address, "&User": self.user, "Pass&word": self.password}
        for row, (name, field) in enumerate(fields.items()):
            title = label(name)
            title.setBuddy(field)
            grid.addWidget(title, row, 0)
            grid.addWidget(field, row, 1)
        boxes.column(grid, self.told, self.kept, 1, self.buttons, margins="l", spacing="m", inside=self)
        self.setMinimumWidth(2 * tokens.EXPLAIN_WIDTH)
        if address is not None:
            self.address.setText(str(address))
            self.user.setText(credentials_for(address).user)
            self.told.setText("The server refused who asked. Give another user or password.")
            self.password.setFocus()
        self.told.setVisible(bool(self.told.text()))

    def _open(self) -> None:
        try:
            address = Address.of(self.address.text().strip())
        except WorkbenchError as error:
            self.told.setText(str(error))
            self.told.show()
            self.address.setFocus()
            return
        user = self.user.text().strip() or credentials_for(address).user
        remember(address, Credentials(user, self.password.text()))
        self.password.clear()
        self.accept()
        self.chosen.emit(address.path)


def _field(name: str, placeholder: str) -> QLineEdit:
    field = QLineEdit()
    field.setAccessibleName(name)
    field.setPlaceholderText(placeholder)
    return field
