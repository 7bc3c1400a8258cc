"""Why a combination of levels won, in words."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.anonymise.outcome import SearchResult
from workbench.core.number_text import change, estimate, percent
from workbench.session import Finer, Node, Why


def node_in_words(node: Node, rows: int) -> str:
    """What a node costs, in a line."""
    words = [
        "holds" if node.feasible else "fails",
        f"loss {estimate(node.score)}",
        f"{node.suppressed:,} rows suppressed ({_share(node.suppressed, rows)})",
        ("1 class of {smallest}" if node.classes == 1 else "{n} classes, the smallest of {smallest}").format(
            n=f"{node.classes:,}", smallest=f"{node.smallest:,}"
        ),
    ]
    if not node.feasible:
        words[2] = f"{node.suppressed:,} rows would have to be suppressed ({_share(node.suppressed, rows)})"
    return ", ".join(words)


def difference_in_words(levels: Mapping[str, int], best: Mapping[str, int]) -> str:
    """How a node differs from the winner, such as “age 3 → 4, city 1 → 0”."""
    return ", ".join(f"{name} {best[name]} → {level}" for name, level in levels.items() if level != best[name])


def reasons(found: SearchResult, why: Why) -> tuple[str, ...]:
    """Sentences that say why no other node won, the strongest first."""
    said = [f"It suppresses {_rows(found.suppressed, why)}; {_limit(why)} may be."]
    if why.tempting:
        nearest = why.tempting[0]
        said.append(
            (
                "{n} of the {looked} combinations looked at around it would lose less, but too many rows fail the "
                "models there. The closest of them ({levels}) would suppress {rows}."
            ).format(
                n=f"{len(why.tempting):,}",
                looked=f"{why.looked_at:,}",
                levels=difference_in_words(nearest.levels, found.levels),
                rows=_rows(nearest.suppressed, why),
            )
        )
    elif why.looked_at > 1:
        said.append(
            (
                f"None of the {why.looked_at - 1:,} other combinations looked at around it loses less, whether "
                "the models hold there or "
                "not."
            )
            if why.looked_at > 2
            else "The one other combination looked at around it does not lose less."
        )
    if why.runner_up is not None:
        said.append(
            f"The next best at which the models hold ({difference_in_words(why.runner_up.levels, found.levels)}) has "
            f"loss {estimate(why.runner_up.score)}{_more(found.score, why.runner_up.score)}, with "
            f"{_rows(why.runner_up.suppressed, why)} suppressed."
        )
    said.append(certainty(found))
    return tuple(said)


def finer_in_words(one: Finer, found: SearchResult, why: Why) -> str:
    """What happens if one column is one level finer."""
    if not one.node.feasible:
        return f"fails: {_rows(one.node.suppressed, why)} would be suppressed, {_limit(why)} may be"
    if one.node.score > found.score:
        return (
            f"holds, but loses {estimate(one.node.score)}{_more(found.score, one.node.score)}, for "
            f"{_rows(one.node.suppressed, why)} are suppressed"
        )
    return "holds and is as good: the first of equals was taken"


def certainty(found: SearchResult) -> str:
    """How many combinations were counted, and why the others cannot be better."""
    rest = found.nodes - found.nodes_checked
    if not found.optimal:
        return (
            f"{found.nodes_checked:,} of {found.nodes:,} combinations were counted before the search stopped. "
            "Those that were not could lose "
            f"at most {estimate(found.gap)} less."
        )
    if rest <= 0:
        return f"All {found.nodes:,} combinations were counted."
    return (
        f"{found.nodes_checked:,} of {found.nodes:,} combinations were counted. The other {rest:,} cannot be "
        "better: their levels alone lose at "
        "least as much, or one that was counted shows that of everything finer too many rows fail or too much is lost."
    )


def _rows(count: int, why: Why) -> str:
    if count == 0:
        return "no row"
    words = "1 row ({share})" if count == 1 else "{n} rows ({share})"
    return words.format(n=f"{count:,}", share=_share(count, why.rows))


def _limit(why: Why) -> str:
    return f"{why.most_suppressed:,}" if why.most_suppressed else "none"


def _share(count: int, rows: int) -> str:
    return percent(count / rows if rows else 0.0)


def _more(before: float, after: float) -> str:
    if not before or after == before:
        return ""
    return f" ({change(before, after)})"
