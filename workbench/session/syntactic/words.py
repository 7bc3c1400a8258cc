"""Privacy models in words: what a search found and why nothing better, what local recoding did, what would help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.anonymise.outcome import SearchResult
from workbench.anonymise.privacy import ModelChoice, in_words
from workbench.anonymise.recode import LocalRecoding
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import change, estimate, exact, percent
from workbench.session.syntactic.neighbours import AllowLevel, AllowSuppression, Change, Node, RaiseLevel, WeakenModel
from workbench.session.syntactic.why_best import Finer, WhyBest


def levels_in_words(levels: Mapping[str, int]) -> str:
    """Such as “age 2 · city 1”."""
    return " · ".join(f"{name} {level}" for name, level in levels.items())


def models_in_words(models: Sequence[ModelChoice]) -> str:
    """The models with their parameters, joined."""
    words = []
    for choice in models:
        try:
            words.append(in_words(choice))
        except WorkbenchError:
            words.append(choice.identifier)  # Not installed, or a parameter is missing.
    return ", ".join(words)


def found_in_words(found: SearchResult) -> str:
    """How good what a search found is, and how sure that is."""
    loss = estimate(found.score)
    if found.optimal:
        return f"Best of all {found.nodes:,} combinations. Loss {loss}."
    words = "Best found. Loss {loss}; another combination could lose at most {gap} less."
    return words.format(gap=estimate(found.gap), loss=loss)


def effort_in_words(found: SearchResult) -> str:
    """The effort of the search in words."""
    words = f"{found.nodes_checked:,} of {found.nodes:,} combinations were counted, in {estimate(found.seconds, 2)} s."
    return f"{words} None of the others can be better." if found.optimal else words


def passes_in_words(local: LocalRecoding) -> str:
    """The passes of local recoding in words."""
    passes = len(local.passes)
    words = "The models hold in this table of 1 pass; nothing more could be rescued."
    if passes > 1:
        words = "The models hold in this table of {n} passes: {rows} rows rescued, loss {before} → {after}."
    return words.format(
        n=passes, rows=f"{local.rescued:,}", before=estimate(local.loss_before), after=estimate(local.loss_after)
    )


def pass_levels_in_words(local: LocalRecoding) -> str:
    """The levels and rows of each pass, a line each."""
    lines = [
        f"Pass {n}, {one.rows:,} rows: {levels_in_words(one.levels)}" for n, one in enumerate(local.passes, start=1)
    ]
    if not local.complete:
        lines.append("The time was over before all passes were searched to the end.")
    return "\n".join(lines)


def change_in_words(change: Change, models: Sequence[ModelChoice]) -> str:
    """The effect of a change, as the text of a button and of its undo step."""
    match change:
        case AllowSuppression(limit):
            return f"Suppress up to {percent(limit, 4)} of the rows"
        case RaiseLevel(column, level):
            return f"Generalise {column} to level {level}"
        case AllowLevel(column, level):
            return f"Allow {column} up to level {level}"
        case WeakenModel(position, parameter, value):
            model = models[position].model
            title = next(spec.title for spec in model.params if spec.name == parameter)
            return f"Weaken {model.title} to {title} = {exact(value)}"


def node_in_words(node: Node, rows: int) -> str:
    """The cost of a node, in a line."""
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


def reasons(found: SearchResult, why: WhyBest) -> tuple[str, ...]:
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


def finer_in_words(one: Finer, found: SearchResult, why: WhyBest) -> str:
    """The outcome where one column is one level finer, in words."""
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


def _rows(count: int, why: WhyBest) -> str:
    if count == 0:
        return "no row"
    words = "1 row ({share})" if count == 1 else "{n} rows ({share})"
    return words.format(n=f"{count:,}", share=_share(count, why.rows))


def _limit(why: WhyBest) -> str:
    return f"{why.most_suppressed:,}" if why.most_suppressed else "none"


def _share(count: int, rows: int) -> str:
    return percent(count / rows if rows else 0.0)


def _more(before: float, after: float) -> str:
    if not before or after == before:
        return ""
    return f" ({change(before, after)})"
