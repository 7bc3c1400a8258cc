"""Hierarchies in the place of which a rule was taken, and the way back to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.core.hierarchy import Hierarchy
from workbench.core.level_words import stated_words
from workbench.session.suggested_hierarchies import lost_words

_NAMED = 3


@dataclass(frozen=True)
class PutAside:
    """One that gave way to a rule.

    Parameters
    ----------
    made
        What the rule made.
    file
        The file, which was never attached as it is wrong.
    before
        What the column had when somebody answered that it was not made without the data, or that they are not sure.
    wrong
        What is wrong in the file, in a few words.
    finer
        Which of both is finer, in a few words.
    lost
        Whether the rule has no groups while what gave way has some.
    """

    made: Hierarchy
    file: Path | None = None
    before: Hierarchy | None = None
    wrong: str = ""
    finer: str = ""
    lost: bool = False


def way_back(aside: Mapping[str, PutAside]) -> dict[str, PutAside]:
    """Those that one button brings back: an answer is taken back whole, and no wrong file comes with it."""
    chosen = {name: one for name, one in aside.items() if one.before is not None}
    return chosen or dict(aside)


def aside_words(aside: Mapping[str, PutAside], *, beside: bool = False) -> str:
    """Which columns have a rule in the place of their file, and why; of chosen ones what is lost, and what is finer.

    Parameters
    ----------
    beside
        Whether it stands below a question about the other files, which are fewer than there were.
    """
    found = [
        f"Nothing to do for {name}: its file puts {one.wrong.replace(' in “', ' into “', 1)}, so a rule is used."
        if beside
        else f"The file for {name} puts {one.wrong}, so a rule makes {made_words(one.made)}."
        for name, one in aside.items()
        if one.wrong
    ]
    chosen = [name for name, one in aside.items() if not one.wrong]
    found += [f"Rules in place of files, as you chose: {few_words(chosen)}."] if chosen else []
    found += filter(None, [lost_words([name for name in chosen if aside[name].lost])])
    alone = [*aside.values()]
    if len(alone) == 1 and alone[0].finer and not alone[0].wrong:
        found.append(f"{alone[0].finer}.")
    return "\n".join(found)


def made_words(made: Hierarchy) -> str:
    """What a rule makes: its finest intervals, and that there are wider ones, which a release may take."""
    words = stated_words(made, 1)
    wider = made.height > 1 and not made.says_nothing(2) and "widening" not in words
    return f"{words}{' and wider' * wider}"


def aside_details(aside: Mapping[str, PutAside]) -> str:
    """The same of each of them, a line for each."""
    chosen = [name for name, one in aside.items() if not one.wrong]
    named = [", ".join(chosen)] if len(chosen) > _NAMED else []
    return "\n".join([*named, *(f"{name}. {one.finer}." for name, one in aside.items() if one.finer)])


def few_words(names: Sequence[str]) -> str:
    """Columns by name, or of many how many they are."""
    return ", ".join(names) if len(names) <= _NAMED else f"{len(names):,} columns"
