"""A field that says where data is worked on: in memory, with DuckDB, or on a Spark."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.engines.choice import DUCKDB, EngineChoice
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import ComboBox


class EngineField(ComboBox):
    """A list of engines.

    Parameters
    ----------
    spark
        The connection string of the Spark to offer; "" for none.

    Signals
    -------
    changed()
        The person chose another one.
    """

    changed = Signal()

    def __init__(self, spark: str = "", parent: QWidget | None = None) -> None:
        super().__init__("Where the data is worked on", parent=parent)
        self.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.addItem("In memory", EngineChoice())
        self.addItem("With DuckDB", EngineChoice(DUCKDB))
        if spark:
            self._offer(EngineChoice(spark))
        set_explain(self, "engine.choice")
        self.activated.connect(self._tell)

    @property
    def engine(self) -> EngineChoice:
        """The engine that is chosen."""
        chosen = self.chosen
        assert isinstance(chosen, EngineChoice)
        return chosen

    def show_engine(self, engine: EngineChoice) -> None:
        """Select an engine, which may be one that was not offered; nothing is signalled."""
        if all(self.itemData(row) != engine for row in range(self.count())):
            self._offer(engine)
        self.choose(engine)

    def _offer(self, engine: EngineChoice) -> None:
        self.addItem(f"On {engine.title}", engine)

    def _tell(self, _index: int) -> None:
        self.changed.emit()
