"""The line that says which rows take part, and why not if they cannot be chosen."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from workbench.core.number_text import percent
from workbench.core.schema import Misfits
from workbench.core.working_table import Preparation, PreparedTable
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import IconLabel
from workbench.gui.workspaces.data.rows_dialog import RowsDialog
from workbench.gui.workspaces.data.rows_keeper import RowsKeeper


class WhichRows(QWidget):
    """The number of rows that take part, and by which choice, where not all do; a button to choose stands elsewhere."""

    def __init__(self, document: Document, rows: RowsKeeper, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._rows = rows
        set_explain(self, "data.rows")
        self._icon = IconLabel("error", tokens.ICON_SMALL, "error")
        self.words = ElidedLabel()
        self.words.setMinimumWidth(1)
        self.choose = push_button(
            "Choose ro&ws…", self.show_dialog, name="Choose which rows take part", explain="data.rows"
        )
        boxes.row(self._icon, (self.words, 1), spacing="s", inside=self)
        rows.arrived.connect(self.refresh)
        document.changed.connect(self._on_changed)
        self.refresh()

    def refresh(self) -> None:
        """Say what is known now."""
        if not self._document.has_data:
            return
        error, prepared = self._rows.error, self._rows.prepared
        empty = self._document.looked and prepared is not None and not prepared.table.rows
        tone = "error" if error is not None else "warning" if empty else "none"
        self._icon.setVisible(tone != "none")
        if tone != "none":
            self._icon.set_icon(tone, tone)
        set_look(self.words, tone=tone)
        self.words.setToolTip("")
        if error is not None:
            self.words.set_text(error.message)
            self.words.setToolTip(f"{error.message}\n{error.hint or ''}".strip())
        elif prepared is None:
            self.words.set_text("Choosing rows…")
        else:
            self.words.set_text(self._said(prepared))
        # That all of them do is said by the number of rows beside it, and how many a person may have below.
        self.setVisible(tone != "none" or prepared is None or self._leaves_out(prepared))

    def _leaves_out(self, prepared: PreparedTable) -> bool:
        """Whether rows were left out by choice; before a look whether the settings choose, which tells of no row."""
        if not self._document.looked:
            chosen = self._document.project.preparation
            return bool(chosen.where) or chosen.sample < 1
        return prepared.table.rows + prepared.over_limit + prepared.without_person < prepared.rows_read

    def show_dialog(self) -> RowsDialog:
        """Let the person choose."""
        document = self._document
        dialog = RowsDialog(
            document.session.data.reading.table,
            document.project.schema,
            document.project.preparation,
            document.runner,
            self,
            looked=document.looked,
        )
        dialog.chosen.connect(self._apply)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
        return dialog

    def _on_changed(self, section: str) -> None:
        if section in ("rows", "file", "ledger"):
            self.refresh()

    def _apply(self, preparation: Preparation) -> None:
        before = self._document.project.preparation
        if preparation == before:
            return
        text = "Choose which rows take part"
        if not preparation.where and preparation.sample == 1:
            text = "Let every row take part"
        elif preparation.where == before.where:
            text = "Change the share of rows that take part"
        self._document.apply(text, lambda session: session.data.set_preparation(preparation))

    def _roughly(self) -> str:
        """The choice, without what it meets: whether that are many rows, some or none is seen after a look."""
        project = self._document.project
        chosen = project.preparation
        parts = [f"where {chosen.where}"] if chosen.where else []
        parts += [f"a random {percent(chosen.sample, 4)}"] if chosen.sample < 1 else []
        if any(spec.misfits is not Misfits.KEEP for spec in project.schema.columns):
            parts.append("values that do not fit set missing")
        return " · ".join(["A part of the rows takes part" if parts else "All rows take part", *parts])

    def _said(self, prepared: PreparedTable) -> str:
        preparation = self._document.project.preparation
        if not prepared.rows_read:
            return "The file has no rows"
        rows, all_rows = f"{prepared.table.rows:,}", f"{prepared.rows_read:,}"
        if not self._document.looked:
            return self._roughly()
        if not prepared.table.rows:
            parts = [f"None of {all_rows} rows takes part"]
        elif prepared.table.rows == prepared.rows_read and not preparation.where and not preparation.random:
            parts = [f"All {all_rows} rows take part"]
        else:
            parts = [f"{rows} of {all_rows} rows take part"]
        if preparation.where:
            parts.append(preparation.where)
        if preparation.sample < 1:
            parts.append(f"a random {percent(preparation.sample, 4)}")
        if prepared.over_limit:
            parts.append(f"{prepared.over_limit:,} over the limit per person")
        if prepared.without_person:
            parts.append(f"{prepared.without_person:,} that name no person")
        emptied = sum(prepared.misfits.values())
        if emptied:
            words = "1 value set missing" if emptied == 1 else "{n} values set missing"
            parts.append(words.format(n=f"{emptied:,}"))
        return " · ".join(parts)
