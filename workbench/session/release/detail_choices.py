"""The details that a column can have in every row of a release, each with how many rows are likely to come out then.

Where balanced steps decide, a column becomes coarser from step to step. Somebody who needs it at one detail says so,
and sees before that what it costs. Each is tried on a copy of the settings; no row is read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from workbench.anonymise.balanced import Importance
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY
from workbench.core.level_words import narrower_words, words_among
from workbench.core.progress import SILENT, Progress
from workbench.session.release.column_details import rows_words
from workbench.session.release.knowledge import say_matters_most
from workbench.session.release.leaving_out import foreseen, in_short, leave_out
from workbench.session.release.spread import in_hundred
from workbench.session.release.tried_remedy import OutlookRemedy, outlook_after
from workbench.session.release.wishes import enough_of, least_of, plain_level, telling_levels, wish_exactly
from workbench.session.session import Session

ALONE = "As fine as there is room for"
BY_PROGRAM = "Let the program choose"
LAST = "Keep it longest: * comes last"
LEFT_OUT = "Leave it out"
_ALWAYS = "Always "


@dataclass(frozen=True)
class DetailChoice:
    """One detail that a column can have.

    Parameters
    ----------
    words
        What it is, such as “intervals of 50,000”.
    edit
        What chooses it.
    is_chosen
        Whether that is how the settings stand.
    rows
        How many of 100 rows are likely to come out, from one way in which they can lie to another; None until that was
        worked out, and where there is no outlook.
    lost
        Columns that would be `*` where most rows come out, and are not now.
    doubtful
        Columns that may be so then, and cannot now.
    finest
        What the column comes out as, or is at best, where that is left to the program; "" until it was worked out.
    """

    words: str
    edit: Callable[[Session], object]
    is_chosen: bool = False
    rows: tuple[int, int] | None = None
    lost: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    finest: str = ""

    @property
    def varies(self) -> bool:
        """Whether it is left to the program, so that some rows come out finer than others."""
        return self.words in (ALONE, BY_PROGRAM, LAST)

    @property
    def in_short(self) -> str:
        """How many of 100 rows come out, and how fine; what the others lose is in `costs`."""
        return "" if self.rows is None else ", ".join([rows_words(self.rows), *filter(None, [self.finest])])

    @property
    def costs(self) -> str:
        """How many of 100 rows come out, how fine, and what the others lose, in a few words; "" where nobody knows."""
        if self.rows is None:
            return ""
        parts = [rows_words(self.rows), *filter(None, [self.finest])]
        parts += [f"{ANY} in {in_short(self.lost)}"] if self.lost else []
        parts += [f"perhaps {ANY} in {in_short(self.doubtful)}"] if self.doubtful else []
        return ", ".join(parts)


def detail_choices(session: Session, name: str) -> tuple[DetailChoice, ...]:
    """What can be chosen for a column, the finest detail first, before it is worked out what each costs.

    The first leaves it to the program, the second is the tick of what the release is for, unless it is there, and the
    last one leaves it out. The latter two are not there if no other column is released. One of them is chosen, the
    first unless somebody chose one detail. A wish that is none of these, such as never to be `*` without that tick,
    comes before them.
    """
    hierarchy = session.project.hierarchies[name]
    plain, least, enough = plain_level(hierarchy), least_of(session, name), enough_of(session, name)
    offered = [level for level in telling_levels(hierarchy) if level >= plain]
    several = len(session.release.columns.quasi_identifiers()) > 1
    importance = session.release.steps.importance(name)
    is_ticked = several and importance is Importance.KEEP
    chosen = _chosen(session, name)
    if is_ticked:
        # What a tick keeps it at is the program's choice: one detail is the person's, unless it comes to the same.
        if chosen is not None and not enough and (least or _comes_of_ticks(session, name)):
            chosen = None
        free = chosen is None and not enough
    else:
        free = importance is Importance.NORMAL and least is None and not enough
    # What is so already changes nothing, though the same steps might find something else by now.
    leave = (lambda _: None) if free else partial(_leave_to_ticks if is_ticked else _leave_to_program, name)
    found = [DetailChoice(BY_PROGRAM if several else ALONE, leave, free)]
    if several and not is_ticked:
        found.append(DetailChoice(LAST, partial(_leave_to_program, name, most=True)))
    for level in offered:
        edit = partial(wish_exactly, name=name, level=level)
        words = f"{words_among(hierarchy, level, offered)}{narrower_words(hierarchy, level)}"
        found.append(DetailChoice(words, edit, level == chosen))
    if several:
        found.append(DetailChoice(LEFT_OUT, partial(leave_out, (name,))))
    if not any(one.is_chosen for one in found):
        # What was wished in another place, or by a remedy, is none of these: it stands first, and changes nothing.
        found.insert(0, DetailChoice(_wished(session, name, offered), lambda _: None, True))
    return tuple(found)


def with_rows(
    session: Session, name: str, choices: Sequence[DetailChoice], progress: Progress = SILENT
) -> tuple[DetailChoice, ...]:
    """The same choices for a column, each with how many rows are likely to come out once it was made."""
    found, now = [], outlook_after(session, OutlookRemedy("", lambda _: None))
    for place, one in enumerate(choices):
        progress(place / len(choices))
        after = outlook_after(session, OutlookRemedy(one.words, one.edit))
        if now is None or after is None:
            found.append(one)
            continue
        lost = tuple(other for other in after.starred if other not in now.starred)
        doubtful = tuple(other for other in after.maybe if other not in (*now.starred, *now.maybe))
        rows = in_hundred((after.fewest, after.hopeful))
        finest = _finest(session, name, one) if one.varies else ""
        found.append(replace(one, rows=rows, lost=lost, doubtful=doubtful, finest=finest))
    return tuple(found)


def _finest(session: Session, name: str, one: DetailChoice) -> str:
    """What a column is likely to be once a choice was made, the finest first; `*` where it says nothing in any row."""
    trial = session.snapshot()
    one.edit(trial)
    found = foreseen(trial)
    lines = [line for line in found.lines(name) if max(line.rows)] if found is not None else []
    if not lines:
        return ""
    first, *others = lines
    if others and all(line.words == ANY for line in others):
        return f"{first.words}, or {ANY}"
    return f"{'at best ' * bool(others)}{first.words}"


def _leave_to_ticks(name: str, session: Session) -> None:
    """The column has whatever detail there is room for as one of those that are ticked."""
    wish_exactly(session, name, None)
    say_matters_most(session, name, most=True)


def _leave_to_program(name: str, session: Session, *, most: bool = False) -> None:
    """The column has whatever detail there is room for, and is ticked as what the release is for, or not."""
    wish_exactly(session, name, None)
    session.release.steps.set_importance(name, Importance.NORMAL)
    say_matters_most(session, name, most=most)


def _wished(session: Session, name: str, offered: Sequence[int]) -> str:
    """A wish that is no choice of one detail, in the words in which the list of columns has it."""
    hierarchy = session.project.hierarchies[name]
    least, enough = least_of(session, name), enough_of(session, name)
    wishes = [] if least is None else [f"{_ALWAYS}{_or_finer(session, name, offered)}"]
    wishes += [f"Never finer than {words_among(hierarchy, enough, offered)}"] if enough else []
    return ", ".join(wishes) or session.release.steps.importance(name).words


def _or_finer(session: Session, name: str, offered: Sequence[int]) -> str:
    """The coarsest level that a column may have, which is not `*`."""
    least = least_of(session, name) or 0
    words = words_among(session.project.hierarchies[name], least, offered)
    return f"{words} or finer" if any(level < least for level in offered) else words


def _comes_of_ticks(session: Session, name: str) -> bool:
    """Whether a ticked column would be kept at the detail that it has now if that were left to the program."""
    trial, limits = session.snapshot(), session.project.anonymise.level_choice.limits
    try:
        _leave_to_ticks(name, trial)
    except WorkbenchError:
        return False
    return trial.project.anonymise.level_choice.limits.get(name) == limits.get(name)


def _chosen(session: Session, name: str) -> int | None:
    """The one level that every step has; None where there may be several."""
    least = least_of(session, name)
    if least is None:
        return None
    plain = plain_level(session.project.hierarchies[name])
    return least if enough_of(session, name) == least or least <= plain else None
