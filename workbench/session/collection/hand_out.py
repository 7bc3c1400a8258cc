"""Hand-outs of a collection: for each person who is asked, and for whoever enters or programs their reports."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from html import escape
from pathlib import Path

import numpy as np

from workbench.core.amount_text import as_logarithm
from workbench.core.errors import WorkbenchError
from workbench.core.exact import fraction_text
from workbench.core.number_text import estimate, rounded_up, with_places
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import SeededSource
from workbench.io.atomic import atomic_write, check_writable
from workbench.io.writing import neutral_json
from workbench.ldp.by_die import HIT, MISSED, DieTable
from workbench.ldp.by_hand import HandOffer
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Domain
from workbench.ldp.instructions import OnPaper, listed
from workbench.ldp.participation import NO_PART, Attendance
from workbench.ldp.persons import PersonBudget
from workbench.ldp.protocol import FrequencyRandomiser
from workbench.ldp.protocol_facts import offers_by_hand
from workbench.ldp.report_file import Announcement
from workbench.session.collection.decision import gives_away
from workbench.session.collection.desk import CollectionDesk
from workbench.session.collection.typed_answers import SURVEY
from workbench.session.existing_files import AlreadyThere, standing_at
from workbench.session.export import restored_on_failure

ON_TRUST = "That each person drew as they were told, and reported once, is asserted by whoever wrote this file."
WRITE_IT = "(Write the question here as people are asked it.)"
WRITE_WHO = "(Write here who collects the answers, and how to reach them.)"
_MAY_DECLINE = "You may decline by handing in nothing; that you did is not hidden."
_DECLINING = re.compile(r"\b(rather|prefer)\b.*\bnot\b|\bno(t)? (answer|say)\b|\bdecline|\brefuse|\bdon.t want", re.I)
"""Answers by which people decline, which would be taken for the truth about whoever hands one in."""
_DECLINES_UNSEEN = (
    f"Whoever declines, or is not meant, takes “{NO_PART}” as the true answer; it is drawn like any other, so that "
    "nobody sees who did."
)
_BY_PROGRAM = "Numbers as the program writes them: let it make each report."
_SENTENCES = re.compile(r"(?<=[.)])\s+(?=[A-Z])")
_NO_STEP = "So the "
"""The beginning of what follows from the steps, and is none."""
_STANDS = re.compile("\ue000([0-9]+)\ue000")
"""In the place of an answer where instructions are parted into steps, as an answer may be sentences itself."""
_FEW = 2
"""Times below which whole ones say too little."""
_DUST = Fraction(1, 10**12)
"""By how much of itself a number may lie below the one that it stands for."""
_EXAMPLE = 7
"""The seed of the example, which is of no person."""


@dataclass(frozen=True)
class HandOut:
    """A page for people who answer, and one on how their reports come back.

    Parameters
    ----------
    question
        As it was typed for the page, else what is asked about.
    answers
        All that can be reported, in their order, that of those who take no part last.
    steps
        What a person does, one thing after another.
    handed_in
        What a person hands in.
    ticks
        Whether that can be marked in the list of answers.
    promise
        What ε promises, in a sentence.
    lines
        A file of one report: the public facts, the columns and an example.
    read
        How a line of reports is read.
    worded
        Whether the question was typed for the page.
    tables
        Those by which people roll a die, in the order of their numbers.
    by_program
        What a program draws in their place; "" where there are no tables.
    easier
        At which ε, within the one of the page, people draw once and need no table; "" where there is none.
    asked_by
        Who collects the answers, as it was typed for the page.
    """

    question: str
    answers: tuple[str, ...]
    steps: tuple[str, ...]
    handed_in: str
    ticks: bool
    promise: str
    lines: tuple[str, str, str]
    read: str
    worded: bool = False
    tables: tuple[DieTable, ...] = ()
    by_program: str = ""
    easier: str = ""
    asked_by: str = ""

    @property
    def _taking_part(self) -> str:
        if self.answers[-1] == NO_PART:
            return _DECLINES_UNSEEN
        named = [f"“{one}”" for one in self.answers if _DECLINING.search(one)]
        if not named:
            return _MAY_DECLINE
        which = "is an answer as the others are" if len(named) == 1 else "are answers as the others are"
        return f"{_MAY_DECLINE} {' and '.join(named)} {which}: drawn, and handed in by people with another one, too."

    @property
    def text(self) -> str:
        """All of it as plain text, to be copied: what people get, and below it what they do not."""
        return f"{self.people_text}\n{DO_NOT}\n\n{self._entry_text}"

    @property
    def people_text(self) -> str:
        """What each person gets, as plain text."""
        steps = [f"  {place}. {step}" for place, step in enumerate(self.steps, 1)]
        tables = [
            (f"Table {number} for a die", [*map("  {:>8} {:>6} {:>6} {:>12}".format, *zip(*_table(one), strict=True))])
            for number, one in enumerate(self.tables, 1)
        ]
        return _parts(
            ("Question", [self.question, *([] if self.worded else [WRITE_IT])]),
            ("Who asks", [self.asked_by or WRITE_WHO]),
            (_ANSWERS, self._listed),
            ("What you do", steps),
            *tables,
            *([("How a table is read", [READ_TABLE])] if tables else []),
            ("What you hand in", [self.handed_in]),
            (_PART, [self._taking_part]),
            ("What is promised", [self.promise]),
        )

    @property
    def entry_text(self) -> str:
        """What whoever enters or programs the reports gets, as plain text."""
        asked = _parts(("Question", [self.question]), (_ANSWERS, self._listed))
        return f"{DO_NOT}\n\n{self._entry_text}\n{asked}"

    @property
    def _entry_text(self) -> str:
        return _parts(
            *([(_EASIER, [self.easier])] if self.easier else []),
            *([(_PROGRAM, [self.by_program])] if self.by_program else []),
            (_ENTERS, [_FILE, "", *self.lines, "", self.read]),
        )

    @property
    def _listed(self) -> list[str]:
        width = len(str(len(self.answers)))
        return [f"  {place:>{width}}. {answer}" for place, answer in enumerate(self.answers, 1)]

    @property
    def page(self) -> str:
        """What each person gets, as a page to print, HTML."""
        box = "☐ " if self.ticks else ""
        answers = "".join(f"<li>{box}{escape(answer)}</li>" for answer in self.answers)
        steps = "".join(f"<li>{escape(step)}</li>" for step in self.steps)
        write_it = "" if self.worded else f"<p class=line>{escape(WRITE_IT)}</p>\n"
        who = f"<p>Asked by {escape(self.asked_by)}</p>\n" if self.asked_by else f"<p class=line>{WRITE_WHO}</p>\n"
        tables = "".join(_html(number, one) for number, one in enumerate(self.tables, 1))
        dice = f"<div class=dice>{tables}</div>\n<p>{escape(READ_TABLE)}</p>\n" if tables else ""
        return _page(
            self.question,
            f"<h1>{escape(self.question)}</h1>\n{write_it}{who}"
            f"<h2>What you do</h2>\n<ol>{steps}</ol>\n{dice}<h2>What you hand in</h2>\n"
            f"<p>{escape(self.handed_in)}</p>\n<ol class=answers>{answers}</ol>\n<h2>{_PART}</h2>\n"
            f"<p>{escape(self._taking_part)}</p>\n<h2>What is promised</h2>\n"
            f"<p>{escape(self.promise)}</p>\n",
        )

    @property
    def entry_page(self) -> str:
        """What whoever enters or programs the reports gets, as a page to print, HTML."""
        answers = "".join(f"<li>{escape(answer)}</li>" for answer in self.answers)
        lines = escape("\n".join(self.lines))
        easier = f"<h2>{_EASIER}</h2>\n<p>{escape(self.easier)}</p>\n" if self.easier else ""
        program = f"<h2>{_PROGRAM}</h2>\n<p>{escape(self.by_program)}</p>\n" if self.by_program else ""
        return _page(
            f"{_ENTERS}: {self.question}",
            f"<h1>{_ENTERS}</h1>\n<p><strong>{DO_NOT}</strong></p>\n<p>{escape(_FILE)}</p>\n<pre>{lines}</pre>\n"
            f"<p>{escape(self.read)}</p>\n{easier}{program}<h2>{escape(self.question)}</h2>\n<p>{_ANSWERS}:</p>\n"
            f"<ol class=answers>{answers}</ol>\n",
        )


def _parts(*parts: tuple[str, Sequence[str]]) -> str:
    return "\n\n".join("\n".join([title, *lines]) for title, lines in parts) + "\n"


def _page(title: str, body: str) -> str:
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head><body>\n{body}</body></html>\n"
    )


def _table(table: DieTable) -> list[tuple[str, str, str, str]]:
    """A table with its heading, as it is printed."""
    names = ("1st", "2nd", "3rd")
    lines = [
        (names[place] if place < len(names) else f"{place + 1}th", *one.cells) for place, one in enumerate(table.rolls)
    ]
    return [("Roll", HIT, MISSED, "roll again"), *lines]


def _html(number: int, table: DieTable) -> str:
    heading, *lines = _table(table)
    head = "".join(f"<th>{one}</th>" for one in heading)
    body = "".join(f"<tr>{''.join(f'<td>{one}</td>' for one in line)}</tr>" for line in lines)
    return f"<table><caption>Table {number} for a die</caption><tr>{head}</tr>{body}</table>"


DO_NOT = "Do not hand out: this is for whoever enters the reports."
_ENTERS = "For whoever enters the reports"
_EASIER = "Without a table"
_PROGRAM = "Where a program draws, in place of the die"
_PART = "Taking part"
_ANSWERS = "Possible answers, in this order"
READ_TABLE = (
    f"Roll an ordinary die, unseen, and find what you rolled in the first line. Under {HIT} or {MISSED} you are done; "
    "under “roll again” roll once more, and go by the next line. Mostly one roll is enough. A number that you think up "
    "is none."
)
_FILE = (
    "This is a file with one report. Put the number of reports behind “reports” in the first line, keep the second, "
    "and write a line for each report below it, in an order that does not tell whose they are."
)
_STYLE = (
    "body{font:12pt/1.4 sans-serif;max-width:42em;margin:2em auto;padding:0 1em}h1{font-size:1.4em}h2{font-size:1.1em}"
    ".line{color:#555;border-bottom:1px solid;padding-bottom:2em}.answers{columns:2}li{break-inside:avoid}"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:9pt}"
    ".dice{display:flex;gap:3em}table{border-collapse:collapse}td,th{border:1px solid;padding:0 .6em;text-align:center}"
    "caption{text-align:left;font-weight:bold}"
)


def entry_beside(path: Path) -> Path:
    """The file for whoever enters the reports, beside the page that is handed out."""
    return path.with_name(f"{path.stem} - for entering reports{path.suffix}")


def write_hand_out(found: HandOut, path: Path, protected: Sequence[Path] = (), *, replaces: bool = False) -> None:
    """Write it as a page to print, or as plain text where the file is called so, and beside it what nobody is handed.

    Both files are written, or none.

    Parameters
    ----------
    replaces
        Whether the file beside it may take the place of one that is there.

    Raises
    ------
    WorkbenchError
        If a file cannot be written, or one beside it would be lost.
    """
    plain, beside = path.suffix.lower() == ".txt", entry_beside(path)
    if not replaces and standing_at(beside):
        raise AlreadyThere(
            f"“{beside.name}” exists already and would be lost.", hint="Choose another name.", field="path"
        )
    for file, other in ((path, beside), (beside, path)):
        check_writable(file, (*protected, other))
    with restored_on_failure(beside):
        with atomic_write(beside, "t", protected=(*protected, path)) as stream:
            stream.write(found.entry_text if plain else found.entry_page)
        with atomic_write(path, "t", protected=(*protected, beside)) as stream:
            stream.write(found.people_text if plain else found.page)


def hand_out(desk: CollectionDesk, choice: ProtocolChoice) -> Callable[[Progress], HandOut]:
    """The page for people by a protocol, bound to the answers and ε as they are now; call it on any thread.

    It follows from the settings alone: no row is read for it.

    Raises
    ------
    WorkbenchError
        If the possible answers are not known or were read from the data; when called, if the protocol cannot be used.
    """
    domain, settings = desk.domain(), desk.settings
    # Of answers that are typed nobody is without one, as predictions have it.
    attended = None if desk.assumes_shares else desk.attendance(choice)
    if not domain.declared:
        raise WorkbenchError(
            "The possible answers were read from the data, which nobody may be told by a list of them.",
            hint="Say which answers are possible.",
            field="domain",
        )
    question, who, often = settings.question.strip(), settings.asked_by.strip(), desk.reports_per_person
    asked = settings.column or SURVEY

    def work(_progress: Progress = SILENT) -> HandOut:
        built = choice.frequency(domain.size + _further(attended), settings.epsilon)
        made = replace(_made(asked, domain, attended, choice, built, often), asked_by=who)
        return replace(made, question=question, worded=True) if question else made

    return work


def _further(attended: Attendance | None) -> int:
    return int(attended is not None and attended.none)


def _made(
    question: str,
    domain: Domain,
    attended: Attendance | None,
    choice: ProtocolChoice,
    built: FrequencyRandomiser,
    often: int,
) -> HandOut:
    answers = (*domain.names, *[NO_PART] * _further(attended))
    named, bits = built.answers_named, built.columns == ("bits",)
    paper = OnPaper()
    steps = _steps(_instructed(lambda stand: built.on_paper(stand, paper), answers), answers)
    by_program = _with_answers(" ".join(_instructed(built.instruction, answers).split()), answers)
    source = SeededSource(_EXAMPLE)
    randomiser = built.fresh(source)
    (example,) = randomiser.cells(randomiser.perturb(np.zeros(1, dtype=np.int64), source))
    announced = Announcement(
        randomiser, question, domain, None, domain.declared, 1, often, False, (ON_TRUST,), attended=attended,
        plugin=choice.origin.to_json_or_none(),
    )  # fmt: skip
    header = json.dumps(announced.to_json(), ensure_ascii=False, allow_nan=False)
    return HandOut(
        question,
        answers,
        steps,
        _handed_in(named, bits=bits),
        named is not None or bits,
        _promise(choice, PersonBudget(built.spent, often)),
        (f"# {neutral_json(header)}", ",".join(built.columns), ",".join(example)),
        _read(built, example, answers),
        tables=tuple(paper.tables),
        by_program=by_program if paper.tables else "",
        easier=_easier(offers_by_hand(choice, built)) if paper.tables else "",
    )


def _easier(offers: Sequence[HandOffer]) -> str:
    """What spares people the table, the plainest first; never at a larger ε than they are told."""
    within = (one for one in offers if not one.larger)
    each = [f"{one.drawn.device} at ε = ln({fraction_text(one.ratio)}) ≈ {estimate(one.epsilon)}" for one in within]
    if not each:
        return ""
    return f"One throw is enough with {', or '.join(each)}. Before anybody answers, set that ε and save the page anew."


def _instructed(words: Callable[[Sequence[str]], str], answers: Sequence[str]) -> str:
    """Instructions with a sign in the place of each answer, without the list of all, which stands there anyway."""
    stand = [f"\ue000{place}\ue000" for place in range(len(answers))]
    return words(stand).replace(listed(stand), "").strip()


def _with_answers(said: str, answers: Sequence[str]) -> str:
    return _STANDS.sub(lambda found: answers[int(found[1])], said)


def _steps(said: str, answers: Sequence[str]) -> tuple[str, ...]:
    steps = (one for one in _SENTENCES.split(said) if one and not one.startswith(_NO_STEP))
    return tuple(_with_answers(one, answers) for one in steps)


def _handed_in(named: int | None, *, bits: bool) -> str:
    if named is not None:
        what = "one answer" if named == 1 else f"{named:,} answers"
        return f"The {what} that you came to, marked or by number, and nothing else."
    return "All answers to which you say yes, marked in the list, and nothing else." if bits else "The report alone."


def _promise(choice: ProtocolChoice, budget: PersonBudget) -> str:
    if doubt := choice.origin.doubt:
        return f"Nothing is promised. {doubt}"
    epsilon = budget.person
    if gives_away(epsilon).tone == "error":
        return f"ε = {rounded_up(epsilon)} is hardly a promise at all: what is handed in may tell the answer."
    exactly = as_logarithm(float(epsilon))
    ratio = math.exp(epsilon) if exactly is None else exactly
    what = "Whatever is handed in, it" if budget.reports == 1 else f"What up to {budget.reports:,} reports say"
    said = f"ε = {rounded_up(epsilon)}"
    if exactly is not None:  # else the number would be read as the promise itself
        inside = fraction_text(exactly)
        said = f"ε = ln{f'({inside})' if exactly.denominator > 1 else f' {inside}'}, about {rounded_up(epsilon)}"
    return (
        f"{what} is {_likelier(ratio)} from your answer as from any other one, so that a 50 : 50 guess between the two "
        f"rises to {rounded_up(100 * ratio / (1 + ratio))} % at most ({said}, "
        f"e^ε ≤ {rounded_up(ratio)})."
    )


def _likelier(ratio: float | Fraction) -> str:
    """How many times as likely something may be, for whoever answers: in whole times, of few in tenths. Never less."""
    step = Fraction(1, 10) if ratio < _FEW else Fraction(1)
    exactly = isinstance(ratio, Fraction) and ratio % step == 0
    # Above it where it is not known exactly, and what stands for it may lie a little below it.
    least = Fraction(ratio) if isinstance(ratio, Fraction) else Fraction(ratio) * (1 + _DUST)
    times = (math.floor(least / step) + (0 if exactly else 1)) * step
    shown = f"{times.numerator:,}" if times.denominator == 1 else with_places(float(times), 1)
    return f"{'at most' if exactly else 'less than'} {shown} times as likely"


def _read(built: FrequencyRandomiser, example: tuple[str, ...], answers: tuple[str, ...]) -> str:
    """How a report is read, and what the example says, which is of no person."""
    if built.columns == ("bits",):
        marked = [f"{place:,}" for place, sign in enumerate(example[0], 1) if sign == "1"]
        says = f"{'answer' if len(marked) == 1 else 'answers'} {', '.join(marked)}" if marked else "none of them"
        what = "names" if built.answers_named is not None else "says yes to"
        return (
            f"“bits” has {len(answers):,} digits, one for each answer in the order of the list: 1 where a report "
            f"{what} it, else 0. The example is of no person: it {what} {says}."
        )
    if built.answers_named == 1 and len(built.columns) == 1:
        return (
            f"“{built.columns[0]}” is the number of the answer, counted from 0: one less than in the list. The example "
            f"is of no person: it names answer {int(example[0]) + 1:,}."
        )
    return f"{_BY_PROGRAM} The example is of no person."
