"""Perturbed reports as a file: everything somebody else needs to aggregate them, and nothing else.

The first line is a comment that holds one JSON object with the protocol's public parameters and the public domain;
a CSV follows, one report per line in random order::

    # {"format": "anonymisation-workbench-reports", "version": 1, "randomiser": {…}, "domain": {…}, …}
    value
    3
    …
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.exact import MOST_PEOPLE
from workbench.core.json_values import numbers, read_json, texts, truth, two_numbers, whole
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import RandomSource
from workbench.core.trust import Origin, doubt_of
from workbench.io.atomic import atomic_write
from workbench.io.file_stamps import steady
from workbench.io.writing import neutral_json
from workbench.ldp.crowd import Crowd, crowd_of
from workbench.ldp.encoding import Domain
from workbench.ldp.participation import NO_PART, Attendance
from workbench.ldp.persons import HIDDEN
from workbench.ldp.protocol import PROTOCOLS, FrequencyRandomiser, Randomiser, Support, randomiser_from

FORMAT = "anonymisation-workbench-reports"
TRIAL = "A trial: nobody gave these answers, so its reports are never counted with those of people."
ONE_FILE = "That nobody reported in more than one of these files is asserted by whoever counted them."
VERSION = 2
"""2 has a further input for those who take no part, which programs that know 1 would take for an answer."""

_LINES = 1 << 15
_WIDEST = 1 << 24
"""Characters of one cell: a bit, or a number with its space, for each value of the largest domain."""
_LONGEST_HEADER = 1 << 28

csv.field_size_limit(max(csv.field_size_limit(), _WIDEST))


@dataclass(frozen=True, eq=False)
class Announcement:
    """The public facts about a collection.

    Parameters
    ----------
    randomiser
        The protocol with all its numbers.
    column
        What was asked.
    domain
        The values, for a protocol that counts people; None for means.
    bounds
        What −1 and 1 stand for, for a protocol that estimates a mean; None otherwise.
    declared
        Whether domain or bounds were declared; otherwise they were read from the data, which no protocol protects.
    reports
        How many reports follow.
    reports_per_person
        How many of them one person may have made.
    simulated
        Whether the reports were drawn with a seed: then they protect nobody.
    cautions
        What limits the promise, in words.
    collection
        Tells this collection from any other one, at random; "" if nothing does.
    attended
        Who sent a report; None if the file does not say, as those of earlier programs do not.
    trial
        Whether nobody gave the answers, so that the reports are no part of any survey.
    plugin
        Whose the protocol is and whether that is trusted, as `core.trust.Origin.to_json` says; None for the program's.
    typed
        Whether tallies were typed here, so that the cautions are the program's own words; of no file.
    """

    randomiser: Randomiser
    column: str
    domain: Domain | None
    bounds: tuple[float, float] | None
    declared: bool
    reports: int
    reports_per_person: int
    simulated: bool
    cautions: tuple[str, ...] = ()
    collection: str = ""
    attended: Attendance | None = None
    plugin: Mapping[str, Any] | None = None
    trial: bool = False
    typed: bool = False

    @property
    def none(self) -> bool:
        """Whether those who take no part reported, too, from an input behind all values of the domain."""
        return self.attended is not None and self.attended.none

    @property
    def hidden(self) -> bool | None:
        """Whether it is hidden who takes part; None if the file does not say."""
        return None if self.attended is None else self.attended.hidden

    @property
    def promise(self) -> str:
        """Meaning of ε."""
        return HIDDEN if self.attended is None else self.attended.promise

    def told_cautions(self, said: Collection[str] = ()) -> tuple[str, ...]:
        """The cautions of a file that was read, as its words: whoever wrote it could write anything there.

        Parameters
        ----------
        said
            What is said of it anyway.
        """
        told = (one for one in self.cautions if one not in said)
        return tuple(one if self.typed or one == ONE_FILE else f"The file says: “{one}”" for one in told)

    @property
    def doubts(self) -> tuple[str, ...]:
        """Why nothing is claimed for a protocol of a third party: nobody who made, or who reads, the reports trusts it.

        Where it is read it decides about the ε that is stated, so trust is asked for there too.
        """
        here = PROTOCOLS.origin(self.randomiser.protocol)
        return tuple(dict.fromkeys(doubt for doubt in (doubt_of(self.plugin), here.doubt) if doubt))

    def to_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION if self.none else 1,
            "column": self.column,
            "reports": self.reports,
            "reports_per_person": self.reports_per_person,
            "epsilon_of_one_report": self.randomiser.epsilon,
            "promise": self.promise,
            "cautions": list(self.cautions),
            "collection": self.collection,
            "simulated": self.simulated,
            "declared": self.declared,
            "domain": None
            if self.domain is None
            else {
                "labels": list(self.domain.labels),
                "ordinal": self.domain.ordinal,
                "positions": None if self.domain.positions is None else self.domain.positions.tolist(),
                **({"whole": True} if self.domain.whole else {}),
            },
            "bounds": None if self.bounds is None else list(self.bounds),
            "participation": None if self.attended is None else self.attended.to_json(),
            "randomiser": self.randomiser.public(),
            **({} if self.plugin is None else {"plugin": dict(self.plugin)}),
            **({"trial": True} if self.trial else {}),
        }

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> Announcement:
        """Announcement that `to_json` wrote.

        Raises
        ------
        WorkbenchError
            If it is no announcement, or was made by a newer program.
        """
        if plain.get("format") != FORMAT:
            raise _no_reports("its first line is no list of parameters of this program")
        if not isinstance(plain.get("version"), int) or plain["version"] > VERSION:
            raise WorkbenchError(
                "These reports were written by a newer version of this program.", hint="Update the program."
            )
        try:
            listed, bounds = plain["domain"], plain["bounds"]
            domain = None
            if listed is not None:
                positions = listed["positions"]
                domain = Domain(
                    texts(listed["labels"]),
                    truth(listed["ordinal"]),
                    truth(plain["declared"]),
                    None if positions is None else np.array(numbers(positions), dtype=np.float64),
                    truth(listed.get("whole", False)),
                )
            found = cls(
                randomiser_from(plain["randomiser"]),
                str(plain["column"]),
                domain,
                None if bounds is None else two_numbers(bounds),
                truth(plain["declared"]),
                whole(plain["reports"]),
                whole(plain["reports_per_person"]),
                truth(plain["simulated"]),
                tuple(map(str, plain.get("cautions", ()))),
                str(plain.get("collection", "")),
                None if plain.get("participation") is None else Attendance.from_json(plain["participation"]),
                _plugin_in(plain),
                truth(plain.get("trial", False)),
            )
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise _no_reports("its parameters are incomplete or damaged") from error
        found._check()
        return found

    def _check(self) -> None:
        frequencies = isinstance(self.randomiser, FrequencyRandomiser)
        labels = () if self.domain is None else self.domain.labels
        if len({*labels, NO_PART} if self.none else set(labels)) < len(labels) + self.none:
            # By its name one of both would get the number, and the band, of the other.
            raise _no_reports("two of its answers have the same name")
        sized = self.domain is not None and self.domain.size + self.none == self.randomiser.domain_size
        places = None if self.domain is None else self.domain.positions
        placed = places is None or (self.domain is not None and places.shape == (self.domain.size,))
        low, high = self.bounds or (0.0, 0.0)
        ends = low < high and all(map(math.isfinite, (low, high, high - low, low + high)))
        if (
            not (sized and placed if frequencies else ends and not self.none)
            or not 0 <= self.reports <= MOST_PEOPLE
            or not 1 <= self.reports_per_person <= MOST_PEOPLE
        ):
            raise _no_reports("its domain and its protocol contradict each other")


@dataclass(frozen=True, eq=False)
class Received:
    """Reports that were read and counted."""

    announcement: Announcement
    support: Support


def write_reports(
    path: str | os.PathLike[str],
    announcement: Announcement,
    values: NDArray[Any] | Crowd,
    source: RandomSource,
    *,
    protected: Iterable[str | os.PathLike[str]] = (),
    before: Callable[[], None] | None = None,
    progress: Progress = SILENT,
) -> None:
    """Let every person report into a file; the old file survives untouched if anything goes wrong.

    People are first put in a random order, so that the place of a report in the file says nothing. Reports are made
    and written in chunks.

    Parameters
    ----------
    values
        What each person has: codes, or for means numbers in [−1, 1].
    before
        Called when the file is complete, right before it takes its place; if it raises, nothing is written.

    Raises
    ------
    WorkbenchError
        If a value cannot be reported or the file cannot be written.
    """
    randomiser = announcement.randomiser
    people = crowd_of(values)
    chunk = min(randomiser.chunk, _LINES)
    with atomic_write(path, protected=protected) as file:
        header = json.dumps(announcement.to_json(), ensure_ascii=False, allow_nan=False)
        file.write(f"# {neutral_json(header)}\n".encode())
        file.write(_lines([randomiser.columns]))
        written = 0
        for block in people.shuffled(chunk, source):
            progress(written / len(people), f"{written:,} reports written")
            file.write(_lines(randomiser.cells(randomiser.perturb(block, source))))
            written += len(block)
        # The last moment to cancel: afterwards the reports are paid for, and there.
        progress(1.0, f"{written:,} reports written")
        if before is not None:
            before()


def read_reports(path: str | os.PathLike[str], progress: Progress = SILENT) -> Received:
    """Read and count the reports of a file.

    Raises
    ------
    WorkbenchError
        If the file cannot be read, holds no reports, its reports do not fit its parameters, or it changes meanwhile.
    """
    with steady((Path(path),)):
        return _read_reports(Path(path), progress)


def _read_reports(path: Path, progress: Progress) -> Received:
    name = path.name
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            announcement = _announcement(file.readline(_LONGEST_HEADER), name)
            support = _counted(csv.reader(file), announcement, name, progress)
    except OSError as error:
        raise WorkbenchError(
            f"The reports {name} cannot be read: {error.strerror or error}.",
            hint="Check that the file exists and that you may read it.",
            field="reports",
        ) from error
    except UnicodeDecodeError as error:
        raise _no_reports("it is no text in UTF-8", name) from error
    except csv.Error as error:
        raise _no_reports(f"a line cannot be read ({error})", name) from error
    return Received(announcement, support)


def _plugin_in(plain: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Whose protocol it was, as far as the file says; a file that says nothing was written where nobody asked."""
    said = plain.get("plugin")
    if isinstance(said, Mapping):
        return {**Origin.from_json(said).to_json(), "trusted": said.get("trusted") is True}
    return PROTOCOLS.origin(str(plain["randomiser"].get("protocol"))).to_json_or_none()


