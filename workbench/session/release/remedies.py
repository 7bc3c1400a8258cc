"""Remedies for the outlook of a release: tried on a copy of the settings, so that none makes it worse."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from workbench.anonymise.balanced import Importance
from workbench.anonymise.recipe import Treatment
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY
from workbench.core.public_sizes import public_sizes
from workbench.session.release.finest_free import keep_as_fine_as_free
from workbench.session.release.forecast_changes import NOTHING_ELSE
from workbench.session.release.kept_alone import finer_alone, more_rows_alone
from workbench.session.release.leaving_out import changes_without, few, in_short, leave_out, may_leave
from workbench.session.release.one_row_offer import one_row_offer
from workbench.session.release.outlook import Outlook
from workbench.session.release.prospect import counts_people, expected_of, prospect_of
from workbench.session.release.result import is_one_label, mostly_starred
from workbench.session.release.said import said_of
from workbench.session.release.spread import between, listed_names
from workbench.session.release.steps import LevelSource
from workbench.session.release.tried_remedy import AS_MUCH, COSTS, OutlookRemedy, outlook_after
from workbench.session.release.wishes import least_of, never_star, ranked, telling_levels, wish_least, with_least
from workbench.session.session import Session
from workbench.session.suggested_hierarchies import finer_words

OCCURRING = "occurring:"
"""Begins the field of a remedy by which it is said what occurs, before the first column that it is asked of."""
RULE = "hierarchy:"
"""Begins the field of a remedy that is taken in Hierarchies, before the column."""
NEVER = "never"
"""The field of the remedy that is one of two ways beside each other (`star_choice`)."""
FIGURES = "figures"
"""The field of the remedy that is no release of rows: a question whose answer keeps what so few rows cannot."""
_MOST = 2
"""So many remedies are offered at once."""
_NAMED = 2
"""So many columns are named on a button."""
_ENOUGH = 0.5
"""From this share of the rows on that may come out, no column is given up for more of them unasked."""
_COUNTED = (
    "A new draw, which costs what the button says. As this one led to it, its claim is for both together, unless you "
    "had settled it before."
)
_SOME = 0.05
"""From this share of `*` on a column that has one other label says next to nothing."""
_NEARLY_ALL = 0.95
"""From this share of `*` on a column says next to nothing, whatever it says in the others."""


def remedies(session: Session, found: Outlook) -> tuple[OutlookRemedy, ...]:
    """At most two edits after which more is told, or that leave all columns out that say nothing.

    Last, beside these, what is done with the draw as it costs nothing.

    Before it was typed how many rows are expected only the latter, since what else helps depends on that. Of a column
    that says nothing it is asked first what occurs in it; leaving it out comes after that. What is not about such a
    column comes after what is, which somebody is led to. No row is read.
    """
    last = ranked(session, found.widest)
    unsaid = _to_say(session, _asked(session, found, last), last)
    spared = _without_silent(session, found)
    if unsaid and not last and any(one.is_choice for one in spared):
        spared = ()  # whoever says what occurs, and what matters, may well see something in them
    finer = _finer_rules(session, found)
    helping = sorted((*finer, *unsaid, *spared), key=lambda one: not is_due(one, found, last))
    if not found.typed:
        return tuple(one for one in helping if found.silent or one not in unsaid)[:_MOST]
    kept = _never_star(session, found)
    if kept is not None:
        # What rests on a guess of what occurs in what matters is asked once that is no guess.
        asks = bool(helping) and helping[0].field.startswith(OCCURRING) and is_due(helping[0], found, last)
        helping.insert(int(asks), kept)
    alone = finer_alone(session, found)
    if alone is not None and alone.words not in {one.words for one in spared}:
        # One way at a time; but what costs nothing comes first, before the draw: after it, it is one more word to sign.
        free = [one for one in spared if one.is_choice and one.gain == NOTHING_ELSE]
        helping = [*free, alone, *(one for one in helping if one not in spared or not one.is_choice)]
    fuller = more_rows_alone(session, found) if alone is None and not spared else None  # what says nothing goes first
    if fuller is not None:
        helping.append(fuller)
    others = (one for one in _candidates(session, found) if fuller is None or not fuller.words.startswith(one.words))
    helping += [one for one in others if _helps(session, one, found)]
    fewer = one_row_offer(session, found)
    if fewer is not None:
        one, told = fewer
        after = [outlook_after(session, other) for other in helping[:_MOST] if other.edit is not None]
        leads = all(other is None or told >= other.told for other in after)
        asked = next((place for place, other in enumerate(helping) if other.edit is not None), len(helping))
        helping.insert(asked if leads else len(helping), one)
    first = next((place for place, one in enumerate(helping) if one.gain == NOTHING_ELSE), len(helping))
    helping[first:first] = _figures(session, found, last)  # before what changes nothing but the file
    offered = [one for one in helping if not one.with_draw]
    return (*offered[:_MOST], *(one for one in helping if one.with_draw))


def is_due(one: OutlookRemedy, found: Outlook, kept: Collection[str] = ()) -> bool:
    """Whether a remedy comes before a draw: not what only makes columns finer of which something is told without it.

    Once it was said which columns matter most, those `kept`, the others pay for them, and nobody is led to mend that.
    """
    if one.is_choice:
        return False
    if one.field.startswith(RULE):
        return one.field.removeprefix(RULE) in says_nothing(found, kept)
    return one.asks_rows or not one.field.startswith(OCCURRING) or not in_doubt(found, kept).isdisjoint(one.columns)


def says_nothing(found: Outlook, kept: Collection[str] = ()) -> frozenset[str]:
    """The columns of a forecast that would say nothing; once it was said what matters most, those of them."""
    return frozenset(found.silent).intersection(kept or found.silent)


def in_doubt(found: Outlook, kept: Collection[str]) -> frozenset[str]:
    """Columns that would say nothing, and of those `kept` the ones of which nobody said how far they reach.

    What is to be expected of a column that the release is for is not told by a guess.
    """
    return says_nothing(found, kept) | frozenset(found.unknown).intersection(kept)


def _figures(session: Session, found: Outlook, kept: Collection[str]) -> tuple[OutlookRemedy, ...]:
    """Questions instead of rows, where most columns would say nothing in any row and nothing is drawn yet.

    Once it was said which columns matter most, those `kept`, where most of them would.
    """
    columns = session.release.columns
    grouped = [name for name in session.project.schema.names if columns.treatment(name) is Treatment.GENERALISE]
    asked = kept or grouped
    if session.release.result is not None or 2 * len(says_nothing(found, kept)) <= len(asked):
        return ()
    about = (
        "Most columns would be * in every row, as rows of so few people lose most of what they say. A mean, or counts, "
        "by one of the columns has noise that does not grow with the others. What it costs adds to what is spent."
    )
    return (OutlookRemedy("Ask a question instead: a mean by group keeps more", None, FIGURES, about, is_choice=True),)


def rows_first(session: Session, found: Outlook) -> tuple[OutlookRemedy, ...]:
    """That somebody says how many rows there are, where levels follow from it and a smaller table would lose most."""
    if session.release.steps.source is not LevelSource.BALANCED or not found.depends:
        return ()
    whom = "people" if counts_people(session.project) else "rows"
    return (OutlookRemedy(f"Say how many {whom} you expect", None, "rows", asks_rows=True),)


@dataclass(frozen=True)
class AnotherDraw:
    """A draw without some columns that would say more than the one that is there.

    Parameters
    ----------
    names
        The columns that are left out.
    price
        What its ε adds to what is spent, for a button.
    edit
        What is done before it.
    """

    names: tuple[str, ...]
    price: str
    edit: Callable[[Session], object]

    @property
    def words(self) -> str:
        """For a button by itself."""
        return " · ".join(filter(None, (f"Draw again without {in_short(self.names)}", self.price)))

    @property
    def about(self) -> str:
        """A description of the draw, and what follows for its claim: the released rows of the other led to it."""
        return f"Leaves out {listed_names(self.names)}, so that others become finer. {_COUNTED}"


def spare_columns(session: Session) -> tuple[str, ...]:
    """Columns that say nothing, or next to nothing, in the file of the present draw: leaving them out is free.

    Those that are `*` in nearly all rows, and those that say one and the same in all others; released rows alone tell.
    """
    release = session.release
    result = release.result
    if result is None or not release.result_is_current or not isinstance(result.outcome, TrimOutcome):
        return ()
    left_out = release.after(result).left_out
    there = [name for name in result.starred if name not in left_out]
    free = may_leave(session, there)
    alike = {name for name in free if _SOME <= result.starred[name] < 1 and is_one_label(result.outcome, name)}
    names = tuple(name for name in there if result.starred[name] >= _NEARLY_ALL or name in alike)
    return names if result.draw not in release.exported and len(names) < len(there) else ()


def spare(session: Session, names: Iterable[str]) -> None:
    """Leave columns out of the file of the present draw, which says nothing that the released rows do not.

    Raises
    ------
    WorkbenchError
        If there is no draw with the present settings.
    """
    release = session.release
    result = release.current_result()
    after = release.after(result)
    left_out = (*after.left_out, *names)
    release.write_otherwise(result, left_out=left_out, one_level=bool(after.one_level), step_column=after.step_column)


def draw_without_stars(session: Session) -> AnotherDraw | None:
    """The present draw once more without columns that are `*` in most of its rows; None if nothing becomes finer.

    No row is read for it: what came out is released, and what is to be expected follows from the settings.
    """
    result = session.release.result
    if result is None or not result.outcome.secure or not session.release.result_is_current or session.release.looked:
        return None
    mostly = may_leave(session, mostly_starred(result))
    for names in dict.fromkeys((tuple(mostly), tuple(name for name in mostly if result.starred[name] == 1))):
        edit = partial(leave_out, names)
        if not names or len(names) == len(result.starred):
            continue
        try:
            trial = session.snapshot()
            before, levels = expected_of(trial, trial.release.promise())[1], trial.release.chain().vectors
            edit(trial)
            claim = trial.release.claim()
            prospect = prospect_of(trial, claim.guarantee, claim)
            finer = _finer(levels, trial.release.chain().vectors)
        except WorkbenchError:
            continue
        if prospect.fits and finer and before is not None and _as_much(prospect.outlook, before):
            return AnotherDraw(names, prospect.more, edit)
    return None


def _finer(before: Sequence[Mapping[str, int]], after: Sequence[Mapping[str, int]]) -> bool:
    """Whether a column is finer at the first or the last step than it was, and none is coarser there."""
    ends = [(before[place][name], level) for place in (0, -1) for name, level in after[place].items()]
    return any(new < old for old, new in ends) and all(new <= old for old, new in ends)


def what_is_lost(session: Session, found: Outlook) -> str:
    """The cost of keeping columns from becoming `*`, in a sentence; "" if none is kept, or hardly anything is lost."""
    names = with_least(session)
    after = outlook_after(session, OutlookRemedy("", partial(_let_star, names))) if names else None
    if after is None or max(after.fewest - found.fewest, after.hopeful - found.hopeful) < COSTS:
        return ""
    return f"If {few(names)} could become *, {between(after.fewest, after.hopeful)}."


def never_star_offered(session: Session, found: Outlook) -> tuple[list[str], Outlook] | None:
    """The columns that are to be kept longest and may be `*`, with the outlook once they stay, if most may come out."""
    steps, hierarchies = session.release.steps, session.project.hierarchies
    kept = [one for one in found.widest if steps.importance(one) is Importance.KEEP and one not in found.silent]
    # With one of them alone `*` would move to the next.
    names = [name for name in kept if telling_levels(hierarchies.get(name)) and least_of(session, name) is None]
    if {*found.starred, *found.often}.isdisjoint(names) or steps.source is not LevelSource.BALANCED:
        return None
    after = outlook_after(session, OutlookRemedy("", partial(never_star, names=names)))
    return None if after is None or after.hopeful < _ENOUGH else (names, after)


def _never_star(session: Session, found: Outlook) -> OutlookRemedy | None:
    """Let all of them stay."""
    offered = never_star_offered(session, found)
    if offered is None:
        return None
    names, after = offered
    price = "" if after.fewest >= found.fewest - COSTS else f": {between(after.fewest, after.hopeful)}"
    words, edit = f"Never * in {few(names)}{price}", partial(keep_as_fine_as_free, names, after)
    costs = f"Rows are given up for it: {between(after.fewest, after.hopeful)} are likely to come out." if price else ""
    about = " ".join(filter(None, (_named("Never * in", names), costs)))
    return OutlookRemedy(words, edit, NEVER if price else "", about, is_choice=bool(price))


def _unsaid(session: Session, found: Outlook) -> tuple[str, ...]:
    """The columns of which it matters that somebody says what occurs in them, before all those that say nothing."""
    silent, often = _guessed(session, found.silent), _guessed(session, found.often)
    return tuple(dict.fromkeys((*silent, *found.unsaid, *found.unknown, *often)))


def _asked(session: Session, found: Outlook, last: Collection[str]) -> Collection[str]:
    """The columns that it is asked of what occurs in them; once it was said what matters most, those of them.

    Where one of those has to be asked before a draw, all of them are of which that is a guess: once the first is
    answered it would be asked of the others, in a second dialog.
    """
    unsaid = _unsaid(session, found)
    if not last:
        return unsaid
    asked = {name for name in unsaid if name in last}  # others pay
    return asked if asked.isdisjoint(in_doubt(found, last)) else asked.union(_guessed(session, last))


def _guessed(session: Session, names: Iterable[str]) -> tuple[str, ...]:
    """Those of which it is guessed how many labels occur, as nobody said or listed what can."""
    said, hierarchies = said_of(session.project), session.project.hierarchies
    return tuple(name for name in names if not public_sizes(hierarchies.get(name), said.get(name, ())).listed)


def _finer_rules(session: Session, found: Outlook) -> tuple[OutlookRemedy, ...]:
    """The first column whose rule was taken before it was said how far it reaches, and is another one if made anew."""
    for name in found.widest:
        if words := finer_words(session.project, name):
            about = f"By rule, from what you said: {words}"
            return (OutlookRemedy(f"Make {name} suit its range…", None, f"{RULE}{name}", about),)
    return ()


def _to_say(session: Session, asked: Collection[str], last: Collection[str]) -> tuple[OutlookRemedy, ...]:
    """Of all columns it is said in one place, in the order of the table, which is seen behind it.

    Until something is said of one that matters most it names none: its words stay the same with every tick.
    """
    names = tuple(name for name in session.project.schema.names if name in asked)
    if not names:
        return ()
    told = few(names) if len(names) <= _NAMED else f"{len(names):,} columns"
    if last and said_of(session.project).keys().isdisjoint(last):
        told = "what you ticked"
    words = f"Say what occurs in {told}"
    return (OutlookRemedy(words, None, f"{OCCURRING}{names[0]}", f"It is asked of {listed_names(names)}.", names),)


def _named(words: str, names: Sequence[str]) -> str:
    """Columns that a button may only count, by their names; "" where there is one."""
    return f"{words} {listed_names(names)}." if len(names) > 1 else ""


def _helps(session: Session, one: OutlookRemedy, found: Outlook) -> bool:
    after = outlook_after(session, one)
    return after is not None and _better(after, found)


def _as_much(after: Outlook | None, found: Outlook) -> bool:
    """Whether about as much is told without columns that say nothing: what becomes finer instead is not counted."""
    return after is not None and after.told >= AS_MUCH * found.told and len(after.starred) <= len(found.starred)


def _better(after: Outlook, found: Outlook) -> bool:
    """Whether more is told, in no fewer rows and with no more columns that are `*` in most of them."""
    if after.told == found.told:
        return bool(found.silent)
    worse = len(after.starred) > len(found.starred) and found.hopeful >= _ENOUGH
    return after.told > found.told and not worse


def _candidates(session: Session, found: Outlook) -> Iterator[OutlookRemedy]:
    steps = session.release.steps
    balanced = steps.source is LevelSource.BALANCED
    if found.wanting and not balanced:
        yield OutlookRemedy("In steps (recommended)", _in_steps)
    lost = [name for name in found.starred if balanced and steps.importance(name) is Importance.NORMAL]
    unkept = [name for name in found.widest if steps.importance(name) is not Importance.KEEP]
    if lost and len(unkept) > 1:  # with every column kept longest, none is
        yield from _keep_rather(session, lost[0], found)
    last = ranked(session, found.widest)
    if balanced and not last:
        return  # it may be what the release is for: that is to be ticked first
    # Where most comes out, only what is * in most rows of it is worth leaving out.
    spare = found.widest if found.wanting else found.starred
    widest = [name for name in may_leave(session, spare) if name not in found.dumb]
    widest.sort(key=lambda name: steps.importance(name) is not Importance.GIVE_UP)
    others = (name for name in widest[:_MOST] if not {name, *found.dumb}.issuperset(found.widest))
    for name in others:
        leave = partial(leave_out, (name,))
        changes = changes_without(session, leave, (name,))
        if last and changes is not None and not changes.columns.keys().isdisjoint({*found.silent} - {*last}):
            continue  # it would speak of columns that nobody ticked, and that are to be left out as they are *
        gain = "" if changes is None else changes.in_short
        yield OutlookRemedy(f"Leave {name} out", leave, gain=gain)


def _keep_rather(session: Session, name: str, found: Outlook) -> Iterator[OutlookRemedy]:
    """Keep a column longest. Where others become `*` for it, which one is wanted is the person's choice alone.

    It was made already where one of these is kept longest, and where it was said what matters most.
    """
    if ranked(session, found.widest):
        return
    keep = OutlookRemedy(f"Keep {name}", partial(_keep, name))
    after = outlook_after(session, keep)
    lost = [] if after is None else [*after.starred, *after.often]
    instead = tuple(one for one in lost if one not in {*found.starred, *found.often})
    changes = changes_without(session, partial(_keep, name), ())
    if changes:
        keep = replace(keep, gain=changes.in_short, about=f"What changes: {'; '.join(changes.parts)}.")
    if not instead:
        yield keep
    elif all(session.release.steps.importance(one) is not Importance.KEEP for one in instead):
        yield replace(keep, words=f"Keep {name} rather than {few(instead)}", is_choice=True)


def _without_silent(session: Session, found: Outlook) -> tuple[OutlookRemedy, ...]:
    """Leaving out all columns that say nothing in any row, at once; nothing where no other would be left.

    Where levels follow from what was said, nobody is led to it unless the others gain by it and lose nothing.
    """
    free = may_leave(session, found.widest, silent=True)
    names, alike = ([name for name in some if name in free] for some in (found.dumb, found.same))
    if not names or set(found.dumb).issuperset(found.widest):
        return ()
    starred = [name for name in names if name not in alike]
    parts = [f"{listed_names(starred)} would be * in every row"] if starred else []
    parts += [f"{listed_names(alike)} would have one label for all, or nearly all, that can occur"] if alike else []
    lost = f"{'hardly anything' if alike else 'nothing'} is lost without {'it' if len(names) == 1 else 'them'}"
    leave = partial(leave_out, names)
    changes = changes_without(session, leave, names)
    others = f" Of the others: {'; '.join(changes.parts)}." if changes else ""
    # Of levels that were chosen by hand, one that says nothing is more likely a slip, so it is mended before a draw.
    follows = session.release.steps.source is LevelSource.BALANCED
    # As above, it is a choice before it was said what matters most.
    is_choice = follows and (not ranked(session, found.widest) or (changes is not None and not changes.only_gains))
    about = f"{', and '.join(parts)}: {lost}.{others}"
    gain = "" if changes is None else changes.in_short
    words = f"Leave {in_short(names)} out"
    costless = follows and bool(ranked(session, found.widest)) and not alike and gain == NOTHING_ELSE
    tick = f"Leave out what stays {ANY}: {in_short(names)}" if costless else ""
    return (OutlookRemedy(words, leave, "", about, tuple(names), is_choice=is_choice, gain=gain, with_draw=tick),)


def _in_steps(session: Session) -> None:
    session.release.steps.set_source(LevelSource.BALANCED)


def _keep(name: str, session: Session) -> None:
    session.release.steps.set_importance(name, Importance.KEEP)


def _let_star(names: Sequence[str], session: Session) -> None:
    for name in names:
        wish_least(session, name, None)
