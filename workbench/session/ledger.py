"""The ledger of a session's data: what was released of it before, by whatever project or command."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from workbench.core.composition import ReleaseSpending
from workbench.core.errors import WorkbenchError
from workbench.core.known_number import KnownNumber
from workbench.core.near_releases import NearReleases
from workbench.query.ledger import Ledger, LedgerEntry, LedgerHistory, RecordedLook
from workbench.query.ledger_entries import CHARGED, QUERY, RELEASE, WHEN_DRAWN, WITHOUT_CLAIM
from workbench.query.ledger_file import files_in, ledgers_folder
from workbench.query.ledger_folder import LedgerFolder
from workbench.query.open_slots import slot_for
from workbench.query.sketch_folder import SketchFolder
from workbench.report.certificate import certificate_of
from workbench.report.certificate_page import Certificate
from workbench.session.data import DataDesk
from workbench.session.state import Desk, OpenLedgers, SessionState


@dataclass(frozen=True)
class NearlySame:
    """Data that is nearly the same as that which is open, and of which something was released.

    Parameters
    ----------
    unsettled, other_people, counted
        Its fingerprints, where the person has said nothing, where they declared that it is about other people, and
        where it has one count with this already.
    problems
        Why some may not have been recognised. Analyst only.
    """

    unsettled: tuple[str, ...] = ()
    other_people: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    counted: tuple[str, ...] = ()

    @property
    def releases(self) -> NearReleases:
        """The releases of nearly the same data, as a statement speaks of them."""
        if self.unsettled:
            return NearReleases.NOT_ADDED_UP
        return NearReleases.OTHER_PEOPLE if self.other_people else NearReleases.NONE


class LedgerDesk(Desk):
    """The ledger of a session's data: what was released of it, what was seen, and what is nearly the same data."""

    def __init__(self, state: SessionState) -> None:
        super().__init__(state)
        self._data = DataDesk(state)

    @property
    def protected(self) -> tuple[Path, ...]:
        """Files that nothing that is written may replace: what was read, and every ledger, be it there or not."""
        template = self._state.words
        words = () if template is None else template.files
        own = () if self._state.loaded is None else (self.current.path,)
        return (*self._data.files_read, *words, *own, *files_in(ledgers_folder()))

    @property
    def kept_from_projects(self) -> tuple[Path, ...]:
        """The files that no project may be saved over, beside those in the user's folder of ledgers."""
        named = () if self._opened.file is None else (self._opened.file,)
        words = () if self._state.words is None else self._state.words.files
        return (*self._data.files_read, *words, *named)

    def use_file(self, file: Path) -> None:
        """Keep the ledger in this file instead of the person's own folder, whose ledger of the data still counts."""
        self._state.ledgers = OpenLedgers(file, near=self._opened.near)

    @property
    def _opened(self) -> OpenLedgers:
        return self._state.ledgers

    def draws(self, fingerprint: str) -> int:
        """How many releases were drawn of the data with this fingerprint, published or not; 0 if nobody can tell."""
        try:
            entries = self.of(fingerprint).entries
        except WorkbenchError:
            return 0
        return sum(one.charge.kind == RELEASE and one.charge.parameters.get(CHARGED) == WHEN_DRAWN for one in entries)

    def left_names(self, fingerprint: str) -> tuple[str, ...]:
        """The files of draws of the data with this fingerprint that have left, each once; none if nobody can tell."""
        try:
            entries = self.of(fingerprint).entries
        except WorkbenchError:
            return ()
        drawn = (one for one in entries if one.charge.kind == RELEASE)
        return tuple(dict.fromkeys(file.name for one in drawn for file in one.files))

    def left_untold(self, fingerprint: str) -> Mapping[str, str]:
        """The names of files that left with a promise which rests on nobody being told the number, by SHA-256.

        Whoever says later that others know it says that this promise does not hold. None where nobody can tell.
        """
        try:
            entries = self.of(fingerprint).history.told
        except WorkbenchError:
            return {}
        drawn = [one for one in entries if one.charge.kind == RELEASE]
        files = {file for one in drawn if one.charge.claimed for file in one.files}
        # The same bytes may have left with both answers, of two draws.
        known = {file.sha256 for one in drawn for file in one.files if file.number_known}
        return {file.sha256: file.name for file in files if file.sha256 not in known}

    def is_contradicted(self, sha256: str) -> bool:
        """Whether this file of the open data left so, and something that left says that others know the number."""
        try:
            ledger = self.current
        except WorkbenchError:
            return False
        return bool(ledger.history.number_known) and sha256 in self.left_untold(self._state.opened.content)

    def released_since(self, sha256: str) -> int:
        """How many draws and answers of the open data came after the draw that this file was written of.

        Parameters
        ----------
        sha256
            Of the bytes of the file.

        Returns
        -------
        int
            0 if the file is no release of the open data, or nobody can tell. What its statement counts itself, because
            the draw was chosen among several, is among them.
        """
        try:
            entries = self.current.entries
        except WorkbenchError:
            return 0
        own = next((one for one in entries if any(file.sha256 == sha256 for file in one.files)), None)
        if own is None:
            return 0
        return sum(one.charge.kind in (RELEASE, QUERY) and one.when > own.when for one in entries)

    def number_known(self, fingerprint: str) -> KnownNumber:
        """Which number of the data with this fingerprint is known, because something left that says so."""
        try:
            return self.of(fingerprint).history.number_known
        except WorkbenchError:
            return KnownNumber.NONE

    def others_drawn(self, fingerprint: str, mine: Collection[str]) -> bool:
        """Whether anything beside what has one of these keys was drawn or released of that data, or nobody can tell."""
        try:
            entries = self.of(fingerprint).entries
        except WorkbenchError:
            return True
        told = (one.charge for one in entries if one.charge.kind == RELEASE)
        own = {*mine, *(f"{key}{WITHOUT_CLAIM}" for key in mine)}
        return any(one.key not in own for one in told)

    @property
    def current(self) -> Ledger:
        """The ledger of the data that is open. What the project knows of it counts, whether the file has it or not."""
        return self.of(self._data.fingerprint)

    def of(self, fingerprint: str) -> Ledger:
        """The ledger of the data with this fingerprint, which need not be open any more."""
        opened = self._opened
        ledger = opened.of_data.get(fingerprint)
        if ledger is None:
            named = opened.file
            ledger = Ledger.for_data(fingerprint) if named is None else Ledger.in_file(named, fingerprint)
            opened.of_data[fingerprint] = ledger
            ledger.before_charging = partial(self._keep_sketch, fingerprint)
        history = self._project.history(fingerprint)
        if history is not opened.carried.get(fingerprint):
            opened.carried[fingerprint] = history
            ledger.carried = ledger.carried.with_history(history)
        aliases = self._aliases(fingerprint)
        if not aliases <= ledger.carried.aliases:
            ledger.carried = ledger.carried.with_history(LedgerHistory(aliases=aliases))
        return ledger

    def _aliases(self, fingerprint: str) -> frozenset[str]:
        """By what else the data with this fingerprint is recognised: the bytes of its file, its rows without headings.

        Of a table without rows nothing is recognised.
        """
        data, loaded, found = self._project.data, self._state.loaded, set[str]()
        if data is not None and data.content == fingerprint and data.rows:
            found.add(data.fingerprint)
        if loaded is not None and loaded.content == fingerprint and loaded.reading.table.rows:
            found |= {loaded.reading.fingerprint, loaded.texts}
        return frozenset(found)

    def _keep_sketch(self, fingerprint: str) -> None:
        """Keep what later data is recognised by as nearly the same; a ledger that was named is not looked for."""
        if self._opened.file is None and self._is_open(fingerprint):
            self._state.opened.near.keep()

    # Data that is nearly the same

    def nearly_same(self, fingerprint: str = "") -> NearlySame:
        """The releases of data that is nearly the same as some data, which are not counted for it.

        Parameters
        ----------
        fingerprint
            Of the data, if that is not open; then what was found when it was is known.
        """
        fingerprint = fingerprint or self._data.fingerprint
        sketches = SketchFolder(ledgers_folder())
        problems: tuple[str, ...] = ()
        if self._is_open(fingerprint):
            found, problems = self._state.opened.near.near(), self._state.opened.near.problems
        else:
            found = sketches.near(fingerprint)
        if not found:
            return NearlySame(problems=problems)
        try:
            aliases = self.of(fingerprint).history.aliases
        except WorkbenchError:
            aliases = frozenset()
        family = LedgerFolder(ledgers_folder()).family({fingerprint, *aliases})
        released = {name for name in found - family if self._has_releases(name)}
        declared = sketches.other_people(fingerprint)
        return NearlySame(
            tuple(sorted(released - declared)),
            tuple(sorted(released & declared)),
            problems,
            tuple(sorted(found & family - {fingerprint})),
        )

    def _is_open(self, fingerprint: str) -> bool:
        return self._state.loaded is not None and self._state.loaded.content == fingerprint

    def _has_releases(self, fingerprint: str) -> bool:
        """Whether something was released of other data; a ledger that cannot be read is taken to say so."""
        ledger = self._opened.near.setdefault(fingerprint, Ledger.for_data(fingerprint))
        try:
            return bool(ledger.entries)
        except WorkbenchError:
            return True

    def continue_count(self, fingerprint: str = "") -> None:
        """Count what was released of nearly the same data as released of this, from now on and for both.

        Where nothing is left to be said, it takes back that nearly the same data is about other people.

        Raises
        ------
        WorkbenchError
            If that cannot be written down.
        """
        fingerprint = fingerprint or self._data.fingerprint
        near = self.nearly_same(fingerprint)
        same_people = near.unsettled or near.other_people
        if same_people:
            self._keep_sketch(fingerprint)
            self.of(fingerprint).continue_counts_of(same_people)
            self.copy_into_project(fingerprint)

    def declare_other_people(self, fingerprint: str = "") -> None:
        """Declare that data which is nearly the same is about other people; statements say it in the person's name.

        Raises
        ------
        WorkbenchError
            If that cannot be written down.
        """
        fingerprint = fingerprint or self._data.fingerprint
        for other in self.nearly_same(fingerprint).unsettled:
            SketchFolder(ledgers_folder()).declare_other_people(fingerprint, other)

    def copy_into_project(self, fingerprint: str) -> None:
        """Take what the ledger of this data knows into the project, which carries it to other machines."""
        self._state.project = self._project.with_history(fingerprint, self.of(fingerprint).history)

    def earlier_releases(self, but: Collection[str] = ()) -> tuple[tuple[ReleaseSpending, ...], str]:
        """The spending of all releases and plans of this data, but for those with one of these keys.

        Why that is not known comes with it, or "".
        """
        try:
            entries = self.current.history.told
        except WorkbenchError as error:
            return (), str(error)
        return tuple(entry.released for entry in entries if not entry.charge.key or entry.charge.key not in but), ""

    def own_releases(self, keys: Collection[str], file: ReleaseSpending, *, drawn: bool) -> tuple[ReleaseSpending, ...]:
        """The spending that the ledger knows of a release with these keys, or will know once a plan pays for its file.

        Parameters
        ----------
        file
            What the file will be charged, without what drawing its levels cost.
        drawn
            Whether its levels are drawn privately, which is charged before.

        Returns
        -------
        tuple
            Nothing as long as the file was not charged and no plan pays for it.
        """
        try:
            entries = self.current.entries
        except WorkbenchError:
            return ()
        own = [entry for entry in entries if entry.charge.key and entry.charge.key in keys]
        released = tuple(one.released for one in own)
        if any(one.charge.kind == RELEASE for one in own):
            return released
        slot = slot_for(entries, file)
        return () if slot is None or (drawn and not own) else (*released, replace(file, slot=slot))

    def looks(self, fingerprint: str) -> tuple[RecordedLook, ...]:
        """The looks at this data, the first first; while its ledger cannot be read, those that the project knows."""
        try:
            return self.of(fingerprint).history.looks
        except WorkbenchError:
            return self._project.history(fingerprint).looks

    def looks_before(self, fingerprint: str, keys: Collection[str] = ()) -> tuple[RecordedLook, ...]:
        """The looks at this data that were known when what has one of these keys was drawn, the first first.

        The charge of a draw names them, and is written before the draw is made: what it does not name may have come
        after it. Where nothing with such a key was drawn yet, all looks are before it.
        """
        looks = tuple(look for look in self.looks(fingerprint) if look.settled is not None)
        try:
            entries = self.of(fingerprint).entries
        except WorkbenchError:
            return ()
        told = (one.charge for one in entries if one.charge.kind == RELEASE and one.charge.key)
        drawn = [one for one in told if one.key in keys]
        return tuple(look for look in looks if all(look.id in one.looks_known for one in drawn))

    def is_looked_at(self, fingerprint: str) -> bool:
        """Whether a look at this data is recorded that ended what later draws could claim."""
        return any(look.settled is not None for look in self.looks(fingerprint))

    def looked(self, fingerprint: str, at: str, settled: Collection[str] = (), *, lasting: bool = False) -> None:
        """Remember that something of the data was seen that is not differentially private, before it is shown.

        Parameters
        ----------
        at
            What was looked at, as a code.
        settled
            Keys of draws that have not left and whose publication was settled before.
        lasting
            Whether it must stand in the ledger, because nobody will save the project.

        Raises
        ------
        WorkbenchError
            If it must last and cannot be written.
        """
        try:
            look = self.of(fingerprint).looked(at, settled)
        except WorkbenchError:
            if lasting:
                raise
            # Nothing can be charged either as long as this is so; the project remembers until it can.
            left = self._project.history(fingerprint).left_keys
            look = RecordedLook.now(at, settled=left | set(settled))
        self._state.project = self._project.with_history(fingerprint, LedgerHistory(looks=(look,)))

    def known_entries(self, fingerprint: str) -> frozenset[str]:
        """The entries of the ledger by their ids; none while it cannot be read, when nothing can be charged either."""
        try:
            return frozenset(entry.id for entry in self.of(fingerprint).entries)
        except WorkbenchError:
            return frozenset()

    def entry_of(self, fingerprint: str, key: str) -> LedgerEntry | None:
        """The charge with this key of what has left; None also while the ledger cannot be read, as the claim says."""
        try:
            entry = self.of(fingerprint).find(key)
        except WorkbenchError:
            return None
        return entry if entry is not None and entry.left else None

    def certificate(self, entry: LedgerEntry) -> Certificate:
        """The statement on something that the ledger of the open data knows."""
        told = self.current.history.told
        # What is known of it by now, which may be less than when it was drawn.
        known = next((one for one in told if one.id == entry.id), entry)
        return certificate_of(known, told, self.nearly_same().releases)
