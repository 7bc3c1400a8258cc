"""The table of the steps of a trimmed release: what each spends, and what groups give up at it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from workbench.anonymise.note_versions import DELTA_INCLUDED, SPELT_AS_IN_FILE, TOLD_AS_SEEN, VALUES_BOUNDED
from workbench.core.number_text import estimate, parts_up, percent, rounded_up
from workbench.core.rationals import rational
from workbench.report.counting_words import most_drawn
from workbench.report.page import table
from workbench.report.promise_meaning import PERSONS_NAMED, law_of, lawful
from workbench.report.stated_facts import Facts
from workbench.report.statement_parts import draw_of

_SIMPLE = 24
_DUST = Fraction(1, 10**9)


def added(release: Facts) -> bool:
    """Whether the ε and the δ of the steps add up to no more than is promised."""
    whole = draw_of(release)
    return all(_sum_of(release["steps"], name) <= rational(whole[name]) for name in ("epsilon", "delta"))


def _sum_of(steps: Sequence[Facts], name: str) -> Fraction:
    return sum((rational(step[name]) for step in steps), Fraction(0))


def step_table(release: Facts, version: int) -> str:
    """The steps with what each spends and gives up, as HTML."""
    steps = release["steps"]
    if version >= PERSONS_NAMED:
        return _across(release, version)
    heads = ("given up on average", "standard deviation", "at most", "released half of the time from", "always from")
    spent = ("ε", "δ", "share of ε") if lawful(release) else ()
    rows = []
    for number, step in enumerate(steps, 1):
        cost: tuple[str, ...] = ()
        if lawful(release):
            share = rational(step["epsilon"]) / _sum_of(steps, "epsilon")
            cost = rounded_up(step["epsilon"]), rounded_up(step["delta"]), percent(float(share))
        drawn = estimate(step["mean_lost"]), estimate(step["sd"]), f"{most_drawn(step, release['floor']):,}"
        from_rows = f"{step['half_survive']:,} rows", f"{step['always_survive']:,} rows"
        rows.append((str(number), *cost, *drawn, *from_rows))
    return table(("Step", *spent, *heads), rows)


def _across(release: Facts, version: int) -> str:
    """A column for each step: there are few, and more to say of each than fits beside it."""
    steps = release["steps"]
    lines: list[tuple[str, list[str]]] = []
    if lawful(release):
        lines += _spending(release, version)
    mostly = [[f"{lost:,}" for lost in step["mostly_lost"]] for step in steps if version >= TOLD_AS_SEEN]
    average = f"given up on average{', rounded down' * (version >= SPELT_AS_IN_FILE)}"
    lines += [
        (average, [estimate(step["mean_lost"]) for step in steps]),
        *([("in 19 of 20 groups", [f"{low} to {high}" for low, high in mostly])] if mostly else []),
        ("standard deviation", [estimate(step["sd"]) for step in steps]),
        ("at most", [f"{most_drawn(step, release['floor']):,}" for step in steps]),
        ("released half of the time from", [f"{step['half_survive']:,}" for step in steps]),
        ("always from", [f"{step['always_survive']:,}" for step in steps]),
    ]
    heads = ("Step", *(str(number) for number in range(1, len(steps) + 1)))
    return table(heads, [(name, *cells) for name, cells in lines])


def _spending(release: Facts, version: int) -> list[tuple[str, list[str]]]:
    """ε and δ of each step, in parts of those of the draw where they are written as such."""
    steps, whole = release["steps"], _sum_of(release["steps"], "epsilon")
    parts = [_parts(release, name) for name in ("epsilon", "delta")] if version >= TOLD_AS_SEEN else []
    if parts and all(parts):
        law = law_of(release) if "mechanisms" in release else None
        own = " of the draw by itself" if law and draw_of(release)["epsilon"] != law["epsilon"] else ""
        return [(f"{letter}{own}", cells) for letter, cells in zip("εδ", parts, strict=True)]
    return [
        ("ε", _spent(release, "epsilon", version)),
        ("δ", _spent(release, "delta", version)),
        ("share of ε", [percent(float(rational(step["epsilon"]) / whole)) for step in steps]),
    ]


def _parts(release: Facts, name: str) -> list[str]:
    """What each step spends as a simple part of the whole, never below it; none where it is written with its digits."""
    if not any("/" in told for told in _spent(release, name, TOLD_AS_SEEN)):
        return []
    whole = Fraction(str(draw_of(release)[name])) if "mechanisms" in release else _sum_of(release["steps"], name)
    spent = [Fraction(str(step[name])) for step in release["steps"]]
    shares = [(one / whole).limit_denominator(_SIMPLE) for one in spent]
    covered = all(one <= share * whole <= one * (1 + _DUST) for one, share in zip(spent, shares, strict=True))
    return [f"{share} of {rounded_up(whole)}" for share in shares] if covered and sum(shares) <= 1 else []


def _spent(release: Facts, name: str, version: int) -> list[str]:
    """The spending of each step, so that it adds up to no more than is promised where that is how it is counted."""
    spent = [step[name] for step in release["steps"]]
    # Before there is a file, nothing is stated of a whole draw.
    whole = draw_of(release)[name] if "mechanisms" in release else _sum_of(release["steps"], name)
    if version < DELTA_INCLUDED:
        return [*map(rounded_up, spent)]
    return parts_up(spent, whole, fractions=version >= VALUES_BOUNDED)
