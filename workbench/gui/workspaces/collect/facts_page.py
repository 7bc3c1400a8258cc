"""One protocol in exact figures: its chances, its real ε, its variance, and where it comes from."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import estimate, exact
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.icons import icon
from workbench.gui.theme import set_look, tabular_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.save_chart import SaveChart
from workbench.gui.workspaces.collect.hand_offers import HandOffers
from workbench.gui.workspaces.collect.hand_out_buttons import HandOutButtons
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Domain
from workbench.ldp.estimator import ESTIMATORS
from workbench.ldp.participation import NO_PART
from workbench.ldp.plan import CollectionPlan
from workbench.ldp.postprocessing import POSTPROCESSES
from workbench.ldp.protocol import PROTOCOLS
from workbench.ldp.protocol_facts import ProtocolFacts
from workbench.plots import channel_heat
from workbench.session.collection.captions import chances_caption
from workbench.session.collection.facts import protocol_examiner, report_read
from workbench.session.collection.two_answers import WARNER, names_in, of_two, source_of_two
from workbench.session.collection.words import RESPONSE, epsilon_read, share_margin_words

FACTS_JOB = "collect.facts"
_SAME_BY_DIE = (
    "The page and “Reports” have a table for a die in place of this draw: the same protocol, and its chances to a "
    "millionth. One throw is enough at:"
)


class FactsPage(QWidget):
    """Any protocol there is, the ticked ones with the parameters they have.

    Signals
    -------
    check_wanted(object, int)
        The person wants to see the ε of this protocol checked, for so many answers.
    """

    check_wanted = Signal(object, int)
    by_hand_taken = Signal(object, float)
    """People are to draw by this protocol, with the coins or dice of this ε."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._domain: Domain | None = None
        self.found: ProtocolFacts | None = None
        self.protocol = ElidingComboBox("Protocol", [(one.title, one.identifier) for one in PROTOCOLS])
        self.protocol.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.protocol.activated.connect(self._choose)
        self._chosen = False
        self._recommended: ProtocolChoice | None = None
        self._exactly: ProtocolChoice | None = None
        """With these parameters, whatever is ticked: what somebody came here to read about."""
        self.summary = label(wrap=True)
        self.figures: dict[str, QLabel] = {}
        self._titles: dict[str, QLabel] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(tokens.SPACE_L)
        grid.setVerticalSpacing(tokens.SPACE_XS)
        grid.setColumnStretch(1, 1)
        for row, (name, title) in enumerate(
            (
                ("epsilon", "ε of a person's report"),
                ("further", "Who takes part is hidden"),
                ("came_to", "Its parameters came to"),
                ("p", "p: a report supports the true value"),
                ("q", "q: it supports any one other value"),
                ("margin", "Margin of each share, 95 %"),
                ("rare", "Error of a value nobody has"),
                ("frequent", "Error of a value everybody has"),
                ("worst", "Error of a mean, worst case"),
                ("middle", "Error of a mean, all in the middle"),
                ("bits", "A report takes"),
                ("columns", "Columns in a file of reports"),
                ("estimator", "Estimated by"),
                ("citation", "From"),
            )
        ):
            value = label(wrap=True, selectable=True)
            value.setFont(tabular_font())
            words = label(title, muted=True)
            grid.addWidget(words, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(value, row, 1)
            self.figures[name], self._titles[name] = value, words
        self.instruction = label(wrap=True, selectable=True)
        self.page = HandOutButtons(document)
        self.people = boxes.boxed(boxes.row((label("What people do", heading=2), 1), self.page))
        self.by_hand = HandOffers(_SAME_BY_DIE)
        self.by_hand.taken.connect(self._take_epsilon)
        for part in (self.people, self.instruction, self.by_hand):
            part.hide()
        self.check = push_button(
            "Check this ε exactly",
            self._want_check,
            icon=icon("mechanisms", "link"),
            tip="In Mechanisms: the two answers that can be told apart best, and whether ε is kept",
            explain="collect.facts",
            quiet=True,
        )
        self.check.hide()
        self.matrix = ChartView("Chances of the reports", channel_heat, document.runner)
        self.matrix.setMinimumHeight(2 * tokens.FIELD_WIDTH)
        self.matrix.noted.connect(document.noted)
        words = label("Chance of each report (columns) for each value (rows)", muted=True, small=True, wrap=True)
        self._above_matrix = boxes.boxed(boxes.row((words, 1), SaveChart(self.matrix), spacing="s"))
        inside = boxes.boxed(
            boxes.column(
                self.summary,
                self.people,
                self.instruction,
                self.by_hand,
                grid,
                (self.check, Qt.AlignmentFlag.AlignLeft),
                self._above_matrix,
                (self.matrix, 1),
                0,
                margins="0 0 s 0",
                spacing="m",
            )
        )
        boxes.column(self.protocol, (inside, 1), margins="0 s 0 m", spacing="s", inside=self)
        set_explain(self, "collect.facts")

    def show_protocol(self, identifier: str) -> None:
        """Show this protocol."""
        self.protocol.choose(identifier)
        self._choose()

    def follow(self, choice: ProtocolChoice) -> None:
        """Show this protocol with these parameters, which somebody took elsewhere, until another one is chosen.

        One that is recommended makes room for the next that is.
        """
        self.protocol.choose(choice.identifier)
        self._chosen = choice != self._recommended
        # What is ticked is shown with the parameters that it has, also those it gets later.
        self._exactly = None if choice in self._document.project.collect.protocols else choice
        if self.isVisible():
            self._ask()

    def recommend(self, choice: ProtocolChoice | None) -> None:
        """Show the protocol that is recommended, unless the person chose another one."""
        before, self._recommended = self._recommended, choice
        if choice is None or choice == before:
            return
        if not self._chosen:
            self._exactly = None
            self.protocol.choose(choice.identifier)
        if self.isVisible() and self.protocol.chosen == choice.identifier:
            self._ask()

    def _choose(self, _row: int = 0) -> None:
        self._chosen, self._exactly = True, None
        self._ask()

    def refresh(self, domain: Domain | None) -> None:
        """The settings or the domain changed."""
        self._domain = domain
        if self.isVisible():
            self._ask()

    def showEvent(self, event: object) -> None:
        # Nothing is worked out for a page that nobody looks at.
        self._ask()

    def _ask(self) -> None:
        identifier = str(self.protocol.chosen)
        settings = self._document.project.collect
        chosen = {choice.identifier: choice for choice in settings.protocols}
        best = self._recommended
        taken = best if best is not None and best.identifier == identifier else ProtocolChoice(identifier)
        choice = self._exactly or chosen.get(identifier, taken)
        self.summary.setText(choice.protocol.summary)
        set_look(self.summary, tone="none")
        self._put("citation", choice.protocol.citation)
        size = 0 if self._domain is None else self._domain.size
        self._document.runner.start(
            "Working out the figures of a protocol",
            protocol_examiner(self._document.session, choice, size),
            on_done=self._show,
            on_failed=self._refuse,
            key=FACTS_JOB,
            latest_wins=True,
        )

    def _show(self, found: ProtocolFacts) -> None:
        self.found = found
        if of_two(found.choice, found.domain_size, apart=bool(found.apart)):
            told = f"Of two answers this is {RESPONSE.lower()} ({WARNER})."
            self.summary.setText(f"{told} {found.choice.protocol.summary}")
            self._put("citation", source_of_two(found.choice.protocol.citation))
        epsilon = epsilon_read(found.epsilon)
        if found.asked is not None and found.asked != found.epsilon:
            epsilon = f"{epsilon}, of {exact(found.asked)} asked for"
        elif found.asked is None:
            epsilon = f"{epsilon}, which follows from the parameters"
        self._put("epsilon", epsilon)
        self._put("further", f"“{NO_PART}” is one more answer in all figures" if found.apart else "")
        self._put("came_to", found.came_to)
        self.instruction.setText(found.instruction)
        self.page.show_choice(found.choice, found.instruction)
        for part in (self.people, self.instruction):
            part.setVisible(bool(found.instruction))
        self.by_hand.show_offers(found.offers)
        self._put("p", "" if found.p is None else estimate(found.p, 6))
        self._put("q", "" if found.q is None else estimate(found.q, 6))
        people = "standard deviation {n} of {users} people, exact, before post-processing"
        for name, value in (("rare", found.rare), ("frequent", found.frequent)):
            self._put(name, "" if value is None else people.format(n=estimate(value), users=f"{found.users:,}"))
        margins = ""
        if found.margin is not None and found.together is not None:
            margins = share_margin_words(found.margin, found.together, found.domain_size, found.expected)
        drawn = ", with sampling error" if margins and self._document.session.collection.settings.sampling else ""
        self._put("margin", f"{margins}{drawn}")
        of_mean = "standard deviation of {error} of half the range, with {users} people, exact"
        for name, value in (("worst", found.worst), ("middle", found.middle)):
            self._put(name, "" if value is None else of_mean.format(error=estimate(value), users=f"{found.users:,}"))
        self._put("bits", f"{estimate(found.bits)} {'bit' if found.bits == 1 else 'bits'}")
        shown = ", ".join(found.columns[:4]) + (", …" if len(found.columns) > 4 else "")
        many = f"{len(found.columns):,}: " if len(found.columns) > 1 else ""
        read = report_read(found)
        self._put("columns", f"{many}{shown}{f': {read}' if read else ''}")
        way = ""
        if found.estimator:
            way = ESTIMATORS[found.estimator].title
            if found.postprocess != "none":
                way += f", then {POSTPROCESSES[found.postprocess].title}"
        self._put("estimator", way)
        self._show_matrix(found)

    def _show_matrix(self, found: ProtocolFacts) -> None:
        shown = found.channel is not None and self._domain is not None
        self.check.setVisible(shown)
        self._above_matrix.setVisible(shown)
        self.matrix.setVisible(shown)
        if found.channel is None or self._domain is None:
            self.matrix.set_data(None)
            return
        labels = (*self._domain.labels, *[NO_PART] * found.apart)
        count = found.channel.shape[1]
        # Every value has its own line.
        self.matrix.setMinimumHeight(max(2 * tokens.FIELD_WIDTH, (len(labels) + 4) * tokens.ICON))
        outputs = labels if count == len(labels) else tuple(str(place) for place in range(count))
        name = names_in([found.choice], CollectionPlan(1, self._domain.size, found.epsilon, apart=bool(found.apart)))[0]
        self.matrix.say_below(chances_caption(found, name))
        self.matrix.set_data(channel_heat.ChannelHeat(labels, outputs, found.channel, None, whole=self._domain.whole))

    def _want_check(self) -> None:
        if self.found is not None and self._domain is not None:
            self.check_wanted.emit(self.found.choice, self._domain.size + self.found.apart)

    def _refuse(self, error: BaseException) -> bool:
        if not isinstance(error, WorkbenchError):
            return False
        self.found = None
        self.summary.setText(str(error))
        set_look(self.summary, tone="error")
        for name in self.figures:
            if name != "citation":
                self._put(name, "")
        for part in (self.people, self.instruction, self.by_hand, self.check, self._above_matrix, self.matrix):
            part.hide()
        return True

    def _take_epsilon(self, epsilon: float) -> None:
        if self.found is not None:
            self.by_hand_taken.emit(self.found.choice, epsilon)

    def _put(self, name: str, text: str) -> None:
        self.figures[name].setText(text)
        for widget in (self.figures[name], self._titles[name]):
            widget.setVisible(bool(text))
