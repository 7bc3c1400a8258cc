"""What comparing the values of published figures came to, in words: how many agree, and how many do not."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.core.number_text import count
from workbench.evaluate.published.agreement import Agreement, Said, ValueStanding, apart_together, tallied

_SEVERAL = {
    Said.AGREES: "agree",
    Said.TOGETHER: "agree together",
    Said.DIFFERS: "differ",
}


def verdict_on(*figures: Sequence[Agreement], standing: ValueStanding | None = None) -> str:
    """Such as “2 agree · 2 within range”; of all values also that those of a figure differ together."""
    if not any(figures):
        return "Nothing published to compare with"
    found = tallied(*figures, standing=standing)
    parts = [f"{count(n)} {_SEVERAL.get(one, one) if n > 1 else one}" for one, n in found.items() if n]
    jointly = sum(bool(apart_together(one)) for one in figures) if standing is None else 0
    if jointly:
        of = "they" if len(figures) == 1 else f"those of {count(jointly)} {'figure' if jointly == 1 else 'figures'}"
        parts.append(f"together {of} differ")
    return " · ".join(parts)


_OF = {
    ValueStanding.PRINTED: "Of {} published",
    ValueStanding.COMPUTED: "{} computed",
    ValueStanding.CODE: "{} of the author's code",
}


def verdict_by_standing(found: Sequence[Agreement]) -> str:
    """Such as “Of 3 published: 3 agree; 2 computed: 2 within range”: what nobody printed is counted apart."""
    parts = []
    for standing, words in _OF.items():
        many = sum(one.value.many for one in found if one.value.standing is standing)
        if many:
            known = verdict_on(found, standing=standing)
            parts.append(f"{words.format(count(many))}: {known}" if known else words.format(count(many)))
    return "; ".join((*parts, *(("together they differ",) if apart_together(found) else ())))
