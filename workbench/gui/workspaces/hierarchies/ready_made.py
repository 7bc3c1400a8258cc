"""Hierarchies at one click: from files beside the data, and those the program suggests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import Progress
from workbench.core.schema import Role
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.labels import label, on_button
from workbench.gui.workspaces.hierarchies.declaration import Declaration
from workbench.gui.workspaces.hierarchies.hierarchy_files import look_beside
from workbench.gui.workspaces.hierarchies.lacking import Lacking
from workbench.gui.workspaces.hierarchies.put_aside import PutAside, aside_details, aside_words, few_words, way_back
from workbench.gui.workspaces.hierarchies.workshop import Workshop
from workbench.io.hierarchy_files import HierarchyFile
from workbench.io.hierarchy_import import read_files
from workbench.session import Session
from workbench.session.interval_widths import widening_names
from workbench.session.release.purpose import ticks
from workbench.session.suggested_hierarchies import (
    ReadLists,
    first_levels,
    lost_groups,
    lost_words,
    rules_instead,
    ungrouped_words,
)

ATTACH_JOB = "hierarchies.attach"
MATCHING_JOB = "hierarchies.matching"
SUGGESTED_JOB = "hierarchies.suggested"


class ReadyMade(QWidget):
    """The buttons below the columns; only those that have something to give are seen.

    The `declaration` is asked for where there is room for it: the work area shows it.

    Signals
    -------
    changed()
        Other files were found beside the data.
    attaching()
        Hierarchies that were read are about to be attached.
    built(str)
        Some were attached; carries the first column that got one.
    taken(str)
        Files are used although they are wrong; carries the first column of these.
    settled()
        The question about files was answered.
    unfit(str, object)
        A column, and what was read for it but cannot be attached as it is: an `ImportedHierarchy`.
    """

    changed = Signal()
    attaching = Signal()
    built = Signal(str)
    taken = Signal(str)
    settled = Signal()
    unfit = Signal(str, object)

    def __init__(self, document: Document, workshop: Workshop, lacking: Lacking, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._workshop, self._lacking = document, workshop, lacking
        self._wanted = False
        self._then: Callable[[], object] | None = None
        self._put_aside: dict[str, PutAside] = {}
        self._selected: frozenset[str] = frozenset()
        self.declaration = Declaration()
        beside = "Attach the files beside the data that are named like it, “_hierarchy_” and the column"
        self.attach_all = push_button(act=self.attach_matching, tip=beside)
        rules = "Build one for each column without, from its kind and its name: calendar units, intervals, masks"
        self.build_all = push_button(act=self.build_suggested, tip=rules, explain="hierarchies.suggested")
        self.asking = self.declaration
        self.declaration.declared.connect(self.declare)
        self.declaration.unsure.connect(self.build_instead)
        self.use_file = push_button(act=self.use_files, explain="hierarchies.attach", quiet=True, inline=True)
        self.aside = label(small=True, wrap=True, tone="warning")
        self.aside.setMinimumWidth(1)
        self._below = boxes.column(spacing=0)
        # Apart from the question, to which a file with an error is no answer.
        way_back_line = (self.use_file, Qt.AlignmentFlag.AlignLeft)
        boxes.column(self._below, way_back_line, self.attach_all, self.build_all, spacing="s", inside=self)
        self.refresh()

    @property
    def asked(self) -> tuple[str, ...]:
        """Columns whose files are asked about: several that are selected, or else all that nobody spoke for."""
        unsaid = self._lacking.unsaid
        chosen = tuple(name for name in unsaid if name in self._selected)
        return chosen if len(self._selected) > 1 and chosen else unsaid

    @property
    def put_aside(self) -> dict[str, PutAside]:
        """Files in the place of which a rule was taken, where that is still so.

        A wrong file of a column that is left out concerns nobody.
        """
        hierarchies = self._document.project.hierarchies
        there = {name: one for name, one in self._put_aside.items() if hierarchies.get(name) is one.made}
        return {name: one for name, one in there.items() if not (one.wrong and self._lacking.left_out(name))}

    @property
    def attached_note(self) -> tuple[str, str]:
        """What is said once the files are declared, after its kind: of all files that there were."""
        many = len(self._document.session.data.declared)
        words = f"{many:,} hierarchies were" if many > 1 else "A hierarchy was"
        aside = [name for name, one in self.put_aside.items() if one.wrong]
        if many and aside:  # which was told beside the question, in other words
            rules = f"{'rules' if len(aside) > 1 else 'a rule'} for {few_words(aside)}"
            return "success", f"{words} attached, and {rules}.{self._left_out}"
        not_used = f" Not used: the file for {few_words(aside)}." if aside else ""
        return "warning" if aside else "success", f"{words} attached.{not_used}{self._left_out}"

    @property
    def _left_out(self) -> str:
        """Which columns Data leaves out, for whoever was led past it."""
        schema = self._document.project.schema
        person = schema.unit.person_column
        names = [one.name for one in schema.columns if one.role is Role.IDENTIFYING or one.name == person]
        return f" Left out: {few_words(names)}." if names else ""

    def use_files(self) -> None:
        """Take an answer back, which brings back what was there before it, or take wrong files as they are."""
        back = way_back(self.put_aside)
        if not back:
            return
        before = {name: one.before for name, one in back.items() if one.before is not None}
        if before:
            many = f"{len(before):,} files" if len(before) > 1 else f"the file of “{next(iter(before))}”"
            self.attaching.emit()
            if self._document.apply(f"Use {many}", lambda session: session.data.attach_hierarchies(before)):
                self.taken.emit(next(iter(before)))
            return
        self.taken.emit(next(iter(back)))  # what is wrong in it is mended where it is shown
        self.attach({name: one.file for name, one in back.items() if one.file is not None})

    def select(self, names: Iterable[str]) -> None:
        """Ask about these columns, if they are several."""
        if self._selected != (selected := frozenset(names)):
            self._selected = selected
            self.refresh()

    def declare(self) -> None:
        """The person says of the files that are asked about that they were made without this data."""
        asked = self.asked
        text = f"Declare {'1 hierarchy' if len(asked) == 1 else f'{len(asked)} hierarchies'} made without this data"
        if asked and self._document.apply(text, lambda session: session.data.declare_imported(asked)):
            self.settled.emit()

    def declare_one(self, name: str) -> None:
        """The person says it of the file of one column."""
        if name in self._document.session.data.undeclared:
            text = f"Declare the hierarchy of “{name}” made without this data"
            self._document.apply(text, lambda session: session.data.declare_imported([name]))

    def refresh(self) -> None:
        """Offer what there is to attach or to build now."""
        files, columns = len(self._lacking.unattached), len(self._lacking.buildable)
        self.attach_all.setText(f"Attach &matching ({files})")
        self.build_all.setText(f"&Build suggested ({columns})")
        for button, count in ((self.attach_all, files), (self.build_all, columns)):
            button.setAccessibleName(button.text().replace("&", ""))
            button.setEnabled(count > 0)
            button.setVisible(count > 0)
        unsaid, asked = self._lacking.unsaid, self.asked
        project = self._document.project
        rules, lost = rules_instead(project.schema, asked), lost_groups(project.schema, project.hierarchies, asked)
        everything = len(asked) == len(unsaid)
        aside = self.put_aside
        back = way_back(aside)
        named = f" of {next(iter(back))}" if len(back) == 1 else "s all the same"
        rules = " ".join(filter(None, (rules, ungrouped_words(lost))))
        chosen = not asked or any(ticks(self._document.session).values())
        self.declaration.ask(asked, rules, lost_words(lost), all_of_them=everything, chosen=chosen)
        self.use_file.setText(on_button(f"Use the file{named}"))
        self.use_file.setAccessibleName(f"Use the file of {', '.join(back)} in the place of what a rule made")
        # Beside the question, which is of fewer files than there were; it stays when that is answered.
        place = self.declaration.beside if asked else self._below
        if place.indexOf(self.aside) < 0:
            place.addWidget(self.aside)
        self.use_file.setVisible(bool(aside) and (not asked or any(one.wrong for one in aside.values())))
        self.aside.setText(aside_words(aside, beside=bool(asked)))
        set_look(self.aside, tone="none" if asked else "warning", muted=bool(asked))
        self.aside.setToolTip(aside_details(aside))
        self.aside.setVisible(bool(aside))
        # One of them brings the work on.
        set_look(self.attach_all, primary=files > 0 and not unsaid)
        set_look(self.build_all, primary=not files and not unsaid)

    def focus_first(self) -> bool:
        """Put the focus on what brings the work on, if there is something."""
        if self._lacking.unsaid:
            self.asking.setFocus()  # and no answer, which nobody chose
            return True
        wanted = self.attach_all if self._lacking.matching_wanted else self.build_all
        if wanted.isEnabled():
            wanted.setFocus()
        return wanted.isEnabled()

    def bring_on(self) -> bool:
        """Do what brings the work on, if that is not the person's to say; whether it is being done."""
        if self._lacking.unsaid:
            return False
        if self._lacking.matching_wanted:
            self.attach_matching()
        elif self._lacking.buildable:
            self.build_suggested()
        else:
            return False
        return True

    def build_apart(self, then: Callable[[], object]) -> bool:
        """Build by the suggested rules while another room is in view, and then go on; False if more is to be done."""
        if self._lacking.unsaid or self._lacking.matching_wanted or not self._lacking.buildable:
            return False
        self._then = then
        self.build_suggested()
        return True

    # Files

    def look_beside(self) -> None:
        """Look for files beside the data."""
        if not self._document.has_data:
            self._lacking.matching = {}
            return
        reading = self._document.session.data.reading
        self._document.runner.start(
            "Looking for hierarchies",
            partial(look_beside, reading.path, reading.table.names),
            on_done=self._take_matching,
            key=MATCHING_JOB,
            latest_wins=True,
        )

    def _take_matching(self, found: dict[str, tuple[HierarchyFile, ...]]) -> None:
        if found != self._lacking.matching:
            self._lacking.matching = found
            self.refresh()
            self.changed.emit()
        if self._wanted:
            self._wanted = False
            self.attach_matching()

    def attach_when_found(self) -> None:
        """Attach every matching file as soon as it is known which there are."""
        self._wanted = True
        self.look_beside()

    def attach_matching(self) -> None:
        """Attach every matching file to the column it is named after, as one step."""
        files = self._lacking.unattached
        if files:
            self._read(files, self._document.session.data.list_reader(files))

    def attach(self, files: Mapping[str, Path]) -> None:
        """Read a file for each of these columns and attach them as they are, as one step."""

        def as_they_are(progress: Progress) -> ReadLists:
            return ReadLists(read_files(dict(files), False, progress), {})

        self._read(files, as_they_are)

    def _read(self, files: Mapping[str, Path], read: Callable[[Progress], ReadLists]) -> None:
        names = ", ".join(path.name for path in files.values())
        self._document.reads(files.values())
        self._document.runner.start(
            f"Reading {names}",
            read,
            on_done=partial(self._attach, dict(files)),
            owner=self,
            key=ATTACH_JOB,
        )

    def _attach(self, files: Mapping[str, Path], lists: ReadLists) -> None:
        if not self._document.has_data:
            return
        read, by_rule = lists.read, lists.by_rule
        schema = self._document.project.schema
        # What is imported into the builder, or must be repaired first, becomes a draft.
        fitting = {
            name: by_rule[name][0] if name in by_rule else one.hierarchy
            for name, one in read.items()
            if name in schema.names and one.hierarchy is not None and not self._workshop.has_open(name)
        }
        if len(fitting) == 1:
            text = f"Attach a hierarchy to “{next(iter(fitting))}”"
        else:
            text = f"Attach {len(fitting)} hierarchies"

        # Where nobody has given a role, those that get a hierarchy are the ones that are to be generalised.
        person = schema.unit.person_column
        keep = any(spec.role is not Role.INSENSITIVE for spec in schema.columns if spec.name != person)
        if not keep:
            text += ", and give what gets one a role"
        given: dict[str, Role] = {}

        def attach(session: Session) -> None:
            for name, hierarchy in fitting.items():
                session.data.attach_hierarchy(name, hierarchy, keep_role=True)
            if not keep:
                given.update(session.data.give_roles(fitting))

        if fitting:
            self._put_aside |= {
                name: PutAside(
                    one,
                    file=files[name],
                    wrong=shown,
                    finer=_finer(read[name].hierarchy, one),
                )
                for name, (one, shown) in by_rule.items()
                if name in fitting
            }
            self.attaching.emit()
            if self._document.apply(text, attach):
                self.built.emit(next(iter(fitting)))
            if given:
                self._document.noted.emit("info", f"{_roles_words(given)} No column had one; change them in Data.")
        for name, one in read.items():
            if name not in fitting:
                self.unfit.emit(name, one)

    # Suggested ones

    def build_suggested(self) -> None:
        """Build the suggested hierarchy of every column that has none, as one step."""
        names = self._lacking.buildable
        if names:
            self._suggest(names, partial(self._take_built, self._document.session))

    def build_instead(self) -> None:
        """Build the suggested hierarchies of all that are asked about, in the place of their files."""
        session, names = self._document.session, self.asked

        def take(made: dict[str, Hierarchy]) -> None:
            wanted = [name for name in names if name in self._lacking.unsaid]
            project = session.project
            lost = lost_groups(project.schema, project.hierarchies, wanted)
            before = {name: project.hierarchies[name] for name in wanted if name in made}
            self._put_aside |= {
                name: PutAside(made[name], before=one, finer=_finer(one, made[name]), lost=name in lost)
                for name, one in before.items()
            }
            self._take_built(session, made, tuple(wanted))

        self._suggest(names, take)

    def _suggest(self, names: tuple[str, ...], take: Callable[[dict[str, Hierarchy]], None]) -> None:
        self._document.runner.start(
            "Building hierarchies",
            self._document.session.data.hierarchy_suggester(names, widening_names(self._document.project, names)),
            on_done=take,
            owner=self,
            key=SUGGESTED_JOB,
            latest_wins=True,
        )

    def _take_built(self, session: Session, made: dict[str, Hierarchy], wanted: tuple[str, ...] | None = None) -> None:
        then, self._then = self._then, None  # whoever wanted to go on does so now or not at all
        if self._document.session is not session:
            return
        # What was given one meanwhile keeps it.
        wanted = self._lacking.buildable if wanted is None else wanted
        fitting = {name: one for name, one in made.items() if name in wanted}
        if not fitting:
            self._document.noted.emit("warning", "None could be built. Choose a way to build one for each column.")
            return
        text = f"Build {len(fitting)} suggested hierarchies"
        if len(fitting) == 1:
            text = f"Build the suggested hierarchy of “{next(iter(fitting))}”"
        self.attaching.emit()
        if self._document.apply(text, lambda session: session.data.attach_hierarchies(fitting)):
            self.built.emit(next(iter(fitting)))
            many = f"{len(fitting):,} hierarchies were" if len(fitting) > 1 else "A hierarchy was"
            if then is not None:
                self._document.noted_of.emit("success", f"{many} built.{self._left_out}", "hierarchies")
                then()
            elif len(fitting) > 1 and not self._lacking.unsaid:
                self._document.noted.emit("success", f"{many} built. Look through them, then go on.")


def _finer(file: Hierarchy | None, rule: Hierarchy) -> str:
    return "" if file is None else first_levels(file, rule)


def _roles_words(given: Mapping[str, Role]) -> str:
    """Which roles columns were given for their hierarchies."""
    secret = [name for name, role in given.items() if role is Role.SENSITIVE]
    known = len(given) - len(secret)
    said = [f"sensitive by name: {', '.join(secret)}"] if secret else []
    said += [f"can be known: {'the other ' if secret else ''}{known}"] if known else []
    return f"Roles given, {'; '.join(said)}."
