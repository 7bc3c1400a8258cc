"""Knowledge of a table that is not from its rows: values that can occur in its columns, and where that is from."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from types import MappingProxyType

from workbench.anonymise.balanced import Importance
from workbench.anonymise.recipe import ReleaseMechanism, Treatment
from workbench.anonymise.terms import known_of
from workbench.core.column_words import is_year
from workbench.core.errors import WorkbenchError
from workbench.core.occurring import (
    LISTED_EXAMPLE,
    listed_places,
)
from workbench.core.promised_ranges import MAX_EPSILON, MIN_EPSILON
from workbench.core.rationals import rational
from workbench.core.schema import Role
from workbench.core.usual_delta import usual_delta
from workbench.project.model import new_project
from workbench.project.trim_settings import TrimSettings, TrimUnknown
from workbench.session.interval_widths import by_rule, widths_settled
from workbench.session.mask_lengths import said_length
from workbench.session.number_said import number_meant
from workbench.session.release.kept_fine import as_fine_as_before, let_loose
from workbench.session.release.known_column import KnownColumn
from workbench.session.release.other_answers import OtherAnswer, number_question, numbers_said
from workbench.session.release.preferred_fine import prefer_fine_amounts
from workbench.session.release.said import said_of
from workbench.session.release.star_choice import prefer_told
from workbench.session.release.steps import LevelSource
from workbench.session.release.wishes import enough_of, has_details, least_of, offers_details, ranked, wish_least
from workbench.session.session import Session

_TOLD = "Something of this data left that says so, which cannot be unsaid"
_SAID = "You said so of this draw: take it back in Release, if it was a mistake"
SOURCES = ("questionnaire or form", "code list or law", "register or publication", "common knowledge")
"""Where somebody can have it from, other than from the rows."""


def known_columns(session: Session) -> tuple[KnownColumn, ...]:
    """The columns for which it makes a difference; none where nothing follows from it. No row is read."""
    release, project = session.release, session.project
    if release.steps.mechanism is not ReleaseMechanism.TRIM:
        return ()
    found = []
    for spec in project.schema.columns:
        name = spec.name
        chosen = project.anonymise.treatments.get(name)
        spared = chosen is Treatment.LEAVE_OUT and spec.role is not Role.IDENTIFYING
        grouped = release.columns.treatment(name) is Treatment.GENERALISE
        if not (spared or grouped) or release.columns.is_suppressed(name):
            continue
        steps = release.steps
        example = "such as 1950-2005" if is_year(name) and spec.kind.numeric else steps.said_example(name)
        said, source = steps.said(name), steps.source_of(name)
        mask = said_length(project.hierarchies.get(name), spec)
        before, most = _before(session, name), matters_most(session, name, spared=spared)
        lists = example == LISTED_EXAMPLE
        hierarchy = project.hierarchies.get(name)
        made = hierarchy is None or (hierarchy.specification or {}).get("builder") == "intervals"
        known = KnownColumn(name, spec.role, said, source, example, before, not spared, mask, most, lists)
        known = replace(known, numeric=spec.kind.numeric)
        if made:
            ruled = steps.source is LevelSource.BALANCED and by_rule(hierarchy, spec, said_of(project).get(name, ()))
            known = replace(known, spec=spec, ruled=ruled, widths=widths_settled(project, name))
        found.append(known)
    return tuple(found)


def matters_most(session: Session, name: str, *, spared: bool = False) -> bool | None:
    """Whether a column is to become `*` last; None where that is not for the steps to decide.

    Of one that is `spared` it is told as it would be in the file.
    """
    if not (has_details(session, name) if spared else offers_details(session, name)):
        return None
    kept = session.release.steps.importance(name) is Importance.KEEP
    decided = least_of(session, name) is not None or enough_of(session, name)
    return None if decided and not kept else kept


def is_unknown(session: Session) -> bool:
    """Whether there is a released column of which neither a list nor anybody says what can occur."""
    return any(one.needed and not one.said and not one.before for one in known_columns(session))


def number_asked(session: Session) -> tuple[str, str]:
    """The question about the number of people, or rows, as Release asks it; and the assertion that a no makes."""
    other, no = _number_question(session)
    return other.question, no


def _number_question(session: Session) -> tuple[OtherAnswer, str]:
    return number_question(several_rows=session.project.schema.unit.several_rows)


@dataclass(frozen=True)
class NumberAnswer:
    """The question about the number of people, or rows, and its answer, wherever that was given.

    Parameters
    ----------
    question
        As Release asks it.
    no
        What is asserted by saying no.
    hides
        What is hidden from others after a no, and after a yes.
    given
        Whether it is known; None as long as nobody said anything.
    fixed, settled
        Why it cannot be answered otherwise here, and by what that is so in few words; "" if it can.
    """

    question: str
    no: str
    hides: tuple[str, str]
    given: bool | None
    fixed: str = ""
    settled: str = ""


def costs_of_yes(session: Session) -> str:
    """What it costs that others know the number: detail or rows, where the promise can stay what it is, or else ε.

    Which of both, the forecast shows: where detail is lost, more rows may come out.
    """
    if _can_follow(session):
        return "costs accuracy"
    return "ε counts twice" if session.project.anonymise.trim.number_known else "doubles ε"


def number_answer(session: Session) -> NumberAnswer:
    """The one answer there is: of the table, or else of the draw that belongs to the settings."""
    release, (other, no) = session.release, _number_question(session)
    asked = partial(NumberAnswer, other.question, no, other.in_short)
    with contextlib.suppress(WorkbenchError):  # a ledger that cannot be read is told of elsewhere
        if session.ledger.current.history.number_known:
            return asked(True, _TOLD, "an exported file says yes")
    result = release.result
    said = release.said(result.draw) if result is not None and release.result_is_current else frozenset()
    if numbers_said(said):
        return asked(True, _SAID, "yes was said in Release")
    if session.project.anonymise.trim.number_known:
        return asked(True)
    return asked(False if no in release.beforehand | said else None)


def take_told_number(session: Session) -> None:
    """Begin with the answer that something of this data gave when it left, where nothing was set yet.

    So the promise that a project begins with is the one it would be where nobody had said so; it costs rows instead.
    """
    untouched = session.project.anonymise == new_project().anonymise
    if untouched and session.ledger.number_known(session.data.fingerprint):
        answer_number(session, known=True)


def answer_number(session: Session, *, known: bool) -> None:
    """Say whether others know the number: of the table, and, if they do, of each draw that can still leave.

    A draw that was made with other settings is there again as soon as these are, with what was said of it.
    """
    release, results = session.release, session.state.results
    _keep_promise(session, known=known)
    release.set_trimming(replace(session.project.anonymise.trim, number_known=known))
    _say_number(session, "" if known else number_asked(session)[1])
    if not known:
        return
    shown = () if results.result is None else (results.result,)
    for one in {result.draw: result for result in (*shown, *results.drawn)}.values():
        said = known_of(release.said(one.draw))
        more = said.with_other(number_meant(one.schema.unit))
        if more is not said and one.draw not in release.exported:
            release.say_number_known(one.draw, more)


def _can_follow(session: Session) -> bool:
    """Whether what is typed can follow the answer: what was drawn has its ε, and one that is computed nobody chose.

    What is being drawn has it too: other settings would make it out of date before it is there.
    """
    release, settings, begun = session.release, session.project.anonymise, session.state.drawn_with
    drawn = release.result is not None and release.result_is_current
    if begun is not None:
        answered = replace(begun, trim=replace(begun.trim, number_known=settings.trim.number_known))
        drawn = drawn or answered == settings
    trims = release.steps.mechanism is ReleaseMechanism.TRIM
    return trims and not drawn and settings.trim.solve_for is not TrimUnknown.EPSILON


def _keep_promise(session: Session, *, known: bool) -> None:
    """Type half of ε and δ where each is to count twice from now on, and twice as much where it counts once again.

    So an answer never makes a promise weaker than the one that was chosen; what it costs is rows.
    """
    settings, search = session.project.anonymise, session.release.columns.private_search
    given = settings.guarantee
    if known is settings.trim.number_known or not _can_follow(session) or not math.isfinite(given.epsilon):
        return
    levels = 0 if search is None else rational(search.epsilon)
    factor = Fraction(1, 2) if known else Fraction(2)
    epsilon = float((rational(given.epsilon) + levels) * factor - levels)
    # Else the draw of the levels alone costs more, or no guarantee has such an ε.
    if MIN_EPSILON <= epsilon <= MAX_EPSILON:
        session.release.set_guarantee(replace(given, epsilon=epsilon, delta=given.delta * float(factor)))


def _before(session: Session, name: str) -> str:
    spec, hierarchy = session.project.schema[name].declared(), session.project.hierarchies.get(name)
    if spec.domain or (spec.bounds is not None and spec.kind.numeric):
        return "as declared in Data"
    return "as its hierarchy lists" if hierarchy is not None and listed_places(hierarchy) is not None else ""


def refused(session: Session, said: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """By column, why what was typed of it cannot be used; tried on a copy, so that all are told at once."""
    found = {}
    for name, (words, source) in said.items():
        try:
            session.snapshot().release.steps.set_said(name, words, source)
        except WorkbenchError as error:
            found[name] = str(error)
    return found


def say(
    session: Session,
    said: Mapping[str, tuple[str, str]],
    *,
    expected_rows: int | None,
    number_known: bool,
    not_told: str = "",
    spared: Collection[str] = (),
    most: Mapping[str, bool] = MappingProxyType({}),
) -> None:
    """Take everything over that was said, as one step (see `expect`); `spared` are others, which nobody needs.

    What was said of a column that was left out takes it in again. Of those in `most` it is said whether they are to
    become `*` last.

    Where somebody says that the number is not known, `not_told` is the sentence that they assert by it: it is said of
    each draw of these rows that is made since, until they say otherwise of one.

    Raises
    ------
    WorkbenchError
        If something cannot be read, or no column would be left.
    """
    if spared and not said:
        raise WorkbenchError("No column would be left.", hint="Keep at least one of them.", field="columns")
    say_columns = partial(_say_columns, said, spared, most)
    follows = delta_follows(session)
    say_all = partial(
        expect, edit=partial(_say_all, say_columns, expected_rows, number_known, not_told), follows=follows
    )
    if any(most.values()):
        as_fine_as_before(session, say_all)
        prefer_fine_amounts(session)
        prefer_told(session)
    else:
        say_all(session)


def say_matters_most(session: Session, name: str, *, most: bool) -> None:
    """Let a column become `*` last, or like the others again; in which order columns are ticked makes no difference.

    None that matters most is coarser than it is where none does. What another tick made of it is made anew.
    """
    steps = session.release.steps
    ticked = ranked(session, session.release.columns.quasi_identifiers())
    for one in ticked:
        steps.set_importance(one, Importance.NORMAL)
        # A wish for one detail is the person's own; to be no coarser than some level came of a tick.
        if least_of(session, one) and not enough_of(session, one):
            wish_least(session, one, None)
    if not most:
        let_loose(session, name)
    kept = {one: True for one in (*ticked, *([name] if most else [])) if one != name or most}
    if kept:
        as_fine_as_before(session, partial(_say_matters, kept))
        prefer_fine_amounts(session)
        prefer_told(session)


def delta_follows(session: Session) -> bool:
    """Whether δ is one that nobody chose: the usual one for the people that are expected."""
    return _can_follow(session) and _has_usual_delta(session)


def expect(session: Session, edit: Callable[[Session], object], *, follows: bool, at_most: float = math.inf) -> None:
    """Make an edit of how many people are expected; a δ that `follows` becomes the usual one for so many, if smaller.

    Never larger, since somebody may have typed the one that is usual. What was drawn, or is being drawn, has its δ.

    Parameters
    ----------
    at_most
        The δ to begin with, where the number is typed digit by digit: one on the way is not kept for its own sake.
    """
    follows = follows and _can_follow(session)
    edit(session)
    given = session.project.anonymise.guarantee
    if follows:
        most = given.delta if math.isinf(at_most) else at_most
        session.release.set_guarantee(replace(given, delta=min(most, own_usual_delta(session.project.anonymise.trim))))


def own_usual_delta(trim: TrimSettings) -> float:
    """The usual δ to type for as many people as are expected, which counts twice where others know the number."""
    return usual_delta(trim.expected_rows) / (2 if trim.number_known else 1)


def _has_usual_delta(session: Session) -> bool:
    settings = session.project.anonymise
    typed = settings.trim.solve_for is TrimUnknown.SURVIVAL
    return typed and settings.guarantee.delta == own_usual_delta(settings.trim)


def _say_columns(
    said: Mapping[str, tuple[str, str]], spared: Collection[str], most: Mapping[str, bool], session: Session
) -> None:
    for name, (words, source) in said.items():
        session.release.steps.set_said(name, words, source)
        take_in(session, name)
    for name in spared:
        session.release.columns.set_treatment(name, Treatment.LEAVE_OUT)
    _say_matters(most, session)


def _say_matters(most: Mapping[str, bool], session: Session) -> None:
    steps = session.release.steps
    for name, last in most.items():
        if last is not (steps.importance(name) is Importance.KEEP):
            if last:
                steps.set_importance(name, Importance.KEEP)
            else:
                let_loose(session, name)


def _say_all(
    say_columns: Callable[[Session], object],
    expected_rows: int | None,
    number_known: bool,
    not_told: str,
    session: Session,
) -> None:
    say_columns(session)
    trim = session.project.anonymise.trim
    _keep_promise(session, known=number_known)
    session.release.set_trimming(replace(trim, expected_rows=expected_rows, number_known=number_known))
    session.release.steps.mend()
    if number_known and not trim.number_known:
        answer_number(session, known=True)
    else:
        _say_number(session, "" if number_known else not_told)


def take_in(session: Session, name: str) -> None:
    """Release a column again that was left out: by its hierarchy, or as it is where it has none."""
    columns = session.release.columns
    if columns.treatment(name) is not Treatment.LEAVE_OUT:
        return
    columns.set_treatment(name, None)
    if columns.treatment(name) is not Treatment.GENERALISE:
        columns.set_treatment(name, Treatment.GENERALISE)


def _say_number(session: Session, not_told: str) -> None:
    """Say it of every draw to come, and of the one there is where nothing was said of the number."""
    release, result = session.release, session.release.result
    release.say_beforehand([not_told] if not_told else ())
    if not not_told or result is None or not release.result_is_current or result.draw in release.exported:
        return
    said = release.said(result.draw)
    if not numbers_said(said) and not_told in release.current_claim().asserted:
        release.say(result.draw, said | {not_told})
