"""The privacy models, as a list that can be added to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu, QPushButton, QVBoxLayout, QWidget

from workbench.anonymise.privacy import MODELS, ModelChoice, PrivacyModel
from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamType
from workbench.core.schema import Role
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.icons import icon
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.parameter_fields import ParameterFields
from workbench.gui.widgets.remove_button import RemoveButton
from workbench.session import Session


class ModelForm(QWidget):
    """One chosen model: its title, its parameters, and a button that takes it away.

    Signals
    -------
    changed(str, object)
        A parameter was given another value.
    removed()
        The person wants the model away.
    """

    changed = Signal(str, object)
    removed = Signal()

    def __init__(self, choice: ModelChoice, columns: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.identifier = choice.identifier
        try:
            model: PrivacyModel | None = choice.model
        except WorkbenchError:
            model = None  # A plugin that was installed where the project was saved.
        title = model.title if model is not None else choice.identifier
        tip = f"{model.summary}\n\n{model.citation}" if model is not None else "This model is not installed."
        self.title = label(title, strong=True, wrap=True)
        self.title.setToolTip(tip)
        self.setAccessibleName(title)
        self.setAccessibleDescription(tip)
        self.remove = RemoveButton(f"Remove {title}")
        self.remove.clicked.connect(self.removed)
        self.fields = ParameterFields(model.params if model is not None else (), columns)
        self.fields.changed.connect(self.changed)
        self._problem = label(small=True, wrap=True, tone="error")
        top = boxes.row((self.title, 1), (self.remove, Qt.AlignmentFlag.AlignTop), spacing="s")
        column = boxes.column(top, spacing="xs", inside=self)
        if model is not None:
            column.addWidget(label(model.summary, muted=True, small=True, wrap=True))
        column.addWidget(self.fields)
        column.addWidget(self._problem)

    def show_choice(self, choice: ModelChoice) -> None:
        """Show the parameters as they stand, and what is wrong with them."""
        problem = ""
        try:
            self.fields.show_values(choice.checked())
        except WorkbenchError as error:
            problem = error.message
            self.fields.show_values(choice.values)
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))


class ModelsSection(QWidget):
    """Shows and edits the models of the question.

    Signals
    -------
    validity_changed()
        A field holds no number any more, or holds one again.
    """

    validity_changed = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.forms: list[ModelForm] = []
        self._made_for: tuple[tuple[str, ...], tuple[str, ...]] | None = None
        self._list = QVBoxLayout()
        self._list.setSpacing(tokens.SPACE_L)
        self._none = label("No model yet: nothing would be anonymised.", wrap=True, tone="warning")
        self.add_button = QPushButton("Add a model…")
        self.add_button.setIcon(icon("add"))
        self.add_button.setAccessibleName(self.add_button.text())
        self.add_button.clicked.connect(self.open_menu)
        set_explain(self, "anonymise.models")
        boxes.column(self._none, self._list, boxes.row(self.add_button, 1), spacing="m", inside=self)

    @property
    def valid(self) -> bool:
        return all(form.fields.valid for form in self.forms)

    def refresh(self) -> None:
        """Show the models as the question has them; forms stay while the models are the same."""
        models = self._document.project.anonymise.question.models
        columns = self._columns()
        made_for = (tuple(choice.identifier for choice in models), columns)
        if made_for != self._made_for:
            self._made_for = made_for
            self._rebuild(models, columns)
        for form, choice in zip(self.forms, models, strict=True):
            form.show_choice(choice)
        self._none.setVisible(not models)

    def _rebuild(self, models: Sequence[ModelChoice], columns: Sequence[str]) -> None:
        for form in self.forms:
            self._list.removeWidget(form)
            form.fields.retire()
            form.hide()
            form.deleteLater()
        self.forms = []
        before: QWidget = self
        for position, choice in enumerate(models):
            form = ModelForm(choice, columns)
            form.changed.connect(partial(self._change, position))
            form.removed.connect(partial(self._remove, position))
            form.fields.validity_changed.connect(self.validity_changed)
            self._list.addWidget(form)
            self.forms.append(form)
            for control in (form.remove, *form.fields.fields.values()):
                QWidget.setTabOrder(before, control)
                before = control
        QWidget.setTabOrder(before, self.add_button)

    def _columns(self) -> tuple[str, ...]:
        """Columns a model may name: those that matter most first."""
        schema = self._document.project.schema
        first = (Role.SENSITIVE, Role.INSENSITIVE, Role.QUASI, Role.IDENTIFYING)
        names = sorted(schema.columns, key=lambda column: first.index(column.role))
        return tuple(column.name for column in names)

    # Editing

    def open_menu(self) -> None:
        """Offer every model there is."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setToolTipsVisible(True)
        for model in sorted(MODELS, key=lambda one: (one.identifier != "k-anonymity", one.title.casefold())):
            action = menu.addAction(model.title, partial(self.add_model, model.identifier))
            action.setToolTip(f"{model.summary}\n\n{model.citation}")
        menu.popup(self.add_button.mapToGlobal(QPoint(0, self.add_button.height())))

    def add_model(self, identifier: str) -> None:
        """Add a model with its usual parameters, and the column it most likely is about."""
        model = MODELS[identifier]
        values: dict[str, Any] = {}
        for spec in model.params:
            if spec.type is ParamType.COLUMN and spec.default is None:
                values[spec.name] = self._likely_column()
            elif spec.default is not None:
                values[spec.name] = spec.default
        models = (*self._document.project.anonymise.question.models, ModelChoice(identifier, values))
        text = f"Add {model.title}"
        self._document.apply(text, lambda session: session.syntactic.set_models(models))

    def _likely_column(self) -> str:
        """A sensitive column; else one that is not generalised and identifies nobody; else any."""
        session: Session = self._document.session
        grouped = session.release.columns.quasi_identifiers()
        columns = session.project.schema.columns
        fitting = [c.name for c in columns if c.role is Role.SENSITIVE]
        fitting += [c.name for c in columns if c.role is not Role.IDENTIFYING and c.name not in grouped]
        fitting += [c.name for c in columns]
        return fitting[0] if fitting else ""

    def _current(self) -> list[ModelChoice]:
        """The models, if they are those of the forms; else none: a second press is quicker than the new forms."""
        models = self._document.project.anonymise.question.models
        same = [choice.identifier for choice in models] == [form.identifier for form in self.forms]
        return list(models) if same else []

    def _change(self, position: int, name: str, value: object) -> None:
        models = self._current()
        if not models:
            return
        choice = models[position]
        models[position] = replace(choice, values={**choice.values, name: value})
        text = f"Change {choice.model.title}"
        if not self._document.apply(
            text, lambda session: session.syntactic.set_models(models), merge=f"model.{position}.{name}"
        ):
            self.refresh()

    def _remove(self, position: int) -> None:
        models = self._current()
        if not models:
            return
        title = self.forms[position].title.text()
        del models[position]
        self._document.apply(f"Remove {title}", lambda session: session.syntactic.set_models(models))
        self.add_button.setFocus()
