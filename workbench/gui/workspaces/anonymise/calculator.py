"""The (ε, δ) calculator: four numbers, one of which follows from the other three."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QComboBox, QGridLayout, QLabel, QRadioButton, QWidget

from workbench.anonymise.guarantee import MAX_EPSILON, MAX_K, Accounting, Guarantee
from workbench.anonymise.promise import safe_to_type
from workbench.core.errors import WorkbenchError
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets.calm_wheel import CalmWheel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import LogSlider, NumberField
from workbench.gui.widgets.section import Section
from workbench.gui.workspaces.anonymise.share_slider import ShareSlider
from workbench.project.model import GuaranteeSettings, Unknown
from workbench.session.release.assessment import PromiseAssessment

_ORDER: tuple[Unknown, ...] = ("epsilon", "delta", "beta", "k")
_SYMBOLS = {"epsilon": "ε", "delta": "δ", "beta": "β", "k": "k"}
_COMBO_LETTERS = 8
_EPSILON_SLIDER = (0.01, MAX_EPSILON)


class Calculator(Section):
    """Shows and edits `GuaranteeSettings`; what cannot be solved is said at the field that is to blame.

    Signals
    -------
    validity_changed()
        A field holds no number any more, or holds one again.
    """

    validity_changed = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)
        self.set_title("Guarantee")
        self.set_description("The marked one is computed from the others.")
        self._document = document
        self._showing = False
        self._promised: Guarantee | None = None
        self.fields: dict[Unknown, NumberField] = {
            "epsilon": NumberField(
                "ε", minimum=0, open_minimum=True, maximum=MAX_EPSILON, logarithmic=True, compact=True
            ),
            "delta": NumberField(
                "δ", minimum=0, open_minimum=True, maximum=1, open_maximum=True, logarithmic=True, compact=True
            ),
            "beta": NumberField(
                "β", minimum=0, open_minimum=True, maximum=1, open_maximum=True, step=0.05, compact=True
            ),
            "k": NumberField("k", minimum=1, maximum=MAX_K, integer=True, unit="rows", compact=True),
        }
        self.errors: dict[str, QLabel] = {name: _error_label() for name in (*_ORDER, "accounting")}
        self.radios: dict[Unknown, QRadioButton] = {}
        self._group = QButtonGroup(self)
        self.rule = ComboBox("How β is chosen")
        self.accounting = ComboBox("Accounting")
        self.facts = label(muted=True, wrap=True)
        self._wheel = CalmWheel(self)
        self._fill_choices()
        self.epsilon_slider = LogSlider(
            self.fields["epsilon"],
            minimum=_EPSILON_SLIDER[0],
            maximum=_EPSILON_SLIDER[1],
            low="better privacy",
            high="better accuracy",
        )
        self.share = ShareSlider()
        self._wheel.guard(self.rule, self.accounting, self.epsilon_slider.slider, self.share.slider)
        self._lay_out()
        self._connect()

    @property
    def valid(self) -> bool:
        """Whether every field shows the number that is in force."""
        return all(field.valid for field in self.fields.values())

    # Building

    def _fill_choices(self) -> None:
        self.rule.addItem("β is a number I give", "")
        self.rule.addItem("β is 1 − e⁻ᵋ, the classical choice", "max")
        self.rule.addItem("β is the best for rare groups", "best")
        for combo in (self.rule, self.accounting):
            combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            combo.setMinimumContentsLength(_COMBO_LETTERS)
        self.accounting.addItem("exact", Accounting.EXACT)
        self.accounting.addItem("classical theorem", Accounting.CLASSICAL)
        set_explain(self.rule, "anonymise.beta")
        set_explain(self.accounting, "anonymise.accounting")

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(tokens.SPACE_S)
        grid.setVerticalSpacing(tokens.SPACE_XS)
        grid.setColumnStretch(1, 1)
        names = {
            "epsilon": "ε  privacy loss",
            "delta": "δ  beyond ε",
            "beta": "β  share sampled",
            "k": "k  smallest group",
        }
        row = 0
        for name in _ORDER:
            radio = QRadioButton(names[name])
            radio.setAccessibleName(f"Compute {_SYMBOLS[name]}")
            radio.setToolTip(f"Compute {_SYMBOLS[name]} from the other three")
            self._group.addButton(radio, _ORDER.index(name))
            self.radios[name] = radio
            set_explain(radio, "anonymise.solve_for")
            set_explain(self.fields[name], f"anonymise.{name}")
            grid.addWidget(radio, row, 0)
            grid.addWidget(self.fields[name], row, 1)
            grid.addWidget(self.errors[name], row + 1, 0, 1, 2)
            row += 2
            if name == "epsilon":
                grid.addWidget(self.epsilon_slider, row, 0, 1, 2)
                row += 1
            elif name == "beta":
                grid.addWidget(self.rule, row, 0, 1, 2)
                grid.addWidget(self.share, row + 1, 0, 1, 2)
                row += 2
        grid.addWidget(label("Accounting"), row, 0)
        grid.addWidget(self.accounting, row, 1)
        grid.addWidget(self.errors["accounting"], row + 1, 0, 1, 2)
        set_explain(self.epsilon_slider, "anonymise.epsilon")
        set_explain(self.share, "anonymise.tradeoff")
        self.add(grid)
        self.add(self.facts)

    def _connect(self) -> None:
        for name, field in self.fields.items():
            field.value_changed.connect(getattr(self, f"_{name}_typed"))
            field.validity_changed.connect(self._tell_validity)
        self._group.idToggled.connect(self._choose_unknown)
        self.rule.activated.connect(self._choose_rule)
        self.accounting.activated.connect(self._choose_accounting)
        self.share.moved.connect(self._share_moved)

    # Showing

    def show_assessment(self, found: PromiseAssessment) -> None:
        """Show the settings as they stand and what follows from them."""
        settings = self._settings
        self._promised = found.guarantee
        self._showing = True
        try:
            for name, radio in self.radios.items():
                radio.setChecked(name == settings.solve_for)
                # As in every group of radio buttons, Tab stops at the chosen one and the arrows go on from it.
                radio.setFocusPolicy(
                    Qt.FocusPolicy.StrongFocus if name == settings.solve_for else Qt.FocusPolicy.ClickFocus
                )
            by_rule = isinstance(settings.beta, str) and settings.solve_for == "k"
            for name, field in self.fields.items():
                computed = name == settings.solve_for or (name == "beta" and by_rule)
                field.edit.setReadOnly(computed)
                self._show_number(field, self._shown_value(name, computed))
            self.rule.setCurrentIndex(max(self.rule.findData(settings.beta if by_rule else ""), 0))
            self.rule.setEnabled(settings.solve_for == "k")
            self.accounting.setCurrentIndex(self.accounting.findData(settings.accounting))
            self.epsilon_slider.setEnabled(settings.solve_for != "epsilon")
            beta = self.fields["beta"].value
            self.share.setEnabled(settings.solve_for != "beta")
            if beta is not None:
                self.share.set_share(beta)
        finally:
            self._showing = False
        self._show_errors(found.error)
        self.radios["epsilon"].setText(
            "ε  privacy loss" if self._document.session.release.columns.private_search is None else "ε  of the release"
        )
        promised = found.claim.guarantee if found.claim is not None else None
        self.facts.setText("\n".join(promised.meaning) if promised is not None else "")
        self.facts.setVisible(promised is not None)

    def set_best_share(self, best: float | None) -> None:
        """Where the slider of β begins: below it, fewer rows are kept and rarer groups do not gain either."""
        self._showing = True
        try:
            self.share.set_lowest(best)
        finally:
            self._showing = False

    def reset_invalid(self) -> None:
        """Put the number in force back into fields that hold none."""
        for name, field in self.fields.items():
            if not field.valid:
                self._showing = True
                try:
                    field.set_value(self._shown_value(name, name == self._settings.solve_for))
                finally:
                    self._showing = False

    @property
    def _settings(self) -> GuaranteeSettings:
        return self._document.project.anonymise.guarantee

    def _shown_value(self, name: Unknown, computed: bool) -> float | None:
        if not computed:
            asked: float | None = getattr(self._settings, name)
            return asked
        if self._promised is None:
            return None
        return safe_to_type(name, getattr(self._promised, name))

    def _show_number(self, field: NumberField, value: float | None) -> None:
        writing = field.edit.hasFocus() and field.edit.isModified() and not field.edit.isReadOnly()
        if writing and (not field.valid or field.value == value):
            return  # Nobody's half-typed number is taken away.
        if value is None:
            field.edit.clear()
            field.set_error("")
        elif field.value != value:
            field.set_value(value)

    def _show_errors(self, error: WorkbenchError | None) -> None:
        blamed = ""
        if error is not None:
            blamed = error.field if error.field in self.errors else "accounting"
        fields = {str(name): field for name, field in self.fields.items()}
        for name, shown in self.errors.items():
            field = fields.get(name)
            text = ""
            if field is not None and not field.edit.isReadOnly() and not field.valid:
                text = field.error
            elif name == blamed and error is not None:
                text = str(error)
            shown.setText(text)
            shown.setVisible(bool(text))
            if field is not None and field.valid:
                set_look(field.edit, invalid=name == blamed)

    def _tell_validity(self, _valid: bool) -> None:
        if not self._showing:
            self._show_errors(None)
            self.validity_changed.emit()

    # Editing

    def _epsilon_typed(self, value: float) -> None:
        self._set("epsilon", value)

    def _delta_typed(self, value: float) -> None:
        self._set("delta", value)

    def _beta_typed(self, value: float) -> None:
        self._set("beta", value)

    def _k_typed(self, value: float) -> None:
        self._set("k", int(value))

    def _share_moved(self, value: float) -> None:
        self._set("beta", value)

    def _set(self, name: Unknown, value: float) -> None:
        if self._showing or name == self._settings.solve_for:
            return
        symbol = _SYMBOLS[name]
        self._change(f"Change {symbol}", merge=f"guarantee.{name}", **{name: value})

    def _choose_unknown(self, identifier: int, checked: bool) -> None:
        if self._showing or not checked:
            return
        unknown = _ORDER[identifier]
        # What was computed becomes a given number, so that nothing but the choice changes.
        values: dict[str, Any] = {}
        for name in _ORDER:
            value = self.fields[name].value
            if value is not None:
                values[name] = int(value) if name == "k" else value
            elif isinstance(getattr(self._settings, name), str):
                values[name] = 0.5
        self._change(f"Compute {_SYMBOLS[unknown]}", solve_for=unknown, **values)

    def _choose_rule(self, _index: int) -> None:
        rule = self.rule.chosen
        value = rule or self.fields["beta"].value or 0.5
        self._change("Change how β is chosen", beta=value)

    def _choose_accounting(self, _index: int) -> None:
        self._change("Change the accounting", accounting=self.accounting.chosen)

    def _change(self, text: str, *, merge: str = "", **values: Any) -> None:
        wanted = replace(self._settings, **values)
        if wanted != self._settings:
            self._document.apply(text, lambda session: session.release.set_guarantee(wanted), merge=merge)


def _error_label() -> QLabel:
    made = label(small=True, wrap=True, selectable=True, tone="error")
    made.hide()
    return made
