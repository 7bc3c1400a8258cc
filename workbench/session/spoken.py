"""The sentences a person said of the table and of the draw that is there, so that undo can take them back."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.session.state import SessionState


@dataclass(frozen=True)
class Spoken:
    """All that is said at one time.

    Parameters
    ----------
    beforehand
        Of the table, and so of each draw that is made since.
    of
        Of which rows that was said.
    draw, said
        The draw that is there, and what is said of it; "" and nothing if there is none.
    """

    beforehand: frozenset[str]
    of: tuple[str, float] | None
    draw: str
    said: frozenset[str]


def spoken(state: SessionState) -> Spoken:
    """What is said now."""
    results = state.results
    draw = "" if results.result is None else results.result.draw
    return Spoken(results.beforehand, results.beforehand_of, draw, results.said.get(draw, frozenset()))


def speak_again(state: SessionState, before: Spoken, after: Spoken) -> None:
    """Go from what was said `before` to what was said `after`, and leave alone what is the same in both.

    A draw that has left stays as it was said of it. What is no longer said of the table is said of no other draw.
    """
    results = state.results
    gone, new = before.beforehand - after.beforehand, after.beforehand - before.beforehand
    if gone or new:
        results.beforehand, results.beforehand_of = (results.beforehand - gone) | new, after.of
    for draw, said in results.said.items():
        if draw not in results.exported:
            own = draw == before.draw == after.draw
            less, more = (before.said - after.said, after.said - before.said) if own else (frozenset(), frozenset())
            results.said[draw] = (said - gone - less) | more
