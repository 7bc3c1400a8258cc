"""Settings of the people asked: ε, their number, and how often each of them reports."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.epsilon_field import EpsilonField
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.section import Section
from workbench.gui.workspaces.collect.settings_form import settings_form
from workbench.ldp.estimation import AUTO
from workbench.ldp.estimator import ESTIMATORS
from workbench.ldp.participation import Participation
from workbench.ldp.postprocessing import POSTPROCESSES
from workbench.ldp.protocol import LARGEST_EPSILON, SMALLEST_EPSILON
from workbench.session.collection.decision import about_whom
from workbench.session.collection.typed_answers import answers_begun
from workbench.session.typed_bounds import people_typed

_UNTICK = "A survey asks some of the people it is about. Untick it if you ask all of them."


class PrivacySection(Section):
    """ε of a report, the people, and one report per person."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__("Privacy and people", parent=parent)
        self._document = document
        epsilon = EpsilonField("ε of one report", minimum=SMALLEST_EPSILON, maximum=LARGEST_EPSILON, open_minimum=False)
        self.form = settings_form(self, document, "privacy", fields={"epsilon": epsilon})
        self.epsilon, self.users = epsilon, self.form["users"]
        self.once = self.form["one_report_per_person"]
        self.add(label("ε of one report"))
        self.add(self.epsilon)
        self.add(self.form.grid(leave_out=("epsilon", "one_report_per_person")))
        self.about_whom = label(muted=True, small=True, wrap=True)
        self.add(self.about_whom)
        self._compared: int | None = None
        self.as_compared = push_button("As in Compare", self._take_compared, quiet=True, explain="collect.users")
        set_look(self.as_compared, align="left")
        self.as_compared.hide()
        self.add(self.as_compared)
        self.add(self.once)
        # What people report by is chosen where reports are; a plan counts it, and so it can be chosen beside a plan.
        self.taking_part = settings_form(self, document, "reports", only=("participation",))
        self.participation = self.taking_part["participation"]
        self._taking_part = label("Who takes part")
        self._taking_part.setBuddy(self.participation)
        self.participation.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        for part in (self._taking_part, self.participation):
            self.add(part)
            part.hide()

    @property
    def valid(self) -> bool:
        """Whether the fields show what is in force."""
        return self.form.valid

    def refresh(self) -> None:
        """Show the settings."""
        desk = self._document.session.collection
        settings = desk.settings
        self.form.refresh()
        self.about_whom.setToolTip(_UNTICK if desk.sampling_proposed else "")
        self.about_whom.setText(about_whom(settings.sampling, proposed=desk.sampling_proposed))
        self.users.edit.setPlaceholderText("how many" if desk.without_table else "all")
        known = people_typed(self._document.project, "Collect", looked=self._document.looked)
        self._compared = None if known is None or known[0] == self._asked() else known[0]
        self.as_compared.setVisible(self._compared is not None)
        if known is not None and self._compared is not None:
            self.as_compared.setText(f"{self._compared:,} as in {known[1]}")
            self.as_compared.setAccessibleName(f"{self._compared:,} people, as in {known[1]}")
        self.taking_part.refresh()
        chosen = settings.participation is not Participation.AUTO
        plans = desk.answerable and not desk.assumes_shares and not desk.asks_mean
        for part in (self._taking_part, self.participation):
            part.setVisible(plans and (desk.counts_no_part or chosen))
        name = desk.person
        self.once.setVisible(bool(name) or settings.one_report_per_person)
        self.once.setToolTip(f"Of the rows with the same “{name}” only one reports.")

    def _asked(self) -> int | None:
        """How many are asked, as far as that is exact: before a look it is the rows roughly, and typing says more."""
        desk, preparation = self._document.session.collection, self._document.project.preparation
        settings = desk.settings
        each_row = desk.answerable and not (settings.one_report_per_person or preparation.limit_rows)
        return desk.shown_rows if settings.users is None and desk.looked and each_row else settings.users

    def _take_compared(self) -> None:
        people = self._compared
        if people is not None:
            self._document.apply(
                "As many people as in Compare", lambda session: session.collection.change(users=people)
            )

    def point_at(self, field: str) -> None:
        """Put the focus where an error comes from."""
        self.form.point_at(field)


class EstimateSection(Section):
    """The way to estimate, and how a simulation is repeated."""

    only_means = False
    """Whether nothing but means is asked for, of which there is one way to estimate them."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__("Estimate and simulate", parent=parent)
        self._document = document
        chosen = {
            "estimator": [("Best for the protocol", AUTO)] + [(one.title, one.identifier) for one in ESTIMATORS],
            "postprocess": [("Best for estimator", AUTO)]
            + [(one.title, one.identifier) for one in POSTPROCESSES.values()],
        }
        self.form = settings_form(self, document, "estimate", choices=chosen)
        self.repetitions = self.form["repetitions"]
        for name, summaries in (
            ("estimator", [one.summary for one in ESTIMATORS]),
            ("postprocess", [one.summary for one in POSTPROCESSES.values()]),
        ):
            for row, summary in enumerate(summaries, start=1):
                self.form[name].setItemData(row, summary, Qt.ItemDataRole.ToolTipRole)
        self.add(self.form.grid(squeezed=True))

    @property
    def valid(self) -> bool:
        """Whether the fields show what is in force."""
        return self.form.valid

    def refresh(self) -> None:
        """Show the settings."""
        self.form.refresh()
        for name in ("estimator", "postprocess"):
            self.form.set_shown(name, not self.only_means)
        desk = self._document.session.collection
        # Of a survey whose answers are still to be typed there is nothing to simulate yet.
        simulates = not desk.without_table or answers_begun(desk.settings.encoding)
        self.set_title("Estimate and simulate" if simulates else "Estimate")
        for name in ("repetitions", "seed"):
            self.form.set_shown(name, simulates)
