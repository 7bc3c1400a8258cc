"""The style in which a release is written: the kind of file, and what is chosen besides for one of text."""

from __future__ import annotations

from types import MappingProxyType

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QGridLayout, QSizePolicy

from workbench.gui.widgets.eliding_combo import FACE, ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.form_grid import form_grid
from workbench.gui.widgets.labels import label
from workbench.io.export_format import DECIMAL_MARKS, DELIMITERS, ENCODINGS, FORMATS, ExportFormat, FileFormat

_PARTED = MappingProxyType({";": "semicolons", "\t": "tabs", "|": "pipes"})
"""What parts the cells, where it is not the comma that a CSV is taken to have."""
_ENCODINGS = {"utf-8-sig": "UTF-8 with mark (for Excel)", "cp1252": "Windows western (cp1252)"}


def parted_words(style: ExportFormat, like: str = "") -> str:
    """By what cells of a file of text are parted, where it is no comma; `like` is what parts those of the table."""
    if not style.kind.delimited or style.delimiter not in _PARTED:
        return ""
    return f"parted by {_PARTED[style.delimiter]}{' as in your file' if style.delimiter == like else ''}"


class FileStyle:
    """The boxes in which the style of a file is chosen; whoever makes them lays them out.

    Kinds that this installation cannot write are shown, but cannot be chosen.
    """

    def __init__(self) -> None:
        self.form = ElidingComboBox("Kind of file", tuple((one.title, one.identifier) for one in FORMATS.values()))
        self.delimiter = ElidingComboBox(
            "Delimiter", tuple(zip(("Comma", "Semicolon", "Tab", "Pipe"), DELIMITERS, strict=True))
        )
        self.encoding = ElidingComboBox(
            "Encoding", tuple((_ENCODINGS.get(name, name.upper()), name) for name in ENCODINGS)
        )
        self.quotes = ElidingComboBox("Quotation marks", (("If needed", False), ("All cells", True)))
        self.decimal = ElidingComboBox("Decimal mark", tuple(zip(("Point", "Comma"), DECIMAL_MARKS, strict=True)))
        self._of_text = (self.encoding, self.delimiter, self.quotes, self.decimal)
        for box in (self.form, *self._of_text):
            set_explain(box, "release.format")
        self._like = ""
        self.delimiter.currentIndexChanged.connect(self._say_delimiter)
        self._disable_missing()

    def part_like(self, delimiter: str) -> None:
        """Part cells by what parts those of the table: who reads the one file reads the other."""
        self._like = delimiter
        self.delimiter.choose(delimiter)
        self._say_delimiter()

    def _say_delimiter(self) -> None:
        """Say at the kind of file by what its cells are parted, as nobody opens the details for that."""
        for row, kind in enumerate(FORMATS.values()):
            if kind.delimited:
                style = ExportFormat(kind.identifier, str(self.delimiter.chosen))
                words = parted_words(style, self._like)
                self.form.setItemData(row, f"{kind.title}, {words}" if words else None, FACE)
        self.form.update()

    @property
    def kind(self) -> FileFormat:
        """The kind of file that is chosen."""
        return FORMATS[str(self.form.chosen)]

    @property
    def chosen(self) -> ExportFormat:
        """How the file is to be written."""
        form = self.kind.identifier
        if not self.kind.delimited:
            return ExportFormat(form)
        return ExportFormat(
            form,
            str(self.delimiter.chosen),
            str(self.encoding.chosen),
            bool(self.quotes.chosen),
            str(self.decimal.chosen),
        )

    def grid(self) -> QGridLayout:
        """Grid of what is chosen for files of text, with its labels."""
        grid = form_grid()
        for row, box in enumerate(self._of_text):
            title = label(box.accessibleName())
            title.setBuddy(box)
            box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            grid.addWidget(title, row, 0)
            grid.addWidget(box, row, 1)
        return grid

    def offer(self) -> None:
        """Offer what the chosen kind of file has: only text has further choices."""
        for box in self._of_text:
            box.setEnabled(self.kind.delimited)

    def _disable_missing(self) -> None:
        model = self.form.model()
        assert isinstance(model, QStandardItemModel)
        for row, kind in enumerate(FORMATS.values()):
            if kind.missing is not None:
                model.item(row).setEnabled(False)
                self.form.setItemData(row, str(kind.missing), Qt.ItemDataRole.ToolTipRole)
