"""This release: what is asserted, what was checked and the file; beside it the statement as it will be."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMargins, QObject, QSize, Qt
from PySide6.QtWidgets import QGridLayout, QSplitter, QWidget

from workbench.anonymise.terms import BY_DATA
from workbench.core.first_few import first_few
from workbench.core.number_text import counted
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.later import Later
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import Badge
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.fading_edges import FadingEdges
from workbench.gui.widgets.section import Section
from workbench.gui.widgets.settled_fold import SettledFold
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.release.assertion_list import AssertionList
from workbench.gui.workspaces.release.checklist_view import LIGHTS, ChecklistView
from workbench.gui.workspaces.release.draw_choice_view import DrawChoiceView
from workbench.gui.workspaces.release.earlier_notice import EarlierNotice
from workbench.gui.workspaces.release.export_panel import ExportPanel
from workbench.gui.workspaces.release.own_check import OwnFileState
from workbench.gui.workspaces.release.published_by import PublishedBy
from workbench.gui.workspaces.release.stale_notice import StaleNotice
from workbench.gui.workspaces.release.statement_view import StatementView
from workbench.gui.workspaces.release.written_form_view import WrittenFormView
from workbench.report.checklist import Light
from workbench.session.release.earlier_files import is_about_others
from workbench.session.release.other_answers import OTHERS, ways_out, ways_out_of_hierarchies
from workbench.session.release.written_form import Labels
from workbench.session.release_subject import HOLDS, ReleasableResult

_SHARES = (5, 4)
"""How the width is parted between what is signed and the statement."""
_GOES_WITH = "May be published with the file, and is written beside it."
_CONTRADICTED = "{} left with a promise that does not hold if others know the number: tell whoever has it."
_OUTDATED = "It is of other settings. Undo leads back to them, and another draw is counted besides."
_OTHERS_NOW = "Something of these files does not hold: nothing is claimed for them"
_UNSAID = "It gives the publisher’s word: say first what its claim rests on."


class ReleasePage(QSplitter):
    """Assertions, checks and export beside the statement."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setObjectName("release")
        self.setChildrenCollapsible(False)
        self._document = document
        self._key = ""
        self._verdict = (Light.AMBER, "")
        self._found = OwnFileState.NOTHING
        self.verdict = Badge(Status.NEUTRAL, wraps=True)
        self._longest = Badge(Status.NEUTRAL, wraps=True)
        self.stale = StaleNotice()
        set_explain(self.verdict, "release.claim")
        self.assertions = AssertionList()
        self.said = SettledFold("What you asserted", boxes.boxed(boxes.column(self.assertions)))
        self.assertions.said.connect(self._say)
        self.choice = DrawChoiceView()
        self.choice.chosen.connect(self._choose)
        self.form = WrittenFormView()
        self.form.chosen.connect(self._write_otherwise)
        self.checks = ChecklistView()
        set_explain(self.checks, "release.checklist")
        self.export = ExportPanel(document)
        self.export.missing_wanted.connect(self.assertions.mark_missing)
        self._bring_up_soon = Later(self, self._bring_up_details)
        self.export.details.opened.connect(self._details_opened)
        self._open_soon = Later(self, self._open_before)
        self.assertions.unfolded.connect(self.assertions.before.hold)  # what somebody opened folds nothing else
        self._place = QSize()
        self.export.again.button.clicked.connect(self._show_fixed)
        for fold in (self.form, self.checks.more, self.export.details):
            fold.button.clicked.connect(self.assertions.before.hold)
        self.earlier = EarlierNotice(document, self)
        self.earlier.found.connect(self._show_assertions)
        self.export.file.textChanged.connect(self._look_for_earlier)
        self._subject: ReleasableResult | None = None
        self.statement = StatementView()
        self.copy = push_button("Copy", self.copy_statement, name="Copy statement", quiet=True)
        self.assertions.without_claim.connect(self._leave_unclaimed)
        self.export.written.copy_wanted.connect(self.copy.click)  # which does nothing where it may not
        tip = "Name your institution and whom to ask, and add sentences of your own"
        self.name = push_button(
            "Name…", self.export.choose_words, name="Your name…", tip=tip, explain="release.publisher", quiet=True
        )
        self.publisher = PublishedBy(document)
        self.publisher.change_wanted.connect(self._name_another)
        self.export.export.pressed.connect(self.publisher.take)  # by a key it is pressed while somebody types the name
        self.addWidget(self._left_side())
        self.addWidget(self._right_side())
        # What is signed is read whole more often than the statement, which says it again and is long anyway.
        for place, share in enumerate(_SHARES):
            self.setStretchFactor(place, share)
        self.setSizes([share * tokens.EMPTY_TEXT_WIDTH for share in _SHARES])

    def show_subject(self, subject: ReleasableResult) -> None:
        """Show what holds for a result as it stands."""
        if subject.key != self._key:
            self._above.setMinimumHeight(0)
            self.assertions.start_over()
            self._open_soon.start()
        self._key = subject.key
        self._verdict = subject.verdict
        self.stale.show_current(subject.current)
        self._subject = subject
        self.choice.show_choice(subject.choice)
        self.form.show_form(subject.form)
        self._show_assertions()
        left = subject.exported or subject.reworded
        self.checks.show_checks(subject.checks(), written=left is not None)
        self.publisher.show_name(subject.reworded)
        self.statement.show_body(subject.body)
        self.beside.set_description(_GOES_WITH if subject.verdict[0] is not Light.GREEN else subject.words)
        self.verdict.setToolTip(subject.odds)  # for whoever computes with it
        # What was answered before the draw is seldom answered otherwise here, and keeps no empty line.
        asks = {one for one, other in subject.others.items() if other.question} - {*self._answered(subject)}
        self._longest.set_status(Status.NEUTRAL, subject.longest_verdict if asks else subject.verdict[1])
        self._longest.updateGeometry()  # of what is hidden nobody else says that it needs another height
        self.export.show_subject(subject)
        self._show_fixed()
        self._look_for_earlier()

    def show_found(self, found: OwnFileState) -> None:
        """What is known of the files that were written: where they are others by now, no claim is made for them."""
        self.export.show_found(found)
        if found is not self._found:
            self._found = found
            self._show_verdict()

    def show_none(self) -> None:
        """There is nothing to show."""
        self._subject = None
        self.export.show_subject(None)

    def _show_assertions(self) -> None:
        subject = self._subject
        if subject is None:
            return
        asserted, declared = (subject.asserted, subject.declared) if subject.current else ((), {})
        doubts, earlier = dict(subject.doubts), self.earlier.words
        if earlier and subject.exported is None:
            doubts |= {sentence: earlier for sentence in asserted if is_about_others(sentence)}
        doubts |= self._contradicted(subject)
        answered, parts = self._answered(subject), self._parts(subject)
        cases = {
            # Of counts of groups it is said too where these are not asked about by themselves.
            one: ways_out(parts=one not in parts.values())
            for one in asserted
            if is_about_others(one) and subject.exported is None
        }
        if subject.exported is None and BY_DATA in subject.said:  # whoever said so cannot say that either, as a rule
            cases |= {one: ways for one in asserted if (ways := ways_out_of_hierarchies(one))}
        said, others, short, chosen = subject.said, subject.others, subject.short, subject.chosen
        if subject.exported is not None:
            self._above.setMinimumHeight(0)  # what was answered is folded, and nothing of it is under the mouse
        settled = (subject.exported or subject.reworded) is not None
        if settled and self.said.button.isHidden():
            self.assertions.before.hold_open()  # folded with all that was said, it needs no fold of its own
            self.scrolled.verticalScrollBar().setValue(0)  # where the files are
        self.said.show_settled(settled)
        self.said.setHidden(not asserted and not declared)
        brief = subject.before_in_short
        told = [*declared, *(others[one].said if others[one].said in said else one for one in answered)]
        self.assertions.before.show_brief([part for one in told for part in brief.get(one, ())])
        self.assertions.show_sentences(asserted, said, doubts, declared, others, short, cases, parts, answered, chosen)

    def _show_fixed(self) -> None:
        """What a file left with is only read, until somebody is about to export again."""
        left = None if self._subject is None else self._subject.exported
        exported, fixed = left is not None, left is not None and not self.export.again.is_open
        self.assertions.show_fixed(fixed)
        self.publisher.show_fixed(left if fixed else None)
        self.form.show_fixed(exported, fixed=fixed)
        self._show_verdict()

    def _open_before(self) -> None:
        """Show what was said before where it has room: by its own height, as nothing is laid out anew until then."""
        self.assertions.before.open_where(self._fits)
        self._forget_heights()  # with a place as wide as before, what was tried is else kept

    def _forget_heights(self) -> None:
        part: QWidget | None = self.assertions.before
        while part is not None and part is not self.scrolled:
            layout = part.layout()
            if layout is not None:
                layout.invalidate()
            part.updateGeometry()
            part = part.parentWidget()

    def _fits(self) -> bool:
        inside, place = self._above.layout(), self.scrolled.maximumViewportSize()
        if inside is None:
            return False
        inside.activate()
        hint = (
            inside.totalHeightForWidth(place.width()) if inside.hasHeightForWidth() else inside.totalSizeHint().height()
        )
        return hint <= place.height()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.scrolled.viewport() and event.type() == QEvent.Type.Resize:
            # Not where only a bar came or went: to try whether it fits lets one come and go, for ever.
            place = self.scrolled.maximumViewportSize()
            if place != self._place:
                self._place = place
                self._open_soon.start()
        return super().eventFilter(watched, event)

    def _name_another(self) -> None:
        """Another name is for another export, whose button is seen from now on."""
        self.export.again.set_open(True)
        self._show_fixed()
        self.publisher.field.setFocus()

    def _contradicted(self, subject: ReleasableResult) -> dict[str, str]:
        """By question about a number, which files left with a promise that does not hold if others know it."""
        session = self._document.session
        names = tuple(dict.fromkeys(session.ledger.left_untold(session.data.fingerprint).values()))
        if not names:
            return {}
        words = visible(_CONTRADICTED.format(first_few(names, 2, quoted=True)))
        return {one: words for one, other in subject.others.items() if other.question}

    def _answered(self, subject: ReleasableResult) -> list[str]:
        """The questions about a number that have the answer which was given in Anonymise, before the draw."""
        release, trim = self._document.session.release, self._document.project.anonymise.trim
        asked = {one: other for one, other in subject.others.items() if other.question}
        said, known = release.beforehand & subject.said, trim.number_known
        return [one for one, other in asked.items() if one in said or (known and other.said in subject.said)]

    @property
    def said_before(self) -> frozenset[str]:
        """The sentences of what is shown that were said before, in other rooms."""
        subject = self._subject
        return frozenset() if subject is None else frozenset((*subject.declared, *self._answered(subject)))

    def _parts(self, subject: ReleasableResult) -> dict[str, str]:
        """The question about numbers, and the sentence half of which is about numbers as well.

        Nothing where the question was answered before the draw: then nobody was asked about that half with it.
        """
        question = next((one for one in subject.asserted if one in subject.others and subject.others[one].question), "")
        whole = next((one for one in subject.asserted if is_about_others(one)), "")
        if question in self._answered(subject):
            return {}
        return {question: whole} if question and len(subject.short.get(whole, ())) > 2 else {}

    def _leave_unclaimed(self) -> None:
        """Export without a claim, or show what is still needed for that."""
        self.export.write_without_claim()
        if not self.export.unclaimed.isEnabled():
            self.export.file.setFocus()

    def _details_opened(self, _is_open: bool) -> None:
        self._bring_up_soon.start()

    def _bring_up_details(self) -> None:
        """What was opened is at the end of all that scrolls, just above the button that opened it."""
        if self.export.details.isVisible():
            self.scrolled.ensureWidgetVisible(self.export.details)

    def _look_for_earlier(self) -> None:
        """Look for earlier files, which decide nothing; they are named where somebody signs that there are none."""
        subject = self._subject
        asked = subject is not None and subject.current and subject.exported is None and bool(subject.asserted)
        self.earlier.look(subject.key if subject is not None and asked else "", self.export.file.text())

    def copy_statement(self) -> None:
        """Put the statement on the clipboard, as text and as a web page."""
        self.statement.copy_whole()
        self._document.noted.emit("success", "The statement was copied.")

    def _say(self, sentences: frozenset[str]) -> None:
        # What is shorter by an answer must not move away from under the mouse.
        self._above.setMinimumHeight(self.scrolled.verticalScrollBar().value() + self.scrolled.viewport().height())
        release = self._document.session.release
        turned = OTHERS & release.said(self._key) != OTHERS & sentences
        release.say(self._key, sentences)
        self._document.answered.emit()
        if turned:
            self._document.changed.emit("result")  # another claim, and so another statement
            return
        self.export.show_open(self.assertions.missing)
        self._show_verdict()

    def _write_otherwise(self, left_out: list[str], labels: str) -> None:
        """It costs nothing; what is said of the file, and asked about it, follows."""
        release, form = self._document.session.release, self.form.form
        if release.result is None or form is None:
            return
        step = form.step_column if labels == Labels.WITH_STEP else ""
        release.write_otherwise(
            release.result, left_out=left_out, one_level=labels == Labels.ONE_LEVEL, step_column=step
        )
        self._document.changed.emit("result")

    def _choose(self, chosen: bool) -> None:
        """Say whether the release is chosen among several; the promise, and all that is said of it, follow."""
        self._document.session.release.choose(self._key, chosen)
        self._document.changed.emit("result")

    def _show_verdict(self) -> None:
        """A claim that rests on what nobody has said yet holds on that condition; till then it leaves by no way."""
        light, words = self._verdict
        subject = self._subject
        # Of a draw that has not left nothing can be claimed with settings that are others than its own.
        outdated = subject is not None and not subject.current and subject.exported is None
        said = light is Light.RED or self.assertions.isHidden() or not self.assertions.open
        self.statement.show_said(said and not outdated)
        self.copy.setEnabled(said and not outdated)
        self.copy.setToolTip(_OUTDATED if outdated else "" if said else _UNSAID)
        self.copy.setAccessibleDescription(self.copy.toolTip())
        is_wrong = self._found is OwnFileState.WRONG
        if is_wrong:
            self.statement.show_said(False)
            self.verdict.set_status(Status.ERROR, _OTHERS_NOW)
        elif outdated:
            self.verdict.set_status(Status.NEUTRAL, "Out of date: it did not leave, and cannot as it is")
        elif said:
            self.verdict.set_status(LIGHTS[light], words)
        else:
            rests_on = "" if self._subject is None else f" {self._subject.rests_on}"
            # What is left is counted, as everywhere; an answer in the place of a sentence is none of those it rests on.
            left = self.assertions.open
            if self._subject is not None and self._subject.sentences > left > 0:
                rests_on = f" {counted(left, 'more sentence')}"
            self.verdict.set_status(Status.INFO, f"{words.removesuffix(HOLDS)} if you can say{rests_on}:")
        # The lines on a file that was written say so too, and beside them stands what was checked of it. Who is about
        # to export again sees what they sign for.
        told = self._found in (OwnFileState.LOOKING, OwnFileState.HOLDS) and not self.export.again.is_open
        told = told and subject is not None and subject.exported is not None
        self._verdict_place.setHidden(told and light is Light.GREEN)
        self.checks.setHidden(told and self.checks.all_passed)

    def _left_side(self) -> QWidget:
        above = boxes.column(
            self.export.written,
            self.stale,
            self.choice,
            self.said,
            self.form,
            self.checks,
            self.export.details,
            1,
            margins="l s l s",
            spacing="s",
        )
        self._above = boxes.boxed(above)
        self.scrolled = scroll = boxes.scrolled(self._above)
        # The bar stands in the margin, always: what is opened makes no line above it narrower, and so longer.
        scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        bar = scroll.verticalScrollBar()
        bar.setProperty("gutter", "true")
        bar.rangeChanged.connect(lambda least, most: bar.setEnabled(most > least))
        above.setContentsMargins(above.contentsMargins() - QMargins(0, 0, bar.sizeHint().width(), 0))
        scroll.viewport().installEventFilter(self)
        self.edges = FadingEdges(scroll)
        below = boxes.boxed(boxes.column(self.export, margins="l m l l"), line="top")
        self._verdict_place = self._place_of_verdict()
        side = boxes.boxed(boxes.column(self._verdict_place, (scroll, 1), below, spacing=0))
        side.setMinimumWidth(tokens.EMPTY_TEXT_WIDTH - 5 * tokens.SPACE_XL)
        return side

    def _place_of_verdict(self) -> QWidget:
        """The verdict above all that scrolls, with room for the longest it becomes: no answer moves what is below."""
        place = QWidget()
        kept = self._longest.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self._longest.setSizePolicy(kept)
        self._longest.hide()
        grid = QGridLayout(place)
        grid.setContentsMargins(tokens.SPACE_L, tokens.SPACE_M, tokens.SPACE_L, 0)
        for one in (self._longest, self.verdict):
            grid.addWidget(one, 0, 0, Qt.AlignmentFlag.AlignTop)
        return place

    def _right_side(self) -> QWidget:
        self.beside = section = Section("Statement", _GOES_WITH)
        section.add_action(self.name)
        section.add_action(self.copy)
        section.add(self.publisher)
        section.add(self.statement, 1)
        section.setContentsMargins(tokens.SPACE_L, tokens.SPACE_L, tokens.SPACE_L, tokens.SPACE_L)
        return section
