"""How much privacy, how many people, and how often each of them reports."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.rationals import rational
from workbench.core.table import Table
from workbench.gui.document import Document
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.epsilon_field import EpsilonField
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.form_grid import form_grid
from workbench.gui.widgets.inputs import SpinBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.section import Section
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.estimation import AUTO
from workbench.ldp.estimator import ESTIMATORS
from workbench.ldp.persons import Budget, person_column
from workbench.ldp.postprocessing import POSTPROCESSES
from workbench.ldp.prediction import MOST_USERS
from workbench.ldp.protocol import LARGEST_EPSILON, SMALLEST_EPSILON

_MOST_REPETITIONS = 1000


class PrivacySection(Section):
    """ε of a report, the people, and one report per person."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)
        self.set_title("Privacy and people")
        self._document = document
        self.epsilon = EpsilonField(
            "ε of one report", minimum=SMALLEST_EPSILON, maximum=LARGEST_EPSILON, open_minimum=False
        )
        self.epsilon.value_changed.connect(self._set_epsilon)
        self.users = NumberField(
            "People who are asked",
            minimum=1,
            maximum=MOST_USERS,
            integer=True,
            optional=True,
            logarithmic=True,
            compact=True,
            unit="people",
        )
        self.users.value_changed.connect(self._set_users)
        self.users.cleared.connect(self._all_users)
        self.once = QCheckBox("One report per person")
        self.once.setAccessibleName("One report per person")
        self.once.clicked.connect(self._set_once)
        self.budget = label(small=True, muted=True, wrap=True)
        self.add(label("ε of one report"))
        self.add(self.epsilon)
        grid = form_grid()
        grid.addWidget(label("Asked"), 0, 0)
        grid.addWidget(self.users, 0, 1)
        self.add(grid)
        self.add(self.once)
        self.add(self.budget)
        set_explain(self.epsilon, "collect.epsilon")
        set_explain(self.users, "collect.users")
        set_explain(self.once, "collect.person")

    @property
    def valid(self) -> bool:
        """Whether the fields show what is in force."""
        return self.epsilon.valid and self.users.valid

    def refresh(self, table: Table) -> None:
        """Show the settings."""
        project = self._document.project
        settings, schema = project.collect, project.schema
        self.epsilon.set_value(settings.epsilon)
        if self.users.value != settings.users:
            self.users.set_value(settings.users)
        self.users.edit.setPlaceholderText(f"all {table.rows:,} rows")
        name = person_column(schema, table)
        self.once.setVisible(bool(name) or settings.one_report_per_person)
        self.once.setChecked(settings.one_report_per_person)
        self.once.setToolTip(f"Of the rows with the same “{name}” only one reports.")
        reports = 1 if settings.one_report_per_person else schema.unit.rows_per_person
        own = [one.protocol.title for one in settings.protocols if _own_epsilon(one)]
        words = "" if own and len(own) == len(settings.protocols) else Budget(rational(settings.epsilon), reports).text
        if own:
            follows = "The ε of {names} follows from the parameters; the page “Protocol” shows it."
            words = f"{words} {follows.format(names=', '.join(own))}".strip()
        self.budget.setText(words)

    def point_at(self, field: str) -> None:
        """Put the focus where an error comes from."""
        widgets: dict[str, QWidget] = {"epsilon": self.epsilon, "users": self.users}
        if field in widgets:
            widgets[field].setFocus()

    def _set_epsilon(self, value: float) -> None:
        if value != self._document.project.collect.epsilon:
            self._change("Change ε", "epsilon", value)

    def _set_users(self, value: float) -> None:
        if value != self._document.project.collect.users:
            self._change("Change how many are asked", "users", round(value))

    def _all_users(self) -> None:
        if self._document.project.collect.users is not None:
            self._change("Ask all", "users", None)

    def _set_once(self, wanted: bool) -> None:
        self._change("One report per person", "one_report_per_person", wanted)

    def _change(self, words: str, name: str, value: object) -> None:
        self._document.apply(words, lambda session: session.collection.change(**{name: value}), merge=f"collect {name}")


class EstimateSection(Section):
    """The way to estimate, and how a simulation is repeated."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)
        self.set_title("Estimate and simulate")
        self._document = document
        self.estimator = ElidingComboBox(
            "Estimator",
            [("Best for the protocol", AUTO)] + [(e.title, e.identifier) for e in ESTIMATORS],
        )
        self.postprocess = ElidingComboBox(
            "Post-processing",
            [("Best for the estimator", AUTO)] + [(p.title, p.identifier) for p in POSTPROCESSES.values()],
        )
        for combo, summaries in (
            (self.estimator, [e.summary for e in ESTIMATORS]),
            (self.postprocess, [p.summary for p in POSTPROCESSES.values()]),
        ):
            for row, summary in enumerate(summaries, start=1):
                combo.setItemData(row, summary, Qt.ItemDataRole.ToolTipRole)
        self.estimator.activated.connect(self._set_method)
        self.postprocess.activated.connect(self._set_method)
        self.repetitions = SpinBox("Repetitions", 1, _MOST_REPETITIONS, 20, "times")
        self.repetitions.valueChanged.connect(self._set_repetitions)
        self.seed = NumberField(
            "Seed of the simulation",
            minimum=0,
            maximum=2**31 - 1,
            integer=True,
            optional=True,
            compact=True,
            placeholder="another each time",
        )
        self.seed.value_changed.connect(self._set_seed)
        self.seed.cleared.connect(self._no_seed)
        grid = form_grid()
        for row, (title, field) in enumerate(
            (
                ("Estimator", self.estimator),
                ("Then", self.postprocess),
                ("Repeat", self.repetitions),
                ("Seed", self.seed),
            )
        ):
            field.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            grid.addWidget(label(title), row, 0)
            grid.addWidget(field, row, 1)
        self.add(grid)
        set_explain(self.estimator, "collect.estimator")
        set_explain(self.postprocess, "collect.postprocess")
        set_explain(self.repetitions, "collect.repetitions")
        set_explain(self.seed, "collect.seed")

    @property
    def valid(self) -> bool:
        """Whether the fields show what is in force."""
        return self.seed.valid

    def refresh(self) -> None:
        """Show the settings."""
        settings = self._document.project.collect
        self.estimator.choose(settings.method.estimator)
        self.postprocess.choose(settings.method.postprocess)
        blocked = self.repetitions.blockSignals(True)
        self.repetitions.setValue(settings.repetitions)
        self.repetitions.blockSignals(blocked)
        if self.seed.value != settings.seed:
            self.seed.set_value(settings.seed)

    def _set_method(self, _row: int) -> None:
        method = replace(
            self._document.project.collect.method,
            estimator=str(self.estimator.chosen),
            postprocess=str(self.postprocess.chosen),
        )
        self._change("Change the estimator", "method", method)

    def _set_repetitions(self, value: int) -> None:
        self._change("Change the repetitions", "repetitions", value)

    def _set_seed(self, value: float) -> None:
        if value != self._document.project.collect.seed:
            self._change("Change the seed", "seed", round(value))

    def _no_seed(self) -> None:
        if self._document.project.collect.seed is not None:
            self._change("Another seed each time", "seed", None)

    def _change(self, words: str, name: str, value: object) -> None:
        self._document.apply(words, lambda session: session.collection.change(**{name: value}), merge=f"collect {name}")


def _own_epsilon(choice: ProtocolChoice) -> bool:
    try:
        return choice.other_epsilon
    except WorkbenchError:  # of a plugin that is not installed
        return False