def _announcement(line: str, name: str) -> Announcement:
    if not line.startswith("#"):
        raise _no_reports("its first line does not start with # and the parameters of a protocol", name)
    try:
        plain = read_json(line[1:])
    except ValueError as error:
        raise _no_reports("the parameters in its first line are damaged", name) from error
    if not isinstance(plain, dict):
        raise _no_reports("its first line is no list of parameters", name)
    return Announcement.from_json(plain)


def _counted(rows: Iterator[list[str]], announcement: Announcement, name: str, progress: Progress) -> Support:
    randomiser, expected = announcement.randomiser, announcement.reports
    heading = next(rows, None)
    if heading is None or tuple(heading) != tuple(randomiser.columns):
        raise WorkbenchError(
            f"{name} does not hold reports of “{randomiser.protocol}”: its columns are "
            f"{', '.join(heading or ['none'])} and not {', '.join(randomiser.columns)}.",
            hint="Use the file as it was written.",
            field="reports",
        )
    total: Support | None = None
    chunk = min(randomiser.chunk, _LINES)
    while block := list(itertools.islice(rows, chunk)):
        done = 0 if total is None else total.reports
        progress(done / max(expected, 1), f"{done:,} reports read")
        support = randomiser.accumulate(randomiser.parse(block))
        total = support if total is None else total + support
    if total is None:
        raise _no_reports("there is none below its first lines", name)
    if total.reports != expected:
        found = total.reports
        raise WorkbenchError(
            f"{name} holds {found:,} reports, and its first line announces {expected:,}.",
            hint="The file is cut off or was changed; get it again.",
            field="reports",
        )
    progress(1.0, f"{total.reports:,} reports read")
    return total


def _lines(rows: Iterable[tuple[str, ...]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _no_reports(why: str, name: str = "The file") -> WorkbenchError:
    return WorkbenchError(
        f"{name} holds no reports that can be aggregated: {why}.",
        hint="Use a file written by “workbench collect --reports” or the window's export.",
        field="reports",
    )
