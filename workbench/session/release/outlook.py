"""The number of rows that are likely to come out, and at which steps, before anything is spent: from no row.

How a table's rows lie in the possible groups is not known. The group of rank r is taken to have rows in proportion to
r^−0.9, which real tables of a few columns come near to. As many groups as there can be have rows if the columns have
nothing to do with each other; where they go together there are fewer, and at the least as many as the column with most
labels has. What is expected lies between the first and the geometric mean of both, which real tables come near to.

What is told reaches further. Of every table whose cells hold what is listed, at least as many rows come out on average
as if they lay evenly in all groups there can be, since no group gives up more than it can: that is the lower end. The
far end of a range of numbers is no label of its own for it, as few have just that. The
upper one is that of columns of which few values are frequent. What is blank, or no list has, is one label more of its
column. A few such cells cost rows too, since what they are in are groups more of the last step, each of which gives up
all it can. Nobody knows how many there are, so it is said apart what comes out if they are as frequent as any other
label; and how many rows have `*` is a warning, so it is told as if they were.

Where the labels of a column follow from a rule alone, such as ten first characters of a code, it is not known how many
of them occur; two at the least. Until somebody says so, what is told reaches from all of them to two. How many there
are in all is a guess then, and is told as one: with more of them fewer rows come out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from types import MappingProxyType

from workbench.anonymise.chains import EXPECTED_ROWS
from workbench.anonymise.forecast import TrimForecast
from workbench.core.covering import covers_all, may_hold_all
from workbench.core.guessed_reach import possible_labels
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.number_text import count
from workbench.core.occurring import listed_places
from workbench.core.public_sizes import PublicSizes, public_sizes
from workbench.session.release.spread import ends_of, in_hundred, listed_names, told_ends, with_blanks

_HARDLY = 0.1
_HALF = 0.5
_NEARLY = 97
_SURELY = 99
_FEWEST = 2
"""Labels of a column that occur at the least, where nobody says how many do."""
_FEWER_ROWS = 1_000
"""Rows of a smaller table, of which it is said what would come out as long as nobody said how many there are."""
_LITTLE = 5
"""Fewer in 100 are not told as a lower end."""
_ROUNDED = 2
"""Fewer in 100 are no difference, as each end is rounded."""
_NAMED = 3
"""Guesses that are told at most."""
_APART = 25
"""From so many in 100 between both ends on, it is said what they depend on."""


@dataclass(frozen=True)
class Outlook:
    """The likely use of a release.

    Parameters
    ----------
    groups
        How many groups are possible at each step, by labels other than what stands for values that are not listed.
    words
        In a sentence or two.
    brief
        How many rows come out, and what no wish can have, for whoever says the columns one by one.
    besides
        The same without which columns are `*` in most of the rows or in all, for whoever says `stars` before them.
    wanting
        Whether something better should be looked for.
    starred
        Columns that are `*` where most rows come out.
    often
        Other columns that may be `*` in many of the rows that come out.
    maybe
        Those of them that may be so in most.
    silent
        Columns that are `*` at every step, so that nothing is lost if they are left out.
    widest
        All columns, those with most possible labels at the first step first.
    typed
        Whether it is about a number of rows that was typed.
    told
        Columns that say something, on average over the rows; a row that does not come out has none.
    fewest, hopeful
        The share of the rows that comes out at the least, and if things are well.
    unsaid
        Columns of which nobody says what can occur, where it matters; those with most possible labels first.
    depends
        Whether nobody said how large the table is, on which all of it hangs: for a smaller one δ may be larger, but
        far less comes out.
    stars
        Which columns are `*` in every row, and which in most or perhaps in many, in a few words; "" if none is. So too
        those with one label for all that can occur.
    covering
        Columns with one label for all that can occur where most rows come out, or perhaps in many of them.
    same
        Columns with one label for all that can occur, or `*`, at every step, other than `silent`: hardly anything is
        lost if they are left out.
    unknown
        Columns of which one wide interval may hold all, or far more labels may occur than they are taken to have, as
        nobody said what can occur.
    short
        How many rows come out, in one plain sentence; that it must be said how many there are, until that is said.
    """

    groups: tuple[int, ...]
    words: str
    wanting: bool = False
    starred: tuple[str, ...] = ()
    often: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    widest: tuple[str, ...] = ()
    typed: bool = False
    told: float = 0.0
    fewest: float = 0.0
    hopeful: float = 1.0
    unsaid: tuple[str, ...] = ()
    stars: str = ""
    besides: str = ""
    brief: str = ""
    depends: bool = False
    covering: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    short: str = ""
    same: tuple[str, ...] = ()
    maybe: tuple[str, ...] = ()

    @property
    def risky(self) -> bool:
        """Whether hardly a row may come out, as tables may lie."""
        return round(100 * self.fewest) < min(_LITTLE, round(100 * self.hopeful))

    @property
    def dumb(self) -> tuple[str, ...]:
        """Columns that say nothing, or as good as nothing, in any row."""
        return (*self.silent, *self.same)


def outlook_of(
    found: TrimForecast,
    hierarchies: Mapping[str, Hierarchy],
    said: Mapping[str, Sequence[str]] = MappingProxyType({}),
    *,
    unit: str,
    kept: Collection[str] = (),
    one_each: bool = False,
) -> Outlook | None:
    """The outlook for the steps of a forecast; None of a release whose possible groups are not known.

    Parameters
    ----------
    said
        What can occur of a column, as far as somebody said so (`core.occurring`).
    unit
        What a row stands for, such as “people”.
    kept
        Columns that are asked to become `*` last.
    one_each
        Whether of each person who may have several rows one row takes part, so that the others are lost.
    """
    first = found.steps[0]
    names = tuple(first.levels)
    if not names or any(step.possible_groups is None for step in found.steps):
        return None
    sizes = {name: public_sizes(hierarchies.get(name), said.get(name, ())) for name in names}
    labels = [[sizes[name].labels[step.levels[name]] for name in names] for step in found.steps]
    groups = tuple(prod(some) for some in labels)
    widest = tuple(sorted(names, key=lambda name: -sizes[name].labels[first.levels[name]]))
    rows = found.rows or EXPECTED_ROWS
    least = [
        [size if sizes[name].listed else min(size, _FEWEST) for name, size in zip(names, some, strict=True)]
        for some in labels
    ]
    may = {name: possible_labels(name, hierarchies.get(name), said.get(name, ())) for name in names}
    most = [[may[name][step.levels[name]] for name in names] for step in found.steps]
    ends = ends_of(found.steps, labels, least, most, rows)
    apart, joined, fewest, *_ = ends
    wide = round(100 * max(sum(fewest), sum(joined))) - round(100 * sum(apart)) >= _APART
    least_likely, hopeful = min(map(sum, ends)), max(map(sum, ends))
    unsaid = tuple(name for name in widest if wide and not sizes[name].listed and _speaks(sizes[name], found, name))
    shares = [(one + other) / 2 for one, other in zip(apart, joined, strict=True)]
    early = next((place for place, share in enumerate(shares) if share >= _HARDLY), len(shares))
    main = next((place for place in range(len(shares)) if sum(shares[: place + 1]) >= _HALF), len(shares) - 1)
    dumb = [[name for name in names if _says_nothing(hierarchies, name, step.levels[name])] for step in found.steps]
    starred, silent = tuple(dumb[main]), tuple(dumb[0])
    stars = {name: [name in step for step in dumb] for name in names if name not in starred and name not in silent}
    blank, blank_evenly = with_blanks(found.steps, labels, [[name in step for name in names] for step in dumb], rows)
    often = tuple(name for name, at in stars.items() if max(_part(some, at) for some in ends) >= _HARDLY)
    maybe = tuple(name for name in often if max(_part(some, stars[name]) for some in (*ends, blank)) > _HALF)
    covers = [
        [name for name in names if covers_all(hierarchies.get(name), step.levels[name], said.get(name, ()))]
        for step in found.steps
    ]
    at_covers = {name: [name in one for one in covers] for name in names if name not in silent}
    covering = tuple(
        name for name, at in at_covers.items() if name in covers[main] or max(_part(some, at) for some in ends) > _HALF
    )
    same = tuple(
        name for name in at_covers if all(name in one or name in star for one, star in zip(covers, dumb, strict=True))
    )
    far = [
        name
        for name in widest
        if any(may[name][step.levels[name]] != sizes[name].labels[step.levels[name]] for step in found.steps)
    ]
    unknown = tuple(
        name
        for name in widest
        if name in far
        or any(may_hold_all(hierarchies.get(name), step.levels[name], said.get(name, ())) for step in found.steps)
    )
    words = _early_words(groups, early) if early else []
    likely = _likely(least_likely, hopeful, rows, unit, typed=found.rows is not None)
    blanks_cost = _blank_words(min(sum(blank_evenly), least_likely), least_likely)
    come = likely.replace("your ", "", 1).replace("are likely to come", "should come")
    come = come.replace(unit, f"{unit}, one row each,", 1) if one_each and found.rows is not None else come
    guess = ""
    if far and round(100 * hopeful) - round(100 * least_likely) >= _APART:
        # Not how many: a button beside it asks of all that nobody said, which may be more.
        guess = f", as nobody said what occurs{f' in {listed_names(far)}' if len(far) < _NAMED else ''}"
    likely += blanks_cost
    ruled = [name for name in names if _is_ruled(hierarchies.get(name)) and _speaks(sizes[name], found, name)]
    guessed = _guess_words({name: sizes[name] for name in ruled}, found)
    short = [f"{come}{guess}{', fewer with blank or odd cells' if blanks_cost else ''}."]
    fewer = "" if found.rows else _of_fewer(ends_of(found.steps, labels, least, most, _FEWER_ROWS), sum(apart))
    depends = found.rows is None  # also where much would come out of 10,000: of few it may be half
    if depends:
        short = [f"Say how many {unit} you expect, and this tells how many are likely to come out."]
    brief = [f"{likely}{fewer or guessed}."]
    every = f", fewest if all {count(max(groups))} possible groups occur" if unsaid else ""
    words.append(f"{likely}{every}{guessed.replace('fewer', 'still fewer', 1) if unsaid else guessed}.")
    surely = all(_part(some, [name in step for step in dumb]) > _HALF for name in starred for some in ends)
    usual = [name for name in names if _part(joined, [name in step for step in dumb]) > _HALF]
    hardly = early == len(shares)
    nothing = [] if hardly else _star_words(names, starred, silent, surely=surely)
    more = _often_words({name: [_sum(some, stars[name]) for some in ends] for name in often})
    blanks = [name for name, at in stars.items() if name not in maybe and (not sum(blank) or _part(blank, at) > _HALF)]
    more += [f"If many cells are blank, most rows may have * in {listed_names(blanks)}."] if blanks else []
    if not (starred or silent or often) and len(shares) > 1:
        more += _coarser_words([_sum(some, [False, *[True] * (len(shares) - 1)]) for some in ends])
    lost = {*starred, *often} - set(silent)
    few, loses = hardly or hopeful < _HALF, not lost.isdisjoint(kept)
    return Outlook(
        groups,
        " ".join((*words, *nothing, *more)),
        few or loses or 2 * len({*starred, *covering}) >= len(names),
        starred,
        often,
        silent,
        widest,
        found.rows is not None,
        sum(share * (len(names) - len({*some, *same})) for share, some, same in zip(shares, dumb, covers, strict=True)),
        least_likely,
        hopeful,
        unsaid,
        _in_short((() if hardly else starred), silent, maybe, covering, usual=usual, surely=surely),
        " ".join((*words, *more)),
        " ".join(brief),
        depends,
        covering,
        unknown,
        " ".join(short),
        same,
        maybe,
    )


def _in_short(
    starred: Sequence[str],
    silent: Sequence[str],
    maybe: Sequence[str],
    covering: Sequence[str],
    *,
    usual: Collection[str],
    surely: bool,
) -> str:
    """Which columns tell nothing, before anything else is said: in the words that are said of them after a draw.

    Those that are `*` in most rows of `usual` tables are told apart from those that may be.
    """
    mostly = [name for name in starred if name not in silent and (surely or name in usual)]
    perhaps = [*(name for name in starred if name not in (*silent, *mostly)), *maybe]
    stars = [f"in every row: {listed_names(silent)}"] if silent else []
    stars += [f"in {'most' if surely else 'many or all'} rows: {listed_names(mostly)}"] if mostly else []
    stars += [f"perhaps in many rows: {listed_names(perhaps)}"] if perhaps else []
    parts = [f"{ANY} (no value) {'; '.join(stars)}"] if stars else []
    parts += [f"One label for all in many rows: {listed_names(covering)}"] if covering else []
    return ". ".join(parts)


def _early_words(groups: Sequence[int], early: int) -> list[str]:
    which = "Step 1 has" if early == 1 else f"Steps 1 to {early:,} have"
    more = " or more" if early > 1 else ""
    return [f"{which} {count(groups[early - 1])} possible groups{more}: hardly anything survives there."]


def _star_words(names: Sequence[str], starred: Sequence[str], silent: Sequence[str], *, surely: bool) -> list[str]:
    """Which columns tell nothing, in most rows or in all; `surely` says that it is most however columns lie."""
    mostly = [name for name in starred if name not in silent]
    most = "every column" if len(starred) == len(names) else listed_names(mostly) if mostly else ""
    many = "Most of these have" if surely else "Many of these may have"
    if not silent:
        return [f"{many} * in {most}."] if most else []
    return [f"{many} * in {most}, all in {listed_names(silent)}." if most else f"All have * in {listed_names(silent)}."]


def _often_words(parts: Mapping[str, Sequence[float]]) -> list[str]:
    """Which other columns tell nothing, in how many of all rows, as the table of columns has it; those alike as one."""
    alike: dict[tuple[int, int], list[str]] = {}
    for name, some in parts.items():
        alike.setdefault(in_hundred(some), []).append(name)
    return [_rows_told(*ends, f"have * in {listed_names(some)}") for ends, some in alike.items()]


def _coarser_words(some: Sequence[float]) -> list[str]:
    """How many rows come out at later steps, where no column is `*`."""
    return [] if max(some) < _HARDLY else [_rows_told(*in_hundred(some), "are coarser than step 1")]


def _rows_told(low: int, high: int, do: str) -> str:
    # Both ends are estimates, and no bounds: a table may lie otherwise than most do.
    least, most = told_ends(low, high)
    if most is None:
        return f"Probably about {least} or more in 100 rows {do}."
    return f"About {least if least == most else f'{least} to {most}'} in 100 rows {do}."


def _sum(shares: Sequence[float], counted: Sequence[bool]) -> float:
    """The part of all rows that comes out at the counted steps."""
    return sum(share for share, one in zip(shares, counted, strict=True) if one)


def _part(shares: Sequence[float], counted: Sequence[bool]) -> float:
    """The part of the rows that come out which do so at the counted steps; 0 if none is likely to come out."""
    return _sum(shares, counted) / (sum(shares) or 1.0)


def _likely(least: float, most: float, rows: int, unit: str, *, typed: bool) -> str:
    low, high = (round(100 * min(share, 1)) for share in (least, most))
    how = "nearly all" if low >= _NEARLY else f"about {high} in 100" if low == high else f"{low} to {high} in 100"
    how = f"{low} or more in 100" if low < _NEARLY and high >= _SURELY else how
    how = f"from hardly any up to {high} in 100" if low < min(_LITTLE, high) else how
    return f"{_of(rows, unit, typed=typed)} {how} are likely to come out"


def _blank_words(least: float, before: float) -> str:
    """The outlook where each column has one label more; "" where it is hardly less."""
    low, high = (round(100 * min(share, 1)) for share in (least, before))
    if high - low < _ROUNDED:
        return ""
    some = f"down to {low}{' in 100' if high >= _NEARLY else ''}" if low >= _LITTLE else "far fewer"
    return f", {some} if columns have blank cells or another value"


def _is_ruled(hierarchy: Hierarchy | None) -> bool:
    """Whether the values of a column follow from a rule, and are no list outside which all becomes `*`."""
    return hierarchy is None or listed_places(hierarchy) is None


def _guess_words(sizes: Mapping[str, PublicSizes], found: TrimForecast) -> str:
    """That more labels may occur than somebody said, or than a column is taken to have of which nobody said it.

    Parameters
    ----------
    sizes
        Of the columns whose values follow from a rule; how many labels one is taken to have is said where it is
        coarsest.
    """
    alike: dict[int, list[str]] = {}
    for name, size in sizes.items():
        several = [size.labels[step.levels[name]] for step in found.steps if size.labels[step.levels[name]] > 1]
        if not size.listed:
            alike.setdefault(several[-1], []).append(name)
    some = [f"{count(many)} in {listed_names(names)}" for many, names in sorted(alike.items())]
    guessed = f"guessed ({', '.join(some[:_NAMED])}{' and so on' if len(some) > _NAMED else ''})" if some else ""
    said = "you said" if any(size.listed for size in sizes.values()) else ""
    than = " or ".join(filter(None, (said, guessed)))
    return f"; fewer if more values or spellings occur than {than}" if than else ""


def _of_fewer(ends: Sequence[Sequence[float]], before: float) -> str:
    """The outlook for a smaller table with the same steps, where nobody said how large it is; "" if hardly less."""
    apart, joined, fewest, *_ = map(sum, ends)
    low, high = (round(100 * min(share, 1)) for share in (apart, max(fewest, joined)))
    if 100 * before - low < _APART:
        return ""
    return f", of {count(_FEWER_ROWS)} only {low if low == high else f'{low} to {high}'}: type how many you expect"


def _of(rows: int, unit: str, *, typed: bool) -> str:
    return f"Of your {count(rows)} {unit}" if typed else f"If there were {count(rows)} {unit},"


def _speaks(sizes: PublicSizes, found: TrimForecast, name: str) -> bool:
    """Whether it matters how many labels of a column occur."""
    return any(sizes.labels[step.levels[name]] > _FEWEST for step in found.steps)


def _says_nothing(hierarchies: Mapping[str, Hierarchy], name: str, level: int) -> bool:
    hierarchy = hierarchies.get(name)
    return level == 1 if hierarchy is None else hierarchy.says_nothing(level)
