"""The verdict on the values of published figures, in words: how many agree, and how many do not."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.core.number_text import count
from workbench.evaluate.published.agreement import (
    Accord,
    Agreement,
    Said,
    ValueStanding,
    pooled,
    said_of_all,
    tallied,
)

_SEVERAL = {Said.AGREES: "agree", Said.DIFFERS: "differ"}


def verdict_on(*figures: Sequence[Agreement], standing: ValueStanding | None = None) -> str:
    """Such as “2 agree · 2 within range”; of all values also whether those of a figure agree or differ together."""
    if not any(figures):
        return "Nothing published to compare with"
    found = tallied(*figures, standing=standing)
    parts = [f"{count(n)} {_SEVERAL.get(one, one) if n > 1 else one}" for one, n in found.items() if n]
    return " · ".join(parts) if standing is not None else "; ".join((" · ".join(parts), *_all_together(figures)))


def _all_together(figures: Sequence[Sequence[Agreement]]) -> tuple[str, ...]:
    said = [said_of_all(one) for one in figures]
    found = []
    for which, word in ((Said.TOGETHER, "agree"), (Said.APART, "differ")):
        many = said.count(which)
        of = f"taken together, those of {count(many)} {'figure' if many == 1 else 'figures'}"
        found += [f"{of if len(figures) > 1 else _taken(figures[0])} {word}"] if many else []
    return tuple(found)


def _taken(found: Sequence[Agreement]) -> str:
    """The values of a figure that are taken together: hardly ever all, as some tell enough alone or are too skewed."""
    several, every = (sum(one.value.many for one in some) for some in (pooled(found), found))
    return "taken together, they" if several == every else f"{count(several)} of them, taken together,"


_OF = {
    ValueStanding.PRINTED: "of {} published",
    ValueStanding.COMPUTED: "of {} computed, not printed",
    ValueStanding.CODE: "of {} in the author's code or data alone",
}


def verdict_by_standing(found: Sequence[Agreement]) -> str:
    """Such as “Of 3 published: 3 agree; of 2 computed …: 2 within range”: what nobody printed is counted apart."""
    parts = []
    for standing, words in _OF.items():
        many = sum(one.value.many for one in found if one.value.standing is standing)
        if many:
            known = verdict_on(found, standing=standing)
            parts.append(f"{words.format(count(many))}: {known}" if known else words.format(count(many)))
    said = "; ".join((*parts, *_all_together((found,))))
    return f"{said[0].upper()}{said[1:]}"


def counted(found: Sequence[Agreement]) -> dict[str, int]:
    """How many have which verdict in JSON."""
    known = (*map(str, Accord), str(Said.COMPUTED))
    return {one: sum(other.value.many for other in found if other.verdict == one) for one in known}
