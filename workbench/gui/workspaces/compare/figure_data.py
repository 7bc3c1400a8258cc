"""The choice of the data a published figure is made of."""

from __future__ import annotations

from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.evaluate.samples import Needs, SampleColumn
from workbench.gui.document import Document
from workbench.gui.widgets.eliding_combo import ElidingComboBox


class FigureData(ElidingComboBox):
    """The shipped sample, or a column of the open data."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__("Data", parent=parent)
        self._document = document
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    @property
    def column(self) -> str:
        """The column of the open data, "" for the shipped sample."""
        return str(self.chosen or "")

    def offer(self, needs: Needs, sample: SampleColumn | None, chosen: str) -> None:
        """Offer the columns as they are now, to a figure that needs this kind, and choose one of them if it is there.

        Parameters
        ----------
        sample
            What the figure takes by default; None where it needs no data, or takes the counts that are printed.
        chosen
            The column, "" for what it takes by default.
        """
        self.clear()
        if sample is None:
            self.addItem("none is needed" if needs is Needs.NOTHING else "The counts that are printed", "")
        else:
            self.addItem(f"Shipped sample: {sample.title}", "")
        if needs is not Needs.NOTHING:
            for spec in self._document.project.schema.columns if self._document.has_data else ():
                if needs is not Needs.NUMBERS or spec.kind.numeric:
                    self.addItem(f"My own column: {spec.name}", spec.name)
        self.choose(chosen)
        self.setEnabled(self.count() > 1)
